"""Recognises capitalised words that do not name a thing: fragments of longer names, bare prefixes of catalogues,
two-letter abbreviations, and words that also occur in lower case.
"""

import re

from pathfinder.assessment.target_names.kinds import MOLECULE, NamedTarget
from pathfinder.assessment.target_names.words import MOLECULES
from pathfinder.index.words import QUESTION_STOP_WORDS, stems

_HAVE_CATALOGUES = frozenset(("survey", "instrument", "experiment", "data set"))
"""Kinds of things that, like the facilities of a field, may share their names with catalogues: "OGLE"."""
_GENERIC = frozenset(
    "pilot deep wide large legacy main first second early data public all-sky sky new next full final key science "
    "extended follow-up preliminary space ground".split()
)
"""Words that precede the noun for a kind without naming anything."""
_ABBREVIATED_NOUNS = frozenset(("method", "model"))
_COMPOUND = re.compile(
    r"-(?:bearing|based|like|rich|poor|driven|induced|selected|type|band|mass|dominated|only|free|dependent|scale|sized|"
    r"corrected|informed|trained|aware|style|[a-z]+ed)$"
)
"""Endings that turn a name into an adjective: "N-bearing", "Gaia-based"."""
_OPEN_BEFORE = re.compile(
    r"(?:\$[^$\s]{1,20}\$|[α-ωΑ-Ω]|(?<![\w.])(?:[B-HJ-Z]|[A-Z]{2}|alpha|beta|gamma|delta|epsilon|zeta|eta)|\d)[\s~]$"
)
"""Beginning of a designation that ends with the name: "δ Scuti", "T Tauri", "2025 N1"."""
_SPELLS_AN_ACRONYM = re.compile(r"(?<![\w-])[A-Z]{2,}[a-z]{3,}(?!\w)")
"""A word whose capitals are part of an acronym: "EXtreme PREcision"."""
_TYPE_BEHIND = re.compile(
    r"\s(?:(?!(?:of|for|to|that|which|in|with)\b)[\w-]+\s){0,2}(?:codes?|simulations?|methods?|solvers?)\b"
)
_CAPITALISED_BEHIND = re.compile(r"[\s~]([A-Z][a-z]+)\b")


def is_fragment(target: NamedTarget, text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]`, found next to the noun of `target`, is only a fragment, not a name in its own
    right.
    """
    name = text[start:end]
    if _COMPOUND.search(name) or _OPEN_BEFORE.search(text[max(0, start - 24) : start]):
        return True
    if re.fullmatch(r"[A-Za-z]-?[A-Za-z]", name) or _SPELLS_AN_ACRONYM.search(name):
        return True
    if target.kind == MOLECULE and not re.fullmatch(MOLECULES, name):
        return True
    if _is_a_type(text, start, end) or _is_ordinary_abbreviation(target, name, text):
        return True
    may_be_catalogue = target.kind in _HAVE_CATALOGUES or target.kind in target.facilities
    if not may_be_catalogue and name.casefold() in target.catalogues:
        return True
    return _is_cut_off(target, text, start, end) or _is_written_small(name, text)


def _is_a_type(text: str, start: int, end: int) -> bool:
    """Return whether an article shows that a word in capitals is a type of thing: "an RHD code", not "the SOC code"."""
    is_one_of_many = re.search(r"\b[Aa]n?\s$", text[max(0, start - 3) : start]) is not None
    return is_one_of_many and text[start:end].isupper() and _TYPE_BEHIND.match(text, end) is not None


def _is_ordinary_abbreviation(target: NamedTarget, name: str, text: str) -> bool:
    """Return whether a text introduces a name as the abbreviation of ordinary words: "radial velocity (RV)". Methods
    and models are exempt, because many are called by such abbreviations.
    """
    if target.kind in _ABBREVIATED_NOUNS or not name.isupper() or not name.isalpha():
        return False
    long_form = "[a-z -]{0,24}?".join(name.lower())
    return re.search(rf"(?<![\w-]){long_form}[a-z]*\s\(\s?{name}s?[);,]", text) is not None


def is_generic(target: NamedTarget, name: str) -> bool:
    """Return whether a name consists only of words that describe things of its kind, or that occur in the question:
    "Pilot Survey", or "Radio Bursts" in a question about surveys of radio bursts.
    """
    parts = [part.casefold() for part in re.split(r"[\s-]+", name)]
    nouns = {form for noun in target.nouns for form in (noun, f"{noun}s")}
    own = target.modifiers.union(*target.contexts)
    is_described = all(part in _GENERIC | nouns for part in parts)
    return is_described or set(stems(parts, QUESTION_STOP_WORDS)) <= own


def is_within_a_designation(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` is a part of a longer designation: "N1" of "C/2025 N1", "HD" of "HD 20794"."""
    return re.search(r"\d[\s~]$", text[max(0, start - 2) : start]) is not None or (
        text[start:end].isalpha() and re.match(r"[\s~]\d{3,}", text[end:]) is not None
    )


def _is_cut_off(target: NamedTarget, text: str, start: int, end: int) -> bool:
    """Return whether the capitalised word after a name is part of it. The noun for its kind is not, nor is an ordinary
    word after a name of one word: "SKIRT Monte Carlo code".
    """
    behind = _CAPITALISED_BEHIND.match(text, end)
    if behind is None:
        return False
    word = behind[1].casefold()
    is_ordinary = word in target.no_names and " " not in text[start:end]
    return not is_ordinary and not any(word.startswith(noun.rstrip("y")) for noun in target.nouns)


def _is_written_small(name: str, text: str) -> bool:
    """Return whether a name that is a single word, such as "Coronagraph", also appears in the text in lower case."""
    return name.istitle() and name.isalpha() and re.search(rf"(?<!\w){name.lower()}s?(?!\w)", text) is not None
