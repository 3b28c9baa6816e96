"""Reads everything but the text from the chunks of a LangChain reply: the reason why it ended, its usage, and its tool
calls.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pathfinder.errors import ProviderError
from pathfinder.llm.providers import END_FIELDS
from pathfinder.models.ports import Tool, ToolCall, Turn
from pathfinder.text.strict_json import parse_json
from pathfinder.types import Usage
from pathfinder.types.one_line import one_line

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage


_ROLES = {"system": "system", "human": "user", "assistant": "assistant", "tool": "tool"}


@dataclass(slots=True)
class _Draft:
    """A tool call that is still arriving."""

    call_id: str
    name: str = ""
    arguments: str = ""


class ReplyReader:
    """Reads one reply, chunk by chunk."""

    def __init__(self, name: str, *, is_counted_once: bool) -> None:
        """`name` is the model's name, for error messages. If `is_counted_once`, a later token count replaces an earlier
        one; otherwise the counts of all chunks are added up.
        """
        self._name, self._is_counted_once = name, is_counted_once
        self._drafts: list[_Draft] = []
        self._by_index: dict[int | None, _Draft] = {}
        self.end: str | None = None
        """Reason why the reply ended, in lower case; `None` if the provider states none."""
        self.usage: Usage | None = None

    def read(self, chunk: "AIMessage") -> str:
        """Return the text of `chunk`, and record everything else in it."""
        metadata = chunk.response_metadata
        self.end = next((str(metadata[field]).lower() for field in END_FIELDS if metadata.get(field)), self.end)
        if chunk.usage_metadata:
            self._count(chunk.usage_metadata["input_tokens"], chunk.usage_metadata["output_tokens"])
        if (dollars := _dollars(metadata)) is not None:
            self.usage = Usage(self._tokens[0], self._tokens[1], dollars=dollars)
        for call_chunk in _call_chunks(chunk):
            self._add(call_chunk)
        return chunk.text

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls in the reply. Raises `ProviderError` for a call without a name or with arguments that are not
        a JSON object.
        """
        return tuple(self._call(draft, place) for place, draft in enumerate(self._drafts, start=1))

    @property
    def _tokens(self) -> tuple[int, int]:
        return (self.usage.tokens_in, self.usage.tokens_out) if self.usage else (0, 0)

    def _count(self, tokens_in: int, tokens_out: int) -> None:
        before = (0, 0) if self._is_counted_once else self._tokens
        dollars = self.usage.dollars if self.usage else None
        self.usage = Usage(before[0] + tokens_in, before[1] + tokens_out, dollars=dollars)

    def _add(self, call_chunk: Mapping[str, Any]) -> None:
        """Add a piece to the call with the same index; some servers give every call the same index and distinguish
        calls by id.
        """
        index, call_id = call_chunk.get("index"), call_chunk.get("id") or ""
        draft = self._by_index.get(index)
        if draft is None or (call_id and draft.call_id not in ("", call_id)):
            draft = self._by_index[index] = _Draft(call_id)
            self._drafts.append(draft)
        draft.call_id = draft.call_id or call_id
        draft.name += call_chunk.get("name") or ""
        draft.arguments += call_chunk.get("args") or ""

    def _call(self, draft: _Draft, place: int) -> ToolCall:
        try:
            arguments = parse_json(draft.arguments or "{}")
        except (ValueError, RecursionError):
            arguments = None
        if not draft.name or not isinstance(arguments, dict):
            request = one_line(f"{draft.name}({draft.arguments})")
            raise ProviderError(
                f"{self._name} called a tool in a form that cannot be read ({request!r}): ask again, or choose "
                "another model"
            )
        return ToolCall(draft.call_id or f"call-{place}", draft.name, arguments)


def as_messages(turns: Sequence[Turn]) -> list[dict[str, object]]:
    """Write `turns` as plain dictionaries, which LangChain accepts as messages."""
    return [_message(turn) for turn in turns]


def as_functions(tools: Sequence[Tool]) -> list[dict[str, object]]:
    """Describe `tools` in the form that LangChain binds to any provider's model."""
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


def _call_chunks(chunk: "AIMessage") -> Sequence[Mapping[str, Any]]:
    """Return the pieces of tool calls in a chunk; a provider that does not stream them sends whole calls with parsed
    arguments.
    """
    call_chunks = getattr(chunk, "tool_call_chunks", None)
    if call_chunks is not None:
        return list(call_chunks)
    whole = [{**call, "args": json.dumps(call["args"]), "index": place} for place, call in enumerate(chunk.tool_calls)]
    unread = [{**call, "index": -place} for place, call in enumerate(chunk.invalid_tool_calls, start=1)]
    return [*whole, *unread]


def _dollars(metadata: Mapping[str, Any]) -> float | None:
    """Return the price of the call, if the provider reports it."""
    usage = metadata.get("token_usage")
    price = metadata.get("cost", usage.get("cost") if isinstance(usage, dict) else None)
    return float(price) if isinstance(price, int | float) and not isinstance(price, bool) and price >= 0 else None
