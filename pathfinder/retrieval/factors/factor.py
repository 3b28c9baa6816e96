"""A ranking factor: its name, how its value is measured, and its setting."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pathfinder.types import Candidates, Floats, Paper, Weighting

if TYPE_CHECKING:
    from pathfinder.corpus.store import Corpus
    from pathfinder.retrieval.lookup.passages import PassageSimilarity
    from pathfinder.retrieval.lookup.question import Direction


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The candidates for which a factor is measured, with the question and the corpus."""

    candidates: Candidates
    query: str
    vector: "Direction"
    """The question's unit vector; `None` if the search was not by meaning."""
    corpus: "Corpus"
    fit: "PassageSimilarity | None"
    """Similarity of each passage to the question; `None` without passages or without `vector`."""


Measure = Callable[[Pool], Floats | None]
"""Function that measures every candidate, shape (n,); NaN for a paper without a value, `None` if nothing could be
measured.
"""

Weights = Callable[[Candidates, Weighting], Floats | None]
"""Function that returns the weight of each candidate, in [0, 1], shape (n,); NaN where unknown, `None` if nothing was
measured.
"""


@dataclass(frozen=True, slots=True, eq=False)
class RankingFactor:
    """A factor that can affect the rank of a paper, with everything that the page, links, the command line, tables and
    docs say about it.

    Another package adds a factor through the entry point group `pathfinder.ranking_factors`, under the factor's name.
    """

    name: str
    """Name in `Score`, `Candidates` and result files, such as "title_match"."""
    label: str
    """Label in lower case, such as "title match"."""
    help: str
    """One sentence: "Favours papers ..."."""
    formula: str
    """Formula of the weight, with its source."""
    weights: Weights | None = None
    """Function from measured values to weights; `None` if the values are the weights."""
    measure: Measure | None = None
    """Function that measures the factor in each search; `None` if the candidates already hold what `weights` needs. The
    values must lie in [0, 1] unless `weights` turns them into weights.
    """
    strength: str = ""
    """Name of the factor's strength in `Weighting`, if it differs from `name`."""
    default: float = 0.0
    """Strength if the reader sets none."""
    link: str = ""
    """Query parameter in a link, if it is not `w-` followed by the name."""
    option: str = ""
    """Command-line option, if it is not `--weight-` followed by the name with hyphens for underscores; several names
    are separated by spaces, the preferred one first.
    """
    is_main: bool = False
    """True if the factor's slider is visible before "More weights" is opened."""
    needs_passages: bool = False
    """True if the factor needs the indexes of passages and titles."""
    unmeasured_reason: str = ""
    """Reason, shown on the badge, why the factor could not be measured and so has no effect although it is on."""
    floor: float = 0.0
    """Constant added to each weight in the preset `paper`, before the weights are divided by the largest."""
    is_unknown: Callable[[Paper], bool] = lambda _: False
    """Function that returns true for a paper whose value is NaN, so that an explanation can say that the paper gets the
    candidates' median weight.
    """

    @property
    def options(self) -> str:
        """Names of the command-line option, separated by spaces."""
        return self.option or f"--weight-{self.name.replace('_', '-')}"

    @property
    def setting(self) -> str:
        """Name of the factor's strength in `Weighting`."""
        return self.strength or self.name

    def strength_in(self, weighting: Weighting) -> float:
        """Return the factor's strength, in [0, 1]."""
        return weighting.strengths.get(self.setting, self.default)

    def weights_of(self, candidates: Candidates, weighting: Weighting) -> Floats | None:
        """Return the weights of the candidates, shape (n,); `None` if the factor was not measured."""
        return candidates.signal(self.name) if self.weights is None else self.weights(candidates, weighting)
