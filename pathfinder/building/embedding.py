"""Embeds each paper just once, however often the build is stopped, with the embedder chosen for the corpus."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pyarrow as pa

from pathfinder.building.changes import PAPERS_PER_BATCH
from pathfinder.building.passage_maker import PassageMaker, check_vectors, embed_texts, origin
from pathfinder.building.progress import Progress
from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import is_corpus, read_manifest
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, TABLE_SCHEMA, batch_of, papers_of, with_percentiles
from pathfinder.index.dense import as_stored
from pathfinder.index.ports import VectorIndex
from pathfinder.models.loading import load_embedder
from pathfinder.models.ports import Embedder, PricedEmbedder, TokenEmbedder, TokenVectors, Vectors
from pathfinder.settings import LOCAL_EMBEDDER, Settings
from pathfinder.sources import SOURCES, parse_source
from pathfinder.types import Paper, Rows

TEXTS_PER_BATCH = 128
"""Number of texts embedded and stored together: the size of a request to a remote model, and the most work that can be
lost if the process is killed.
"""


def embed(
    papers: Iterable[Paper],
    embedder: Embedder,
    journal: Journal,
    progress: Progress,
    passage_maker: PassageMaker | None = None,
    extractor: KeywordExtractor | None = None,
) -> Iterator[Vectors]:
    """Yield the vectors of `papers` in batches; papers whose vectors are in the journal are not embedded again.

    The records made by `passage_maker` are stored in the journal with the vectors. If the journal lacks anything in a
    batch, the whole batch is embedded: the last bits of a vector may depend on the other texts in its batch, and a
    resumed build must produce the same bytes as an uninterrupted one.

    Keywords are extracted by `extractor` in another thread, and stored in the journal too: a local model releases
    Python's lock while it computes, a remote one while it waits.
    """
    remaining = iter(papers)
    with ThreadPoolExecutor(1, "keywords") as thread:
        while batch := list(islice(remaining, TEXTS_PER_BATCH)):
            missing = without_keywords(batch, extractor, journal) if extractor else {}
            keywords = thread.submit(extract_keywords, missing, extractor) if extractor and missing else None
            keys = [vector_key(embedder, paper.text) for paper in batch]
            if not _has_all(journal, keys, passage_maker, batch):
                vectors, tokens = read_texts([paper.text for paper in batch], embedder, passage_maker)
                vector_records = zip(keys, (vector.tobytes() for vector in vectors), strict=True)
                _keep(
                    journal,
                    chain(vector_records, passage_maker.records(batch, vectors, tokens) if passage_maker else ()),
                )
            yield np.stack([np.frombuffer(journal[key], np.float32) for key in keys])
            if keywords is not None:
                journal.append(keywords.result())
            progress.advance(len(batch))


def cut_stored(
    papers: Iterable[Paper],
    vectors: Iterable[Vectors],
    journal: Journal,
    progress: Progress,
    passage_maker: PassageMaker,
) -> None:
    """Add to the journal the records that `passage_maker` makes from `papers`, whose `vectors` are already known."""
    remaining = iter(papers)
    for own in vectors:
        batch = list(islice(remaining, len(own)))
        if not _has_all(journal, (), passage_maker, batch):
            embedder, texts = passage_maker.embedder, [paper.text for paper in batch]
            tokens = embedder.embed_tokens(texts) if isinstance(embedder, TokenEmbedder) else None
            _keep(journal, passage_maker.records(batch, own, tokens))
        progress.advance(len(batch))


def describe_cost(
    papers: Iterable[Paper], embedder: Embedder, journal: Journal, passage_maker: PassageMaker | None = None
) -> str | None:
    """Describe the cost of embedding the papers not yet in the journal; `None` if the embedder is free."""
    if not isinstance(embedder, PricedEmbedder):
        return None
    missing = (
        paper for paper in papers if not _has_all(journal, [vector_key(embedder, paper.text)], passage_maker, [paper])
    )
    texts = (text for paper in missing for text in (paper.text, *(passage_maker.texts(paper) if passage_maker else ())))
    cost = embedder.estimate(texts)
    return (
        f"embedding with {embedder.name} will cost about ${cost.dollars:.2f} "
        f"({cost.tokens:,} tokens, at the price of {cost.priced_on})"
    )


def stored_vectors(index: VectorIndex, rows: Rows | None = None) -> Iterator[Vectors]:
    """Yield the vectors of an existing corpus, or of its papers at `rows`, in batches."""
    all_rows = np.arange(len(index), dtype=np.int64) if rows is None else rows
    for start in range(0, len(all_rows), TEXTS_PER_BATCH):
        yield index.vectors(all_rows[start : start + TEXTS_PER_BATCH])


def write_vectors(
    batches: Iterable[Vectors], n_papers: int, dimension: int, path: Path, limit: float | None = None
) -> Vectors:
    """Write vectors to a scratch file and return them memory-mapped, shape (n_papers, dimension).

    They are rounded as in an index written with `limit`, so that everything derived from them is the same whether they
    were newly embedded or read from the index.
    """
    with path.open("wb") as file:
        for batch in batches:
            file.write(as_stored(batch, limit).tobytes())
    if n_papers == 0:
        return np.empty((0, dimension), dtype=np.float32)
    return np.memmap(path, np.float32, mode="r", shape=(n_papers, dimension))


def in_batches(vectors: Vectors) -> Iterator[Vectors]:
    """Yield the rows of an array, a few at a time."""
    for start in range(0, len(vectors), TEXTS_PER_BATCH):
        yield vectors[start : start + TEXTS_PER_BATCH]


def vector_key(embedder: Embedder, text: str) -> bytes:
    """Return the journal key for the vector of `text`; `embedder` is in the form that embeds papers."""
    return journal_key("vector", *origin(embedder), text)


def _has_all(
    journal: Journal, keys: Iterable[bytes], passage_maker: PassageMaker | None, papers: Sequence[Paper]
) -> bool:
    passage_keys = (
        (passage_maker.key(role, paper) for paper in papers for role in passage_maker.roles) if passage_maker else ()
    )
    return all(key in journal for key in chain(keys, passage_keys))


def _keep(journal: Journal, records: Iterable[tuple[bytes, bytes]]) -> None:
    # A text that occurred in an earlier batch keeps its vector from that batch.
    journal.append((key, content) for key, content in records if key not in journal)


def read_texts(
    texts: Sequence[str], embedder: Embedder, passage_maker: PassageMaker | None
) -> tuple[Vectors, list[TokenVectors] | None]:
    """Compute the vectors of `texts` and, if passages are made from these texts, their token vectors, in one pass."""
    if passage_maker is not None and isinstance(embedder, TokenEmbedder):
        vectors, tokens = embedder.embed_with_tokens(texts, "document")
        return check_vectors(vectors, texts, embedder), tokens
    return embed_texts(texts, embedder), None


# The table of papers, with keywords and citation percentiles, written batch by batch.

KEYWORDS_PER_PAPER = 20
PAPERS_PER_RECORD = 64
"""Number of papers whose keywords are stored together; computing them takes a fifth of a second."""


def write_with_keywords(
    new: pa.Table, extractor: KeywordExtractor, journal: Journal, path: Path, progress: Progress
) -> None:
    """Write the papers in `new` to `path`, each with its keywords, taken from the journal or newly extracted."""
    progress.start("keywords", new.num_rows)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, PAPER_SCHEMA) as writer:
        for batch in new.to_batches():
            papers = list(papers_of(batch))
            for start in range(0, len(papers), PAPERS_PER_RECORD):
                some = papers[start : start + PAPERS_PER_RECORD]
                if missing := without_keywords(some, extractor, journal):
                    journal.append(extract_keywords(missing, extractor))
                for place, paper in enumerate(some, start):
                    papers[place] = replace(paper, keywords=tuple(json.loads(journal[_key(paper, extractor)])))
                progress.advance(len(some))
            writer.write_batch(batch_of(papers))
    progress.finish()


def without_keywords(papers: Sequence[Paper], extractor: KeywordExtractor, journal: Journal) -> dict[bytes, str]:
    """Return the texts whose keywords are not in the journal, by their keys."""
    texts = {_key(paper, extractor): paper.text for paper in papers}
    return {key: text for key, text in texts.items() if key not in journal}


def extract_keywords(texts: Mapping[bytes, str], extractor: KeywordExtractor) -> list[tuple[bytes, bytes]]:
    """Extract the keywords of `texts`, and return them as journal records."""
    phrases_by_key = ((key, extractor.phrases(text, limit=KEYWORDS_PER_PAPER)) for key, text in texts.items())
    return [(key, json.dumps(phrases).encode()) for key, phrases in phrases_by_key]


def _key(paper: Paper, extractor: KeywordExtractor) -> bytes:
    return journal_key("keywords", extractor.name, paper.text)


def write_papers(previous: pa.Table | None, new: pa.Table, path: Path) -> None:
    """Write the known papers followed by the new ones, each with its citation percentile among all of them."""
    table = new if previous is None else pa.concat_tables([previous.select(PAPER_SCHEMA.names), new])
    table = with_percentiles(table)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, TABLE_SCHEMA) as writer:
        for start in range(0, table.num_rows, PAPERS_PER_BATCH):
            for batch in table.slice(start, PAPERS_PER_BATCH).combine_chunks().to_batches():
                writer.write_batch(batch)


def embedder_for(name: str | None, folder: Path, settings: Settings, *, needs_key: bool = True) -> Embedder:
    """Return the requested embedder or, failing that, the embedder of the corpus in `folder` or the one in the
    settings. If `needs_key` is false, as for work that may embed nothing, the embedder's key may be missing.
    """
    own = read_manifest(folder)[0].embedder if is_corpus(folder) else None
    return load_embedder(name or own or settings.embedder or LOCAL_EMBEDDER, settings, needs_key=needs_key)


def embedder_of_sources(sources: Sequence[str]) -> str | None:
    """Return the embedder of the first of `sources` that says which one made its vectors; `None` if none does."""
    for spec in (parse_source(source, SOURCES) for source in sources):
        if (embedder_of := SOURCES.get(spec.scheme).embedder_of) is not None:
            return embedder_of(spec)
    return None
