"""The form for a new corpus: files or sources, a preview, a name."""

import datetime
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import BoundedSemaphore
from time import monotonic
from typing import Any

import streamlit as st

from pathfinder.building.ledger import last_asked
from pathfinder.errors import UsageError
from pathfinder.export.plain_json import as_json
from pathfinder.operations.child.orders import PREVIEW, Child, Order, OrderState
from pathfinder.settings import Permission, read_settings
from pathfinder.sources import Window
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.ui.corpus import build_choices, permissions, uploads, works
from pathfinder.ui.corpus.build_choices import KIND_HELP, is_path, kind_list
from pathfinder.ui.corpus.complete_panel import CONSENT, PDF, RECOGNISED
from pathfinder.ui.corpus.permissions import Permissions, allowed_by
from pathfinder.ui.corpus.progress_panel import in_plain_names
from pathfinder.ui.shared import visit_corpus, visitors
from pathfinder.ui.shared.state import kept

_PERMISSIONS: dict[str, Permission] = {"Files": "files", "Sources": "sources"}
"""Permission that a visitor needs for each origin of papers."""
USUAL_PAPERS = 1000
"""Default number of papers read from each source: enough to try out a source."""
NOT_ALLOWED = "Others can reach this page, so only whoever runs it can build libraries here."


def panel(may: Permissions, home: Path, open_corpus: Path | None) -> None:
    """Draw the form, and begin the build once it is requested. Raises `UsageError` for anything that cannot be
    built.
    """
    if not may.may_build:
        st.caption(NOT_ALLOWED, help=allowed_by("files,sources,update"))
        return
    st.subheader("Add papers", anchor=False)
    with st.container(horizontal=True, gap="medium", key="new-papers"):
        target: Path | None = None
        if open_corpus is not None and may.may_change(open_corpus):  # its papers may also be added to the open library
            labels = {None: "A new library", open_corpus: f"Part of {for_markdown(open_corpus.name)}"}
            target = st.radio(
                "They become", [*labels], format_func=labels.get, key="new-place", horizontal=True, width="content"
            )
        origins = [origin for origin, permission in _PERMISSIONS.items() if may.may(permission)]
        origin = origins[0]
        if len(origins) > 1:
            origin = st.radio("From", origins, horizontal=True, key="new-origin", width="content")
    order, proposal = _files(may, home) if origin == "Files" else _sources(may)
    if order is None:
        return
    if order.names:
        _build(order, proposal, may, home, target)
    else:
        first_papers, form = preview(order, permissions.environment(may)), st.container()  # the form is within sight
        for beginning in first_papers:
            _source(order, beginning)
        if any(beginning["papers"] for beginning in first_papers):
            build = replace(order, work="build", options=order.options | {"open_early": True})
            with form:
                _build(build, proposal, may, home, target)


def _files(may: Permissions, home: Path) -> tuple[Order | None, str]:
    files = st.file_uploader(
        "Exports of Zotero, EndNote and others, as BibTeX, RIS, CSL JSON or CSV; or PDFs of papers",
        accept_multiple_files=True,
        key=uploads.key("new-files"),
        max_upload_size=uploads.MAX_FILE_MB,
    )
    if not files:
        st.caption(
            f"In Zotero: File, Export Library, BibTeX. At most {uploads.MAX_FILES} files, {uploads.MAX_TOTAL_MB} MB in "
            "all. A Parquet file may include the vectors of its papers."
        )
        return None, ""
    proposal, are_pdfs = Path(files[0].name).name.partition(".")[0], {file.name.lower().endswith(PDF) for file in files}
    if are_pdfs == {True} and may.may("sources"):
        paths = uploads.paths_of("papers", files, home, (PDF,))
        names = tuple(Path(file.name).name for file in files)
        return Order("build", options={"sources": [*map(str, paths)]}, names=names), "my-papers"
    if True in are_pdfs and not may.may("sources"):
        raise UsageError(
            "PDFs are looked up at other hosts, which visitors of this page may not ask: drop a list of papers"
        )
    if are_pdfs == {True, False}:
        raise UsageError("PDFs and lists of papers are read in different ways: drop the PDFs by themselves")
    paths = uploads.paths_of("papers", files, home)
    window = may.limit(Window())
    order = Order(PREVIEW, options={"sources": [*map(str, paths)], "max_papers": window.max_papers})
    order = build_choices.with_vectors(order) if may.is_owner else order
    return order, proposal


def _sources(may: Permissions) -> tuple[Order | None, str]:
    with st.expander("Examples of sources"):
        kind_list(may.kinds())
    with st.form("new-sources", border=False):
        text = st.text_area("Sources, one per line", key=uploads.key("new-typed"), height=100, help=KIND_HELP)
        first, last, most = st.columns(3)
        since = first.date_input("From", None, min_value=_FIRST_DAY, key="new-since")
        until = last.date_input("Until", None, min_value=_FIRST_DAY, key="new-until")
        max_papers = most.number_input("Maximum from each source", 1, None, USUAL_PAPERS, key="new-max")
        permissions.fields(may, text.splitlines(), "new")
        is_sent = st.form_submit_button("Preview")
    sources = [line.strip() for line in text.splitlines() if line.strip()]
    if not sources:
        if is_sent:
            raise UsageError("no source was given: type one, such as arxiv:cat:astro-ph.GA")
        return None, ""
    may.check(sources)
    window = may.limit(Window(since, until, max_papers))
    order = Order(PREVIEW, options={"sources": sources, **as_json(window)})
    return order, Path(sources[0]).name.partition(".")[0] if is_path(sources[0]) else sources[0]


_FIRST_DAY = datetime.date(1600, 1, 1)


