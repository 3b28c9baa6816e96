"""Strictly validates the agent's requests.

Both tools can only narrow the reader's settings: a search stays within the years and the number of papers that the
reader set, and only a paper that was shown can be read. A request that breaks these rules is refused with an
explanation, never adjusted.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, assert_never

from pathfinder.answering.modes.agent.tools import MAX_QUERY, PARAMETERS, READ, SEARCH, describe_years
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.models.ports import ToolCall
from pathfinder.types import Paper, SearchRequest, Step, StepKind, without_control_characters
from pathfinder.types.requests import MAX_YEAR

MAX_SHOWN = MAX_QUERY + 100
"""Maximum number of characters of an argument that are stored in a trace."""
MAX_ARGUMENTS = 8
MAX_NAME = 60
MAX_BITS = 64

ODD = "neither text nor a whole number: "
"""Prefix with which a trace stores, as text, an argument that is neither text nor a whole number."""

Argument: TypeAlias = str | int | None


@dataclass(frozen=True, slots=True)
class Lookup:
    """A search within the reader's settings."""

    request: SearchRequest


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper that was shown before and is to be read in full."""

    paper: Paper


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
        case Reading(paper):
            return READ, paper.paper_id
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
    return Reading(paper)


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
