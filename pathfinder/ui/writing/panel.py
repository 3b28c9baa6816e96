"""The Write page: the choice of a shelf, and the parts of its draft."""

from collections.abc import Sequence
from enum import StrEnum

import streamlit as st

from pathfinder.drafts.draft import MAX_LINE, ReviewDraft
from pathfinder.errors import PathfinderError
from pathfinder.session import Pathfinder
from pathfinder.session.drafts import papers_of
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.papers.papers import facts
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.state import standing
from pathfinder.ui.stars import own_shelves, stars
from pathfinder.ui.writing import files, outline, own_drafts, sections

_SHELF, _PART, _QUESTIONS, _TITLE = "draft-shelf", "draft-part", "draft-questions", "draft-title"
HERE = "Your drafts are in a file on this machine, in Pathfinder's data folder (PATHFINDER_DATA)."
ELSEWHERE = (
    "Your drafts are stored in this browser only: nobody else sees them. Under *Files*, you can download a draft."
)


class DraftPart(StrEnum):
    """Part of the page."""

    OUTLINE = "Outline"
    TEXT = "Text"
    PAPERS = "Papers"
    FILES = "Files"


def panel(pf: Pathfinder) -> None:
    """Draw the page."""
    sections.store_finished()
    shelves = own_shelves.own_shelves().shelves()
    shelf = own_shelves.open_shelf(shelves)
    drafts = own_drafts.own_drafts()
    draft = drafts.draft(shelf.name)
    _choice(shelf, shelves, draft, has_earlier=drafts.has_earlier(shelf.name))
    if not shelf.inside:
        st.info(
            "This shelf is empty, or all its papers are out. Ask a question, and star each paper that the review "
            "should be based on."
        )
    elif draft is None:
        _start(pf, shelf)
        files.upload(pf, shelf, "new")
    else:
        _parts(pf, shelf, draft)


def _choice(shelf: Shelf, shelves: tuple[Shelf, ...], draft: ReviewDraft | None, *, has_earlier: bool) -> None:
    st.caption(HERE if is_visited_here() else ELSEWHERE)
    names = sorted({shelf.name, *(each.name for each in shelves)})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = own_shelves.widget_key(_SHELF, shelf.name)
        st.selectbox("Shelf", names, names.index(shelf.name), key=key, on_change=_open, args=(key,), width=320)
        st.button(
            "Undo",
            key="draft-undo",
            icon=":material/undo:",
            on_click=own_drafts.undo,
            args=(shelf.name,),
            disabled=not has_earlier,  # older versions are forgotten, and undoing must not remove the last one left
            help="Undoes the last change to this draft; press again for earlier ones, as far back as they are stored.",
        )
        if draft is not None:
            with st.popover("New outline", icon=":material/restart_alt:"):
                st.markdown("Removes the draft of this shelf, so that you can start again. *Undo* restores it.")
                st.button("Start again", key="draft-again", type="primary", on_click=_begin_anew, args=(shelf.name,))


def _open(key: str) -> None:
    own_shelves.choose(st.session_state[key])


def _begin_anew(name: str) -> None:
    sections.stop_writing(name)
    own_drafts.change(name, lambda before: before.without_sections())


def _start(pf: Pathfinder, shelf: Shelf) -> None:
    """Ask for the title and the questions of a new draft."""
    n = len(shelf.inside)
    st.markdown(
        f"**{n} {'paper' if n == 1 else 'papers'}** on this shelf. First comes an outline: a section for each of your "
        "questions, and one for each group of the other papers. You edit it; then the sections are written from these "
        "papers alone."
    )
    with st.form("draft-start"):
        title = st.text_input("Title", standing(_TITLE, shelf.name), key=_TITLE, max_chars=MAX_LINE)
        questions = st.text_area(
            "Your questions, one per line",
            standing(_QUESTIONS, ""),
            key=_QUESTIONS,
            placeholder="What is known, and what is disputed?",
            height=110,
        )
        is_sent = st.form_submit_button("Make the outline", type="primary", icon=":material/list:")
    if is_sent:
        lines = [" ".join(line.split()) for line in questions.splitlines() if line.strip()]
        try:
            with st.spinner("Making the outline"):
                draft = pf.outline(shelf, lines, title.strip() or None)
            own_drafts.own_drafts().change(
                shelf.name, lambda before: draft if before is None else draft.in_place_of(before)
            )
        except PathfinderError as error:
            controls.failure(error)
            return
        st.rerun()


def _parts(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    if not draft.sections:
        _start(pf, shelf)
        return
    st.subheader(for_markdown(draft.title), anchor=False)
    part = st.segmented_control(
        "Part",
        [*DraftPart],
        default=standing(_PART, DraftPart.OUTLINE),
        key=_PART,
        required=True,
        label_visibility="collapsed",
    )
    if sections.is_running() and part != DraftPart.TEXT:
        st.caption("Sections are being written: see *Text*.")
    if part == DraftPart.OUTLINE:
        outline.panel(pf, shelf, draft)
    elif part == DraftPart.TEXT:
        sections.panel(pf, shelf, draft)
    elif part == DraftPart.PAPERS:
        _coverage(pf, shelf, draft)
    else:
        files.panel(pf, shelf, draft)


def _coverage(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    """List the papers on the shelf that the draft never cites, and the papers that it cites although they are not on
    the shelf or not in the corpus.
    """
    coverage = pf.draft_coverage(draft, shelf)
    n = len(draft.cited_ids)
    st.markdown(
        f"The draft cites **{n} of the {len(shelf.inside)} papers** on the shelf."
        if n
        else "The draft cites no papers yet."
    )
    _listed_papers(pf, shelf, "On the shelf, never cited", coverage.uncited)
    _listed_papers(pf, shelf, "Cited, but not on the shelf", coverage.off_shelf)
    if lost_ids := [paper_id for paper_id in coverage.lost if paper_id not in coverage.off_shelf]:
        _listed_papers(pf, shelf, "Cited, but not in the corpus", lost_ids)
    if coverage.n_without_citation:
        st.caption(f"Your own sentences that cite no paper: {coverage.n_without_citation}.")


def _listed_papers(pf: Pathfinder, shelf: Shelf, heading: str, ids: Sequence[str]) -> None:
    st.markdown(f"##### {heading}: {len(ids)}")
    papers_by_id = {paper.paper_id: paper for paper in papers_of(pf, ids)}
    for paper_id in ids:
        paper = papers_by_id.get(paper_id)
        with st.container(border=True, gap="xsmall", key=f"draft-listed-{paper_id}"):
            if paper is None:
                st.markdown(f"**{for_markdown(paper_id)}**")
                st.caption(visit_corpus.describe_missing_paper())
                continue
            st.markdown(f"**[{for_markdown(paper.title)}]({resources.paper_url(paper)})**")
            st.caption(" · ".join(facts(paper)))
            stars.star(paper_id, f"draft-{paper_id}", shelf)
