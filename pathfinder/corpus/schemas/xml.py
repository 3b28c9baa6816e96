"""Parses untrusted XML: no document type is allowed, so no entity can expand to gigabytes or pull in other files."""

from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from pathfinder.corpus.schemas.fields import clean

MAX_XML_BYTES = 64 * 1024 * 1024
"""Limit on the size of a document, whose tree takes ten times as much memory."""


class UnusableXml(ValueError):
    """Text that is not XML, is cut short, is too large, or declares a document type."""


class _Builder(TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Refuse a document type, which may define entities."""
        raise UnusableXml("XML with a document type, which could define entities")


def parse_xml(content: bytes) -> Element:
    """Return the root element of `content`. Raises `UnusableXml`."""
    if len(content) > MAX_XML_BYTES:
        raise UnusableXml(f"more than {MAX_XML_BYTES} bytes of XML")
    parser = XMLParser(target=_Builder())  # noqa: S314 - the builder refuses document types
    try:
        parser.feed(content)
        root = parser.close()
    except ParseError as error:
        line, column = error.position
        # The message is written here because the error's own text repeats parts of the document.
        raise UnusableXml(f"not XML, or cut short, at line {line}, column {column + 1}") from None
    if not isinstance(root, Element):
        raise UnusableXml("XML without an element")
    return root


def text_of(element: Element | None) -> str:
    """Return the cleaned text of `element`, including that of the elements inside it; empty if there is none."""
    return clean("".join(element.itertext())) if element is not None else ""


def child_text(element: Element, name: str) -> str | None:
    """Return the text of the first child called `name`; `None` if it is empty or missing."""
    return text_of(element.find(name)) or None
