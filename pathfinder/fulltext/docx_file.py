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
from pathfinder.fulltext.plain import BlockKind, plain_block
from pathfinder.fulltext.tables import MOST_COLUMNS

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
_CONTROLS = {f"{_WORD}{name}" for name in ("sdt", "sdtContent", "customXml")}
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
        elements = list(_within(document.element.body, "p", "tbl"))
    except (PackageNotFoundError, *_FAULTS) as error:
        raise CorpusError(f"{path.name} is not a DOCX file ({error}): save it again") from error
    has_headings = any(_LEVEL.fullmatch(_style(each, styles)) for each in elements)
    blocks = (
        _table(each) if each.tag == f"{_WORD}tbl" else _paragraph(each, styles, has_headings) for each in elements
    )
    return markdown_document(path, TextFormat.DOCX, "\n\n".join(filter(None, blocks)))


def _within(element: "BaseOxmlElement", *names: str) -> Iterator["BaseOxmlElement"]:
    """Yield the children with these names, those in content controls, such as a list of references, included."""
    for child in element:
        if child.tag in _CONTROLS:
            yield from _within(child, *names)
        elif child.tag in {_WORD + name for name in names}:
            yield child


def _style(element: "BaseOxmlElement", styles: Mapping[str, str]) -> str:
    given = element.find(f"{_WORD}pPr/{_WORD}pStyle")
    return styles.get("" if given is None else given.get(f"{_WORD}val", ""), "")


def _paragraph(element: "BaseOxmlElement", styles: Mapping[str, str], has_headings: bool) -> str:
    text, style = _text(element), _style(element, styles)
    if level := _LEVEL.fullmatch(style):
        return text and f"{'#' * int(level[1])} {text}"
    if style == "Title" or style.startswith("Heading"):
        return text and f"# {text}"
    block = plain_block(text, text)
    # Among headings with a style, a short line with a number is an item of a list.
    if block.kind is BlockKind.HEADING and not (has_headings and text[0].isdigit()):
        return f"{'#' * min(block.level, 6)} {text}"
    return f"\\{text}" if text.startswith(("#", ">")) else text


def _table(table: "BaseOxmlElement") -> str:
    """Write a table in Markdown. Its first row is its head, in which a cell stands over each column that it spans; a
    table within a cell belongs to the words of the cell.
    """
    rows: list[list[str]] = []
    for row in _within(table, "tr"):
        rows.append([])
        for cell in _within(row, "tc"):
            span = cell.find(f"{_WORD}tcPr/{_WORD}gridSpan")
            width = "1" if span is None else span.get(f"{_WORD}val", "")
            text = _text(cell).replace("|", r"\|")
            further = min(int(width) - 1, MOST_COLUMNS) if re.fullmatch("[0-9]{1,3}", width) else 0
            rows[-1] += [text, *[text if len(rows) == 1 else ""] * further]
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
