"""Assessment of a result: how far its hits can be trusted."""

from dataclasses import dataclass
from enum import StrEnum


class Spread(StrEnum):
    """The three shapes of a result (arXiv:2408.01556, figure 4); the rule is in `assessment/assess.py`."""

    ONE_CLUSTER = "one cluster"
    TWO_CLUSTERS = "two clusters"
    BROAD = "broad"

    @property
    def label(self) -> str:
        """Name of the shape for readers, who know "broad" as a style of answer: they are told "far apart" instead."""
        return "far apart" if self is Spread.BROAD else self.value


@dataclass(frozen=True, slots=True)
class Outliers:
    """Distance of each hit from the centroid of the others, and the two cut-offs for this number of hits."""

    distances: tuple[float, ...]
    """Leave-one-out centroid distances, Euclidean on unit vectors, [0, 2]."""
    cutoff_calibrated: float | None
    """95th percentile of such distances in healthy neighbourhoods, each made up of the nearest neighbours of a random
    paper; `None` if the corpus is too small.
    """
    cutoff_paper: float | None
    """95th percentile (D95) of nearest-neighbour distances minus 0.1, as published; `None` if the corpus is too small.
    """


@dataclass(frozen=True, slots=True)
class Assessment:
    """Trustworthiness of the hits as a whole."""

    relevance: float
    """Probability that the corpus is relevant to the question, [0, 1]."""
    is_relevant: bool
    """True if an answer is given rather than "I don't know"."""
    spread: Spread | None
    """Shape of the result; `None` if there are fewer than four hits, or if the corpus has fewer than 20 papers and
    cannot be calibrated.
    """
    outliers: Outliers | None
    """Outliers among the hits; `None` if there are fewer than two hits."""
