"""The agent mode: it thinks, acts and observes (ReAct, Yao et al. 2022, arXiv:2210.03629), until it can answer.

first search -> turn of the model -> its tool calls -> turn of the model ... -> its answer
                        |                |
                        +----------------+-> a budget is spent, the model fails or repeats itself -> forced answer
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pathfinder.answering.digest.quotation import Quotation
from pathfinder.answering.modes.agent.actions import execute_tool_call, first_search
from pathfinder.answering.modes.agent.last_answer import force_answer
from pathfinder.answering.modes.agent.recording import N_FIRST, recover_recording
from pathfinder.answering.modes.agent.state import AgentState
from pathfinder.answering.modes.agent.tools import SEARCH, within
from pathfinder.answering.modes.agent.turns import next_turn
from pathfinder.answering.modes.base import AnswerMode, Need
from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer, ModeEvent
from pathfinder.grounding.citations import check_citations
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.types import Ended, Generation, StageOutcome, Step, StepKind, Trace


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
