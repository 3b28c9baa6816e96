"""Reads DOCX, as word processors save manuscripts. What they mark up becomes Markdown, which is then read."""

import re
import zlib
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile

from pathfinder.errors import CorpusError
from pathfinder.fulltext.document import Document, TextFormat
from pathfinder.fulltext.markdown_file import markdown_document

if TYPE_CHECKING:
    from docx.oxml.xmlchemy import BaseOxmlElement

MAX_TEXT_BYTES, MAX_BYTES = 64 << 20, 256 << 20
"""Limits on the size of the unpacked XML, and of everything that is unpacked, pictures among them."""
_FAULTS = (BadZipFile, zlib.error, EOFError, KeyError, ValueError, SyntaxError, RuntimeError, AttributeError, TypeError)
"""What python-docx and zipfile raise for files that are damaged, encrypted, or no document: they check no XML."""

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_ALTERNATIVE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_FORMULA = "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath"
_SCRIPTS = {"superscript": "sup", "subscript": "sub"}
_SPACES = {f"{_WORD}{name}": " " for name in ("tab", "br", "cr")} | {f"{_WORD}noBreakHyphen": "-"}
_LEVEL = re.compile(r"Heading ([1-5])")


def read_docx(path: Path) -> Document:
    """Read a DOCX file; "[formula]" stands for each formula. Raises `CorpusError` if it cannot be read."""
    import docx
    from docx.opc.exceptions import PackageNotFoundError

    try:
        with ZipFile(path) as archive:
            for limit, ending, what in ((MAX_TEXT_BYTES, ".xml", "text"), (MAX_BYTES, "", "text and pictures")):
                if sum(each.file_size for each in archive.infolist() if each.filename.endswith(ending)) > limit:
                    raise CorpusError(f"{path.name} unpacks to more than {limit >> 20} MB of {what}: divide it")
        document = docx.Document(str(path))
        styles = {style.style_id: str(style.name) for style in document.styles}
        elements = list(_blocks(document.element.body))
    except (PackageNotFoundError, *_FAULTS) as error:
        raise CorpusError(f"{path.name} is not a DOCX file ({error}): save it again") from error
    blocks = (_table(each) if each.tag == f"{_WORD}tbl" else _paragraph(each, styles) for each in elements)
    return markdown_document(path, TextFormat.DOCX, "\n\n".join(filter(None, blocks)))


def _blocks(body: "BaseOxmlElement") -> Iterator["BaseOxmlElement"]:
    """Yield paragraphs and tables, those in content controls, such as a list of references, included."""
    for child in body:
        if child.tag in (f"{_WORD}sdt", f"{_WORD}sdtContent"):
            yield from _blocks(child)
        elif child.tag in (f"{_WORD}p", f"{_WORD}tbl"):
            yield child


def _paragraph(element: "BaseOxmlElement", styles: Mapping[str, str]) -> str:
    given = element.find(f"{_WORD}pPr/{_WORD}pStyle")
    text, style = _text(element), styles.get("" if given is None else given.get(f"{_WORD}val", ""), "")
    if level := _LEVEL.fullmatch(style):
        return text and f"{'#' * int(level[1])} {text}"
    return f"# {text}" if text and (style == "Title" or style.startswith("Heading")) else text


def _table(table: "BaseOxmlElement") -> str:
    """Write a table in Markdown; its first row is its head."""
    rows = [[_text(cell).replace("|", r"\|") for cell in row.iter(f"{_WORD}tc")] for row in table.iter(f"{_WORD}tr")]
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    return "\n".join([*lines[:1], "|---" * max(map(len, rows), default=0) + "|", *lines[1:]])


def _text(element: "BaseOxmlElement") -> str:
    """Return the words of a paragraph or cell on one line, with raised and lowered ones in tags."""
    written = (
        (tag, "".join(text for _, text in same)) for tag, same in groupby(_pieces(element), lambda each: each[0])
    )
    return " ".join("".join(f"<{tag}>{text}</{tag}>" if tag else text for tag, text in written).split())


def _pieces(element: "BaseOxmlElement", tag: str = "") -> Iterator[tuple[str, str]]:
    """Yield pieces of text, each with the tag in which it stands; what was deleted is no part of them."""
    for child in element:
        if child.tag == f"{_WORD}t":
            yield tag, re.sub(r"([\\`*_<$])", r"\\\1", child.text or "")
        elif child.tag == _FORMULA:
            yield "", " [formula] "
        elif child.tag in _SPACES:
            yield "", _SPACES[child.tag]
        elif child.tag not in (_ALTERNATIVE, f"{_WORD}moveFrom"):
            aligned = child.find(f"{_WORD}rPr/{_WORD}vertAlign")
            yield from _pieces(child, tag if aligned is None else _SCRIPTS.get(aligned.get(f"{_WORD}val", ""), ""))
            if child.tag == f"{_WORD}p":
                yield "", " "
