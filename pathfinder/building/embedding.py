"""Papers into vectors, once each, however often the build is stopped."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from pathfinder.building.progress import Progress
from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.errors import ModelError
from pathfinder.index.dense import DenseIndex
from pathfinder.models.ports import Embedder, PricedEmbedder, Vectors
from pathfinder.types import Paper

TEXTS_PER_BATCH = 128
"""Embedded, then brought to the disk, together: what a kill costs, and a request to a remote model."""


def embed(papers: Iterable[Paper], embedder: Embedder, journal: Journal, progress: Progress) -> Iterator[Vectors]:
    """The vectors of `papers`, in batches; what the journal holds is not embedded again.

    A batch of which anything is missing is embedded whole: beside other texts a vector may come out
    with other last bits, and a build that went on must end in the same bytes as one that was left alone.
    """
    texts = (paper.text for paper in papers)
    while batch := list(islice(texts, TEXTS_PER_BATCH)):
        keys = [_key(embedder, text) for text in batch]
        if not all(key in journal for key in keys):
            vectors = _embedded(batch, embedder)
            found = zip(keys, vectors, strict=True)
            # A text that came in an earlier batch keeps the vector that was used there.
            journal.append((key, vector.tobytes()) for key, vector in found if key not in journal)
        yield np.stack([np.frombuffer(journal[key], np.float32) for key in keys])
        progress.advance(len(batch))


def cost_in_words(papers: Iterable[Paper], embedder: Embedder, journal: Journal) -> str | None:
    """What embedding those of `papers` that the journal does not hold will cost; `None` where nobody is paid."""
    if not isinstance(embedder, PricedEmbedder):
        return None
    texts = (paper.text for paper in papers)
    cost = embedder.estimate(text for text in texts if _key(embedder, text) not in journal)
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


def _embedded(texts: Sequence[str], embedder: Embedder) -> Vectors:
    vectors = np.ascontiguousarray(embedder.embed(texts, "document"), dtype=np.float32)
    expected = (len(texts), embedder.dimension)
    if vectors.shape != expected or not np.isfinite(vectors).all():
        raise ModelError(
            f"{embedder.name} gave vectors of shape {vectors.shape} for {expected}, or not only numbers: "
            "build again, what was embedded before is kept; if it happens again, choose another embedder"
        )
    return vectors
