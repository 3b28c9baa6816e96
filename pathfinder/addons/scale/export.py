"""Writes a corpus as a lake, which can fill other corpora and be read by other programs."""

from collections.abc import Iterator
from itertools import islice, repeat
from pathlib import Path

import numpy as np

from pathfinder.addons.scale.lake import Lake, Shard, shard_name, write_lake, write_shard
from pathfinder.building.completion import created_by
from pathfinder.building.embedding import stored_vectors
from pathfinder.corpus.store import Corpus
from pathfinder.errors import CorpusError
from pathfinder.index import tokens
from pathfinder.index.passages import PassageIndex, StoredPassages
from pathfinder.index.ports import VectorIndex
from pathfinder.index.token_codecs import token_type
from pathfinder.models.ports import Vectors
from pathfinder.sources.kind import PaperVectors

PAPERS_PER_SHARD = 16_384
"""Number of papers that take up about 250 MB with the token vectors of the local embedder; a multiple of the number of
texts embedded together.
"""


def export_lake(corpus: Corpus, out: Path, papers_per_shard: int = PAPERS_PER_SHARD) -> Lake:
    """Write the papers of `corpus` with their stored vectors into the folder `out`, and return the lake's manifest,
    which is written last. Raises `CorpusError` if the folder is not empty.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CorpusError(f"{out} is not an empty folder: name a new one for the lake")
    out.mkdir(parents=True, exist_ok=True)
    manifest = corpus.manifest
    rows, shards = rows_of(corpus), list[Shard]()
    while group := list(islice(rows, papers_per_shard)):
        shards.append(write_shard(group, manifest.dimension, out / shard_name(len(shards))))
    lake = Lake(
        format=1,
        created_by=created_by(),
        embedder=manifest.embedder,
        dimension=manifest.dimension,
        precision=manifest.precision,
        form_of_tokens=manifest.form_of_tokens,
        shards=tuple(shards),
        embedder_files=manifest.embedder_files,
    )
    write_lake(lake, out)
    return lake


def rows_of(corpus: Corpus) -> Iterator[PaperVectors]:
    """Yield each paper with its stored vectors; those that the corpus lacks or keeps on a server are `None`."""
    titles = _each(corpus.titles) if corpus.titles is not None else repeat(None)
    columns = zip(corpus.papers, _each(corpus.dense), strict=True)
    for (paper, vector), title, passages, token in zip(
        columns, titles, _passages(corpus), _tokens(corpus), strict=False
    ):
        yield PaperVectors(
            paper, vector.astype(np.float16), None if title is None else title.astype(np.float16), passages, token
        )


def _each(index: VectorIndex) -> Iterator[Vectors]:
    return (vector for batch in stored_vectors(index) for vector in batch)


def _passages(corpus: Corpus) -> Iterator[StoredPassages | None]:
    return corpus.passages.stored_passages() if isinstance(corpus.passages, PassageIndex) else repeat(None)


def _tokens(corpus: Corpus) -> Iterator[bytes | None]:
    """Yield the tokens of each paper; `None` if they were made with a projection of the corpus's own."""
    store = corpus.tokens
    if not isinstance(store, tokens.TokenStore):
        return repeat(None)
    usual = tokens.projection_for(corpus.manifest.form_of_tokens, corpus.manifest.dimension)
    if usual is None or not np.array_equal(usual, store.projection):
        return repeat(None)
    kind = token_type(store.codec)
    return (tokens.to_bytes(own) if own.dtype == kind else None for own in store.stored_tokens())
