"""Reads whole chat replies, as text or as the requested JSON value."""

import re
from typing import Any, TypeVar

from pydantic import TypeAdapter

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
from pathfinder.llm.chat import Chat
from pathfinder.models.ports import ChatModel, ReplyForm
from pathfinder.text.strict_json import parse_as
from pathfinder.types.texts import one_line

ReplyKind = TypeVar("ReplyKind")

REFUSALS = (ProviderError, MissingDependency)
"""Errors caught by stages that can work without a chat model."""


_FENCED_BLOCK = re.compile(r"```(?:json)?\s*\n(.*?)\n?\s*```", re.DOTALL | re.IGNORECASE)
_IN_BRIEF: dict[type[PathfinderError], str] = {
    MissingKey: "no key for {}",
    RejectedKey: "key refused by {}",
    Unreachable: "no answer from {}",
    BrokenStream: "incomplete reply from {}",
    BudgetSpent: "budget spent before calling {}",
    TimeSpent: "out of time waiting for {}",
    MissingDependency: "package missing for {}",
}


def complete(
    chat: ChatModel,
    system: str,
    prompt: str,
    *,
    temperature: float | None = None,
    max_tokens: int | None = None,
    form: type | None = None,
) -> str:
    """Return the whole reply without surrounding white space. Raises the same errors as `ChatModel.stream`.

    `form` is the frozen type into which `parse_json` will parse the reply: a server that supports this is asked to make
    the model keep to that type.
    """
    reply_form = None if form is None else form_of(form)
    chunks = Chat.of(chat).stream(system, prompt, temperature=temperature, max_tokens=max_tokens, form=reply_form)
    return "".join(chunks).strip()


def form_of(kind: type) -> ReplyForm:
    """Describe the JSON of the frozen type `kind`.

    Limits on the length of texts are left out, because servers turn them into enormous rules; only the fields of the
    type are allowed.
    """
    schema = TypeAdapter(kind).json_schema()
    return ReplyForm(kind.__name__.strip("_").lower(), _without_lengths(schema))


def _without_lengths(schema: Any) -> Any:
    """Remove limits on the length of texts from a JSON schema, and forbid fields that it does not name."""
    if isinstance(schema, list):
        return [_without_lengths(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    rules = {key: _without_lengths(part) for key, part in schema.items() if key not in ("minLength", "maxLength")}
    return rules | ({"additionalProperties": False} if "properties" in rules else {})


def empty_reply(name: str) -> ProviderError:
    """Make the error for an empty reply from the model `name`."""
    return ProviderError(f"{name} returned an empty reply: ask again, or choose another model")


def parse_json(reply: str, kind: type[ReplyKind], chat: ChatModel) -> ReplyKind:
    """Parse the JSON in a reply from `chat` as a value of the frozen type `kind`, strictly: text is never converted to
    a number.

    A Markdown fence around the whole reply is removed; nothing else is repaired. Raises a `ProviderError` that says
    what is wrong and where.
    """
    try:
        return _validate(reply, kind)
    except ValueError as error:
        raise unreadable(reply, str(error), chat) from None


def json_or_none(reply: str, kind: type[ReplyKind]) -> ReplyKind | None:
    """Parse the JSON in a reply as `parse_json` does; `None` if the reply is not such JSON. If the server does not make
    a model keep to a required format, the model may reply in plain text, as requested in the prompt.
    """
    try:
        return _validate(reply, kind)
    except ValueError:
        return None


def _validate(reply: str, kind: type[ReplyKind]) -> ReplyKind:
    fenced_block = _FENCED_BLOCK.fullmatch(reply.strip())
    return parse_as(TypeAdapter(kind), fenced_block[1] if fenced_block else reply, strict=True)


def unreadable(reply: str, wrong: str, chat: ChatModel) -> ProviderError:
    """Make the error for a reply from `chat` that is not in the requested form, and keep the reply out of the cache."""
    Chat.of(chat).reject(reply)
    return ProviderError(
        f"{chat.name} did not reply in the requested form ({wrong}): ask again, or choose another model; "
        f"it said {one_line(reply)!r}"
    )


def in_brief(error: PathfinderError, name: str) -> str:
    """Say in a few words, for a badge, why the model `name` could not be used: "HTTP 429 from openai:gpt-4o-mini"."""
    if isinstance(error, ProviderError) and error.status is not None:
        return f"HTTP {error.status} from {name}"
    return next(
        (words for kind, words in _IN_BRIEF.items() if isinstance(error, kind)), "no usable reply from {}"
    ).format(name)
