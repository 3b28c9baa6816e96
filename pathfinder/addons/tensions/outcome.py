"""Tensions among papers, apart from what finds them, so that the help of a command does not load that."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types import Paper, StatedValue

MAX_COMPARED = 100
"""Maximum number of papers that are compared, each with every other."""


class TensionKind(StrEnum):
    """Kind of disagreement."""

    VALUES = "values"
    """Values of one quantity that are 3 to 10 standard deviations apart."""
    STATEMENTS = "statements"
    """Two sentences, one of which denies what the other says, or says the opposite."""


@dataclass(frozen=True, slots=True)
class TensionSide:
    """One of two findings that disagree."""

    paper: Paper
    quotation: str
    """Sentence from the abstract, verbatim."""
    value: StatedValue | None = None
    """Value in the sentence; `None` for a statement."""
    method: str | None = None
    """Sentence from the abstract that says how the finding was made, verbatim; `None` if there is none."""


@dataclass(frozen=True, slots=True)
class LaterSentence:
    """A sentence from a later paper about a quantity or a subject on which two earlier papers disagree."""

    paper: Paper
    quotation: str


@dataclass(frozen=True, slots=True)
class Tension:
    """Two findings that disagree."""

    kind: TensionKind
    subject: str
    """Subject of the disagreement: the quantity, with its object unless the quantity is a constant; or the words that
    both statements share.
    """
    sides: tuple[TensionSide, TensionSide]
    """The two findings, the one from the earlier paper first."""
    reason: str
    """Reason why they disagree, in words."""
    sigma: float | None = None
    """Distance between two values, in standard deviations of their difference; `None` for statements."""
    later: tuple[LaterSentence, ...] = ()
    """Sentences about the subject from later papers, newest first."""


@dataclass(frozen=True, slots=True)
class Tensions:
    """The tensions among some papers."""

    question: str
    n_papers: int
    """Number of papers that were compared."""
    n_values: int
    """Number of values with an uncertainty that these papers state for a known quantity."""
    tensions: tuple[Tension, ...]
    """Values first, the farthest apart first; then statements, those that share the most words first."""
    notes: tuple[str, ...] = ()
    n_value_pairs: int = 0
    """Number of pairs of papers that state such a value for the same quantity of the same thing."""
    n_too_far: int = 0
    """Number of pairs that are left out because their closest values are more than 10 standard deviations apart, so
    that they are more likely to measure different things than to disagree.
    """
