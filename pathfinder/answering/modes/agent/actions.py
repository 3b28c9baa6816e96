"""Carries out tool calls: validates them, searches or fetches a paper, and reports an observation or a refusal."""

from collections.abc import Collection, Iterator, Sequence

from pathfinder.answering.modes.agent.state import AgentState
from pathfinder.answering.modes.agent.tools import SEARCH, describe_years
from pathfinder.answering.modes.agent.validation import (
    Lookup,
    Reading,
    Refusal,
    action_key,
    action_line,
    as_step,
    validate_tool_call,
)
from pathfinder.answering.modes.agent.wording import LOOP, NOT_RELEVANT, REFUSAL
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import ModeEvent
from pathfinder.errors import ProviderError, UsageError
from pathfinder.grounding.sources import source_text
from pathfinder.models.ports import ToolCall
from pathfinder.types import Ended, NoticeKind, Paper, SearchResult, Step, StepKind, StepTaken

OBSERVED_TOKENS = 1_500
"""Maximum number of tokens shown from the results of one search, about six abstracts. The model reads them again in
every later call.
"""

READ_TOKENS = 8_000
"""Maximum number of tokens shown from one paper, more than any abstract has."""


def first_search(state: AgentState) -> Iterator[ModeEvent]:
    """Report the reader's own search, made before the agent begins, as a first action that does not count towards the
    step budget.
    """
    arguments = (("query", state.question),)
    yield state.append_step(Step(StepKind.ACTION, action_line(SEARCH, arguments), SEARCH, arguments))
    state.actions[action_key(Lookup(state.base_request))] = 0
    yield _observe(state, state.session.result, None)


def execute_tool_call(state: AgentState, call: ToolCall) -> Iterator[ModeEvent]:
    """Carry out a tool call and report its outcome."""
    step, place = as_step(call), len(state.steps)
    yield state.append_step(step)
    state.n_actions += 1
    action = validate_tool_call(step, state.base_request, state.session.registry)
    key = (REFUSAL, step.text) if isinstance(action, Refusal) else action_key(action)
    if key in state.actions:
        yield _warn_of_repetition(state, state.actions[key])
        return
    state.actions[key] = place
    if isinstance(action, Refusal):
        yield state.append_notice(f"{REFUSAL}{action.why}.", NoticeKind.REFUSED)
    elif isinstance(action, Lookup):
        yield _look_up(state, action)
    else:
        yield _read(state, action)


def _warn_of_repetition(state: AgentState, earlier: int) -> StepTaken:
    """Warn the first time an action is repeated, and end the run the second time."""
    if state.is_warned:
        state.end_reason = Ended.LOOP
        return state.append_notice(LOOP, NoticeKind.LOOP)
    state.is_warned = True
    return state.append_notice(
        f"Not repeated: this is the same as step {earlier + 1}, whose result is above. Look for something else, or "
        "answer with what has been found.",
        NoticeKind.REPEATED,
    )


def _look_up(state: AgentState, action: Lookup) -> StepTaken:
    start = state.session.clock()
    try:
        result = state.session.search_for(action.request)
    except (UsageError, ProviderError) as error:
        return state.append_notice(f"The search failed: {error}.", NoticeKind.SEARCH_FAILED)
    return _observe(state, result, state.session.clock() - start)


def _observe(state: AgentState, result: SearchResult, seconds: float | None) -> StepTaken:
    session, papers = state.session, tuple(hit.paper for hit in result.hits)
    session.registry = session.registry.with_papers(papers)
    ids = tuple(paper.paper_id for paper in papers)
    known_ids = {paper_id for step in state.steps for paper_id in step.paper_ids}
    text = _observation(session, result, papers, known_ids)
    return state.append_step(Step(StepKind.OBSERVATION, text, paper_ids=ids, seconds=seconds))


def _observation(
    session: AnswerSession, result: SearchResult, papers: Sequence[Paper], known_ids: Collection[str]
) -> str:
    """Describe the hits of a search: new papers in full if they fit, and papers shown before only by their keys."""
    if not papers:
        return f"No papers were found (years: {describe_years(result.request)})."
    new = [paper for paper in papers if paper.paper_id not in known_ids]
    sources, registry = session.sources(new, OBSERVED_TOKENS), session.registry
    old = ", ".join(f"[{registry.key(paper.paper_id)}]" for paper in papers if paper.paper_id in known_ids)
    titles = [f"[{registry.key(paper.paper_id)}] {source_text(paper.title)}" for paper in sources.left_out]
    n_found = "1 paper was" if len(papers) == 1 else f"{len(papers)} papers were"
    parts = [
        f"{n_found} found (years: {describe_years(result.request)}), {len(new)} of them not shown before.",
        "" if result.assessment is None or result.assessment.is_relevant else NOT_RELEVANT,
        sources.text,
        f"Shown before: {old}." if old else "",
        "\n".join(["Not shown for lack of room; read them by their keys:", *titles]) if titles else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _read(state: AgentState, action: Reading) -> StepTaken:
    paper = action.paper
    facts = [
        "" if paper.citation_count is None else f"Cited {paper.citation_count} times.",
        f"Keywords: {source_text(', '.join((*paper.subjects, *paper.keywords)))}." if paper.keywords else "",
    ]
    text = "\n\n".join([state.session.sources((paper,), READ_TOKENS).text, *filter(None, facts)])
    return state.append_step(Step(StepKind.OBSERVATION, text, paper_ids=(paper.paper_id,)))
