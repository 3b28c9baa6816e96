"""Titles and names in a form that is the same for all records of a paper, however they are written."""

import re
import unicodedata
from dataclasses import dataclass

from pathfinder.text.author_names import parse_name
from pathfinder.text.english import ARTICLES, PREPOSITIONS
from pathfinder.text.latex.display import readable
from pathfinder.text.latex.letters import GREEK_NAMES

_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_SUBTITLE = re.compile(r"(?:(?<!\s)\s+)?(?::\s|\s[-–—]+\s|\?\s|\.\s)")
_ROMAN = re.compile(r"[ivxl]{1,6}")
_FUNCTION_WORDS = frozenset((*ARTICLES, *PREPOSITIONS, *"and or its is are as via using".split()))
_MARKERS = frozenset(
    "erratum errata corrigendum corrigenda correction addendum comment comments reply response retraction retracted "
    "withdrawn editorial review supplement discussion".split()
)
"""Words that show that a title belongs to a different paper, such as a correction, a comment or a reply."""


@dataclass(frozen=True, slots=True)
class TitleKey:
    """A title as words without accents, markup, capitals or punctuation."""

    words: tuple[str, ...]
    cuts: frozenset[int]
    """Positions, counted in words, of a colon, a dash or a full stop, after which a subtitle may begin."""
    numbers: tuple[str, ...]
    """Numbers, single letters and Roman numerals, sorted: they denote parts, years and objects."""
    markers: frozenset[str]

    @property
    def letters(self) -> str:
        """The title without spaces."""
        return "".join(self.words).replace(".", "")

    @property
    def n_telling(self) -> int:
        """Number of words that are not function words."""
        return sum(word not in _FUNCTION_WORDS for word in self.words)


def title_key(title: str) -> TitleKey:
    """Return the key of a title."""
    text = _plain(title)
    words = tuple(_WORD.findall(text))
    cuts = frozenset(len(_WORD.findall(text[: match.start()])) for match in _SUBTITLE.finditer(text))
    numbers = sorted(word for word in words if word[0].isdigit() or _ROMAN.fullmatch(word) or len(word) == 1)
    return TitleKey(words, cuts, tuple(word for word in numbers if word != "a"), _MARKERS.intersection(words))


def name_key(author: str) -> str:
    """Return the surname of an author in plain lower case, without particles: "marel" for "van der Marel, R. P."."""
    words = _WORD.findall(_plain(parse_name(readable(author)).last))
    return words[-1] if words else ""


def _plain(text: str) -> str:
    """Return text in lower case without accents; Greek letters are replaced by their names."""
    lowercase_text = readable(text).casefold()
    if lowercase_text.isascii():
        return lowercase_text
    in_latin_letters = "".join(
        f" {GREEK_NAMES[letter]} " if letter in GREEK_NAMES else letter for letter in lowercase_text
    )
    letters = unicodedata.normalize("NFKD", in_latin_letters)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
