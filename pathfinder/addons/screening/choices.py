"""Choices made in a screening: verdict, order, and the promise of the stopping rule. This module imports nothing that
takes long to load.
"""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.errors import UsageError

CONTROL_EVERY = 10
"""Number of papers after which one is drawn at random."""


class ScreeningVerdict(StrEnum):
    """Decision on a paper."""

    IN = "in"
    OUT = "out"
    LATER = "later"
    """Undecided: the paper comes back after all others."""


class Strategy(StrEnum):
    """Papers that are read first."""

    CERTAINTY = "certainty"
    """The papers most likely to be in."""
    UNCERTAINTY = "uncertainty"
    """The papers about which the model is least sure (Lewis & Gale 1994, arXiv:cmp-lg/9407020)."""


PROMISED_RECALL = 0.95
CONFIDENCE = 0.95
ODDS = 1.5


@dataclass(frozen=True, slots=True)
class Promise:
    """The recall that the stopping rule promises, and how certain the rule must be that it has been reached."""

    recall: float = PROMISED_RECALL
    """Share of all relevant papers in the pool that must have been read, in (0, 1)."""
    confidence: float = CONFIDENCE
    """Share of screenings in which the promise must hold, in (0, 1)."""
    odds: float = ODDS
    """Odds that a relevant paper is read next, relative to those of an irrelevant paper, at least 1; 1 gives the
    published rule.
    """

    def __post_init__(self) -> None:
        for name, value in (("recall", self.recall), ("confidence", self.confidence)):
            if not 0 < value < 1:
                raise UsageError(f"the {name} that a screening promises must be above 0 and below 1, got {value}")
        if not self.odds >= 1:
            raise UsageError(f"the odds that a relevant paper is read next must be at least 1, got {self.odds}")
