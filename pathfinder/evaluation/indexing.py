"""The documents of a collection, embedded and indexed for as long as an evaluation lasts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from pathfinder.building.embedding import embed
from pathfinder.building.passages import PIECE_FILES, CutPapers, make_pieces, write_pieces
from pathfinder.building.progress import Progress
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.manifest import SCHEMA_VERSION, Counts, Manifest
from pathfinder.corpus.papers import PAPER_SCHEMA, TABLE_SCHEMA, PaperTable, batch_of
from pathfinder.corpus.readers import Rejected
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.errors import CorpusError
from pathfinder.evaluation.collections import read_documents
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.passages import PassageIndex
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.index.tokens import TokenStore
from pathfinder.models.ports import Embedder
from pathfinder.types import CorpusName, Paper

JOURNAL_NAME = "vectors.journal"


@dataclass(frozen=True, slots=True)
class Indexed:
    """A corpus, and how many documents of its file are not in it."""

    corpus: Corpus
    n_rejected: int = 0
    """Rows that are no document, or have the id of an earlier one."""


@contextmanager
def indexed(source: Path, embedder: Embedder, cache: Path | None, progress: Progress) -> Iterator[Indexed]:
    """The corpus in the folder `source`, or one of the documents in the file `source`.

    The latter lies in a temporary folder. It has what a search with default settings reads: no keywords,
    no map. What was embedded is kept in `cache`, by its content, for the next time.
    """
    if source.is_dir():
        corpus = open_corpus(source)
        corpus.check_embedder(embedder)
        yield Indexed(corpus)
        return
    papers, n_rejected = _distinct(source)
    with TemporaryDirectory(prefix="pathfinder-") as folder:
        yield Indexed(_index(papers, Path(folder), embedder, cache or Path(folder), progress), n_rejected)


def _distinct(source: Path) -> tuple[Sequence[Paper], int]:
    papers: dict[str, Paper] = {}
    n_rejected = 0
    for row in read_documents(source):
        if isinstance(row, Rejected) or row.paper_id in papers:
            n_rejected += 1
        else:
            papers[row.paper_id] = row
    if not papers:
        raise CorpusError(f"{source} holds no document that can be used ({n_rejected} rows cannot): check the file")
    return list(papers.values()), n_rejected


def _index(papers: Sequence[Paper], folder: Path, embedder: Embedder, cache: Path, progress: Progress) -> Corpus:
    cache.mkdir(parents=True, exist_ok=True)
    dense, sparse, terms = folder / "dense.faiss", folder / "sparse", folder / "terms"
    progress.start("embedding", len(papers))
    pieces = make_pieces(embedder, None)
    with Journal(cache / JOURNAL_NAME) as journal:
        write_dense(embed(papers, embedder, journal, progress, pieces), embedder.dimension, dense)
        for role in pieces.roles:
            write_pieces(CutPapers(pieces, papers, journal), role, folder / PIECE_FILES[role])
    progress.finish()
    write_sparse((paper.text for paper in papers), sparse)
    build_keyword_index(papers, terms)
    return Corpus(
        folder=folder,
        name=CorpusName(folder.name, "", len(papers)),
        manifest=_manifest(len(papers), embedder),
        papers=_table(papers),
        dense=DenseIndex.open(dense),
        sparse=SparseIndex.open(sparse),
        terms=KeywordIndex.open(terms),
        tokens=TokenStore.open(folder / PIECE_FILES["tokens"]) if "tokens" in pieces.roles else None,
        passages=PassageIndex.open(folder / PIECE_FILES["passages"]),
        titles=DenseIndex.open(folder / PIECE_FILES["titles"]),
    )


def _manifest(n_papers: int, embedder: Embedder) -> Manifest:
    return Manifest(
        schema_version=SCHEMA_VERSION,
        created_by="an evaluation",
        embedder=embedder.name,
        dimension=embedder.dimension,
        keyword_extractor="none",
        snapshot=None,
        counts=Counts(n_papers),
        parts={},
    )


def _table(papers: Sequence[Paper]) -> PaperTable:
    table = pa.Table.from_batches([batch_of(papers)], PAPER_SCHEMA)
    unknown = pa.nulls(len(papers), pa.float64())
    return PaperTable(table.append_column(TABLE_SCHEMA.field("citation_percentile"), unknown))
