"""What the chunks of one LangChain reply hold beside its words: why it ends, what it took, the tools it asks for."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pathfinder.errors import ProviderError
from pathfinder.models.ports import Tool, ToolCall, Turn
from pathfinder.models.providers import END_FIELDS
from pathfinder.types import Usage

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

MAX_QUOTE = 80
"""Characters of what cannot be read that an error quotes."""

_ROLES = {"system": "system", "human": "user", "assistant": "assistant", "tool": "tool"}


@dataclass(slots=True)
class _Draft:
    """A tool call that is still coming in."""

    call_id: str
    name: str = ""
    arguments: str = ""


class ReplyReader:
    """Reads one reply, chunk by chunk."""

    def __init__(self, name: str, *, is_counted_once: bool) -> None:
        """`name` is the model's, for errors; `is_counted_once`: a later count of tokens takes the place of an earlier
        one, where otherwise each chunk counts what is new."""
        self._name, self._is_counted_once = name, is_counted_once
        self._drafts: list[_Draft] = []
        self._by_index: dict[int | None, _Draft] = {}
        self.end: str | None = None
        """Why the reply ends, in lower case; `None` where nothing was said of it."""
        self.usage: Usage | None = None

    def read(self, chunk: "AIMessage") -> str:
        """The words of `chunk`; the rest of it is kept."""
        metadata = chunk.response_metadata
        self.end = next((str(metadata[field]).lower() for field in END_FIELDS if metadata.get(field)), self.end)
        if chunk.usage_metadata:
            self._count(chunk.usage_metadata["input_tokens"], chunk.usage_metadata["output_tokens"])
        if (dollars := _dollars(metadata)) is not None:
            self.usage = Usage(self._tokens[0], self._tokens[1], dollars=dollars)
        for piece in _call_pieces(chunk):
            self._add(piece)
        return chunk.text

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tools that are asked for. Raises `ProviderError` for a call without a name, or whose arguments are no
        JSON object."""
        return tuple(self._call(draft, place) for place, draft in enumerate(self._drafts, start=1))

    @property
    def _tokens(self) -> tuple[int, int]:
        return (self.usage.tokens_in, self.usage.tokens_out) if self.usage else (0, 0)

    def _count(self, tokens_in: int, tokens_out: int) -> None:
        before = (0, 0) if self._is_counted_once else self._tokens
        dollars = self.usage.dollars if self.usage else None
        self.usage = Usage(before[0] + tokens_in, before[1] + tokens_out, dollars=dollars)

    def _add(self, piece: Mapping[str, Any]) -> None:
        """A piece goes to the call of its index; some servers give every call the same, and tell them apart by id."""
        index, call_id = piece.get("index"), piece.get("id") or ""
        draft = self._by_index.get(index)
        if draft is None or (call_id and draft.call_id not in ("", call_id)):
            draft = self._by_index[index] = _Draft(call_id)
            self._drafts.append(draft)
        draft.call_id = draft.call_id or call_id
        draft.name += piece.get("name") or ""
        draft.arguments += piece.get("args") or ""

    def _call(self, draft: _Draft, place: int) -> ToolCall:
        try:
            arguments = json.loads(draft.arguments or "{}", parse_constant=_refuse)
        except (ValueError, RecursionError):
            arguments = None
        if not draft.name or not isinstance(arguments, dict):
            asked = " ".join(f"{draft.name}({draft.arguments})".split())[:MAX_QUOTE]
            raise ProviderError(
                f"{self._name} asked for a tool in a form that cannot be read ({asked!r}): ask again, or choose "
                "another model"
            )
        return ToolCall(draft.call_id or f"call-{place}", draft.name, arguments)


def as_messages(turns: Sequence[Turn]) -> list[dict[str, object]]:
    """`turns` as LangChain reads them from plain dictionaries."""
    return [_message(turn) for turn in turns]


def as_functions(tools: Sequence[Tool]) -> list[dict[str, object]]:
    """`tools` as LangChain binds them to any provider's model."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
        }
        for tool in tools
    ]


def _message(turn: Turn) -> dict[str, object]:
    message: dict[str, object] = {"role": _ROLES[turn.role], "content": turn.text}
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments))},
            }
            for call in turn.calls
        ]
    if turn.call_id is not None:
        message["tool_call_id"] = turn.call_id
    return message


def _call_pieces(chunk: "AIMessage") -> Sequence[Mapping[str, Any]]:
    """A provider that does not stream gives one message with whole calls, arguments read already."""
    pieces = getattr(chunk, "tool_call_chunks", None)
    if pieces is not None:
        return list(pieces)
    whole = [{**call, "args": json.dumps(call["args"]), "index": place} for place, call in enumerate(chunk.tool_calls)]
    unread = [{**call, "index": -place} for place, call in enumerate(chunk.invalid_tool_calls, start=1)]
    return [*whole, *unread]


def _dollars(metadata: Mapping[str, Any]) -> float | None:
    """The price of the call, where the provider says it."""
    usage = metadata.get("token_usage")
    said = metadata.get("cost", usage.get("cost") if isinstance(usage, dict) else None)
    return float(said) if isinstance(said, int | float) and not isinstance(said, bool) and said >= 0 else None


def _refuse(constant: str) -> None:
    raise ValueError(constant)
