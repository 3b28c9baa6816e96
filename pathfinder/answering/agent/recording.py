"""What the model said in a run, read back from its steps, so that the run can be taken again without it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.answering.agent.words import EMPTY, ENDS, FAILED, LAST_FAILED
from pathfinder.errors import ProviderError
from pathfinder.models.ports import Said, ToolCall
from pathfinder.types import Step, StepKind

N_FIRST = 2
"""Steps of the reader's own search, which the model did not ask for."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The model's part of a run."""

    turns: tuple[Said | ProviderError, ...] = ()
    """Its thoughts and calls, and its answer if it came to one by itself. Each call is in a turn of its own."""
    last: Said | ProviderError | None = None
    """Its last words without tools, where the run was ended."""


def recorded(steps: Sequence[Step]) -> Recording:
    """What the model said in `steps`; a thought at the end, which led to nothing yet, is left out."""
    turns: list[Said | ProviderError] = []
    last: Said | ProviderError | None = None
    thought, is_ended = "", False
    for step in steps[N_FIRST:]:
        if step.kind is StepKind.THOUGHT:
            thought = step.text
        elif step.kind is StepKind.ACTION:
            turns.append(Said(thought, (ToolCall("", step.tool or "", dict(step.arguments)),)))
            thought = ""
        elif step.kind is StepKind.FINAL and not is_ended:
            turns.append(Said(step.text))
        elif step.kind is StepKind.FINAL:
            last = last or Said(step.text)
        elif step.text.startswith(LAST_FAILED):
            last = ProviderError(step.text.removeprefix(LAST_FAILED))
        elif step.text.startswith(ENDS):
            is_ended = True
            turns += _silence(step.text)
    return Recording(tuple(turns), last)


def _silence(notice: str) -> list[Said | ProviderError]:
    """A turn of which only Pathfinder's own word is left."""
    if notice == EMPTY:
        return [Said("")]
    return [ProviderError(notice.removeprefix(FAILED))] if notice.startswith(FAILED) else []
