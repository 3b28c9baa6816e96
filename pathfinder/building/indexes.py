"""The table of papers, their vectors, and the three indexes that every corpus has."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pyarrow as pa

from pathfinder.building.changes import Changes, with_changes, with_new_vectors
from pathfinder.building.embedding import describe_cost, embed, in_batches, stored, write_vectors
from pathfinder.building.progress import counted
from pathfinder.building.tables import write_papers, write_with_keywords
from pathfinder.building.tools import Tools
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import Corpus
from pathfinder.index.dense import write_dense
from pathfinder.index.sparse import write_sparse
from pathfinder.index.terms import build_keyword_index
from pathfinder.models.ports import Vectors


def papers_part(tools: Tools, previous: Corpus | None, journal: Journal, changes: Changes) -> CorpusFile:
    """Make the table of all papers: those of `previous` with their changes, then the new ones with their keywords."""
    keyworded = tools.place.staging / "keyworded.arrow"
    reworded = [read_table(changes.reworded_papers)] if changes.reworded else []
    fresh = pa.concat_tables([*reworded, read_table(tools.place.new_papers)])
    write_with_keywords(fresh, tools.extractor, journal, keyworded, tools.progress)
    made, n_reworded = read_table(keyworded), len(changes.reworded)
    known = previous and read_table(previous.folder / previous.manifest.parts["papers"].name)
    known = known and with_changes(known, changes, made.slice(0, n_reworded))
    return tools.make_part("papers", "papers.arrow", lambda path: write_papers(known, made.slice(n_reworded), path))


def embed_papers(
    tools: Tools, previous: Corpus | None, papers: PaperTable, journal: Journal, changes: Changes
) -> Vectors:
    """Return the vectors of `papers`; those of `previous` come first and are embedded again only if they were reworded.

    The vectors last only as long as the build directory. Passages, tokens and titles are written to the journal in the
    same pass.
    """
    n_reworded = len(changes.reworded)
    fresh = papers.take(changes.fresh_rows(len(previous.papers) if previous else 0, len(papers)))
    cost = describe_cost(fresh, tools.paper_embedder, journal, tools.passage_maker)
    if cost is not None:
        tools.progress.say(cost)
    tools.progress.start("embedding", len(fresh))
    again = embed(fresh[:n_reworded], tools.paper_embedder, journal, tools.progress, tools.passage_maker)
    new_vectors = [vector for batch in again for vector in batch]
    added = embed(fresh[n_reworded:], tools.paper_embedder, journal, tools.progress, tools.passage_maker)
    known = with_new_vectors(stored(previous.dense), changes.reworded, new_vectors) if previous else ()
    vectors = scratch_vectors(tools, chain(known, added), len(papers))
    tools.progress.finish()
    return vectors


def scratch_vectors(tools: Tools, batches: Iterable[Vectors], n_papers: int) -> Vectors:
    """Write vectors to a scratch file and return them memory-mapped, shape (n_papers, dimension)."""
    return write_vectors(batches, n_papers, tools.embedder.dimension, tools.place.staging / "vectors.float32")


def dense_part(tools: Tools, vectors: Vectors) -> CorpusFile:
    """Make the index that finds papers by meaning."""
    dimension = tools.embedder.dimension
    return tools.make_part("dense", "dense.faiss", lambda path: write_dense(in_batches(vectors), dimension, path))


def sparse_part(tools: Tools, papers: PaperTable) -> CorpusFile:
    """Make the index that finds papers by words."""

    def write(path: Path) -> None:
        write_sparse((paper.text for paper in counted(papers, tools.progress)), path)

    tools.progress.start("indexing words", len(papers))
    part = tools.make_part("sparse", "sparse", write)
    tools.progress.finish()
    return part


def terms_part(tools: Tools, papers: PaperTable) -> CorpusFile:
    """Make the index that finds papers by keywords."""
    tools.progress.start("indexing keywords", len(papers))
    part = tools.make_part("terms", "terms", lambda path: build_keyword_index(counted(papers, tools.progress), path))
    tools.progress.finish()
    return part


def index_papers(tools: Tools, papers: PaperTable, vectors: Vectors) -> dict[str, CorpusFile]:
    """Make the three indexes that every corpus has, by role."""
    return {
        "dense": dense_part(tools, vectors),
        "sparse": sparse_part(tools, papers),
        "terms": terms_part(tools, papers),
    }
