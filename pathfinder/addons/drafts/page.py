"""The Write page: the choice of a shelf, and the parts of its draft."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from itertools import chain, count
from typing import Any

import streamlit as st

from pathfinder.addons.drafts import sections
from pathfinder.addons.drafts.checking import check_draft
from pathfinder.addons.drafts.document import FORMS, document_of, zip_files
from pathfinder.addons.drafts.draft import MAX_LINE, ReviewDraft, ReviewSection, draft_coverage, papers_of
from pathfinder.addons.drafts.outline import outline
from pathfinder.addons.drafts.store import MAX_CHARACTERS, draft_text, parse_draft
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.operations.export.references import incomplete_note
from pathfinder.shelves.shelf import MAX_NAME, Shelf
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper
from pathfinder.ui import road
from pathfinder.ui.corpus.uploads import plain_name
from pathfinder.ui.papers import paper_page
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.panels import Panel, WayBack
from pathfinder.ui.shared.state import standing
from pathfinder.ui.stars import own_shelves, stars

_PART, _QUESTIONS, _TITLE = "draft-part", "draft-questions", "draft-title"
_HANDED = "draft-handed"


class DraftPart(StrEnum):
    """Part of the page."""

    OUTLINE = "Outline"
    TEXT = "Text"
    PAPERS = "Papers"
    FILES = "Files"


def draw() -> None:
    """Draw the page."""
    visit_corpus.write_link()
    pf = resources.pathfinder()
    sections.store_finished()
    shelves = own_shelves.own_shelves().shelves()
    shelf = own_shelves.open_shelf(shelves)
    drafts = sections.own_drafts()
    draft = drafts.draft(shelf.name)
    own_shelves.where("drafts", "Under *Files*, you can download a draft.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        own_shelves.chooser("draft-shelf", shelf, shelves, _open_shelf)
        is_first = not drafts.has_earlier(shelf.name)  # older versions are forgotten; the last one left stays
        tip = "Undoes the last change to this draft; press again for earlier ones, as far back as they are stored."
        st.button("Undo", "draft-undo", tip, _undo, (shelf.name,), icon=":material/undo:", disabled=is_first)
        if draft is not None:
            with st.popover("New outline", icon=":material/restart_alt:"):
                st.markdown("Removes the draft of this shelf, so that you can start again. *Undo* restores it.")
                st.button("Start again", key="draft-again", type="primary", on_click=_begin_anew, args=(shelf.name,))
    if road.was_handed("write"):
        st.session_state[_HANDED] = True
    if not shelf.inside or _HANDED in st.session_state:
        st.markdown(
            "A review is written from the papers on a shelf: first an outline that you edit, then sections of "
            "sentences that cite them. Star the papers that it should rest on, or take these:"
        )
        papers = road.got(pf)
        with st.container(horizontal=True):
            st.button(
                f"Outline a review of these {len(papers.paper_ids):,}", key="draft-of-road", type="primary",
                icon=":material/list:", on_click=_outline, args=(pf, papers),
            )  # fmt: skip
            if shelf.inside:
                st.button(
                    f"Go on with the shelf “{for_markdown(shelf.name)}”", key="draft-go-on", on_click=_open_shelf,
                    args=(shelf.name,),
                )  # fmt: skip
        with controls.reporting():
            if not papers.paper_ids:
                return
            st.markdown(f"Its sections, which you can change:\n\n{_sections_of(pf, papers.question, papers.paper_ids)}")
    elif draft is None:
        _start(pf, shelf)
        upload(pf, shelf, "new")
    else:
        _parts(pf, shelf, draft)


@st.cache_data(show_spinner="Making the outline ...", max_entries=8, hash_funcs=resources.BY_CORPUS)
def _sections_of(pf: Pathfinder, question: str, paper_ids: tuple[str, ...]) -> str:
    """Return the sections of a review of these papers as Markdown."""
    sections = outline(pf, Shelf(own_shelves.FIRST_NAME).add(paper_ids), [question] if question else []).sections
    return "\n".join(f"1. {for_markdown(each.heading)}, {counted(len(each.paper_ids), 'paper')}" for each in sections)


@controls.reporting()
def _outline(pf: Pathfinder, papers: road.Gathered) -> None:
    """Open the shelf that the papers are on, or put them on one of their own, and make the outline of a review of them
    unless that shelf has one.
    """
    drafts, names = sections.own_drafts(), {shelf.name for shelf in own_shelves.own_shelves().shelves()}
    name = papers.shelf
    if name not in names:
        wanted = " ".join(papers.question.split())[:MAX_NAME].strip() or own_shelves.FIRST_NAME
        numbered = (f"{wanted[: MAX_NAME - 4].strip()} {number}" for number in count(2))
        name = next(each for each in chain([wanted], numbered) if each not in names and drafts.draft(each) is None)
        own_shelves.own_shelves().change(name, lambda shelf: shelf.add(papers.paper_ids))
    _open_shelf(name)
    if (before := drafts.draft(name)) is None or not before.sections:
        shelf = own_shelves.open_shelf(own_shelves.own_shelves().shelves())
        draft = outline(pf, shelf, [papers.question] if papers.question else [], papers.question or None)
        _begin(name, draft)


def _begin(name: str, draft: ReviewDraft) -> None:
    sections.own_drafts().change(name, lambda before: draft if before is None else draft.in_place_of(before))


def _open_shelf(name: str) -> None:
    own_shelves.choose(name)
    st.session_state.pop(_HANDED, None)


@controls.reporting()
def _undo(name: str) -> None:
    sections.own_drafts().undo(name)


def _begin_anew(name: str) -> None:
    sections.stop_writing(name)
    sections.change(name, lambda before: before.without_sections())


def _start(pf: Pathfinder, shelf: Shelf) -> None:
    st.markdown(
        f"**{counted(len(shelf.inside), 'paper')}** on this shelf. First comes an outline: a section for each of your "
        "questions, and one for each group of the other papers. You edit it; then the sections are written from these "
        "papers alone."
    )
    with st.form("draft-start"):
        hint = "Your first question, or the name of the shelf"
        title = st.text_input("Title", standing(_TITLE, ""), key=_TITLE, placeholder=hint, max_chars=MAX_LINE)
        label, hint = "Your questions, one per line", "What is known, and what is disputed?"
        questions = st.text_area(label, standing(_QUESTIONS, ""), key=_QUESTIONS, placeholder=hint, height=110)
        is_sent = st.form_submit_button("Make the outline", type="primary", icon=":material/list:")
    if is_sent:
        lines = [" ".join(line.split()) for line in questions.splitlines() if line.strip()]
        with controls.reporting():
            with st.spinner("Making the outline"):
                draft = outline(pf, shelf, lines, title.strip() or next(iter(lines), None))
            _begin(shelf.name, draft)
            st.rerun()


def _parts(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    if not draft.sections:
        _start(pf, shelf)
        return
    st.header(for_markdown(draft.title), anchor=False)
    first = standing(_PART, DraftPart.OUTLINE)
    part = st.segmented_control(
        "Part", [*DraftPart], default=first, key=_PART, required=True, label_visibility="collapsed"
    )
    if sections.is_running() and part != DraftPart.TEXT:
        st.caption("Sections are being written: see *Text*.")
    if part == DraftPart.OUTLINE:
        outline_panel(pf, shelf, draft)
    elif part == DraftPart.TEXT:
        sections.panel(pf, shelf, draft)
    elif part == DraftPart.PAPERS:
        coverage = draft_coverage(pf, draft, shelf)
        n = len(draft.cited_ids)
        st.markdown(
            f"The draft cites **{n} of the {len(shelf.inside)} papers** on the shelf."
            if n
            else "The draft cites no papers yet."
        )
        _listed_papers(pf, shelf, "On the shelf, never cited", coverage.uncited)
        _listed_papers(pf, shelf, "Cited, but not on the shelf", coverage.off_shelf)
        if lost_ids := [paper_id for paper_id in coverage.lost if paper_id not in coverage.off_shelf]:
            _listed_papers(pf, shelf, "Cited, but not in the library", lost_ids)
        if coverage.n_without_citation:
            st.caption(f"Your own sentences that cite no paper: {coverage.n_without_citation}.")
    else:
        files_panel(pf, shelf, draft)


def _listed_papers(pf: Pathfinder, shelf: Shelf, heading: str, ids: Sequence[str]) -> None:
    st.markdown(f"### {heading}: {len(ids)}")
    papers_by_id = {paper.paper_id: paper for paper in papers_of(pf, ids)}
    for paper_id in ids:
        paper = papers_by_id.get(paper_id)
        with st.container(border=True, gap="xsmall", key=f"draft-listed-{paper_id}"):
            paper_page.brief(paper, paper_id)
            if paper is not None:
                stars.star(paper_id, f"draft-{paper_id}", shelf)


# Saves a draft as LaTeX, Markdown, Word or JSON, and reads a draft from JSON.


def files_panel(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    """Offer the draft in each format for download, and read a draft from a file."""
    document = document_of(draft, {paper.paper_id: paper for paper in papers_of(pf, draft.cited_ids)})
    name = plain_name(draft.title) or "draft"
    if not draft.sentences:
        st.caption("No section has text yet: the files contain only the headings.")
    if n := len(document.remarks):
        sentences = "sentence is" if n == 1 else "sentences are"
        st.caption(f"{n} {sentences} marked to be checked, with comments in the files.")
    if incomplete := incomplete_note(document.references):
        st.caption(f"{incomplete}.")
    with st.container(horizontal=True):
        for form in FORMS.values():
            files = form.files(document, name)
            suffix, data = ("zip", zip_files(files, name)) if len(files) > 1 else next(iter(files.items()))
            save(form.label, data, f"{name}.{suffix}", icon=":material/download:")
        save("The whole draft (JSON)", draft_text(draft), f"{name}.json", icon=":material/download:")
    upload(pf, shelf, "other")


def upload(pf: Pathfinder, shelf: Shelf, place: str) -> None:
    """Replace the shelf's draft with one from a file, and compute the verdicts of that draft again."""
    with st.expander("Open a draft from a file", icon=":material/upload:"):
        file = st.file_uploader(
            "File downloaded with *The whole draft (JSON)*", type="json", key=f"draft-upload-{place}"
        )
        st.caption("It replaces the draft for this shelf; *Undo* restores the old one.")
        if file is None or not st.button("Open it", key=f"draft-open-{place}", type="primary"):
            return
    with controls.reporting():
        if file.size > MAX_CHARACTERS:
            raise UsageError(f"{file.name} has {file.size:,} bytes, and a draft has at most {MAX_CHARACTERS:,}")
        draft = check_draft(pf, parse_draft(file.getvalue(), file.name), shelf)
        sections.own_drafts().change(shelf.name, lambda _: draft)
        st.rerun()


