"""What is asked of an answer, and what is said of what was found."""

import math
from dataclasses import dataclass, field
from enum import StrEnum

from pathfinder.errors import UsageError
from pathfinder.types.calls import Call
from pathfinder.types.evidence import Ledger
from pathfinder.types.papers import Paper
from pathfinder.types.results import Stage
from pathfinder.types.traces import Trace, Version


class Generation(StrEnum):
    """The way an answer is made."""

    RAG = "rag"
    """Written by a chat model from the hits."""
    AGENT = "agent"
    """A ReAct agent, which searches as it goes."""
    DEEP_RESEARCH = "deep-research"
    """A plan of sub-questions, a finding for each, and their synthesis."""
    SELF_FEEDBACK = "self-feedback"
    """A draft, a critique of it, what the critique wants looked up, and a revision."""
    EXTRACTIVE = "extractive"
    """Sentences of the hits, verbatim, with no chat model."""


class Specialisation(StrEnum):
    """What the answer of a chat model should be like (arXiv:2408.01556, section 3)."""

    SINGLE_PAPER = "single-paper"
    """One fact with its source, terse."""
    MULTI_PAPER = "multi-paper"
    """A summary of what several papers say."""
    BIBLIOMETRIC = "bibliometric"
    """A query for ADS, which counts papers as Pathfinder cannot."""
    BROAD = "broad"
    """A first response, a check of it, and a refined one, each shown."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much one answer may take; at its end, it is finished with what there is."""

    steps: int = 8
    """Actions of an agent, sub-questions or rounds, 1 to 50."""
    seconds: float = 180.0
    tokens: int = 100_000
    """Read and written by the chat model, all calls together."""

    def __post_init__(self) -> None:
        for name, most in (("steps", 50), ("tokens", 10_000_000)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise UsageError(f"the budget's {name} must be a whole number in 1..{most}, got {value!r}")
        seconds = self.seconds
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
            raise UsageError(f"the budget's seconds must be a number above 0, got {seconds!r}")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question that was answered earlier in the conversation."""

    question: str
    answer: str
    """Its text, with [n] marks that lead into `sources`."""
    sources: tuple[Paper, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """How the question of a result is to be answered."""

    generation: Generation = Generation.RAG
    specialisation: Specialisation = Specialisation.MULTI_PAPER
    budget: Budget = field(default_factory=Budget)
    earlier: tuple[Exchange, ...] = ()
    """What was asked and answered before, the latest last."""
    second_judge: bool = False
    """Whether the chat model judges the evidence too, beside the local checker."""
    from_memory: bool = False
    """Whether a question that no paper answers may be answered from the chat model's memory, marked as such."""

    def __post_init__(self) -> None:
        for name, kind in (("generation", Generation), ("specialisation", Specialisation)):
            if not isinstance(getattr(self, name), kind):
                known = ", ".join(choice.value for choice in kind)
                raise UsageError(f"{name} must be one of {known}, got {getattr(self, name)!r}")
        if not isinstance(self.budget, Budget):
            raise UsageError(f"the budget must be a Budget, got {self.budget!r}")


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer and the papers that it cites."""

    text: str
    """Without its [n] marks."""
    citations: tuple[str, ...]
    """Paper ids, all of them of papers that the answer was made from."""


@dataclass(frozen=True, slots=True)
class AdsQuery:
    """A query for the Astrophysics Data System, checked."""

    query: str
    faults: tuple[str, ...]
    """What is wrong with it, each in a sentence; empty for one that ADS will take."""
    link: str | None
    """Its address on ADS; `None` while it has faults."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Words for a question, each sentence with its papers."""

    question: str
    text: str
    """With [n] marks; n is a place in `sources`, from 1. An invented mark ends with a question mark: [k3q7z?]."""
    claims: tuple[Claim, ...]
    abstained: bool
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    """What went wrong or was refused on the way: a provider's failure, an invented citation."""
    sources: tuple[Paper, ...] = ()
    """What it was made from; where it begins with the papers of the hits, n is the rank of a hit."""
    ledger: Ledger | None = None
    """Every sentence with the sentences of its sources; `None` where nothing is claimed."""
    trace: Trace | None = None
    """What was done step by step, where it took steps."""
    versions: tuple[Version, ...] = ()
    """Every version of the text, the first draft first, where there was more than one."""
    calls: tuple[Call, ...] = ()
    """Every call of a chat model, with its seconds and tokens."""
    ads_query: AdsQuery | None = None
    """For a bibliometric question."""
    redirect: str | None = None
    """Why the question was not answered but led elsewhere, in a word, such as "counting"; `None` for an answer."""
