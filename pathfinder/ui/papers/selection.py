"""The papers that a reader has selected: one selection for the table, the cards, the list and the map."""

from collections.abc import Iterable, Sequence

import streamlit as st

from pathfinder.types import Hit

LINK, MAX_IN_LINK = "selected", 20
"""Parameter of a link that names a selected paper, and how many a link holds at most."""
_SELECTED_IDS, _REVISION, _CHANGE = (f"selected-{name}" for name in ("papers", "revision", "changed"))


def selected_ids() -> tuple[str, ...]:
    """Return the ids of the selected papers, in the order in which they were selected; at first those of the link."""
    if _SELECTED_IDS not in st.session_state:
        st.session_state[_SELECTED_IDS] = tuple(st.query_params.get_all(LINK))
    ids: tuple[str, ...] = st.session_state[_SELECTED_IDS]
    return ids


def selected_hits(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits that are selected, best first."""
    ids = set(selected_ids())
    return tuple(hit for hit in hits if hit.paper.paper_id in ids)


def select(ids: Sequence[str], rows: Iterable[int]) -> None:
    """Among the papers in a table, whose ids are `ids`, select those in `rows` and no others."""
    new_ids = [ids[row] for row in rows]
    before = [paper_id for paper_id in selected_ids() if paper_id not in ids or paper_id in new_ids]
    st.session_state[_SELECTED_IDS] = (*before, *(paper_id for paper_id in new_ids if paper_id not in before))
    mark_changed()


def mark_changed() -> None:
    """Make the table or the list run the whole page, because it has changed what other parts of the page show."""
    st.session_state[_CHANGE] = True


def toggle(paper_id: str) -> None:
    """Select a paper, or deselect it. A table that shows the selection is drawn again."""
    before = selected_ids()
    replace(tuple(p for p in before if p != paper_id) if paper_id in before else (*before, paper_id))


def revision() -> int:
    """Return a number that changes whenever the selection is changed outside the table."""
    number: int = st.session_state.get(_REVISION, 0)
    return number


def has_changed() -> bool:
    """Return whether other parts of the page have something new to show since the last call."""
    return bool(st.session_state.pop(_CHANGE, False))


def replace(ids: tuple[str, ...]) -> None:
    """Select these papers and no others."""
    st.session_state[_SELECTED_IDS], st.session_state[_REVISION] = ids, revision() + 1
    mark_changed()
