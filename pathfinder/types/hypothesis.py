"""Hypotheses: two concepts that are never keywords of the same paper in a corpus, and what links them."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types.calls import Call
from pathfinder.types.evidence import Verdict
from pathfinder.types.papers import Paper
from pathfinder.types.stages import StageStatus


@dataclass(frozen=True, slots=True)
class LinkingPaper:
    """A paper that has a linking concept and one of the two concepts of a hypothesis."""

    paper: Paper
    quotation: str
    """Sentence from the abstract, or the title, verbatim: one that mentions both concepts, if there is one."""
    names_both: bool
    """False if no sentence in the paper mentions both concepts, although both are among the paper's keywords."""


@dataclass(frozen=True, slots=True)
class LinkingConcept:
    """A concept that occurs with both concepts of a hypothesis."""

    name: str
    n_with: tuple[int, int]
    """Number of papers that have it together with the first concept, and with the second."""
    papers: tuple[LinkingPaper, LinkingPaper]
    """A paper with the first concept, and one with the second."""


@dataclass(frozen=True, slots=True)
class ConceptPlace:
    """The region of the map in which most papers on a concept lie."""

    region: str
    """Distinctive keywords of the region; empty if it has none."""
    x: float
    y: float
    """Middle of the region."""
    n_papers: int
    """Number of papers on the concept in the region."""
    is_gap: bool
    """True if the layer of gaps marks the region as a gap."""


class ClauseKind(StrEnum):
    """Basis of a clause in a statement."""

    COUNT = "count"
    """A count of the papers in the corpus."""
    CITED = "cited"
    """Papers that the clause cites."""
    CONJECTURE = "conjecture"
    """Nothing: the clause is a guess."""


@dataclass(frozen=True, slots=True)
class HypothesisClause:
    """A sentence in the statement of a hypothesis."""

    text: str
    kind: ClauseKind
    paper_ids: tuple[str, ...] = ()
    """Papers that the clause cites."""
    verdict: Verdict | None = None
    """Verdict of the ledger on a clause that a chat model wrote and cited."""

    @property
    def is_borne_out(self) -> bool:
        """False if the papers that the clause cites do not say what it says."""
        return self.verdict not in (Verdict.NOT_FOUND, Verdict.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Two concepts that are never keywords of the same paper, although both appear with the same other concepts.

    No paper with one of them among its keywords mentions the other in its title or abstract; no other text was read.
    """

    concepts: tuple[str, str]
    """Names of both concepts, as the papers write them."""
    n_papers: tuple[int, int]
    """Number of papers with each concept."""
    n_shared: int
    """Number of concepts that occur with both in more papers than chance would explain."""
    q: float
    """Lowest false discovery rate at which sharing this many concepts is significant, [0, 1]."""
    score: float
    """Sum over the shared concepts of 1 / log(number of concepts associated with that concept) (Adamic & Adar 2003),
    times the logarithm of the product of the two numbers in `n_papers`.
    """
    linking: tuple[LinkingConcept, ...]
    """Some of the shared concepts, beginning with those that occur with each of the two concepts in the most papers."""
    clauses: tuple[HypothesisClause, ...]
    """The statement."""
    places: tuple[ConceptPlace, ConceptPlace] | None = None
    """Places of both concepts; `None` without a map."""
    bridges: tuple[Paper, ...] = ()
    """Papers that have one of the two concepts and are marked in the layer of bridges."""
    model: str | None = None
    """Chat model that wrote the statement; `None` for the template."""
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    """Calls to the chat model."""
    status: StageStatus | None = None
    """Outcome of the chat model's attempt to write the statement, with the reason if it failed; `None` if no model was
    asked.
    """

    @property
    def is_in_gap(self) -> bool:
        """True if the region of either concept is a gap in the map."""
        return self.places is not None and any(place.is_gap for place in self.places)


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The hypotheses found for a corpus, a question or some papers."""

    about: str | None
    """The question, or a description of the papers; `None` for the whole corpus."""
    n_papers: int
    """Number of papers in the corpus."""
    n_concepts: int
    """Number of concepts that were compared."""
    n_unlinked: int
    """Number of pairs that are never keywords of the same paper and that share at least one concept."""
    n_significant: int
    """Number of these pairs that share more concepts than chance would explain."""
    hypotheses: tuple[Hypothesis, ...]
    """The hypotheses, highest score first."""
    notes: tuple[str, ...] = ()
    """Anything that is missing, with the reason."""


@dataclass(frozen=True, slots=True)
class BacktestShare:
    """Share of the first pairs in a ranking that occurred together in a title from the following years."""

    ranking: str
    n: int
    """Number of pairs, counted from the top of the ranking."""
    n_true: int
    low: float
    high: float
    """95% interval of the share, [0, 1]."""


@dataclass(frozen=True, slots=True)
class BacktestYear:
    """Pairs of concepts that had never occurred together in a title by a given year, and the share that later did."""

    year: int
    n_titles: int
    n_pairs: int
    """Number of pairs of concepts that had never occurred together in a title by that year."""
    random: float
    """Share of these pairs that occurred together in a title from the following years, [0, 1]."""
    shares: tuple[BacktestShare, ...]


@dataclass(frozen=True, slots=True)
class HypothesisBacktest:
    """Result of `benchmarks/hypotheses.py`."""

    titles: str
    """Description of the titles used for the backtest."""
    years_ahead: int
    years: tuple[BacktestYear, ...]
