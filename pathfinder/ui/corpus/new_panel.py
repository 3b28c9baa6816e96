"""The form for a new corpus: files or sources, a preview, a name."""

import datetime
from dataclasses import replace
from enum import Enum, StrEnum, auto
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.building.child.orders import Order, OrderKind
from pathfinder.errors import UsageError
from pathfinder.settings import Permission
from pathfinder.sources import Window
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.corpus import build_choices, preview_panel, uploads, visit_keys, visit_uploads, works
from pathfinder.ui.corpus.permissions import Permissions
from pathfinder.ui.corpus.source_form import KIND_HELP, is_path, kind_list
from pathfinder.ui.shared import visit_corpus


class Origin(StrEnum):
    """Origin of the papers in a new corpus."""

    FILES = "Files"
    SOURCES = "Sources"


_PERMISSIONS: dict[Origin, Permission] = {Origin.FILES: "files", Origin.SOURCES: "sources"}
"""Permission that a visitor needs for each origin of papers."""


class NewCorpus(Enum):
    """The corpus to which the papers are added."""

    NEW = auto()
    OPEN = auto()


USUAL_PAPERS = 1000
"""Default number of papers read from each source: enough to try out a source."""
NOT_ALLOWED = (
    "Others can reach this page, so nothing can be built here. Whoever runs it can allow this with "
    "`PATHFINDER_VISITORS_MAY=files,sources,update`."
)


def panel(may: Permissions, home: Path, open_corpus: Path | None) -> None:
    """Draw the form, and begin the build once it is requested. Raises `UsageError` for anything that cannot be
    built.
    """
    if not may.may_build:
        st.info(NOT_ALLOWED)
        return
    origins = [origin for origin in Origin if may.may(_PERMISSIONS[origin])]
    origin = st.radio("Papers from", origins, horizontal=True, key="new-origin") if len(origins) > 1 else origins[0]
    order, proposal = _files(may, home) if Origin(origin) is Origin.FILES else _sources(may)
    if order is None:
        return
    if preview_panel.draw(order, preview_panel.preview(order, visit_keys.environment(may))):
        _build(replace(order, work=OrderKind.BUILD), proposal, may, home, open_corpus)


def _files(may: Permissions, home: Path) -> tuple[Order | None, str]:
    files = st.file_uploader(
        "Exports from Zotero, EndNote, ADS and others: BibTeX, RIS, CSL JSON, CSV ...",
        type=[ending.removeprefix(".") for ending in uploads.endings()],
        accept_multiple_files=True,
        key=visit_uploads.key("new-files"),
        max_upload_size=uploads.MAX_FILE_MB,
    )
    if not files:
        st.caption(
            f"In Zotero: File, Export Library, BibTeX. At most {uploads.MAX_FILES} files, {uploads.MAX_TOTAL_MB} MB. "
            "A Parquet file may include the vectors of its papers."
        )
        return None, ""
    paths = visit_uploads.paths_of("papers", files, home)
    window = may.limit(Window())
    order = Order(OrderKind.PREVIEW, sources=tuple(map(str, paths)), max_papers=window.max_papers)
    order = build_choices.with_vectors(order) if may.is_owner else order
    return order, Path(files[0].name).name.partition(".")[0]


def _sources(may: Permissions) -> tuple[Order | None, str]:
    with st.expander("Examples of sources"):
        kind_list(may.kinds())
    with st.form("new-sources", border=False):
        text = st.text_area("Sources, one per line", key=visit_uploads.key("new-typed"), height=100, help=KIND_HELP)
        first, last, most = st.columns(3)
        since = first.date_input("From", None, min_value=_FIRST_DAY, key="new-since")
        until = last.date_input("Until", None, min_value=_FIRST_DAY, key="new-until")
        max_papers = most.number_input("Maximum from each source", 1, None, USUAL_PAPERS, key="new-max")
        visit_keys.fields(may, text.splitlines(), "new")
        is_sent = st.form_submit_button("Preview")
    sources = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not sources:
        if is_sent:
            raise UsageError("no source was given: type one, such as arxiv:cat:astro-ph.GA")
        return None, ""
    may.check(sources)
    window = may.limit(Window(_day(since), _day(until), max_papers))
    order = Order(OrderKind.PREVIEW, Path(), sources, window.since, window.until, window.max_papers)
    return order, Path(sources[0]).name.partition(".")[0] if is_path(sources[0]) else sources[0]


_FIRST_DAY = datetime.date(1600, 1, 1)


def _day(day: Any) -> datetime.date | None:
    return day if isinstance(day, datetime.date) else None


def _build(order: Order, proposal: str, may: Permissions, home: Path, open_corpus: Path | None) -> None:
    """Draw the name, the choices and the button, and begin the build once the button is clicked."""
    place = _place(open_corpus) if open_corpus is not None and may.may_change(open_corpus) else NewCorpus.NEW
    if place is NewCorpus.NEW:
        name_field = st.text_input(
            "Name", uploads.plain_name(proposal) or "my-corpus", key=f"new-name-{order.sources[0]}"
        )
    with st.expander("Field, thesaurus and space per paper", key=visit_uploads.key("new-choices")):
        choice = build_choices.draw(order, may, home, "new", is_new=place is NewCorpus.NEW)
    is_sent = st.button(
        "Build", key="new-build", type="primary", icon=":material/construction:", disabled=choice is None
    )
    if not is_sent or choice is None:
        return
    works.check_free()
    if not may.is_owner:
        visit_corpus.check_space()
    folder = _new_folder(name_field.strip(), home, may) if place is NewCorpus.NEW else open_corpus
    if folder is None:
        return
    works.begin(build_choices.keep_files(replace(choice, folder=folder), home), home, visit_keys.environment(may))
    visit_uploads.begin_afresh()
    st.rerun()


def _place(open_corpus: Path) -> NewCorpus:
    labels = {NewCorpus.NEW: "A new corpus", NewCorpus.OPEN: for_markdown(f"Add to {open_corpus.name}")}
    place: NewCorpus = st.radio(
        "Destination", [*NewCorpus], horizontal=True, key="new-place", format_func=labels.__getitem__
    )
    return place


def _new_folder(name: str, home: Path, may: Permissions) -> Path:
    """Return the folder of a new corpus; a visitor's corpus gets an unused name that nobody can guess."""
    folder = home / works.check_name(name)
    if not may.is_owner:
        return visit_corpus.new_place(name)
    if folder.exists():
        raise UsageError(
            f"there is a corpus called {name} in {home}: choose another name, or open that corpus and add to it"
        )
    return folder
