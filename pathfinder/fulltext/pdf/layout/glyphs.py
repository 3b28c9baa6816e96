"""Glyphs of a PDF, read by pdfium with one page in memory at a time. Only this module uses pypdfium2. A file that
cannot be read is refused with a reason.
"""

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, TypeAlias

import pypdfium2
from pypdfium2 import raw

from pathfinder.errors import CorpusError
from pathfinder.fulltext.document import Box
from pathfinder.fulltext.pdf.layout.page_model import Glyph, Style
from pathfinder.text.english import words

OpenPdf: TypeAlias = pypdfium2.PdfDocument
MOST_PAGES = 2000
"""Maximum number of pages in a file: more than any paper, thesis or textbook has."""
MOST_GLYPHS = 100_000
"""Maximum number of glyphs on a page: ten times as many as a dense page has. Further glyphs are not read."""
MOSTLY_SIDEWAYS = 4.0
"""Number of glyphs that run sideways for each upright one, on a page that was turned to fit a wide table."""
LARGEST_SKEW = 0.1
"""Largest deviation from a direction, in right angles, as in a page that was scanned askew."""

LEAST_SIZE = 2.0
"""Size below which a font holds pictures of letters (Type 3) and states the size of their dots [points]."""
CAPITAL_HEIGHT = 0.69
"""Height of capitals, as a share of the size of their font."""

_OWN_FIELDS = ("Subject", "doi", "DOI", "WPS-ARTICLEDOI", "arXivID")
PIXELS_A_POINT = 150 / 72
"""Resolution of the page image used for text recognition: 150 pixels per inch."""
MOST_PIXELS = 2000
"""Limit on the longer side of that image [pixels]."""

SOFT_HYPHEN = "\u00ad"

