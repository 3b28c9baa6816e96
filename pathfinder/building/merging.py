"""Merges the records in which several sources of a build describe the same paper."""

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pathfinder.building.changes import History, PaperFile, papers_in
from pathfinder.corpus.history.merges import Merge, Merges
from pathfinder.corpus.merging import merged_record
from pathfinder.corpus.merging.rule import Finder, Match, MatchKind, conflicts
from pathfinder.corpus.papers import PaperTable
from pathfinder.types import Paper

_IN_CORPUS = -1
"""Group of the papers that were already in the corpus."""
_SAME_ID = Match(MatchKind.IDENTIFIER, "the record of another source has the same id")
_LOOKED_UP = Match(MatchKind.IDENTIFIER, "a host has the record under an identifier of the paper")


@dataclass(slots=True)
class RecordMerger:
    """Merges records from different sources; records from the same source are never merged."""

    previous_papers: PaperTable | None
    history: History = field(default_factory=History)
    merges: list[Merge] = field(default_factory=list)
    records: dict[str, list[Paper]] = field(default_factory=lambda: defaultdict(list))
    """Merged records by the id of the paper that they describe."""
    own: dict[str, Paper] = field(default_factory=dict)
    """Own record of each paper that was merged earlier, as read in this build, by the paper's id."""
    groups: dict[str, tuple[Paper, ...]] = field(default_factory=dict)
    """All records of each merged paper, by the paper's id; its own record comes first."""
    _finder: Finder | None = None
    """Filled with the papers in the corpus when the first record is looked up."""
    _groups: dict[str, int] = field(default_factory=dict)
    """Group of the source from which each paper in the corpus was read again, by the paper's id."""

    def is_merged(self, paper: Paper, source: str, line: int, group: int) -> bool:
        """Return whether another source or the corpus has `paper`; if so, store the record for `write`, and list the
        merge.
        """
        if self._finder is None:
            self._finder = Finder()
            for known in self.previous_papers or ():
                self._finder.add(known, self._groups.get(known.paper_id, _IN_CORPUS))
        finder = self._finder
        same = finder.same(paper, group, self.history.choices.keeps_apart)
        if same is None and (paper_id := self.history.looked_up.get(paper.paper_id)) is not None:
            same = Paper(paper_id, "", ""), _LOOKED_UP
        if same is None:
            finder.add(paper, group)
            return False
        other, match = same
        self._merge(other.paper_id, paper, source, line, match)
        return True

    def is_of_another_source(self, paper: Paper, row: int, source: str, line: int) -> bool:
        """Return whether the paper in `row` of the corpus, which has the id of `paper`, has no record from a source of
        the same kind; if so, store the record for `write`, and list the merge: it is no new version.
        """
        known = self.history.merges.records.get(paper.paper_id) or (
            () if self.previous_papers is None else (self.previous_papers[row],)
        )
        kinds = {_source_of(record) for record in known}
        if not paper.provenance or None in kinds or _source_of(paper) in kinds:
            return False
        self._merge(paper.paper_id, paper, source, line, _SAME_ID)
        return True

    def _merge(self, paper_id: str, paper: Paper, source: str, line: int, match: Match) -> None:
        self.merges.append(Merge(paper_id, paper.paper_id, paper.title, source, line, match.ground.value, match.reason))
        self.records[paper_id].append(paper)

    def has_read_again(self, paper_id: str, group: int) -> None:
        """Note that a paper in the corpus is in a source of this build, which means that the other records of that
        source are different papers.
        """
        self._groups[paper_id] = group
        if self._finder is not None:
            self._finder.move(paper_id, group)

    def write(self, path: Path) -> None:
        """Replace the new papers in the file `path` with their merged records."""
        if not self.records:
            return
        merged_file = path.with_suffix(".merged")
        with PaperFile(merged_file) as file:
            for paper in papers_in(path):
                others = self.records.get(paper.paper_id, [])
                if others:
                    self.groups[paper.paper_id] = (paper, *others)
                file.add(merged_record((paper, *others)) if others else paper)
        merged_file.replace(path)

    def known_groups(self) -> Iterator[tuple[int, tuple[Paper, ...]]]:
        """Yield the row of each merged paper in the corpus with its records, updated with those of this build."""
        if self.previous_papers is None:
            return
        before = self.history.merges.records
        paper_ids = list(dict.fromkeys((*before, *self.records)))
        for paper_id, row in zip(paper_ids, self.previous_papers.rows_of(paper_ids).tolist(), strict=True):
            if row >= 0:
                records = before.get(paper_id) or (dataclasses.replace(self.previous_papers[row], keywords=()),)
                own = self.own.get(paper_id) or (records[0] if paper_id in self._groups else None)
                yield row, renew(records, own, self.records.get(paper_id, ()))

    def all_merges(self) -> Merges:
        """Return the merges of earlier builds and of this one, each with its conflicts; the first reason for a merge is
        kept.
        """
        records = {**self.history.merges.records, **self.groups}
        merges: dict[tuple[str, str], Merge] = {}
        for merge in (*self.history.merges.entries, *self.merges):
            merges.setdefault((merge.paper_id, merge.merged_id), merge)
        return Merges(tuple(with_conflicts(merge, records) for merge in merges.values()), records)


def renew(records: Sequence[Paper], own: Paper | None, merged: Iterable[Paper]) -> tuple[Paper, ...]:
    """Return the records of a paper, of which the first is its own, with each new one in the place of its own earlier
    version or, if it has none, at the end: `own`, and those that were `merged` with it, which never come first.

    A version is recognised by its id and, if several records have that id, by its source and by what it has in common.
    A record that was merely read again and is unchanged does not count as new.
    """
    result = list(records)
    free = list(range(len(records)))
    for record in (*([own] if own else ()), *merged):
        is_own = record is own
        places = [place for place in free if records[place].paper_id == record.paper_id and (is_own or place > 0)]
        place = min(places, key=lambda place: _difference(records[place], record), default=None)
        if place is None:
            result.append(record)
            continue
        free.remove(place)
        if as_read(records[place]) != as_read(record):
            result[place] = record
    return tuple(result)


def _difference(one: Paper, other: Paper) -> tuple[bool, int]:
    """Return whether two records are from sources of different kinds, and the number of fields that differ."""
    names = (field.name for field in dataclasses.fields(Paper))
    differing = sum(getattr(one, name) != getattr(other, name) for name in names)
    return _source_of(one) != _source_of(other), differing


def as_read(paper: Paper) -> Paper:
    """Return the paper as its source describes it: without the keywords that the build adds, and without the time of
    reading.
    """
    return dataclasses.replace(paper, keywords=(), provenance=(), citations_on=None)


def _source_of(paper: Paper) -> str | None:
    return paper.provenance[0].source if paper.provenance else None


def with_conflicts(merge: Merge, records: Mapping[str, tuple[Paper, ...]]) -> Merge:
    """Return `merge` with the fields on which its record and the merged paper disagree."""
    group = records.get(merge.paper_id, ())
    record = next((record for record in group[1:] if record.paper_id == merge.merged_id), None)
    now = conflicts(merged_record(group), record) if record else merge.conflicts
    return dataclasses.replace(merge, conflicts=now)
