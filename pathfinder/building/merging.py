"""Merges the records in which several sources of a build describe the same paper."""

import dataclasses
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from pathfinder.building.changes import PaperFile
from pathfinder.building.directory import MERGES_NAME
from pathfinder.corpus.merging import merged_record
from pathfinder.corpus.merging.finder import Finder
from pathfinder.corpus.paper_columns import papers_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.types import Paper

_KNOWN = -1
"""Group of the papers that were already in the corpus."""


@dataclass(frozen=True, slots=True)
class Merge:
    """A record that did not become a paper of its own, because it describes a paper that was already there."""

    paper_id: str
    """Id of the paper in the corpus."""
    merged_id: str
    """Id that the record would have had."""
    title: str
    """Title of the record."""
    source: str
    line: int
    ground: str
    """Reason: "identifier" or "title"."""
    reason: str
    """The identifier that is the same, or the fields that agree."""


@dataclass(slots=True)
class Merger:
    """Merges records from different sources; records from the same source are never merged."""

    known: PaperTable | None
    merges: list[Merge] = field(default_factory=list)
    _finder: Finder | None = None
    records: dict[str, list[Paper]] = field(default_factory=lambda: defaultdict(list))
    """Merged records by the id of the paper that they describe."""
    _groups: dict[str, int] = field(default_factory=dict)
    """Group of the source in which each paper of the corpus was read again, by the id of the paper."""

    def is_merged(self, paper: Paper, source: str, line: int, group: int) -> bool:
        """Return whether another source or the corpus has `paper`; if so, the record is stored for `write`, and
        listed.
        """
        finder = self._filled_finder()
        same = finder.same(paper, group)
        if same is None:
            finder.add(paper, group)
            return False
        other, match = same
        self.merges.append(
            Merge(other.paper_id, paper.paper_id, paper.title, source, line, match.ground.value, match.reason)
        )
        self.records[other.paper_id].append(paper)
        return True

    def has_read_again(self, paper_id: str, group: int) -> None:
        """Note that a paper of the corpus is in a source of this build, so that the other records of that source are
        different papers.
        """
        self._groups[paper_id] = group
        if self._finder is not None:
            self._finder.move(paper_id, group)

    def write(self, path: Path) -> None:
        """Replace the new papers in the file `path` by their merged records."""
        if not self.records:
            return
        merged = path.with_suffix(".merged")
        with PaperFile(merged) as file:
            for paper in _papers_in(path):
                others = self.records.get(paper.paper_id, [])
                file.add(merged_record((paper, *others)) if others else paper)
        merged.replace(path)

    def _filled_finder(self) -> Finder:
        """Return the finder, which is filled with the papers of the corpus when the first record is looked up."""
        if self._finder is None:
            self._finder = Finder()
            for paper in self.known or ():
                self._finder.add(paper, self._groups.get(paper.paper_id, _KNOWN))
        return self._finder


def write_merges(folder: Path, merges: list[Merge]) -> None:
    """Add `merges` to those that earlier builds listed in `folder`; if a merge is listed already, its reason stays."""
    listed: dict[tuple[str, str], Merge] = {}
    for merge in (*read_merges(folder), *merges):
        listed.setdefault((merge.paper_id, merge.merged_id), merge)
    if not merges:
        return
    path = folder / MERGES_NAME
    staged = path.with_suffix(".new")
    lines = (json.dumps(dataclasses.asdict(merge), ensure_ascii=False) for merge in listed.values())
    staged.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    staged.replace(path)


def read_merges(folder: Path) -> tuple[Merge, ...]:
    """Return the merges of a corpus, in the order in which they were made."""
    path = folder / MERGES_NAME
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return tuple(Merge(**json.loads(line)) for line in lines)


def _papers_in(path: Path) -> Iterator[Paper]:
    with pa.memory_map(str(path)) as file:
        reader = pa.ipc.open_file(file)
        for n in range(reader.num_record_batches):
            yield from papers_of(reader.get_batch(n))
