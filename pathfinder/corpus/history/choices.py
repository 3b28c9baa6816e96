"""Choices that a person made about papers in a corpus, which later builds and updates respect."""

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.corpus.merging.identifiers import identifier_names
from pathfinder.errors import CORPUS_REMEDY
from pathfinder.text.strict_json import read_json
from pathfinder.types import Paper


@dataclass(frozen=True, slots=True)
class Choices:
    """Papers that were removed, and records to be kept apart."""

    removed_ids: frozenset[str] = field(default_factory=frozenset)
    """Ids of the removed papers, and of all records that had been merged with them."""
    removed_identifiers: frozenset[str] = field(default_factory=frozenset)
    """Identifiers of these papers and records as `kind:id`, by which their records in other sources are recognised."""
    apart: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    """Pairs of ids whose merge was undone, each in alphabetical order."""

    def has_removed(self, paper: Paper) -> bool:
        """Return whether `paper` is a record of a paper that was removed."""
        return bool(self.removed_ids) and (
            paper.paper_id in self.removed_ids or not self.removed_identifiers.isdisjoint(identifier_names(paper))
        )

    def keeps_apart(self, first: str, second: str) -> bool:
        """Return whether the papers with these ids must not be merged."""
        return _pair(first, second) in self.apart

    def with_removed(self, records: tuple[Paper, ...]) -> "Choices":
        """Return these choices with one more removed paper; `records` are all of its records."""
        return Choices(
            self.removed_ids | {record.paper_id for record in records},
            self.removed_identifiers | {name for record in records for name in identifier_names(record)},
            self.apart,
        )

    def with_apart(self, first: str, second: str) -> "Choices":
        """Return these choices with one more pair of records to be kept apart."""
        return Choices(self.removed_ids, self.removed_identifiers, self.apart | {_pair(first, second)})


@dataclass(frozen=True, slots=True)
class _StoredChoices:
    """The choices as stored, in alphabetical order."""

    removed: list[str]
    removed_identifiers: list[str]
    apart: list[tuple[str, str]]


_ADAPTER = TypeAdapter(_StoredChoices)


def write_choices(choices: Choices, path: Path) -> None:
    """Write `choices` to a file; the same choices always produce the same bytes."""
    record = _StoredChoices(sorted(choices.removed_ids), sorted(choices.removed_identifiers), sorted(choices.apart))
    path.write_bytes(_ADAPTER.dump_json(record, indent=1) + b"\n")


def open_choices(path: Path | None) -> Choices:
    """Read what `write_choices` wrote, if there is a file. Raises `CorpusDamaged` for anything else."""
    if path is None:
        return Choices()
    record = read_json(_ADAPTER, path, CORPUS_REMEDY)
    return Choices(frozenset(record.removed), frozenset(record.removed_identifiers), frozenset(record.apart))


def _pair(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first < second else (second, first)
