"""Decides whether amounts in two texts are equal, in any language and unit."""

from pathfinder.text.quantities.quantities import Quantity

SAME = 1e-9
"""Relative difference below which values in the same unit are equal."""
SAME_CONVERTED = 1e-3
"""Relative difference below which values in different units are equal: a year has 365.25 or 365 days."""


def have_same_value(quantity: Quantity, other: Quantity) -> bool:
    """Return whether two numbers may have the same value, whatever their units."""
    return any(_is_same(a, b) for a in quantity.values for b in other.values)


def are_same_amount(quantity: Quantity, other: Quantity) -> bool:
    """Return whether two numbers are the same amount of the same thing."""
    unit, other_unit = quantity.unit, other.unit
    if unit is None or other_unit is None:
        return unit is other_unit and have_same_value(quantity, other)
    tolerance = SAME if _is_same(unit.size, other_unit.size) else SAME_CONVERTED
    return unit.dimensions == other_unit.dimensions and any(
        _is_same(a * unit.size, b * other_unit.size, tolerance) for a in quantity.values for b in other.values
    )


def _is_same(a: float, b: float, tolerance: float = SAME) -> bool:
    return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b))
