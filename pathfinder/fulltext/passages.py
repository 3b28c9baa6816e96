"""Full-text passages: cutting a full text into them, and finding the paragraphs of a passage again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pathfinder.errors import UsageError
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


# Finds the paragraphs of a full-text passage again, with their neighbours.


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A passage with its surroundings."""

    before: Paragraph | None
    """The paragraph before it in the section; `None` at the beginning."""
    paragraphs: tuple[Paragraph, ...]
    """The paragraphs that contain it."""
    after: Paragraph | None


def surroundings(document: Document, passage: FullTextPassage) -> Surroundings:
    """Return the paragraphs that contain `passage`, and those before and after it in the section.

    Raises `UsageError` if the text is not the one from which the passage was cut.
    """
    paragraphs = _paragraphs_of(document, passage)
    own = paragraphs[passage.first : passage.last + 1]
    is_there = (
        own
        and own[0].text[passage.start :].startswith(passage.text.split("\n")[0])
        and len(own[-1].text) >= passage.end
    )
    if not is_there:
        raise UsageError(
            f"the passage from {passage.address} is not in this full text, which has been replaced since: search again"
        )
    before = paragraphs[passage.first - 1] if passage.first > 0 else None
    after = paragraphs[passage.last + 1] if passage.last + 1 < len(paragraphs) else None
    return Surroundings(before, own, after)


def _paragraphs_of(document: Document, passage: FullTextPassage) -> tuple[Paragraph, ...]:
    """Return the paragraphs of the passage's section, or its caption as a paragraph; empty if there is neither."""
    if passage.is_caption:
        figures = document.figures[passage.section : passage.section + 1]
        return tuple(Paragraph(figure.caption, figure.page, figure.box) for figure in figures)
    return tuple(p for section in document.sections[passage.section : passage.section + 1] for p in section.paragraphs)
