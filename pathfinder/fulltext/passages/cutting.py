"""Cuts a full text into passages of whole sentences, none of which crosses a section boundary.

A section of n words is cut into n // 110 passages of about equal length, but at least one. In a long section, passages
have 110 to 165 words, which an embedder with a limit of 256 tokens reads in full after the title and the heading. A
short section is a single passage of up to 219 words. A passage has fewer than 100 words only if its whole section is
that short.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pathfinder.fulltext.document import Document, Paragraph
from pathfinder.text.sentences import sentence_spans
from pathfinder.types.full_texts import FullTextPassage, SectionKind

WORDS_EACH = 110
"""Number of words in a section for each passage that it is cut into."""

_LEFT_OUT = frozenset({SectionKind.ACKNOWLEDGEMENTS, SectionKind.ABSTRACT})
_BETWEEN_PARAGRAPHS = "\n"


@dataclass(frozen=True, slots=True)
class _Part:
    """A section, or the caption of a figure or table, before it is cut."""

    heading: str
    kind: SectionKind
    position: int
    paragraphs: Sequence[Paragraph]


@dataclass(frozen=True, slots=True)
class _Sentence:
    paragraph: int
    start: int
    end: int
    n_words: int


def cut_full_text(document: Document, *, has_abstract: bool = True) -> tuple[FullTextPassage, ...]:
    """Return the passages of a full text in reading order, with those from captions last.

    Acknowledgements are left out, and so is the abstract if the corpus has it (`has_abstract`), because a search finds
    it anyway. References do not count as a section.
    """
    left_out = _LEFT_OUT if has_abstract else _LEFT_OUT - {SectionKind.ABSTRACT}
    return tuple(passage for part in _parts(document) if part.kind not in left_out for passage in _passages_of(part))


def _parts(document: Document) -> Iterator[_Part]:
    for position, section in enumerate(document.sections):
        yield _Part(section.title, section.kind, position, section.paragraphs)
    for position, figure in enumerate(document.figures):
        kind = SectionKind.TABLE if figure.is_table else SectionKind.CAPTION
        yield _Part(figure.label, kind, position, (Paragraph(figure.caption, figure.page, figure.box),))


def _passages_of(part: _Part) -> Iterator[FullTextPassage]:
    sentences = [
        _Sentence(number, start, end, len(paragraph.text[start:end].split()))
        for number, paragraph in enumerate(part.paragraphs)
        for start, end in sentence_spans(paragraph.text)
    ]
    for own in _divide(sentences):
        yield _passage(part, own)


def _divide(sentences: Sequence[_Sentence]) -> Iterator[list[_Sentence]]:
    """Divide the sentences in a section among its passages: each belongs to the passage in which its middle lies."""
    n_words = sum(sentence.n_words for sentence in sentences)
    n_passages = max(1, n_words // WORDS_EACH)
    numbers, before = [], 0
    for sentence in sentences:
        numbers.append((2 * before + sentence.n_words) * n_passages // max(2 * n_words, 1))
        before += sentence.n_words
    for _, own in groupby(zip(numbers, sentences, strict=True), key=lambda pair: pair[0]):
        yield [sentence for _, sentence in own]


def _passage(part: _Part, sentences: Sequence[_Sentence]) -> FullTextPassage:
    first, last = sentences[0], sentences[-1]
    texts = []
    for number, own in groupby(sentences, key=lambda sentence: sentence.paragraph):
        of_paragraph = list(own)
        texts.append(part.paragraphs[number].text[of_paragraph[0].start : of_paragraph[-1].end])
    return FullTextPassage(
        text=_BETWEEN_PARAGRAPHS.join(texts),
        heading=part.heading,
        kind=part.kind,
        page=part.paragraphs[first.paragraph].page,
        section=part.position,
        first=first.paragraph,
        last=last.paragraph,
        start=first.start,
        end=last.end,
    )
