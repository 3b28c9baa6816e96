"""Removes papers from a corpus, with everything that was made from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from pathfinder.building.changes import Changes, History, history_of
from pathfinder.building.completion import complete, empty_manifest
from pathfinder.building.directory import open_build_directory
from pathfinder.building.embedding import stored_vectors, write_papers
from pathfinder.building.full_texts import renew_index
from pathfinder.building.graph import SPECS, fingerprint
from pathfinder.building.indexes import dense_part, passage_part, sparse_part, terms_part
from pathfinder.building.intake import Intake
from pathfinder.building.ledger import last_asked, read_answers, write_answers
from pathfinder.building.map import no_map
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.versions import forget_earlier
from pathfinder.building.work import BuildPlan, Work
from pathfinder.corpus.coordinates import open_coordinates
from pathfinder.corpus.history.merges import Merges
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import earlier_version, read_manifest
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, count, read_table
from pathfinder.corpus.store import FULL_TEXT_ROLES, Corpus, verify_corpus
from pathfinder.errors import UsageError
from pathfinder.index.dense import write_dense
from pathfinder.index.passages import PassageIndex, write_passages
from pathfinder.index.tokens import TokenStore, write_tokens
from pathfinder.landscape.data.landscape import write_landscape
from pathfinder.landscape.data.placed_reviews import open_placed, write_reviews
from pathfinder.landscape.projection.projection import MIN_PAPERS
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
    """Remove the papers `paper_ids` from the corpus in `folder`: from every part, from the list of merges, from the
    ledger, and from the pages of a build that was stopped. The other papers keep their places on the map.

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
        plan, changes = BuildPlan(extractor=extractor), Changes(directory.staging)
        intake = Intake(history=_without(corpus, history, paper_ids))
        work = Work(directory, corpus.manifest, embedder, progress, corpus, plan, changes, intake)
        after = reduce_corpus(work, corpus, rows)
        manifest = empty_manifest(embedder, after)
        complete(Work(directory, manifest, embedder, progress, after, plan, changes, intake, corpus.manifest))
        directory.forget_fetched()
        if last_asked(folder) is not None:
            write_answers(folder, read_answers(folder), corpus.papers.take(rows).paper_ids())
        if purge:
            forget_earlier(directory)
    renew_index(folder, embedder, progress)
    if purge:
        with open_build_directory(folder) as directory:
            forget_earlier(directory)  # the full-text index that was replaced
    manifest, _ = read_manifest(folder)
    earlier = earlier_version(folder, manifest)
    return RemovalReport(len(corpus.papers) - len(rows), len(rows), earlier.n_bytes if earlier else 0)


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


# A corpus without some of its papers: every part with a row for each paper is rewritten with the remaining rows.
#
# No model is needed: vectors, tokens, passages and places on the map are those of the corpus. Parts that are fitted
# to all papers are left to `completion.py`, which finds that they are stale.

_WITHOUT_ROWS = frozenset({"profile", "thesaurus", "layers", "atlas", *FULL_TEXT_ROLES})
"""Parts that are taken over unchanged; those that are drawn for the map are then found to be stale."""
_UNKNOWN_FINGERPRINT = ""
"""Fingerprint of a part that has to be rebuilt."""


def reduce_corpus(work: Work, corpus: Corpus, rows: Rows) -> Corpus:
    """Write a corpus of the papers at `rows`, in that order, and open it; its manifest is not put in place.

    The reduced parts get fingerprints that keep them from being rebuilt, and the parts without rows are taken over. All
    other parts are left out, so they are rebuilt.
    """
    before = corpus.manifest
    kept = read_table(corpus.folder / before.parts["papers"].name).select(PAPER_SCHEMA.names).take(pa.array(rows))
    papers = work.make_part("papers", "papers.arrow", lambda path: write_papers(None, kept, path))
    work.manifest = replace(before, parts={"papers": papers}, counts=count(read_table(work.place.corpus / papers.name)))
    # If the snapshot was the day of the newest paper, it still is.
    if corpus.snapshot is not None and corpus.snapshot == corpus.papers.newest_day():
        work.manifest = replace(work.manifest, snapshot=work.papers.newest_day())
    work.vectors = work.scratch_vectors(stored_vectors(corpus.dense, rows), len(rows))
    parts = {"papers": papers, "dense": dense_part(work), "sparse": sparse_part(work), "terms": terms_part(work)}
    for role, (name, write) in WRITERS.items():
        folder = corpus.path(role)
        if folder is not None and not (role == "landscape" and len(rows) < MIN_PAPERS):
            parts[role] = passage_part(work, role, name, partial(write, corpus, folder, rows))
    others = {role: part for role, part in before.parts.items() if role in _WITHOUT_ROWS}
    is_without_map = "landscape" in before.parts and "landscape" not in parts
    absent = {**before.absent, **({"landscape": no_map(len(rows))} if is_without_map else {})}
    work.manifest = replace(work.manifest, parts={**others, **parts}, absent=absent)
    own = {role: fingerprint(SPECS[role], work.manifest) for role in parts if role != "reviews"}
    work.manifest = replace(work.manifest, fingerprints={**before.fingerprints, **own, "reviews": _UNKNOWN_FINGERPRINT})
    return work.corpus


def _write_titles(corpus: Corpus, _: Path, rows: Rows, path: Path) -> None:
    if corpus.titles is not None:
        write_dense(stored_vectors(corpus.titles, rows), corpus.titles.dimension, path, corpus.manifest.vector_limit)


def _write_tokens(corpus: Corpus, folder: Path, rows: Rows, path: Path) -> None:
    store = TokenStore.open(folder, corpus.manifest.form_of_tokens)
    write_tokens(store.stored_tokens(rows.tolist()), store.projection, path, store.codec)


def _write_passages(corpus: Corpus, _: Path, rows: Rows, path: Path) -> None:
    if isinstance(corpus.passages, PassageIndex):
        index = corpus.passages
        write_passages(index.stored_passages(rows.tolist()), index.dimension, path, corpus.manifest.vector_limit)


def _write_landscape(_: Corpus, folder: Path, rows: Rows, path: Path) -> None:
    write_landscape(open_coordinates(folder)[rows], path)


def _write_reviews(corpus: Corpus, path_before: Path, rows: Rows, path: Path) -> None:
    """Write the reviews with their new rows; they are placed again afterwards."""
    new_rows = {row: place for place, row in enumerate(rows.tolist())}
    reviews = open_placed(path_before, len(corpus.papers))
    kept_or_none = (replace(r, row=None if r.row is None else new_rows.get(r.row)) for r in reviews)
    write_reviews(tuple(kept_or_none), path)


WRITERS: dict[str, tuple[str, Callable[[Corpus, Path, Rows, Path], None]]] = {
    "tokens": ("tokens", _write_tokens),
    "passages": ("passages", _write_passages),
    "titles": ("titles.faiss", _write_titles),
    "landscape": ("landscape", _write_landscape),
    "reviews": ("reviews.json", _write_reviews),
}
"""Parts with a row for each paper that cannot be derived from the table of papers alone: name and writer of each."""
