"""The table of papers, their vectors, and the three indexes that every corpus has."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

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


def papers_part(tools: Tools, previous: Corpus | None, journal: Journal) -> CorpusFile:
    """Make the table of all papers: those of `previous`, followed by the new ones with their keywords."""
    known = previous and read_table(previous.folder / previous.manifest.parts["papers"].name)
    keyworded = tools.place.staging / "keyworded.arrow"
    new = read_table(tools.place.new_papers)
    write_with_keywords(new, tools.extractor, journal, keyworded, tools.progress)
    return tools.make_part("papers", "papers.arrow", lambda path: write_papers(known, read_table(keyworded), path))


def embed_papers(tools: Tools, previous: Corpus | None, papers: PaperTable, journal: Journal) -> Vectors:
    """Return the vectors of `papers`; those of `previous` come first and are not embedded again.

    The vectors last only as long as the build directory. Passages, tokens and titles are written to the journal in the
    same pass.
    """
    new = papers[len(previous.papers) if previous else 0 :]
    cost = describe_cost(new, tools.paper_embedder, journal, tools.passage_maker)
    if cost is not None:
        tools.progress.say(cost)
    tools.progress.start("embedding", len(new))
    added = embed(new, tools.paper_embedder, journal, tools.progress, tools.passage_maker)
    vectors = scratch_vectors(tools, chain(stored(previous.dense) if previous else (), added), len(papers))
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
