"""Criteria that papers meet, fail or leave open: read from a question, or as a reader words them."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import NamedTuple

from pathfinder.answering.assessment.values.kinds import field_kinds
from pathfinder.answering.assessment.values.target import QuantityTarget, target_quantity
from pathfinder.corpus.wording import Abbreviation
from pathfinder.errors import UsageError
from pathfinder.index.words import content_stems, words
from pathfinder.profile import Profile
from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.quantities.measurements import measurements
from pathfinder.text.quantities.units import Unit
from pathfinder.text.quantities.written_numbers import LOWER, UPPER, Quantity

MAX_CRITERIA, MAX_LENGTH = 6, 80


# What a criterion demands: a number within bounds; a thing, a method or a kind of work; or that it is not there.


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of work, such as a simulation, with the words that tell it."""

    name: str
    named: re.Pattern[str]
    """Words with which readers ask for it."""
    told: re.Pattern[str]
    """Words with which papers say that they are, or rest on, such work."""
    hinted: re.Pattern[str]
    """These, and words that may stand for such work."""
    opposites: tuple[str, ...]
    """Names of the kinds of work that a sentence shows in its place."""
    is_named: bool
    """True if papers of this kind name it, so that it is telling if one does not."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits on the value of a quantity, or on the number of things."""

    least: float
    most: float
    """Limits in base units; infinite if there is none."""
    target: QuantityTarget | None
    """Quantity; `None` if things are counted."""
    counted: frozenset[str]
    """Stems of words for the things that are counted."""

    def holds(self, low: float, high: float) -> bool | None:
        """Return whether what lies between `low` and `high` is within the limits, or beyond them; `None` if it may be
        either. A quantity that equals a limit is neither, but as many things as the limit says are enough.
        """
        if self.target is not None and low == high and low in (self.least, self.most):
            return None
        if self.least <= low and high <= self.most:
            return True
        return False if high < self.least or low > self.most else None


