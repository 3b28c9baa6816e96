"""Finds out which quantity a measurement states, from its unit and the words and symbols next to it."""

import re
from dataclasses import dataclass
from enum import Enum

from pathfinder.assessment.values.candidate import LOG_MASS
from pathfinder.assessment.values.kinds import NO_UNIT, RELATIVE, QuantityKind, symbols_of
from pathfinder.assessment.values.measured_sentence import NEAR, MeasuredSentence
from pathfinder.assessment.values.owner import with_qualifier
from pathfinder.assessment.values.target import QuantityTarget
from pathfinder.text.quantities.measurement import Measurement
from pathfinder.text.quantities.units import Unit, unit_at

_LOG = re.compile(
    r"\blog_?\s?(?:10)?\s*\(?\s*_?\s*M[^=]{0,60}=\s*$|\blog_?\s?(?:10)?\s*[({][^=)}]{0,40}M[^=]{0,40}=\s*$"
)


@dataclass(frozen=True, slots=True)
class Fitting:
    """The unit in which a measurement fits the quantity that the question asks for."""

    unit_text: str
    unit: Unit | None
    is_log: bool = False

    @property
    def dimensions(self) -> tuple[tuple[str, int], ...]:
        return self.unit.dimensions if self.unit else NO_UNIT

    def size(self, value: float) -> float:
        number = 10.0**value if self.is_log and value < 100.0 else value
        return number * (self.unit.size if self.unit else 1.0)


def fitting_unit(
    kind: QuantityKind, measurement: Measurement, sentence: MeasuredSentence, place: int
) -> Fitting | None:
    """Return the unit in which a measurement may state a quantity of this kind; `None` if it cannot."""
    if measurement.relative_to:
        symbol = RELATIVE.get(kind.name, {}).get(measurement.relative_to)
        return Fitting(symbol, unit_at(symbol, 0)[0]) if symbol else None
    if kind.name == "mass" and _LOG.search(sentence.before(place)) and measurement.value < 20.0:
        return Fitting(LOG_MASS, unit_at("M⊙", 0)[0], is_log=True)
    if measurement.unit is None:
        if NO_UNIT not in kind.dimensions:
            return None
        is_pure = kind.dimensions == (NO_UNIT,) or _matches(kind, sentence.symbol(place)) or kind.name == "fraction"
        return Fitting("", None) if is_pure else None
    if measurement.unit.dimensions not in kind.dimensions or not measurement.unit.dimensions:
        return None
    return (
        Fitting(measurement.written_unit, measurement.unit) if re.search(kind.unit, measurement.written_unit) else None
    )


def _matches(kind: QuantityKind, symbol: str | None) -> bool:
    return symbol is not None and symbols_of(kind).fullmatch(symbol) is not None


class Naming(Enum):
    """Relation between the words or symbol next to a value and the quantity in question."""

    NAMED = "named"
    UNNAMED = "unnamed"
    OTHER = "other"
    """The words or the symbol name another quantity."""


def naming_of(target: QuantityTarget, sentence: MeasuredSentence, place: int, *, is_log: bool = False) -> Naming:
    """Return whether the words and the symbol next to a measurement name the target quantity, another one or none."""
    kind, measurement = target.kind, sentence.measurements[place]
    label, _, distance = sentence.label(place)
    symbol = sentence.symbol(place)
    is_symbol = _matches(kind, symbol)
    has_unit = measurement.unit is not None or measurement.relative_to is not None
    if kind.is_named and has_unit:
        return _naming_by_unit(kind, label, measurement, is_symbol=is_symbol)
    if is_log:
        return Naming.NAMED if label in (kind, None) else Naming.OTHER
    if is_symbol and (label in (kind, None) or kind.is_named or distance > NEAR):
        return Naming.NAMED
    if symbol and not is_symbol and (not has_unit or label is None or _has_rival(target, symbol)):
        return Naming.OTHER
    if not has_unit:
        return Naming.NAMED if label is kind and distance <= NEAR else Naming.OTHER
    return _naming_by_label(kind, label, measurement)


def _naming_by_unit(
    kind: QuantityKind, label: QuantityKind | None, measurement: Measurement, *, is_symbol: bool
) -> Naming:
    if is_symbol or label is kind:
        return Naming.NAMED
    is_other = label is not None and label.name != "energy" and _fits(label, measurement)
    return Naming.OTHER if is_other else Naming.UNNAMED


def _naming_by_label(kind: QuantityKind, label: QuantityKind | None, measurement: Measurement) -> Naming:
    if label is kind:
        return Naming.NAMED
    if label is None or _are_kin(kind, label) or not _fits(label, measurement):
        return Naming.UNNAMED
    return Naming.OTHER


def _fits(kind: QuantityKind, measurement: Measurement) -> bool:
    """Return whether a measurement has the dimensions of a kind."""
    if measurement.relative_to:
        return kind.name in RELATIVE
    return (measurement.unit.dimensions if measurement.unit else NO_UNIT) in kind.dimensions


def _has_rival(target: QuantityTarget, symbol: str) -> bool:
    """Return whether a symbol stands for another kind with the dimensions of the target."""
    return any(
        _matches(other, symbol) and any(d in other.dimensions for d in target.kind.dimensions)
        for other in target.kinds.kinds
        if other is not target.kind and not other.is_named
    )


def _are_kin(kind: QuantityKind, other: QuantityKind) -> bool:
    return {kind.name, other.name} <= {"radius", "diameter"} or {kind.name, other.name} <= {"speed", "escape velocity"}


def quantity_name(target: QuantityTarget, sentence: MeasuredSentence, place: int) -> str:
    """Return the symbol of the quantity as written in the sentence, or else the name of its kind with any words that
    narrow it.
    """
    symbol = sentence.symbol(place)
    if _matches(target.kind, symbol) and symbol is not None and len(symbol) <= 12:
        return symbol
    label, _, _ = sentence.label(place)
    if label is None or not (label is target.kind or _are_kin(target.kind, label)):
        return target.kind.name
    return with_qualifier(label.name, sentence, place)
