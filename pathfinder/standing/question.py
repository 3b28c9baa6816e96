"""A standing question: a search with all its settings, stored under a name."""

import datetime
from dataclasses import dataclass
from typing import Any

from pathfinder.errors import UsageError
from pathfinder.retrieval.request_records import (
    check_form,
    record_of_request,
    request_of_record,
    unknown_settings,
    without_settings,
)
from pathfinder.types import SearchRequest, Weighting
from pathfinder.types.settings import settings_of

_UNKNOWN = " (unknown to this version, not used)"
MAX_NAME, MAX_STATEMENT = 80, 500
"""Maximum lengths of a name and of a statement, in characters."""


@dataclass(frozen=True, slots=True)
class StandingQuestion:
    """A question that is asked again whenever its corpus changes."""

    id: str
    """Id that stays the same when the question is renamed."""
    name: str
    record: dict[str, Any]
    """The question's search, as `record_of_request` writes it, including any settings from a later version."""
    added_at: datetime.datetime
    statement: str = ""
    """Statement on which the stances of papers are guessed; empty if no stances are guessed."""
    uses_chat: bool = False
    """True if each run measures the consensus with the chat model."""

    def __post_init__(self) -> None:
        """Raise `UsageError` for an empty name, for a name or a statement that is too long or not a single line, and
        for a record that does not describe a search.
        """
        check_form(self.record)
        _check_line(self.name, "name of a standing question", MAX_NAME)
        if self.statement:
            _check_line(self.statement, "statement", MAX_STATEMENT)

    @property
    def query(self) -> str:
        """The question as written."""
        return str(self.record["query"])

    def request(self) -> tuple[SearchRequest, tuple[str, ...]]:
        """Return the question's search, and a note on each setting that this version does not know and leaves out.

        Raises `UsageError` for a value that is no longer valid.
        """
        unknown = unknown_settings(self.record)
        notes = tuple(f"this version does not know the setting {name!r}: it is kept, but not used" for name in unknown)
        return request_of_record(without_settings(self.record, unknown)), notes


def describe_settings(question: StandingQuestion) -> str:
    """Write the settings that differ from the defaults, and those unknown to this version; empty if there are none."""
    labels = {setting.name: setting.label for part in (SearchRequest, Weighting) for setting in settings_of(part)}
    unknown = unknown_settings(question.record)
    parts = [
        f"{labels.get(name, name)}: {_value_text(value)}{_UNKNOWN if name in unknown else ''}"
        for name, value in question.record.items()
        if name not in ("query", "weights")
    ]
    for name, strength in question.record.get("weights", {}).items():
        parts.append(f"weight of {name}: {strength:g}{_UNKNOWN if f'weights.{name}' in unknown else ''}")
    if question.statement:
        parts.append(f"statement: {question.statement}")
    if question.uses_chat:
        parts.append("consensus measured by the chat model")
    return "; ".join(parts)


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def storable_record(request: SearchRequest) -> dict[str, Any]:
    """Return the record of a search for a standing question. Raises `UsageError` for a search that a record cannot
    hold, such as one for similar papers.
    """
    if request.likeness is not None or request.excluded_ids:
        raise UsageError(
            f"the search {request.query[:60]!r} starts from papers or leaves some out, which a standing question "
            "cannot store: watch a question in words instead"
        )
    if request.as_of is not None:
        raise UsageError(
            f"a search as of {request.as_of} never finds anything new, so there is nothing to watch: leave out as_of "
            "(--as-of)"
        )
    return record_of_request(request)


def default_name(query: str) -> str:
    """Return a name for a question: its beginning, on one line."""
    words = " ".join(query.split())
    return words if len(words) <= MAX_NAME else f"{words[: MAX_NAME - 1].rstrip()}…"


def _check_line(text: str, noun: str, most: int) -> None:
    if text != text.strip() or not text or len(text) > most or not text.isprintable():
        raise UsageError(f"{text[:most]!r} cannot be the {noun}: write 1 to {most} characters on one line")
