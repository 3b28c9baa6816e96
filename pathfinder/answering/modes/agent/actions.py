"""Carries out tool calls: validates them, searches or fetches a paper, and reports an observation or a refusal."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, assert_never

from pathfinder.answering.grounding.sources import CitationRegistry, source_text
from pathfinder.answering.modes.agent.state import LOOP, NOT_RELEVANT, REFUSAL, AgentState
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import ModeEvent
from pathfinder.errors import ProviderError, UsageError
from pathfinder.models.ports import Tool, ToolCall
from pathfinder.types import (
    Ended,
    FullTextPassage,
    NoticeKind,
    Paper,
    SearchRequest,
    SearchResult,
    Step,
    StepKind,
    StepTaken,
    without_control_characters,
)
from pathfinder.types.requests import MAX_YEAR

OBSERVED_TOKENS = 1_500
"""Maximum number of tokens shown from the results of one search, about six abstracts, or three and as many full-text
passages. The model reads them again in every later call.
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
    if isinstance(action, Reading) and action.part in (BEFORE, AFTER):  # which goes on from what is shown by then
        key = (*key, len(state.session.readings.passages.get(action.paper.paper_id, ())))
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


@dataclass(frozen=True, slots=True)
class Lookup:
    """A search within the reader's settings."""

    request: SearchRequest


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
    sources, registry = session.sources(new, OBSERVED_TOKENS, keeps_room=True), session.registry
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


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper that was shown before and is to be read: as a whole, or a part of its full text."""

    paper: Paper
    part: str = ""
    """Heading of a section, or label of a table or figure; `BEFORE` or `AFTER` for the text on either side of what was
    shown last; empty for the paper as a whole.
    """


def _read(state: AgentState, action: Reading) -> StepTaken:
    paper, session = action.paper, state.session
    if action.part:
        return _read_on(state, action)
    facts = [
        "" if paper.citation_count is None else f"Cited {paper.citation_count} times.",
        f"Keywords: {source_text(', '.join((*paper.subjects, *paper.keywords)))}." if paper.keywords else "",
    ]
    text = "\n\n".join([session.sources((paper,), READ_TOKENS).text, *filter(None, facts)])
    return state.append_step(Step(StepKind.OBSERVATION, text, paper_ids=(paper.paper_id,)))


def _read_on(state: AgentState, action: Reading) -> StepTaken:
    """Show a part of a paper's full text, which is then among the passages that the answer may rest on."""
    session, paper = state.session, action.paper
    index, shown = session.context.full_texts, session.readings.passages.get(paper.paper_id, ())
    passages = index.passages_of(paper.paper_id) if index else ()
    part = _part_of(passages, action.part, shown)
    if not part:
        headings = "; ".join(dict.fromkeys(each.heading for each in passages if each.heading))
        has = f"its parts are: {source_text(headings)}" if passages else "the library has no full text of it"
        return state.append_notice(
            f"{REFUSAL}there is no part {_quote(action.part)} of this paper: {has}.", NoticeKind.REFUSED
        )
    text = session.sources((paper,), READ_TOKENS, full_texts={paper.paper_id: part}).text
    if printed := tuple(each for each in part if source_text(each.text) in text):
        session.readings = session.readings.with_passages({paper.paper_id: printed})
    return state.append_step(Step(StepKind.OBSERVATION, text, paper_ids=(paper.paper_id,)))


def _part_of(
    passages: Sequence[FullTextPassage], part: str, shown: Sequence[FullTextPassage]
) -> tuple[FullTextPassage, ...]:
    """Return the passages under the heading or label `part`, with the rows of a table under its label and caption; if
    there are none, those under a heading that contains it as whole words ("Table 1" is no part of "Table 10"); or those
    next to the passage that was shown last, captions aside, of which the first may overlap with it.
    """
    if part not in (BEFORE, AFTER):
        name = re.compile(rf"(?<![\w.]){re.escape(part)}s?(?!\.?\w)", re.IGNORECASE)
        label = f"{part}. ".casefold()
        whole = tuple(each for each in passages if f"{each.heading}. ".casefold().startswith(label))
        return whole or tuple(each for each in passages if name.search(each.heading))
    running = [each for each in passages if not each.is_caption and each not in shown]
    last = next((each for each in reversed(shown) if not each.is_caption), None)
    if last is None:
        return ()
    if part == AFTER:
        end = (last.section, last.last, last.end)
        return tuple(each for each in running if (each.section, each.last, each.end) > end)[:N_NEXT]
    start = (last.section, last.first, last.start)
    return tuple(each for each in running if (each.section, each.first, each.start) < start)[-N_NEXT:]


