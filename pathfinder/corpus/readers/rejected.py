"""A row of a source that did not become a paper, and why."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rejected:
    """What `rejected.jsonl` says of a row that could not be used."""

    file: str
    """Name of the source, without its folder."""
    line: int
    """Line that the row begins on, counted from 1."""
    reason: str
    """In words, on one line, such as "no title"."""
    record_id: str | None
    """The id that the row gives, where it gives a usable one."""
