"""Pairs of papers, 40 of which disagree: templates filled with real sentences, drawn with a seed.

The first paper of each pair is real, and the second has an abstract of three sentences made by a template. The
templates were written before the method that looks for tensions.
"""

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from pathfinder.assessment.values.stated_values import claimed_values
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Paper, StatedValue

N_PLANTED_VALUES, N_PLANTED_STATEMENTS = 20, 20
N_AGREEING, N_OTHER_OBJECT, N_OTHER_QUANTITY, N_OTHER_UNIT, N_SAME_STATEMENT, N_REAL = 90, 70, 50, 30, 70, 50
"""Numbers of pairs of each kind; 400 in all."""

OPENINGS = (
    "We revisit this question with independent data.",
    "New observations and a larger sample are presented.",
    "This study uses a method that rests on other assumptions.",
    "We analyse archival data with a new pipeline.",
)
CLOSINGS = (
    "The implications for models are discussed.",
    "Future surveys will extend this work.",
    "Our catalogue is made public.",
    "We compare this with simulations.",
)
VALUE_SENTENCES = (
    "We measure a {quantity} of {value} ± {error} {unit} for {object}.",
    "For {object}, the {quantity} is {value} ± {error} {unit}.",
    "Our best estimate of the {quantity} of {object} is {value} ± {error} {unit}.",
    "The {quantity} of {object} is found to be {value} ± {error} {unit}.",
)
CONSTANT_SENTENCES = (
    "We measure a {quantity} of {value} ± {error} {unit}.",
    "The {quantity} is {value} ± {error} {unit}.",
    "Our best estimate of the {quantity} is {value} ± {error} {unit}.",
)
STATEMENTS = ("Our analysis shows that {core}.", "With independent data, we find that {core}.", "Here, {core}.")
SWAPS = (
    (r"\bincreases with\b", "decreases with"),
    (r"\bdecreases with\b", "increases with"),
    (r"\bis consistent with\b", "is inconsistent with"),
    (r"\bare consistent with\b", "are not consistent with"),
    (r"\bhigher\b", "lower"),
    (r"\blower\b", "higher"),
    (r"\blarger than\b", "smaller than"),
    (r"\bsmaller than\b", "larger than"),
    (r"\bstronger\b", "weaker"),
    (r"\bcorrelates with\b", "does not correlate with"),
    (r"\bis dominated by\b", "is not dominated by"),
    (r"\bcan explain\b", "cannot explain"),
    (r"\bcan be explained\b", "cannot be explained"),
    (r"\bprovides evidence\b", "provides no evidence"),
    (r"\bfaster\b", "slower"),
)
FINDING = re.compile(
    r"^(?:We|Our (?:results|analysis|data)) (?:find|show|found|showed|suggest|indicate) that (?P<core>.+)\.$"
)
DESIGNATION = re.compile(r"\b(?:[A-Z]{1,7}|Kepler|Gliese|Abell|Messier)[- ]?[A-Z]?\d[\w.+-]*[\w]")
CONSTANT = "Hubble constant"
REACH = 120
"""Number of characters before a value within which its quantity must be named."""
OTHER_UNITS = {"pc": ("kpc", 1e-3), "kpc": ("pc", 1e3), "Mpc": ("kpc", 1e3), "Myr": ("Gyr", 1e-3), "Gyr": ("Myr", 1e3)}


@dataclass(frozen=True, slots=True)
class MadePair:
    """Two papers, and whether they disagree."""

    kind: str
    first: Paper
    second: Paper
    is_tension: bool


def made_pairs(papers: Sequence[Paper], seed: int) -> tuple[MadePair, ...]:
    """Make 400 pairs from real `papers`; 40 are tensions."""
    rng = random.Random(seed)  # noqa: S311  a sample, not a secret
    shuffled_papers = rng.sample(list(papers), len(papers))
    values, findings = cycle([*_values(shuffled_papers)]), _findings(shuffled_papers)
    # A constant belongs to no object.
    owned_values = cycle([real for real in _values(shuffled_papers[::-1]) if real[1].quantity != CONSTANT])
    lengths_and_ages = cycle([real for real in _values(shuffled_papers[::-1]) if real[1].unit in OTHER_UNITS])
    pairs: list[MadePair] = []

    def add(kind: str, n: int, make: Callable[[], MadePair | None]) -> None:
        n_made = 0
        while n_made < n:
            if pair := make():
                pairs.append(replace(pair, kind=kind))
                n_made += 1

    add("values apart", N_PLANTED_VALUES, lambda: _value_pair(next(values), rng, apart=rng.uniform(4.0, 8.0)))
    add("values agree", N_AGREEING, lambda: _value_pair(next(values), rng, apart=rng.uniform(0.0, 2.0)))
    add("other object", N_OTHER_OBJECT, lambda: _value_pair(next(owned_values), rng, apart=6.0, other_object=True))
    add("other quantity", N_OTHER_QUANTITY, lambda: _value_pair(next(values), rng, apart=6.0, other_quantity=True))
    add("other unit", N_OTHER_UNIT, lambda: _unit_pair(next(lengths_and_ages), rng))
    add("statements opposed", N_PLANTED_STATEMENTS, lambda: _statement_pair(next(findings), rng, is_opposed=True))
    add("statements agree", N_SAME_STATEMENT, lambda: _statement_pair(next(findings), rng, is_opposed=False))
    add("two real papers", N_REAL, lambda: MadePair("", *rng.sample(shuffled_papers, 2), is_tension=False))
    return tuple(pairs)


