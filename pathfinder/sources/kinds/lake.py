"""Lakes: folders of Parquet shards with papers and their vectors, as `pathfinder export lake` writes them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pathfinder.corpus.lake import Lake, read_lake, read_shard
from pathfinder.errors import CorpusError
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.spec import SourceSpec
from pathfinder.types import Provenance

SCHEME = "lake"


def open_lake(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the papers of a lake, in the order of its shards, and hand their vectors to `access.take_vectors`. Raises
    `CorpusError` if there is no lake, or if another embedder made its vectors.
    """
    folder = Path(spec.rest)
    lake = read_lake(folder)
    if access.embedder is not None and access.embedder != lake.embedder:
        raise CorpusError(
            f"{folder} has vectors from {lake.embedder}, but this build embeds with {access.embedder}: add --embedder "
            f"{lake.embedder}, and build in a new folder"
        )
    return _rows(folder, lake, window, access)


def _rows(folder: Path, lake: Lake, window: Window, access: Access) -> Iterator[Row]:
    access.expect(lake.n_papers)
    number = n_papers = 0
    for shard in lake.shards:
        for row in read_shard(folder, shard, lake):
            number += 1
            if not window.includes(row.paper):
                continue
            fault = access.take_vectors(row)
            if fault is not None:
                raise CorpusError(
                    f"{folder / shard.name} has {fault} for the paper {row.paper.paper_id!r}: export the lake again"
                )
            n_papers += 1
            records = row.paper.provenance or (Provenance(SCHEME, row.paper.paper_id, retrieved=access.today),)
            yield number, replace(row.paper, provenance=records)
            if n_papers == window.max_papers:
                return


LAKE = SourceKind(
    scheme=SCHEME,
    label="Lakes of Parquet shards",
    form="lake:PATH",
    examples=("lake:my_lake",),
    gives="papers with the vectors that were computed from them, so that nothing is embedded again",
    terms="The terms of the sources from which the lake was made; their licences are kept with each paper.",
    cost="none",
    open=open_lake,
    brings_vectors=True,
)
