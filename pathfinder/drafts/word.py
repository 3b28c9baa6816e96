"""Writes a draft as a DOCX file, with python-docx."""

import io

from pathfinder.drafts.document import DocumentPart, DraftDocument
from pathfinder.export.references import references
from pathfinder.text.latex.display import readable

REFERENCES = "References"


def draft_docx(document: DraftDocument) -> bytes:
    """Write headings, paragraphs and references; each sentence to check has a comment with the reason."""
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
                run = body.add_run(f"{' ' if place else ''}{_text(part, document)}")
                if part.remark is not None:
                    word.add_comment(run, text=_clean(part.remark), author="Pathfinder", initials="P")
    if document.references:
        word.add_heading(REFERENCES, level=1)
        for reference in references(document.references, "numbered"):
            word.add_paragraph(_clean(reference))
    buffer = io.BytesIO()
    word.save(buffer)
    return buffer.getvalue()


def _text(part: DocumentPart, document: DraftDocument) -> str:
    words, mark = _clean(part.text), document.mark(part)
    if part.lead is not None:
        words = f"{_clean(part.lead)}: “{words}”"
    return f"{words} {mark}" if mark else words


def _clean(text: str) -> str:
    """Return text that XML can hold, with its LaTeX written out."""
    return "".join(sign for sign in readable(text) if sign.isprintable())
