"""Records from XML files: EndNote libraries, OAI-PMH responses in arXiv's format arXivRaw, and arXiv's Atom feeds.

A file is parsed as a stream, one record at a time, so that only the last record of a truncated file is lost. Document
types are refused: they may define entities that expand to gigabytes or pull in other files.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from pathfinder.corpus.readers.lines import unpack
from pathfinder.corpus.readers.reader import Reader, RejectedRow
from pathfinder.corpus.schemas.arxiv import arxiv_xml_paper, atom_record, oai_record
from pathfinder.corpus.schemas.fields import Record, Unusable
from pathfinder.corpus.schemas.reference_managers import endnote_paper, endnote_record

_CHUNK = 64 * 1024


class _Records:
    """Parser target that keeps only finished records."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._builder: TreeBuilder | None = None
        self._depth = 0
        self.records: list[Element] = []

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Refuse the declaration of a document type."""
        raise Unusable("XML with a document type, which could define entities")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin a record, or an element of a record."""
        if self._builder is None and tag.rpartition("}")[2] == self._name:
            self._builder, self._depth = TreeBuilder(), 0
        if self._builder is not None:
            self._builder.start(tag, attributes)
            self._depth += 1

    def data(self, text: str) -> None:
        """Add text to a record."""
        if self._builder is not None:
            self._builder.data(text)

    def end(self, tag: str) -> None:
        """End an element; if it is the record itself, the record is finished."""
        if self._builder is None:
            return
        self._builder.end(tag)
        self._depth -= 1
        if self._depth == 0:
            self.records.append(self._builder.close())
            self._builder = None


def read_xml_records(
    path: Path, name: str, to_record: Callable[[Element], Record]
) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the elements called `name`, whatever their namespace, in order, each with the line on which it ends.

    Everything after a fault in the XML is lost; a single `RejectedRow` represents it.
    """
    target = _Records(name)
    parser, line = XMLParser(target=target), 1  # noqa: S314 - the target refuses document types
    with unpack(path) as file:
        while chunk := file.read(_CHUNK):
            for piece in chunk.splitlines(keepends=True):
                try:
                    parser.feed(piece)
                except (ParseError, Unusable, LookupError, ValueError) as fault:
                    yield line, RejectedRow(path.name, line, f"{_reason(fault)}; everything after it is lost", None)
                    return
                elements, target.records = target.records, []
                for element in elements:
                    try:
                        yield line, to_record(element)
                    except Unusable as reason:
                        yield line, RejectedRow(path.name, line, str(reason), None)
                line += piece.count(b"\n")
    try:
        parser.close()
    except ParseError:
        yield line, RejectedRow(path.name, line, "the file ends before its last element does", None)


def _reason(fault: Exception) -> str:
    # The parser's own messages would repeat parts of the file.
    if isinstance(fault, ParseError):
        return f"not XML at column {fault.position[1] + 1}"
    return str(fault) if isinstance(fault, Unusable) else "its encoding is not known: save it as UTF-8"


ENDNOTE = Reader(
    "EndNote XML",
    (".xml",),
    partial(read_xml_records, name="record", to_record=endnote_record),
    endnote_paper,
    lambda head: b"<records>" in head,
)

OAI = Reader(
    "OAI-PMH",
    (".xml",),
    partial(read_xml_records, name="record", to_record=oai_record),
    arxiv_xml_paper,
    lambda head: b"OAI-PMH" in head,
)

ATOM = Reader(
    "Atom",
    (".xml", ".atom"),
    partial(read_xml_records, name="entry", to_record=atom_record),
    arxiv_xml_paper,
    lambda head: b"http://www.w3.org/2005/Atom" in head,
)
