"""Names in an English sentence, and those that its sources lack.

The evidence check asks whether a source names exactly the same entry: "NGC 1068" and "NGC 1067" are siblings that
contradict each other. Rewrites translate names and spell them out, so `fidelity.proper_names` compares them more
loosely; `text.language.entities` finds only names that denote a thing rather than a concept.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pathfinder.text.author_year import ET_AL
from pathfinder.text.english import MONTHS, OPENERS, lower
from pathfinder.text.quantities.units import is_unit
from pathfinder.text.spelling import without_possessive
from pathfinder.text.wordlists import words

_WORD = re.compile(r"[^\W_][\w+*.'’-]*[^\W_*+]?[*+]?|[^\W_]")
_DESIGNATION = re.compile(r"(?=\S*[^\W\d_])(?=\S*\d)(?!\d+(?:st|nd|rd|th|s|D|x)?$)[^\W_][\w+*.-]*")
_BEHIND = re.compile(
    r"\s(\d(?:[\w+.-]*[\w+])?|[A-Z]{1,2}\d(?:[\w.-]*\w)?|I{1,3}|IV|VI{0,3}|IX|X)(?![\w])(?:\s([b-i])(?![\w.]))?"
)
_SEPARATORS = re.compile(r"[\s_–-]+")
_PLANET = re.compile(r"\s[b-i](?![\w.'’])")
_AUTHOR = re.compile(rf"(?: (?:and|&) [A-Z][\w-]+)?{ET_AL}|['’]s\b")
_OPENING = re.compile(r"(?:^|[.!?:;])[\s\"'“‘(\[]{0,9}$")
LONGEST_NAME = 60
"""Maximum number of characters in a name."""
_OPENERS = lower((*OPENERS, *MONTHS)) | words(
    "about of and or but no not all each some most many two three between among over under within until before during "
    "than universe x-ray x-rays figure fig table section equation paper study source reference ref "
    "step stage phase type class order"
)
"""Words that are not names, even if capitalised."""


@dataclass(frozen=True, slots=True)
class ClaimName:
    """A name and its place in a text."""

    text: str
    start: int
    end: int
    is_designation: bool
    """True if the name contains a number, like the name of a catalogue entry or a model: "NGC 1068", "E5"."""


def names(plain: str) -> tuple[ClaimName, ...]:
    """Return the designations, acronyms and capitalised words in a text, in order, except capitalised words that open a
    sentence.
    """
    all_names: list[ClaimName] = []
    for match in _WORD.finditer(plain):
        if all_names and match.start() < all_names[-1].end:
            continue
        name = _name(plain, match)
        last = all_names[-1] if all_names else None
        is_alone = last is None or last.is_designation or len(last.text) > LONGEST_NAME
        if name and last and not (is_alone or name.is_designation) and plain[last.end : name.start] == " ":
            all_names[-1] = ClaimName(plain[last.start : name.end], last.start, name.end, False)  # "Milky Way"
        elif name:
            all_names.append(name)
    return tuple(all_names)


def _name(plain: str, match: re.Match[str]) -> ClaimName | None:
    if len(match[0]) > LONGEST_NAME:
        return None
    word, start = without_possessive(match[0].rstrip(".'’-")), match.start()
    end = start + len(word)
    behind = _BEHIND.match(plain, end)
    is_capital = word[:1].isupper() and word.lower() not in _OPENERS
    if behind and is_capital and not (behind[1].isdigit() and len(word) == 1):
        return ClaimName(plain[start : behind.end()], start, behind.end(), True)
    if _DESIGNATION.fullmatch(word) and not _is_quantity(word):
        planet = _PLANET.match(plain, end)
        end = planet.end() if planet else end
        return ClaimName(plain[start:end], start, end, True)
    word = re.split(r"-(?=[a-z]{4})", word)[0]  # "Jupiter-like"
    if not is_capital or len(word) < 2 or is_unit(word):
        return None
    is_author = _AUTHOR.match(plain, end) is not None
    if is_author or sum(letter.isupper() for letter in word) >= 2 or not _opens_sentence(plain, start):
        return ClaimName(word, start, start + len(word), False)
    return None


def _is_quantity(word: str) -> bool:
    """Distinguish a quantity, such as "5nm", "10-20%" or "3.2e5", from a name such as "67P" or "2MASS"."""
    return re.fullmatch(
        r"[-\d.,]+(?:[a-zμ]+|[A-Za-zμ]{1,2}|[kMG]?(?:pc|yr|Hz|eV)|e[-+]?\d+)?", word
    ) is not None and not (re.fullmatch(r"\d+(?![MB]$)[A-Z]{1,2}", word))


def _opens_sentence(plain: str, start: int) -> bool:
    return _OPENING.search(plain[max(0, start - 10) : start]) is not None


def lacks(name: ClaimName, lowercase_text: str) -> bool:
    """Return whether `lowercase_text` lacks `name`, ignoring spaces and hyphens; an acronym may be spelled out."""
    if _holds(name.text, lowercase_text):
        return False
    if not name.is_designation and " " in name.text:
        return not all(_holds(word, lowercase_text) for word in name.text.split())
    if name.is_designation or not name.text.isupper() or len(name.text) < 3:
        return True
    initials = "".join(re.findall(r"(?<![^\W_])[^\W\d_]", lowercase_text.replace("-", " ")))
    return name.text.lower() not in initials


@lru_cache(maxsize=256)
def _without_separators(lowercase_text: str) -> str:
    return _SEPARATORS.sub("", lowercase_text)


def _holds(name: str, lowercase_text: str) -> bool:
    letters = _SEPARATORS.sub("", name.lower())
    if letters not in _without_separators(lowercase_text):
        return False  # the usual case, and much faster to check
    pattern = r"[\s_–-]*".join(re.escape(letter) for letter in letters)
    return re.search(rf"(?<![^\W_]){pattern}(?:s|es)?(?![^\W_])", lowercase_text) is not None


def siblings(name: ClaimName, others: Sequence[ClaimName]) -> tuple[ClaimName, ...]:
    """Return the designations in `others` that could be mistaken for `name`: the same letters with another number, or a
    single different character.
    """
    if not name.is_designation:
        return ()
    return tuple(other for other in others if other.is_designation and _is_sibling(_shape(name), _shape(other)))


def _shape(name: ClaimName) -> str:
    return re.sub(r"[\s_–-]+", "", name.text.lower())


def _is_sibling(shape: str, other: str) -> bool:
    if shape == other:
        return False
    first, second = (re.match(r"[^\d]*", text) for text in (shape, other))
    same_letters = first is not None and second is not None and first[0] == second[0] and len(first[0]) > 0
    other_number = re.findall(r"\d+", shape) != re.findall(r"\d+", other)
    return (same_letters and other_number) or (
        len(shape) == len(other) and sum(a != b for a, b in zip(shape, other, strict=True)) == 1
    )
