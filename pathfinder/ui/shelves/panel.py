"""The Shelves page: the choice of a shelf, and its parts."""

from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.facade.shelves import MAX_MORE, missing_papers, papers_of, rename_shelf, undo_shelf
from pathfinder.shelves.shelf import MAX_NAME, MAX_NOTE, Shelf, ShelvedPaper, State
from pathfinder.text.english import counted, ordinal
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper
from pathfinder.ui import road, similar
from pathfinder.ui.map.map_state import mark_several
from pathfinder.ui.papers import paper_page, paper_table
from pathfinder.ui.papers.paper_lines import facts
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import panels, resources, state
from pathfinder.ui.shared.frame import go
from pathfinder.ui.shared.state import standing
from pathfinder.ui.shelves import files
from pathfinder.ui.stars import own_shelves, stars

_NAME, _PART = "shelf-new-name", "shelf-part"
OUT_HELP = "Papers marked as out are not included."
N_FIRST = 3
"""Number of papers that an empty shelf shows."""
N_MISSING = 10
"""Number of papers on the list of missing papers."""


class Part(StrEnum):
    """Part of the page."""

    PAPERS = "Papers"
    MISSING = "What is missing"
    FILES = "Import and export"


def panel(pf: Pathfinder) -> None:
    """Draw the page."""
    own_shelves.where("shelves", "Under *Import and export*, you can download a shelf as a file.")
    shelves = own_shelves.own_shelves().shelves()
    shelf = own_shelves.open_shelf(shelves)
    parts = panels.panels("papers")
    with st.container(key="shelf-head"):
        _choice(shelf, shelves)
        if shelf.papers:
            _scope_buttons(pf, shelf)
        names, shown = (Part.PAPERS, *parts, Part.MISSING, Part.FILES), standing(_PART, Part.PAPERS)
        look: dict[str, Any] = {"format_func": str.capitalize, "label_visibility": "collapsed"}
        part = st.segmented_control("Part", names, default=shown, key=_PART, required=True, **look)
    if part == Part.FILES:
        files.panel(pf, shelf)
    elif not shelf.papers:
        if shelf not in shelves and own_shelves.own_shelves().can_undo(shelf.name):
            st.info("This shelf has been deleted. *Undo* brings it back.")
        else:
            first = road.gathered(pf)
            ids = first.paper_ids[:N_FIRST]
            papers = [pf.corpus.papers[int(row)] for row in pf.corpus.papers.rows_of(ids)]
            lines = [f"- {resources.title_link(paper)} :small[{' · '.join(facts(paper))}]" for paper in papers]
            st.markdown(f"No papers yet. A shelf holds what you star, with your notes. These are from {first.origin}:")
            st.markdown("\n".join(lines))
            stars.star_all(ids, "first")
    elif part == Part.MISSING:
        st.caption(
            "Papers cited by those on this shelf, or similar to them. Papers marked as out do not count."
            if pf.corpus.network is not None
            else "Papers similar to those on this shelf; this library has no citation network."
        )
        for each in missing_papers(pf, shelf, N_MISSING):
            with st.container(border=True, gap="xsmall"):
                ties = [f"**cited by {counted(each.n_cited_by, 'paper')} here**"] if each.n_cited_by else []
                if each.similar_rank is not None:
                    ties.append(f"**{ordinal(each.similar_rank)} closest to the shelf**")
                paper_page.brief(each.paper, each.paper.paper_id, ", ".join(ties))
                stars.star(each.paper.paper_id, f"missing-{each.paper.paper_id}", shelf)
    elif part == Part.PAPERS:
        shelved_papers_panel(pf, shelf)
    else:
        parts[part](pf, shelf.inside)


