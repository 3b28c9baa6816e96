"""A text and its sources as anyone hands them in, read strictly."""

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from pathfinder.errors import UsageError
from pathfinder.types import Source

SHAPE = '{"text": "... [1].", "sources": [{"id": "1", "title": "...", "text": "..."}]}'

_MARK = re.compile(r"^[ \t]*\[([^\[\],;\s][^\[\],;\n]*)\]", re.MULTILINE)

_Strict = ConfigDict(strict=True, extra="forbid", frozen=True)
_Words = Annotated[str, StringConstraints(pattern=r"\S")]


class _Source(BaseModel):
    model_config = _Strict

    id: Annotated[str, StringConstraints(pattern=r"^[^\[\],;\s](?:[^\[\],;\n]*[^\[\],;\s])?$")]
    title: str = ""
    text: _Words


class _Handed(BaseModel):
    model_config = _Strict

    text: _Words
    sources: tuple[_Source, ...]


def read_check(content: str | bytes, what: str) -> tuple[str, tuple[Source, ...]]:
    """The text and the sources of a JSON object `{"text": ..., "sources": [{"id", "title", "text"}]}`.

    An id is what stands in a mark, so it has no bracket, comma, semicolon or white space at its ends; a title may be
    left out. Raises `UsageError`, naming `what`, for anything else: no JSON, another field, a number for an id, an
    empty text, two sources of one id.
    """
    try:
        handed = _Handed.model_validate_json(_without_byte_order(content))
    except ValidationError as error:
        raise UsageError(f"{what} cannot be checked ({_first(error)}): it must be {SHAPE}") from error
    _refuse_twins([source.id for source in handed.sources], what)
    return handed.text, tuple(Source(source.id, source.title, source.text) for source in handed.sources)


def _without_byte_order(content: str | bytes) -> str | bytes:
    """`content` less the mark of byte order that some editors begin a file with."""
    return content.removeprefix(BOM_UTF8) if isinstance(content, bytes) else content.removeprefix("\ufeff")


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    said = first["msg"]
    if first["type"] == "string_pattern_mismatch":
        said = "an id has no bracket, comma or semicolon in it" if place.endswith("id") else "it has no words"
    return f"{place}: {said}" if place else said


def read_pasted(text: str, sources: str) -> tuple[str, tuple[Source, ...]]:
    """A pasted text, and pasted sources: each begins a line with its mark, "[1] Title", and goes on until the next.

    The line of the mark is the title where another line follows, else the text itself. Raises `UsageError` for an
    empty text, words before the first mark, a mark without words, or two sources of one id.
    """
    if not text.strip():
        raise UsageError("there is no text to check: paste a paragraph with marks such as [1]")
    before, *parts = _MARK.split(sources)
    if before.strip() or not parts:
        raise UsageError("the sources must begin with a mark: [1] and the first source, then [2] on a line of its own")
    found = [_pasted(source_id, said) for source_id, said in zip(parts[::2], parts[1::2], strict=True)]
    _refuse_twins([source.source_id for source in found], "the sources")
    return text, tuple(found)


def _pasted(source_id: str, said: str) -> Source:
    title, _, text = said.strip().partition("\n")
    if not title:
        raise UsageError(f"source [{source_id}] has no words: paste its text behind its mark")
    return Source(source_id, title.strip(), text.strip()) if text.strip() else Source(source_id, "", title.strip())


def _refuse_twins(ids: Sequence[str], what: str) -> None:
    for one in ids:
        if ids.count(one) > 1:
            raise UsageError(f"{what}: two sources have the id {one!r}: a mark must lead to one source")
