"""Search results, and measures of how far they can be trusted.

All types here compare by value, except `Candidates`, which holds arrays and compares by identity.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pathfinder.types.features import Activations
from pathfinder.types.full_texts import FullTextPassage
from pathfinder.types.papers import Paper
from pathfinder.types.requests import SearchRequest
from pathfinder.types.stages import Call, Stage, StageStatus

# Assessment of a result: how far its hits can be trusted.


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
    is_doubtful: bool = False
    """True if an answer is given although the relevance is below the threshold of the corpus."""


POOL_SIZE = 1000
"""Number of candidates to which the factors are applied (pathfinder, arXiv:2408.01556, section 3)."""

RERANK_POOL_SIZE = 250
"""Number of candidates that are reranked (same source)."""

MAX_PASSAGES = 3
"""Maximum number of passages shown with a hit."""

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
"""Positions in the corpus, shape (n,)."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword or entity used to weight papers for the question."""

    text: str
    """Text shown to the reader."""
    is_entity: bool = False
    """True if it is a name (a telescope, an object, an acronym), which counts three times as much."""
    is_given: bool = False
    """True if the reader entered it; otherwise it was found in the question."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """A term in the question, with the other names that were also searched for."""

    term: str
    """Term as written in the question."""
    names: tuple[str, ...]
    source: str
    """Source of the names: the name of a thesaurus, or "your own synonyms"."""
    is_own: bool = False
    """True if the names are the reader's own."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One or more whole sentences from a paper's abstract that are relevant to the question."""

    start: int
    end: int
    """End of the passage: its text is `paper.abstract[start:end]`."""
    score: float
    """Cosine similarity of the question to the passage with the paper's title before it, clipped at 0: [0, 1]."""


