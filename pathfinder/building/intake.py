"""Determines which papers in the sources are new, known, changed or rejected."""

import dataclasses
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from pathfinder.building.changes import Changes, History, PaperFile, papers_in
from pathfinder.building.directory import REJECTED_NAME, BuildDirectory
from pathfinder.building.merging import RecordMerger, as_read
from pathfinder.building.progress import Progress, report_each
from pathfinder.building.read_sources import FailedSource, SourceRow, places_of, source_rows
from pathfinder.corpus.history.merges import Merge
from pathfinder.corpus.history.retractions import RETRACTION_WATCH
from pathfinder.corpus.merging import merged_record
from pathfinder.corpus.merging.rule import Twins
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.readers import RejectedRow
from pathfinder.sources import SOURCES, OpenSource, parse_source
from pathfinder.sources.spec import FILE
from pathfinder.text.files import write_file
from pathfinder.types import Paper


@dataclass(slots=True)
class Intake:
    """Counts and rejected rows of the sources, updated as the sources are read."""

    n_new: int = 0
    read_again: set[int] = field(default_factory=set)
    """Rows of the papers in the corpus that the sources contain, each under its own id."""
    changed_rows: set[int] = field(default_factory=set)
    """Rows of the papers in the corpus that now differ: an update takes the new version, a build keeps the old one."""
    n_by_status: Counter[str] = field(default_factory=Counter)
    """Number of papers, by status, that a source now calls withdrawn or retracted but did not before."""
    rejected_rows: list[RejectedRow] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)
    """Own ids of papers to which their sources give the id of another paper."""
    twins: list[tuple[str, str]] = field(default_factory=list)
    """Ids of new papers of one source that look like the same, and stay apart."""
    n_left_out: int = 0
    """Number of records of papers that somebody has removed from the corpus."""
    merges: list[Merge] = field(default_factory=list)
    """Records of papers that are also in another source, or already in the corpus."""
    failed_sources: list[FailedSource] = field(default_factory=list)
    """Sources that could not be read to the end."""
    private: set[str] = field(default_factory=set)
    """Sources with records that may not be shared."""
    history: History = field(default_factory=History)
    """Merges and choices of the corpus, together with the merges of records from these sources."""

    @property
    def n_known(self) -> int:
        """Number of papers already in the corpus and unchanged."""
        return len(self.read_again - self.changed_rows)

    @property
    def n_changed(self) -> int:
        """Number of papers already in the corpus that now differ."""
        return len(self.changed_rows)


def take_in(
    sources: Sequence[OpenSource],
    previous_papers: PaperTable | None,
    place: BuildDirectory,
    progress: Progress,
    changes: Changes | None = None,
    history: History | None = None,
    read_before: Container[str] = (),
    not_read: Collection[str] = (),
) -> Intake:
    """Read `sources` in order, write the papers that are not in `previous_papers` to a file, and count the others;
    changed papers are added to `changes`. `history` is that of `previous_papers`, `read_before` holds the sources that
    were read for that corpus, and `not_read` those of them that updates read, but this build does not.

    An update, which has `changes`, skips a source that fails as long as another can be read; a build raises the error
    instead.
    """
    intake = Intake(history=history or History())
    is_folder = any(source.path is not None and source.path.is_dir() for source in sources)
    may_merge = len(sources) > 1 or previous_papers is not None or is_folder
    merger = RecordMerger(previous_papers, intake.history) if may_merge else None
    differing = place.staging / "differing.arrow"
    progress.start("reading", None)
    places = places_of(previous_papers)
    with PaperFile(place.new_papers) as new, PaperFile(differing) as others:
        failures = None if changes is None else intake.failed_sources
        rows = source_rows(sources, previous_papers, places, read_before, failures, intake.private, intake.renamed)
        for row in report_each(_unique_rows(rows, places, merger, intake), progress):
            if isinstance(row, RejectedRow):
                intake.rejected_rows.append(row)
            elif previous_papers is None or (known := places.get(row.paper_id)) is None:
                new.add(row)
                intake.n_new += 1
                intake.n_by_status.update([row.status] if row.status else [])
            else:
                intake.read_again.add(known)
                if merger is not None and row.paper_id in intake.history.merges.records:
                    merger.own[row.paper_id] = row
                elif as_read(previous_papers[known]) != as_read(row):
                    others.add(row)
    if merger is not None and previous_papers is not None:
        missing = (*not_read, *(each.source for each in intake.failed_sources))
        unread = any(parse_source(name, SOURCES).scheme == FILE for name in missing)
        _take_over(papers_in(differing), previous_papers, places, merger, intake, changes, fills_gaps=unread)
    if merger is not None:
        merger.write(place.new_papers)
        intake.merges = merger.merges
        intake.history = dataclasses.replace(intake.history, merges=merger.all_merges())
    progress.finish()
    return intake


class Keeper:
    """Keeps the new versions of changed papers."""

    def __init__(self, files: ExitStack, changes: Changes) -> None:
        self._changes = changes
        self._reworded_file = files.enter_context(PaperFile(changes.reworded_papers))
        self._amended_file = files.enter_context(PaperFile(changes.amended_papers))

    def add(self, row: int, before: Paper, now: Paper) -> None:
        """Keep `now`, the new version of the paper `before` in `row`."""
        if (before.title, before.abstract) == (now.title, now.abstract):
            self._changes.amended_rows.append(row)
            self._amended_file.add(dataclasses.replace(now, keywords=before.keywords))
        else:
            self._changes.reworded_rows.append(row)
            self._reworded_file.add(now)


