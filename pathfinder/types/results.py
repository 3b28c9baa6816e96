"""What is found, and how far it can be trusted.

Everything here compares by value, except `Candidates`, which holds arrays and compares by identity.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pathfinder.types.calls import Call
from pathfinder.types.papers import Paper
from pathfinder.types.requests import SearchRequest

POOL_SIZE = 1000
"""How many candidates are weighed (pathfinder, arXiv:2408.01556, section 3)."""

RERANK_POOL_SIZE = 250
"""How many of them are reranked (the same)."""

MAX_PASSAGES = 3
"""How many passages of one paper a hit shows at most."""

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
"""Positions in the corpus, shape (n,)."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword or an entity that the question is weighed by."""

    text: str
    """As the reader sees it."""
    is_entity: bool = False
    """A name (a telescope, an object, an acronym): it counts three times."""
    is_given: bool = False
    """Typed by the reader, not found in the question."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """A term of the question and the other names that were looked up with it."""

    term: str
    """As the question has it."""
    names: tuple[str, ...]
    source: str
    """Who says so: the thesaurus by its name, or "your own map"."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of whole sentences of a paper's abstract that bears on the question."""

    start: int
    end: int
    """Where it lies: `paper.abstract[start:end]`."""
    score: float
    """Cosine similarity of question and passage, its title in front, clipped at 0: [0, 1]."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a paper's place is made of. `None`: that stage did not run."""

    final: float
    """What the order is made of: higher is better. A log-score in `balanced`, a product in `paper`."""
    dense: float | None = None
    """Cosine similarity of question and paper, clipped at 0: [0, 1]."""
    sparse: float | None = None
    """BM25 over title and abstract, at least 0; 0 when no word of the question occurs."""
    fused: float | None = None
    """Dense and sparse together, (0, 1]; the best of the pool has 1."""
    keyword: float | None = None
    """Share of the question's keywords that the paper has, by rarity: [0, 1]."""
    recency: float | None = None
    """Weight of its age: [0, 1]."""
    citation: float | None = None
    """Weight of its citations: [0, 1]."""
    title_match: float | None = None
    """Cosine similarity of question and title, clipped at 0: [0, 1]."""
    position: float | None = None
    """`1 / (1 + 0.1 p)`, p the place of the best passage, from 0: (0, 1]."""
    coverage: float | None = None
    """Share of the question's content words that the paper has: [0, 1]."""
    diversity: float | None = None
    """Standard deviation of the passages' cosines: [0, 1]."""
    rerank: float | None = None
    """The reranker's relevance, min-maxed to [0, 1] over the reranked pool; 0 outside it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper that was found. Its rank is its position in the result."""

    paper: Paper
    row: int
    """Its position in the corpus."""
    score: Score
    outlier: bool | None = None
    """Whether it lies apart from the other hits; `None` when that cannot be said."""
    passages: tuple[Passage, ...] = ()
    """At most three, best first; none where passages were not looked up."""
    found_by: tuple[str, ...] = ()
    """The sub-questions or refined questions that found it, where there were any."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The pool that hits are drawn from, with every factor, so that it can be weighed again.

    Arrays have shape (n,), n <= 1,000; NaN marks what is not known of a paper.
    """

    papers: Sequence[Paper]
    rows: Rows
    vectors: NDArray[np.float32]
    """Unit vectors, shape (n, dimension)."""
    dense: Floats
    """NaN when meaning was not looked up."""
    sparse: Floats
    """NaN when words were not looked up."""
    fused: Floats
    keyword: Floats
    """NaN for a paper without keywords."""
    age_years: Floats
    """At `today`, at least 0; NaN without a date."""
    citation_count: Floats
    citation_percentile: Floats
    """Among the papers of its year, (0, 1]; NaN where unknown."""
    title_match: Floats | None = None
    """`None` when titles were not looked up."""
    position: Floats | None = None
    """`None` when passages were not looked up."""
    coverage: Floats | None = None
    """`None` when words were not looked up."""
    diversity: Floats | None = None
    """`None` when passages were not looked up; NaN for a paper of one passage."""
    rerank: Floats | None = None
    """In [0, 1] over the reranked pool, NaN outside it; `None` when no reranker ran."""
    passages: tuple[tuple[Passage, ...], ...] = ()
    """Of each candidate, at most three, best first; empty when passages were not looked up."""
    found_by: tuple[tuple[str, ...], ...] = ()
    """Of each candidate; empty when one question was searched."""

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Stage:
    """What really ran for one stage of a search or an answer, and how long it took."""

    name: str
    ran: str
    """In words for a badge, such as "all-MiniLM-L6-v2, local"."""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a recursive search."""

    questions: tuple[str, ...]
    """What was searched in it; the first round has the question itself."""
    n_new: int
    """Papers that no earlier round had found."""
    n_relevant: int
    """Papers found so far, this round included, that bear on the question.

    `retrieval/strategies/recursion.py` has the rule.
    """


class Spread(StrEnum):
    """The three shapes of a result (arXiv:2408.01556, figure 4); `assessment/spread.py` has the rule."""

    ONE_CLUSTER = "one cluster"
    TWO_CLUSTERS = "two clusters"
    BROAD = "broad"


@dataclass(frozen=True, slots=True)
class Outliers:
    """Distances of each hit to the centroid of the others, and the two cut-offs for that many hits."""

    distances: tuple[float, ...]
    """Leave-one-out centroid distances, Euclidean on unit vectors, [0, 2]."""
    cutoff_calibrated: float | None
    """95th percentile of the same statistic over healthy neighbourhoods; `None`: corpus too small."""
    cutoff_paper: float | None
    """D95 of nearest-neighbour distances minus 0.1, as published; `None`: corpus too small."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """How far the hits as a whole can be trusted."""

    relevance: float
    """Probability that the corpus bears on the question, [0, 1]."""
    is_relevant: bool
    """Whether an answer is given, or "I don't know"."""
    spread: Spread | None
    """`None` with fewer than four hits, and in a corpus of fewer than 20 papers, which cannot be calibrated."""
    outliers: Outliers | None
    """`None` with fewer than two hits."""


@dataclass(frozen=True, slots=True)
class CorpusName:
    """Which corpus a result comes from."""

    name: str
    """Its folder's name."""
    version: str
    """First 12 hex digits of the SHA-256 of its manifest."""
    n_papers: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked hits, the pool they were drawn from, and how they were found."""

    request: SearchRequest
    """As asked, with `today` filled in where the corpus has a date."""
    corpus: CorpusName
    candidates: Candidates
    hits: tuple[Hit, ...]
    keywords: tuple[Keyword, ...]
    """What the question was weighed by, the reader's own keywords included."""
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    """What the reader should know: what was cut, left out or could not be done."""
    hypothetical: tuple[str, ...] = ()
    """The abstracts that a chat model imagined."""
    expansions: tuple[Expansion, ...] = ()
    sub_questions: tuple[str, ...] = ()
    """What the question was taken apart into."""
    rounds: tuple[Round, ...] = ()
    """Of a recursive search: the curve of what was found against the round."""
    assessment: Assessment | None = None
    calls: tuple[Call, ...] = ()
    """Every call of a chat model that finding them took."""
