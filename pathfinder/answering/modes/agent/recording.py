"""Recovers the chat model's part in a run from its steps, so that the run can be replayed without the model."""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.errors import ProviderError
from pathfinder.models.ports import ChatReply, ToolCall
from pathfinder.types import NoticeKind, Step, StepKind

N_FIRST = 2
"""Number of steps taken by the reader's own search, which the model did not request."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The chat model's part in a run."""

    turns: tuple[ChatReply | ProviderError, ...] = ()
    """The model's thoughts and calls, each call in a turn of its own, and its answer if it reached one by itself."""
    last: ChatReply | ProviderError | None = None
    """The model's final reply without tools, if the run was ended early."""


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
