"""The nouns of Pathfinder: what is asked, what is found, and what is said of it.

Everything here is frozen and compares by value, except `Candidates`, which holds arrays and compares
by identity. A request checks itself, so that no later stage has to.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import UsageError

MIN_TOP_K, MAX_TOP_K, DEFAULT_TOP_K = 1, 30, 10
POOL_SIZE = 1000
"""How many candidates are weighed (pathfinder, arXiv:2408.01556, section 3)."""

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
"""Positions in the corpus, shape (n,)."""


# What there is to find ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper, as its source describes it. `None` or an empty tuple means: the source does not say."""

    paper_id: str
    title: str
    """May hold LaTeX, as published."""
    abstract: str
    """The abstract, or, where `is_summary`, a summary written by someone else."""
    is_summary: bool = False
    authors: tuple[str, ...] = ()
    """As the source spells them; where `n_authors` is larger, the source names only the first ones."""
    n_authors: int | None = None
    year: int | None = None
    date: datetime.date | None = None
    """The day it became public; `None` when only the year is known."""
    journal: str | None = None
    categories: tuple[str, ...] = ()
    """arXiv categories."""
    subjects: tuple[str, ...] = ()
    """Keywords that authors, publishers or curators gave it."""
    keywords: tuple[str, ...] = ()
    """Up to 20 phrases that TextRank finds in title and abstract, best first."""
    citation_count: int | None = None
    citation_rank_in_year: int | None = None
    """Place among the papers of its year by citations; 0 is the most cited."""
    is_review: bool = False
    bibcode: str | None = None
    arxiv_id: str | None = None
    doi: str | None = None

    @property
    def text(self) -> str:
        """What is embedded and searched: title and abstract."""
        return f"{self.title.rstrip('.')}. {self.abstract}"

    @property
    def published(self) -> datetime.date | None:
        """The date that its age is counted from; a year alone counts as 1 July."""
        if self.date is None and self.year is not None:
            return datetime.date(self.year, 7, 1)
        return self.date


# What is asked --------------------------------------------------------------------------------------


class Preset(StrEnum):
    """How the factors are put together; `retrieval/weighting.py` has the formulas."""

    BALANCED = "balanced"
    """A sum of logarithms: every factor's contribution is exact."""
    PAPER = "paper"
    """The product that arXiv:2408.01556 published."""


class CitationProfile(StrEnum):
    """How a citation count becomes a weight."""

    SIGMOID = "sigmoid"
    """Half weight at 300 citations (arXiv:2408.01556, eq. 2)."""
    AGE_FAIR = "age-fair"
    """The percentile among the papers of the same year."""


class Fusion(StrEnum):
    """How the dense and the sparse list become one."""

    MIN_MAX = "min-max"
    RECIPROCAL_RANK = "rrf"


class Sides(StrEnum):
    """Which indexes are looked up."""

    BOTH = "hybrid"
    DENSE = "dense"
    SPARSE = "sparse"


