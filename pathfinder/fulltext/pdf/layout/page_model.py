"""A page of a PDF as plain values: runs of glyphs in one style, and the lines that they form.

Positions are in points (1/72 inch) from the top left corner of the page: `top` < `bottom`.
"""

from collections import Counter
from dataclasses import dataclass

from pathfinder.fulltext.document import Box


@dataclass(frozen=True, slots=True)
class Style:
    """The appearance of a glyph: size in points, weight and slant, and whether its font is mathematical."""

    size: float
    bold: bool = False
    italic: bool = False
    mathematical: bool = False


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character with its position; `across` and `baseline` are those of its origin. A space has no style of its
    own.
    """

    text: str
    style: Style
    box: Box
    baseline: float
    across: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring characters in a line, all in one style."""

    text: str
    style: Style
    raised: bool = False
    """True if it is above the baseline, in a smaller size: an exponent, or a footnote mark."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text in one column; `page` counts from 1. A soft hyphen (U+00AD) ends a line that divides a word."""

    page: int
    runs: tuple[Run, ...]
    box: Box
    baseline: float
    cells: int = 1
    """Number of pieces with white space between them, as in the rows of a table."""

    @property
    def text(self) -> str:
        """Characters of the line."""
        return "".join(run.text for run in self.runs)

    @property
    def style(self) -> Style:
        """Style of most of its characters."""
        counts: Counter[Style] = Counter()
        for run in self.runs:
            counts[run.style] += len(run.text.replace(" ", ""))
        return counts.most_common(1)[0][0]

    @property
    def size(self) -> float:
        """Font size of most of its characters [points]."""
        return self.style.size

    def share(self, *, bold: bool = False, italic: bool = False, mathematical: bool = False) -> float:
        """Return the share of its characters that are bold, italic or in a mathematical font, [0, 1]."""
        total = matching = 0
        for run in self.runs:
            count = len(run.text.replace(" ", ""))
            total += count
            style = run.style
            if (bold and style.bold) or (italic and style.italic) or (mathematical and style.mathematical):
                matching += count
        return matching / total if total else 0.0


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page with its lines, in the order in which the file draws them; `number` counts from 1."""

    number: int
    width: float
    height: float
    lines: tuple[TextLine, ...]
    aside: str = ""
    """Text that runs in another direction than the lines."""
    is_turned: bool = False
    """True if the lines do not run from left to right on the page as it is shown."""
