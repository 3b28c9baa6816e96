"""The agent mode: it thinks, acts and observes (ReAct, Yao et al. 2022, arXiv:2210.03629), until it can answer.

first search -> turn of the model -> its tool calls -> turn of the model ... -> its answer
                        |                |
                        +----------------+-> a budget is spent, the model fails or repeats itself -> forced answer
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from pathfinder.answering.digest.quotation import Quotation
from pathfinder.answering.modes.agent.actions import SEARCH, execute_tool_call, first_search, within
from pathfinder.answering.modes.agent.state import N_FIRST, AgentState, recover_recording
from pathfinder.answering.modes.agent.turns import force_answer, next_turn
from pathfinder.answering.modes.base import AnswerMode, Need
from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.session.answer_session import AnswerContext, AnswerSession, Branch
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer, ModeEvent
from pathfinder.errors import ProviderError, UsageError
from pathfinder.grounding.citations import check_citations
from pathfinder.llm.chat import Chat
from pathfinder.models.ports import ChatReply, ChatRequest
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.types import (
    AnswerRequest,
    Budget,
    Ended,
    Generation,
    SearchResult,
    StageOutcome,
    Step,
    StepKind,
    Trace,
)


def stream_agent(session: AnswerSession) -> AnswerStream:
    """Answer with an agent that searches as it goes, with the reader's own settings; return the draft with its trace.

    Raises a `ProviderError` if the model does not support tools or fails before it has said anything. A later failure
    ends the run with an answer from the papers found so far. If the session has a branch, the actions of the earlier
    run are carried out again, so that nothing from a file is taken on trust, and the run then continues.
    """
    branch = session.context.branch
    state = new_state(session, branch.steps if branch else ())
    yield from run_agent(state)
    return _draft(state, trace_of(state, branch.place if branch else None))


def run_agent(state: AgentState) -> Iterator[ModeEvent]:
    """Run the agent from the reader's own search to its end."""
    yield from first_search(state)
    while state.end_reason is None:
        for call in (yield from next_turn(state)):
            if state.end_reason is None and state.has_room:
                yield from execute_tool_call(state, call)
    if state.end_reason is not Ended.ANSWERED:
        yield from force_answer(state)


def new_state(session: AnswerSession, steps: tuple[Step, ...] = (), ends_as: Ended | None = None) -> AgentState:
    """Create the state of a run that first repeats the `steps` of an earlier run."""
    return AgentState(session, within(session.result.request), steps, recover_recording(steps), ends_as)


def trace_of(state: AgentState, branched_at: int | None = None) -> Trace:
    """Create the trace of a run that has ended."""
    end_reason = state.end_reason or Ended.FAILED
    return Trace(
        state.session.result.request.query, Generation.AGENT.value, tuple(state.steps), end_reason, branched_at
    )


def _draft(state: AgentState, trace: Trace) -> DraftAnswer:
    chat, registry = state.session.chat, state.session.registry
    n_searches = sum(
        step.kind is StepKind.ACTION and step.tool == SEARCH for step in _completed_actions(state.steps[N_FIRST:])
    )
    searches = "1 search" if n_searches == 1 else f"{n_searches} searches"
    ran = f"agent, {searches}, {describe_model(chat.name)}"
    notes = [*([] if state.end_reason is Ended.ANSWERED else [state.last_notice]), *state.notes]
    if state.quotation is not None:
        return _quotation(state, state.quotation, trace, f"extractive, after an {ran}", notes)
    checked_reply = check_citations(state.reply or "", registry)
    knows = not says_it_does_not_know(state.reply or "")
    notes += checked_reply.complaints
    if knows and not any(claim.citations for claim in checked_reply.claims):
        notes.append("no sentence in this answer cites a paper: check it against the papers yourself")
    text, claims = checked_reply.text, checked_reply.claims
    return DraftAnswer(text, claims, ran, not knows, tuple(notes), registry.papers, trace, model=chat.name)


def _quotation(state: AgentState, quotation: Quotation, trace: Trace, ran: str, notes: list[str]) -> DraftAnswer:
    reason = "the chat model gave no answer: these are the papers' own sentences"
    return DraftAnswer(
        quotation.text,
        quotation.claims,
        ran,
        not quotation.claims,
        (*notes, reason),
        state.session.registry.papers,
        trace,
        outcome=StageOutcome.SUBSTITUTED,
        reason=reason,
        digest=quotation.digest,
    )


def _completed_actions(steps: Sequence[Step]) -> list[Step]:
    """Return the actions that were followed by an observation."""
    return [step for step, after in pairwise(steps) if after.kind is StepKind.OBSERVATION]


MODE = AnswerMode(
    name="agent",
    label="Agent: searches as it goes",
    help="A chat model searches and reads step by step until it can answer.",
    icon="smart_toy",
    stream=stream_agent,
    needs=(Need.HITS, Need.CHAT, Need.TOOLS),
    is_stepwise=True,
)

# Replays a trace without a model, or continues it from a step that the reader edited.

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
    session = AnswerSession.begin(result, request, replace(context, chat=Chat("recorded:trace", _end_of_recording)))
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


def _end_of_recording(_: ChatRequest) -> Generator[str, None, ChatReply]:
    raise _EndOfRecording("the recording ends here")
