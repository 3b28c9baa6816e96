"""Reads everything but the text from the chunks of a LangChain reply: the reason why it ended, its usage, and its tool
calls.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from pathfinder.errors import ProviderError
from pathfinder.llm.providers import END_FIELDS
from pathfinder.models.ports import Tool, ToolCall, Turn
from pathfinder.text.strict_json import parse_json
from pathfinder.types import Usage
from pathfinder.types.texts import one_line

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


# Removes a model's reasoning, such as `<think>...</think>`, however the reply is split into chunks.

TAG_NAMES = (
    "thinking",
    "think",
    "thoughts",
    "thought",
    "reasoning",
    "reason",
    "reflection",
    "scratchpad",
    "seed:think",
)
OPENERS = (*(f"<{name}>" for name in TAG_NAMES), "[think]")
CLOSERS = (*(f"</{name}>" for name in TAG_NAMES), "[/think]")
"""Opening and closing tags as most models write them. Tags in angle brackets may also contain spaces, and opening tags
may contain attributes.
"""

_NAME = "|".join(map(re.escape, TAG_NAMES))
_BLANK = r"\s{0,3}"
_ATTRIBUTES = r"(?:\s[^<>]{0,100})?"
TAG = re.compile(
    rf"(?P<open><{_BLANK}(?:{_NAME}){_ATTRIBUTES}>|\[think\]|◁think▷|<\|(?:begin_of_thought|thinking)\|>)"
    rf"|(?P<close><{_BLANK}/{_BLANK}(?:{_NAME}){_BLANK}>|\[/think\]|◁/think▷|<\|(?:end_of_thought|/thinking)\|>)"
    r"|(?P<header><\|(?:channel|start)\|>)|(?P<message><\|message\|>)|(?P<end><\|(?:end|return|call)\|>)"
    r"|(?P<solution><\|(?:begin|end)_of_solution\|>)",
    re.IGNORECASE,
)
"""Reasoning tags. The channels, `<|channel|>analysis<|message|>...<|end|>`, come from gpt-oss, and ◁think▷ from Kimi.
"""

_FIXED_TAGS = (
    *("[think]", "[/think]", "◁think▷", "◁/think▷", "<|begin_of_thought|>", "<|end_of_thought|>", "<|thinking|>"),
    *("<|/thinking|>", "<|channel|>", "<|start|>", "<|message|>", "<|end|>", "<|return|>", "<|call|>"),
    *("<|begin_of_solution|>", "<|end_of_solution|>"),
)
_POINTED_TAG = re.compile(
    rf"<{_BLANK}(?:(?:{_NAME}){_ATTRIBUTES}|/{_BLANK}(?:(?:{_NAME}){_BLANK})?|/?{_BLANK}(?P<begun>[a-z:]+))?",
    re.IGNORECASE,
)
_LONGEST = 130
"""Maximum length of a tag, in characters."""
_FOR_READER = ("final", "assistant")
"""Words that begin the header of a text meant for the reader; the header gives the name of the channel, or only the
role.
"""


class _Where(Enum):
    """Parts of a model's turn."""

    TEXT = auto()
    HEADER = auto()
    """Between `<|channel|>` and `<|message|>`, where the name of the channel is written."""
    ASIDE = auto()
    """Inside a channel that is not meant for the reader."""


class ReasoningFilter:
    """Passes on the part of a chunked reply that is meant for the reader.

    Everything between reasoning tags is dropped, as are the tags themselves and white space before the first word.
    Nested reasoning ends at the outer closing tag; if an inner tag was never closed, the text after the last closing
    tag is passed on at the end. A closing tag without an opening one is dropped, and unclosed reasoning extends to the
    end. Text is held back only while it may be the beginning of a tag.
    """

    def __init__(self) -> None:
        self._waiting = ""
        self._where = _Where.TEXT
        self._header = ""
        self._depth = 0
        """Number of reasoning tags that are open."""
        self._doubtful, self._level = "", 0
        """Text after a closing tag while other tags were still open, and the number of those tags."""
        self._has_begun = False

    def feed(self, chunk: str) -> str:
        """Return the text that the reader may see after `chunk` has arrived."""
        text = self._waiting + chunk
        end = _start_of_unfinished_tag(text)
        self._waiting = text[end:]
        return self._visible(self._read(text[:end]))

    def finish(self) -> str:
        """Return the remaining text for the reader once the reply has ended."""
        return self._visible(self._read(self._waiting) + self._doubtful)

    def _visible(self, words: str) -> str:
        words = words if self._has_begun else words.lstrip()
        self._has_begun = self._has_begun or bool(words)
        return words

    def _read(self, text: str) -> str:
        visible, position = [], 0
        for tag in TAG.finditer(text):
            visible.append(self._words(text[position : tag.start()]))
            self._turn(tag.lastgroup or "")
            position = tag.end()
        return "".join([*visible, self._words(text[position:])])

    def _words(self, words: str) -> str:
        if self._where is _Where.HEADER:
            self._header += words
        if self._where is not _Where.TEXT:
            return ""
        if self._depth and self._depth == self._level:
            self._doubtful += words
        return "" if self._depth else words

    def _turn(self, tag: str) -> None:
        if tag == "header":
            self._where, self._header = _Where.HEADER, ""
        elif tag == "message" and self._where is _Where.HEADER:
            is_for_reader = self._header.strip().lower().startswith(_FOR_READER)
            self._where = _Where.TEXT if is_for_reader else _Where.ASIDE
        elif tag == "end":
            self._where = _Where.TEXT
        elif self._where is _Where.TEXT and tag == "open":
            self._depth += 1
        elif self._where is _Where.TEXT and tag == "close":
            self._depth = max(self._depth - 1, 0)
            self._doubtful, self._level = "", self._depth


def _start_of_unfinished_tag(text: str) -> int:
    """Return the position of an unfinished tag at the end of `text`; the length of `text` if there is none."""
    for start in range(max(len(text) - _LONGEST, 0), len(text)):
        if text[start] in "<[◁" and _may_become_a_tag(text[start:].lower()):
            return start
    return len(text)


def _may_become_a_tag(tail: str) -> bool:
    if any(tag.startswith(tail) and tag != tail for tag in _FIXED_TAGS):
        return True
    pointed_tag = _POINTED_TAG.fullmatch(tail)
    return pointed_tag is not None and (
        pointed_tag["begun"] is None or any(n.startswith(pointed_tag["begun"]) for n in TAG_NAMES)
    )
