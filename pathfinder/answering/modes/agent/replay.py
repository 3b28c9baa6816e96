"""Replays a trace without a model, or continues it from a step that the reader edited."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from pathfinder.answering.modes.agent.agent import new_state, run_agent, trace_of
from pathfinder.answering.modes.agent.recording import N_FIRST
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.context import AnswerContext, Branch
from pathfinder.errors import ProviderError, UsageError
from pathfinder.models.ports import ChatReply, Tool, Turn
from pathfinder.types import AnswerRequest, Budget, Ended, Generation, SearchResult, Step, StepKind, Trace, Usage

MOST_STEPS = 50
EDITABLE = (StepKind.THOUGHT, StepKind.ACTION, StepKind.OBSERVATION)
BUDGETS = (Ended.STEPS, Ended.SECONDS, Ended.TOKENS, Ended.CALLS)


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed trace, and how it differs from the recording."""

    trace: Trace
    differences: tuple[str, ...]
    """Differences, one sentence each; empty if all steps are the same. Times and the wording of notices are ignored."""


def replay(trace: Trace, result: SearchResult, context: AnswerContext) -> Replay:
    """Repeat every action in `trace` under the settings of `result`, with the model's words taken from the trace.

    No model is called. A run that was stopped is compared up to the point that it reached. Raises `UsageError` for a
    trace of another question, a trace not made by an agent, or a trace without any step chosen by the model.
    """
    _check_belongs(trace, result)
    request = AnswerRequest(Generation.AGENT, budget=Budget(steps=MOST_STEPS))
    session = AnswerSession.begin(result, request, replace(context, chat=_SilentChat()))
    state = new_state(session, trace.steps, trace.ended if trace.ended in BUDGETS else None)
    try:
        for _ in run_agent(state):
            pass
    except _EndOfRecording:
        raise UsageError(
            "the run was stopped before the model had chosen an action, so there is nothing to replay: ask the "
            "question again and let it search at least once"
        ) from None
    again = trace_of(state, trace.branched_at)
    if trace.ended is Ended.STOPPED:
        # There is no telling how a stopped run would have continued.
        again = replace(again, steps=again.steps[: len(trace.steps)], ended=trace.ended)
    return Replay(again, tuple(_differences(trace, again)))


def branch_off(trace: Trace, result: SearchResult, place: int, step: Step) -> Branch:
    """Prepare a run that follows `trace` up to `place`, counted from 0, and continues from the reader's `step`.

    Raises `UsageError` if a run cannot continue from there.
    """
    _check_belongs(trace, result)
    _check_edited(trace, place, step)
    return Branch((*trace.steps[:place], replace(step, is_edited=True)), place)


def can_be_edited(trace: Trace, place: int) -> bool:
    """Return whether a run can continue from the step at `place` after it is edited."""
    kind = trace.steps[place].kind
    return kind in EDITABLE and not (place < N_FIRST and kind is StepKind.ACTION)


def _check_belongs(trace: Trace, result: SearchResult) -> None:
    if trace.generation != Generation.AGENT.value:
        raise UsageError(
            f"a trace of {trace.generation!r} cannot be replayed step by step: only a trace of "
            f"{Generation.AGENT.value!r} can"
        )
    if trace.question != result.request.query:
        raise UsageError(f"the trace belongs to another question: search for {trace.question!r} first")


def _check_edited(trace: Trace, place: int, step: Step) -> None:
    if not 0 <= place < len(trace.steps):
        raise UsageError(f"the trace has no step {place}: its steps are numbered 0 to {len(trace.steps) - 1}")
    was = trace.steps[place]
    if step.kind is not was.kind:
        raise UsageError(f"a step cannot change kind: {was.kind.value} cannot become {step.kind.value}")
    if place < N_FIRST and step.kind is StepKind.ACTION:
        raise UsageError("the first action is your own search: change the question or its settings instead")
    if step.kind not in EDITABLE:
        raise UsageError(
            f"a run can continue from a thought, an action or an observation, but not from a {step.kind.value}"
        )
    if not step.text.strip():
        raise UsageError(f"the {step.kind.value} is empty: write what it should say")


def _differences(before: Trace, after: Trace) -> Generator[str, None, None]:
    for place, (was, now) in enumerate(zip_longest(before.steps, after.steps), start=1):
        if was is None or now is None:
            yield f"step {place} is only in the {'new run' if was is None else 'recorded run'}"
        elif _without_wording(was) != _without_wording(now):
            what = "found different papers" if was.paper_ids != now.paper_ids else "reads differently"
            yield f"step {place} ({was.kind.value}) {what}"
    if before.ended is not after.ended:
        yield f"it ended differently: {before.ended.value!r} then, {after.ended.value!r} now"


def _without_wording(step: Step) -> Step:
    """Return `step` without its time and, for a notice, its wording, which may differ between releases."""
    return replace(step, seconds=None, text=step.text if step.notice is None else "")


class _EndOfRecording(ProviderError):
    """Raised when the model is asked for more than was recorded."""


class _SilentChat:
    """A chat model that adds nothing to the recording."""

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
    ) -> Generator[str, None, ChatReply]:
        raise _EndOfRecording("the recording ends here")
