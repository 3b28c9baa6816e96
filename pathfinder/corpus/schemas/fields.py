"""The fields of a source's record, each cleaned and checked."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pathfinder.corpus.schemas.author_lists import authors_in, listed_authors, name_in
from pathfinder.corpus.schemas.markup import without_markup
from pathfinder.corpus.schemas.placeholders import is_missing_name, is_placeholder
from pathfinder.types import without_control_characters

Record = Mapping[str, object]
"""One row of a source after parsing: field names with unchecked values."""

MAX_COUNT = 10_000_000
"""Limit on a paper's number of citations or authors. No real paper reaches it, so a larger number is a mistake."""
_LONGEST_QUOTE = 60
_NUMBER = re.compile(
    r"(?P<decimal>\d{1,18})\.0+|(?P<grouped>\d{1,3}(?:[,.'’\s]\d{3}){1,5})(?:[.,]0+)?|(?P<whole>\d{1,18})(?:,0{1,2})?"
)
"""A whole number, as "1234", "1234.0", "1,234" or "1 234"; one point before three digits separates thousands, too."""
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Unusable(ValueError):
    """A record that cannot become a paper; its message becomes the reason in `RejectedRow`."""


def clean(text: str) -> str:
    """Remove control characters from `text` and collapse its white space to single spaces."""
    return " ".join((text if text.isprintable() else without_control_characters(text)).split())


def text_field(record: Record, *names: str) -> str | None:
    """Return the cleaned text of the first field in `names` that has any; a whole number counts as text."""
    for name in names:
        value = record.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if value is not None and not isinstance(value, str):
            raise Unusable(f"{name} must be text, got {shorten(value)}")
        if value and (clean_text := clean(value)):
            return clean_text
    return None


def value_field(record: Record, *names: str) -> str | None:
    """Return the cleaned text of the first field in `names` that has any, without markup; a placeholder is none."""
    for name in names:
        text = text_field(record, name)
        if text and not is_placeholder(text) and (plain := clean(without_markup(text))):
            return plain
    return None


def list_field(record: Record, *names: str, separators: str = ";") -> tuple[str, ...]:
    """Return the texts of all fields in `names`, in order and without markup or placeholders; a field that is not a
    list is split at `separators`. The same text counts once.
    """
    parts: list[str] = []
    for name in names:
        value = record.get(name)
        # The semicolon of an entity separates nothing: "Jones &amp; Sons".
        is_text = isinstance(value, str)
        parts += (
            re.split(f"[{re.escape(separators)}]", without_markup(str(value)))
            if is_text
            else _items(record, name, str, "texts")
        )
    cleaned_texts = (clean(without_markup(part)) for part in parts)
    return tuple(dict.fromkeys(text for text in cleaned_texts if text and not is_missing_name(text)))


def authors_field(record: Record, *names: str) -> tuple[str, ...]:
    """Return the authors in all fields in `names`, in order: of lists of texts or of objects with names, and of texts
    that list several. Two of one name stay two.
    """
    authors: list[str] = []
    for name in names:
        value = record.get(name)
        if isinstance(value, str):
            authors += authors_in(without_markup(value))
        elif isinstance(value, list) and all(isinstance(item, str) or name_in(item) for item in value):
            authors += listed_authors(item if isinstance(item, str) else name_in(item) for item in value)
        elif value is not None:
            raise Unusable(f"{name} must be a list of texts, got {shorten(value)}")
    names_of_authors = (clean(without_markup(author)) for author in authors)
    return tuple(name for name in names_of_authors if name and not is_missing_name(name))


def count_field(record: Record, *names: str) -> int | None:
    """Return the whole number, from 0 to 10,000,000, in the first field in `names` that has one. Other numbers and
    words count as missing.
    """
    for name in names:
        count = whole_number(scalar_field(record, name))
        if count is not None and count <= MAX_COUNT:
            return count
    return None


def whole_number(text: str) -> int | None:
    """Return the whole number that a text writes, with or without separators, and nothing else."""
    number = _NUMBER.fullmatch(text.strip())
    return int(re.sub(r"\D", "", next(filter(None, number.groups())))) if number else None


def scalar_field(record: Record, name: str) -> str:
    """Return a text or a number as cleaned text, empty if there is none. Raises `Unusable` for anything else."""
    value = record.get(name)
    if value is None or value != value:  # NaN, with which tables mark an empty cell
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Unusable(f"{name} must be text or a number, got {shorten(value)}")
    text = clean(str(value))
    return "" if is_placeholder(text) else text


def flag_field(record: Record, name: str) -> bool | None:
    """Return a flag, `None` if it is missing. In a table, it may be written as true, yes, 1, false, no or 0, or be left
    empty.
    """
    value = record.get(name)
    text = value.strip().lower() if isinstance(value, str) else ""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and (not text or is_placeholder(text)):
        return None
    if text not in _BOOLEANS:
        raise Unusable(f"{name} must be true or false, got {shorten(value)}")
    return _BOOLEANS[text]


def shorten(value: object) -> str:
    """Shorten `value` to one line for an error message."""
    text = repr(value)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}..."


def inner(record: Record, name: str) -> Record:
    """Return the object in a field; an empty object if the field is missing or null."""
    value = record.get(name)
    if value is not None and not isinstance(value, Mapping):
        raise Unusable(f"{name} must be an object, got {shorten(value)}")
    return value or {}


def objects(record: Record, name: str) -> Sequence[Record]:
    """Return the objects in a list; none if the field is missing or null."""
    return _items(record, name, Mapping, "objects")


def texts(record: Record, name: str) -> tuple[str, ...]:
    """Return the cleaned texts in a list, without empty ones or duplicates."""
    return tuple(dict.fromkeys(text for text in map(clean, _items(record, name, str, "texts")) if text))


def _items(record: Record, name: str, kind: type, plural: str) -> list[Any]:
    value = record.get(name)
    if value is not None and not (isinstance(value, list) and all(isinstance(item, kind) for item in value)):
        raise Unusable(f"{name} must be a list of {plural}, got {shorten(value)}")
    return value or []
