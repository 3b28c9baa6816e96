"""Finds all values that a text claims, whatever quantity they belong to."""

from collections.abc import Iterator

from pathfinder.assessment.values.asides import BOUND, aside
from pathfinder.assessment.values.kinds import NO_UNIT, RELATIVE, field_kinds
from pathfinder.assessment.values.measured_sentence import NEAR, MeasuredSentence
from pathfinder.profile import Profile
from pathfinder.text.quantities.decimal_commas import with_decimal_points
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import StatedValue

UNNAMED_QUANTITY = "value"
"""Name given to the quantity if the words next to the value do not name it."""
NO_QUANTITIES = frozenset({("pixels", 1), ("sigma", 1)})
"""Dimensions of numbers that describe how certain something is, or how it was computed."""


def claimed_values(text: str, paper_id: str = "", profile: Profile | None = None) -> tuple[StatedValue, ...]:
    """Return the values that `text` claims, in order, each with the name of its quantity if the words next to it give
    one.

    A number without a unit counts if it has an uncertainty, or if a symbol or the name of a plain quantity comes before
    it. A difference or an uncertainty is named as such. `start` and `end` are positions in `text`. `profile` names the
    quantities of the field, by default astronomy.
    """
    kinds = field_kinds(profile)
    spans, text = sentence_spans(text), with_decimal_points(text)
    return tuple(
        value
        for start, end in spans
        if any(map(str.isdigit, text[start:end])) or "million" in text[start:end]
        for value in _in_sentence(MeasuredSentence(text[start:end], start, kinds), paper_id)
    )


def _in_sentence(sentence: MeasuredSentence, paper_id: str) -> Iterator[StatedValue]:
    for place in range(len(sentence.measurements)):
        quantity = _quantity(sentence, place)
        if quantity is not None:
            yield sentence.as_value(place, paper_id, quantity, _unit(quantity, sentence, place))


def _quantity(sentence: MeasuredSentence, place: int) -> str | None:
    """Return the name of the quantity, its symbol, or `UNNAMED_QUANTITY`; `None` if the number is not a value."""
    measurement = sentence.measurements[place]
    symbol = sentence.symbol(place)
    label, _, distance = sentence.label(place)
    dimensions = measurement.unit.dimensions if measurement.unit else NO_UNIT
    if sentence.is_count(place) or any(dimension in NO_QUANTITIES for dimension in dimensions):
        return None
    if label and (dimensions in label.dimensions or (measurement.relative_to and label.name in RELATIVE)):
        is_named = measurement.unit or measurement.relative_to or distance <= NEAR
        what = aside(label.name, sentence, place) if is_named else None
        name = label.name if what in (None, BOUND) else f"{what} of the {label.name}"
        return name if is_named else symbol
    if measurement.unit or measurement.relative_to:
        return symbol or UNNAMED_QUANTITY
    return symbol or (UNNAMED_QUANTITY if measurement.has_uncertainty else None)


def _unit(quantity: str, sentence: MeasuredSentence, place: int) -> str:
    measurement = sentence.measurements[place]
    if measurement.relative_to is None:
        return measurement.written_unit
    return RELATIVE.get(quantity, {}).get(measurement.relative_to, f"times {measurement.relative_to}")