# The outline, which the reader edits: title, headings, questions, papers and the order of the sections.

_HEADING, _QUESTION = "draft-new-heading", "draft-new-question"


def outline_panel(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    """Draw the title and a card for each section."""
    papers = {paper.paper_id: paper for paper in papers_of(pf, shelf.inside)}
    _field(shelf, "Title", draft.title, "title", lambda before, text: replace(before, title=text))
    for place, section in enumerate(draft.sections):
        with st.container(border=True, gap="small", key=f"draft-section-{section.key}"):
            _section(shelf, section, papers)
            _buttons(shelf, draft, section, place)
    with st.popover("Add a section", icon=":material/add:"):
        st.text_input("Heading", key=_HEADING, max_chars=MAX_LINE)
        st.text_input("Question that it answers", key=_QUESTION, max_chars=MAX_LINE)
        st.button("Add it", key="draft-add", type="primary", on_click=_add, args=(shelf.name,))
    placed_ids = {paper_id for section in draft.sections for paper_id in section.paper_ids}
    if rest := [paper_id for paper_id in papers if paper_id not in placed_ids]:
        verb = "is" if len(rest) == 1 else "are"
        st.caption(f"{counted(len(rest), 'paper')} of the shelf {verb} in no section.")


def _section(shelf: Shelf, section: ReviewSection, papers: Mapping[str, Paper]) -> None:
    key = section.key
    left, right = st.columns(2)

    def changing(field: str) -> Callable[[ReviewDraft, Any], ReviewDraft]:
        return lambda before, new: before.change(key, lambda each: replace(each, **{field: new}))

    with left:
        _field(shelf, "Heading", section.heading, f"heading-{key}", changing("heading"))
    with right:
        _field(shelf, "Question that it answers", section.question, f"question-{key}", changing("question"))
    ids = [*papers, *(paper_id for paper_id in section.paper_ids if paper_id not in papers)]

    def take(new: list[str]) -> None:
        sections.change(shelf.name, lambda before: changing("paper_ids")(before, tuple(new)))

    labels = {paper_id: f"{paper_id} (not on the shelf)" for paper_id in ids}
    labels |= {paper_id: sections.label(paper) for paper_id, paper in papers.items()}
    tip = "The section is written from these papers alone or, if there are none, from the whole shelf."
    look: dict[str, Any] = {"format_func": labels.__getitem__, "placeholder": "The whole shelf", "help": tip}
    storing = own_shelves.storing(f"draft-papers-{shelf.name}-{key}", sorted(section.paper_ids), take)
    st.multiselect("Papers", ids, list(section.paper_ids), **look, **storing)


def _field(shelf: Shelf, name: str, value: str, field: str, change: Callable[[ReviewDraft, str], ReviewDraft]) -> None:
    def store(text: str) -> None:
        sections.change(shelf.name, lambda before: change(before, " ".join(text.split())))

    st.text_input(name, value, max_chars=MAX_LINE, **own_shelves.storing(f"draft-{field}-{shelf.name}", value, store))


def _buttons(shelf: Shelf, draft: ReviewDraft, section: ReviewSection, place: int) -> None:
    key, last = section.key, len(draft.sections) - 1
    with st.container(horizontal=True):
        for name, icon, is_end, changes in (
            ("Up", "arrow_upward", place == 0, partial(ReviewDraft.move, key=key, places=-1)),
            ("Down", "arrow_downward", place == last, partial(ReviewDraft.move, key=key, places=1)),
            ("Remove", "delete", False, partial(ReviewDraft.remove, key=key)),
        ):
            look: dict[str, Any] = {"icon": f":material/{icon}:", "type": "tertiary", "disabled": is_end}
            changing: Any = partial(sections.change, shelf.name, changes)
            st.button(name, f"draft-{name.lower()}-{key}", on_click=changing, **look)


def _add(shelf: str) -> None:
    heading, question = (" ".join(str(st.session_state[key]).split()) for key in (_HEADING, _QUESTION))
    if sections.change(shelf, lambda before: before.add(heading, question)):
        st.session_state[_HEADING] = st.session_state[_QUESTION] = ""


def ways_back(_pf: Pathfinder) -> tuple[WayBack, ...]:
    """Return the ways back to the drafts, the last first."""

    def go(name: str) -> None:
        _open_shelf(name)
        road.go("write")

    ways = []
    for name, draft in reversed(sections.own_drafts().drafts().items()):
        if draft.sections:
            n_written = sum(section.text is not None for section in draft.sections)
            label = f"Draft “{draft.title}”: {n_written} of {counted(len(draft.sections), 'section')} written"
            ways.append(WayBack(":material/edit_document:", label, partial(go, name)))
    return tuple(ways)


STEP = Panel(60, "Draft", ":material/edit_document:", draw, "Draft a review")
