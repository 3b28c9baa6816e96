"""Abbreviations that a text defines, as in "active galactic nuclei (AGN)".

The long form is found as by Schwartz & Hearst 2003, Pacific Symposium on Biocomputing 8, 451: the letters of the short
form are looked for from right to left in the words before the brackets, and its first letter must begin a word.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from pathfinder.text.english import CONJUNCTIONS, PREPOSITIONS, lower

_IN_BRACKETS = re.compile(r"\(([A-Z0-9][A-Za-z0-9&/+-]{1,9})(?=[;,)])")
_SENTENCE_END = re.compile(r"[.;:!?()]\s")
_SHORT = re.compile(r"(?=.{0,8}[A-Z].{0,8}[A-Z])[A-Z0-9][A-Za-z0-9&/+-]{1,9}")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PLURAL = re.compile(r"(?<=[A-Z])s$")
_FIRST_WORD = re.compile(r"[^\s\u2010-\u2014-]+")
_NO_BEGINNINGS = lower((*CONJUNCTIONS, *PREPOSITIONS))
_WINDOW = 160
"""Number of letters before the brackets in which a long form is looked for."""


def definitions(text: str) -> Iterator[tuple[str, str]]:
    """Yield each short form that `text` defines, in the singular, with its long form as written."""
    for match in _IN_BRACKETS.finditer(text):
        short = _PLURAL.sub("", match[1])
        if _SHORT.fullmatch(short) is None:
            continue
        before = text[max(0, match.start() - _WINDOW) : match.start()].rstrip()
        before = _SENTENCE_END.split(before)[-1]
        long_form = _long_form(short, before)
        if long_form is not None:
            yield short, long_form


def with_long_forms(text: str, defined: Iterable[tuple[str, str]]) -> str:
    """Return `text`, followed by the long forms of those of the `defined` short forms that it uses."""
    used = (long for short, long in defined if re.search(rf"(?<!\w){re.escape(short)}s?(?!\w)", text))
    return " ".join((text, *used))


def paired_keywords(keywords: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the short forms among a paper's `keywords` whose letters begin the words of another: "CMB" beside "cosmic
    microwave background".
    """
    for short in filter(_SHORT.fullmatch, keywords):
        for other in keywords:
            initials = "".join(word[0] for word in _WORD.findall(other))
            if len(initials) > 1 and initials.casefold() == short.casefold():
                yield short, other


def _long_form(short: str, before: str) -> str | None:
    """Return the shortest end of `before` in which the letters of `short` occur in order, the first of them at the
    start of a word; `None` if there is none, or if it has too many words to be a name.
    """
    words = before.split()
    most = min(len(short) + 5, 2 * len(short))
    before = " ".join(words[-most:])
    place = len(before)
    letters = [letter for letter in short.casefold() if letter.isalnum()]
    folded = before.casefold()
    if len(folded) != len(before):
        return None
    for number, letter in reversed(list(enumerate(letters))):
        place = folded.rfind(letter, 0, place)
        while place >= 0 and number == 0 and not _begins_a_name(folded, place):
            place = folded.rfind(letter, 0, place)
        if place < 0:
            return None
    long_form = before[place:].strip(" \"'“”‘’,")
    is_name = len(long_form) > len(short) and len(_WORD.findall(long_form)) > 1 and short not in long_form
    return long_form if is_name and _first_letters_agree(short, long_form) else None


def _begins_a_name(folded: str, place: int) -> bool:
    """Return whether a word begins at `place` with which a name may begin: not "and" or "of"."""
    word = _WORD.match(folded, place)
    is_start = place == 0 or not folded[place - 1].isalnum()
    return is_start and word is not None and word[0] not in _NO_BEGINNINGS


def _first_letters_agree(short: str, long_form: str) -> bool:
    """Return whether at least half of the capitals of `short` begin words of `long_form`, so that a chance run of
    letters is no long form.
    """
    initials = [word[0].casefold() for part in _FIRST_WORD.findall(long_form) for word in _WORD.findall(part)[:1]]
    capitals = [letter.casefold() for letter in short if letter.isalpha()]
    return 2 * sum(capital in initials for capital in capitals) >= len(capitals)
