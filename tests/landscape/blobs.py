"""A made-up map of twenty blobs of papers, each on a topic of its own, into which a test plants what is to be found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from pathfinder.corpus.paper_columns import TABLE_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.density import Extent, Grid
from pathfinder.types import Paper

GRID = Grid(Extent(left=0, right=10, bottom=0, top=8), n_rows=24, n_columns=30)
TOPICS = (
    "comet tails", "pulsar glitches", "quasar winds", "dust lanes", "lunar craters", "solar flares", "ring gaps",
    "nova shells", "dwarf spirals", "stellar streams", "cosmic voids", "maser spots", "planet cores", "halo clumps",
    "jet knots", "binary tides", "meteor trails", "galaxy bars", "ice giants", "cloud filaments",
)  # fmt: skip
EACH = 150
DIMENSION = 48


def middle(blob: int) -> tuple[float, float]:
    """Of a blob: five columns of four."""
    return 1 + 2.0 * (blob % 5), 1 + 2.0 * (blob // 5)


def papers(change: Callable[[int, Paper], Paper] = lambda _, paper: paper, each: int = EACH) -> list[Paper]:
    """`each` papers a blob, of even years, with the keyword of their blob and two that all have."""
    papers_ = []
    for blob, topic in enumerate(TOPICS):
        for i in range(each):
            keywords = (topic, "recent results", "new method")
            year = 2015 + i % 10
            paper = Paper(f"{blob}-{i}", f"On {topic}, {i}", f"About {topic}.", year=year, keywords=keywords)
            papers_.append(change(blob, paper))
    return papers_


def places(n_papers: int, seed: int = 0) -> np.ndarray:
    """A place for each, within 0.6 of the middle of its blob."""
    each = n_papers // len(TOPICS)
    lots = np.random.default_rng(seed).uniform(-0.6, 0.6, size=(each * len(TOPICS), 2))
    return (np.repeat([middle(blob) for blob in range(len(TOPICS))], each, axis=0) + lots).astype(np.float32)


def directions(n_papers: int, seed: int = 0) -> np.ndarray:
    """A unit vector for each: the axis of its blob and some noise."""
    each = n_papers // len(TOPICS)
    axes = np.repeat(np.eye(len(TOPICS), DIMENSION), each, axis=0)
    vectors = axes + np.random.default_rng(seed).normal(scale=0.05, size=axes.shape)
    return unit(vectors)


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def table(papers_: Sequence[Paper], percentiles: Sequence[float | None] | None = None) -> PaperTable:
    counts = [None] * len(papers_) if percentiles is None else list(percentiles)
    columns = pa.Table.from_batches([batch_of(papers_)])
    return PaperTable(columns.append_column(TABLE_SCHEMA.field("citation_percentile"), pa.array(counts, pa.float64())))


def map_data(
    folder: Path,
    papers_: Sequence[Paper],
    vectors: np.ndarray | None = None,
    percentiles: Sequence[float | None] | None = None,
    where: np.ndarray | None = None,
    **fields,
) -> MapData:
    """The survey of `made`, with its index of keywords, and of vectors where there are some."""
    where = places(len(papers_)) if where is None else where
    build_keyword_index(papers_, folder / "terms")
    data = MapData(where, table(papers_, percentiles), GRID, GRID.cell_of(where), 2024, **fields)
    if vectors is not None:
        write_dense([vectors], vectors.shape[1], folder / "dense.faiss")
        data = replace(data, dense=DenseIndex.open(folder / "dense.faiss"))
    return replace(data, terms=KeywordIndex.open(folder / "terms"))


def blob_of(x: float, y: float) -> int:
    """The blob whose middle is nearest to a place."""
    return int(np.argmin([(x - a) ** 2 + (y - b) ** 2 for a, b in map(middle, range(len(TOPICS)))]))
