"""A trace taken again: played back without a model, or gone on with from a step that the reader rewrote."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from pathfinder.answering.agent.react import bench_for, trace_of, walked
from pathfinder.answering.agent.recording import N_FIRST
from pathfinder.answering.reply import Branch, Means, finished
from pathfinder.errors import ProviderError, UsageError
from pathfinder.models.ports import Said, Tool, Turn
from pathfinder.types import (
    AnswerRequest,
    Budget,
    Ended,
    Generation,
    SearchResult,
    Step,
    StepKind,
    Trace,
    Usage,
)

MOST_STEPS = 50
EDITABLE = (StepKind.THOUGHT, StepKind.ACTION, StepKind.OBSERVATION)
BUDGETS = (Ended.STEPS, Ended.SECONDS, Ended.TOKENS)


@dataclass(frozen=True, slots=True)
class Replay:
    """A trace played back, and where it came out otherwise than it was recorded."""

    trace: Trace
    differences: tuple[str, ...]
    """Each in a sentence; none: every step is the same but for its seconds."""


def replay(trace: Trace, result: SearchResult, means: Means) -> Replay:
    """Do every action of `trace` anew under the settings of `result`; what the model said is taken from the trace.

    No model is asked. A run that was stopped is compared as far as it went. Raises `UsageError` for a trace of another
    question, of no agent, or without a step that the model chose.
    """
    _check_belongs(trace, result)
    request = AnswerRequest(Generation.AGENT, budget=Budget(steps=MOST_STEPS))
    bench = bench_for(result, request, _Silent(), means, trace.steps)
    bench = replace(bench, ends_as=trace.ended if trace.ended in BUDGETS else None)
    try:
        run = finished(walked(bench))
    except _EndOfRecording:
        raise UsageError(
            "the run was stopped before the model had chosen anything, so there is nothing to play back: ask the "
            "question again and let it search at least once"
        ) from None
    again = trace_of(run, trace.question, trace.branched_at)
    if trace.ended is Ended.STOPPED:
        # What a stopped run would have done next is not known.
        again = replace(again, steps=again.steps[: len(trace.steps)], ended=trace.ended)
    return Replay(again, tuple(_differences(trace, again)))


def branched(trace: Trace, result: SearchResult, place: int, step: Step) -> Branch:
    """Where a run goes on that takes `trace` up to `place`, from 0, and `step` there, in the reader's name.

    Raises `UsageError` where none can go on from there.
    """
    _check_belongs(trace, result)
    _check_edited(trace, place, step)
    return Branch((*trace.steps[:place], replace(step, is_edited=True)), place)


def can_be_edited(trace: Trace, place: int) -> bool:
    """Whether a run can go on from the step at `place`, rewritten."""
    kind = trace.steps[place].kind
    return kind in EDITABLE and not (place < N_FIRST and kind is StepKind.ACTION)


def _check_belongs(trace: Trace, result: SearchResult) -> None:
    if trace.generation != Generation.AGENT.value:
        raise UsageError(
            f"a trace of {trace.generation!r} cannot be taken again step by step: that can be done with a trace of "
            f"{Generation.AGENT.value!r}"
        )
    if trace.question != result.request.query:
        raise UsageError(f"the trace is of another question: search for {trace.question!r} first")


def _check_edited(trace: Trace, place: int, step: Step) -> None:
    if not 0 <= place < len(trace.steps):
        raise UsageError(f"the trace has no step {place}: its places are 0 to {len(trace.steps) - 1}")
    was = trace.steps[place]
    if step.kind is not was.kind:
        raise UsageError(f"a step keeps its kind: {was.kind.value} cannot become {step.kind.value}")
    if place < N_FIRST and step.kind is StepKind.ACTION:
        raise UsageError("the first action is your own search: change the question or its settings instead")
    if step.kind not in EDITABLE:
        raise UsageError(f"a run goes on from a thought, an action or an observation, not from a {step.kind.value}")
    if not step.text.strip():
        raise UsageError(f"the {step.kind.value} is empty: write what it should say")


def _differences(before: Trace, after: Trace) -> Generator[str, None, None]:
    for place, (was, now) in enumerate(zip_longest(before.steps, after.steps), start=1):
        if was is None or now is None:
            yield f"step {place} is only in the {'new run' if was is None else 'recorded run'}"
        elif replace(was, seconds=None) != replace(now, seconds=None):
            what = "found other papers" if was.paper_ids != now.paper_ids else "reads otherwise"
            yield f"step {place} ({was.kind.value}) {what}"
    if before.ended is not after.ended:
        yield f"it ended otherwise: {before.ended.value!r} then, {after.ended.value!r} now"


class _EndOfRecording(ProviderError):
    """The model is asked for more than was recorded of it."""


class _Silent:
    """A chat model that has nothing to say beyond what was recorded."""

    name = "recorded:trace"

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        raise _EndOfRecording("the recording ends here")

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, Said]:
        raise _EndOfRecording("the recording ends here")
