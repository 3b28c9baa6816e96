"""The text of a draft: written in the background, section by section, each sentence with its verdict."""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import streamlit as st

from pathfinder.addons.drafts.checking import MAX_TEXT, edit_section, editable
from pathfinder.addons.drafts.document import lead_of
from pathfinder.addons.drafts.draft import (
    DraftSentence,
    ReviewDraft,
    ReviewSection,
    SentenceOrigin,
    citation_numbers,
    papers_of,
)
from pathfinder.addons.drafts.store import DraftStore
from pathfinder.addons.drafts.writing import stream_draft
from pathfinder.answering.modes.registry import MODES, mode_name_of, mode_names
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.operations.export.references import authors_in_text
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import AnswerRequest, ModeName, Paper
from pathfinder.ui.answer.ledger import ledger_html
from pathfinder.ui.shared import jobs, resources
from pathfinder.ui.shared.state import standing
from pathfinder.ui.stars import own_shelves

TASK = "draft"
_MODE, _SHELF, _N_STORED = "draft-mode", "draft-job-shelf", "draft-job-stored"
WITHOUT_MODEL = (
    "Without a chat model, each section consists of sentences quoted from its papers, in order of year. A "
    "chat model would write connected text, and every sentence in it would be checked in the same way."
)
OTHERS = "Sections that you have edited stay; *Write it again* below one replaces it."
REPLACES = "Replaces the text, including your own edits; *Undo* restores it."
_LEAD = '<div style="margin-top:.7rem;font-weight:600">{lead}</div>'
REMOVAL_NOTE = "the draft was removed in another tab: make an outline again"
DraftJob = jobs.Job[str | ReviewSection, ReviewDraft]


def own_drafts() -> DraftStore:
    """Return the drafts of this visitor and the open corpus: in the data folder for the person at this machine, in
    their browser for all others. Raises `UsageError` if no corpus is open.
    """
    return own_shelves.own(DraftStore)


def change(shelf: str, changes: Callable[[ReviewDraft], ReviewDraft]) -> bool:
    """Change a draft when a widget is used; return whether it could be stored, and say why if not."""

    def change_draft(before: ReviewDraft | None) -> ReviewDraft:
        if before is None:
            raise UsageError(REMOVAL_NOTE)
        return changes(before)

    return own_shelves.is_stored(lambda: own_drafts().change(shelf, change_draft))


def is_running() -> bool:
    """Return whether sections are being written."""
    job = jobs.running_task(TASK)
    return job is not None and job.is_running


def stop_writing(shelf: str) -> None:
    """Stop the job that writes sections for this shelf, if there is one; a job for another shelf goes on."""
    if st.session_state.get(_SHELF) == shelf:
        jobs.forget(TASK)


def follow_shelf(name: str, new: str) -> None:
    """Store under a shelf's new name everything that a running job has yet to write for the shelf."""
    if st.session_state.get(_SHELF) == name:
        st.session_state[_SHELF] = new


