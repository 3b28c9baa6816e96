"""What was done on the way to an answer, step by step, so that it can be seen, saved, replayed and continued."""

from dataclasses import dataclass
from enum import StrEnum


class StepKind(StrEnum):
    """What a step is."""

    PLAN = "plan"
    THOUGHT = "thought"
    ACTION = "action"
    OBSERVATION = "observation"
    FINDING = "finding"
    DRAFT = "draft"
    CRITIQUE = "critique"
    REVISION = "revision"
    NOTICE = "notice"
    """Said by Pathfinder: a repeated action, a budget that is spent, a call that was refused."""
    FINAL = "final"


class Ended(StrEnum):
    """Why a run came to its end."""

    ANSWERED = "answered"
    STEPS = "step budget spent"
    SECONDS = "time budget spent"
    TOKENS = "token budget spent"
    LOOP = "repeated itself"
    STOPPED = "stopped by the reader"
    FAILED = "the chat model failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing thought, done or seen."""

    kind: StepKind
    text: str
    tool: str | None = None
    """Of an action: which tool."""
    arguments: tuple[tuple[str, str | int | None], ...] = ()
    """Of an action: what the tool was given, by name."""
    paper_ids: tuple[str, ...] = ()
    """Of an observation: the papers seen, best first."""
    seconds: float | None = None
    is_edited: bool = False
    """Whether the reader wrote it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole run."""

    question: str
    generation: str
    steps: tuple[Step, ...]
    ended: Ended
    branched_at: int | None = None
    """The place of the step that was edited, from 0, where this run continues another."""


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a text that was revised."""

    label: str
    """ "draft", "after point 1", "final"."""
    text: str
    """With [n] marks, as in the answer."""
    because: str = ""
    """The point of the critique that led to it."""
