"""Halves of characters in replies: JSON writes a character such as an emoji as a pair of surrogates, and a server may
end a chunk between the two. A half that stands alone cannot be encoded, and breaks tokenizers and pages.
"""

from dataclasses import replace
from typing import Any

from pathfinder.models.ports import ChatReply, ToolCall


class WholeCharacters:
    """Joins the halves of characters in the chunks of one reply, and drops halves that stand alone."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, chunk: str) -> str:
        """Return the characters that are whole once `chunk` has arrived; half a character at its end is held back."""
        text = self._half + chunk
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return _whole(text.removesuffix(self._half))


def of_whole_characters(reply: ChatReply) -> ChatReply:
    """Return the reply with halves of characters joined or dropped, including in the arguments of its tool calls."""
    calls = (ToolCall(_whole(call.call_id), _whole(call.name), _in_all(dict(call.arguments))) for call in reply.calls)
    return replace(reply, text=_whole(reply.text), calls=tuple(calls))


def _whole(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _in_all(value: Any) -> Any:
    if isinstance(value, str):
        return _whole(value)
    if isinstance(value, list):
        return [_in_all(part) for part in value]
    return {_whole(name): _in_all(part) for name, part in value.items()} if isinstance(value, dict) else value
