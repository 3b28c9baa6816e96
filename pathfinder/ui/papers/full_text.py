"""Full texts beside a result: the passages of a paper that are relevant to the question, each with the paragraphs
around it on request, and figures and tables that are related to the question.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pathfinder.corpus.links import is_open_licence
from pathfinder.errors import PathfinderError
from pathfinder.fulltext.document import Box
from pathfinder.fulltext.page_pictures import picture_of_page
from pathfinder.fulltext.passages import Surroundings, surroundings
from pathfinder.index.ports import WordStatistics
from pathfinder.retrieval.best_passages import best_sentence_span
from pathfinder.text.latex.display import for_markdown
from pathfinder.text.sentences import is_row
from pathfinder.types import CorpusName, FullTextPassage, Hit, QueryExpansion, SearchRequest
from pathfinder.types.alternatives import NO_RERANKER
from pathfinder.types.full_texts import SectionKind
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.state import ResultView


@st.fragment
def full_text_panel(hit: Hit, question: str, corpus: CorpusName) -> None:
    """Quote the sentence in the full text that has the most in common with the question, with its section and page, and
    list the passages when the reader opens them; draw nothing if there are no passages, or if a different corpus is now
    open.
    """
    if not hit.full_text or resources.pathfinder().corpus.name != corpus:
        return
    best = hit.full_text[0]
    start, end = best_sentence_span(question, best)
    sentence = for_markdown(f"“{' '.join(best.text[start:end].split())}”")
    st.markdown(f"{sentence} :gray[:small[({for_markdown(best.address)})]]")
    for n, passage in enumerate(hit.full_text):
        label = f"Full text: {for_markdown(passage.address)}"
        with st.expander(label, key=f"full-text-{hit.row}-{n}", on_change="rerun", type="compact") as lid:
            if not lid.open:
                continue
            try:
                document = resources.pathfinder().full_texts.document(hit.paper.paper_id)
                st.markdown("\n\n".join(in_place(surroundings(document, passage), question, passage)))
                offer_page(hit.paper.paper_id, passage, f"full-text-page-{hit.row}-{n}")
            except PathfinderError as error:
                st.warning(str(error))


def offer_page(paper_id: str, passage: FullTextPassage, key: str) -> None:
    """Offer an image of the page on which `passage` begins, if the corpus has it and the reader may see it.

    Raises `PathfinderError` if the text has been altered or replaced.
    """
    texts = resources.pathfinder().full_texts
    paragraph = surroundings(texts.document(paper_id), passage).paragraphs[0]
    pdf = texts.pdf(paper_id) if paragraph.page is not None else None
    if pdf is None or paragraph.page is None:
        return
    if not may_see_pages(texts.texts[paper_id].licence, is_here=is_visited_here()):
        st.caption(
            "Pages of this file are shown only on its owner's machine, because its licence is unknown or not open."
        )
    elif st.toggle(f"Show page {paragraph.page}", key=key):
        name = "caption" if passage.is_caption else "paragraph"
        frame = f"; a frame marks the {name}" if paragraph.box is not None else ""
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
    """Yield the paragraphs around a passage as Markdown, neighbours in grey, the pinpointed sentence highlighted."""
    start, end = best_sentence_span(question, passage)
    sentence = passage.text[start:end]
    if place.before is not None:
        yield f":gray[{for_markdown(place.before.text)}]"
    for paragraph in place.paragraphs:
        before, match, after = paragraph.text.partition(sentence)
        highlight = f" :blue-background[{for_markdown(match)}] " if match else ""
        yield f"{for_markdown(before)}{highlight}{for_markdown(after)}".strip()
    if place.after is not None:
        yield f":gray[{for_markdown(place.after.text)}]"


# Figures and tables related to a question, found by their captions.

CAPTIONS = (SectionKind.CAPTION, SectionKind.TABLE)
N_FIGURES = 6
"""Number of figures and tables in the strip."""
_WIDTH = 300
"""Width of a figure in the strip [pixels]."""
_MAX_CHARACTERS = 320


def figures_strip(view: ResultView) -> None:
    """Offer the figures and tables whose captions match the question; draw nothing if the corpus has no captions. A
    figure is described by its caption alone.
    """
    pf = resources.pathfinder()
    index = pf.corpus.full_texts
    if index is None or pf.corpus.name != view.result.corpus or not np.isin(index.kinds, CAPTIONS).any():
        return
    with st.expander(
        "Figures and tables related to this question", key="figures", on_change="rerun", type="compact"
    ) as lid:
        if not lid.open:
            return
        request = view.result.request
        try:
            hits = pf.search(on_captions(request)).hits
        except PathfinderError as error:
            st.warning(str(error))
            return
        figures = list(captions_of(hits, request.query, pf.corpus.sparse))[:N_FIGURES]
        if not figures:
            st.caption("No caption contains a word from the question.")
        with st.container(horizontal=True):
            for n, (hit, caption) in enumerate(figures):
                with st.container(border=True, width=_WIDTH, key=f"figure-{n}"):
                    _figure(hit, caption, n)


def on_captions(request: SearchRequest) -> SearchRequest:
    """Return a request for captions on the question, with its filters but no stage that costs time or money."""
    off: dict[str, Any] = {"reranker": NO_RERANKER, "imagine": QueryExpansion.OFF, "live": ()}
    off |= {"expands": False, "decomposes": False}
    return replace(request, sections=CAPTIONS, full_texts=True, top_k=N_FIGURES, **off)


def captions_of(hits: Sequence[Hit], question: str, words: WordStatistics) -> Iterator[tuple[Hit, FullTextPassage]]:
    """Yield the captions found that share a content word with `question`, each with its paper: first the best from each
    paper, then the second best. A caption that is merely close in meaning may be about something else.
    """
    subjects = set(words.content_words(question))

    def is_on_it(passage: FullTextPassage) -> bool:
        is_caption = passage.is_caption and not is_row(passage.text)
        return is_caption and not subjects.isdisjoint(words.content_words(passage.text))

    own = [(hit, list(filter(is_on_it, hit.full_text))) for hit in hits]
    for n in range(max((len(captions) for _, captions in own), default=0)):
        yield from ((hit, captions[n]) for hit, captions in own if n < len(captions))


def _figure(hit: Hit, caption: FullTextPassage, n: int) -> None:
    text = " ".join(caption.text.split())
    short_text = text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS].rsplit(' ', 1)[0]} ..."
    st.markdown(f"**{for_markdown(caption.heading or 'Figure')}** {for_markdown(short_text)}")
    title = for_markdown(hit.paper.title)
    st.caption(f"[{title}]({resources.paper_url(hit.paper)}) · {hit.paper.year or 'year unknown'}")
    try:
        offer_page(hit.paper.paper_id, caption, f"figure-page-{n}")
    except PathfinderError as error:
        st.warning(str(error))
