"""The formats in which a draft can be written, for the page and the command line."""

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pathfinder.drafts.document import DraftDocument
from pathfinder.drafts.latex import draft_bibtex, draft_latex
from pathfinder.drafts.markdown import draft_markdown
from pathfinder.drafts.word import draft_docx


@dataclass(frozen=True, slots=True)
class DraftForm:
    """A format, with a function that writes a document as one or more files, and returns their contents by suffix."""

    label: str
    files: Callable[[DraftDocument, str], dict[str, bytes]]
    """Takes the document and the name of its files, without a suffix."""


FORMS: Mapping[str, DraftForm] = {
    "latex": DraftForm(
        "LaTeX and BibTeX",
        lambda document, name: {
            "tex": draft_latex(document, name).encode(),
            "bib": draft_bibtex(document).encode(),
        },
    ),
    "markdown": DraftForm("Markdown", lambda document, _: {"md": draft_markdown(document).encode()}),
    "docx": DraftForm("Word (DOCX)", lambda document, _: {"docx": draft_docx(document)}),
}
"""Every format, by its name on the command line."""


def zip_files(files: Mapping[str, bytes], name: str) -> bytes:
    """Return a zip archive of files that are all called `name`; `files` gives their contents by suffix."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for suffix, contents in files.items():
            archive.writestr(f"{name}.{suffix}", contents)
    return buffer.getvalue()
