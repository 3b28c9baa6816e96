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
    """Dimensions and size of the unit; `None` for a plain number."""
    written_unit: str
    """Unit as written, without LaTeX; empty for a plain number."""
    relative_to: str | None
    """"Jupiter", "Earth" or "Sun" if the number is a multiple of a property of that body."""
    limit: str | None
    """"upper", "lower" or "about"; `None` for a measurement."""
    start: int
    """Position of the measurement's first character in the text."""
    end: int
    """Position after the measurement's last character, with its unit and uncertainty included."""
    power: float = 1.0
    """Factor contained in the value: a power of ten, whether in digits or as a word such as "million"."""
    is_attributive: bool = False
    """True if a hyphen joins the number to its unit: "3.35-day orbital period"."""

    is_broken: bool = False
    """True if the value or one of its uncertainties is not a readable number: "1.068 ± 007", "70 ± 1e400"."""

    @property
    def has_uncertainty(self) -> bool:
        """True if an uncertainty is stated."""
        return self.plus is not None


def round_off(number: float) -> float:
    """Return a number without the noise of binary arithmetic in its last digits."""
    return float(f"{number:.12g}")
