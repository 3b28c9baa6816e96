"""Spellings of numbers and units in LaTeX, replaced by plain text of the same length."""

import re
from functools import partial

from pathfinder.text.latex.same_length import plain_signs

_TIE = re.compile(r"(?<=[\w$}).])~(?=[\\{$(])")
"""Tildes that stand for a space before LaTeX."""

_SAME_LENGTH = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\bthousand million\b", "billion"),
        (r"\bmillion million\b", "trillion"),
        (r"\bfor each\b", "per"),
        (r"(?<![A-Za-z])([MLRZ])\s{0,16}_?\s{0,24}(?:⊙|solar\b|sun\b|Sun\b|odot\b)", r"\1⊙"),
        (r"(?<![A-Za-z])([MR])\s{0,16}_\s{0,24}(?:J(?:up)?|jup)(?![A-Za-z])", r"\1J"),
        (r"(?<![A-Za-z])([MR])\s{0,16}_?\s{0,24}⊕|(?<![A-Za-z])([MR])\s{0,16}_\s{0,24}[Ee](?:arth)?(?![A-Za-z])", "E"),
        (r"(?<=\d)([MR])e\b", "E"),
        (r"\bkms\s{0,8}\^\s{0,8}-\s?1", "km/s"),
        (r"\^\s{0,8}°", "°"),
        (r"\bkm\s{0,2}/\s{0,2}sec\b", "km/s"),
        (r"(?<=\d)\s{0,9}h(?:_?\d\d)?\s{0,8}\^\s{0,8}-\s?1(?=\s{0,24}(?:[GMk]?pc|M⊙))", " "),
        (r"\(1-?σ\)", " "),
        (r"(?<=\d)~(?=\d{3}(?!\d))", " "),
    )
)
"""Spellings of numbers and units, and the shorter ones that replace them, padded with spaces."""


def plain_text_of(text: str) -> str:
    """Return `text` in the form in which measurements are read: without LaTeX, but of the same length."""
    plain = plain_signs(_TIE.sub(" ", text))
    for pattern, replacement in _SAME_LENGTH:
        plain = pattern.sub(partial(_fill, replacement=replacement), plain)
    return plain


def _fill(match: re.Match[str], replacement: str) -> str:
    short = next(filter(None, match.groups()), "") + "E" if replacement == "E" else match.expand(replacement)
    return short.ljust(len(match[0]))
