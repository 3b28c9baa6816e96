"""The papers on a shelf, each with its state, reason, tags and note."""

from collections.abc import Callable
from math import ceil
from typing import Any

import streamlit as st

from pathfinder.session import Pathfinder
from pathfinder.session.shelves import papers_of
from pathfinder.shelves.shelf import MAX_NOTE, Shelf, ShelvedPaper, State
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper
from pathfinder.ui.papers.papers import facts
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.state import standing
from pathfinder.ui.stars import own_shelves, stars

PAGE = 10
"""Number of papers per page, kept small because all fields of these papers are drawn again whenever one changes."""
_STATES, _TAGS, _PLACE = "shelf-states", "shelf-tags", "shelf-page"


def panel(pf: Pathfinder, shelf: Shelf) -> None:
    """List the papers that pass the reader's filters, a page at a time."""
    entries = _filter(shelf)
    papers = papers_of(pf, shelf)
    if not entries:
        st.info("No paper on this shelf has these states and tags.")
        return
    n_pages = ceil(len(entries) / PAGE)
    page = min(int(standing(_PLACE, 1)), n_pages)
    for entry in entries[(page - 1) * PAGE : page * PAGE]:
        with st.container(border=True, gap="xsmall", key=f"shelved-{entry.paper_id}"):
            _paper(shelf, entry, papers.get(entry.paper_id))
    if n_pages > 1:
        st.pagination(n_pages, default=page, key=_PLACE)


def _filter(shelf: Shelf) -> list[ShelvedPaper]:
    tags = sorted({tag for paper in shelf.papers for tag in paper.tags})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        states = st.pills(
            "States", [*State], key=_STATES, selection_mode="multi", format_func=lambda state: state.value
        )
        wanted_tags = st.multiselect("Tags", tags, key=f"{_TAGS}-{'|'.join(tags)}", width=320) if tags else []
    return [
        paper
        for paper in shelf.papers
        if (not states or paper.state in states) and (not wanted_tags or set(wanted_tags) & set(paper.tags))
    ]


def _paper(shelf: Shelf, entry: ShelvedPaper, paper: Paper | None) -> None:
    if paper is None:
        st.markdown(f"**{for_markdown(entry.paper_id)}**")
        st.caption(visit_corpus.describe_missing_paper())
    else:
        st.markdown(f"**[{for_markdown(paper.title)}]({resources.paper_url(paper)})**")
        st.caption(" · ".join(facts(paper)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _state(shelf, entry)
        stars.star(entry.paper_id, f"shelf-{entry.paper_id}", shelf)
    left, right = st.columns(2)
    with left:
        _why(shelf, entry)
    with right:
        _tags(shelf, entry)
    _note(shelf, entry)


def _state(shelf: Shelf, entry: ShelvedPaper) -> None:
    def change_state(before: Shelf, state: State | None) -> Shelf:
        now = before.paper(entry.paper_id)
        return before.set_state(entry.paper_id, now.state if state is None else State(state), now.why)

    key = _key(shelf, entry, "state", entry.state)
    st.segmented_control(
        "State",
        [*State],
        default=entry.state,
        key=key,
        required=True,
        format_func=lambda state: state.value.capitalize(),
        label_visibility="collapsed",
        on_change=_store,
        args=(shelf.name, key, change_state),
    )


def _why(shelf: Shelf, entry: ShelvedPaper) -> None:
    def change_why(before: Shelf, why: str) -> Shelf:
        return before.set_state(entry.paper_id, before.paper(entry.paper_id).state, why)

    key = _key(shelf, entry, "why", entry.why)
    st.text_input("Why", entry.why, key=key, max_chars=MAX_NOTE, on_change=_store, args=(shelf.name, key, change_why))


def _tags(shelf: Shelf, entry: ShelvedPaper) -> None:
    def change_tags(before: Shelf, tags: list[str]) -> Shelf:
        return before.set_tags(entry.paper_id, (" ".join(tag.split()) for tag in tags))

    tags = sorted({tag for each in shelf.papers for tag in each.tags})
    key = _key(shelf, entry, "tags", sorted(entry.tags))
    st.multiselect(
        "Tags",
        tags,
        list(entry.tags),
        key=key,
        accept_new_options=True,
        placeholder="Choose a tag, or type a new one",
        on_change=_store,
        args=(shelf.name, key, change_tags),
    )


def _note(shelf: Shelf, entry: ShelvedPaper) -> None:
    def change_note(before: Shelf, note: str) -> Shelf:
        return before.set_note(entry.paper_id, note)

    key = _key(shelf, entry, "note", entry.note)
    st.text_area(
        "Note",
        entry.note,
        key=key,
        max_chars=MAX_NOTE,
        height="content",
        on_change=_store,
        args=(shelf.name, key, change_note),
    )


def _key(shelf: Shelf, entry: ShelvedPaper, field: str, value: object) -> str:
    return own_shelves.widget_key(f"shelf-{field}-{shelf.name}-{entry.paper_id}", value)


def _store(name: str, key: str, change: Callable[[Shelf, Any], Shelf]) -> None:
    """Change a field of a paper to what its widget shows."""
    value = st.session_state[key]
    own_shelves.change(name, lambda before: change(before, value))
