"""Writes a value in the form that readers are used to."""

import math

from pathfinder.types import StatedValue


def value_as_text(value: StatedValue) -> str:
    """Return a value with its limit, uncertainties and unit: "73.04 ± 1.04 km/s/Mpc", "< 0.12 eV"."""
    limit = {"upper": "< ", "lower": "> ", "about": "about "}.get(value.limit or "", "")
    errors = [
        _error(plus, minus)
        for plus, minus in ((value.plus, value.minus), (value.plus_systematic, value.minus_systematic))
        if plus is not None and minus is not None
    ]
    return " ".join(filter(None, [f"{limit}{number_as_text(value.value)}", *errors, value.unit]))


def describe(value: StatedValue) -> str:
    """Return the quantity of a value and, if its sentence names it, the thing that the value belongs to: "total stellar
    mass of the disk".
    """
    return f"{value.quantity} of {value.of}" if value.of else value.quantity


def number_as_text(number: float) -> str:
    """Return a number with at most eight digits: "67.4", "1.85 × 10^11"."""
    if number and not 1e-3 <= abs(number) < 1e6:
        exponent = math.floor(math.log10(abs(number)))
        return f"{number / 10.0**exponent:.5g} × 10^{exponent}"
    return f"{number:.8g}"


def _error(plus: float, minus: float) -> str:
    if math.isclose(plus, minus):
        return f"± {number_as_text(plus)}"
    return f"+{number_as_text(plus)} −{number_as_text(minus)}"