class Form(NamedTuple):
    """Words for what a criterion names."""

    stems: frozenset[str]
    acronyms: frozenset[str]
    """Those of the words that must be acronyms in a text, too: "FAST", not "fast"."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """A condition that a paper meets, fails or leaves open."""

    text: str
    """As the reader words it: "not simulations"."""
    phrase: str
    """Without "not": "simulations"."""
    wordings: tuple[str, ...]
    """The phrase, or those that it joins by "or"."""
    is_exclusion: bool
    bounds: Bounds | None
    """`None` if it names a thing, a method or a kind of work."""
    kind: Kind | None
    """`None` if it names no kind of work."""
    forms: tuple[Form, ...]
    """The words of the phrase, and those of its other forms: "active galactic nuclei" beside "AGN"."""


@cache
def kinds_of_work() -> dict[str, Kind]:
    """Return the kinds of work in `kinds.toml`, by name."""
    table = tomllib.loads(files(__package__).joinpath("kinds.toml").read_text(encoding="utf-8"))
    return {
        name: Kind(
            name,
            _any_of(entry["named"]),
            _any_of(entry["told"]),
            _any_of(entry["told"] + entry.get("hinted", [])),
            tuple(entry.get("opposites", ())),
            "hinted" not in entry,
        )
        for name, entry in table.items()
    }


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


# A criterion as a reader words it.

_NOT = re.compile(
    r"(?:but\s+)?(?:not|no|without|excluding|except(?:\s+for)?)\s+(?:(?:about|using|with|any|the|an?)\s+){0,2}(?=\S)"
    r"|[-−](?=[A-Za-z])",
    re.IGNORECASE,
)
_ASKS = {
    "far": "beyond closer farther further nearer within",
    "hot": "cooler colder hotter warmer",
    "old": "older younger",
    "heavy": "heavier lighter",
    "wide": "bigger larger smaller wider",
    "bright": "brighter fainter",
    "fast": "faster slower",
}
"""Adjectives with which a question asks for a quantity ("How far?"), each with the words of criteria about it."""
_MORE = re.compile(r"\b(?:beyond|farther|further|older|hotter|above|past|over)\b", re.IGNORECASE)
_LESS = re.compile(r"\b(?:within|closer|nearer|younger|cooler|colder|below|under)\b", re.IGNORECASE)
_WORD_OR_NUMBER = re.compile(r"[^\W\d_]{2,}\w*|\d\w*")
_ACRONYM = re.compile(r"\b[A-Z]{2,}\b")
_SYMBOL = re.compile(r"(?<!\w)([A-Za-z]{1,3})\s*[<>=≤≥~≲≳]")
_JOINTS = re.compile(
    r"\s*(?:[-–—−]|[<≤≲]=?\s*\w+\s*[<≤≲]=?|[>≥≳]=?\s*\w+\s*[>≥≳]=?|\b(?:to|(?P<and>and))\b(?:\s*[A-Za-z]{1,3}\s*[=~])?)\s*"
)
"""What joins the ends of a range: "2-4", "2 < z < 4", "2 to 4", "between z = 2 and z = 4"."""
_BETWEEN = re.compile(r"\b(?:between|from)\b[^\d,;]*$", re.IGNORECASE)
_ANY_THING = content_stems("object source candidate event system member target sample thing")
"""Stems of words that stand for whatever is counted."""
_OPEN = Bounds(-float("inf"), float("inf"), None, frozenset())
"""Limits on several things at once, which no sentence is compared with."""


def read_criterion(text: str, profile: Profile, abbreviations: Sequence[Abbreviation] = ()) -> Criterion:
    """Read a criterion; `abbreviations` are those of the corpus.

    Raises `UsageError` if it is empty, has more than `MAX_LENGTH` characters, or names nothing to look for.
    """
    tidy = " ".join(text.split())
    if not 1 <= len(tidy) <= MAX_LENGTH:
        raise UsageError(f"the criterion {tidy[:MAX_LENGTH]!r} has {len(tidy)} characters: use 1 to {MAX_LENGTH}")
    phrase = _without_denial(tidy)
    kind = next((kind for kind in kinds_of_work().values() if kind.named.fullmatch(phrase)), None)
    bounds = None if kind else _bounds(phrase, profile)
    defined = ((each.short, each.long) for each in abbreviations)
    rows = (*profile.names.forms, *_whole_names(profile.other_names), *defined)
    pairs = [pair for row in rows for pair in permutations(row, 2)]
    wordings = tuple(_alternatives(phrase))
    forms = tuple(dict.fromkeys(form for each in wordings for form in _forms(each, pairs)))
    if not (kind or bounds or forms):
        raise UsageError(
            f"the criterion {tidy!r} names nothing to look for: write a thing, a method or a value, such as "
            "'magnetic fields', 'not simulations' or 'z > 6'"
        )
    return Criterion(tidy, phrase, wordings, phrase != tidy, bounds, kind, forms)


def _without_denial(text: str) -> str:
    denial = _NOT.match(text)
    return text[denial.end() :] if denial else text


def _alternatives(phrase: str) -> Iterator[str]:
    """Yield a phrase, or each that it joins by "or": "pulsar timing or glitches", "O or B stars"."""
    *first, last = phrase.split(" or ")
    noun = last.split()[-1]
    for each in filter(content_stems, first):  # not the O of "O or B type stars"
        if len(each.split()) > 1 or len(last.split()) == 1:
            yield each
        yield f"{each} {noun}"
    yield last


@cache
def _whole_names(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Return rows of other names without those of which the stems drop a word or number: "our Galaxy", "Messier 8"."""
    return tuple(
        tuple(name for name in row if len(content_stems(name)) == len(_WORD_OR_NUMBER.findall(name))) for row in rows
    )


def _forms(phrase: str, pairs: Sequence[tuple[str, str]]) -> Iterator[Form]:
    """Yield the words of a phrase, then those with another name in the place of one."""
    own, acronyms = content_stems(plain_text(phrase)), frozenset(_ACRONYM.findall(phrase))
    if own:
        yield Form(own, acronyms)
    for name, other in pairs:
        if (named := content_stems(name)) and named <= own and (others := content_stems(other)):
            kept = acronyms.difference(_ACRONYM.findall(name))
            yield Form(own - named | others, kept.union(_ACRONYM.findall(other)))


def _bounds(phrase: str, profile: Profile) -> Bounds | None:
    numbers = measurements(phrase)
    if not numbers:
        return None
    if len(numbers) > 1 and not _is_range(phrase, numbers):
        return _OPEN
    least, most = _limits(phrase, numbers)
    number, behind = numbers[-1], phrase[numbers[-1].end :]
    if least == -float("inf") and most == float("inf"):
        return None
    target = _target(phrase, f"{phrase[: numbers[0].start]} {behind}", number.unit, profile)
    if target is None and (number.unit is not None or not content_stems(behind)):
        return None
    own = content_stems(behind) - _ANY_THING
    return Bounds(least, most, target, own or _ANY_THING | content_stems(" ".join(profile.names.things)))


def _is_range(phrase: str, numbers: Sequence[Quantity]) -> bool:
    """Return whether two numbers are the ends of one range, rather than limits on different things."""
    if len(numbers) > 2 or len({number.unit and number.unit.dimensions for number in numbers}) > 1:
        return False
    first, second = numbers
    joint = _JOINTS.fullmatch(phrase, first.end, second.start)
    return joint is not None and (joint["and"] is None or _BETWEEN.search(phrase[: first.start]) is not None)


