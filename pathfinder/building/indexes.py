"""Makes the table of papers, their vectors, and the three indexes that every corpus has."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from pathfinder.building.changes import PAPERS_PER_BATCH, Changes, with_changes, with_new_vectors
from pathfinder.building.embedding import (
    describe_cost,
    embed,
    in_batches,
    stored_vectors,
    write_papers,
    write_vectors,
    write_with_keywords,
)
from pathfinder.building.engine import write_papers_there
from pathfinder.building.progress import report_each
from pathfinder.building.tools import Tools
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.paper_columns import papers_of, read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import Corpus
from pathfinder.index.dense import write_dense
from pathfinder.index.sparse import keyword_text, write_sparse
from pathfinder.index.terms import build_keyword_index
from pathfinder.models.ports import Vectors
from pathfinder.types import Paper, text_of


def papers_part(tools: Tools, previous: Corpus | None, journal: Journal, changes: Changes) -> CorpusFile:
    """Make the table of all papers: first those of `previous`, with any changes, then the new ones. Keywords come from
    the journal, where `embed_papers` puts them.
    """
    table_path = tools.place.staging / "keyworded.arrow"
    fresh = pa.concat_tables(_fresh(tools, changes))
    write_with_keywords(fresh, tools.extractor, journal, table_path, tools.progress)
    papers, n_reworded = read_table(table_path), len(changes.reworded_rows)
    previous_papers = previous and read_table(previous.folder / previous.manifest.parts["papers"].name)
    previous_papers = previous_papers and with_changes(previous_papers, changes, papers.slice(0, n_reworded))
    return tools.make_part(
        "papers", "papers.arrow", lambda path: write_papers(previous_papers, papers.slice(n_reworded), path)
    )


def embed_papers(tools: Tools, previous: Corpus | None, journal: Journal, changes: Changes) -> Vectors:
    """Return the vectors of all papers: first those of `previous`, embedded again only if they were reworded.

    The vectors exist only as long as the build directory. Passages, tokens, titles and keywords are written to the
    journal in the same pass.
    """
    *reworded_tables, new = _fresh(tools, changes)
    cost = describe_cost(_papers([*reworded_tables, new]), tools.paper_embedder, journal, tools.passage_maker)
    if cost is not None:
        tools.progress.say(cost)
    tools.progress.start("embedding", len(changes.reworded_rows) + new.num_rows)
    again, new_vectors_of_rest = (
        embed(_papers(some), tools.paper_embedder, journal, tools.progress, tools.passage_maker, tools.extractor)
        for some in (reworded_tables, [new])
    )
    new_vectors = [vector for batch in again for vector in batch]
    previous_vectors = (
        with_new_vectors(stored_vectors(previous.dense), changes.reworded_rows, new_vectors) if previous else ()
    )
    n_papers = new.num_rows + (len(previous.papers) if previous else 0)
    vectors = scratch_vectors(tools, chain(previous_vectors, new_vectors_of_rest), n_papers)
    tools.progress.finish()
    return vectors


def _fresh(tools: Tools, changes: Changes) -> list[pa.Table]:
    """Read the reworded papers, if there are any, and the new ones."""
    reworded_tables = [read_table(changes.reworded_papers)] if changes.reworded_rows else []
    return [*reworded_tables, read_table(tools.place.new_papers)]


def _papers(tables: Iterable[pa.Table]) -> Iterator[Paper]:
    return (paper for table in tables for batch in table.to_batches() for paper in papers_of(batch))


def scratch_vectors(tools: Tools, batches: Iterable[Vectors], n_papers: int) -> Vectors:
    """Write vectors to a scratch file and return them memory-mapped, shape (n_papers, dimension)."""
    path = tools.place.staging / "vectors.float32"
    return write_vectors(batches, n_papers, tools.embedder.dimension, path, tools.vector_limit)


def dense_part(tools: Tools, papers: PaperTable, vectors: Vectors) -> CorpusFile:
    """Make the index that finds papers by meaning: a file, or a collection on a server together with the file that
    names it.
    """
    dimension, collection = vectors.shape[1], tools.collection
    if collection is None:
        return tools.make_part(
            "dense", "dense.faiss", lambda path: write_dense(in_batches(vectors), dimension, path, tools.vector_limit)
        )
    tools.progress.start("filling the collection", len(papers))
    part = tools.make_part(
        "dense",
        "dense.json",
        lambda path: write_papers_there(tools, collection, papers, vectors, path),
    )
    tools.progress.finish()
    return part


def sparse_part(tools: Tools, papers: PaperTable) -> CorpusFile:
    """Make the index that finds papers by words."""

    def write(path: Path) -> None:
        write_sparse(
            report_each(map(text_of, _values(papers, "title"), _values(papers, "abstract")), tools.progress),
            path,
            map(keyword_text, _values(papers, "subjects")),
        )

    tools.progress.start("indexing words", len(papers))
    part = tools.make_part("sparse", "sparse", write)
    tools.progress.finish()
    return part


def _values(papers: PaperTable, column: str) -> Iterator[Any]:
    for start in range(0, len(papers), PAPERS_PER_BATCH):
        yield from papers.column(column).slice(start, PAPERS_PER_BATCH).to_pylist()


def terms_part(tools: Tools, papers: PaperTable) -> CorpusFile:
    """Make the index that finds papers by keywords."""
    tools.progress.start("indexing keywords", len(papers))
    part = tools.make_part(
        "terms", "terms", lambda path: build_keyword_index(report_each(papers, tools.progress), path)
    )
    tools.progress.finish()
    return part


def index_papers(tools: Tools, papers: PaperTable, vectors: Vectors) -> dict[str, CorpusFile]:
    """Make the three indexes that every corpus has, by role."""
    return {
        "dense": dense_part(tools, papers, vectors),
        "sparse": sparse_part(tools, papers),
        "terms": terms_part(tools, papers),
    }