@dataclass(frozen=True, slots=True)
class Weighting:
    """How far keywords, age and citations move a paper. Each strength lies in [0, 1]; 0 is off."""

    keywords: float = 0.0
    recency: float = 0.0
    citations: float = 0.0
    preset: Preset = Preset.BALANCED
    citation_profile: CitationProfile = CitationProfile.SIGMOID
    recency_midpoint_years: float | None = None
    """Age of half weight. `None`: the preset's own, 5 years in `balanced`, 0 as printed in `paper`."""

    def __post_init__(self) -> None:
        for name in ("keywords", "recency", "citations"):
            strength = getattr(self, name)
            if not (_is_number(strength) and 0 <= strength <= 1):
                raise UsageError(f"the weight of {name} must lie in 0..1, got {strength!r}")
        midpoint = self.recency_midpoint_years
        if midpoint is not None and not (_is_number(midpoint) and 0 <= midpoint <= 100):
            raise UsageError(f"recency_midpoint_years must lie in 0..100, got {midpoint!r}")
        _check_choice("preset", self.preset, Preset)
        _check_choice("citation_profile", self.citation_profile, CitationProfile)

    @property
    def is_off(self) -> bool:
        return not (self.keywords or self.recency or self.citations)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question and every setting that its answer depends on."""

    query: str
    """Control characters are removed; the rest is kept as written."""
    top_k: int = DEFAULT_TOP_K
    """How many hits are kept, 1 to 30."""
    year_from: int | None = None
    """First year, inclusive; undated papers are left out as soon as either bound is set."""
    year_to: int | None = None
    """Last year, inclusive."""
    extra_keywords: tuple[str, ...] = ()
    """Keywords that the reader adds to those found in the question."""
    dropped_keywords: tuple[str, ...] = ()
    """Keywords found in the question that the reader does not want."""
    weighting: Weighting = field(default_factory=Weighting)
    sides: Sides = Sides.BOTH
    fusion: Fusion = Fusion.MIN_MAX
    today: datetime.date | None = None
    """The day that ages are counted to. `None`: the corpus's snapshot date."""

    def __post_init__(self) -> None:
        if not isinstance(self.query, str):
            raise UsageError(f"the question must be text, got {self.query!r}")
        object.__setattr__(self, "query", without_control_characters(self.query).strip())
        if not self.query:
            raise UsageError("the question is empty: type a question, a topic or an abstract")
        if not (_is_number(self.top_k) and isinstance(self.top_k, int) and MIN_TOP_K <= self.top_k <= MAX_TOP_K):
            raise UsageError(f"top_k must be a whole number in {MIN_TOP_K}..{MAX_TOP_K}, got {self.top_k!r}")
        first, last = self.year_from, self.year_to
        for name, year in (("year_from", first), ("year_to", last)):
            if year is not None and not (_is_number(year) and isinstance(year, int)):
                raise UsageError(f"{name} must be a year in whole numbers, got {year!r}")
        for name in ("extra_keywords", "dropped_keywords"):
            if isinstance(getattr(self, name), str):
                raise UsageError(f"{name} must be a tuple of keywords, got the one text {getattr(self, name)!r}")
        if self.today is not None and not isinstance(self.today, datetime.date):
            raise UsageError(f"today must be a date, got {self.today!r}")
        _check_choice("sides", self.sides, Sides)
        _check_choice("fusion", self.fusion, Fusion)
        if first is not None and last is not None and first > last:
            raise UsageError(f"the years are upside down: from {first} to {last}; swap them")


def without_control_characters(text: str) -> str:
    """`text` less NUL and the other control characters; line breaks and tabs become spaces."""
    return "".join(c if c.isprintable() or not _is_control(c) else " " if c in "\n\r\t" else "" for c in text)


def _is_control(character: str) -> bool:
    code = ord(character)
    # Lone surrogates cannot be encoded, so no tokenizer and no file takes them.
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF


def _check_choice(name: str, value: object, choices: type[StrEnum]) -> None:
    if not isinstance(value, choices):
        known = ", ".join(f"{choices.__name__}.{choice.name}" for choice in choices)
        raise UsageError(f"{name} must be one of {known}, got {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)


# What is found --------------------------------------------------------------------------------------


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
    rerank: float | None = None
    """The reranker's relevance, [0, 1] over the reranked pool."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper that was found. Its rank is its position in the result."""

    paper: Paper
    row: int
    """Its position in the corpus."""
    score: Score
    outlier: bool | None = None
    """Whether it lies apart from the other hits; `None` when that cannot be said."""


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

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Stage:
    """What really ran for one stage of a search or an answer, and how long it took."""

    name: str
    ran: str
    """In words for a badge, such as "all-MiniLM-L6-v2, local"."""
    seconds: float | None = None


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
    assessment: Assessment | None = None


# What is said ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer and the papers that it cites."""

    text: str
    """Without its [n] marks."""
    citations: tuple[str, ...]
    """Paper ids, all of them hits of the result that was answered from."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Words for a question, each sentence with its papers."""

    question: str
    text: str
    """With [n] marks; n is the rank of a hit."""
    claims: tuple[Claim, ...]
    abstained: bool
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    """What went wrong or was refused on the way: a provider's failure, an invented citation."""
