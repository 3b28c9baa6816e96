"""Values that may answer the question, and a choice of the plausible ones among them: those that agree with the values
whose sentences name the quantity.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
    is_vague: bool = False
    """True if neither its unit nor its sentence says which quantity it is: km/s may be a speed or a spread."""


def plausible(candidates: Sequence[Candidate], *, is_one_object: bool = False) -> tuple[Candidate, ...]:
    """Leave out values whose sentences do not name the quantity if they are far from those whose sentences do. If all
    values should belong to one object, also leave out those of a quite different order of magnitude.

    If no sentence names the quantity for values of the same dimensions, a value stays only if its unit alone identifies
    the quantity, or if its paper, whose title names the object, states no other value that could be meant.
    """
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
