"""Measurement: a number in a text, with its unit, uncertainty and limit."""

from dataclasses import dataclass

from pathfinder.text.quantities.units import Unit

UPPER, LOWER, ABOUT = "upper", "lower", "about"


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number in a text, with everything that belongs to it."""

    value: float
    plus: float | None
    """Upper uncertainty; the statistical one, if a systematic one is stated separately."""
    minus: float | None
    """Lower uncertainty, as a positive number."""
    plus_systematic: float | None
    minus_systematic: float | None
    unit: Unit | None
    """Unit by dimension and size; `None` for a plain number."""
    written_unit: str
    """Unit as written, without LaTeX; empty for a plain number."""
    relative_to: str | None
    """"Jupiter", "Earth" or "Sun" for a multiple of one of their properties."""
    limit: str | None
    """"upper", "lower" or "about"; `None` for a measurement."""
    start: int
    """Position of its first character in the text."""
    end: int
    """Position after its last character, including its unit and uncertainty."""
    power: float = 1.0
    """Power of ten, or the factor of a word such as "million", that is part of it."""
    is_attributive: bool = False
    """True if a hyphen joins it to its unit: "3.35-day orbital period"."""

    is_broken: bool = False
    """True if it or one of its uncertainties is not a readable number: "1.068 ± 007", "70 ± 1e400"."""

    @property
    def has_uncertainty(self) -> bool:
        """True if an uncertainty is stated."""
        return self.plus is not None


def round_off(number: float) -> float:
    """Return a number without the noise of binary arithmetic in its last digits."""
    return float(f"{number:.12g}")
