"""Adds to a document the citations that its text contains as plain words or numbers, without markup."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pathfinder.fulltext.citing.authors import AuthorCitations
from pathfinder.fulltext.citing.cited_at import CitedAt
from pathfinder.fulltext.citing.numbers import numbered_citations
from pathfinder.fulltext.document import Document, InTextCitation, Paragraph, Section

_Citations = tuple[CitedAt, ...]


def resolved(document: Document) -> Document:
    """Return a document with the citations of its text resolved to its reference list.

    Citations marked up in the file take precedence. Numbers in brackets count unless the document cites mostly by
    author and year, where they are intervals or steps.
    """
    paragraphs = [paragraph for section in document.sections for paragraph in section.paragraphs]
    authors = AuthorCitations((reference.key, reference.text) for reference in document.references)
    keys = frozenset(reference.key for reference in document.references)
    by_author = [tuple(authors.citations(paragraph.text)) for paragraph in paragraphs]
    by_number = [numbered_citations(paragraph.text, keys) for paragraph in paragraphs]
    if _count(by_author) > _count(by_number):
        by_number = [()] * len(paragraphs)
    written = (_with(*each) for each in zip(paragraphs, by_author, by_number, strict=True))
    return replace(document, sections=tuple(_sections(document, written)))


def _sections(document: Document, written: Iterator[Paragraph]) -> Iterator[Section]:
    for section in document.sections:
        yield replace(section, paragraphs=tuple(next(written) for _ in section.paragraphs))


def _count(by_paragraph: Sequence[_Citations]) -> int:
    return sum(bool(citation.keys) for citations in by_paragraph for citation in citations)


def _with(paragraph: Paragraph, by_author: _Citations, by_number: _Citations) -> Paragraph:
    """Return a paragraph with all its citations in order; if two overlap, the more certain one is kept."""
    of_the_file = [(citation, 0 if citation.references else 2) for citation in paragraph.citations]
    read = [(InTextCitation(*citation), 1 if citation.keys else 3) for citation in (*by_author, *by_number)]
    chosen: list[tuple[InTextCitation, int]] = []
    for citation, doubt in sorted((*of_the_file, *read), key=lambda each: (each[0].start, each[1])):
        if not chosen or citation.start >= chosen[-1][0].end:
            chosen.append((citation, doubt))
        elif doubt < chosen[-1][1]:
            chosen[-1] = (citation, doubt)
    return replace(paragraph, citations=tuple(citation for citation, _ in chosen))
