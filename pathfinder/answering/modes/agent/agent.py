"""The agent mode: it thinks, acts and observes (ReAct, Yao et al. 2022, arXiv:2210.03629), until it can answer.

first search -> turn of the model -> its tool calls -> turn of the model ... -> its answer
                        |                |
                        +----------------+-> a budget is spent, the model fails or repeats itself -> forced answer
"""

import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from pathfinder.answering.digest.digest import Quotation, quote
from pathfinder.answering.grounding.citations import check_citations
from pathfinder.answering.grounding.sources import Sources, without_room
from pathfinder.answering.modes.agent.actions import READ, SEARCH, execute_tool_call, first_search, tools, within
from pathfinder.answering.modes.agent.state import (
    EMPTY,
    FAILURE,
    GO_ON,
    LAST_FAILED,
    N_FIRST,
    AgentState,
    recover_recording,
)
from pathfinder.answering.modes.base import AnswerMode, Need
from pathfinder.answering.modes.rag import says_it_does_not_know
from pathfinder.answering.session.answer_session import AnswerContext, AnswerSession, Branch
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer, ModeEvent, nothing_found
from pathfinder.errors import BudgetExhausted, ProviderError, TimeSpent, UsageError
from pathfinder.llm.chat import Chat
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import RecordedStream
from pathfinder.llm.usage import about_tokens, ended_by
from pathfinder.models.ports import ChatReply, ChatRequest, ToolCall, Turn
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.types import (
    AnswerRequest,
    Budget,
    Ended,
    Hit,
    ModeName,
    NoticeKind,
    Score,
    SearchResult,
    Step,
    StepKind,
    TextDelta,
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
    trace = trace_of(state, branch.place if branch else None)
    chat, registry = state.session.chat, state.session.registry
    n_searches = sum(
        step.kind is StepKind.ACTION and step.tool == SEARCH and after.kind is StepKind.OBSERVATION
        for step, after in pairwise(state.steps[N_FIRST:])
    )
    searches = "1 search" if n_searches == 1 else f"{n_searches} searches"
    ran = f"agent, {searches}, {describe_model(chat.name)}"
    notes = [*([] if state.end_reason is Ended.ANSWERED else [state.last_notice]), *state.notes]
    if state.quotation is not None:
        reason = "the chat model gave no answer: these are the papers' own sentences"
        ran, own_notes = f"extractive, after an {ran}", (*notes, reason)
        return replace(DraftAnswer.quoting(state.quotation, ran, reason, registry.papers, own_notes), trace=trace)
    checked_reply = check_citations(state.reply or "", registry)
    knows = not says_it_does_not_know(state.reply or "")
    notes += checked_reply.notes if knows else checked_reply.complaints
    text, claims = checked_reply.text, checked_reply.claims
    return DraftAnswer(text, claims, ran, not knows, tuple(notes), registry.papers, trace, model=chat.name)


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
    return Trace(state.session.result.request.query, ModeName.AGENT.value, tuple(state.steps), end_reason, branched_at)


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
    request = AnswerRequest(ModeName.AGENT, budget=Budget(steps=MOST_STEPS))
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
    return Branch((*trace.steps[:place], replace(step, is_edited=True)), place)


def can_be_edited(trace: Trace, place: int) -> bool:
    """Return whether a run can continue from the step at `place` after it is edited."""
    kind = trace.steps[place].kind
    return kind in EDITABLE and not (place < N_FIRST and kind is StepKind.ACTION)


def _check_belongs(trace: Trace, result: SearchResult) -> None:
    if trace.generation != ModeName.AGENT.value:
        raise UsageError(
            f"a trace of {trace.generation!r} cannot be replayed step by step: only a trace of "
            f"{ModeName.AGENT.value!r} can"
        )
    if trace.question != result.request.query:
        raise UsageError(f"the trace belongs to another question: search for {trace.question!r} first")


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


_ANSWER = re.compile(r"\s*(?:#+\s*)?\*{0,2}(?:final\s+)?answer\s*:\s*\*{0,2}\s*", re.IGNORECASE)
LONGEST_OPENING = 40
"""Number of characters in a turn after which "Answer:" is no longer expected."""


def next_turn(state: AgentState) -> Generator[ModeEvent, None, tuple[ToolCall, ...]]:
    """Take the model's next turn; return the tool calls that it requests. The run may end here with an answer."""
    # The reader may have written the last of the earlier steps for the model to continue from.
    place = len(state.steps)
    if place == len(state.earlier_steps) - 1 and state.earlier_steps[place].kind is StepKind.THOUGHT:
        yield state.append_step(state.earlier_steps[place])
    turns = transcript(state.question, state.conversation, state.session.request.budget.steps, state.steps)
    if (end_reason := state.find_end_reason(about_tokens("".join(turn.text for turn in turns)))) is not None:
        yield from state.end(end_reason)
        return ()
    start = state.session.clock()
    try:
        reply = yield from _reply(state, turns)
    except TimeSpent:
        yield from state.end(Ended.SECONDS)
        return ()
    except ProviderError as error:
        if not state.n_turns and not state.recording.turns:
            raise
        state.n_turns += 1
        if isinstance(error, BudgetExhausted):
            yield from state.end(ended_by(error))
        else:
            state.end_reason = Ended.FAILED
            yield state.append_notice(f"{FAILURE}{error}", NoticeKind.CHAT_FAILED, str(error))
        return ()
    state.n_turns += 1
    return (yield from _read(state, reply, state.session.clock() - start))


def without_opening(text: str) -> str:
    """Remove "Answer:" from the beginning of an answer."""
    return text[opening.end() :] if (opening := _ANSWER.match(text)) else text


def _reply(state: AgentState, turns: tuple[Turn, ...]) -> Generator[ModeEvent, None, ChatReply]:
    """Take the next turn, either recorded or new; the answer in a new turn is shown as it arrives."""
    session = state.session
    if state.is_replaying:
        reply = state.recording.turns[state.n_turns]
        if isinstance(reply, ProviderError):
            raise reply
        if reply.text and not reply.calls:
            yield from session.deltas([reply.text])
        return reply
    n_characters = 0
    with RecordedStream(state.chat.converse(turns, tools(state.base_request))) as chunks:
        for delta in session.deltas(_after_opening(chunks)):
            n_characters += len(delta.text)
            yield delta
    reply = chunks.result
    if not n_characters and not reply.calls:
        yield from session.deltas([without_opening(reply.text)])
    # Text that was already shown counts as the answer, even if the reply also requests tool calls.
    return replace(reply, calls=()) if n_characters else reply


def _read(state: AgentState, reply: ChatReply, seconds: float) -> Generator[ModeEvent, None, tuple[ToolCall, ...]]:
    # Lone surrogates cannot be written to a file.
    text = without_opening(reply.text).strip().encode("utf-8", "replace").decode()
    if reply.calls:
        if text:
            yield state.append_step(Step(StepKind.THOUGHT, text, seconds=seconds))
    elif text:
        state.reply, state.end_reason = text, Ended.ANSWERED
        yield state.append_step(Step(StepKind.FINAL, text, seconds=seconds))
    else:
        state.end_reason = Ended.FAILED
        yield state.append_notice(EMPTY, NoticeKind.CHAT_SILENT)
    return reply.calls


def _after_opening(chunks: Iterable[str]) -> Iterator[str]:
    """Yield the text after "Answer:" at the beginning of a turn as it arrives; yield nothing for other turns."""
    text, is_open = "", False
    for chunk in chunks:
        if is_open:
            yield chunk
            continue
        if len(text) > LONGEST_OPENING:
            continue
        text += chunk
        rest = without_opening(text)
        # If nothing follows the opening yet, further white space or asterisks that belong to it may still arrive.
        if rest != text and rest:
            is_open = True
            yield rest


def transcript(question: str, earlier: str, n_steps: int, steps: Sequence[Step]) -> tuple[Turn, ...]:
    """Write the conversation up to the model's next turn; `earlier` holds the earlier questions and answers, with keys.

    Each call gets its own turn, even if the model requested several at once.
    """
    turns = [
        Turn("system", render("agent_system", n_steps=str(n_steps))),
        Turn("human", render("agent_question", earlier=f"{earlier}\n\n" if earlier else "", question=question)),
    ]
    thought, call_id = "", None
    for place, step in enumerate(steps):
        if step.kind is StepKind.THOUGHT:
            turns += [Turn("assistant", thought)] if thought else []
            thought, call_id = step.text, None
        elif step.kind is StepKind.ACTION:
            turn, call_id = _action_turn(place, step, thought)
            turns.append(turn)
            thought = ""
        else:
            turns.append(Turn("human", step.text) if call_id is None else Turn("tool", step.text, call_id=call_id))
            call_id = None
    turns += [Turn("assistant", thought), Turn("human", GO_ON)] if thought else []
    return tuple(turns)


def _action_turn(place: int, step: Step, thought: str) -> tuple[Turn, str | None]:
    """Create the turn that requested an action; return it with the id of the call that the next turn answers.

    A tool that does not exist is only mentioned in the text: providers reject a conversation that calls it.
    """
    if step.tool not in (SEARCH, READ):
        return Turn("assistant", f"{thought}\n{step.text}".strip()), None
    # Nine letters and digits: the only form of call id that the strictest provider accepts.
    call_id = f"call{place:05d}"
    return Turn("assistant", thought, calls=(ToolCall(call_id, step.tool, dict(step.arguments)),)), call_id


# Writes the answer when a run ends early: with one last call without tools or, failing that, with sentences from the
# papers.

LAST_CALL_TOKENS = 8_000
"""Maximum number of source tokens in the last call, about thirty abstracts."""

TOO_LATE = "it did not finish in time"


def force_answer(state: AgentState) -> Iterator[ModeEvent]:
    """Answer from the papers found: in the model's words if it replies, otherwise in the papers' own."""
    session = state.session
    if not session.registry.papers:
        yield from _quote(state)
        return
    start = session.clock()
    try:
        text = yield from _last_words(state)
    except ProviderError as error:
        reason = TOO_LATE if isinstance(error, TimeSpent) else str(error)
        yield state.append_notice(f"{LAST_FAILED}{reason}", NoticeKind.LAST_CALL_FAILED, reason)
        yield from _quote(state)
        return
    state.reply, state.notes = text, (*state.notes, *_left_out(state))
    yield state.append_step(Step(StepKind.FINAL, text, seconds=session.clock() - start))


def _last_words(state: AgentState) -> Generator[ModeEvent, None, str]:
    """Return the reply to the last call. Raises a `ProviderError` if there is none."""
    session, last = state.session, state.recording.last
    if isinstance(last, ProviderError):
        raise last
    if last is not None:
        yield from session.deltas([last.text])
        text = last.text
    else:
        chat = session.chat.for_last_words(session.overrun)
        with RecordedStream(chat.stream(render("agent_finish_system"), _prompt(state))) as chunks:
            yield from session.deltas(chunks)
        text = "".join(chunks.items)
    if not (text := without_opening(text).strip()):
        raise ProviderError("it said nothing")
    return text


def _prompt(state: AgentState) -> str:
    sources = _sources(state)
    return render(
        "agent_finish",
        sources=sources.text,
        n_sources=str(len(state.session.registry.papers) - len(sources.left_out)),
        why=state.last_notice,
        question=state.question,
    )


def _sources(state: AgentState) -> Sources:
    """Return the papers found so far, starting with those found by the most searches."""
    times = Counter(paper_id for step in state.steps for paper_id in step.paper_ids)
    papers = sorted(state.session.registry.papers, key=lambda paper: -times[paper.paper_id])
    return state.session.sources(papers, LAST_CALL_TOKENS)


def _left_out(state: AgentState) -> tuple[str, ...]:
    if not (left_out := _sources(state).left_out):
        return ()
    return (f"the last prompt had no room for {without_room(left_out, state.session.registry)}",)


def _quote(state: AgentState) -> Iterator[ModeEvent]:
    """Quote sentences from the papers, or give advice if there are no papers."""
    session = state.session
    if papers := session.registry.papers:
        context = session.context
        quotation = quote(
            state.question,
            tuple(Hit(paper, row, Score(0.0)) for row, paper in enumerate(papers)),
            context.embedder,
            session.request.form,
            profile=context.profile,
        )
    else:
        quotation = Quotation(nothing_found(session.result), (), None)
    state.quotation = quotation
    yield TextDelta(quotation.text)
    yield state.append_step(Step(StepKind.FINAL, quotation.text))
