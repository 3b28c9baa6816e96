"""Writes the answer when a run ends early: with one last call without tools or, failing that, with sentences from the
papers.
"""

from collections import Counter
from collections.abc import Generator, Iterator

from pathfinder.answering.digest.quotation import Quotation, quote
from pathfinder.answering.modes.agent.state import AgentState
from pathfinder.answering.modes.agent.turns import without_opening
from pathfinder.answering.modes.agent.wording import LAST_FAILED
from pathfinder.answering.session.advice import nothing_found
from pathfinder.answering.session.draft import ModeEvent
from pathfinder.errors import ProviderError, TimeSpent
from pathfinder.grounding.sources import Sources
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import RecordedStream
from pathfinder.types import Hit, NoticeKind, Paper, Score, Step, StepKind, TextDelta

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
