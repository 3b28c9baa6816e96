"""Values in different units, converted to a single unit."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pathfinder.assessment.values.candidate import LOG_MASS
from pathfinder.text.quantities.spellings import plain_text_of
from pathfinder.text.quantities.units import Unit, unit_at
from pathfinder.types import StatedValue


@dataclass(frozen=True, slots=True)
class ComparableValue:
    """A value in the common unit of several values, with its uncertainties."""

    stated_value: StatedValue
    value: float
    low: float
    """Lower end of its error bar: the statistical and systematic uncertainties are added in quadrature."""
    high: float


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
    name = _commonest(value.unit for value, is_fitting in zip(values, fits, strict=True) if is_fitting)
    common = _unit(name)
    size = common.size if common else 1.0
    comparable_values = tuple(
        _convert(value, (unit.size if unit else 1.0) / size)
        for value, unit, is_fitting in zip(values, units, fits, strict=True)
        if is_fitting
    )
    left_out = tuple(value for value, is_fitting in zip(values, fits, strict=True) if not is_fitting)
    return ComparableValues(name, comparable_values, left_out)


def _commonest(units: Iterable[str]) -> str:
    """Return the most common unit; for a logarithm, without "log"."""
    return Counter(unit.removeprefix("log ") for unit in units).most_common(1)[0][0]


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
