"""Embeds and indexes the documents of a collection for the duration of an evaluation."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from pathfinder.building.changes import Changes
from pathfinder.building.completion import empty_manifest
from pathfinder.building.directory import open_build_directory
from pathfinder.building.embedding import embed, write_papers, write_with_keywords
from pathfinder.building.indexes import dense_part, network_part, sparse_part, terms_part
from pathfinder.building.passages import absent_passages, index_passages
from pathfinder.building.progress import Progress
from pathfinder.building.work import BuildPlan, Work
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of, count, read_table
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.index.token_codecs import TokenForm
from pathfinder.models.ports import Embedder
from pathfinder.operations.evaluation.collections import distinct_documents
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
            manifest = replace(empty_manifest(embedder, None), created_by="an evaluation")
            if parts and parts.passages:
                manifest = replace(manifest, form_of_tokens=parts.tokens)
            plan = BuildPlan(passages=parts is not None and parts.passages)
            work = Work(place, manifest, embedder, progress, None, plan, Changes(place.staging))
            corpus = _build(papers, work, journal, with_keywords=parts is not None and parts.keywords)
        yield IndexedDocuments(corpus, n_rejected)


def _build(papers: Sequence[Paper], work: Work, journal: Journal, *, with_keywords: bool) -> Corpus:
    """Build a corpus without the parts that no search reads: outlier thresholds, relevance, map."""
    table = pa.Table.from_batches([batch_of(papers)], PAPER_SCHEMA)
    if with_keywords:
        table_path = work.place.staging / "keyworded.arrow"
        write_with_keywords(table, work.extractor, journal, table_path, work.progress)
        table = read_table(table_path)
    parts = {"papers": work.make_part("papers", "papers.arrow", lambda path: write_papers(None, table, path))}
    work.manifest = replace(work.manifest, parts=parts)
    with work.stage("embedding", len(work.papers)):
        batches = embed(work.papers, work.paper_embedder, journal, work.progress, work.passage_maker)
        work.vectors = work.scratch_vectors(batches, len(work.papers))
    parts |= {"dense": dense_part(work), "sparse": sparse_part(work), "terms": terms_part(work)}
    if work.passage_maker is not None:
        parts |= index_passages(work, work.passage_maker, journal)
    absent = absent_passages(work.embedder, work.passage_maker)
    network = network_part(work)
    if isinstance(network, str):
        absent["network"] = network
    else:
        parts["network"] = network
    work.manifest = replace(
        work.manifest,
        keyword_extractor=work.extractor.name,
        snapshot=work.papers.newest_day(),
        counts=count(read_table(work.path("papers"))),
        parts=parts,
        absent=absent,
    )
    return work.corpus
