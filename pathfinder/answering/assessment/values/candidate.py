"""Values that may answer the question, and a choice of the plausible ones among them: those that agree with the values
whose sentences name the quantity.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from pathfinder.text.latex.letters import SUPERSCRIPTS
from pathfinder.text.quantities.measurements import plain_text_of
from pathfinder.text.quantities.unit_table import WITH_PREFIX
from pathfinder.text.quantities.units import Unit, unit_at
from pathfinder.text.quantities.written_numbers import ABOUT, LOWER, RANGE, UPPER
from pathfinder.types import StatedValue

LOG_MASS = "log M⊙"
PLAUSIBLE = 5.0
PLAUSIBLE_WITH_OWN_UNIT = 10.0
"""Factors by which a value whose sentence does not name the quantity may differ from the median of those whose
sentences do; the larger factor applies if the unit alone identifies the quantity.
"""
FOREIGN = 300.0
"""Factor by which a value may differ from the median of all values, if the question names the object."""
FEWEST_FOR_FOREIGN = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that may answer the question, and what its sentence says about it."""

    stated_value: StatedValue
    sentence_start: int
    sentence_end: int
    """Start and end of its sentence in the text."""
    size: float
    """Value in the base units of its dimensions, in which values are compared."""
    dimensions: tuple[tuple[str, int], ...]
    is_sure: bool
    """True if its sentence names the quantity."""
    likeness: float
    """Number of the question's nouns in its sentence; those in its own phrase count twice. A limit of the kind asked
    for adds 2.
    """
    has_own_unit: bool = False
    """True if its unit alone identifies the quantity: km/s/Mpc."""
    is_only: bool = False
    """True if the paper's title names the object, and no other value in the paper could be meant."""
    is_part: bool = False
    """True if it belongs to a part of the object; its `of` names the part."""
    n_lacking: int = 0
    """Number of the question's `owners` that neither its sentence nor the title names."""


