"""Features: directions among the vectors of a corpus, each named by phrases, and how far papers have them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathfinder.types.papers import Paper

MIN_AUC = 0.8
"""Minimum AUC of a name, measured on papers that were not used to choose it; a feature whose name does worse is shown
without one.
"""

SEPARATOR = " / "
"""Text between the phrases of a name."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature of a corpus, with the result of the test of its name."""

    number: int
    """Position in the dictionary of features, counted from 0."""
    phrases: tuple[str, ...]
    """Phrases chosen on half of the papers, the most telling first; empty if none is telling."""
    auc: float | None
    """Probability that a paper with the feature contains more of the phrases than a paper without it, on the other
    half of the papers, ties counting half: [0, 1]. `None` if there were too few papers to test.
    """
    n_papers: int
    """Number of papers in which the feature is active."""
    is_named: bool
    """True if the AUC is at least `MIN_AUC`, and no feature with a higher AUC has the same phrases."""

    @property
    def name(self) -> str | None:
        """The phrases, separated by slashes; `None` unless the feature has a name that passed its test."""
        return SEPARATOR.join(self.phrases) if self.is_named else None


@dataclass(frozen=True, slots=True, eq=False)
class Activations:
    """The features that are active in each of n papers; all others have the activation 0."""

    names: tuple[str | None, ...]
    """Name of each feature of the corpus; `None` for one without a name."""
    numbers: NDArray[np.int16]
    """Positions of the active features in the dictionary, shape (n, m); -1 where a paper has fewer than m."""
    strengths: NDArray[np.float32]
    """Activations of the features in `numbers`, in [0, 1], shape (n, m)."""

    def of(self, name: str) -> NDArray[np.float64] | None:
        """Return the activation of a feature in each paper, shape (n,); `None` if no feature has this name."""
        if name not in self.names:
            return None
        is_it = self.numbers == self.names.index(name)
        return np.asarray(np.where(is_it, self.strengths, 0.0).sum(axis=1), dtype=np.float64)


class ActivePaper(NamedTuple):
    """A paper in which a feature is active."""

    paper: Paper
    activation: float
    """How active it is, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class FeatureCard:
    """A feature with its strongest papers and its place on the map."""

    feature: Feature
    papers: tuple[ActivePaper, ...]
    """The papers in which the feature is most active, the highest activation first."""
    place: tuple[float, float] | None
    """Place on the map: that of the paper nearest to the mean position of these papers; `None` without a map."""
