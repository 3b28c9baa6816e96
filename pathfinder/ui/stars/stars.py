"""Stars: they put papers on the open shelf, and take them off, wherever papers appear."""

from collections.abc import Mapping

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.stars import own_shelves

FULL, EMPTY = ":material/stars:", ":material/star:"
MOST = 60
"""Maximum number of papers in a row of stars."""


def open_shelf() -> Shelf | None:
    """Return the shelf that stars put papers on; `None` if shelves cannot be read, which the Shelves page reports."""
    try:
        return own_shelves.open_shelf(own_shelves.own_shelves().shelves())
    except PathfinderError:
        return None


def star(paper_id: str, key: str, shelf: Shelf | None) -> None:
    """Draw the star for a paper: filled if it is on `shelf`."""
    if shelf is None:
        return
    is_on = paper_id in shelf.paper_ids
    st.button(
        "On the shelf" if is_on else "Star",
        key=f"star-{key}",
        on_click=toggle,
        args=(shelf.name, (paper_id,)),
        type="tertiary",
        icon=FULL if is_on else EMPTY,
        help=for_markdown(f"Take it off the shelf “{shelf.name}”" if is_on else f"Put it on the shelf “{shelf.name}”"),
    )


def star_all(paper_ids: tuple[str, ...]) -> None:
    """Draw one star for several papers, such as those selected in a table."""
    shelf = open_shelf() if paper_ids else None
    if shelf is not None and (new := tuple(each for each in paper_ids if each not in shelf.paper_ids)):
        st.button("Star them", key="star-all", on_click=toggle, args=(shelf.name, new), type="tertiary", icon=EMPTY)


def row(papers: Mapping[str, str], key: str) -> None:
    """Draw one star for each of `papers`, which maps ids to short labels; nothing if there are none."""
    shelf = open_shelf() if papers else None
    if shelf is None:
        return
    shown_papers = list(papers)[:MOST]
    on = [paper_id for paper_id in shown_papers if paper_id in shelf.paper_ids]
    widget = own_shelves.widget_key(f"stars-{key}-{hash(tuple(shown_papers))}", sorted(on))
    st.pills(
        for_markdown(f"On the shelf “{shelf.name}”"),
        shown_papers,
        default=on,
        key=widget,
        selection_mode="multi",
        format_func=lambda paper_id: f":material/star: {papers[paper_id]}",
        on_change=_choose,
        args=(widget, shelf.name, tuple(on)),
    )


def toggle(name: str, paper_ids: tuple[str, ...]) -> None:
    """Put papers on a shelf, or take them off if all are on it."""
    if own_shelves.change(name, lambda shelf: _toggle_papers(shelf, paper_ids)):
        own_shelves.choose(name)


def _toggle_papers(shelf: Shelf, paper_ids: tuple[str, ...]) -> Shelf:
    return shelf.remove(paper_ids) if set(paper_ids) <= set(shelf.paper_ids) else shelf.add(paper_ids)


def _choose(widget: str, name: str, before: tuple[str, ...]) -> None:
    after = st.session_state[widget]
    if changed_ids := tuple(set(before) ^ set(after)):
        toggle(name, changed_ids)
