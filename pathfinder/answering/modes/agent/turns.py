"""Handles a turn of the model: its thought, its tool calls, or its answer."""

import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace

from pathfinder.answering.digest.quotation import Quotation, quote
from pathfinder.answering.modes.agent.actions import READ, SEARCH, tools
from pathfinder.answering.modes.agent.state import EMPTY, FAILURE, GO_ON, LAST_FAILED, AgentState
from pathfinder.answering.session.draft import ModeEvent, nothing_found
from pathfinder.errors import BudgetExhausted, ProviderError, TimeSpent
from pathfinder.grounding.sources import Sources
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import RecordedStream
from pathfinder.llm.usage import about_tokens, ended_by
from pathfinder.models.ports import ChatReply, ToolCall, Turn
from pathfinder.types import Ended, Hit, NoticeKind, Paper, Score, Step, StepKind, TextDelta

_ANSWER = re.compile(r"\s*(?:#+\s*)?\*{0,2}(?:final\s+)?answer\s*:\s*\*{0,2}\s*", re.IGNORECASE)
LONGEST_OPENING = 40
"""Number of characters in a turn after which "Answer:" is no longer expected."""


def next_turn(state: AgentState) -> Generator[ModeEvent, None, tuple[ToolCall, ...]]:
    """Take the model's next turn; return the tool calls that it requests. The run may end here with an answer."""
    yield from _reader_thought(state)
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
        yield from _fail(state, error)
        return ()
    state.n_turns += 1
    return (yield from _read(state, reply, state.session.clock() - start))


def without_opening(text: str) -> str:
    """Remove "Answer:" from the beginning of an answer."""
    return text[opening.end() :] if (opening := _ANSWER.match(text)) else text


def _reader_thought(state: AgentState) -> Iterator[ModeEvent]:
    """Log the thought at the end of the earlier steps, if the reader wrote one for the model to continue from."""
    place = len(state.steps)
    if place == len(state.earlier_steps) - 1 and state.earlier_steps[place].kind is StepKind.THOUGHT:
        yield state.append_step(state.earlier_steps[place])


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


def _fail(state: AgentState, error: ProviderError) -> Iterator[ModeEvent]:
    if not state.n_turns and not state.recording.turns:
        raise error
    state.n_turns += 1
    if isinstance(error, BudgetExhausted):
        yield from state.end(ended_by(error))
    else:
        state.end_reason = Ended.FAILED
        yield state.append_notice(f"{FAILURE}{error}", NoticeKind.CHAT_FAILED, str(error))


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
    registry = state.session.registry
    places = ", ".join(f"[{registry.place(registry.key(paper.paper_id))}]" for paper in left_out)
    return (f"the last prompt had no room for {places}",)


def _quote(state: AgentState) -> Iterator[ModeEvent]:
    """Quote sentences from the papers, or give advice if there are no papers."""
    session = state.session
    if papers := session.registry.papers:
        context = session.context
        quotation = quote(
            state.question, _hits(papers), context.embedder, session.request.form, profile=context.profile
        )
    else:
        quotation = Quotation(nothing_found(session.result), (), None)
    state.quotation = quotation
    yield TextDelta(quotation.text)
    yield state.append_step(Step(StepKind.FINAL, quotation.text))


def _hits(papers: tuple[Paper, ...]) -> tuple[Hit, ...]:
    """Turn papers into hits that can be quoted, without scores, because scores for different questions are not
    comparable.
    """
    return tuple(Hit(paper, row, Score(0.0)) for row, paper in enumerate(papers))
