"""Finds the citations that a document's text contains as plain words or numbers, without markup, and adds them to the
document.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pathfinder.fulltext.citing import AuthorCitations, CitedAt, numbered_citations, raised_citations
from pathfinder.fulltext.document import Document, InTextCitation, Paragraph, Section

_Citations = tuple[CitedAt, ...]

LEAST_CITED = 0.5
"""Minimum share of the references that superscript numbers must cite, so that exponents are not taken for citations."""


def resolve_citations(document: Document) -> Document:
    """Return a document with the citations in its text resolved to its reference list.

    Citations marked up in the file take precedence. A document is taken to cite in only one way: by author and year, by
    numbers in brackets or by superscript numbers. In a document that cites in a different way, numbers in brackets are
    taken for intervals or steps, and superscript numbers for exponents.
    """
    paragraphs = [paragraph for section in document.sections for paragraph in section.paragraphs]
    authors = AuthorCitations((reference.key, reference.text) for reference in document.references)
    keys = frozenset(reference.key for reference in document.references)
    by_author = [tuple(authors.citations(paragraph.text)) for paragraph in paragraphs]
    by_number = [numbered_citations(paragraph.text, keys) for paragraph in paragraphs]
    by_superscript = [raised_citations(paragraph.text, keys) for paragraph in paragraphs]
    if (
        _count(by_superscript) > max(_count(by_author), _count(by_number))
        and _share_cited(by_superscript, keys) >= LEAST_CITED
    ):
        by_number = by_superscript
    if _count(by_author) > _count(by_number):
        by_number = [()] * len(paragraphs)
    resolved_paragraphs = (_with(*each) for each in zip(paragraphs, by_author, by_number, strict=True))
    return replace(document, sections=tuple(_sections(document, resolved_paragraphs)))


def _sections(document: Document, paragraphs: Iterator[Paragraph]) -> Iterator[Section]:
    for section in document.sections:
        yield replace(section, paragraphs=tuple(next(paragraphs) for _ in section.paragraphs))


def _share_cited(by_paragraph: Sequence[_Citations], keys: Collection[str]) -> float:
    return len({key for citations in by_paragraph for citation in citations for key in citation.keys}) / len(keys)


def _count(by_paragraph: Sequence[_Citations]) -> int:
    return sum(bool(citation.keys) for citations in by_paragraph for citation in citations)


def _with(paragraph: Paragraph, by_author: _Citations, by_number: _Citations) -> Paragraph:
    """Return a paragraph with all its citations in order; if two overlap, the more certain one is kept."""
    of_the_file = [(citation, 0 if citation.references else 2) for citation in paragraph.citations]
    from_text = [(InTextCitation(*citation), 1 if citation.keys else 3) for citation in (*by_author, *by_number)]
    placed_citations: list[tuple[InTextCitation, int]] = []
    for citation, doubt in sorted((*of_the_file, *from_text), key=lambda each: (each[0].start, each[1])):
        if not placed_citations or citation.start >= placed_citations[-1][0].end:
            placed_citations.append((citation, doubt))
        elif doubt < placed_citations[-1][1]:
            placed_citations[-1] = (citation, doubt)
    return replace(paragraph, citations=tuple(citation for citation, _ in placed_citations))
