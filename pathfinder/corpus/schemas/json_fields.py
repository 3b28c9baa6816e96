"""Nested fields of JSON records, checked one by one: a field of the wrong type counts as a broken record."""

from collections.abc import Mapping, Sequence

from pathfinder.corpus.schemas.fields import Record, Unusable, clean, shorten

_EMPTY: Record = {}


def inner(record: Record, name: str) -> Record:
    """Return the object in a field; an empty object if the field is missing or null."""
    value = record.get(name)
    if value is None:
        return _EMPTY
    if not isinstance(value, Mapping):
        raise Unusable(f"{name} must be an object, got {shorten(value)}")
    return value


def objects(record: Record, name: str) -> Sequence[Record]:
    """Return the objects in a list; none if the field is missing or null."""
    value = record.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise Unusable(f"{name} must be a list of objects, got {shorten(value)}")
    return value


def texts(record: Record, name: str) -> tuple[str, ...]:
    """Return the cleaned texts in a list, without empty ones or duplicates."""
    value = record.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Unusable(f"{name} must be a list of texts, got {shorten(value)}")
    return tuple(dict.fromkeys(text for text in map(clean, value) if text))
