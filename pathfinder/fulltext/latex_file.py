"""Reads the LaTeX source of a paper: a file, or an archive as arXiv delivers it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathfinder.fulltext.citing import REFERENCE_LIST
from pathfinder.fulltext.document import (
    FRONT_CHARACTERS,
    Document,
    Figure,
    InTextCitation,
    Paragraph,
    Reference,
    Section,
    TextFormat,
    kind_of,
    paper_identifiers,
    provenance_of,
)
from pathfinder.fulltext.latex.body import BodyReader, CaptionDraft, SectionDraft, SectionRole
from pathfinder.fulltext.latex.source import Joiner, expand_macros, source_files
from pathfinder.fulltext.latex.words import BEGIN, BibliographyEntry, Words, entries, find_braces, without_private_use
from pathfinder.fulltext.tables import rows_of
from pathfinder.types.full_texts import SectionKind

_TITLE = re.compile(r"\\(?:full)?title\*?(?=\s*[\[{])")
_START = re.compile(r"\\begin\s*\{document\}")
_FRONT_END = re.compile(r"\\begin\s*\{(?:abstract|thebibliography)\}|\\(?:abstract|section)(?![A-Za-z])")
_ARXIV_FIELD = re.compile(r"\\(?:arxivnumber|arxiv|eprint)\s*\{\s*([^\s{}]{5,40})\s*\}")
_END = r"\end{document}"
_KINDS = {
    SectionRole.ABSTRACT: SectionKind.ABSTRACT,
    SectionRole.ACKNOWLEDGEMENTS: SectionKind.ACKNOWLEDGEMENTS,
    SectionRole.APPENDIX: SectionKind.APPENDIX,
}


def read_latex(path: Path) -> Document:
    """Read a LaTeX source. Raises `CorpusError` with the reason if it cannot be read."""
    joiner = Joiner(source_files(path))
    main = joiner.main_file(path.name)
    text = expand_macros(without_private_use(joiner.join(main)))
    bibliography = tuple(entries(text if BEGIN in text else joiner.bibliography(main)))
    return latex_document(path, text, bibliography, joiner.warnings)


def latex_document(
    path: Path, text: str, bibliography: tuple[BibliographyEntry, ...], warnings: Sequence[str]
) -> Document:
    """Return the document that `text`, the LaTeX of a whole paper with its macros expanded, holds. `path` is its main
    file.
    """
    reader = BodyReader()
    source = find_braces(text)
    match = _TITLE.search(text)
    group = source.group(source.after_options(match.end())) if match else None
    title = reader.inline(group[0] if group else "")
    reader.read(_body(text))
    writer = _TextWriter(reader.words, bibliography)
    sections = writer.sections(reader)
    references = tuple(Reference(entry.key, entry.text, entry.doi, entry.arxiv_id) for entry in bibliography)
    if not references:
        sections, references = _typed_list(sections)
    warnings = [*warnings, *reader.warnings]
    if not references:
        warnings.append("no reference list in the source: citations are not resolved")
    start = _FRONT_END.search(text)
    front = text[: min(start.start() if start else len(text), FRONT_CHARACTERS)]
    return Document(
        writer.paragraph(title).text,
        sections,
        tuple(figure for draft in reader.captions for figure in writer.figures(draft)),
        references,
        provenance_of(path, TextFormat.LATEX, warnings),
        paper_identifiers(_ARXIV_FIELD.sub(r"arXiv:\1", front).split("\n")),
    )


@dataclass(frozen=True, slots=True)
class _TextWriter:
    """Turns the collected parts into plain values."""

    words: Words
    bibliography: tuple[BibliographyEntry, ...]

    def paragraph(self, draft: str) -> Paragraph:
        bibliography: Mapping[str, BibliographyEntry] = {entry.key: entry for entry in self.bibliography}
        text, citations = self.words.plain(
            draft, bibliography, {key: number for number, key in enumerate(bibliography, 1)}
        )
        return Paragraph(text, citations=tuple(InTextCitation(*each) for each in citations))

    def figures(self, draft: CaptionDraft) -> list[Figure]:
        """Return a figure or table, followed by the rows of a table."""
        caption = self.paragraph(draft.caption).text
        heads, rows = (
            [[self.paragraph(cell).text for cell in row] for row in part] for part in (draft.heads, draft.rows)
        )
        return [Figure(draft.label, caption, draft.is_table), *rows_of(draft.label, caption, heads, rows)]

    def sections(self, reader: BodyReader) -> tuple[Section, ...]:
        """Return the sections that have a heading or a paragraph."""
        sections: list[Section] = []
        for draft in reader.sections:
            paragraphs = tuple(filter(lambda each: each.text, map(self.paragraph, draft.paragraphs)))
            title = self.paragraph(draft.title).text
            if title or paragraphs:
                sections.append(Section(title, draft.level, _kind(draft, title, sections), paragraphs))
        return tuple(sections)


def _typed_list(sections: tuple[Section, ...]) -> tuple[tuple[Section, ...], tuple[Reference, ...]]:
    """Return the sections of the text, and the references from a section called "References" that lists them as
    ordinary paragraphs.
    """
    text = tuple(section for section in sections if not REFERENCE_LIST.fullmatch(section.title))
    lists = (section for section in sections if REFERENCE_LIST.fullmatch(section.title))
    entry_texts = (entry.text for section in lists for entry in section.paragraphs)
    return text, tuple(Reference(str(number), entry) for number, entry in enumerate(entry_texts, 1))


def _kind(draft: SectionDraft, title: str, before: Sequence[Section]) -> SectionKind:
    """Return the kind that the source states, or else the kind that the heading or the enclosing section implies."""
    if draft.role in _KINDS:
        return _KINDS[draft.role]
    parent = next((section for section in reversed(before) if section.level < draft.level), None)
    return kind_of(title, parent.kind if parent else None)


def _body(text: str) -> str:
    start = _START.search(text)
    end = text.find(_END)
    return text[start.end() if start else 0 : end if end >= 0 else len(text)]
