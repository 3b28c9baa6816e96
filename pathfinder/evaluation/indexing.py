"""Embeds and indexes the documents of a collection for the duration of an evaluation."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from pathfinder.building.directory import open_build_directory
from pathfinder.building.embedding import embed, write_papers, write_with_keywords
from pathfinder.building.indexes import index_papers, scratch_vectors
from pathfinder.building.passage_maker import for_papers, vector_limit_of
from pathfinder.building.passages import absent_passages, index_passages, passage_maker_of
from pathfinder.building.progress import Progress
from pathfinder.building.stages import network_part
from pathfinder.building.tools import Tools
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import SCHEMA_VERSION, Manifest
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of, count, read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import Corpus, open_corpus, open_parts
from pathfinder.evaluation.collections import distinct_documents
from pathfinder.index.token_codecs import TokenForm
from pathfinder.models.ports import Embedder
from pathfinder.retrieval.candidates import EPOCH
from pathfinder.types import Paper

JOURNAL_NAME = "vectors.journal"


@dataclass(frozen=True, slots=True)
class IndexParts:
    """Parts that are indexed in addition to whole papers; each takes longer to index than the papers themselves."""

    passages: bool = False
    """True to index tokens, passages and titles."""
    keywords: bool = False
    tokens: TokenForm = "full"
    """Form of the tokens, if there are any."""


@dataclass(frozen=True, slots=True)
class IndexedDocuments:
    """A corpus, with the number of rows in its file that are not in the corpus."""

    corpus: Corpus
    n_rejected: int = 0
    """Number of rows that are not documents, or that repeat an id."""


@contextmanager
def index_documents(
    source: Path,
    embedder: Embedder,
    cache: Path | None,
    progress: Progress,
    parts: IndexParts | None = None,
    *,
    afresh: bool = False,
) -> Iterator[IndexedDocuments]:
    """Open the corpus in the folder `source`, or index the documents in the file `source`; with `afresh`, index the
    papers of a corpus too, which may have been made with another embedder.

    Documents are indexed in a temporary folder, without a map; the `parts` are indexed in addition to whole papers.
    Vectors are stored in `cache` for later use, under keys made from the embedded content.
    """
    if source.is_dir() and not afresh:
        corpus = open_corpus(source)
        corpus.check_embedder(embedder)
        yield IndexedDocuments(corpus)
        return
    papers, n_rejected = (open_corpus(source).papers, 0) if source.is_dir() else distinct_documents(source)
    with TemporaryDirectory(prefix="pathfinder-") as scratch:
        journals = cache or Path(scratch)
        journals.mkdir(parents=True, exist_ok=True)
        with open_build_directory(Path(scratch) / "corpus") as place, Journal(journals / JOURNAL_NAME) as journal:
            paper_embedder = for_papers(embedder)
            passage_maker = passage_maker_of(paper_embedder, None, parts.tokens) if parts and parts.passages else None
            limit = vector_limit_of(embedder)
            tools = Tools(place, embedder, paper_embedder, KeywordExtractor.load(), progress, passage_maker, limit)
            corpus = _build(papers, tools, journal, with_keywords=parts is not None and parts.keywords)
        yield IndexedDocuments(corpus, n_rejected)


def _build(papers: Sequence[Paper], tools: Tools, journal: Journal, *, with_keywords: bool) -> Corpus:
    """Build a corpus without the parts that no search reads: outlier thresholds, relevance, map."""
    table = pa.Table.from_batches([batch_of(papers)], PAPER_SCHEMA)
    if with_keywords:
        table_path = tools.place.staging / "keyworded.arrow"
        write_with_keywords(table, tools.extractor, journal, table_path, tools.progress)
        table = read_table(table_path)
    parts = {"papers": tools.make_part("papers", "papers.arrow", lambda path: write_papers(None, table, path))}
    table_with_keywords = read_table(tools.place.corpus / parts["papers"].name)
    rows = PaperTable(table_with_keywords)
    tools.progress.start("embedding", len(rows))
    batches = embed(rows, tools.paper_embedder, journal, tools.progress, tools.passage_maker)
    vectors = scratch_vectors(tools, batches, len(rows))
    tools.progress.finish()
    parts |= index_papers(tools, rows, vectors)
    if tools.passage_maker is not None:
        parts |= index_passages(tools, tools.passage_maker, None, rows, journal)
    network = network_part(tools, table_with_keywords)
    return open_parts(tools.place.corpus, _manifest(tools, table_with_keywords, parts, network), "")


def _manifest(tools: Tools, table: pa.Table, parts: dict[str, CorpusFile], network: CorpusFile | str) -> Manifest:
    """Make the manifest of the indexed documents; `network` is the citation network, or the reason for its absence."""
    absent = {"network": network} if isinstance(network, str) else {}
    all_parts = {**parts, "network": network} if isinstance(network, CorpusFile) else parts
    days = PaperTable(table).published_days()
    return Manifest(
        schema_version=SCHEMA_VERSION,
        created_by="an evaluation",
        embedder=tools.embedder.name,
        dimension=tools.embedder.dimension,
        keyword_extractor=tools.extractor.name,
        snapshot=None if np.isnan(days).all() else EPOCH + timedelta(days=float(np.nanmax(days))),
        counts=count(table),
        parts=all_parts,
        absent={**absent_passages(tools.embedder, tools.passage_maker), **absent},
        vector_limit=tools.vector_limit,
        form_of_tokens=tools.passage_maker.form if tools.passage_maker else "full",
    )
