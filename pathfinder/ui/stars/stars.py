"""Stars: they put papers on the open shelf, and take them off, wherever papers appear."""

from collections.abc import Iterable

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.facade.shelves import papers_of
from pathfinder.operations.export.bibtex import bibtex
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared.frame import save
from pathfinder.ui.stars import own_shelves

FULL, EMPTY = ":material/stars:", ":material/star:"


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
    label, icon = ("On the shelf", FULL) if is_on else ("Star", EMPTY)
    tip = for_markdown(f"{'Take it off' if is_on else 'Put it on'} the shelf “{shelf.name}”")
    change = shelf.name, (paper_id,)
    st.button(label, f"star-{key}", tip, toggle, change, icon=icon, type="secondary" if is_on else "tertiary")


def star_all(paper_ids: Iterable[str], key: str, label: str = "") -> None:
    """Draw one star for several papers, such as those selected in a table; nothing if all are on the shelf. Without a
    `label`, it says how many they are.
    """
    shelf = open_shelf()
    if shelf is not None and (new := tuple(each for each in paper_ids if each not in shelf.paper_ids)):
        label = label or ("Star this paper" if len(new) == 1 else f"Star these {len(new)} papers")
        st.button(label, key=f"star-{key}", on_click=toggle, args=(shelf.name, new), type="tertiary", icon=EMPTY)


def shelf_line(pf: Pathfinder, shelf: Shelf | None) -> None:
    """Say how many papers on the open shelf are not out, and offer them as BibTeX. The line is there before the first
    star, so that nothing moves under the finger.
    """
    if shelf is None:
        return
    shelf = shelf.without_out()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="on-the-shelf", width="content"):
        st.markdown(f"{FULL} **{len(shelf.paper_ids)}** on your shelf", width="content")
        look = {"icon": ":material/download:", "type": "tertiary", "disabled": not shelf.paper_ids}
        name = f"{shelf.name}.bib"
        save("BibTeX", lambda: bibtex([*papers_of(pf, shelf).values()]), name, key="shelf-bibtex", **look)


def toggle(name: str, paper_ids: tuple[str, ...]) -> None:
    """Put papers on a shelf, or take them off if all are on it."""

    def toggled(shelf: Shelf) -> Shelf:
        return shelf.remove(paper_ids) if set(paper_ids) <= set(shelf.paper_ids) else shelf.add(paper_ids)

    if own_shelves.change(name, toggled):
        own_shelves.choose(name)
