"""Input of an evidence check: a text and its sources, parsed strictly."""

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from pathfinder.errors import UsageError
from pathfinder.grounding.marks import SOURCE_ID, SOURCE_LINE
from pathfinder.text.sentences import split_sentences
from pathfinder.text.strict_json import parse_json
from pathfinder.types import Source

MOST_COMPARISONS = 600_000
"""Limit on the comparisons that others may have a server make for one text; they take a few seconds."""
_NAME_OR_NUMBER = re.compile(r"(?<!\w)[^\W_a-z]\w*+")
SHAPE = '{"text": "... [1].", "sources": [{"id": "1", "title": "...", "text": "..."}]}'

_Strict = ConfigDict(strict=True, extra="forbid", frozen=True)
_Words = Annotated[str, StringConstraints(pattern=r"\S")]


class _Source(BaseModel):
    model_config = _Strict

    id: Annotated[str, StringConstraints(pattern=SOURCE_ID)]
    title: str = ""
    text: _Words


class _CheckInput(BaseModel):
    model_config = _Strict

    text: _Words
    sources: tuple[_Source, ...]


def read_check_input(content: str | bytes, what: str) -> tuple[str, tuple[Source, ...]]:
    """Read the text and the sources from a JSON object `{"text": ..., "sources": [{"id", "title", "text"}]}`.

    An id is used in citation marks, so it must not contain brackets, commas or semicolons, or begin or end with white
    space; the title is optional. Raises a `UsageError` that mentions `what` for anything else: invalid JSON, an unknown
    field, a number as an id, an empty text, two sources with the same id.
    """
    try:
        plain = _without_byte_order(content)
        check_input = _CheckInput.model_validate_json(plain)
        parse_json(plain if isinstance(plain, str) else plain.decode())
    except ValidationError as error:
        raise UsageError(f"{what} cannot be checked ({_first(error)}): it must be {SHAPE}") from error
    except ValueError as error:
        raise UsageError(f"{what} cannot be checked ({error}): it must be {SHAPE}") from error
    _refuse_twins([source.id for source in check_input.sources], what)
    return check_input.text, tuple(Source(source.id, source.title, source.text) for source in check_input.sources)


def check_effort(text: str, sources: Sequence[Source]) -> None:
    """Raise `UsageError` if checking `text` against `sources` would keep a server busy for longer than a few seconds.

    Sentences are compared with sentences, and names and numbers with others: real texts of 20,000 characters, with
    their sources, stay far below the limit.
    """
    own, others = _parts(text), _parts("\n\n".join(f"{source.title}\n\n{source.text}" for source in sources))
    effort = sum(len(mine) * len(theirs) for mine, theirs in zip(own, others, strict=True))
    if effort > MOST_COMPARISONS:
        raise UsageError(
            f"checking this text against its sources takes {effort:,} comparisons, and at most {MOST_COMPARISONS:,} "
            "are made here: check it in parts, each with its own sources, or with `pathfinder check`"
        )


def _parts(text: str) -> tuple[set[str], set[str]]:
    """Return the different sentences, names and numbers in a text; each is compared once."""
    return set(split_sentences(text)), set(_NAME_OR_NUMBER.findall(text))


def _without_byte_order(content: str | bytes) -> str | bytes:
    """Return `content` without the byte-order mark that some editors write."""
    return content.removeprefix(BOM_UTF8) if isinstance(content, bytes) else content.removeprefix("\ufeff")


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    message = first["msg"]
    if first["type"] == "string_pattern_mismatch":
        message = (
            "an id must not contain a bracket, comma or semicolon" if place.endswith("id") else "it contains no words"
        )
    return f"{place}: {message}" if place else message


def read_pasted(text: str, sources: str) -> tuple[str, tuple[Source, ...]]:
    """Read a pasted text and its sources, each of which begins with its mark on a new line: "[1] Title".

    The line with the mark is the title if another line follows, otherwise the text itself. Raises `UsageError` for an
    empty text, words before the first mark, a mark without words, or two sources with the same id.
    """
    if not text.strip():
        raise UsageError("there is no text to check: paste a paragraph with marks such as [1]")
    before, *parts = SOURCE_LINE.split(sources)
    if before.strip() or not parts:
        raise UsageError(
            "each source must begin with a mark: write [1] and the first source, then [2] and the second on a new line"
        )
    pasted_sources = [_source(source_id, body) for source_id, body in zip(parts[::2], parts[1::2], strict=True)]
    _refuse_twins([source.source_id for source in pasted_sources], "the sources")
    return text, tuple(pasted_sources)


def _source(source_id: str, body: str) -> Source:
    title, _, text = body.strip().partition("\n")
    if not title:
        raise UsageError(f"source [{source_id}] has no text: paste its text after its mark")
    return Source(source_id, title.strip(), text.strip()) if text.strip() else Source(source_id, "", title.strip())


def _refuse_twins(ids: Sequence[str], what: str) -> None:
    for source_id, n_sources in Counter(ids).items():
        if n_sources > 1:
            raise UsageError(f"{what}: two sources have the id {source_id!r}: a mark must identify one source")
