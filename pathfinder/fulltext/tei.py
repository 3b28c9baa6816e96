"""Reads TEI, the XML in which GROBID and OpenAlex deliver texts extracted from PDFs."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from pathfinder.corpus.schemas.fields import clean
from pathfinder.corpus.schemas.xml import UnusableXml, parse_xml, text_of
from pathfinder.errors import CorpusError
from pathfinder.fulltext.document import (
    Document,
    Figure,
    InTextCitation,
    Paragraph,
    Reference,
    Section,
    TextFormat,
    checked_identifier,
    kind_of,
    provenance_of,
)
from pathfinder.types.full_texts import SectionKind

_TEI = "{http://www.tei-c.org/ns/1.0}"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
MAX_DEPTH = 60
"""Maximum depth to which elements may be nested."""


def read_tei(path: Path) -> Document:
    """Read a TEI document. Raises `CorpusError` with the reason if it cannot be read."""
    try:
        root = parse_xml(path.read_bytes())
    except UnusableXml as error:
        raise CorpusError(f"{path.name} cannot be read: {error}") from None
    _check_depth(root, path.name)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_TEI)
    references = tuple(_references(root))
    keys = frozenset(reference.key for reference in references)
    fields = ((each.get("type", "").lower(), text_of(each)) for each in root.findall(".//teiHeader//sourceDesc//idno"))
    ids = (checked_identifier(*field) for field in fields if field[0] in ("doi", "arxiv"))
    return Document(
        text_of(root.find(".//titleStmt/title")),
        (*_sections(root.find(".//abstract"), keys, "Abstract"), *_sections(root.find(".//body"), keys, "")),
        tuple(_figures(root)),
        references,
        provenance_of(path, TextFormat.TEI),
        tuple(filter(None, ids)),
    )


def _check_depth(root: Element, name: str) -> None:
    level = [root]
    for _ in range(MAX_DEPTH):
        level = [child for element in level for child in element]
        if not level:
            return
    raise CorpusError(f"{name} has elements more than {MAX_DEPTH} deep")


def _sections(part: Element | None, keys: frozenset[str], title: str, level: int = 0) -> Iterator[Section]:
    """Yield the section that `part` forms and the sections inside it; the number in a heading ("2.1") determines its
    level.
    """
    if part is None:
        return
    head = part.find("head")
    number = (head.get("n") or "").strip(".") if head is not None else ""
    heading = f"{number} {text_of(head)}".strip() or title
    depth = number.count(".") + 1 if number else max(level, 1)
    paragraphs = tuple(filter(lambda each: each.text, (_paragraph(each, keys) for each in part.findall("p"))))
    if paragraphs or (heading and level):
        kind = SectionKind.ABSTRACT if title == "Abstract" else kind_of(heading)
        yield Section(heading, depth, kind, paragraphs)
    for child in part.findall("div"):
        yield from _sections(child, keys, title, level + 1)


def _paragraph(element: Element, keys: frozenset[str]) -> Paragraph:
    """Return a paragraph with its citations; white space in the text is reduced to single spaces."""
    text = ""
    citations: list[InTextCitation] = []
    for piece, mark in _pieces(element):
        words = " ".join(piece.split())
        if text and words and not text.endswith(" ") and piece[:1].isspace():
            text += " "
        start = len(text)
        text += words
        if mark is not None:
            target = mark.removeprefix("#")
            citations.append(InTextCitation(start, len(text), (target,) if target in keys else ()))
        if words and piece[-1:].isspace():
            text += " "
    return Paragraph(text.rstrip(), citations=tuple(citations))


def _pieces(element: Element) -> Iterator[tuple[str, str | None]]:
    """Yield the text of a paragraph piece by piece; a piece that is a citation comes with its target."""
    yield element.text or "", None
    for child in element:
        is_citation = child.tag == "ref" and child.get("type") == "bibr"
        yield "".join(child.itertext()), (child.get("target") or "") if is_citation else None
        yield child.tail or "", None


def _figures(root: Element) -> Iterator[Figure]:
    for element in root.iter("figure"):
        caption = text_of(element.find("figDesc"))
        label = text_of(element.find("head")) or text_of(element.find("label"))
        if caption or label:
            yield Figure(label, caption, is_table=element.get("type") == "table")


def _references(root: Element) -> Iterator[Reference]:
    for number, entry in enumerate(root.findall(".//listBibl/biblStruct"), 1):
        ids = {(each.get("type") or "").lower(): text_of(each) for each in entry.iter("idno")}
        raw = next((note for note in entry.iter("note") if note.get("type") == "raw_reference"), entry)
        words = clean(" ".join(part.strip() for part in raw.itertext() if part.strip()))
        yield Reference(entry.get(_ID) or str(number), words, ids.get("doi"), ids.get("arxiv"))