def write_rejected(place: BuildDirectory, names: Sequence[str], rejected_rows: Sequence[RejectedRow]) -> None:
    """Replace the rejected rows that earlier builds found in the sources called `names` with those that this build
    found.

    The file is a report for whoever runs the build: no answer depends on it. Rows from other sources are kept. If
    nothing changed, the file is not rewritten.
    """
    previous = (
        place.rejected_file.read_text(encoding="utf-8", errors="replace") if place.rejected_file.is_file() else None
    )
    other_lines = [line for line in (previous or "").split("\n") if line and not _is_of(_source_of(line), names)]
    lines = [json.dumps(dataclasses.asdict(row), ensure_ascii=False) for row in rejected_rows]
    content = "".join(f"{line}\n" for line in dict.fromkeys((*other_lines, *lines)))
    if content != previous:
        write_file(place.rejected_file, content)


def count_rejected(folder: Path) -> int:
    """Count the rejected rows of the corpus in `folder`."""
    path = folder / REJECTED_NAME
    return len(path.read_bytes().splitlines()) if path.is_file() else 0


def _unique_rows(
    rows: Iterator[SourceRow], places: Mapping[str, int], merger: RecordMerger | None, intake: Intake
) -> Iterator[Paper | RejectedRow]:
    """Yield every row; a paper with the same id as an earlier one is rejected, and the reason says where the earlier
    one is.

    A record of a paper that another source, or the corpus, has under a different id is left to `merger`; a record of
    a paper that somebody has removed is left out.
    """
    first: dict[str, tuple[str, int, int]] = {}
    twins: dict[int, Twins] = defaultdict(Twins)
    for group, name, line, row in rows:
        if isinstance(row, RejectedRow):
            yield row
            continue
        if intake.history.choices.has_removed(row):
            intake.n_left_out += 1
            continue
        paper = intake.history.retractions.mark(row)
        if paper.paper_id in first:
            file, first_line, first_group = first[paper.paper_id]
            if merger is not None and first_group != group and merger.is_merged(paper, name, line, group):
                continue
            reason = f"the id {paper.paper_id!r} already occurred on line {first_line} of {file}"
            yield RejectedRow(name, line, reason, paper.paper_id)
            continue
        first[paper.paper_id] = (name, line, group)
        if merger and (known := places.get(paper.paper_id)) is not None:
            if merger.is_of_another_source(paper, known, name, line):
                continue
            merger.has_read_again(paper.paper_id, group)
        elif merger and merger.is_merged(paper, name, line, group):
            continue
        twins[group].add(paper)
        yield paper
    intake.twins += [pair for each in twins.values() for pair in each.pairs]


def _take_over(
    differing: Iterator[Paper],
    previous_papers: PaperTable,
    places: Mapping[str, int],
    merger: RecordMerger,
    intake: Intake,
    changes: Changes | None,
    *,
    fills_gaps: bool,
) -> None:
    """Compare the papers in the corpus with what all sources say, and add those that changed to `changes`. If it
    `fills_gaps`, a new version keeps what it does not state itself: it may be the record of another file.

    Only now is it known which records describe the same paper: a paper that its own source has changed may also be
    merged with the record of another source, but counts as changed only once.
    """
    with ExitStack() as files:
        keep = Keeper(files, changes) if changes is not None else None
        for paper in differing:
            if paper.paper_id in merger.records:
                merger.own[paper.paper_id] = paper
            else:
                row = places[paper.paper_id]
                before = previous_papers[row]
                _compare(row, before, _with_gaps_filled(paper, before) if fills_gaps else paper, intake, keep)
        for row, records in merger.known_groups():
            before, now = previous_papers[row], intake.history.retractions.mark(merged_record(records))
            merger.groups[before.paper_id] = records
            _compare(row, before, now, intake, keep)
        if keep is None:
            return
        # The papers that no source has changed are marked according to the list of retractions.
        retractions = intake.history.retractions
        columns = [previous_papers.column(name).to_pylist() for name in ("doi", "pmid", "other_ids", "status_from")]
        for row, (doi, pmid, other_ids, status_from) in enumerate(zip(*columns, strict=True)):
            may_change = status_from == RETRACTION_WATCH or (retractions.names and (doi or pmid or other_ids))
            if may_change and row not in intake.changed_rows:
                before = previous_papers[row]
                _compare(row, before, retractions.mark(before), intake, keep)


def _with_gaps_filled(paper: Paper, before: Paper) -> Paper:
    stated = {field.name: getattr(paper, field.name) for field in dataclasses.fields(paper)}
    return dataclasses.replace(before, **{name: value for name, value in stated.items() if value not in (None, (), "")})


def _compare(row: int, before: Paper, now: Paper, intake: Intake, keep: Keeper | None) -> None:
    """Count the paper in `row` as changed if `now` differs from `before`, and keep its new version."""
    if as_read(before) == as_read(now):
        return
    intake.changed_rows.add(row)
    if keep is not None:
        keep.add(row, before, now)
        intake.n_by_status.update([now.status] if now.status and now.status != before.status else [])


def _source_of(line: str) -> str:
    try:
        return str(json.loads(line).get("file"))
    except (ValueError, AttributeError, RecursionError):
        return ""


def _is_of(file: str, names: Sequence[str]) -> bool:
    """Return whether `file` is one of the sources `names`, or lies in a folder that is one of them."""
    return file.startswith(tuple(f"{name}/" for name in names)) or file in names
