"""The type for a value in a sentence that may answer the question."""

from dataclasses import dataclass

from pathfinder.types import StatedValue

LOG_MASS = "log M⊙"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value in a sentence that may answer the question."""

    stated: StatedValue
    sentence_start: int
    sentence_end: int
    """Positions of its sentence in the text."""
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
    is_vague: bool = False
    """True if neither its unit nor its sentence says which quantity it is: km/s may be a speed or a spread."""
