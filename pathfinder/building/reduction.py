"""A corpus without some of its papers: every part with a row for each paper is rewritten with the remaining rows.

No model is needed: vectors, tokens, passages and places on the map are those of the corpus. Parts that are fitted to
all papers are left to `completion.py`, which finds that they are stale.
"""

import datetime
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pyarrow as pa

from pathfinder.building.embedding import stored_vectors
from pathfinder.building.engine import passage_part
from pathfinder.building.graph import SPECS, fingerprint
from pathfinder.building.indexes import index_papers, scratch_vectors
from pathfinder.building.map import no_map
from pathfinder.building.tables import write_papers
from pathfinder.building.tools import Tools
from pathfinder.corpus.coordinates import open_coordinates
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import FULL_TEXT_ROLES, Corpus, open_parts
from pathfinder.corpus.table_counts import count
from pathfinder.index.dense import write_dense
from pathfinder.index.passages import PassageIndex, write_passages
from pathfinder.index.tokens import TokenStore, write_tokens
from pathfinder.landscape.data.landscape import write_landscape
from pathfinder.landscape.data.placed_reviews import open_placed, write_reviews
from pathfinder.landscape.projection.projection import MIN_PAPERS
from pathfinder.types import Rows

_WITHOUT_ROWS = frozenset({"profile", "thesaurus", "layers", "atlas", *FULL_TEXT_ROLES})
"""Parts that are taken over unchanged; those that are drawn for the map are then found to be stale."""
_UNKNOWN_FINGERPRINT = ""
"""Fingerprint of a part that has to be rebuilt."""


def reduce_corpus(tools: Tools, corpus: Corpus, rows: Rows) -> Corpus:
    """Write a corpus of the papers at `rows`, in that order, and open it; its manifest is not put in place."""
    papers = tools.make_part("papers", "papers.arrow", lambda path: write_papers(None, _papers_at(corpus, rows), path))
    table = read_table(tools.place.corpus / papers.name)
    manifest = replace(
        corpus.manifest, counts=count(table), snapshot=_snapshot(corpus, PaperTable(table)), parts={"papers": papers}
    )
    vectors = scratch_vectors(tools, stored_vectors(corpus.dense, rows), len(rows))
    parts: dict[str, CorpusFile] = {**index_papers(tools, PaperTable(table), vectors)}
    for role, (name, write) in WRITERS.items():
        folder = corpus.path(role)
        if folder is not None and not (role == "landscape" and len(rows) < MIN_PAPERS):
            parts[role] = passage_part(tools, role, name, PaperTable(table), partial(write, corpus, folder, rows))
    return open_parts(tools.place.corpus, _with_parts(corpus.manifest, manifest, parts), "")


def _with_parts(before: Manifest, manifest: Manifest, new_parts: dict[str, CorpusFile]) -> Manifest:
    """Add to `manifest` the reduced parts, with fingerprints that keep them from being rebuilt, and the parts
    without rows. All other parts are left out, so they are rebuilt.
    """
    others = {role: part for role, part in before.parts.items() if role in _WITHOUT_ROWS}
    parts = {**others, **manifest.parts, **new_parts}
    absent = dict(before.absent)
    if "landscape" in before.parts and "landscape" not in new_parts:
        absent["landscape"] = no_map(manifest.counts.papers)
    whole = replace(manifest, parts=parts, absent=absent)
    roles = [role for role in (*manifest.parts, *new_parts) if role != "reviews"]
    own = {role: fingerprint(SPECS[role], whole) for role in roles}
    return replace(whole, fingerprints={**before.fingerprints, **own, "reviews": _UNKNOWN_FINGERPRINT})


def _papers_at(corpus: Corpus, rows: Rows) -> pa.Table:
    table = read_table(corpus.folder / corpus.manifest.parts["papers"].name)
    return table.select(PAPER_SCHEMA.names).take(pa.array(rows))


def _snapshot(corpus: Corpus, papers: PaperTable) -> datetime.date | None:
    """Return the day of the newest paper if that is how the snapshot was chosen before; otherwise keep the snapshot."""
    if corpus.snapshot is None or corpus.snapshot != corpus.papers.newest_day():
        return corpus.snapshot
    return papers.newest_day()


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