def panel(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    """Draw the controls and all sections."""
    _controls(pf, shelf, draft)
    numbers = citation_numbers(draft, shelf)
    paper_ids = {
        *draft.cited_ids,
        *shelf.paper_ids,
        *(each for section in draft.sections for each in _candidates(section)),
    }
    papers = {paper.paper_id: paper for paper in papers_of(pf, sorted(paper_ids))}
    for section in draft.sections:
        with st.container(border=True, gap="small", key=f"draft-text-{section.key}"):
            _section(pf, shelf, section, numbers, papers)


def _controls(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    """Draw the choice of an answer mode and the button to write, or the progress while sections are being written."""
    if pf.chat is None:
        st.caption(WITHOUT_MODEL)
    job: DraftJob | None = jobs.running_task(TASK)
    if job is not None:
        if not jobs.watch(job, lambda: _progress(job), every=jobs.SLOW_POLL_SECONDS):
            return
        if store_finished():  # what has arrived since this run of the page began
            st.rerun()
        if _unstored_sections(job):
            st.button("Discard what was not stored", key="draft-leave-out", on_click=jobs.forget, args=(TASK,))
            return
        jobs.forget(TASK)
        jobs.outcome(job, lambda: None, "Stopped. The sections written so far are stored.")
    missing = [section.key for section in draft.sections if section.text is None]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if pf.chat is not None:
            st.selectbox(
                "Written by",
                names := [name for name in mode_names() if name in MODES.names()],
                names.index(standing(_MODE, str(ModeName.RAG))),
                key=_MODE,
                format_func=lambda name: MODES.get(name).label,
                width=360,
            )
        keys = missing or draft.unedited
        n_edited = len(draft.sections) - len(draft.unedited)
        some = "Write the sections" if len(missing) == len(draft.sections) else "Write the remaining sections"
        st.button(
            some if missing else f"Write {'the others' if n_edited else 'all'} again",
            key="draft-write",
            help=None if missing else OTHERS if n_edited else REPLACES,
            disabled=not keys,
            type="primary" if missing else "secondary",
            icon=":material/edit_document:",
            on_click=_write,
            args=(pf, shelf, draft, tuple(keys)),
        )


def _write(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft, keys: Sequence[str]) -> None:
    """Write sections in the background, from the draft as it is on the screen."""
    mode = st.session_state.get(_MODE)
    request = AnswerRequest(mode_name_of(mode)) if mode is not None and pf.chat is not None else None
    jobs.forget(TASK)
    st.session_state[_SHELF], st.session_state[_N_STORED] = shelf.name, 0
    jobs.task(TASK, lambda: stream_draft(pf, draft, shelf, request, keys))


def _progress(job: DraftJob) -> None:
    if store_finished():
        st.rerun()
    steps = [chunk for chunk in job.chunks if isinstance(chunk, str)]
    jobs.stop_line(job, "draft", f"shelf “{st.session_state[_SHELF]}” · {steps[-1] if steps else 'reading'}")


def store_finished() -> bool:
    """Store the sections that have been written since the last time; return whether any could be stored.

    A section that could not be stored is tried again the next time, and those after it wait for it.
    """
    job: DraftJob | None = jobs.running_task(TASK)
    if job is None:
        return False
    n_before = st.session_state[_N_STORED]
    for section in _unstored_sections(job):
        if not _store(st.session_state[_SHELF], section):
            break
        st.session_state[_N_STORED] += 1
    return bool(st.session_state[_N_STORED] > n_before)


def _unstored_sections(job: DraftJob) -> list[ReviewSection]:
    return [chunk for chunk in job.chunks if isinstance(chunk, ReviewSection)][st.session_state[_N_STORED] :]


def _store(shelf: str, section: ReviewSection) -> bool:
    text = section.text
    return text is None or change(shelf, lambda before: before.with_text(section.key, text))


def _section(
    pf: Pathfinder, shelf: Shelf, section: ReviewSection, numbers: Mapping[str, int], papers: Mapping[str, Paper]
) -> None:
    st.markdown(f"#### {for_markdown(section.heading)}")
    if section.question != section.heading:  # some questions are their own headings
        st.caption(for_markdown(section.question))
    text = section.text
    if text is None:
        st.caption("Not written yet.")
    else:
        st.badge(for_markdown(text.ran), icon=":material/edit_note:", color="gray")
        if text.question != section.question:
            st.warning(f"Written for a different question: “{for_markdown(text.question)}”", icon=":material/update:")
        elif section.paper_ids and set(section.paper_ids) & set(shelf.inside) != set(text.searched):
            st.warning("Written from papers other than those that the section lists now.", icon=":material/update:")
        if text.sentences:
            st.html(_sentences_html(text.sentences, numbers, papers))
        if text.gap is not None:
            st.warning(f"Missing: {for_markdown(text.gap)}.", icon=":material/help:")
            _fillers(shelf, section, papers)
        for note in text.notes:
            st.caption(for_markdown(f"{note[:1].upper()}{note[1:]}."))
        if text.dropped:
            n = len(text.dropped)
            with st.expander(
                f"{n} {'sentence' if n == 1 else 'sentences'} left out: not supported by any paper on the shelf"
            ):
                lines = [f"- {for_markdown(each.text)} :gray[({for_markdown(each.reason)})]" for each in text.dropped]
                st.markdown("\n".join(lines))
                st.caption("To use a sentence anyway, put it back with *Edit*; it then counts as your own.")
    if editing_form(pf, shelf, section, numbers, papers):  # here, where *Edit* was, so that it opens in view
        return
    with st.container(horizontal=True):
        button(shelf, section)
        st.button(
            "Write it again" if text else "Write it",
            key=f"draft-write-{section.key}",
            icon=":material/refresh:" if text else ":material/edit_document:",
            help=REPLACES if text else None,
            type="tertiary",
            disabled=is_running(),
            on_click=_write_one,
            args=(pf, shelf, section.key),
        )


def _write_one(pf: Pathfinder, shelf: Shelf, key: str) -> None:
    draft = own_drafts().draft(shelf.name)
    if draft is not None:
        _write(pf, shelf, draft, (key,))


def _fillers(shelf: Shelf, section: ReviewSection, papers: Mapping[str, Paper]) -> None:
    ids = [paper_id for paper_id in _candidates(section) if paper_id in papers and paper_id not in shelf.paper_ids]
    if not ids:
        st.caption("Choose other papers or another question in the *Outline*.")
        return
    st.markdown("These papers in the library may answer the question:")
    for paper_id in ids:
        paper = papers[paper_id]
        with st.container(horizontal=True, vertical_alignment="center"):
            year = f" ({paper.year})" if paper.year else ""
            st.markdown(f"{resources.title_link(paper)}{year}", width="stretch")
            st.button(
                "Add",
                key=f"draft-fill-{section.key}-{paper_id}",
                icon=":material/add:",
                type="tertiary",
                help="Puts the paper on the shelf and into this section.",
                on_click=_fill,
                args=(shelf.name, section.key, paper_id),
            )


def _fill(shelf: str, key: str, paper_id: str) -> None:
    """Put a paper on the shelf and into a section; a section based on the whole shelf then lists this paper alone."""
    if own_shelves.change(shelf, lambda before: before.add([paper_id])):

        def fill(each: ReviewSection) -> ReviewSection:
            return replace(each, paper_ids=tuple(dict.fromkeys((*each.paper_ids, paper_id))))

        change(shelf, lambda before: before.change(key, fill))


def _candidates(section: ReviewSection) -> tuple[str, ...]:
    return section.text.candidates if section.text else ()


def _sentences_html(sentences: Sequence[DraftSentence], numbers: Mapping[str, int], papers: Mapping[str, Paper]) -> str:
    """Write the sentences as HTML, each with its verdict and citations; quotations follow the name of their paper. No
    text in them can become a tag, a link or an image.
    """
    names = {paper_id: str(n) for paper_id, n in numbers.items()}
    titles = {paper_id: paper.title for paper_id, paper in papers.items()}
    parts = []
    for source, group in groupby(
        sentences, lambda each: each.citations[:1] if each.origin is SentenceOrigin.PAPER else None
    ):
        of_source = list(group)
        if source and source[0] in papers:
            parts.append(_LEAD.format(lead=html.escape(f"{lead_of(papers[source[0]])}:")))
        elif of_source[0].begins_paragraph:
            parts.append('<div style="margin-top:.9rem"></div>')
        labels = {each.text: each.origin.value for each in of_source if each.origin is SentenceOrigin.READER}
        checked = [each.checked for each in of_source]
        parts.append(ledger_html(checked, names, titles, labels))
    return "".join(parts)


# The form in which a reader edits the text of a section.

_EDITING, _OPENED = "draft-editing", "draft-opened"


def button(shelf: Shelf, section: ReviewSection) -> None:
    """Draw the button that opens the form."""
    st.button(
        "Edit" if section.text else "Write it yourself",
        key=f"draft-edit-{section.key}",
        icon=":material/edit:",
        type="tertiary",
        on_click=_open,
        args=(shelf.name, section.key),
    )


def editing_form(
    pf: Pathfinder, shelf: Shelf, section: ReviewSection, numbers: Mapping[str, int], papers: Mapping[str, Paper]
) -> bool:
    """Draw the form if it is open for this section; return whether it is."""
    if st.session_state.get(_EDITING) != (shelf.name, section.key):  # drafts of other shelves have the same keys
        return False
    before = editable(section.text, numbers) if section.text else ""
    numbers, before = st.session_state.setdefault(_OPENED, (dict(numbers), before))  # [3] stays the paper that it was
    with st.form(f"draft-form-{section.key}"):
        text = st.text_area(
            "Text, with the numbers of the papers in brackets after each sentence",
            before,
            key=f"draft-area-{section.key}",
            height=320,
            max_chars=MAX_TEXT,
        )
        st.caption(
            "An empty line begins a new paragraph. A sentence that you change is marked as yours and checked again; "
            "all others stay as they are."
        )
        with st.expander("Numbers of the papers"):
            cited_papers = ((n, papers[paper_id]) for paper_id, n in numbers.items() if paper_id in papers)
            st.markdown("\n".join(f"- \\[{n}\\] {for_markdown(label(paper))}" for n, paper in cited_papers))
        with st.container(horizontal=True):
            is_saved = st.form_submit_button("Save", type="primary")
            is_cancelled = st.form_submit_button("Cancel")
    if is_cancelled or (is_saved and _save(pf, shelf, section.key, text, numbers)):
        st.session_state[_EDITING] = None
        st.rerun()
    return True


def _open(shelf: str, key: str) -> None:
    st.session_state[_EDITING] = (shelf, key)
    st.session_state.pop(_OPENED, None)


def _save(pf: Pathfinder, shelf: Shelf, key: str, text: str, numbers: Mapping[str, int]) -> bool:
    """Check and store the text; return whether that worked, and say why if it did not.

    The text is checked before the store is opened, so that others can write to the store while a model compares
    sentences.
    """
    try:
        draft = own_drafts().draft(shelf.name)
        if draft is None:
            raise UsageError(REMOVAL_NOTE)
        edited_text = edit_section(pf, draft, shelf, key, text, numbers).section(key).text
    except PathfinderError as error:
        st.error(for_markdown(f"This was not stored: {error}"))
        return False
    return edited_text is not None and change(shelf.name, lambda before: before.with_text(key, edited_text))


def label(paper: Paper) -> str:
    """Name a paper in a list: "Riess et al. 2022: A comprehensive measurement..."; without authors, by its title."""
    title = readable(paper.title)
    authors = authors_in_text(paper) if paper.authors else "Authors unknown"
    return f"{authors} {paper.known_year or ''}: {title if len(title) <= 60 else f'{title[:58]}…'}"
