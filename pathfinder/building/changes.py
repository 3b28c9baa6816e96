"""Keeps in files the papers that the sources of a corpus now describe differently, until the new table is written.

A paper whose title or abstract has changed counts as reworded: it gets new keywords, vectors and passages. Any other
change, such as a citation count or a retraction, amends the paper and needs no model.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa

from pathfinder.corpus.history.choices import Choices, open_choices
from pathfinder.corpus.history.merges import Merges, open_merges
from pathfinder.corpus.history.retractions import Retractions, open_retractions
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of, papers_of, read_table
from pathfinder.corpus.store import Corpus
from pathfinder.models.ports import Vectors
from pathfinder.types import Paper

PAPERS_PER_BATCH = 2048
"""Number of papers in one record batch: small enough for the papers to be held in memory as objects, large enough to
keep the number of batches low.
"""

_Item = TypeVar("_Item")


class PaperFile:
    """Writes papers to an Arrow file, batch by batch; use it in a `with` statement."""

    def __init__(self, path: Path) -> None:
        self._file = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_file(self._file, PAPER_SCHEMA)
        self._batch: list[Paper] = []

    def __enter__(self) -> "PaperFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()
        self._file.close()

    def add(self, paper: Paper) -> None:
        """Append a paper."""
        self._batch.append(paper)
        if len(self._batch) == PAPERS_PER_BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._batch:
            self._writer.write_batch(batch_of(self._batch))
            self._batch = []


def papers_in(path: Path) -> Iterator[Paper]:
    """Yield the papers in a file written by `PaperFile`."""
    with pa.memory_map(str(path)) as file:
        reader = pa.ipc.open_file(file)
        for n in range(reader.num_record_batches):
            yield from papers_of(reader.get_batch(n))


@dataclass(frozen=True, slots=True)
class Changes:
    """Changed papers: their rows in the previous corpus, in the order in which the files hold their new versions."""

    folder: Path
    reworded_rows: list[int] = field(default_factory=list)
    """Rows whose title or abstract changed."""
    amended_rows: list[int] = field(default_factory=list)
    """Rows in which something else changed; these keep their keywords."""

    @property
    def reworded_papers(self) -> Path:
        """New versions of the reworded papers, without keywords."""
        return self.folder / "reworded.arrow"

    @property
    def amended_papers(self) -> Path:
        """New versions of the amended papers."""
        return self.folder / "amended.arrow"


def with_changes(previous: pa.Table, changes: Changes, reworded_table: pa.Table) -> pa.Table:
    """Return the table of a corpus in which the new versions of changed papers replace the old ones; `reworded_table`
    holds the reworded papers with their new keywords. Batches without a change are not copied.
    """
    previous = previous.select(PAPER_SCHEMA.names)
    if not changes.reworded_rows and not changes.amended_rows:
        return previous
    amended_table = read_table(changes.amended_papers)
    sources = {row: (reworded_table, place) for place, row in enumerate(changes.reworded_rows)}
    sources |= {row: (amended_table, place) for place, row in enumerate(changes.amended_rows)}
    batches, start = [], 0
    for batch in previous.to_batches(max_chunksize=PAPERS_PER_BATCH):
        rows = [row for row in range(start, start + batch.num_rows) if row in sources]
        if rows:
            papers = list(papers_of(batch))
            for row in rows:
                table, place = sources[row]
                (papers[row - start],) = papers_of(table.slice(place, 1))
            batches.append(batch_of(papers))
        else:
            batches.append(batch)
        start += batch.num_rows
    return pa.Table.from_batches(batches, PAPER_SCHEMA)


def with_new_vectors(batches: Iterable[Vectors], rows: Sequence[int], new: Sequence[Vectors]) -> Iterator[Vectors]:
    """Yield the stored vectors of a corpus, batch by batch, replacing those at `rows` with `new`."""
    places, start = dict(zip(rows, new, strict=True)), 0
    for batch in batches:
        inside = [row for row in range(start, start + len(batch)) if row in places]
        if inside:
            new_batch = batch.copy()
            new_batch[np.array(inside) - start] = [places[row] for row in inside]
            yield new_batch
        else:
            yield batch
        start += len(batch)


def with_new_items(items: Iterable[_Item], new: Mapping[int, _Item]) -> Iterator[_Item]:
    """Yield the stored items of a corpus, one for each paper, replacing those of the rows in `new`."""
    return (new.get(row, item) for row, item in enumerate(items))


# Knowledge about the papers in a corpus that does not come from its sources: merges, choices, retractions.

HISTORY_ROLES = ("choices", "merges", "retractions")
"""Parts that hold a history; a corpus without merges, choices or retractions lacks the corresponding part."""


@dataclass(frozen=True, slots=True)
class History:
    """Merges, choices and retractions of a corpus."""

    merges: Merges = field(default_factory=Merges)
    choices: Choices = field(default_factory=Choices)
    retractions: Retractions = field(default_factory=Retractions)
    """List from Retraction Watch that an update has read."""
    looked_up: Mapping[str, str] = field(default_factory=dict)
    """Ids of papers in the corpus, by the ids of the records that were looked up for them."""


def history_of(corpus: Corpus | None) -> History:
    """Read the history of a corpus; a new corpus has an empty one."""
    if corpus is None:
        return History()
    return History(
        open_merges(corpus.path("merges")),
        open_choices(corpus.path("choices")),
        open_retractions(corpus.path("retractions")),
    )
