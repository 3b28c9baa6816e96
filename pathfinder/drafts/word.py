"""Writes a draft as a DOCX file, with python-docx."""

import io
from typing import TYPE_CHECKING

from pathfinder.drafts.document import DocumentPart, DraftDocument
from pathfinder.export.references import references
from pathfinder.text.latex.display import readable

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

REFERENCES = "References"


def draft_docx(document: DraftDocument) -> bytes:
    """Write headings, paragraphs and references; the numbers in citations are links to the references, and each
    sentence to check has a comment with the reason.
    """
    import docx

    word = docx.Document()
    word.core_properties.title = _clean(document.title)
    word.core_properties.author = ""
    word.add_heading(_clean(document.title), level=0)
    for section in document.sections:
        word.add_heading(_clean(section.heading), level=1)
        if section.missing is not None:
            word.add_paragraph().add_run(_clean(f"To do: {section.missing}.")).italic = True
        for paragraph in section.paragraphs:
            body = word.add_paragraph()
            for place, part in enumerate(paragraph):
                _write_part(word, body, part, document, " " if place else "")
    if document.references:
        word.add_heading(REFERENCES, level=1)
        for number, reference in enumerate(references(document.references, "numbered"), start=1):
            _bookmark(word.add_paragraph().add_run(_clean(reference)), number)
    buffer = io.BytesIO()
    word.save(buffer)
    return buffer.getvalue()


def _write_part(word: "Document", body: "Paragraph", part: DocumentPart, document: DraftDocument, space: str) -> None:
    """Write the words of a part, with its comment, and its citation mark: "[1, 4]"."""
    words = _clean(part.text) if part.lead is None else f"{_clean(part.lead)}: “{_clean(part.text)}”"
    run = body.add_run(f"{space}{words}")
    if part.remark is not None:
        word.add_comment(run, text=_clean(part.remark), author="Pathfinder", initials="P")
    for place, number in enumerate(document.cited_numbers(part)):
        body.add_run(", " if place else " [")
        _link(body.add_run(str(number)), number)
    if part.citations:
        body.add_run("]")


def _link(run: "Run", number: int) -> None:
    """Link a run to the bookmark of a reference."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    link = OxmlElement("w:hyperlink")
    link.set(qn("w:anchor"), f"reference{number}")
    run.element.addprevious(link)
    link.append(run.element)


def _bookmark(run: "Run", number: int) -> None:
    """Put the bookmark of a reference around a run."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
    for mark in (start, end):
        mark.set(qn("w:id"), str(number))
    start.set(qn("w:name"), f"reference{number}")
    run.element.addprevious(start)
    run.element.addnext(end)


def _clean(text: str) -> str:
    """Convert the LaTeX in `text` to plain characters, and remove characters that XML cannot hold."""
    return "".join(sign for sign in readable(text) if sign.isprintable())
