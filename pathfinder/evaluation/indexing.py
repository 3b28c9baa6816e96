"""The documents of a collection, embedded and indexed for as long as an evaluation lasts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from pathfinder.building.embedding import embed, write_vectors
from pathfinder.building.indexes import index_papers
from pathfinder.building.passages import absent_pieces, index_pieces, make_pieces
from pathfinder.building.progress import Progress
from pathfinder.building.tables import count, write_papers, write_with_keywords
from pathfinder.building.tools import Tools
from pathfinder.building.workplace import open_workplace
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import SCHEMA_VERSION, Manifest
from pathfinder.corpus.papers import PAPER_SCHEMA, PaperTable, batch_of, read_table
from pathfinder.corpus.parts import Part
from pathfinder.corpus.store import Corpus, open_corpus, open_parts
from pathfinder.evaluation.collections import distinct_documents
from pathfinder.models.ports import Embedder
from pathfinder.retrieval.candidates import EPOCH
from pathfinder.types import Paper

JOURNAL_NAME = "vectors.journal"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What beside the indexes of whole papers is made of a file of documents, since it takes longer than they do."""

    pieces: bool = False
    """Tokens, passages and titles."""
    keywords: bool = False


@dataclass(frozen=True, slots=True)
class Indexed:
    """A corpus, and how many documents of its file are not in it."""

    corpus: Corpus
    n_rejected: int = 0
    """Rows that are no document, or have the id of an earlier one."""


@contextmanager
def indexed(
    source: Path, embedder: Embedder, cache: Path | None, progress: Progress, wanted: Wanted | None = None
) -> Iterator[Indexed]:
    """The corpus in the folder `source`, or one of the documents in the file `source`.

    The latter lies in a temporary folder. It has what `wanted` says beside the indexes of whole papers, and no map.
    What was embedded is kept in `cache`, by its content, for the next time.
    """
    if source.is_dir():
        corpus = open_corpus(source)
        corpus.check_embedder(embedder)
        yield Indexed(corpus)
        return
    papers, n_rejected = distinct_documents(source)
    with TemporaryDirectory(prefix="pathfinder-") as scratch:
        kept = cache or Path(scratch)
        kept.mkdir(parents=True, exist_ok=True)
        with open_workplace(Path(scratch) / "corpus") as place, Journal(kept / JOURNAL_NAME) as journal:
            pieces = make_pieces(embedder, None) if wanted and wanted.pieces else None
            tools = Tools(place, embedder, KeywordExtractor.load(), progress, pieces)
            corpus = _built(papers, tools, journal, with_keywords=wanted is not None and wanted.keywords)
        yield Indexed(corpus, n_rejected)


def _built(papers: Sequence[Paper], tools: Tools, journal: Journal, *, with_keywords: bool) -> Corpus:
    """A corpus as a build makes it, less what no search reads: cut-offs, relevance, map."""
    table = pa.Table.from_batches([batch_of(papers)], PAPER_SCHEMA)
    if with_keywords:
        keyworded = tools.place.staging / "keyworded.arrow"
        write_with_keywords(table, tools.extractor, journal, keyworded, tools.progress)
        table = read_table(keyworded)
    parts = {"papers": tools.make_part("papers", "papers.arrow", lambda path: write_papers(None, table, path))}
    stored = read_table(tools.place.corpus / parts["papers"].name)
    rows = PaperTable(stored)
    tools.progress.start("embedding", len(rows))
    batches = embed(rows, tools.embedder, journal, tools.progress, tools.pieces)
    vectors = write_vectors(batches, len(rows), tools.embedder.dimension, tools.place.staging / "vectors.float32")
    tools.progress.finish()
    parts |= index_papers(tools, rows, vectors)
    if tools.pieces is not None:
        parts |= index_pieces(tools, tools.pieces, None, rows, journal)
    return open_parts(tools.place.corpus, _manifest(tools, stored, parts), "")


def _manifest(tools: Tools, table: pa.Table, parts: dict[str, Part]) -> Manifest:
    days = PaperTable(table).published_days()
    return Manifest(
        schema_version=SCHEMA_VERSION,
        created_by="an evaluation",
        embedder=tools.embedder.name,
        dimension=tools.embedder.dimension,
        keyword_extractor=tools.extractor.name,
        snapshot=None if np.isnan(days).all() else EPOCH + timedelta(days=float(np.nanmax(days))),
        counts=count(table),
        parts=parts,
        absent=absent_pieces(tools.embedder, tools.pieces),
    )
