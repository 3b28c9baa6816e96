"""Text in a matplotlib figure: replacing characters that the font lacks, measuring the width of a text, and describing
shapes in an SVG.

The font is DejaVu Sans as shipped with matplotlib, so that a picture's bytes do not depend on the fonts of the machine.
"""

import io
import unicodedata
from functools import cache
from xml.etree import ElementTree

from matplotlib.artist import Artist
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from pathfinder.types import without_control_characters

FONT = "DejaVu Sans"
NOT_IN_XML = "\ufffe\uffff"
HALO_PIXELS = 4.0
"""Width of the outline around each letter; half of it lies outside the letter."""
HALO = "halo"
TOOLTIP = "tooltip:"
"""Group ids in an SVG, read by `svg_document`: one marks text with a halo; the other, followed by the text of a
tooltip, marks the shape that shows it.
"""


def printable(text: str) -> str:
    """Put `text` on one line, using only letters in the font: other letters lose their accents or become question
    marks.
    """
    return "".join(map(_printable, unicodedata.normalize("NFC", clean(text))))


def clean(text: str) -> str:
    """Put `text` on one line and remove characters that XML forbids."""
    return " ".join("".join(c for c in without_control_characters(text) if c not in NOT_IN_XML).split())


@cache
def _printable(letter: str) -> str:
    if ord(letter) in _letters():
        return letter
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


@cache
def _letters() -> frozenset[int]:
    return frozenset(get_font(findfont(FONT)).get_charmap())


def text_width(text: str, size: float) -> float:
    """Measure the width of `text` in pixels, for a font size in pixels."""
    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(family=FONT, size=size), ismath=False)
    return float(width)


def wrap(text: str, size: float, width: float) -> list[str]:
    """Break `text` into lines of at most `width` pixels; a single word wider than that is cut short."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(shorten(word, size, width))
    return [line for line in lines if line]


def shorten(text: str, size: float, width: float) -> str:
    """Shorten `text` with an ellipsis if it is wider than `width` pixels."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(f"{text}...", size) > width:
        text = text[:-1].rstrip()
    return f"{text}..."


def add_halo(text: Text, colour: str) -> None:
    """Draw an outline of `colour` around each letter, so that `text` is legible on any ground."""
    text.set_gid(HALO)
    text.set_path_effects([withStroke(linewidth=HALO_PIXELS, foreground=colour)])


def add_tooltip(artist: Artist, text: str) -> None:
    """Make an SVG show `text` when a reader points at `artist`; an empty text adds nothing."""
    if text:
        artist.set_gid(TOOLTIP + clean(text))


# Turns a matplotlib figure into an SVG that describes itself, with a title, a description and tooltips; text stays
# text.

FALLBACK_FONTS = "Verdana, sans-serif"
"""Fonts for readers who lack the picture's font; Verdana is equally wide."""
NAMESPACE = "http://www.w3.org/2000/svg"
_NAMESPACES = {"": NAMESPACE, "xlink": "http://www.w3.org/1999/xlink"}
_TEXT = f"{{{NAMESPACE}}}text"
_HALO = {"stroke-width": f"{HALO_PIXELS:g}", "stroke-linejoin": "round", "paint-order": "stroke"}
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def figure_as_svg(figure: Figure, title: str, description: str) -> str:
    """Write the figure as an SVG document with as many pixels as the figure has points; it refers to no other file."""
    for part in figure.findobj(Text):
        part.set_path_effects([])  # Path effects would turn text into outlines.
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata=_NO_METADATA)
    root = ElementTree.fromstring(file.getvalue())  # noqa: S314 matplotlib wrote it just now
    for name in ("width", "height"):
        root.set(name, root.get(name, "").removesuffix("pt"))
    root.set("role", "img")
    root.set("aria-labelledby", "title desc")
    halo = _HALO | {"stroke": to_hex(figure.get_facecolor())}
    # A group id stands for plain SVG, which takes its place.
    for element in list(root.iter()):
        group = element.get("id", "")
        if group.startswith(TOOLTIP):
            del element.attrib["id"]
            element.insert(0, _element("title", group.removeprefix(TOOLTIP)))
        elif group == HALO:
            del element.attrib["id"]
            for letters in element.iter(_TEXT):
                letters.attrib.update(halo)
        elif element.tag == _TEXT:
            element.set("style", element.get("style", "").replace(f"'{FONT}'", f"'{FONT}', {FALLBACK_FONTS}"))
    for place, (name, text) in enumerate((("title", title), ("desc", clean(description)))):
        root.insert(place, _element(name, text, id=name))
    for prefix, address in _NAMESPACES.items():
        ElementTree.register_namespace(prefix, address)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _element(name: str, text: str, **attributes: str) -> ElementTree.Element:
    element = ElementTree.Element(f"{{{NAMESPACE}}}{name}", attributes)
    element.text = text
    return element