@dataclass(frozen=True, slots=True)
class Score:
    """The parts of a paper's score. `None` means that the stage did not run."""

    final: float
    """Score by which the hits are ordered, after any papers that the question names; higher is better: a log-score in
    `balanced`, a product in `paper`.
    """
    dense: float | None = None
    """Cosine similarity of the question and the paper, clipped at 0: [0, 1]."""
    sparse: float | None = None
    """BM25 score over title, abstract and given keywords, at least 0; 0 if none of the question's words occurs."""
    fused: float | None = None
    """Dense and sparse scores combined, (0, 1]; 1 for the best candidate."""
    keyword: float | None = None
    """Share of the question's keywords that occur in the paper, weighted by rarity: [0, 1]."""
    recency: float | None = None
    """Weight of the paper's age: [0, 1]."""
    citation: float | None = None
    """Weight of the paper's citations: [0, 1]."""
    title_match: float | None = None
    """Cosine similarity of the question and the title, clipped at 0: [0, 1]."""
    position: float | None = None
    """`1 / (1 + 0.1 p)`, where p is the position of the best passage, counted from 0: (0, 1]."""
    coverage: float | None = None
    """Share of the question's content words that occur in the paper: [0, 1]."""
    diversity: float | None = None
    """Standard deviation of the cosine similarities of the passages: [0, 1]."""
    rerank: float | None = None
    """Relevance according to the reranker, in [0, 1] with 1 for the best of the reranked pool; 0 outside it."""
    extra: tuple[tuple[str, float], ...] = ()
    """Weights of factors that have no field here, such as those of plug-ins, by name: [0, 1]."""

    def weight(self, factor: str) -> float | None:
        """Return the weight of a factor by its name; `None` if its stage did not run."""
        weight: float | None = dict(self.extra).get(factor, getattr(self, factor, None))
        return weight


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper in the results. Its rank is its position in the list of hits."""

    paper: Paper
    row: int
    """Position in the corpus."""
    score: Score
    outlier: bool | None = None
    """True if it lies apart from the other hits; `None` if unknown."""
    passages: tuple[Passage, ...] = ()
    """At most three passages, best first; empty if passages were not searched."""
    found_by: tuple[str, ...] = ()
    """Sub-questions or refined questions that found the paper, if any."""
    known_as: str | None = None
    """Kind of name by which the question refers to the paper, with the identifier, if any, such as "arXiv id
    2408.01556" or "title"; `None` if the question does not name the paper.
    """
    live: str | None = None
    """Live sources that found the paper, such as "arXiv, OpenAlex"; `None` for a paper in the corpus."""
    place: tuple[float, float] | None = None
    """Place on the map of a paper found by a live source, between the papers most similar to it; `None` for a paper in
    the corpus, or if there is no map.
    """
    full_text: tuple[FullTextPassage, ...] = ()
    """At most three passages of its full text that are relevant to the question, best first."""
    absent_words: tuple[str, ...] = ()
    """Stems of the question's words that its full text lacks; empty for a paper without passages."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The pool from which hits are taken, with every factor, so that it can be reweighted.

    Arrays have shape (n,), n <= 1,000; NaN marks unknown values.
    """

    papers: Sequence[Paper]
    rows: Rows
    vectors: NDArray[np.float32]
    """Unit vectors, shape (n, dimension)."""
    dense: Floats
    """Cosine similarities of the question and each paper; NaN if the dense index was not searched."""
    sparse: Floats
    """BM25 scores; NaN if the sparse index was not searched."""
    fused: Floats
    keyword: Floats
    """Shares of the question's keywords that each paper has; NaN for a paper without keywords."""
    age_years: Floats
    """Ages in years on `today`, at least 0; NaN without a date."""
    citation_count: Floats
    citation_percentile: Floats
    """Percentile by citations among the papers of the same year, (0, 1]; NaN if unknown."""
    title_match: Floats | None = None
    """Cosine similarities of the question and each title; `None` if titles were not searched."""
    position: Floats | None = None
    """Weights given by the position of each paper's best passage; `None` if passages were not searched."""
    coverage: Floats | None = None
    """Shares of the question's content words that occur in each paper; `None` if the sparse index was not searched."""
    diversity: Floats | None = None
    """Standard deviations of the passages' cosine similarities; `None` if passages were not searched, NaN for a paper
    with only one passage.
    """
    rerank: Floats | None = None
    """Relevance in [0, 1] over the reranked pool, NaN outside it; `None` if no reranker ran."""
    lead: Floats | None = None
    """Leads, from 0 to 1, that the kind of question gives to papers: a paper with a larger lead comes before all with a
    smaller one, but after papers that the question names. `None` if it gives none.
    """
    passages: tuple[tuple[Passage, ...], ...] = ()
    """At most three passages for each candidate, best first; empty if passages were not searched."""
    found_by: tuple[tuple[str, ...], ...] = ()
    """Questions that found each candidate; empty if only one question was searched."""
    extra: Mapping[str, Floats] = field(default_factory=dict)
    """Measured values of factors that have no field here, by name."""
    named_rows: Mapping[int, str] = field(default_factory=dict)
    """Papers that the question names, by row, each with the name used: "arXiv id 2408.01556", "title". They come first.
    """
    live: Mapping[int, str] = field(default_factory=dict)
    """Papers that are not in the corpus, by row, with the live sources that found each."""
    places: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Places on the map of the papers in `live`, by row; empty without a map."""
    full_texts: Mapping[int, tuple[FullTextPassage, ...]] = field(default_factory=dict)
    """At most three full-text passages of each paper, best first, by row; only for papers in which any were found."""
    absent_words: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Stems of the question's words that the full text of a paper lacks, by row; only for papers that became hits."""
    activations: Activations | None = None
    """Features that are active in each candidate; `None` if the corpus has no features."""
    searched_keywords: bool = False
    """True if the words of the question were also sought in the keywords that sources give for papers."""

    def signal(self, factor: str) -> Floats | None:
        """Return the measured values of a factor by its name; `None` if nothing was measured."""
        values: Floats | None = self.extra.get(factor, getattr(self, factor, None))
        return values

    def __len__(self) -> int:
        return len(self.rows)