def _values(papers: Sequence[Paper]) -> Iterator[tuple[Paper, StatedValue]]:
    """Yield, for each paper, the first value with errors that belongs to the Hubble constant or to a designated object.

    The quantity of an object is named before the value, with up to two words that narrow it; the object is designated
    by the sentence or, failing that, by the title.
    """
    for paper in papers:
        title_designations = DESIGNATION.findall(paper.title)
        for value in claimed_values(paper.abstract, paper.paper_id):
            before = paper.abstract[max(0, value.start - REACH) : value.start].rpartition(". ")[2]
            match = re.search(rf"\b(?:an?|the|its) ((?:[\w-]+ ){{0,2}}{re.escape(value.quantity)})\b", before)
            designation = DESIGNATION.search(value.of) if value.of else None
            thing = (
                designation[0]
                if designation
                else title_designations[0]
                if not value.of and len(title_designations) == 1
                else None
            )
            has_errors = value.plus and value.minus and value.limit is None and value.value > 0
            if has_errors and value.quantity == CONSTANT:
                yield paper, replace(value, of=None)
                break
            if has_errors and match and thing:
                yield paper, replace(value, quantity=match[1], of=thing)
                break


def _findings(papers: Sequence[Paper]) -> Iterator[tuple[Paper, str]]:
    for paper in papers:
        for sentence in split_sentences(paper.abstract):
            if (match := FINDING.match(sentence)) and len(match["core"]) < 220:
                yield paper, match["core"]
                break


def _value_pair(
    real: tuple[Paper, StatedValue],
    rng: random.Random,
    apart: float,
    *,
    other_object: bool = False,
    other_quantity: bool = False,
) -> MadePair:
    paper, value = real
    up = rng.random() < 0.5
    own = (value.plus if up else value.minus) or 0.0
    error = own * rng.uniform(0.7, 1.3)
    moved_value = value.value + (1 if up else -1) * apart * (own**2 + error**2) ** 0.5
    if moved_value <= 0:
        moved_value = value.value + apart * ((value.plus or 0.0) ** 2 + error**2) ** 0.5
    is_constant = value.quantity == CONSTANT
    name = f"NGC {rng.randint(9000, 9999)}" if other_object else value.of
    quantity = "scatter" if other_quantity else value.quantity
    templates = CONSTANT_SENTENCES if is_constant and not other_object else VALUE_SENTENCES
    sentence = rng.choice(templates).format(
        quantity=quantity, value=_round_like(moved_value, error), error=f"{error:.2g}", unit=value.unit, object=name
    )
    is_tension = apart > 3.0 and not other_object and not other_quantity
    return MadePair("", paper, _paper(sentence, name or quantity, rng), is_tension)


def _round_like(value: float, error: float) -> str:
    """Write a value to the second significant digit of its error, or as a whole number if the error is 10 or more."""
    digits = 1 - math.floor(math.log10(error))
    return f"{value:.{digits}f}" if digits > 0 else str(round(value))


def _unit_pair(real: tuple[Paper, StatedValue], rng: random.Random) -> MadePair:
    paper, value = real
    unit, factor = OTHER_UNITS[value.unit]
    scaled_value = replace(
        value, value=value.value * factor, plus=(value.plus or 0) * factor, minus=(value.minus or 0) * factor, unit=unit
    )
    pair = _value_pair((paper, scaled_value), rng, apart=rng.uniform(0.0, 1.5))
    return replace(pair, is_tension=False)


def _statement_pair(real: tuple[Paper, str], rng: random.Random, *, is_opposed: bool) -> MadePair | None:
    paper, core = real
    fitting = [(pattern, other) for pattern, other in SWAPS if re.search(pattern, core)]
    if is_opposed and len(fitting) != 1:
        return None
    if is_opposed:
        core = re.sub(*fitting[0], core, count=1)
    sentence = rng.choice(STATEMENTS).format(core=core)
    return MadePair("", paper, _paper(sentence, paper.title, rng), is_opposed)


def _paper(sentence: str, subject: str, rng: random.Random) -> Paper:
    abstract = f"{rng.choice(OPENINGS)} {sentence} {rng.choice(CLOSINGS)}"
    return Paper(f"made-{rng.getrandbits(48):012x}", f"An independent study of {subject}", abstract, year=2024)
