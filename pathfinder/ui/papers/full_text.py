"""The full text of a paper on its card: the passages relevant to the question, each with the paragraphs around it on
request.
"""

from collections.abc import Iterator
from pathlib import Path

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.export.links import is_open_licence
from pathfinder.fulltext.document import Box, Paragraph
from pathfinder.fulltext.page_pictures import picture_of_page
from pathfinder.fulltext.passages import Surroundings, surroundings
from pathfinder.retrieval.best_passages import best_sentence_span
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName, FullTextPassage, Hit
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.own_machine import is_visited_here


@st.fragment
def full_text_panel(hit: Hit, question: str, corpus: CorpusName) -> None:
    """Quote the sentence in the full text that has the most in common with the question, with its section and page, and
    list the passages when the reader opens them; draw nothing if there are no passages, or if a different corpus is now
    open.
    """
    if not hit.full_text or resources.pathfinder().corpus.name != corpus:
        return
    best = hit.full_text[0]
    st.markdown(f"{_sentence(question, best)} :gray[:small[({for_markdown(best.address)})]]")
    for n, passage in enumerate(hit.full_text):
        label = f"Full text: {for_markdown(passage.address)}"
        with st.expander(label, key=f"full-text-{hit.row}-{n}", on_change="rerun", type="compact") as lid:
            if lid.open:
                _draw(hit.paper.paper_id, question, passage, f"full-text-page-{hit.row}-{n}")


def _draw(paper_id: str, question: str, passage: FullTextPassage, key: str) -> None:
    try:
        place = surroundings(resources.pathfinder().full_texts.document(paper_id), passage)
        st.markdown("\n\n".join(in_place(place, question, passage)))
        _offer_page_of(paper_id, place.paragraphs[0], _frame_name(passage), key)
    except PathfinderError as error:
        st.warning(str(error))


def offer_page(paper_id: str, passage: FullTextPassage, key: str) -> None:
    """Offer an image of the page on which `passage` begins, if the corpus has it and the reader may see it.

    Raises `PathfinderError` if the text has been altered or replaced.
    """
    place = surroundings(resources.pathfinder().full_texts.document(paper_id), passage)
    _offer_page_of(paper_id, place.paragraphs[0], _frame_name(passage), key)


def _frame_name(passage: FullTextPassage) -> str:
    return "caption" if passage.is_caption else "paragraph"


def _offer_page_of(paper_id: str, paragraph: Paragraph, frame_name: str, key: str) -> None:
    """Offer an image of the page on which `paragraph` begins, if the corpus has it and the reader may see it; the
    caption of the image calls the paragraph in the frame `frame_name`.
    """
    texts = resources.pathfinder().full_texts
    pdf = texts.pdf(paper_id) if paragraph.page is not None else None
    if pdf is None or paragraph.page is None:
        return
    if not may_see_pages(texts.texts[paper_id].licence, is_here=is_visited_here()):
        st.caption(
            "Pages of this file are shown only on its owner's machine, because its licence is unknown or not open."
        )
    elif st.toggle(f"Show page {paragraph.page}", key=key):
        frame = f"; a frame marks the {frame_name}" if paragraph.box is not None else ""
        st.image(_picture(pdf, paragraph.page, paragraph.box), caption=f"Page {paragraph.page}{frame}")


def may_see_pages(licence: str | None, *, is_here: bool) -> bool:
    """Return whether a visitor may see the pages of a text: the person at this machine, whose file it is, always may,
    and others may if its licence is open.
    """
    return is_here or is_open_licence(licence)


@st.cache_data(max_entries=32, show_spinner="Drawing the page ...")
def _picture(pdf: Path, page: int, box: Box | None) -> bytes:
    # The name of a stored PDF contains its hash, so the image of a page can never come from another file.
    return picture_of_page(pdf, page, box)


def in_place(place: Surroundings, question: str, passage: FullTextPassage) -> Iterator[str]:
    """Yield the paragraphs around a passage as Markdown, those before and after it in grey, with the pinpointed
    sentence highlighted.
    """
    start, end = best_sentence_span(question, passage)
    sentence = passage.text[start:end]
    if place.before is not None:
        yield _grey(place.before)
    for paragraph in place.paragraphs:
        before, match, after = paragraph.text.partition(sentence)
        highlight = f" :blue-background[{for_markdown(match)}] " if match else ""
        yield f"{for_markdown(before)}{highlight}{for_markdown(after)}".strip()
    if place.after is not None:
        yield _grey(place.after)


def _sentence(question: str, passage: FullTextPassage) -> str:
    start, end = best_sentence_span(question, passage)
    return for_markdown(f"“{' '.join(passage.text[start:end].split())}”")


def _grey(paragraph: Paragraph) -> str:
    return f":gray[{for_markdown(paragraph.text)}]"
