"""Writes any of Pathfinder's frozen values as plain JSON, field by field."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from pathfinder.types import Paper

JsonObject: TypeAlias = dict[str, Any]


def as_json(value: Any) -> Any:
    """Convert dataclasses to objects, tuples to arrays, enumerations to their values and dates to ISO 8601.

    Raises `TypeError` for any other kind of value, such as a NumPy array.
    """
    if isinstance(value, tuple):
        return [as_json(part) for part in value]
    if hasattr(type(value), "__array__") or isinstance(value, type):
        raise TypeError(f"a {type(value).__name__} cannot be written as JSON: define its form in {__name__}")
    return _adapter(type(value)).dump_python(value, mode="json")  # type: ignore[arg-type]  # classes are hashable


def select(value: object, keys: Mapping[str, str]) -> JsonObject:
    """Write selected attributes of `value`: `keys` maps each JSON key to an attribute, in the order of the output."""
    return {key: as_json(getattr(value, attribute)) for key, attribute in keys.items()}


def same_names(attributes: str) -> dict[str, str]:
    """Map each name in `attributes`, separated by spaces, to itself."""
    return {name: name for name in attributes.split()}


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


# Writes papers as JSON for programs.


def paper_record(paper: Paper) -> JsonObject:
    """Write a paper: paper_id, title, year, status ("withdrawn", "retracted" or null), and is_summary (true if what is
    quoted of it, outside its full text, is from a summary, which are not the paper's own words).
    """
    record = {"paper_id": paper.paper_id, "title": paper.title, "year": paper.known_year, "status": paper.status}
    return record | {"is_summary": paper.is_summary}