MAX_QUERY = 500
"""Maximum length of a query in characters."""

# Strictly validates the agent's requests.
#
# Both tools can only narrow the reader's settings: a search stays within the years and the number of papers that the
# reader set, and only a paper that was shown can be read. A request that breaks these rules is refused with an
# explanation, never adjusted.

MAX_SHOWN = MAX_QUERY + 100
"""Maximum number of characters of an argument that are stored in a trace."""
MAX_ARGUMENTS = 8
MAX_NAME = 60
MAX_BITS = 64

ODD = "neither text nor a whole number: "
"""Prefix with which a trace stores, as text, an argument that is neither text nor a whole number."""

Argument: TypeAlias = str | int | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Reason for refusing an action, naming the value, the rule and what to do instead."""

    why: str


Action: TypeAlias = Lookup | Reading | Refusal


def as_step(call: ToolCall) -> Step:
    """Turn a tool call into a step as stored in traces and read by `validate_tool_call`; nothing is checked yet."""
    arguments = list(call.arguments.items())[: MAX_ARGUMENTS + 1]
    recorded_arguments = tuple((_tidy(str(name), MAX_NAME), _argument(value)) for name, value in arguments)
    tool = _tidy(call.name, MAX_NAME)
    return Step(StepKind.ACTION, action_line(tool, recorded_arguments), tool=tool, arguments=recorded_arguments)


def action_line(tool: str, arguments: tuple[tuple[str, Argument], ...]) -> str:
    """Write an action on one line: `search(query="cold dust", top_k=5)`."""
    return f"{tool}({', '.join(f'{name}={json.dumps(value, ensure_ascii=False)}' for name, value in arguments)})"


def validate_tool_call(step: Step, reader: SearchRequest, registry: CitationRegistry) -> Action:
    """Validate the action of `step` against the settings of `reader` and the papers in `registry`."""
    if step.tool not in PARAMETERS:
        return Refusal(f"there is no tool {_quote(step.tool)}: the tools are {SEARCH} and {READ}")
    names = [name for name, _ in step.arguments]
    parameters = PARAMETERS[step.tool]
    if unknown_names := [name for name in names if name not in parameters]:
        return Refusal(
            f"{step.tool} does not accept {_quote(unknown_names[0])}: it accepts only {', '.join(parameters)}"
        )
    if len(set(names)) < len(names):
        return Refusal(f"{step.tool} was given an argument twice: give each argument only once")
    arguments = dict(step.arguments)
    return _lookup(arguments, reader) if step.tool == SEARCH else _reading(arguments, registry)


def action_key(action: Lookup | Reading) -> tuple[object, ...]:
    """Make a key that is the same for actions that differ only in case, spaces or punctuation."""
    match action:
        case Lookup(request):
            words = "".join(c if c.isalnum() else " " for c in request.query.casefold()).split()
            # A query made only of symbols contains no words, so it matches only itself.
            return SEARCH, tuple(words) or request.query, request.year_from, request.year_to, request.top_k
        case Reading(paper, part):
            return READ, paper.paper_id, part
        case _:
            assert_never(action)


def _lookup(arguments: Mapping[str, Argument], reader: SearchRequest) -> Action:
    query = arguments.get("query")
    if why := _text_fault("query", query):
        return Refusal(why)
    limits: dict[str, int | None] = {}
    for name in ("year_from", "year_to", "top_k"):
        value = arguments.get(name)
        if isinstance(value, str):
            return Refusal(f"{name} must be a whole number, got {_quote(value)}")
        limits[name] = value
    if why := _years_fault(limits, reader) or _size_fault(limits["top_k"], reader):
        return Refusal(why)
    narrower: dict[str, Any] = {name: limit for name, limit in limits.items() if limit is not None}
    return Lookup(replace(reader, query=str(query), **narrower))


def _text_fault(name: str, value: Argument) -> str | None:
    if not isinstance(value, str) or value.startswith(ODD):
        return f"{name} must be given as text, got {_quote(value)}"
    if not value.strip():
        return f"{name} is empty: say what to look for"
    if len(value) > MAX_QUERY:
        return f"{name} must have at most {MAX_QUERY} characters: shorten it"
    return None


def _years_fault(limits: Mapping[str, int | None], reader: SearchRequest) -> str | None:
    low = 0 if reader.year_from is None else reader.year_from
    high = MAX_YEAR if reader.year_to is None else reader.year_to
    first, last = limits["year_from"], limits["year_to"]
    for name, year in (("year_from", first), ("year_to", last)):
        if year is not None and not low <= year <= high:
            return f"{name} must lie within the years that the reader set ({describe_years(reader)}), got {year}"
    if first is not None and last is not None and first > last:
        return f"there are no years between {first} and {last}: year_from must not be later than year_to"
    return None


def _size_fault(top_k: int | None, reader: SearchRequest) -> str | None:
    if top_k is not None and not 1 <= top_k <= reader.top_k:
        return f"top_k must lie in 1..{reader.top_k}, which the reader set, got {top_k}"
    return None


def _reading(arguments: Mapping[str, Argument], registry: CitationRegistry) -> Action:
    key = arguments.get("key")
    if why := _text_fault("key", key):
        return Refusal(why)
    paper = registry.paper(str(key).strip().strip("[]").lower())
    if paper is None:
        return Refusal(f"no paper was shown under the key {_quote(key)}: read papers by the keys that searches show")
    part = arguments.get("part")
    if part is not None and (why := _text_fault("part", part)):
        return Refusal(why)
    return Reading(paper, str(part or "").strip())


def _argument(value: object) -> Argument:
    """Convert an argument to a type that a trace can store: a whole number, `None` or, for anything else, text."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= MAX_BITS):
        return value
    if isinstance(value, str):
        return _tidy(value, MAX_SHOWN)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{ODD}one of {value.bit_length()} bits"
    return _tidy(f"{ODD}{_json(value)}", MAX_SHOWN)


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return f"a {type(value).__name__}"


