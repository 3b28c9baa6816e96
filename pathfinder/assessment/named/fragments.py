"""Recognises capitalised words that are no name of a thing: fragments of longer names, bare prefixes of catalogues,
two-letter abbreviations, and words that are also written small.
"""

import re

from pathfinder.assessment.named.kinds import NamedTarget
from pathfinder.assessment.named.words import NO_NAMES
from pathfinder.missions.gazetteer import gazetteer_of

_HAVE_CATALOGUES = frozenset(("survey", "mission", "telescope", "instrument", "experiment", "data set"))
"""Kinds of things that may be called what catalogues are called: "OGLE"."""
_COMPOUND = re.compile(
    r"-(?:bearing|based|like|rich|poor|driven|induced|selected|type|band|mass|dominated|only|free|dependent|scale|sized|"
    r"corrected|informed|trained|aware|style|[a-z]+ed)$"
)
"""Endings that turn a name into an adjective: "N-bearing", "Gaia-based"."""
_OPEN_BEFORE = re.compile(
    r"(?:\$[^$\s]{1,20}\$|[α-ωΑ-Ω]|(?<![\w.])(?:[B-HJ-Z]|[A-Z]{2}|alpha|beta|gamma|delta|epsilon|zeta|eta)|\d)[\s~]$"
)
"""Beginning of a designation of which the name is the rest: "δ Scuti", "T Tauri", "2025 N1"."""
_CAPITALISED_BEHIND = re.compile(r"[\s~]([A-Z][a-z]+)\b")


def is_fragment(target: NamedTarget, text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]`, found beside the noun of `target`, is no name of its own."""
    name = text[start:end]
    if _COMPOUND.search(name) or _OPEN_BEFORE.search(text[max(0, start - 24) : start]):
        return True
    if re.fullmatch(r"[A-Za-z]-?[A-Za-z]", name):
        return True
    if target.kind not in _HAVE_CATALOGUES and name.casefold() in gazetteer_of().catalogues:
        return True
    return _is_cut_off(target, text, start, end) or _is_written_small(name, text)


def is_within_a_designation(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` is a part of a longer designation: "N1" of "C/2025 N1", "HD" of "HD 20794"."""
    return re.search(r"\d[\s~]$", text[max(0, start - 2) : start]) is not None or (
        text[start:end].isalpha() and re.match(r"[\s~]\d{3,}", text[end:]) is not None
    )


def _is_cut_off(target: NamedTarget, text: str, start: int, end: int) -> bool:
    """Return whether a capitalised word continues the name: neither the noun nor, behind a single word, an ordinary
    word as in "SKIRT Monte Carlo code".
    """
    behind = _CAPITALISED_BEHIND.match(text, end)
    if behind is None:
        return False
    word = behind[1].casefold()
    is_ordinary = word in NO_NAMES and " " not in text[start:end]
    return not is_ordinary and not any(word.startswith(noun.rstrip("y")) for noun in target.nouns)


def _is_written_small(name: str, text: str) -> bool:
    """Return whether the text also writes a name of one ordinary word with a small first letter: "Coronagraph"."""
    return name.istitle() and name.isalpha() and re.search(rf"(?<!\w){name.lower()}s?(?!\w)", text) is not None