def least_lacking(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Leave out candidates that lack more of the question's things than one whose sentence names the quantity."""
    fewest = min((candidate.n_lacking for candidate in candidates if candidate.is_sure), default=math.inf)
    return [candidate for candidate in candidates if candidate.n_lacking <= fewest]


def plausible(candidates: Sequence[Candidate], *, is_one_object: bool = False) -> tuple[Candidate, ...]:
    """Leave out values whose sentences do not name the quantity if they are far from those whose sentences do. If all
    values should belong to one object, also leave out those of a quite different order of magnitude.

    If no sentence names the quantity for values of the same dimensions, a value stays only if its unit alone identifies
    the quantity, or if its paper, whose title names the object, states no other value that could be meant.
    """
    candidates = least_lacking(candidates)
    sure = [candidate for candidate in candidates if candidate.is_sure]
    middles = {
        dimensions: _middle([c.size for c in sure if c.dimensions == dimensions])
        for dimensions in {candidate.dimensions for candidate in sure}
    }
    near = tuple(
        candidate
        for candidate in candidates
        if candidate.is_sure
        or _is_near(candidate, middles.get(candidate.dimensions))
        or ((candidate.is_only or candidate.has_own_unit) and candidate.dimensions not in middles)
    )
    middle = _middle([candidate.size for candidate in near])
    if not is_one_object or middle is None or len(near) < FEWEST_FOR_FOREIGN:
        return near
    return tuple(c for c in near if c.size <= 0.0 or 1.0 / FOREIGN <= c.size / middle <= FOREIGN)


def _middle(sizes: Sequence[float]) -> float | None:
    logs = sorted(math.log(size) for size in sizes if size > 0.0)
    return math.exp(logs[len(logs) // 2]) if logs else None


def _is_near(candidate: Candidate, middle: float | None) -> bool:
    if middle is None or candidate.size <= 0.0:
        return False
    factor = PLAUSIBLE_WITH_OWN_UNIT if candidate.has_own_unit else PLAUSIBLE
    return 1.0 / factor <= candidate.size / middle <= factor


# Values in different units, converted to a single unit.


@dataclass(frozen=True, slots=True)
class ComparableValue:
    """A value in the common unit of several values, with its uncertainties."""

    stated_value: StatedValue
    value: float
    low: float
    """Lower end of its error bar: the statistical and systematic uncertainties are added in quadrature."""
    high: float

    @property
    def ends(self) -> tuple[float, ...]:
        """The two ends of a range; otherwise the value alone."""
        return (self.low, self.high) if self.stated_value.limit == RANGE else (self.value,)


@dataclass(frozen=True, slots=True)
class ComparableValues:
    """Values that can be compared, in one unit."""

    unit: str
    """The most common unit; empty for plain numbers."""
    values: tuple[ComparableValue, ...]
    left_out: tuple[StatedValue, ...]
    """Values with other dimensions, which cannot be compared with `values`."""


def comparable(values: Sequence[StatedValue]) -> ComparableValues:
    """Convert the values with the most common dimensions to their most common unit, and leave out the others."""
    units = [_unit(value.unit) for value in values]
    counts = Counter(unit.dimensions if unit else () for unit in units)
    if not counts:
        return ComparableValues("", (), ())
    dimensions = counts.most_common(1)[0][0]
    fits = [(unit.dimensions if unit else ()) == dimensions for unit in units]
    names = Counter(value.unit.removeprefix("log ") for value, fit in zip(values, fits, strict=True) if fit)
    name = names.most_common(1)[0][0]
    common = _unit(name)
    size = common.size if common else 1.0
    comparable_values = tuple(
        _convert(value, (unit.size if unit else 1.0) / size)
        for value, unit, is_fitting in zip(values, units, fits, strict=True)
        if is_fitting
    )
    left_out = tuple(value for value, is_fitting in zip(values, fits, strict=True) if not is_fitting)
    return ComparableValues(name, comparable_values, left_out)


def _unit(words: str) -> Unit | None:
    """Return the unit that `words` stand for; for a logarithm, the unit of its argument."""
    text = plain_text_of(words.removeprefix("log "))
    return unit_at(text, 0)[0] if text else None


def _convert(stated_value: StatedValue, factor: float) -> ComparableValue:
    plus = _in_quadrature(stated_value.plus, stated_value.plus_systematic)
    minus = _in_quadrature(stated_value.minus, stated_value.minus_systematic)
    ends = (stated_value.value, stated_value.value - minus, stated_value.value + plus)
    if stated_value.unit == LOG_MASS:
        ends = (10.0 ** ends[0], 10.0 ** ends[1], 10.0 ** ends[2])
    return ComparableValue(stated_value, ends[0] * factor, ends[1] * factor, ends[2] * factor)


def _in_quadrature(statistical: float | None, systematic: float | None) -> float:
    return math.hypot(statistical or 0.0, systematic or 0.0)


LEAST_SIGMA = 3.0
MOST_SIGMA = 10.0
"""Distance, in standard deviations, beyond which two values are more likely to measure different things than to
disagree: of the real pairs that were marked (benchmarks/TENSIONS.md), none farther apart was a true tension.
"""


def sigma_between(first: StatedValue, second: StatedValue) -> float | None:
    """Return the distance between two values, converted to one unit, in standard deviations of their difference.

    If errors are asymmetric, those on the side of the other value count. `None` if the values cannot be converted into
    one unit, if an error is 0, if one of them is a range, or if the text states an interval, whose width is more than
    one standard deviation.
    """
    values = comparable((first, second)).values
    is_interval = any(each.interval is not None for each in (first, second))
    if len(values) < 2 or RANGE in (first.limit, second.limit) or is_interval:
        return None
    low, high = sorted(values, key=lambda each: each.value)
    error = math.hypot(low.high - low.value, high.value - high.low)
    return (high.value - low.value) / error if error > 0 else None


# Writes a value in the form that readers are used to.


def in_usual_unit(value: StatedValue) -> StatedValue:
    """Return a value with the prefix that suits its unit: 13.7 Gyr for 13,700,000,000 years, 285 kpc for 285,000
    parsecs.
    """
    unit = _unit(value.unit)
    for symbol, prefixed in WITH_PREFIX.items():
        if unit == unit_at(symbol, 0)[0]:
            for name, factor in prefixed:
                if abs(value.value) >= factor:
                    errors = (value.plus, value.minus, value.plus_systematic, value.minus_systematic)
                    plus, minus, *systematic = (None if error is None else error / factor for error in errors)
                    return replace(
                        value,
                        value=value.value / factor,
                        plus=plus,
                        minus=minus,
                        plus_systematic=systematic[0],
                        minus_systematic=systematic[1],
                        unit=name,
                    )
    return value


SMALLEST, LARGEST = 1e-3, 1e6
"""Numbers between which no power of ten is written."""


def value_as_text(value: StatedValue) -> str:
    """Return a value with its limit, uncertainties and unit: "73.04 ± 1.04 km/s/Mpc", "< 0.12 eV", "(1.37 ± 0.02) ×
    10¹⁰ years", "12 to 13 Gyr".
    """
    pairs = [
        (plus, minus)
        for plus, minus in ((value.plus, value.minus), (value.plus_systematic, value.minus_systematic))
        if plus is not None and minus is not None
    ]
    is_range = value.limit == RANGE
    if value.interval and pairs:
        ends = " to ".join(number_as_text(end) for end in (value.value - pairs[0][1], value.value + pairs[0][0]))
        plain = replace(value, plus=None, minus=None, interval=None)
        return f"{value_as_text(plain)} ({value.interval} {ends})"
    low, high = (value.value - pairs[0][1], value.value + pairs[0][0]) if is_range else (value.value, 0.0)
    exponent = _shared_exponent([low, high] if is_range else [low, *chain(*pairs)])
    scale = 10.0**exponent
    further = [f"to {number_as_text(high / scale)}"] if is_range else [_error(*each, scale) for each in pairs]
    text = " ".join([number_as_text(low / scale), *further])
    text = f"({text}) × {_power(exponent)}" if exponent else text
    limit = {UPPER: "<", LOWER: ">", ABOUT: "about"}.get(value.limit or "", "")
    return " ".join(filter(None, [limit, text, value.unit]))


def _shared_exponent(numbers: Sequence[float]) -> int:
    """Return the power of ten that a value and its errors are written with: 6 for (4.31 ± 0.06) × 10⁶."""
    sizes = [abs(number) for number in numbers if number]
    if len(numbers) == 1 or not sizes or SMALLEST <= max(sizes) < LARGEST or min(sizes) < SMALLEST * max(sizes):
        return 0
    return math.floor(math.log10(max(sizes)))


def _error(plus: float, minus: float, scale: float) -> str:
    if math.isclose(plus, minus):
        return f"± {number_as_text(plus / scale)}"
    return f"+{number_as_text(plus / scale)} −{number_as_text(minus / scale)}"


def describe(value: StatedValue) -> str:
    """Return the quantity of a value and, if its sentence says so, the thing that the value belongs to, and that it
    became known later: "total stellar mass of the disk".
    """
    owner = f" of {value.of}" if value.of else ""
    return f"{value.quantity}{owner}{', known after the paper' if value.is_later else ''}"


def number_as_text(number: float) -> str:
    """Return a number with at most eight digits: "67.4", "1.85 × 10¹¹"."""
    if number and not SMALLEST <= abs(number) < LARGEST:
        exponent = math.floor(math.log10(abs(number)))
        return f"{number / 10.0**exponent:.5g} × {_power(exponent)}"
    return f"{number:.8g}"


def _power(exponent: int) -> str:
    return f"10{str(exponent).translate(SUPERSCRIPTS)}"
