"""Reads JATS, the XML format in which publishers deliver articles (ANSI/NISO Z39.96)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
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
from pathfinder.fulltext.tables import MOST_COLUMNS, MOST_ROWS, rows_of
from pathfinder.text.latex.mathematics import bare_formula, tidy_formula
from pathfinder.text.latex.unicode import plain
from pathfinder.types.full_texts import SectionKind

MAX_DEPTH = 60
"""Maximum depth at which elements are read; articles have fewer than twenty levels."""

_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[<>]*>")
"""A document type that merely refers to a definition elsewhere, which is never fetched."""
_APART = frozenset({"fig", "table-wrap", "fig-group", "table-wrap-group", "fn"})
_FOOTNOTE_MARKS = frozenset({"fn", "table-fn"})
_FORMULAS = frozenset({"disp-formula", "inline-formula"})
_UNREADABLE = "[formula]"
_SCRIPTS = {"sup": "^", "sub": "_"}
_PLAIN = re.compile(r"[^\\{}$]{1,40}")
_MATHML = {
    "mfrac": r"\frac{{{0}}}{{{1}}}", "msub": "{{{0}}}_{{{1}}}", "msup": "{{{0}}}^{{{1}}}", "munder": "{{{0}}}_{{{1}}}",
    "mover": "{{{0}}}^{{{1}}}", "msubsup": "{{{0}}}_{{{1}}}^{{{2}}}", "munderover": "{{{0}}}_{{{1}}}^{{{2}}}",
}  # fmt: skip
"""Elements of MathML with a fixed number of parts, and how TeX writes them."""
_ROWS = frozenset({"math", "mrow", "mstyle", "mpadded", "semantics", "mfenced"})


def read_jats(path: Path) -> Document:
    """Read a JATS article. Raises `CorpusError` with the reason if it cannot be read."""
    try:
        root = _without_namespaces(parse_xml(_DOCTYPE.sub(b"", path.read_bytes(), count=1)))
    except UnusableXml as error:
        raise CorpusError(f"{path.name} cannot be read: {error}") from None
    article = root if root.tag == "article" else root.find(".//article")
    if article is None:
        raise CorpusError(f"{path.name} is XML without an article")
    references = tuple(_references(article))
    reader = _JatsReader(frozenset(reference.key for reference in references))
    sections = [*reader.abstract(article), *reader.body(article)]
    figures = tuple(reader.figures(article))
    title = article.find(".//article-meta/title-group/article-title")
    return Document(
        text_of(title),
        tuple(sections),
        figures,
        references,
        provenance_of(path, TextFormat.JATS, reader.warnings),
        tuple(_identifiers(article)),
    )


class _JatsReader:
    """Reads paragraphs, and collects notes on parts that could not be read."""

    def __init__(self, keys: frozenset[str]) -> None:
        self._keys = keys
        self.warnings: list[str] = []

    def abstract(self, article: Element) -> Iterator[Section]:
        """Yield the abstract; its parts become subsections."""
        for part in article.findall(".//article-meta/abstract"):
            if part.get("abstract-type") in (None, "", "summary"):
                yield from self._section(part, "Abstract", 1, SectionKind.ABSTRACT)

    def body(self, article: Element) -> Iterator[Section]:
        """Yield the sections of the body, the appendices and the acknowledgements."""
        for name, title, kind in (
            ("body", "", None),
            ("back/ack", "Acknowledgements", SectionKind.ACKNOWLEDGEMENTS),
            ("back/app-group/app", "Appendix", SectionKind.APPENDIX),
            ("back/app", "Appendix", SectionKind.APPENDIX),
            ("back/fn-group", "Footnotes", SectionKind.OTHER),
        ):
            for part in article.findall(name):
                level = 0 if name == "body" else 1
                yield from self._section(part, title, level, kind)

    def figures(self, article: Element) -> Iterator[Figure]:
        """Yield the figures and tables, each table followed by its rows."""
        for element in article.iter():
            if element.tag in ("fig", "table-wrap"):
                element_caption, label = element.find("caption"), text_of(element.find("label"))
                parts = [self._paragraph(part).text for part in element_caption] if element_caption is not None else []
                caption = " ".join(filter(None, parts))
                yield Figure(label, caption, element.tag == "table-wrap")
                for table in element.iter("table"):
                    heads = self._cells(table.iterfind("thead/tr"), MOST_ROWS)
                    rows = self._cells((*table.iterfind("tbody/tr"), *table.iterfind("tr")), 0 if heads else 1)
                    yield from rows_of(label, caption, heads or rows[:1], rows if heads else rows[1:])

    def _cells(self, rows: Iterable[Element], n_heads: int) -> list[list[str]]:
        """Return the text of each cell in each row. A cell that spans several rows is repeated, and so is one that
        spans several columns in the first `n_heads` rows.
        """
        cells: dict[tuple[int, int], str] = {}
        n_rows = n_columns = 0
        for n_rows, row in enumerate(islice(rows, MOST_ROWS + 2), 1):
            place = 0
            for cell in islice(row, MOST_COLUMNS + 1):
                width = _span(cell.get("colspan"), MOST_COLUMNS + 1)
                height = _span(cell.get("rowspan"), MOST_ROWS)
                while (n_rows - 1, place) in cells:
                    place += 1
                text = self._paragraph(cell).text
                for right in range(width):
                    own = text if right == 0 or n_rows <= n_heads else ""
                    cells |= {(n_rows - 1 + down, place + right): own for down in range(height)}
                place += width
            n_columns = max(n_columns, place)
        return [[cells.get((row, column), "") for column in range(n_columns)] for row in range(n_rows)]

    def _section(self, element: Element, title: str, level: int, parent: SectionKind | None) -> Iterator[Section]:
        if level > MAX_DEPTH:
            self.warnings.append(f"sections more than {MAX_DEPTH} levels deep were left out")
            return
        own = text_of(element.find("title")) or title
        label = text_of(element.find("label"))
        heading = f"{label} {own}".strip() if label and own else own or label
        kind = kind_of(heading, parent) if parent is not SectionKind.ABSTRACT else parent
        paragraphs = tuple(self._paragraphs(element))
        if paragraphs or (heading and level):
            yield Section(heading, max(level, 1), kind, paragraphs)
        for section in element.findall("sec"):
            yield from self._section(section, "", level + 1, None if level == 0 else kind)

    def _paragraphs(self, element: Element) -> Iterator[Paragraph]:
        """Yield the paragraphs that lie directly in a section, including those of its lists and quotations."""
        for child in element:
            if child.tag == "p":
                paragraph = self._paragraph(child)
                if paragraph.text:
                    yield paragraph
                for note in child.iter("fn"):
                    yield from self._paragraphs(note)
            elif child.tag in ("disp-formula", "disp-formula-group"):
                formulas = (each for each in child.iter() if each.tag in _FORMULAS)
                yield from (Paragraph(text) for text in (self._formula(each).strip() for each in formulas) if text)
            elif child.tag in (
                "list",
                "list-item",
                "disp-quote",
                "boxed-text",
                "statement",
                "def-list",
                "def-item",
                "def",
                "fn",
            ):
                yield from self._paragraphs(child)

    def _paragraph(self, element: Element) -> Paragraph:
        pieces: list[str] = []
        marks: list[tuple[int, int, tuple[str, ...]]] = []
        self._collect(element, pieces, marks, 0)
        text, places = _squeeze("".join(pieces))
        citations = (InTextCitation(places[start], places[end], keys) for start, end, keys in marks)
        return Paragraph(text, citations=tuple(each for each in citations if each.start < each.end))

    def _collect(
        self, element: Element, pieces: list[str], marks: list[tuple[int, int, tuple[str, ...]]], depth: int
    ) -> None:
        """Append the text of an element to `pieces`, and the citations in it, each with its keys, to `marks`."""
        if depth > MAX_DEPTH:
            self.warnings.append(f"elements more than {MAX_DEPTH} levels deep were left out")
            return
        start = sum(map(len, pieces))
        if element.tag in _FORMULAS:
            pieces.append(self._formula(element))
        elif element.tag in _SCRIPTS and _PLAIN.fullmatch("".join(element.itertext())) and not len(element):
            pieces.append(plain(f"{_SCRIPTS[element.tag]}{{{element.text}}}", is_mathematics=False))
        elif element.tag == "disp-formula-group":
            pieces.extend(map(self._formula, element.iter("disp-formula")))
        elif element.tag not in _APART and element.get("ref-type") not in _FOOTNOTE_MARKS:
            pieces.append(element.text or "")
            for child in element:
                self._collect(child, pieces, marks, depth + 1)
                pieces.append(child.tail or "")
        if element.tag == "xref" and element.get("ref-type") == "bibr":
            keys = tuple(key for key in (element.get("rid") or "").split() if key in self._keys)
            marks.append((start, sum(map(len, pieces)), keys))

    def _formula(self, element: Element) -> str:
        """Return a formula as TeX between dollar signs, two of them if it is displayed; a formula that is only a
        picture is marked.
        """
        is_displayed = element.tag == "disp-formula"
        tex, mathml = element.find(".//tex-math"), element.find(".//math")
        formula = bare_formula(tex.text) if tex is not None and tex.text else None
        if not formula and mathml is not None:
            formula = _tex_of(mathml, 0)
        if formula and (formula := tidy_formula(formula)):
            return f" $${formula}$$ " if is_displayed else f"${formula}$"
        text = "".join(element.itertext()).strip()
        if tex is None and mathml is None and text:
            return f" {text} " if is_displayed else text
        self.warnings.append("formulas without TeX are marked [formula]")
        return f" {_UNREADABLE} " if is_displayed else _UNREADABLE


def _span(value: str | None, most: int) -> int:
    """Return the number of columns or rows that a cell spans, at most `most`."""
    return min(max(int(value[:4]), 1), most) if value and value.isascii() and value.isdigit() else 1


def _tex_of(element: Element, depth: int) -> str | None:
    """Return MathML as TeX; `None` if it has a part for which there is no simple form, such as a matrix."""
    if depth > MAX_DEPTH or not isinstance(element.tag, str):
        return None
    text = " ".join((element.text or "").split())
    if element.tag in ("mi", "mtext"):
        return rf"\mathrm{{{text}}}" if len(text) > 1 and text.isalnum() else text
    if element.tag in ("mn", "mo", "mspace"):
        return text or " "
    parts = [_tex_of(child, depth + 1) for child in element if child.tag not in ("annotation", "annotation-xml")]
    if None in parts:
        return None
    row = " ".join(map(str, parts))
    if element.tag in _MATHML and _MATHML[element.tag].count("{{{") == len(parts):
        return _MATHML[element.tag].format(*parts)
    if element.tag == "mfenced":
        return f"{element.get('open', '(')}{row}{element.get('close', ')')}"
    if element.tag == "msqrt":
        return rf"\sqrt{{{row}}}"
    return row if element.tag in _ROWS else None


def _without_namespaces(root: Element) -> Element:
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    return root


def _squeeze(text: str) -> tuple[str, Sequence[int]]:
    """Return the text with single spaces, and, for each character of the original, its position in that text."""
    characters: list[str] = []
    places = []
    for character in text:
        is_space = character.isspace()
        if is_space and (not characters or characters[-1] == " "):
            places.append(len(characters))
            continue
        places.append(len(characters))
        characters.append(" " if is_space else character)
    end = len("".join(characters).rstrip())
    return "".join(characters)[:end], [min(place, end) for place in [*places, len(characters)]]


def _references(article: Element) -> Iterator[Reference]:
    for number, entry in enumerate(article.findall(".//ref-list//ref"), 1):
        citations = (entry.find(name) for name in ("mixed-citation", "element-citation", "citation"))
        citation = next((each for each in citations if each is not None), entry)
        ids = {each.get("pub-id-type"): text_of(each) for each in entry.iter("pub-id")}
        words = clean(" ".join(part.strip() for part in citation.itertext() if part.strip()))
        yield Reference(entry.get("id") or str(number), words, ids.get("doi"), ids.get("arxiv"))


def _identifiers(article: Element) -> Iterator[str]:
    for element in article.findall(".//article-meta/article-id"):
        kind, value = element.get("pub-id-type"), text_of(element)
        if kind in ("doi", "pmid", "pmc", "pmcid", "arxiv", "bibcode") and value:
            identifier = checked_identifier(kind, value)
            if identifier is not None:
                yield identifier