def _choice(shelf: Shelf, shelves: tuple[Shelf, ...]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        own_shelves.chooser("shelf-choice", shelf, shelves)
        with st.popover("New or rename", icon=":material/edit:"):
            _names(shelf, is_stored=shelf in shelves)
        is_off = not own_shelves.own_shelves().can_undo(shelf.name)
        tip = "Undoes the last change to this shelf; press again for earlier ones, as far back as they are stored."
        st.button("Undo", "shelf-undo", tip, _undo, (shelf.name,), icon=":material/undo:", disabled=is_off)
    counts = Counter(paper.state for paper in shelf.papers)
    parts = [f"{counts[each]:,} {each}" for each in State if counts[each]]
    st.markdown(" · ".join((f"**{counted(len(shelf.papers), 'paper')}**", *map(for_markdown, parts))))


def _scope_buttons(pf: Pathfinder, shelf: Shelf) -> None:
    papers = papers_of(pf, shelf)
    inside = tuple(paper_id for paper_id in shelf.inside if paper_id in papers)
    outside = tuple(paper_id for paper_id in papers if paper_id not in inside)
    with st.container(horizontal=True):
        if st.button("Ask this shelf", icon=":material/search:", disabled=not inside, help=OUT_HELP):
            state.ask_within(inside)
            go("ask")
        panels.draw("shelf", pf, shelf, inside, OUT_HELP)
        help_line = (
            f"Papers like those here, but unlike those marked as out. Only the last {MAX_MORE} of each kind count."
        )
        if st.button("More like these", icon=":material/join_inner:", disabled=not inside, help=help_line):
            similar.choose(inside[-MAX_MORE:], outside[-MAX_MORE:])
            go("similar")
        if pf.corpus.coordinates is None:
            return
        layers, left_out = mark_several((), ";".join(inside))
        n = len(inside) - len(left_out)
        room = f" The map's address has room for {n:,} of the {len(inside):,} papers." if left_out else ""
        if st.button("On the map", icon=":material/map:", disabled=not layers, help=f"{OUT_HELP}{room}"):
            go("map", layer=list(layers))


# The name of a shelf on the page: renaming it, deleting it, and undoing either.


def _names(shelf: Shelf, *, is_stored: bool) -> None:
    """Draw a name with the buttons that give it to a new shelf or to the open one, and the one that deletes that."""
    st.text_input("Name", key=_NAME, max_chars=MAX_NAME)
    with st.container(horizontal=True):
        st.button("New shelf", key="shelf-make", on_click=_begin, type="primary")
        name = (shelf.name,)
        st.button("Rename", key="shelf-rename", on_click=_rename, args=name, disabled=not is_stored)
        tip = "Deletes the open shelf. *Undo* brings it back."
        st.button("Delete", key="shelf-delete", on_click=_delete, args=name, disabled=not is_stored, help=tip)


@controls.reporting()
def _begin() -> None:
    """Open an empty shelf; it is stored with its first paper."""
    own_shelves.choose(Shelf(st.session_state[_NAME].strip()).name)
    st.session_state[_NAME] = ""


@controls.reporting()
def _rename(name: str) -> None:
    new = rename_shelf(own_shelves.own_shelves(), name, st.session_state[_NAME].strip()).name
    st.session_state[_NAME] = ""
    _open_renamed(name, new)


@controls.reporting()
def _delete(name: str) -> None:
    own_shelves.own_shelves().delete(name)
    own_shelves.choose(name)  # so that Undo is at hand


@controls.reporting()
def _undo(name: str) -> None:
    shelf = undo_shelf(own_shelves.own_shelves(), name)
    if shelf is not None and shelf.name != name:
        _open_renamed(name, shelf.name)


def _open_renamed(name: str, new: str) -> None:
    own_shelves.choose(new)
    panels.draw("shelf.renamed", name, new)


# The papers on a shelf, each with its state, reason, tags and note.

_STATES, _TAGS = "shelf-states", "shelf-tags"


def shelved_papers_panel(pf: Pathfinder, shelf: Shelf) -> None:
    """Draw the papers that pass the reader's filters as a table, and beside it what is noted of the one selected in it,
    at first of the first.
    """
    entries = _filter(shelf)
    papers = papers_of(pf, shelf)
    if not entries:
        st.info("No paper on this shelf has these states and tags.")
        return
    left, right = st.columns([3, 2])
    with left:
        ids, rows = tuple(entry.paper_id for entry in entries), list[paper_table.Row]()
        for entry in entries:
            noted = {"why": entry.why, "tags": ", ".join(sorted(entry.tags)), "note": entry.note}
            paper = papers.get(entry.paper_id)
            about = {"title": entry.paper_id} if paper is None else paper_table.row(paper)
            rows.append({"title": "", "state": entry.state.value, **noted, **about})
        first: dict[str, Any] = {"selection_mode": "single-row", "selection_default": {"selection": {"rows": [0]}}}
        alt = f"{len(ids)} of {len(shelf.papers)} papers on the shelf"
        chosen = paper_table.table(f"shelf-table-{shelf.name}-{hash(ids)}", ids, rows, shelf, alt=alt, **first)
        paper_table.draw_opened(papers.values())
    entry = entries[(chosen or [0])[0]]
    with right.container(border=True, gap="xsmall", key=f"shelved-{entry.paper_id}"):
        _paper(shelf, entry, papers.get(entry.paper_id))


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
    paper_page.brief(paper, entry.paper_id)

    def storing(field: str, value: object, change: Callable[[Shelf, Any], Shelf]) -> dict[str, Any]:
        name = f"shelf-{field}-{shelf.name}-{entry.paper_id}"
        return own_shelves.storing(
            name, value, lambda new: own_shelves.change(shelf.name, lambda before: change(before, new))
        )

    paper_id = entry.paper_id
    stored = storing(
        "state", entry.state, lambda now, new: now.set_state(paper_id, State(new), now.paper(paper_id).why)
    )
    look: dict[str, Any] = {"required": True, "format_func": str.capitalize, "label_visibility": "collapsed"}
    st.segmented_control("State", [*State], default=entry.state, **look, **stored)
    why = storing("why", entry.why, lambda now, new: now.set_state(paper_id, now.paper(paper_id).state, new))
    st.text_input("Why", entry.why, max_chars=MAX_NOTE, **why)
    known, hint = sorted({tag for each in shelf.papers for tag in each.tags}), "Choose a tag, or type a new one"

    def set_tags(now: Shelf, new: list[str]) -> Shelf:
        return now.set_tags(paper_id, (" ".join(tag.split()) for tag in new))

    tags = storing("tags", sorted(entry.tags), set_tags)
    st.multiselect("Tags", known, list(entry.tags), accept_new_options=True, placeholder=hint, **tags)
    note = storing("note", entry.note, lambda now, new: now.set_note(paper_id, new))
    st.text_area("Note", entry.note, max_chars=MAX_NOTE, height="content", **note)
