"""How far papers agree with a statement."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types.calls import Call
from pathfinder.types.papers import Paper


class StanceLabel(StrEnum):
    """What one paper says of a statement."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    MIXED = "mixed"
    IRRELEVANT = "irrelevant"


class ConsensusLevel(StrEnum):
    """The seven levels (arXiv:2408.01556, section 3), from the strongest agreement on."""

    STRONG_AGREEMENT = "Strong Agreement"
    MODERATE_AGREEMENT = "Moderate Agreement"
    WEAK_AGREEMENT = "Weak Agreement"
    NO_CLEAR_CONSENSUS = "No Clear Consensus"
    WEAK_DISAGREEMENT = "Weak Disagreement"
    MODERATE_DISAGREEMENT = "Moderate Disagreement"
    STRONG_DISAGREEMENT = "Strong Disagreement"


@dataclass(frozen=True, slots=True)
class Stance:
    """What one paper says of the statement, in its own words."""

    paper_id: str
    title: str
    year: int | None
    label: StanceLabel
    quote: str
    """A sentence of the paper, verbatim but for its white space; empty for an irrelevant one."""
    is_quote_found: bool = True
    """Whether `quote` stands in the paper. A stance whose quote does not is not counted."""

    @property
    def is_counted(self) -> bool:
        """Whether the rule counts it: it bears on the statement, and its quote stands in the paper."""
        return self.label is not StanceLabel.IRRELEVANT and self.is_quote_found


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What the level would be without one paper."""

    paper_id: str
    level: ConsensusLevel | None
    """`None`: too few papers would be left."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """How far the papers agree with the statement; every count has its papers."""

    question: str
    statement: str
    """The question as a statement; it need not be true. Empty where no paper was found, and nothing was asked."""
    stances: tuple[Stance, ...]
    """Of every paper that was asked about, in the order of the hits."""
    level: ConsensusLevel | None
    """By the rule of `assessment/consensus/rule.py`; `None`: not enough evidence."""
    score: float | None
    """What the level is derived from, in [-1, 1]; `None` without evidence."""
    interval: tuple[ConsensusLevel, ConsensusLevel] | None
    """Levels at the 2.5th and 97.5th percentile of a seeded bootstrap over papers, the stronger agreement first."""
    model_level: ConsensusLevel | None
    """What the chat model itself said, as published."""
    explanation: str
    relevance: float | None
    """The chat model's own, in [0, 1]."""
    sensitivity: tuple[Sensitivity, ...]
    """Of the papers whose absence changes the level."""
    model: str
    """Who told the stances."""
    as_of: int | None = None
    """The last year that was counted; `None`: all."""
    notes: tuple[str, ...] = ()
    papers: tuple[Paper, ...] = ()
    """Those of `stances`, in the same order."""
    calls: tuple[Call, ...] = ()
    """Every call of the chat model, with its seconds and tokens."""


@dataclass(frozen=True, slots=True)
class ConsensusYear:
    """The state of opinion as of the end of one year: only papers until then count."""

    year: int
    n_supports: int
    n_refutes: int
    n_mixed: int
    score: float | None
    level: ConsensusLevel | None


@dataclass(frozen=True, slots=True)
class ConsensusHistory:
    """Opinion over the years, and when it changed."""

    years: tuple[ConsensusYear, ...]
    """Every year from the first paper that counts to the last; empty where none counts."""
    changed_in: int | None
    """The year in which the field changed its mind; `None` where it did not, or cannot be told."""
    reason: str
    """In a sentence: what was found, or why nothing can be told."""
    question: str = ""
    statement: str = ""
    stances: tuple[Stance, ...] = ()
    """Of every paper that was asked about, best match first; those without a year are in no year's counts."""
    papers: tuple[Paper, ...] = ()
    """Those of `stances`, in the same order."""
    before: ConsensusLevel | None = None
    """Of the papers before the year in which opinion shifted most, where it shifted by more than chance."""
    after: ConsensusLevel | None = None
    """Of the papers from that year on."""
    p_value: float | None = None
    """How often the same stances in another order shift as much, (0, 1]; `None`: too few papers to tell."""
    model: str = ""
    """Who told the stances."""
    as_of: int | None = None
    """The last year that was read; `None`: all."""
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    """Every call of the chat model."""
