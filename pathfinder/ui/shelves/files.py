"""Exports a shelf to a file, imports files into it, and merges it with another reader's shelf file."""

import datetime
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.facade.shelves import NO_PAPER_REMEDY, ShelfIntake, papers_of, put_on, read_file, read_source
from pathfinder.operations.export.references import incomplete_note
from pathfinder.operations.export.shelves import FORMS
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import MergedShelf, Shelf, ShelvedPaper, merge
from pathfinder.sources import Access
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.state import standing
from pathfinder.ui.stars import own_shelves

MAX_MEGABYTES = 20
MAX_LISTED = 100
ZOTERO = "zotero:"
_FORM, _FILE, _OUTCOME = "shelf-form", "shelf-file", "shelf-file-outcome"


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """The outcome of importing a file, as shown on the page."""

    shelf: str
    intake: ShelfIntake
    merger: MergedShelf
    titles: Mapping[str, str]


def panel(pf: Pathfinder, shelf: Shelf) -> None:
    """Draw the parts of the page that write and read files."""
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Export", anchor=False)
        _out(pf, shelf)
    with right:
        st.header("Import", anchor=False)
        tip = (
            "Papers that are not in the library are listed and left out. A shelf in a file is merged into this shelf: "
            "your states stay, notes are joined, tags are combined, and papers whose states differ are listed."
        )
        label = "BibTeX, RIS, CSL-JSON, NBIB, CSV or a file with a shelf"
        st.file_uploader(
            label, key=_FILE, max_upload_size=MAX_MEGABYTES, on_change=_read, args=(pf, shelf.name), help=tip
        )
        if is_visited_here():
            icon = ":material/library_books:"
            help_line = (
                "Imports the Zotero library on this machine; in Zotero's settings, under Advanced, "
                "other applications must be allowed to communicate with Zotero."
            )
            st.button("From Zotero", "shelf-zotero", help_line, _read_zotero, (pf, shelf.name), icon=icon)
        if (outcome := st.session_state.get(_OUTCOME)) is not None:
            if isinstance(outcome, str):
                st.error(for_markdown(outcome))
            elif outcome.shelf == shelf.name:
                _show(outcome)


def _out(pf: Pathfinder, shelf: Shelf) -> None:
    index = list(FORMS).index(standing(_FORM, "bibtex"))
    name = st.selectbox("Format", list(FORMS), index, key=_FORM, format_func=lambda each: FORMS[each].label)
    form = FORMS[name]
    if not form.keeps_all and (n_out := len(shelf.papers) - len(shelf.inside)):
        shelf = shelf.without_out()
        st.caption(f"Leaves out {counted(n_out, 'paper')} marked as out.")
    papers = papers_of(pf, shelf)
    if not form.keeps_all and (n_lost := len(shelf.papers) - len(papers)):
        st.warning(f"The library no longer has {n_lost:,} of the papers, which are left out.")
    if not form.keeps_all and (incomplete := incomplete_note(papers.values())):
        st.caption(f"{incomplete}.")
    file = f"{shelf.name}.{form.suffix}"
    look: dict[str, Any] = {"key": "shelf-download", "icon": ":material/download:", "disabled": not shelf.papers}
    save("Download", lambda: form.write(shelf, papers), file, mime=form.mime, **look)


def _read(pf: Pathfinder, name: str) -> None:
    """Put the papers from the file just chosen on the shelf, and remember the outcome."""
    file: UploadedFile | None = st.session_state[_FILE]
    st.session_state[_OUTCOME] = None
    if file is None:
        return

    def read() -> ShelfIntake:
        with tempfile.TemporaryDirectory() as folder:  # through a copy with the same suffixes, which tell the format
            path = Path(folder) / f"shelf{''.join(Path(file.name).suffixes[-2:])}"
            path.write_bytes(file.getvalue())
            try:
                return read_file(pf, path, name)
            except UsageError as error:
                raise UsageError(str(error).replace(str(path), file.name)) from error

    _bring(pf, name, read)


def _read_zotero(pf: Pathfinder, name: str) -> None:
    """Put the papers from this machine's Zotero library on the shelf, and remember the outcome."""
    access = Access(read_settings(), datetime.datetime.now(datetime.UTC).date())
    _bring(pf, name, lambda: read_source(pf, ZOTERO, name, access))


def _bring(pf: Pathfinder, name: str, read: Callable[[], ShelfIntake]) -> None:
    try:
        intake = read()
        store = own_shelves.own_shelves()
        before = next((shelf for shelf in store.shelves() if shelf.name == name), Shelf(name))
        store.change(name, lambda ours: put_on(ours, intake))
    except PathfinderError as error:
        st.session_state[_OUTCOME] = str(error)
        return
    own_shelves.choose(name)
    merger = merge(before, intake.shelf)
    titles = {paper_id: readable(paper.title) for paper_id, paper in papers_of(pf, merger.shelf).items()}
    st.session_state[_OUTCOME] = ImportOutcome(name, intake, merger, titles)


def _show(outcome: ImportOutcome) -> None:
    """Show how many papers were imported, which of them the corpus lacks, and where two readers differ."""
    intake, merger = outcome.intake, outcome.merger
    n = len(intake.shelf.papers)
    if n:
        st.success(f"{counted(n, 'paper')} imported, {merger.n_shared:,} of them already on the shelf.")
    elif intake.has_papers:
        st.warning("Nothing was put on the shelf: this library has none of the papers. Add them in *Library*.")
    else:
        st.error(f"The file holds no paper that can be read: {NO_PAPER_REMEDY}.")
    _list(f"{len(intake.rejected_rows):,} records cannot be read", intake.faults())
    _list(f"{len(intake.unknown):,} not in this library", intake.unknown)
    if intake.is_shelf and merger.n_shared:
        kappa = "undefined, because all states are the same" if merger.kappa is None else f"{merger.kappa:.2f}"
        st.markdown(f"Agreement on the states of the papers on both shelves (Cohen's kappa): **{kappa}**")
        titles = outcome.titles
        rows = [
            {"Paper": titles.get(it.paper_id, it.paper_id), "Yours": _state(it.ours), "Theirs": _state(it.theirs)}
            for it in merger.differences
        ]
        if rows:
            st.dataframe(rows, hide_index=True, alt="Papers on which two readers differ")
        else:
            st.caption("You agree on every paper.")


def _list(label: str, lines: Sequence[str]) -> None:
    if lines:
        with st.expander(label):
            st.markdown("\n".join(f"- {for_markdown(line)}" for line in lines[:MAX_LISTED]))


def _state(paper: ShelvedPaper) -> str:
    return f"{paper.state} ({paper.why})" if paper.why else paper.state.value
