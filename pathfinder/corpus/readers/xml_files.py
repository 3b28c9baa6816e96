"""Records from XML files: EndNote libraries, OAI-PMH responses in arXiv's format arXivRaw, and arXiv's Atom feeds.

A file is parsed as a stream, one record at a time, so that only the last record of a truncated file is lost. Document
types are refused: they may define entities that expand to gigabytes or pull in other files.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from xml.etree.ElementTree import Element

from lxml import etree

from pathfinder.corpus.readers.lines import unpack
from pathfinder.corpus.readers.reader import Reader, RejectedRow
from pathfinder.corpus.schemas.arxiv import arxiv_xml_paper, atom_record, oai_record
from pathfinder.corpus.schemas.fields import Record, Unusable
from pathfinder.corpus.schemas.reference_managers import endnote_paper, endnote_record


def read_xml_records(
    path: Path, name: str, to_record: Callable[[Element], Record]
) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the elements called `name`, whatever their namespace, in order, each with the line on which it begins.

    Everything after a fault in the XML is lost; a single `RejectedRow` represents it.
    """
    line = 1
    with unpack(path) as file:
        try:
            elements = etree.iterparse(
                file, tag=f"{{*}}{name}", resolve_entities=False, remove_comments=True, remove_pis=True
            )
            for _, element in elements:
                line = element.sourceline or line
                if element.getroottree().docinfo.doctype:
                    fault = "XML with a document type, which could define entities; everything after it is lost"
                    yield line, RejectedRow(path.name, line, fault, None)
                    return
                try:
                    yield line, to_record(element)
                except Unusable as reason:
                    yield line, RejectedRow(path.name, line, str(reason), None)
                element.clear()
        except etree.XMLSyntaxError as error:
            # The parser's own message would repeat parts of the file.
            line, column = error.position
            fault = f"not XML, or cut short, at column {column}; everything after it is lost"
            yield line, RejectedRow(path.name, line, fault, None)


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
