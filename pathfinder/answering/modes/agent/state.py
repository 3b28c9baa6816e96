"""The state of one run of the agent, to which steps are added."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pathfinder.answering.digest.digest import Quotation
from pathfinder.answering.grounding.sources import as_conversation
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import ModeEvent
from pathfinder.errors import ProviderError
from pathfinder.llm.chat import Chat
from pathfinder.models.ports import ChatReply, ToolCall
from pathfinder.types import Ended, NoticeKind, SearchRequest, Step, StepKind, StepTaken

ENDINGS = {
    Ended.STEPS: "The step budget is spent: the answer is based on what has been found so far.",
    Ended.SECONDS: "The time budget is spent: the answer is based on what has been found so far.",
    Ended.TOKENS: "The token budget is spent: the answer is based on what has been found so far.",
    Ended.CALLS: "The call budget is spent: the answer is based on what has been found so far.",
}
LOOP = "The chat model repeated itself after a warning: the answer is based on what has been found so far."
FAILURE = "The chat model failed: "
EMPTY = "The chat model said nothing: it was asked once more, without tools, to answer as best it could."
LAST_FAILED = "The last call of the chat model failed: "
REFUSAL = "Refused: "
NOT_RELEVANT = "By Pathfinder's own measure, none of these is relevant to the query."
GO_ON = "Continue from there."


@dataclass(frozen=True, slots=True)
class Recording:
    """The chat model's part in a run."""

    turns: tuple[ChatReply | ProviderError, ...] = ()
    """The model's thoughts and calls, each call in a turn of its own, and its answer if it reached one by itself."""
    last: ChatReply | ProviderError | None = None
    """The model's final reply without tools, if the run was ended early."""


@dataclass(slots=True)
class AgentState:
    """The run so far. The model is shown `steps` and nothing else, so a trace holds everything that the model saw."""

    session: AnswerSession
    base_request: SearchRequest
    """The reader's settings, used for every search that the agent makes."""
    earlier_steps: tuple[Step, ...] = ()
    """Steps of an earlier run, which are repeated before this run continues."""
    recording: Recording = field(default_factory=Recording)
    """The model's words in the earlier steps."""
    ends_as: Ended | None = None
    """The resource that ran out after the last of the earlier steps, if this run is a replay."""
    steps: list[Step] = field(default_factory=list)
    n_actions: int = 0
    """Number of actions that the model requested, including refused ones."""
    n_turns: int = 0
    actions: dict[tuple[object, ...], int] = field(default_factory=dict)
    """Actions carried out or refused so far, mapped to their positions in `steps`."""
    is_warned: bool = False
    """True if the model has been warned that it is repeating itself."""
    end_reason: Ended | None = None
    reply: str | None = None
    """The model's answer, with citation keys."""
    quotation: Quotation | None = None
    """The answer in the papers' own words, if the model gave none."""
    notes: tuple[str, ...] = ()

    @property
    def last_notice(self) -> str:
        """Pathfinder's last notice, which says why the run ended; empty if there is none."""
        return next((step.text for step in reversed(self.steps) if step.kind is StepKind.NOTICE), "")

    @property
    def question(self) -> str:
        return " ".join(self.session.question.split())

    @property
    def chat(self) -> Chat:
        """The chat model; a reply that has begun may overrun the time limit by up to `session.overrun` seconds."""
        return self.session.chat.with_overrun(self.session.overrun)

    @property
    def conversation(self) -> str:
        """The earlier questions and answers, with keys in place of citation marks."""
        return as_conversation(self.session.registry, self.session.request.earlier)

    @property
    def is_replaying(self) -> bool:
        """True if the model's next turn comes from the recording."""
        return self.n_turns < len(self.recording.turns)

    @property
    def has_room(self) -> bool:
        """True if the step budget allows another action. Actions of an earlier run are repeated regardless."""
        return self.n_actions < self.session.request.budget.steps or self.n_turns <= len(self.recording.turns)

    def find_end_reason(self, next_tokens: int) -> Ended | None:
        """Return the part of the budget, if any, that a call of `next_tokens` tokens and a last call of the same length
        would exceed.
        """
        if self.is_replaying:
            return None
        if self.ends_as is not None:
            return self.ends_as
        if self.n_actions >= self.session.request.budget.steps:
            return Ended.STEPS
        return self.session.chat.tracker.end_reason(next_tokens=2 * next_tokens)

    def append_step(self, step: Step) -> StepTaken:
        """Add a step. A repeated step keeps its recorded time, and any text that the reader edited."""
        place = len(self.steps)
        if place < len(self.earlier_steps):
            earlier = self.earlier_steps[place]
            step = replace(step, seconds=earlier.seconds)
            if earlier.is_edited and earlier.kind is step.kind:
                text = earlier.text if earlier.kind is StepKind.OBSERVATION else step.text
                step = replace(step, text=text, is_edited=True)
        self.steps.append(step)
        return StepTaken(step)

    def append_notice(self, text: str, kind: NoticeKind, reason: str | None = None) -> StepTaken:
        """Add a notice from Pathfinder."""
        return self.append_step(Step(StepKind.NOTICE, text, notice=kind, reason=reason))

    def end(self, end_reason: Ended) -> Iterator[ModeEvent]:
        """End the run because one of its budgets is spent."""
        self.end_reason = end_reason
        yield self.append_notice(ENDINGS[end_reason], NoticeKind.BUDGET_SPENT)


# Recovers the chat model's part in a run from its steps, so that the run can be replayed without the model.

N_FIRST = 2
"""Number of steps taken by the reader's own search, which the model did not request."""


def recover_recording(steps: Sequence[Step]) -> Recording:
    """Recover what the model said in `steps`; a final thought that has not led to anything yet is left out."""
    turns: list[ChatReply | ProviderError] = []
    last: ChatReply | ProviderError | None = None
    thought, is_ended = "", False
    for step in steps[N_FIRST:]:
        if step.kind is StepKind.THOUGHT:
            thought = step.text
        elif step.kind is StepKind.ACTION:
            turns.append(ChatReply(thought, (ToolCall("", step.tool or "", dict(step.arguments)),)))
            thought = ""
        elif step.kind is StepKind.FINAL and not is_ended:
            turns.append(ChatReply(step.text))
        elif step.kind is StepKind.FINAL:
            last = last or ChatReply(step.text)
        elif step.notice is NoticeKind.LAST_CALL_FAILED:
            last = ProviderError(step.reason or "")
        elif step.notice is not None and step.notice.ends_run:
            is_ended = True
            turns += _silence(step)
    return Recording(tuple(turns), last)


def _silence(notice: Step) -> list[ChatReply | ProviderError]:
    """Recreate a turn for which the trace contains only Pathfinder's own notice."""
    if notice.notice is NoticeKind.CHAT_SILENT:
        return [ChatReply("")]
    return [ProviderError(notice.reason or "")] if notice.notice is NoticeKind.CHAT_FAILED else []