def _build(order: Order, proposal: str, may: Permissions, home: Path, target: Path | None) -> None:
    """Draw the name of a new corpus (without a `target`), the choices and the button, and begin the build once the
    button is clicked.
    """
    beginning = st.container(horizontal=True, vertical_alignment="bottom")  # above choices that few need
    if target is None:
        name = uploads.plain_name(proposal) or "my-library"
        free = next(each for n in count(1) if not (home / (each := name if n == 1 else f"{name}-{n}")).exists())
        name_field = beginning.text_input("Name", free, key=f"new-name-{order.files[0]}")
    choice: Order | None = order
    if not order.names:
        with st.expander("Field, thesaurus and space per paper", key=uploads.key("new-choices")):
            choice = build_choices.draw(order, may, home, "new", is_new=target is None)
    purpose = RECOGNISED if order.names else "Then fetch what these papers lack."
    has_agreed = target is not None and last_asked(target) is not None
    completes = may.may("sources") and st.checkbox(f"{purpose} {CONSENT}", has_agreed, key=f"new-complete-{target}")
    is_ready = choice is not None and (completes or not order.names)
    is_sent = beginning.button(
        "Build", key="new-build", type="primary", icon=":material/construction:", disabled=not is_ready
    )
    if not is_sent or choice is None:
        return
    works.check_free()
    if not may.is_owner:
        visitors.check_space(home, read_settings().visitors_max_gb)  # adding papers takes up space, too
    folder = target or _new_folder(name_field.strip(), home, may)
    whole = replace(choice, folder=folder, options=choice.options | {"complete": completes})
    if not order.names:
        whole = build_choices.keep_files(whole, home)
    works.begin(whole, home, permissions.environment(may), empties=True)


def _new_folder(name: str, home: Path, may: Permissions) -> Path:
    """Return the folder of a new corpus; a visitor's corpus gets an unused name that nobody can guess."""
    folder = home / works.check_name(name)
    if not may.is_owner:
        return visit_corpus.new_place(name)
    if folder.exists():
        raise UsageError(
            f"there is a library called {name} in {home}: choose another name, or open that library and add to it"
        )
    return folder


# A preview of sources before a corpus is built from them.

PREVIEW_SECONDS = 60.0
"""Maximum time in seconds for a preview, most of which may be spent waiting for a host."""
MAX_AT_ONCE = 2
_TURNS = BoundedSemaphore(MAX_AT_ONCE)
_MOST_AUTHORS, _MOST_REJECTED = 3, 100
_POLL_SECONDS = 0.2
_LAST = "visit-preview"


def preview(order: Order, keys: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Return the first records of the sources in `order`. They are read in a separate process. If this visitor's last
    preview was of the same order, it is returned again.

    Raises `UsageError` if they cannot be read, or do not arrive in time.
    """
    return kept(_LAST, order, lambda: _read(order, keys))


def _read(order: Order, keys: Mapping[str, str] | None) -> list[dict[str, Any]]:
    with st.spinner("Reading the first records ..."), _TURNS:
        child = Child(order, keys=keys)
        place, start = st.empty(), monotonic()
        try:
            while not child.wait(_POLL_SECONDS) and monotonic() - start < PREVIEW_SECONDS:
                place.empty()  # Streamlit ends this run here if the visitor has changed anything
        finally:
            child.stop()
    if child.state is OrderState.STOPPED:
        raise UsageError(
            f"the first records did not arrive within {PREVIEW_SECONDS:.0f} s: try again later, or build without a "
            "preview from the command line"
        )
    if child.state is OrderState.FAILED:
        raise UsageError(in_plain_names(child.error, order))
    previews: list[dict[str, Any]] = (child.result or {}).get("sources", [])
    return previews


def _source(order: Order, beginning: dict[str, Any]) -> None:
    """Show the first papers of a source and its rejected rows."""
    papers, rejected_rows = beginning["papers"], beginning["rejected"]
    name = for_markdown(in_plain_names(beginning["source"], order))
    extent = (
        f"{counted(beginning['n_rows'], 'record')} in all" if beginning["is_whole"] else "more records than shown here"
    )
    first = (
        f"; the first {len(papers)} papers" if papers and len(papers) + len(rejected_rows) < beginning["n_rows"] else ""
    )
    n = beginning["n_duplicates"]
    twice = f", {n:,} {'repeats' if n == 1 else 'repeat'} an earlier paper" if n else ""
    st.markdown(f"**{name}**: {extent}, {len(rejected_rows):,} rejected{twice}{first}")
    for note in beginning["notes"]:
        st.caption(for_markdown(note))
    if papers:
        rows, narrow = list(map(_paper, papers)), st.column_config.TextColumn(width="medium")
        widths = dict.fromkeys(("Authors", "Journal"), narrow)  # with the last column in view
        st.dataframe(rows, hide_index=True, column_config=widths, alt=f"The first {len(papers)} papers")
    elif rejected_rows:
        st.warning("None of the records is a paper.")
    if rejected_rows:
        rows = [{"Line": row["line"], "Reason": row["reason"]} for row in rejected_rows[:_MOST_REJECTED]]
        with st.expander(f"Rejected: {len(rejected_rows):,}", expanded=not papers):
            st.dataframe(rows, hide_index=True, alt=f"{len(rows)} rejected rows, with the reasons")


def _paper(paper: dict[str, Any]) -> dict[str, Any]:
    authors = [readable(name) for name in paper["authors"] or ()]
    more = " et al." if len(authors) > _MOST_AUTHORS else ""
    return {
        "Year": paper["year"],
        "Title": readable(paper["title"]),
        "Authors": "; ".join(authors[:_MOST_AUTHORS]) + more,
        "Journal": readable(paper["journal"] or ""),
        "Abstract": paper["has_abstract"],
    }