_BOLD_WEIGHT = 600
_BOLD = re.compile(r"bold|black|heavy|demi|medi|cmbx|cmb\d|cmssbx|sfbx|-bd|\.b$|lmb|bx\d", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|slant|cmti|cmsl|sfti|-it\b|\.i$", re.IGNORECASE)
_MATHEMATICAL = re.compile(
    r"cmmi|cmsy|cmex|cmbsy|msam|msbm|math|symbol|lmmi|lmsy|lmex|rsfs|eufm|stix.{0,40}math", re.IGNORECASE
)


def open_pdf(path: Path) -> pypdfium2.PdfDocument:
    """Open a PDF file.

    Raises `CorpusError` with the reason if it is not a PDF, is damaged or encrypted, has no pages, or has more than
    `MOST_PAGES`.
    """
    with path.open("rb") as file:
        start = file.read(1024)
    if not start:
        raise CorpusError(f"{path.name} is empty: a PDF file is needed")
    if b"%PDF-" not in start:
        raise CorpusError(f"{path.name} is not a PDF file: it does not begin with %PDF-")
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise CorpusError(f"{path.name} cannot be read: {_reason(path, error.err_code)}") from error
    count = len(document)
    if not 0 < count <= MOST_PAGES:
        document.close()
        rule = "a file must have at least one page" if count == 0 else f"the limit is {MOST_PAGES:,}; split the file"
        raise CorpusError(f"{path.name} has {count:,} pages: {rule}")
    return document


def _reason(path: Path, code: int) -> str:
    """Return the reason why pdfium did not open a file; its error code may belong to an earlier file, so encryption is
    checked separately.
    """
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        is_encrypted = content.find(b"/Encrypt") >= 0
    if is_encrypted and code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        return "it is encrypted; save a copy without a password"
    return "it is damaged, cut off, or without pages"


def page_size(document: pypdfium2.PdfDocument, index: int) -> tuple[float, float]:
    """Return the width and height of a page [points]; zero if pdfium cannot load it, for example if pages refer to each
    other in a cycle.
    """
    try:
        width, height = document.get_page_size(index)
    except pypdfium2.PdfiumError:
        return 0.0, 0.0
    return float(width), float(height)


@dataclass(frozen=True, slots=True)
class PageGlyphs:
    """The glyphs of a page, including spaces, in the order in which the file draws them and in the direction in which
    they are read, and the size of the page in that direction [points].
    """

    width: float
    height: float
    glyphs: tuple[Glyph, ...] = ()
    aside: str = ""
    """Text that runs in another direction: stamps in the margin, labels of axes, tables on their side."""
    is_turned: bool = False
    """True if the text does not run from left to right on the page as it is shown."""


def read_glyphs(document: pypdfium2.PdfDocument, index: int, *, trusts_weights: bool = True) -> PageGlyphs:
    """Return the glyphs of a page in the direction of most of them. A page that pdfium cannot load has none.

    Without `trusts_weights`, only the names of fonts tell what is bold: some files state a high weight for every font.
    """
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return PageGlyphs(0.0, 0.0)
    with closing(page), closing(page.get_textpage()) as text_page:
        left, bottom, right, top = page.get_bbox()
        shown = page.get_rotation() // 90
        placed = _with_cyrillic(list(_GlyphReading(text_page.raw, left, top, trusts_weights).glyphs()))
    counts = Counter(quarter for quarter, glyph in placed if glyph.text != " ")
    sideways = max((1, 2, 3), key=lambda quarter: counts[quarter])
    quarter = sideways if counts[sideways] > MOSTLY_SIDEWAYS * counts[0] else 0
    width, height = right - left, top - bottom
    glyphs = tuple(
        _turned(glyph, quarter, width, height) if quarter else glyph for turn, glyph in placed if turn == quarter
    )
    aside = " ".join("".join(glyph.text if turn != quarter else "\n" for turn, glyph in placed).split())
    size = (height, width) if quarter % 2 else (width, height)
    return PageGlyphs(*size, glyphs, aside, bool(glyphs) and (quarter + shown) % 4 != 0)


def _with_cyrillic(placed: list[tuple[int, Glyph]]) -> list[tuple[int, Glyph]]:
    """Return the glyphs of a page, in Cyrillic if its letters are those that Latin-1 has in the places of Cyrillic:
    fonts of TeX in its encoding T2A often do not map to letters.
    """
    n_letters = sum(glyph.text.isalpha() for _, glyph in placed)
    is_accented = Counter("À" <= glyph.text <= "ÿ" for _, glyph in placed if not glyph.text.isascii())
    if 2 * is_accented[True] <= n_letters or is_accented[True] < 10 * is_accented[False]:
        return placed
    cyrillic = [(turn, replace(glyph, text=glyph.text.translate(_T2A))) for turn, glyph in placed]
    n_frequent = sum(glyph.text in _FREQUENT_IN_RUSSIAN for _, glyph in cyrillic)
    return cyrillic if n_frequent >= _LEAST_FREQUENT * is_accented[True] else placed


def _turned(glyph: Glyph, quarter: int, width: float, height: float) -> Glyph:
    """Return a glyph on a page that was turned until text that runs down (1), backwards (2) or up (3) is upright."""

    def turn(across: float, down: float) -> tuple[float, float]:
        if quarter == 1:
            return down, width - across
        return (width - across, height - down) if quarter == 2 else (height - down, across)

    (x, y), (x2, y2) = turn(glyph.box.left, glyph.box.top), turn(glyph.box.right, glyph.box.bottom)
    box = Box(min(x, x2), min(y, y2), max(x, x2), max(y, y2))
    _, baseline = turn(glyph.across, glyph.baseline)
    return replace(glyph, box=box, baseline=baseline)


def has_drawing(document: pypdfium2.PdfDocument, index: int) -> bool:
    """Return whether anything is drawn on a page; false if pdfium cannot load the page."""
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return False
    with closing(page):
        return bool(raw.FPDFPage_CountObjects(page.raw) > 0)


def page_picture(document: pypdfium2.PdfDocument, index: int) -> tuple[Any, float]:
    """Return a page as an array of rows, columns and colours, and the number of pixels per point."""
    width, height = page_size(document, index)
    scale = min(PIXELS_A_POINT, MOST_PIXELS / max(width, height, 1.0))
    with closing(document[index]) as page, closing(page.render(scale=scale, rev_byteorder=True)) as bitmap:
        return bitmap.to_numpy()[:, :, :3].copy(), scale


def about_itself(document: pypdfium2.PdfDocument) -> tuple[str, tuple[str, ...]]:
    """Return the title that the metadata of a file give it, which may be empty or wrong, and the fields that may hold
    an identifier.
    """
    fields = (document.get_metadata_value(key) for key in _OWN_FIELDS)
    return document.get_metadata_value("Title"), tuple(filter(None, fields))


_T2A = str.maketrans(
    {chr(code): bytes([code]).decode("cp1251") for code in range(0xC0, 0x100)} | {"\x9c": "Ё", "¼": "ё"}
)
"""Cyrillic letters at the codes that TeX's encoding T2A gives them."""
_FREQUENT_IN_RUSSIAN, _LEAST_FREQUENT = frozenset("оеаиОЕАИ"), 0.28
"""Letters that make up a third of a Russian text, and the share from which one is Russian: Greek or Hebrew without a
map has other letters at these codes.
"""


class _GlyphReading:
    """The glyphs of one page; the style of each text object is cached."""

    def __init__(self, text_page: object, left: float, top: float, trusts_weights: bool) -> None:
        self.trusts_weights = trusts_weights
        self.page = text_page
        self.left = left
        self.top = top
        self.styles: dict[int, Style] = {}
        self.heights: dict[int, float] | None = None
        self.edges = tuple(ctypes.c_double() for _ in range(4))
        self.origin = (ctypes.c_double(), ctypes.c_double())
        self.matrix = raw.FS_MATRIX()

    def glyphs(self) -> Iterator[tuple[int, Glyph]]:
        """Yield each glyph with its direction: 0 for text to the right, 1 down, 2 to the left, 3 up, -1 for any
        other.
        """
        style = Style(0.0)
        quarter = 0
        for index in range(min(raw.FPDFText_CountChars(self.page), MOST_GLYPHS)):
            code = raw.FPDFText_GetUnicode(self.page, index)
            if raw.FPDFText_IsGenerated(self.page, index) == 1:
                if code == ord(" "):
                    yield quarter, self._glyph(index, " ", style)
                continue
            style = self._style(index, style)
            text = _character(code)
            # The angle that pdfium states is that of the upright strokes, which slanted letters lean from.
            has_matrix = raw.FPDFText_GetMatrix(self.page, index, self.matrix)
            quarters = -2 * math.atan2(self.matrix.b, self.matrix.a) / math.pi if has_matrix else 0.0
            quarter = round(quarters) % 4 if abs(quarters - round(quarters)) < LARGEST_SKEW else -1
            yield quarter, self._glyph(index, text, style)

    def _glyph(self, index: int, text: str, style: Style) -> Glyph:
        left, right, bottom, top = self.edges
        raw.FPDFText_GetCharBox(self.page, index, left, right, bottom, top)
        across, up = self.origin
        raw.FPDFText_GetCharOrigin(self.page, index, across, up)
        box = Box(left.value - self.left, self.top - top.value, right.value - self.left, self.top - bottom.value)
        return Glyph(text, style, box, self.top - up.value, across.value - self.left)

    def _style(self, index: int, before: Style) -> Style:
        handle = raw.FPDFText_GetTextObject(self.page, index)
        if not handle:
            return before
        address = ctypes.addressof(handle.contents)
        if address not in self.styles:
            font = raw.FPDFTextObj_GetFont(handle)
            size = _size(self.page, index)
            if size < LEAST_SIZE:
                size *= self._tallest(font) / CAPITAL_HEIGHT
            self.styles[address] = _style(font, size, self.trusts_weights)
        return self.styles[address]

    def _tallest(self, font: Any) -> float:
        """Return how far the tallest letter or digit of a font on the page rises above its line, in stated sizes."""
        if self.heights is None:
            self.heights = {}
            for index in range(min(raw.FPDFText_CountChars(self.page), MOST_GLYPHS)):
                handle = raw.FPDFText_GetTextObject(self.page, index)
                letter = _character(raw.FPDFText_GetUnicode(self.page, index))
                if handle and letter.isascii() and letter.isalnum():
                    address = ctypes.addressof(raw.FPDFTextObj_GetFont(handle).contents)
                    glyph = self._glyph(index, letter, Style(0.0))
                    height = (glyph.baseline - glyph.box.top) / (_size(self.page, index) or 1.0)
                    self.heights[address] = max(self.heights.get(address, 0.0), height)
        return self.heights.get(ctypes.addressof(font.contents), CAPITAL_HEIGHT)


def _size(text_page: object, index: int) -> float:
    """Return the stated size of the font of a glyph, enlarged by the matrix of the glyph [points]."""
    matrix = raw.FS_MATRIX()
    has_matrix = raw.FPDFText_GetMatrix(text_page, index, matrix)
    scale = math.hypot(matrix.c, matrix.d) if has_matrix else 1.0
    return float(raw.FPDFText_GetFontSize(text_page, index) * (scale or 1.0))


def _style(font: object, size: float, trusts_weights: bool) -> Style:
    buffer = ctypes.create_string_buffer(200)
    length = raw.FPDFFont_GetBaseFontName(font, buffer, len(buffer))
    name = buffer.value.decode("utf-8", "replace").rpartition("+")[2] if 0 < length <= len(buffer) else ""
    bold = (trusts_weights and raw.FPDFFont_GetWeight(font) >= _BOLD_WEIGHT) or bool(_BOLD.search(name))
    return Style(round(size, 1), bold, bool(_ITALIC.search(name)), bool(_MATHEMATICAL.search(name)))


def _character(code: int) -> str:
    """Return a character as text; pdfium's mark for a hyphen that divides a word becomes a soft hyphen."""
    if code == 2:
        return SOFT_HYPHEN
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    character = chr(code)
    if character.isspace():
        return " "
    if "\ufb00" <= character <= "\ufb06":
        return unicodedata.normalize("NFKC", character)
    return "\ufffd" if unicodedata.category(character) == "Cc" else character


# Legibility of a page: whether it has text, and whether that text is language rather than codes from a font that does
# not map to letters.

FEWEST_CHARACTERS = 20
"""Number of letters and digits below which a page counts as having no text."""
FEWEST_LETTERS = 500
"""Number of letters below which their statistics are meaningless."""

_LATIN_SHARES = {
    "e": 12.5, "t": 8.8, "a": 8.2, "o": 7.0, "i": 7.5, "n": 7.2, "s": 6.9, "r": 6.4, "h": 4.2, "l": 4.4, "d": 3.9,
    "c": 3.4, "u": 3.1, "m": 2.7, "f": 2.0, "p": 2.2, "g": 1.8, "w": 1.5, "y": 1.3, "b": 1.4, "v": 1.1, "k": 0.8,
    "x": 0.2, "j": 0.2, "q": 0.4, "z": 0.3,
}  # fmt: skip
"""Frequencies of letters [per cent], roughly the mean for English, French, German, Spanish and Italian."""
_MOST_ODD = 0.25
_LOWEST_LIKENESS = 0.75
_FEWEST_COMMON = 0.05
_CAPITAL_WITHIN = re.compile("[a-z][A-Z]")
_MOST_MIXED = 0.2
"""Maximum share, in a legible text, of words with a capital letter after a lower-case one."""
_COMMON = words(
    "the of and to in a is that for with as are by we this from on an be at which it not was have "
    "der die und das von den mit im zu des ist ein für auf dem nicht eine wird "
    "le la les des et en un une du que pour dans est qui par sur au plus "
    "el los las del y por con para se una como al il di che per della è sono gli dei"
)


class Legibility(StrEnum):
    """State of a page's text."""

    LEGIBLE = "legible"
    EMPTY = "empty"
    GARBLED = "garbled"


def legibility(text: str) -> Legibility:
    """Judge the text of a page by its letters and its most common words."""
    characters = [letter for letter in text if not letter.isspace()]
    if sum(letter.isalnum() for letter in characters) < FEWEST_CHARACTERS:
        return Legibility.EMPTY if len(characters) < FEWEST_CHARACTERS else Legibility.GARBLED
    odd = sum(unicodedata.category(letter) in {"Co", "Cn", "Cc", "Cs"} or letter == "\ufffd" for letter in characters)
    if odd > _MOST_ODD * len(characters):
        return Legibility.GARBLED
    letters = Counter(letter for letter in text.lower() if "a" <= letter <= "z")
    alphabetic = sum(letter.isalpha() for letter in characters)
    if alphabetic < FEWEST_LETTERS or letters.total() < 0.5 * alphabetic:
        return Legibility.LEGIBLE  # A table, or a script other than Latin.
    tokens = text.split()
    common = sum(token.lower() in _COMMON for token in tokens) / len(tokens)
    mixed_share = sum(_CAPITAL_WITHIN.search(token) is not None for token in tokens) / len(tokens)
    is_writing = mixed_share <= _MOST_MIXED and (common >= _FEWEST_COMMON or _likeness(letters) >= _LOWEST_LIKENESS)
    return Legibility.LEGIBLE if is_writing else Legibility.GARBLED


def _likeness(letters: Counter[str]) -> float:
    """Return the cosine between the letter frequencies of a text and those of European languages, [0, 1]."""
    product = sum(letters[letter] * share for letter, share in _LATIN_SHARES.items())
    lengths = math.hypot(*letters.values()) * math.hypot(*_LATIN_SHARES.values())
    return product / lengths
