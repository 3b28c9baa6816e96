"""Running text from lines: words divided at the end of a line are joined again, and compounds keep their hyphens."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pathfinder.fulltext.document import Figure, Paragraph, Section
from pathfinder.fulltext.pdf.layout.glyphs import SOFT_HYPHEN
from pathfinder.fulltext.pdf.layout.page_model import Run, TextLine
from pathfinder.text.english import words

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*(?:-[^\W\d_]+)*")
_END = re.compile(rf"(?<![^\W_])([^\W_]+)[-\u2010{SOFT_HYPHEN}]$")
_START = re.compile(r"[^\W_]+")
_SHORTEST_PART = 3
_NUMBERS = re.compile(r"(?>[\s\d,;+\u2212\u2013-]*\d)[\s\d,;\u2013-]*")
_SUPERSCRIPTS = str.maketrans("0123456789+-\u2212\u2013", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")

JOINING_PREFIXES = words(
    "photo micro inter super sub over under multi astro spectro electro magneto hydro thermo circum extra intra trans "
    "tele mono poly iso bio geo helio kilo mega giga nano infra ultra counter fore para peri proto pseudo"
)
"""Prefixes that are joined to the rest of the word without a hyphen in English, although both parts are words in their
own right.
"""


def vocabulary(lines: Iterable[TextLine]) -> Counter[str]:
    """Count the undivided words within lines, in lower case; compounds are left as they are."""
    counts: Counter[str] = Counter()
    for line in lines:
        text = line.text
        counts.update(
            word.lower() for word in _WORD.findall(text[: text.rfind(" ") + 1] if _END.search(text) else text)
        )
    return counts


def flowing_text(
    lines: Sequence[TextLine], word_counts: Mapping[str, int], lexicon: Collection[str], marks: Collection[str]
) -> str:
    """Return lines as running text, without the superscript footnote marks in `marks`."""
    text = ""
    for line in lines:
        words_of_line = (_with_superscripts(run) for run in line.runs if not (run.raised and run.text.strip() in marks))
        text = joined_texts(text, "".join(words_of_line), word_counts, lexicon)
    return text.replace(SOFT_HYPHEN, "-").strip()


def joined_texts(first: str, second: str, word_counts: Mapping[str, int], lexicon: Collection[str]) -> str:
    """Return two parts of a paragraph as one text."""
    end, start = _END.search(first), _START.match(second)
    if end is None or start is None:
        return f"{first} {second}" if first else second
    hyphen = "-" if keeps_hyphen(end[1], start[0], word_counts, lexicon) else ""
    return first[:-1] + hyphen + second


def keeps_hyphen(first: str, second: str, word_counts: Mapping[str, int], lexicon: Collection[str]) -> bool:
    """Return whether the hyphen between two parts of a word belongs to it, as in "star-forming" but not in
    "infor-mation". If the word occurs elsewhere in the document, its spelling there decides; if not, the lexicon of
    everyday English does.
    """
    left, right = first.lower(), second.lower()
    whole, compound = left + right, f"{left}-{right}"
    if word_counts.get(whole) or word_counts.get(compound):
        return word_counts.get(compound, 0) > word_counts.get(whole, 0)
    if not second[0].islower() or first[-1].isdigit():
        return True
    if whole in lexicon or left in JOINING_PREFIXES:
        return False
    both = (left in lexicon or left in word_counts) and (right in lexicon or right in word_counts)
    return both and min(len(left), len(right)) >= _SHORTEST_PART


def _with_superscripts(run: Run) -> str:
    """Return the text of a run, with raised numbers, such as exponents and citations, as superscripts."""
    return run.text.translate(_SUPERSCRIPTS) if run.raised and _NUMBERS.fullmatch(run.text) else run.text


@dataclass(frozen=True, slots=True)
class PdfText:
    """Everything that was read from a PDF; warnings list the parts that could not be read."""

    title: str
    sections: tuple[Section, ...]
    figures: tuple[Figure, ...]
    references: tuple[str, ...]
    footnotes: tuple[Paragraph, ...]
    pages: int
    warnings: tuple[str, ...]
    picture_pages: frozenset[int] = frozenset()
    """Numbers of the pages that were recognised from their images."""
    turned_pages: frozenset[int] = frozenset()
    """Numbers of the pages whose text runs sideways as they are shown, so that places on them mean nothing there."""
    front_lines: tuple[str, ...] = ()
    """Lines of the first page other than running text: heads, title, authors, addresses."""
