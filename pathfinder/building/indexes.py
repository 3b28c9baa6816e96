"""Papers and the indexes over them: the three that a corpus cannot be opened without, and those of its pieces."""

from itertools import chain
from pathlib import Path

from pathfinder.building.embedding import cost_in_words, embed, in_batches, stored, write_vectors
from pathfinder.building.passages import index_pieces
from pathfinder.building.progress import counted
from pathfinder.building.tables import write_papers, write_with_keywords
from pathfinder.building.tools import Tools
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.papers import PaperTable, read_table
from pathfinder.corpus.parts import Part
from pathfinder.corpus.store import Corpus
from pathfinder.index.dense import write_dense
from pathfinder.index.sparse import write_sparse
from pathfinder.index.terms import build_keyword_index
from pathfinder.models.ports import Vectors


def add_papers(tools: Tools, before: Corpus | None) -> tuple[dict[str, Part], Vectors]:
    """Find keywords of the new papers, embed and cut them; they go behind those of `before`.

    Returns the table of all papers and the indexes of their pieces, by role, and the papers' vectors, which last
    as long as the workplace.
    """
    known = before and read_table(before.folder / before.manifest.parts["papers"].name)
    keyworded = tools.place.staging / "keyworded.arrow"
    with Journal(tools.place.journal) as journal:
        new = read_table(tools.place.new_papers)
        write_with_keywords(new, tools.extractor, journal, keyworded, tools.progress)
        part = tools.make_part("papers", "papers.arrow", lambda path: write_papers(known, read_table(keyworded), path))
        papers = PaperTable(read_table(tools.place.corpus / part.name))
        vectors = _vectors(tools, before, papers, journal)
        pieces = {} if tools.pieces is None else index_pieces(tools, tools.pieces, before, papers, journal)
        return {"papers": part} | pieces, vectors


def _vectors(tools: Tools, before: Corpus | None, papers: PaperTable, journal: Journal) -> Vectors:
    new = papers[len(before.papers) if before else 0 :]
    cost = cost_in_words(new, tools.embedder, journal, tools.pieces)
    if cost is not None:
        tools.progress.say(cost)
    tools.progress.start("embedding", len(new))
    added = embed(new, tools.embedder, journal, tools.progress, tools.pieces)
    batches = chain(stored(before.dense) if before else (), added)
    path = tools.place.staging / "vectors.float32"
    vectors = write_vectors(batches, len(papers), tools.embedder.dimension, path)
    tools.progress.finish()
    return vectors


def index_papers(tools: Tools, papers: PaperTable, vectors: Vectors) -> dict[str, Part]:
    """The indexes over `papers`, by role."""

    def dense(path: Path) -> None:
        write_dense(in_batches(vectors), tools.embedder.dimension, path)

    def sparse(path: Path) -> None:
        write_sparse((paper.text for paper in counted(papers, tools.progress)), path)

    def terms(path: Path) -> None:
        build_keyword_index(counted(papers, tools.progress), path)

    parts = {"dense": tools.make_part("dense", "dense.faiss", dense)}
    tools.progress.start("indexing words", len(papers))
    parts["sparse"] = tools.make_part("sparse", "sparse", sparse)
    tools.progress.finish()
    tools.progress.start("indexing keywords", len(papers))
    parts["terms"] = tools.make_part("terms", "terms", terms)
    tools.progress.finish()
    return parts