VALUE_FIELDS = tuple(entry.name for entry in fields(Candidates) if entry.type == Floats)
"""Fields of `Candidates` with a value for each candidate, whatever was searched."""
OPTIONAL_VALUE_FIELDS = tuple(entry.name for entry in fields(Candidates) if entry.type == Floats | None)
"""Fields of `Candidates` that are `None` if their stage did not run."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a recursive search."""

    questions: tuple[str, ...]
    """Questions searched for in this round; the first round includes the original question."""
    n_new: int
    """Number of papers not found in any earlier round."""
    n_relevant: int
    """Number of papers found up to this round that are relevant to the question.

    The rule for relevance is in `retrieval/strategies/recursion.py`.
    """


@dataclass(frozen=True, slots=True)
class CorpusName:
    """Name and version of the corpus from which a result comes."""

    name: str
    """Name of the corpus's folder."""
    version: str
    """First 12 hex digits of the SHA-256 of its manifest."""
    n_papers: int
    id: str = field(default="", compare=False)
    """Id derived from the location of its folder, so that it stays the same when the corpus is updated or built again
    there; empty in results from before version 0.2.0. Two copies of a corpus are one corpus with two ids.
    """

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids under which readers' work is stored, the id for new work first; earlier work is stored under the name of
        the corpus.
        """
        return tuple(dict.fromkeys(filter(None, (self.id, self.name))))


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked hits, the pool they were taken from, and a record of how they were found."""

    request: SearchRequest
    """The request, with `today` filled in if the corpus has a date."""
    corpus: CorpusName
    candidates: Candidates
    hits: tuple[Hit, ...]
    keywords: tuple[Keyword, ...]
    """Keywords used to weight papers for the question, including the reader's own."""
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    """Remarks for the reader about anything that was shortened, left out or impossible."""
    hypothetical: tuple[str, ...] = ()
    """Hypothetical abstracts written by a chat model."""
    expansions: tuple[Expansion, ...] = ()
    sub_questions: tuple[str, ...] = ()
    """Sub-questions into which the question was split."""
    rounds: tuple[Round, ...] = ()
    """Rounds of a recursive search, with the number of papers found in each."""
    assessment: Assessment | None = None
    calls: tuple[Call, ...] = ()
    """All calls that the search made to a chat model."""
    stage_status: tuple[StageStatus, ...] = ()
    """The model that ran in each of `stages`, and the outcome, in the same order."""
    search_words: str | None = None
    """The words searched for, if they differ from the question."""
    filter_notes: tuple[str, ...] = ()
    """The `notes` that only say which words, years, authors or region are searched, as the page's chips also do."""

    read_as: str | None = None
    """The question with its spelling corrected, or in English terms, if it was searched so."""
    unread_language: str | None = None
    """Language of a question whose terms have too few English words to be searched."""
    n_searched: int | None = None
    """Number of papers that the filters leave; `None` if there are none, or if it is unknown."""

    @property
    def words(self) -> str:
        """The words searched for: the question with titles in place of identifiers, or without its authors."""
        return self.search_words or self.request.query

    @property
    def question(self) -> str:
        """The question as it was read: as it was asked, unless its spelling was corrected or its terms translated."""
        return self.read_as or self.request.query


@dataclass(frozen=True, slots=True, eq=False)
class AsOf:
    """A year, and the papers in a corpus that are dated up to its end."""

    year: int
    rows: Rows
    """Rows of these papers in the whole corpus, in ascending order."""
    n_whole: int
    """Number of papers in the whole corpus."""
    n_undated: int
    """Number of papers without a date, which are left out."""
    counts_citations: bool
    """True if citations are counted among these papers; False if the corpus lists no references, so that no citation
    has a date and none is counted.
    """

    def includes(self, paper: Paper) -> bool:
        """Return whether `paper` is known to be dated up to the end of the year."""
        dates = (paper.year, paper.date.year if paper.date else None)
        known_years = [year for year in dates if year is not None]
        return bool(known_years) and max(known_years) <= self.year

    @property
    def n_later(self) -> int:
        """Number of papers dated later, which are left out."""
        return self.n_whole - self.n_undated - len(self.rows)

    @property
    def share(self) -> str:
        """Number of these papers out of all those in the corpus, as a phrase: "1,200 of 5,000 papers"."""
        return f"{len(self.rows):,} of {self.n_whole:,} papers"
