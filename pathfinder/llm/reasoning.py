"""Removes a model's reasoning, such as `<think>...</think>`, however the reply is split into chunks."""

import re
from enum import Enum, auto

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
