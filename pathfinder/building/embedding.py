"""Papers into vectors, once each, however often the build is stopped."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np

from pathfinder.building.pieces import PieceMaker, checked, embedded
from pathfinder.building.progress import Progress
from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.index.dense import DenseIndex
from pathfinder.models.ports import Embedder, PricedEmbedder, TokenEmbedder, TokenVectors, Vectors
from pathfinder.types import Paper

TEXTS_PER_BATCH = 128
"""Embedded, then brought to the disk, together: what a kill costs, and a request to a remote model."""


def embed(
    papers: Iterable[Paper],
    embedder: Embedder,
    journal: Journal,
    progress: Progress,
    pieces: PieceMaker | None = None,
) -> Iterator[Vectors]:
    """The vectors of `papers`, in batches; what the journal holds is not embedded again.

    What `pieces` makes of them goes into the journal with them, for `pieces_in`. A batch of which anything is
    missing is embedded whole: beside other texts a vector may come out with other last bits, and a build that
    went on must end in the same bytes as one that was left alone.
    """
    remaining = iter(papers)
    while batch := list(islice(remaining, TEXTS_PER_BATCH)):
        keys = [_key(embedder, paper.text) for paper in batch]
        if not _has_all(journal, keys, pieces, batch):
            vectors, tokens = _read([paper.text for paper in batch], embedder, pieces)
            found = zip(keys, (vector.tobytes() for vector in vectors), strict=True)
            _keep(journal, chain(found, pieces.records(batch, vectors, tokens) if pieces else ()))
        yield np.stack([np.frombuffer(journal[key], np.float32) for key in keys])
        progress.advance(len(batch))


def cut_stored(
    papers: Iterable[Paper], vectors: Iterable[Vectors], journal: Journal, progress: Progress, pieces: PieceMaker
) -> None:
    """Bring what `pieces` makes of `papers`, which have their `vectors` already, into the journal."""
    remaining = iter(papers)
    for own in vectors:
        batch = list(islice(remaining, len(own)))
        if not _has_all(journal, (), pieces, batch):
            embedder, texts = pieces.embedder, [paper.text for paper in batch]
            tokens = embedder.embed_tokens(texts) if isinstance(embedder, TokenEmbedder) else None
            _keep(journal, pieces.records(batch, own, tokens))
        progress.advance(len(batch))


def cost_in_words(
    papers: Iterable[Paper], embedder: Embedder, journal: Journal, pieces: PieceMaker | None = None
) -> str | None:
    """What embedding those of `papers` that the journal does not hold will cost; `None` where nobody is paid."""
    if not isinstance(embedder, PricedEmbedder):
        return None
    missing = (paper for paper in papers if not _has_all(journal, [_key(embedder, paper.text)], pieces, [paper]))
    texts = (text for paper in missing for text in (paper.text, *(pieces.texts(paper) if pieces else ())))
    cost = embedder.estimate(texts)
    return (
        f"embedding with {embedder.name} will cost about ${cost.dollars:.2f} "
        f"({cost.tokens:,} tokens, at the price of {cost.priced_on})"
    )


def stored(index: DenseIndex) -> Iterator[Vectors]:
    """The vectors of a corpus that is there already, in batches."""
    for start in range(0, len(index), TEXTS_PER_BATCH):
        yield index.vectors(np.arange(start, min(start + TEXTS_PER_BATCH, len(index)), dtype=np.int64))


def write_vectors(batches: Iterable[Vectors], n_papers: int, dimension: int, path: Path) -> Vectors:
    """Write vectors to a scratch file and return them memory-mapped, shape (n_papers, dimension).

    They are rounded to 16 bits, as the index rounds them, so that everything that is derived from them
    comes out alike whether they were embedded just now or lay in the index already.
    """
    with path.open("wb") as file:
        for batch in batches:
            file.write(batch.astype(np.float16).astype(np.float32).tobytes())
    if n_papers == 0:
        return np.empty((0, dimension), dtype=np.float32)
    return np.memmap(path, np.float32, mode="r", shape=(n_papers, dimension))


def in_batches(vectors: Vectors) -> Iterator[Vectors]:
    """The rows of an array, a few at a time."""
    for start in range(0, len(vectors), TEXTS_PER_BATCH):
        yield vectors[start : start + TEXTS_PER_BATCH]


def _key(embedder: Embedder, text: str) -> bytes:
    return journal_key("vector", embedder.name, str(embedder.dimension), text)


def _has_all(journal: Journal, keys: Iterable[bytes], pieces: PieceMaker | None, papers: Sequence[Paper]) -> bool:
    of_pieces = (pieces.key(role, paper) for paper in papers for role in pieces.roles) if pieces else ()
    return all(key in journal for key in chain(keys, of_pieces))


def _keep(journal: Journal, records: Iterable[tuple[bytes, bytes]]) -> None:
    # A text that came in an earlier batch keeps the vector that was used there.
    journal.append((key, content) for key, content in records if key not in journal)


def _read(
    texts: Sequence[str], embedder: Embedder, pieces: PieceMaker | None
) -> tuple[Vectors, list[TokenVectors] | None]:
    """The vectors of `texts` and, where pieces are made of them, their tokens, in one pass."""
    if pieces is not None and isinstance(embedder, TokenEmbedder):
        vectors, tokens = embedder.embed_with_tokens(texts, "document")
        return checked(vectors, texts, embedder), tokens
    return embedded(texts, embedder), None
