"""How wide text is in a picture, and how it is made to fit.

The font is the one that Pillow carries, so that a picture's bytes do not depend on what a machine has installed. It
has the letters of Western Europe; others are written by their names or without their accents.
"""

import unicodedata
from functools import lru_cache

from PIL import ImageFont
from PIL.ImageFont import FreeTypeFont

from pathfinder.errors import MissingDependency

LINE_HEIGHT = 1.25
"""Of the size of the font, from line to line."""


@lru_cache(32)
def font(size: float) -> FreeTypeFont:
    """The font at a size in pixels."""
    found = ImageFont.load_default(size)
    if not isinstance(found, FreeTypeFont):
        raise MissingDependency("this Pillow was built without FreeType: install Pillow from its wheel")
    return found


def text_width(text: str, size: float) -> float:
    """In pixels."""
    return float(font(size).getlength(text))


def shortened(text: str, size: float, width: float) -> str:
    """`text`, cut with an ellipsis if it is wider than `width` pixels."""
    if text_width(text, size) <= width:
        return text
    kept = text
    while kept and text_width(f"{kept.rstrip()}...", size) > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}..."


def wrapped(text: str, size: float, width: float) -> list[str]:
    """`text` in lines of at most `width` pixels; a longer word is cut."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(shortened(word, size, width))
    return [line for line in lines if line]


def drawable(text: str) -> str:
    """`text` in the letters that the font has: a Greek letter as its name, an accent that it lacks left out."""
    return "".join(_drawable(letter) for letter in unicodedata.normalize("NFC", text))


@lru_cache(1024)
def _drawable(letter: str) -> str:
    if ord(letter) < 0x7F or _is_in_font(letter):
        return letter
    name = unicodedata.name(letter, "")
    if name.startswith("GREEK") and "LETTER" in name:
        spelled = name.split("LETTER ")[1].split(" ")[0].lower()
        return spelled.capitalize() if "CAPITAL" in name else spelled
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or "?"


def _is_in_font(letter: str) -> bool:
    # What a font lacks it draws as one and the same box.
    return font(20).getmask(letter).getbbox() is not None and bytes(font(20).getmask(letter)) != bytes(
        font(20).getmask("\uffff")
    )