def _quote(value: Argument) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, str) and value.startswith(ODD):
        return value.removeprefix(ODD)[:80]
    return repr(value[:80] if isinstance(value, str) else value)


def _tidy(text: str, most: int) -> str:
    tidy = without_control_characters(text)
    return tidy if len(tidy) <= most else f"{tidy[: most - 1]}…"


# The agent's two tools, which only read, and which stay within the limits set by the reader.

SEARCH, READ = "search", "read"
BEFORE, AFTER = "before", "after"
N_NEXT = 3
"""Number of passages shown at a time on either side of the one shown last."""
PARAMETERS = {SEARCH: ("query", "year_from", "year_to", "top_k"), READ: ("key", "part")}
"""Names of the arguments that each tool accepts."""


def tools(reader: SearchRequest) -> tuple[Tool, ...]:
    """Create the two tools, with the reader's own limits in their descriptions."""
    years = {"type": "integer", "description": f"Within the reader's years: {describe_years(reader)}."}
    search = {
        "query": {"type": "string", "maxLength": MAX_QUERY, "description": "A question or a topic, in plain words."},
        "year_from": years,
        "year_to": years,
        "top_k": {"type": "integer", "minimum": 1, "maximum": reader.top_k, "description": "How many papers."},
    }
    paper = {
        "key": {"type": "string", "description": "The key of a paper that a search showed."},
        "part": {
            "type": "string",
            "maxLength": MAX_QUERY,
            "description": f"The heading of a section or the label of a table of its full text, or {BEFORE} or {AFTER} "
            "for the text on either side of the passage shown last; leave it out for the paper as a whole.",
        },
    }
    where = "" if reader.region is None else " Only papers in the region that the reader drew on the map are found."
    return (
        Tool(SEARCH, f"Find papers in this library, by meaning and by words.{where}", _schema(search, "query")),
        Tool(
            READ,
            "Show one paper in full, one that a search had no room for or one to look at again, or a part of its full "
            "text.",
            _schema(paper),
        ),
    )


def within(reader: SearchRequest) -> SearchRequest:
    """Return the reader's settings for the agent's searches: those of the first search, with the years read from the
    question, but without its likeness, because the agent's queries could not change that.
    """
    return replace(reader, likeness=None)


def describe_years(reader: SearchRequest) -> str:
    """Describe the years that may be searched."""
    first, last = reader.year_from, reader.year_to
    if first is None and last is None:
        return "all"
    return f"{'any' if first is None else first} to {'any' if last is None else last}"


def _schema(properties: Mapping[str, object], required_name: str = "key") -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": [required_name], "additionalProperties": False}
