"""Writes a draft as Markdown with numbered references."""

from collections.abc import Iterator

from pathfinder.drafts.document import LEFT_OUT, DocumentPart, DocumentSection, DraftDocument
from pathfinder.export.references import references
from pathfinder.text.latex.display import readable
from pathfinder.text.markdown import as_typed


def draft_markdown(document: DraftDocument) -> str:
    """Write headings, paragraphs, references, and a list of the sentences to check."""
    lines = [f"# {_plain(document.title)}", ""]
    for section in document.sections:
        lines += _section(section, document)
    if document.references:
        lines += ["## References", ""]
        for reference in references(document.references, "numbered"):
            lines += [_plain(reference), ""]
    if document.remarks:
        lines += ["## Sentences to check", ""]
        lines += [f"- {_plain(text)} ({_plain(remark)})" for text, remark in document.remarks]
    return "\n".join(lines).rstrip() + "\n"


def _section(section: DocumentSection, document: DraftDocument) -> Iterator[str]:
    yield from (f"## {_plain(section.heading)}", "")
    if section.missing is not None:
        yield from (f"*To do: {_plain(section.missing)}.*", "")
    for paragraph in section.paragraphs:
        yield from (" ".join(_part(part, document) for part in paragraph), "")


def _part(part: DocumentPart, document: DraftDocument) -> str:
    words, mark = _plain(part.text), document.mark(part)
    if part.lead is not None:
        words = f"{_plain(part.lead)}: “{words.replace(_plain(LEFT_OUT), LEFT_OUT)}”"
    return f"{words} {mark}" if mark else words


def _plain(text: str) -> str:
    """Return text without markup."""
    return as_typed(readable(text))
