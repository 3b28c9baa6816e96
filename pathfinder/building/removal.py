"""Removes papers from a corpus, with everything that was made from them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pathfinder.building.changes import Changes
from pathfinder.building.completion import BuildPlan, Site, complete, empty_manifest
from pathfinder.building.directory import BuildDirectory, open_build_directory
from pathfinder.building.engine import collection_of
from pathfinder.building.extra_inputs import read_extra_inputs
from pathfinder.building.full_texts import renew_index
from pathfinder.building.history import History, history_of
from pathfinder.building.intake import Intake
from pathfinder.building.map import MapOptions
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.reduction import reduce_corpus
from pathfinder.building.tools import Tools
from pathfinder.building.versions import forget_earlier
from pathfinder.corpus.earlier import earlier_version
from pathfinder.corpus.history.merges import Merges
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.store import PASSAGE_ROLES, Corpus, verify_corpus
from pathfinder.errors import UsageError
from pathfinder.models.ports import Embedder
from pathfinder.types import Rows


@dataclass(frozen=True, slots=True)
class RemovalReport:
    """The result of a removal."""

    n_removed: int
    n_papers: int
    """Number of papers now in the corpus."""
    n_bytes: int
    """Bytes on disk needed only by the earlier version, which still has the papers; 0 if that version was deleted."""


def remove(
    folder: Path,
    paper_ids: Sequence[str],
    embedder: Embedder,
    *,
    purge: bool = False,
    extractor: KeywordExtractor | None = None,
    progress: Progress | None = None,
) -> RemovalReport:
    """Remove the papers `paper_ids` from the corpus in `folder`: from every part, from the list of merges, and from the
    pages of a build that was stopped. The other papers keep their places on the map.

    Later builds and updates leave out every record of the papers, by id and by identifier. The earlier version still
    has them, so that a rollback brings them back; `purge` deletes it. A removal that is stopped leaves the corpus as it
    was. Raises `UsageError` if a paper is not in the corpus, or if none would be left.
    """
    read_manifest(folder)  # so that no folder is created where there is no corpus
    progress = progress or Silent()
    with open_build_directory(folder) as directory:
        corpus = verify_corpus(folder)
        corpus.check_embedder(embedder)
        history = history_of(corpus)
        rows = _rows_to_stay(corpus, paper_ids, history.merges)
        limit, collection = corpus.manifest.vector_limit, collection_of(corpus)
        words = extractor or KeywordExtractor.load()
        tools = Tools(directory, embedder, embedder, words, progress, vector_limit=limit, collection=collection)
        _complete(directory, corpus, reduce_corpus(tools, corpus, rows), _without(corpus, history, paper_ids), tools)
        directory.forget_fetched()
        if purge:
            forget_earlier(directory)
    renew_index(folder, embedder, progress)
    if purge:
        with open_build_directory(folder) as directory:
            forget_earlier(directory)  # the full-text index that was replaced
    manifest, _ = read_manifest(folder)
    earlier = earlier_version(folder, manifest)
    return RemovalReport(len(corpus.papers) - len(rows), len(rows), earlier.n_bytes if earlier else 0)


def _complete(directory: BuildDirectory, before: Corpus, after: Corpus, history: History, tools: Tools) -> None:
    plan = BuildPlan(
        read_extra_inputs(None, None, None),
        MapOptions(),
        extractor=tools.extractor,
        passages=any(role in before.manifest.parts for role in PASSAGE_ROLES),
    )
    site = Site(directory, tools.embedder, tools.progress, after, replaced_manifest=before.manifest)
    manifest = empty_manifest(tools.embedder, after, None)
    complete(site, manifest, Intake(history=history), Changes(directory.staging), plan)


def _rows_to_stay(corpus: Corpus, paper_ids: Sequence[str], merges: Merges) -> Rows:
    """Return the rows of the papers that stay. Raises `UsageError` for an id that is not in the corpus, and if all
    papers would be removed.
    """
    rows = corpus.papers.rows_of(paper_ids)
    if not len(rows):
        raise UsageError("no paper was named: give the ids of the papers to remove, as shown in search results")
    for paper_id, row in zip(paper_ids, rows.tolist(), strict=True):
        if row < 0:
            part_of = next((merge.paper_id for merge in merges.entries if merge.merged_id == paper_id), None)
            hint = f"it is part of {part_of!r}" if part_of else "an id is the line below a title in `pathfinder search`"
            raise UsageError(f"{corpus.folder} has no paper {paper_id!r} ({hint}): nothing was removed")
    stay = np.setdiff1d(np.arange(len(corpus.papers), dtype=np.int64), rows)
    if not len(stay):
        raise UsageError(
            f"this would remove all {len(corpus.papers):,} papers: delete the folder {corpus.folder} instead"
        )
    return stay


def _without(corpus: Corpus, history: History, paper_ids: Sequence[str]) -> History:
    """Return the history without the merges of the removed papers, and with their ids among the choices."""
    removed_ids, choices = frozenset(paper_ids), history.choices
    for row in corpus.papers.rows_of(sorted(removed_ids)).tolist():
        paper = corpus.papers[row]
        choices = choices.with_removed((paper, *history.merges.records.get(paper.paper_id, ())))
    merges = tuple(merge for merge in history.merges.entries if merge.paper_id not in removed_ids)
    records = {paper_id: group for paper_id, group in history.merges.records.items() if paper_id not in removed_ids}
    return replace(history, merges=Merges(merges, records), choices=choices)
