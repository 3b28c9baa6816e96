"""Reads JSON strictly. In the files of a corpus, a value of the wrong type counts as damage; in files from readers,
repeated keys and values such as NaN are errors, because data would otherwise be lost silently.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import TypeAdapter, ValidationError

from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged

Value = TypeVar("Value")


def parse_json(text: str, make: Callable[[list[tuple[str, object]]], object] = dict) -> object:
    """Parse JSON from outside; `make` makes each object from its keys and values.

    Control characters in strings are allowed, because a stray one can be removed later. Raises `ValueError` for a text
    that is not JSON, for a key that occurs twice in an object, and for NaN and Infinity; and `RecursionError` for a
    text that is nested too deeply.
    """

    return _decoder(make).decode(text)


def parse_next(text: str, start: int) -> tuple[object, int]:
    """Parse the JSON value that begins at character `start` of `text`; return it with the position of its end.

    Raises what `parse_json` raises.
    """
    return _decoder(dict).raw_decode(text, start)


def end_of_next(text: str, start: int) -> int | None:
    """Return the end of the JSON value that begins at character `start` of `text`, even if keys in it occur twice;
    `None` if the text there is not JSON.
    """
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def _decoder(make: Callable[[list[tuple[str, object]]], object]) -> json.JSONDecoder:
    def unique(pairs: list[tuple[str, object]]) -> object:
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise ValueError(f"the key {key[:60]!r} occurs twice in one object")
            keys.add(key)
        return make(pairs)

    return json.JSONDecoder(object_pairs_hook=unique, parse_constant=_refuse_constant, strict=False)


def parse_as(
    adapter: TypeAdapter[Value],
    text: str | bytes,
    *,
    strict: bool | None = None,
    extra: Literal["forbid"] | None = None,
) -> Value:
    """Parse JSON from outside as a value of the type of `adapter`. If `strict` is true, no types are converted; if
    `extra` is "forbid", keys that the types lack are rejected.

    Raises `ValueError`, with the place and the fault, for anything that `parse_json` rejects and for a value of any
    other type.
    """
    try:
        value = adapter.validate_json(text, strict=strict, extra=extra)
    except ValidationError as error:
        raise ValueError(first_fault(error)) from error
    parse_json(text if isinstance(text, str) else text.decode())  # the adapter keeps the last of two equal keys
    return value


def has_half_characters(value: object) -> bool:
    """Return whether a text in a JSON value contains half a surrogate pair, which prevents it from being encoded."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value: write null for an unknown number")


def to_json(adapter: TypeAdapter[Value], value: Value) -> str:
    """Return `value` as indented JSON."""
    return adapter.dump_json(value, indent=1).decode() + "\n"


def from_json(
    adapter: TypeAdapter[Value], text: str | bytes, name: str, remedy: str = "build the corpus again"
) -> Value:
    """Parse JSON text. Raises `CorpusDamaged`, with `name`, the fault and `remedy` in its message, if the text is not a
    value of the type of `adapter`.
    """
    try:
        return adapter.validate_json(text, strict=True)
    except ValidationError as error:
        raise CorpusDamaged(f"{name} cannot be read ({first_fault(error)}): {remedy}") from error


def read_json(adapter: TypeAdapter[Value], path: Path, remedy: str = CORPUS_REMEDY) -> Value:
    """Read a JSON file as `from_json` does. A file that cannot be opened also counts as damaged."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CorpusDamaged(f"{path} cannot be read ({error.strerror}): {remedy}") from error
    return from_json(adapter, content, str(path), remedy)


def first_fault(error: ValidationError) -> str:
    """Describe the first fault found by a validation, preceded by its location, such as "papers.0.id"."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))
    fault = "this key is not known" if first["type"] == "unexpected_keyword_argument" else first["msg"]
    return f"{place}: {fault}" if place else fault
