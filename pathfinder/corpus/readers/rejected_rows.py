"""A row of a source file that did not become a paper, with the reason."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A line of `rejected.jsonl`: a row that could not be used."""

    file: str
    """Name of the source file, without its folder."""
    line: int
    """Number of the first line of the row, counted from 1."""
    reason: str
    """Reason in a few words on one line, such as "no title"."""
    record_id: str | None
    """Id of the row, if it has a usable one."""
