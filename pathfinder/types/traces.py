"""The steps that led to an answer, in a form that can be shown, saved, replayed and continued."""

from dataclasses import dataclass
from enum import StrEnum


class StepKind(StrEnum):
    """Kinds of step."""

    PLAN = "plan"
    THOUGHT = "thought"
    ACTION = "action"
    OBSERVATION = "observation"
    FINDING = "finding"
    DRAFT = "draft"
    CRITIQUE = "critique"
    REVISION = "revision"
    NOTICE = "notice"
    """Notice from Pathfinder: a repeated action, an exhausted budget or a refused call."""
    FINAL = "final"


class NoticeKind(StrEnum):
    """Subjects of notices that affect the replay of a run."""

    BUDGET_SPENT = "budget spent"
    REPEATED = "repeated action"
    LOOP = "loop"
    REFUSED = "refused action"
    SEARCH_FAILED = "search failed"
    CHAT_FAILED = "chat model failed"
    CHAT_SILENT = "chat model silent"
    LAST_CALL_FAILED = "last call failed"

    @property
    def ends_run(self) -> bool:
        """True if the notice ends the run, so that only one final call to the chat model can follow."""
        return self in (NoticeKind.BUDGET_SPENT, NoticeKind.LOOP, NoticeKind.CHAT_FAILED, NoticeKind.CHAT_SILENT)


class Ended(StrEnum):
    """Reasons why a run may end."""

    ANSWERED = "answered"
    STEPS = "step budget spent"
    SECONDS = "time budget spent"
    TOKENS = "token budget spent"
    CALLS = "call budget spent"
    LOOP = "repeated itself"
    STOPPED = "stopped by the reader"
    FAILED = "the chat model failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One thought, action or observation."""

    kind: StepKind
    text: str
    tool: str | None = None
    """Tool used by an action."""
    arguments: tuple[tuple[str, str | int | None], ...] = ()
    """Arguments of an action, by name."""
    paper_ids: tuple[str, ...] = ()
    """Papers in an observation, best first."""
    seconds: float | None = None
    is_edited: bool = False
    """True if the reader wrote the step."""
    notice: NoticeKind | None = None
    """Subject of a notice."""
    reason: str | None = None
    """The provider's error that caused a notice."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The trace of a complete run."""

    question: str
    generation: str
    steps: tuple[Step, ...]
    ended: Ended
    branched_at: int | None = None
    """Position of the edited step, counted from 0, if this run continues another."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a text that was revised."""

    label: str
    """Label such as "draft", "after point 1" or "final"."""
    text: str
    """Text with [n] marks, as in the answer."""
    because: str = ""
    """The point of the critique that led to this version."""
