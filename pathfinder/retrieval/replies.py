"""A chat model's reply as one text, or as the value that it was asked for."""

import re
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from pathfinder.errors import (
    BrokenStream,
    BudgetSpent,
    MissingDependency,
    MissingKey,
    PathfinderError,
    ProviderError,
    RejectedKey,
    TimeSpent,
    Unreachable,
)
from pathfinder.models.ports import ChatModel

Parsed = TypeVar("Parsed")

REFUSALS = (ProviderError, MissingDependency)
"""What a stage that can do without its chat model catches."""

MAX_QUOTE = 200
"""Characters of a reply that an error quotes."""

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n?\s*```", re.DOTALL | re.IGNORECASE)
_HTTP = re.compile(r"HTTP \d{3}")
_IN_BRIEF: dict[type[PathfinderError], str] = {
    MissingKey: "no key for {}",
    RejectedKey: "key refused by {}",
    Unreachable: "no answer from {}",
    BrokenStream: "broken reply of {}",
    BudgetSpent: "budget spent, not asked: {}",
    TimeSpent: "time spent, waiting for {}",
    MissingDependency: "package missing for {}",
}


def complete(
    chat: ChatModel, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
) -> str:
    """The whole reply, white space at its ends left out. Raises what `ChatModel.stream` raises."""
    return "".join(chat.stream(system, prompt, temperature=temperature, max_tokens=max_tokens)).strip()


def parse_json(reply: str, kind: type[Parsed], name: str) -> Parsed:
    """The JSON of `reply`, by the model `name`, as a value of the frozen type `kind`: no text becomes a number.

    A Markdown fence around the whole reply is taken off, and nothing else is put right. Raises `ProviderError`
    with what is wrong and where.
    """
    fenced = _FENCED.fullmatch(reply.strip())
    try:
        return TypeAdapter(kind).validate_json(fenced[1] if fenced else reply, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise unreadable(reply, f"{place + ': ' if place else ''}{first['msg']}", name) from None


def unreadable(reply: str, wrong: str, name: str) -> ProviderError:
    """The error for a reply by the model `name` that is not what it was asked for."""
    quote = " ".join(reply.split())[:MAX_QUOTE]
    return ProviderError(
        f"{name} did not reply in the form it was asked for ({wrong}): ask again, or choose another model; "
        f"it said {quote!r}"
    )


def in_brief(error: PathfinderError, name: str) -> str:
    """Why the model `name` could not be used, in the few words that a badge has room for: "HTTP 429 from ..."."""
    if status := _HTTP.search(str(error)):
        return f"{status[0]} from {name}"
    return next(
        (words for kind, words in _IN_BRIEF.items() if isinstance(error, kind)), "no usable reply from {}"
    ).format(name)
