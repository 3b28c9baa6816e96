"""The agreement of papers with a statement."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types.full_texts import FullTextPassage
from pathfinder.types.papers import Paper
from pathfinder.types.stages import Call

N_PAPERS = 48
"""Number of best matches read for a consensus over time, whether or not they are listed: six batches."""


class StanceLabel(StrEnum):
    """Stance of one paper on a statement."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    MIXED = "mixed"
    IRRELEVANT = "irrelevant"


class ConsensusLevel(StrEnum):
    """The seven levels of consensus (arXiv:2408.01556, section 3), strongest agreement first."""

    STRONG_AGREEMENT = "Strong Agreement"
    MODERATE_AGREEMENT = "Moderate Agreement"
    WEAK_AGREEMENT = "Weak Agreement"
    NO_CLEAR_CONSENSUS = "No Clear Consensus"
    WEAK_DISAGREEMENT = "Weak Disagreement"
    MODERATE_DISAGREEMENT = "Moderate Disagreement"
    STRONG_DISAGREEMENT = "Strong Disagreement"


@dataclass(frozen=True, slots=True)
class Stance:
    """Stance of one paper on the statement, with a quotation from the paper."""

    paper_id: str
    title: str
    year: int | None
    label: StanceLabel
    quote: str
    """Sentence from the paper, verbatim except for white space; empty for an irrelevant paper."""
    is_quote_found: bool = True
    """True if `quote` occurs in the paper. If it does not, the stance is not counted."""
    passage: FullTextPassage | None = None
    """The full-text passage with the quotation; `None` if it is from the abstract or the title."""

    @property
    def is_counted(self) -> bool:
        """True if the rule counts this stance: relevant to the statement, with a quotation that occurs in the paper."""
        return self.label is not StanceLabel.IRRELEVANT and self.is_quote_found


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The level that would result if a paper were left out."""

    paper_id: str
    level: ConsensusLevel | None
    """Resulting level; `None` if too few papers would be left."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """The papers' agreement with the statement; the papers behind every count are listed."""

    question: str
    statement: str
    """The question rephrased as a statement, true or not. Empty if no papers were found and no model was asked."""
    stances: tuple[Stance, ...]
    """Stances of all assessed papers, in the order of the hits."""
    level: ConsensusLevel | None
    """Level according to the rule in `assessment/consensus/rule.py`; `None` if there is not enough evidence."""
    score: float | None
    """Score that determines the level, in [-1, 1]; `None` without evidence."""
    interval: tuple[ConsensusLevel, ConsensusLevel] | None
    """Levels at the 2.5th and 97.5th percentiles of a seeded bootstrap over papers, the stronger agreement first."""
    model_level: ConsensusLevel | None
    """Level stated by the chat model itself, as in the published method."""
    explanation: str
    relevance: float | None
    """Relevance of the papers to the question, as estimated by the chat model itself, in [0, 1]."""
    sensitivity: tuple[Sensitivity, ...]
    """Papers whose removal would change the level."""
    model: str
    """Name of the model that judged the stances."""
    as_of: int | None = None
    """Last year whose papers count; `None` for all years."""
    notes: tuple[str, ...] = ()
    papers: tuple[Paper, ...] = ()
    """The papers that `stances` refers to, in the same order."""
    calls: tuple[Call, ...] = ()
    """Every call to the chat model, with its duration and its tokens."""


@dataclass(frozen=True, slots=True)
class ConsensusYear:
    """The state of opinion at the end of one year, counting only papers published by then."""

    year: int
    n_supports: int
    n_refutes: int
    n_mixed: int
    score: float | None
    level: ConsensusLevel | None


@dataclass(frozen=True, slots=True)
class ConsensusHistory:
    """Opinion over the years, and the year when it changed."""

    years: tuple[ConsensusYear, ...]
    """All years from the first paper that counts to the last; empty if no paper counts."""
    changed_in: int | None
    """Year in which the field changed its mind; `None` if it did not, or if too little is known."""
    reason: str
    """Explanation in one sentence: the finding, or the reason why nothing can be concluded."""
    question: str = ""
    statement: str = ""
    stances: tuple[Stance, ...] = ()
    """Stances of all assessed papers, best match first; papers without a year are not counted in any year."""
    papers: tuple[Paper, ...] = ()
    """The papers that `stances` refers to, in the same order."""
    before: ConsensusLevel | None = None
    """Level of consensus before the year of the largest shift, if the shift is larger than expected by chance."""
    after: ConsensusLevel | None = None
    """Level of consensus from the year of the largest shift onwards."""
    p_value: float | None = None
    """Fraction of random orderings of the same stances in which the largest shift is at least as large as the one
    found, in (0, 1]; `None` if there are too few papers.
    """
    model: str = ""
    """Name of the model that judged the stances."""
    as_of: int | None = None
    """Last year whose papers were read; `None` for all years."""
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    """Every call to the chat model."""