def _limits(phrase: str, numbers: Sequence[Quantity]) -> tuple[float, float]:
    """Return the least and the most that the numbers allow, in base units."""
    least, most = -float("inf"), float("inf")
    sizes = sorted(number.value * (number.unit.size if number.unit else 1.0) for number in numbers)
    if len(sizes) == 2:
        return sizes[0], sizes[1]
    (number,), before = numbers, phrase[: numbers[0].start]
    if number.limit == LOWER or (number.limit != UPPER and _MORE.search(before)):
        return sizes[0], most
    return (least, sizes[0]) if number.limit == UPPER or _LESS.search(before) else (least, most)


def _target(phrase: str, rest: str, unit: Unit | None, profile: Profile) -> QuantityTarget | None:
    """Return the quantity that the words or the symbol of a criterion name; `None` if the unit is not one of its."""
    names = [f"What is the value of the {rest}?"]
    if symbol := _SYMBOL.search(phrase):
        kinds = (kind for kind in field_kinds(profile).kinds if re.fullmatch(kind.symbols, symbol[1]))
        names += [f"What is the value of the {kind.name}?" for kind in kinds]
    if unit is not None:
        own = {*words(rest)}
        names += [f"How {adjective}?" for adjective, forms in _ASKS.items() if own & {*forms.split()}]
    targets = (target_quantity(name, profile) for name in names)
    dimensions = unit.dimensions if unit else ()
    return next((target for target in targets if target and dimensions in target.kind.dimensions), None)


# The criteria in a question: its clauses, each of which begins with a preposition, a participle or a comparison.

_EXCLUDED = re.compile(
    r"[,;]?\s(?:but\s+)?(?:not|without|excluding|except(?:\s+for)?)\s+(?:about\s+)?(?P<words>[^,;.?!]+)", re.IGNORECASE
)
_AND = re.compile(r"(?<!\s)\s+(?:and|or)\s+", re.IGNORECASE)
_RANGE = re.compile(
    r"\b(?:between|from)(\s[^,;]{0,12}\d\S*(?:\s[a-z]{1,4})?)\s(?:and|to)\s(?=[^,;]{0,12}\d)", re.IGNORECASE
)
_COMPARISON = (
    r"(?:older|younger|larger|smaller|hotter|cooler|heavier|brighter|fainter|closer|farther|nearer|more|less|fewer)\s+than\b|"
    r"(?:at\s+(?:least|most)|between|beyond|within|above|below|over|under)\s[^,;\s]{0,3}\s?[=~]?\s?\d"
)
_CLAUSE = re.compile(
    rf"[,;]\s*|(?:^|\s)(?={_COMPARISON})|(?:^|\s)(?!{_COMPARISON})(?:\w+(?:ed|seen)\s+)?"
    r"(?:with|by|in|from|of|for|on|at|around|to|using|via|that|which|whose|as|and|are|is|have|has)\s+(?=\S)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"^(?:(?:which|what|find|list|show|give|me|all|any|some|the|an?)\s+)+", re.IGNORECASE)
_NO_CRITERION = content_stems("papers studies study works research articles measurements results literature")
_JOINT = "\x00"


def read_criteria(question: str, profile: Profile) -> tuple[str, ...]:
    """Read the criteria in a question, at most `MAX_CRITERIA`: "dwarf galaxies", "beyond 3 Mpc", "not simulations"."""
    asked = " ".join(question.split()).strip(" ?.!")
    excluded = [f"not {part}" for match in _EXCLUDED.finditer(asked) for part in _AND.split(match["words"])]
    rest = _RANGE.sub(rf"between\1{_JOINT}", _EXCLUDED.sub("", asked))
    clauses: list[str] = []
    for part in _CLAUSE.split(rest):
        clause = _OPENING.sub("", part.replace(_JOINT, " and ").strip())
        is_open = bool(measurements(clause)) and _bounds(clause, profile) is None
        if is_open and clauses and not measurements(clauses[-1]):
            clauses[-1] = f"{clauses[-1]} {clause}"  # "masses" and "below 10 Earth masses"
        elif content_stems(clause) - _NO_CRITERION or measurements(clause):
            clauses.append(clause)
    fitting = (clause for clause in (*clauses, *excluded) if len(clause) <= MAX_LENGTH)
    named = (
        clause
        for clause in fitting
        if content_stems(plain_text(phrase := _without_denial(clause))) or _bounds(phrase, profile)
    )
    return tuple(dict.fromkeys(named))[:MAX_CRITERIA]


def has_conditions(criteria: Sequence[str], profile: Profile) -> bool:
    """Return whether any of the criteria states a number or leaves something out, as a plain question does not."""
    read = (read_criterion(text, profile) for text in criteria)
    return any(criterion.is_exclusion or criterion.bounds is not None for criterion in read)
