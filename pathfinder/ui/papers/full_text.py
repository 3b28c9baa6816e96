"""The full text of a paper on its card: the passages relevant to the question, each with the paragraphs around it on
request.
"""

from collections.abc import Iterator

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.fulltext.document import Paragraph
from pathfinder.fulltext.passages import Surroundings, surroundings
from pathfinder.retrieval.lookup.pinpoint import pinpointed
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName, FullTextPassage, Hit
from pathfinder.ui.shared import resources


@st.fragment
def full_text_panel(hit: Hit, question: str, corpus: CorpusName) -> None:
    """Quote the sentence of the full text that has the most in common with the question, with its section and page, and
    list the passages when the reader opens them; draw nothing without passages, or if another corpus is open by now.
    """
    if not hit.full_text or resources.pathfinder().corpus.name != corpus:
        return
    best = hit.full_text[0]
    st.markdown(f"{_sentence(question, best)} :gray[:small[({for_markdown(best.address)})]]")
    for n, passage in enumerate(hit.full_text):
        label = f"Full text: {for_markdown(passage.address)}"
        with st.expander(label, key=f"full-text-{hit.row}-{n}", on_change="rerun", type="compact") as lid:
            if lid.open:
                _draw(hit.paper.paper_id, question, passage)


def _draw(paper_id: str, question: str, passage: FullTextPassage) -> None:
    try:
        place = surroundings(resources.pathfinder().full_texts.document(paper_id), passage)
    except PathfinderError as error:
        st.warning(str(error))
        return
    st.markdown("\n\n".join(in_place(place, question, passage)))


def in_place(place: Surroundings, question: str, passage: FullTextPassage) -> Iterator[str]:
    """Yield the paragraphs around a passage as Markdown, those before and after it in grey, with the pinpointed
    sentence highlighted.
    """
    start, end = pinpointed(question, passage)
    sentence = passage.text[start:end]
    if place.before is not None:
        yield _grey(place.before)
    for paragraph in place.paragraphs:
        before, match, after = paragraph.text.partition(sentence)
        marked = f" :blue-background[{for_markdown(match)}] " if match else ""
        yield f"{for_markdown(before)}{marked}{for_markdown(after)}".strip()
    if place.after is not None:
        yield _grey(place.after)


def _sentence(question: str, passage: FullTextPassage) -> str:
    start, end = pinpointed(question, passage)
    return for_markdown(f"“{' '.join(passage.text[start:end].split())}”")


def _grey(paragraph: Paragraph) -> str:
    return f":gray[{for_markdown(paragraph.text)}]"
