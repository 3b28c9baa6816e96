"""A name in a paper's text or title, and how well the words around it fit the question."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pathfinder.answering.assessment.target_names.kinds import (
    MOLECULE,
    MOLECULES,
    SAME_NAMES,
    NamedTarget,
    with_rays_joined,
)
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.text.author_names import YEAR_IN_TEXT
from pathfinder.text.sentences import sentence_spans

LEAST_CONTEXT = 0.75
LEAST_CONTEXT_OF_MISSION = 0.6
LEAST_CONTEXT_OF_LISTED = 0.5
LEAST_CONTEXT_OF_A_LINE = 0.33
LEAST_CONTEXT_OF_ITS_PAPER = 0.6
"""Minimum share of the question's words after the noun that must occur in the sentence or the title. It is lower for
missions and designations, whose kind is certain, and lowest for lines of an answer that are kept without naming
anything; the papers of such lines must contain more of these words.
"""
_DENIAL = re.compile(
    r"\b(?:non-?detections? of|(?:do|does|did) not (?:detect|find|see|include|use)|no (?:evidence|signs?|detections?) "
    r"(?:of|for)|upper limits? (?:on|for)|unlike|rather than|instead of)\b[^.;]*$",
    re.IGNORECASE,
)
"""Words that, before a name, show that the sentence is not about it: "non-detections of", "unlike"."""


@dataclass(frozen=True, slots=True)
class NameInText:
    """A name in a paper's text. If it is only in the title, `start` and `end` are both the start of the text's first
    sentence.
    """

    name: str
    start: int
    end: int
    sentence_start: int
    sentence_end: int
    fit: float
    """Share, in [0, 1], of the question's words before the noun that are in the name's sentence or the title, or half
    the share in the whole text if that is larger; 0 if the words after the noun do not fit.
    """
    is_subject: bool = False
    """True if both the title and the text contain the name, so that the paper presents it."""


def key_of(name: str, facilities: tuple[str, ...] = ()) -> str:
    """Return the form in which names are compared: "RADMC-3D" and "RADMC3D" are the same, "Planck 2018" is "Planck",
    and "OH" is "hydroxyl". `facilities` are nouns that may follow a name: "Gaia satellite".
    """
    bare = _suffix(facilities).sub("", name) or name
    key = re.sub(r"[\s_–-]+", "", bare).casefold()
    return SAME_NAMES.get(key, key)


@cache
def _suffix(facilities: tuple[str, ...]) -> re.Pattern[str]:
    nouns = "|".join(("code", "collaboration", "survey", "data", *facilities))
    return re.compile(rf"\s(?:{nouns}|{YEAR_IN_TEXT})$", re.IGNORECASE)


def locate(
    target: NamedTarget,
    title: str,
    text: str,
    span: tuple[int, int],
    sentence: tuple[int, int],
    *,
    least_context: float = LEAST_CONTEXT,
    name: str | None = None,
) -> NameInText:
    """Return the name at `span` in `sentence`, with its fit to the question; `name` is a name found only in the title.

    If the title contains the name of something man-made, or begins with that of a mission, the paper presents it, and
    the words after the noun may be anywhere in its text. This does not hold for things found in nature: a paper may be
    about other aspects of them.
    """
    near, whole = f"{title} {text[slice(*sentence)]}", f"{title} {text}"
    name = name or text[slice(*span)]
    is_subject = span[0] < span[1] and key_of(name, target.facilities) in key_of(title, target.facilities)
    fit = max(_share(target.modifiers, near), 0.5 * _share(target.modifiers, whole))
    in_sentence = max((_share(context, near) for context in target.contexts), default=1.0) >= least_context
    in_paper = max((_share(context, whole) for context in target.contexts), default=1.0) >= LEAST_CONTEXT
    is_presented = target.designation is None and is_subject and (not target.has_missions or _begins(name, title))
    if not (in_sentence or (is_presented and in_paper)):
        fit = 0.0
    if _DENIAL.search(text[sentence[0] : span[0]]) or not all(other in near for other in target.names):
        fit = 0.0
    return NameInText(name, *span, *sentence, fit, is_subject)


def _begins(name: str, title: str) -> bool:
    return re.match(rf"(?:Introducing |The )?{re.escape(name)}(?!\w)", title, re.IGNORECASE) is not None


def _share(own: frozenset[str], text: str) -> float:
    """Return the share of the question's words in `own` that occur in `text`; 1 if there are none."""
    return len(own & _stems(text)) / len(own) if own else 1.0


def describes(target: NamedTarget, text: str, paper: str | None = None) -> bool:
    """Return whether a text contains at least a third of the words that follow the noun in the question, and its
    `paper` most of them; if "or" separates alternatives, the words of one alternative suffice.
    """

    def share(part: str) -> float:
        return max((_share(context, part) for context in target.contexts), default=1.0)

    return share(text) >= LEAST_CONTEXT_OF_A_LINE and (paper is None or share(paper) >= LEAST_CONTEXT_OF_ITS_PAPER)


def has_half(modifiers: frozenset[str], text: str) -> bool:
    """Return whether a text contains at least half of `modifiers`, the question's words before the noun."""
    return 2 * len(modifiers & _stems(text)) >= len(modifiers)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(words(with_rays_joined(text)), QUESTION_STOP_WORDS))


def only_in_title(
    target: NamedTarget, title: str, text: str, name: str, *, least_context: float = LEAST_CONTEXT
) -> Iterator[NameInText]:
    """Yield a name that is only in the title, with the position of the text's first sentence."""
    for start, end in sentence_spans(text)[:1]:
        yield locate(target, title, text, (start, start), (start, end), least_context=least_context, name=name)


# Recognises capitalised words that do not name a thing: fragments of longer names, bare prefixes of catalogues,
# two-letter abbreviations, and words that also occur in lower case.

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
