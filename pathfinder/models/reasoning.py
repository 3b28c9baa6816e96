"""A model's thinking aloud, kept from the reader: `<think>...</think>` and its like, however the stream is cut."""

import re
from collections.abc import Iterable, Iterator
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
"""As most models write them; there may be blanks in the pointed ones, and attributes."""

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
"""The channels, `<|channel|>analysis<|message|>...<|end|>`, are those of gpt-oss; ◁think▷ is of Kimi."""

_FIXED = (
    *("[think]", "[/think]", "◁think▷", "◁/think▷", "<|begin_of_thought|>", "<|end_of_thought|>", "<|thinking|>"),
    *("<|/thinking|>", "<|channel|>", "<|start|>", "<|message|>", "<|end|>", "<|return|>", "<|call|>"),
    *("<|begin_of_solution|>", "<|end_of_solution|>"),
)
_POINTED = re.compile(
    rf"<{_BLANK}(?:(?:{_NAME}){_ATTRIBUTES}|/{_BLANK}(?:(?:{_NAME}){_BLANK})?|/?{_BLANK}(?P<begun>[a-z:]+))?",
    re.IGNORECASE,
)
_LONGEST = 130
"""Characters that a tag may have."""
_FOR_READER = ("final", "assistant")
"""How the header of what is for the reader begins: with its channel, or with the role alone."""


def without_reasoning(pieces: Iterable[str]) -> Iterator[str]:
    """Yield `pieces` less everything between reasoning tags, the tags, and white space before the first word.

    Thinking within thinking ends with it; where the inner one was never closed, what follows the last closing tag is
    shown at the end. A closing tag that nothing opened is left out, and thinking that is never closed goes on to the
    end. A piece is held back only as long as its end may be the beginning of a tag.
    """
    listener, has_begun = _Listener(), False
    for visible in listener.shown(pieces):
        words = visible if has_begun else visible.lstrip()
        if words:
            has_begun = True
            yield words


class _Where(Enum):
    """Which part of a model's turn is being heard."""

    TEXT = auto()
    HEADER = auto()
    """Between `<|channel|>` and `<|message|>`: the name of the channel."""
    ASIDE = auto()
    """In a channel that is not for the reader."""


class _Listener:
    """Tells words for the reader from thinking."""

    def __init__(self) -> None:
        self._waiting = ""
        self._where = _Where.TEXT
        self._header = ""
        self._depth = 0
        """Tags of thinking that are open."""
        self._doubtful, self._level = "", 0
        """What came behind a closing tag while others were open, and how many were."""

    def shown(self, pieces: Iterable[str]) -> Iterator[str]:
        """What of `pieces` is for the reader."""
        for piece in pieces:
            text = self._waiting + piece
            end = _start_of_unfinished_tag(text)
            self._waiting = text[end:]
            yield self._heard(text[:end])
        yield self._heard(self._waiting)
        yield self._doubtful

    def _heard(self, text: str) -> str:
        told, position = [], 0
        for tag in TAG.finditer(text):
            told.append(self._words(text[position : tag.start()]))
            self._turn(tag.lastgroup or "")
            position = tag.end()
        return "".join([*told, self._words(text[position:])])

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
    """Where the end of `text` may be the beginning of a tag; the length of `text` where it cannot."""
    for start in range(max(len(text) - _LONGEST, 0), len(text)):
        if text[start] in "<[◁" and _may_become_a_tag(text[start:].lower()):
            return start
    return len(text)


def _may_become_a_tag(tail: str) -> bool:
    if any(tag.startswith(tail) and tag != tail for tag in _FIXED):
        return True
    pointed = _POINTED.fullmatch(tail)
    return pointed is not None and (pointed["begun"] is None or any(n.startswith(pointed["begun"]) for n in TAG_NAMES))
