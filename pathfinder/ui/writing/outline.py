"""The outline, which the reader edits: title, headings, questions, papers and the order of the sections."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pathfinder.drafts.document import authors_in_text
from pathfinder.drafts.draft import MAX_LINE, ReviewDraft, ReviewSection
from pathfinder.export.records import year_of
from pathfinder.session import Pathfinder
from pathfinder.session.drafts import papers_of
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper
from pathfinder.ui.stars import own_shelves
from pathfinder.ui.writing import own_drafts

_HEADING, _QUESTION = "draft-new-heading", "draft-new-question"


def panel(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    """Draw the title and a card for each section."""
    papers = {paper.paper_id: paper for paper in papers_of(pf, shelf.inside)}
    _field(shelf, "Title", draft.title, "title", lambda before, text: replace(before, title=text))
    for place, section in enumerate(draft.sections):
        with st.container(border=True, gap="small", key=f"draft-section-{section.key}"):
            _section(shelf, section, papers)
            _buttons(shelf, draft, section, place)
    _new_section(shelf)
    placed_ids = {paper_id for section in draft.sections for paper_id in section.paper_ids}
    if rest := [paper_id for paper_id in papers if paper_id not in placed_ids]:
        n = len(rest)
        st.caption(f"{n} {'paper' if n == 1 else 'papers'} of the shelf {'is' if n == 1 else 'are'} in no section.")


def _section(shelf: Shelf, section: ReviewSection, papers: Mapping[str, Paper]) -> None:
    key = section.key
    left, right = st.columns(2)
    with left:
        _field(
            shelf, "Heading", section.heading, f"heading-{key}",
            lambda before, text: before.change(key, lambda each: replace(each, heading=text)),
        )  # fmt: skip
    with right:
        _field(
            shelf, "Question that it answers", section.question, f"question-{key}",
            lambda before, text: before.change(key, lambda each: replace(each, question=text)),
        )  # fmt: skip
    ids = [*papers, *(paper_id for paper_id in section.paper_ids if paper_id not in papers)]
    widget = own_shelves.widget_key(f"draft-papers-{shelf.name}-{key}", sorted(section.paper_ids))
    st.multiselect(
        "Papers",
        ids,
        list(section.paper_ids),
        key=widget,
        format_func=lambda paper_id: (
            label(papers[paper_id]) if paper_id in papers else f"{paper_id} (not on the shelf)"
        ),
        placeholder="The whole shelf",
        help="The section is written from these papers alone or, if there are none, from the whole shelf.",
        on_change=_set_papers,
        args=(shelf.name, key, widget),
    )


def label(paper: Paper) -> str:
    """Name a paper in a list: "Riess et al. 2022: A comprehensive measurement..."; without authors, by its title."""
    title = readable(paper.title)
    authors = authors_in_text(paper) if paper.authors else "Authors unknown"
    return f"{authors} {year_of(paper) or ''}: {title if len(title) <= 60 else f'{title[:58]}…'}"


def _set_papers(shelf: str, key: str, widget: str) -> None:
    ids = tuple(st.session_state[widget])
    own_drafts.change(shelf, lambda before: before.change(key, lambda each: replace(each, paper_ids=ids)))


def _field(shelf: Shelf, name: str, value: str, field: str, change: Callable[[ReviewDraft, str], ReviewDraft]) -> None:
    key = own_shelves.widget_key(f"draft-{field}-{shelf.name}", value)
    st.text_input(name, value, key=key, max_chars=MAX_LINE, on_change=_set_line, args=(shelf.name, key, change))


def _set_line(shelf: str, key: str, change: Callable[[ReviewDraft, Any], ReviewDraft]) -> None:
    text = " ".join(str(st.session_state[key]).split())
    own_drafts.change(shelf, lambda before: change(before, text))


def _buttons(shelf: Shelf, draft: ReviewDraft, section: ReviewSection, place: int) -> None:
    with st.container(horizontal=True):
        for name, icon, places, is_end in (
            ("Up", "arrow_upward", -1, place == 0),
            ("Down", "arrow_downward", 1, place == len(draft.sections) - 1),
        ):
            st.button(
                name,
                key=f"draft-{name.lower()}-{section.key}",
                icon=f":material/{icon}:",
                type="tertiary",
                disabled=is_end,
                on_click=_move,
                args=(shelf.name, section.key, places),
            )
        st.button(
            "Remove",
            key=f"draft-remove-{section.key}",
            icon=":material/delete:",
            type="tertiary",
            on_click=_remove,
            args=(shelf.name, section.key),
        )


def _move(shelf: str, key: str, places: int) -> None:
    own_drafts.change(shelf, lambda before: before.move(key, places))


def _remove(shelf: str, key: str) -> None:
    own_drafts.change(shelf, lambda before: before.remove(key))


def _new_section(shelf: Shelf) -> None:
    with st.popover("Add a section", icon=":material/add:"):
        st.text_input("Heading", key=_HEADING, max_chars=MAX_LINE)
        st.text_input("Question that it answers", key=_QUESTION, max_chars=MAX_LINE)
        st.button("Add it", key="draft-add", type="primary", on_click=_add, args=(shelf.name,))


def _add(shelf: str) -> None:
    heading, question = (" ".join(str(st.session_state[key]).split()) for key in (_HEADING, _QUESTION))
    if own_drafts.change(shelf, lambda before: before.add(heading, question)):
        st.session_state[_HEADING] = st.session_state[_QUESTION] = ""
