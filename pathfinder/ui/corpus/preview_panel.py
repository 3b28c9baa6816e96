"""A preview of sources before a corpus is built from them."""

from collections.abc import Mapping
from threading import BoundedSemaphore
from time import monotonic
from typing import Any

import streamlit as st

from pathfinder.building.child.orders import Order
from pathfinder.building.child.runner import Child, OrderState
from pathfinder.errors import UsageError
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.ui.corpus.progress_panel import in_plain_names

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
    last: tuple[Order, list[dict[str, Any]]] | None = st.session_state.get(_LAST)
    if last is not None and last[0] == order:
        return last[1]
    with st.spinner("Reading the first records ..."), _TURNS:
        child = Child(order, keys=keys)
        _wait(child)
    if child.state is OrderState.STOPPED:
        raise UsageError(
            f"the first records did not arrive within {PREVIEW_SECONDS:.0f} s: try again later, or build without a "
            "preview from the command line"
        )
    if child.state is OrderState.FAILED:
        raise UsageError(in_plain_names(child.error, order))
    previews: list[dict[str, Any]] = (child.result or {}).get("sources", [])
    st.session_state[_LAST] = order, previews
    return previews


def _wait(child: Child) -> None:
    """Wait for a preview, and end it once its time is up or the visitor does something else."""
    place, start = st.empty(), monotonic()
    try:
        while not child.wait(_POLL_SECONDS) and monotonic() - start < PREVIEW_SECONDS:
            place.empty()  # Streamlit ends this run here if the visitor has changed anything
    finally:
        child.stop()


def draw(order: Order, previews: list[dict[str, Any]]) -> bool:
    """Show the first papers of each source and its rejected rows; return whether there are any papers."""
    for beginning in previews:
        _source(order, beginning)
    return any(beginning["papers"] for beginning in previews)


def _source(order: Order, beginning: dict[str, Any]) -> None:
    papers, rejected_rows = beginning["papers"], beginning["rejected"]
    name = for_markdown(in_plain_names(beginning["source"], order))
    noun = "record" if beginning["n_rows"] == 1 else "records"
    extent = f"{beginning['n_rows']:,} {noun} in all" if beginning["is_whole"] else "more records than shown here"
    first = (
        f"; the first {len(papers)} papers" if papers and len(papers) + len(rejected_rows) < beginning["n_rows"] else ""
    )
    n = beginning["n_duplicates"]
    twice = f", {n:,} {'repeats' if n == 1 else 'repeat'} an earlier paper" if n else ""
    st.markdown(f"**{name}**: {extent}, {len(rejected_rows):,} rejected{twice}{first}")
    for note in beginning["notes"]:
        st.caption(for_markdown(note))
    if papers:
        st.dataframe([_paper(paper) for paper in papers], hide_index=True, alt=f"The first {len(papers)} papers")
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
