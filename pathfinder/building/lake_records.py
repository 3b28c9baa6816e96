"""Converts the vectors of a paper between a row of a lake and the records of a build's journal."""

from collections.abc import Mapping

import numpy as np

from pathfinder.building.passage_maker import PassageMaker
from pathfinder.corpus.lake import PaperVectors
from pathfinder.index import passages
from pathfinder.models.ports import Vectors
from pathfinder.types import Paper


def records_of(row: PaperVectors, maker: PassageMaker) -> dict[bytes, bytes]:
    """Return the journal records of a paper's title, passages and tokens, if the lake has them."""
    records = {}
    if row.title is not None:
        records[maker.key("titles", row.paper)] = row.title.tobytes()
    if row.passages is not None:
        records[maker.key("passages", row.paper)] = passages.to_bytes(row.passages)
    if row.tokens is not None and maker.projection is not None:
        records[maker.key("tokens", row.paper)] = row.tokens
    return records


def row_of(paper: Paper, vector: Vectors, records: Mapping[bytes, bytes], maker: PassageMaker) -> PaperVectors:
    """Return the row of a paper, given its vector and the journal records that `maker` made from it."""
    return PaperVectors(
        paper,
        vector.astype(np.float16),
        np.frombuffer(records[maker.key("titles", paper)], "<f2"),
        passages.from_bytes(records[maker.key("passages", paper)], maker.embedder.dimension),
        records[maker.key("tokens", paper)] if maker.projection is not None else None,
    )
