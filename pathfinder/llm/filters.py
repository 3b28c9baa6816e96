"""What of a model's reply is passed on, however it is split into chunks: not its reasoning, no sources that it made up,
and no halves of characters.
"""

import re
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from pathfinder.models.ports import ChatReply, ToolCall

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
"""Names of tags in angle brackets, which may also contain spaces; opening tags may contain attributes."""

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


# Removes from a model's reply any sources that the model wrote itself, such as `<source key="...">...</source>`.
#
# Only Pathfinder puts sources, findings and earlier answers into a prompt. A block of that kind in a reply is made up
# or copied: either way it is not an answer, and its text must not reach a reader or a later prompt.

BLOCK_NAMES = ("sources?", "findings?", "earlier")
"""Patterns for the names of the blocks that hold material in Pathfinder's prompts."""

_BLOCKS = "|".join(BLOCK_NAMES)
_ATTRIBUTE = r"""\s{1,3}[\w:-]{1,40}\s?=\s?(?:"[^"]{0,2000}"|'[^']{0,2000}')"""
_TAG = re.compile(
    rf"(?:<|&lt;)\s{{0,3}}(?P<close>/?)\s{{0,3}}(?:{_BLOCKS})(?:(?:{_ATTRIBUTE}){{1,20}}\s{{0,3}}|\s[^<>]{{0,200}}?)?"
    rf"(?P<alone>/?)\s{{0,3}}(?:>|&gt;)",
    re.IGNORECASE,
)
_OPEN_ATTRIBUTE = r"""\s{1,3}[\w:-]{0,40}\s?(?:=\s?(?:"[^"]{0,2000}|'[^']{0,2000})?)?"""
_UNFINISHED_TAG = re.compile(
    r"(?:<|&(?:l(?:t;?)?)?)(?:(?<=[<;])\s{0,3}/?\s{0,3}(?:"
    rf"(?:{_BLOCKS})(?:(?:{_ATTRIBUTE}){{0,20}}(?:{_OPEN_ATTRIBUTE})?\s{{0,3}}|\s[^<>]{{0,200}})"
    r"|[a-z]{0,8}))?/?\s{0,3}(?:&(?:gt?)?)?\Z",
    re.IGNORECASE,
)
"""End of a text that the next chunk may turn into a complete tag."""
_TAIL = 40
"""Number of characters, at the end of the text already passed on, that are searched for the beginning of a tag."""
_BROKEN_OFF = re.compile(rf"(?:<|&lt;)\s{{0,3}}(?:{_BLOCKS})\s", re.IGNORECASE)
"""Beginning of an opening tag at the end of the reply."""


class SourceFilter:
    """Passes on a chunked reply without the blocks of source markup in it.

    A block that is not closed extends to the end of the reply. Of a stray closing tag or a self-closing tag, only the
    tag is dropped. Text is held back only while it may be the beginning of a tag.
    """

    def __init__(self) -> None:
        self._waiting, self._tail = "", ""
        self._depth = 0
        self.n_removed = 0
        """Number of blocks and stray tags removed so far."""

    def feed(self, chunk: str) -> str:
        """Return the text that may be passed on after `chunk` has arrived."""
        text = self._waiting + chunk
        tags = [tag.end() for tag in _TAG.finditer(text)]
        unfinished_tag = _UNFINISHED_TAG.search(text, tags[-1] if tags else 0)
        end = unfinished_tag.start() if unfinished_tag else len(text)
        self._waiting = text[end:]
        return self._read(text[:end])

    def finish(self) -> str:
        """Return the rest of the text once the reply has ended."""
        rest, self._waiting = self._waiting, ""
        if _BROKEN_OFF.match(rest):
            self.n_removed += self._depth == 0
            return ""
        return self._read(rest)

    def _read(self, text: str) -> str:
        parts, position = [], 0
        for tag in _TAG.finditer(text):
            parts.append(self._outside(text[position : tag.start()]))
            # Otherwise, the text on both sides of a block could join to form another tag.
            if _UNFINISHED_TAG.search((self._tail + "".join(parts))[-_TAIL:]):
                parts.append(" ")
            position = tag.end()
            self._turn(tag)
        outside = "".join([*parts, self._outside(text[position:])])
        self._tail = (self._tail + outside)[-_TAIL:]
        return outside

    def _outside(self, words: str) -> str:
        return "" if self._depth else words

    def _turn(self, tag: re.Match[str]) -> None:
        if tag["close"]:
            self.n_removed += self._depth == 0
            self._depth = max(self._depth - 1, 0)
            return
        self.n_removed += self._depth == 0
        self._depth += not tag["alone"]


# Halves of characters in replies: JSON writes a character such as an emoji as a pair of surrogates, and a server may
# end a chunk between the two. A half that stands alone cannot be encoded, and breaks tokenizers and pages.


class WholeCharacters:
    """Joins the halves of characters in the chunks of one reply, and drops halves that stand alone."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, chunk: str) -> str:
        """Return the characters that are whole once `chunk` has arrived; half a character at its end is held back."""
        text = self._half + chunk
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return _without_halves(text.removesuffix(self._half))


def of_whole_characters(reply: ChatReply) -> ChatReply:
    """Return the reply with halves of characters joined or dropped, including in the arguments of its tool calls."""
    calls = (
        ToolCall(_without_halves(call.call_id), _without_halves(call.name), _in_all(dict(call.arguments)))
        for call in reply.calls
    )
    return replace(reply, text=_without_halves(reply.text), calls=tuple(calls))


def _without_halves(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _in_all(value: Any) -> Any:
    if isinstance(value, str):
        return _without_halves(value)
    if isinstance(value, list):
        return [_in_all(part) for part in value]
    return {_without_halves(name): _in_all(part) for name, part in value.items()} if isinstance(value, dict) else value
