"""Undoes a merge: a record becomes a separate paper again, and stays one."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from pathfinder.building.changes import Changes, History, PaperFile, history_of
from pathfinder.building.completion import complete, empty_manifest
from pathfinder.building.directory import open_build_directory
from pathfinder.building.intake import Intake, Keeper
from pathfinder.building.merging import as_read, with_conflicts
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.work import BuildPlan, Work
from pathfinder.corpus.history.merges import Merge, Merges
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.merging import merged_record
from pathfinder.corpus.store import verify_corpus
from pathfinder.errors import UsageError
from pathfinder.models.ports import Embedder
from pathfinder.types import Paper


@dataclass(frozen=True, slots=True)
class UndoReport:
    """The result of undoing a merge."""

    paper_id: str
    """Paper that the record was part of."""
    merged_id: str
    """Paper that the record has become."""
    n_papers: int
    """Number of papers now in the corpus."""


def undo_merge(
    folder: Path,
    merged_id: str,
    embedder: Embedder,
    *,
    extractor: KeywordExtractor | None = None,
    progress: Progress | None = None,
) -> UndoReport:
    """Make the record `merged_id` of a merged paper a separate paper; the other paper keeps the content of its own
    records.

    Later builds and updates keep the two apart. A split that is stopped leaves the corpus as it was. Raises
    `UsageError` if no such record was merged, or if both papers would have the same id.
    """
    read_manifest(folder)  # so that no folder is created where there is no corpus
    with open_build_directory(folder) as directory:
        corpus = verify_corpus(folder)
        corpus.check_embedder(embedder)
        history = history_of(corpus)
        merge = next((merge for merge in history.merges.entries if merge.merged_id == merged_id), None)
        if merge is None:
            raise UsageError(f"no record {merged_id!r} was merged: `pathfinder merges {folder}` lists those that were")
        if merge.paper_id == merged_id:
            raise UsageError(
                f"both records of {merged_id!r} have this id, so they cannot be two papers: keep the merge"
            )
        records = history.merges.records[merge.paper_id]
        place = next(place for place, record in enumerate(records) if place and record.paper_id == merge.merged_id)
        record, remaining = records[place], (*records[:place], *records[place + 1 :])
        changes = Changes(directory.staging)
        with ExitStack() as files:
            files.enter_context(PaperFile(directory.new_papers)).add(history.retractions.mark(record))
            # The record may have added nothing to the paper.
            (row,) = corpus.papers.rows_of([merge.paper_id]).tolist()
            before = corpus.papers[row]
            now = history.retractions.mark(merged_record(remaining) if len(remaining) > 1 else remaining[0])
            if as_read(before) != as_read(now):
                Keeper(files, changes).add(row, before, now)
        intake = Intake(n_new=1, history=_without(history, merge, remaining))
        plan, manifest = BuildPlan(extractor=extractor), empty_manifest(embedder, corpus)
        work = Work(directory, manifest, embedder, progress or Silent(), corpus, plan, changes, intake)
        complete(work)
        return UndoReport(merge.paper_id, merged_id, work.manifest.counts.papers)


def _without(history: History, merge: Merge, remaining: tuple[Paper, ...]) -> History:
    """Return the history without `merge`, and with the choice to keep its papers apart."""
    records = {paper_id: group for paper_id, group in history.merges.records.items() if paper_id != merge.paper_id}
    if len(remaining) > 1:
        records[merge.paper_id] = remaining
    merges = tuple(with_conflicts(other, records) for other in history.merges.entries if other != merge)
    choices = history.choices.with_apart(merge.paper_id, merge.merged_id)
    return replace(history, merges=Merges(merges, records), choices=choices)
