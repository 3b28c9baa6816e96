"""The merges of a corpus, as a part of it: a list with reasons, and the records from which each merged paper was made.

The records are stored so that a merge can be undone, and so that a paper can be merged again when one of them changes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

import pyarrow as pa
from pydantic import TypeAdapter

from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.merging.rule import Conflict
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of, papers_of, read_table
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.types import Paper

_LIST, _RECORDS = "merges.jsonl", "records.arrow"
_RECORDS_PER_BATCH = 2048


@dataclass(frozen=True, slots=True)
class Merge:
    """A record that did not become a separate paper, because it describes a paper that is already in the corpus."""

    paper_id: str
    """Id of the paper in the corpus."""
    merged_id: str
    """Id that the record would otherwise have."""
    title: str
    """Title of the record."""
    source: str
    line: int
    ground: str
    """Kind of reason for the merge: "identifier" or "title"."""
    reason: str
    """The identifier that the record and the paper share, or the fields on which they agree."""
    conflicts: tuple[Conflict, ...] = ()
    """Fields on which the record and the paper disagree."""


@dataclass(frozen=True, slots=True)
class Merges:
    """All merges of a corpus."""

    entries: tuple[Merge, ...] = ()
    """Merges in the order in which they were made."""
    records: Mapping[str, tuple[Paper, ...]] = field(default_factory=dict)
    """Records of each merged paper, as their sources describe them, by the paper's id; its own record comes first."""

    @property
    def n_conflicts(self) -> int:
        """Number of fields on which records of the same paper disagree."""
        return n_conflicts(self.entries)


_ADAPTER = TypeAdapter(Merge)
_SIZES = TypeAdapter(dict[str, int])


def n_conflicts(merges: Iterable[Merge]) -> int:
    """Count the fields on which records of the same paper disagree."""
    return sum(len(merge.conflicts) for merge in merges)


def read_merges(folder: Path) -> tuple[Merge, ...]:
    """Return the merges of the corpus in `folder`, in the order in which they were made."""
    part = read_manifest(folder)[0].parts.get("merges")
    return open_list(folder / part.name if part else None)


def open_merges(folder: Path | None) -> Merges:
    """Read what `write_merges` wrote, if there is a folder. Raises `CorpusDamaged` for anything else."""
    if folder is None:
        return Merges()
    with _readable(folder):
        sizes = _SIZES.validate_json(_lines(folder)[0], strict=True)
        papers = (paper for batch in read_table(folder / _RECORDS).to_batches() for paper in papers_of(batch))
        return Merges(open_list(folder), {paper_id: tuple(islice(papers, size)) for paper_id, size in sizes.items()})


def open_list(folder: Path | None) -> tuple[Merge, ...]:
    """Read only the list of merges, which takes less time than the records."""
    if folder is None:
        return ()
    with _readable(folder):
        return tuple(_ADAPTER.validate_json(line) for line in _lines(folder)[1:])


def _lines(folder: Path) -> list[str]:
    return (folder / _LIST).read_text(encoding="utf-8").removesuffix("\n").split("\n")


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise CorpusDamaged(f"{folder} cannot be read ({type(error).__name__}): {CORPUS_REMEDY}") from error


def write_merges(merges: Merges, folder: Path) -> None:
    """Write two files into `folder`: the list of merges, after a line with the number of records of each paper, and the
    records themselves.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {paper_id: len(records) for paper_id, records in merges.records.items()}
    lines = [sizes, *map(asdict, merges.entries)]
    content = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (folder / _LIST).write_text(content, encoding="utf-8")
    records: Sequence[Paper] = [record for group in merges.records.values() for record in group]
    with pa.OSFile(str(folder / _RECORDS), "wb") as file, pa.ipc.new_file(file, PAPER_SCHEMA) as writer:
        for start in range(0, len(records), _RECORDS_PER_BATCH):
            writer.write_batch(batch_of(records[start : start + _RECORDS_PER_BATCH]))
