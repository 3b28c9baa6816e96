"""The layer of bridges: papers whose nearest neighbours in meaning lie in two parts of the map that do not touch."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import VectorIndex
from pathfinder.landscape.data.layer import Column, Layer, MapLine, Mark, Table, UnavailableLayer, colour_of
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import GAPS_GROUP, LayerKind, Listing
from pathfinder.landscape.statistics.districts import Districts, divide, too_few_papers, touching
from pathfinder.landscape.statistics.keywords import in_sentence, name_districts
from pathfinder.models.ports import Vectors
from pathfinder.text.latex.display import readable
from pathfinder.types import Rows

PAPERS_EACH, MOST_DISTRICTS = 250, 40
K, ON_EACH_SIDE = 12, 4
"""Number of nearest papers considered, and how many of them must lie on each side."""
NEAR_ENOUGH = 0.6
"""Minimum cosine between a bridge and its neighbours, as a fraction of the typical cosine between a paper and its
`K`-th neighbour.
"""
N_USUAL = 100
N_TRIED = 400
"""Number of papers whose neighbours are computed: those that lie most evenly between two districts."""
MOST_LISTED, MOST_DRAWN, MOST_LINES = 40, 20, 6
"""Maximum number of bridges in the table, of those drawn as marks, and of those with lines to both sides: more of them
would clutter the map.
"""
COLOUR = colour_of(5)
SEED = 20240801


@dataclass(frozen=True, slots=True)
class Bridge:
    """A paper between two districts."""

    row: int
    sides: tuple[int, int]
    """The two districts, beginning with the one that contains more of the paper's neighbours."""
    n_near: tuple[int, int]
    """The number of the paper's `K` nearest papers that lie in each of the two districts."""
    nearness: float
    """Mean cosine between the paper and those of its nearest papers that lie in either district."""


def find_bridges(map_data: MapData, dense: VectorIndex, districts: Districts) -> tuple[Bridge, ...]:
    """Find the papers with at least `ON_EACH_SIDE` of their `K` nearest papers in each of two districts that do not
    touch.

    The papers whose neighbours are divided most evenly come first. Neighbours are computed exactly, but only for the
    `N_TRIED` papers that lie most evenly between the centres of two such districts, so that the search takes seconds
    rather than hours.
    """
    touch, n = touching(map_data, districts), len(districts.of)
    usual = np.sort(np.random.default_rng(SEED).permutation(n)[:N_USUAL])
    between = _between(dense, districts, touch)
    near, cosines = most_similar(dense, n, np.concatenate([usual, between]), K)
    least = NEAR_ENOUGH * float(np.median(cosines[: len(usual), -1]))
    candidates = zip(between.tolist(), near[len(usual) :], cosines[len(usual) :], strict=True)
    bridges = (_bridge(row, districts.of[rows], near_cosines, touch, least) for row, rows, near_cosines in candidates)
    return tuple(sorted(filter(None, bridges), key=lambda bridge: (-min(bridge.n_near), -bridge.nearness, bridge.row)))


def _between(dense: VectorIndex, districts: Districts, touch: NDArray[np.bool_]) -> Rows:
    """Find the papers that are almost as near in meaning to the centre of a second district, one that does not touch
    the nearest district, as to the centre of the nearest.
    """
    middles = _mean_directions(dense, districts)
    evenness = []
    for rows, vectors in blocks(dense, len(districts.of)):
        cosines = vectors @ middles.T
        nearest = cosines.argmax(axis=1)
        first = cosines[np.arange(len(rows)), nearest]
        second = np.where(touch[nearest], -np.inf, cosines).max(axis=1)
        evenness.append(np.where(first > 0, second / np.maximum(first, 1e-6), -np.inf))
    return np.sort(np.argsort(-np.concatenate(evenness), kind="stable")[:N_TRIED])


def _mean_directions(dense: VectorIndex, districts: Districts) -> NDArray[np.float32]:
    """Average the vectors of each district's papers and normalise the means, shape (n_districts, dimension)."""
    sums = np.zeros((len(districts), dense.vectors(np.arange(1)).shape[1]), dtype=np.float64)
    for rows, vectors in blocks(dense, len(districts.of)):
        is_in = districts.of[rows][:, None] == np.arange(len(districts))
        # In the other order, `is_in.T @ vectors`, the threads wait ten times longer for each other.
        sums += (vectors.T @ is_in.astype(np.float32)).T
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def _bridge(
    row: int, near: Rows, cosines: NDArray[np.float32], touch: NDArray[np.bool_], least: float
) -> Bridge | None:
    """Return the paper at `row` as a bridge if its neighbours, which lie in the districts `near`, qualify it."""
    n_in = np.bincount(near[cosines >= least], minlength=len(touch))
    first = int(n_in.argmax())
    second = int(np.where(touch[first], -1, n_in).argmax())
    if touch[first, second] or min(n_in[first], n_in[second]) < ON_EACH_SIDE:
        return None
    on_a_side = (near == first) | (near == second)
    return Bridge(row, (first, second), (int(n_in[first]), int(n_in[second])), float(cosines[on_a_side].mean()))


def bridges_layer(map_data: MapData) -> Layer | UnavailableLayer:
    """Mark and rank the papers between regions, and draw lines to both sides from the highest-ranked ones."""
    if reason := too_few_papers(map_data):
        return BRIDGES.unavailable(reason)
    if map_data.dense is None:
        return BRIDGES.unavailable("the vectors of the papers are not loaded: open the whole corpus")
    districts = divide(map_data, PAPERS_EACH, MOST_DISTRICTS)
    bridges = find_bridges(map_data, map_data.dense, districts)[:MOST_LISTED]
    names = name_districts(map_data, districts.of, len(districts))
    numbered_bridges = tuple(enumerate(bridges[:MOST_DRAWN], start=1))
    return Layer(
        BRIDGES.slug,
        BRIDGES.title,
        f"Papers with at least {ON_EACH_SIDE} of their {K} most similar papers in each of two separate regions of the "
        f"map, which has {len(districts)} regions in all. Lines lead from the first {MOST_LINES} to the middle of each "
        "region.",
        lines=tuple(_line(map_data, districts, bridge) for _, bridge in numbered_bridges[:MOST_LINES]),
        marks=tuple(_mark(map_data, names, bridge, rank) for rank, bridge in numbered_bridges),
        table=Table(_COLUMNS, tuple(_row(map_data, names, bridge, i) for i, bridge in enumerate(bridges, start=1))),
        notes=() if bridges else ("no papers lie between two regions of this map",),
    )


_COLUMNS = (
    Column("rank", "by how evenly its neighbours are split between the two sides"),
    Column("paper"),
    Column("year"),
    Column("one side", "keywords of the region that contains more of its neighbours"),
    Column("other side"),
    Column("near", f"number of its {K} most similar papers that lie on one side"),
    Column("near there", "the same for the other side"),
    Column("nearness", "mean cosine similarity to both sides, [0, 1]"),
    Column("paper id"),
    Column("x", "position of the paper on the map"),
    Column("y", "position of the paper on the map"),
)


def _line(map_data: MapData, districts: Districts, bridge: Bridge) -> MapLine:
    first, second = (districts.middles[side] for side in bridge.sides)
    points = np.array([first, map_data.coordinates[bridge.row], second], dtype=np.float32)
    return MapLine(points, COLOUR, "bridge")


def _mark(map_data: MapData, names: tuple[str, ...], bridge: Bridge, rank: int) -> Mark:
    paper = map_data.papers[bridge.row]
    first, second = (in_sentence(names[side]) for side in bridge.sides)
    x, y = map_data.coordinates[bridge.row].tolist()
    return Mark(x, y, f"{readable(paper.title)}: between {first} and {second}", COLOUR, "bridge", str(rank), bridge.row)


def _row(map_data: MapData, names: tuple[str, ...], bridge: Bridge, rank: int) -> tuple[str | float | int | None, ...]:
    paper = map_data.papers[bridge.row]
    sides = (names[side] for side in bridge.sides)
    cells = rank, readable(paper.title), paper.year, *sides, *bridge.n_near, round(bridge.nearness, 3), paper.paper_id
    x, y = map_data.coordinates[bridge.row].tolist()
    return (*cells, round(x, 3), round(y, 3))


BLOCK_ROWS = 8192
"""Number of vectors read at a time."""


def blocks(dense: VectorIndex, n_papers: int) -> Iterator[tuple[Rows, Vectors]]:
    """Iterate over all papers in order, in blocks, with their vectors."""
    for start in range(0, n_papers, BLOCK_ROWS):
        rows = np.arange(start, min(start + BLOCK_ROWS, n_papers))
        yield rows, dense.vectors(rows)


def most_similar(dense: VectorIndex, n_papers: int, rows: Rows, k: int) -> tuple[Rows, NDArray[np.float32]]:
    """Find the `k` other papers nearest in meaning to each paper in `rows`, and their cosines, nearest first.

    Both have shape (len(rows), k), or fewer columns if there are fewer other papers. The search is exact, in one pass
    over all vectors; searching paper by paper takes six times as long for 500 of 350,000 papers.
    """
    queries = dense.vectors(rows)
    near, cosines = np.empty((len(rows), 0), dtype=np.int64), np.empty((len(rows), 0), dtype=np.float32)
    for others, vectors in blocks(dense, n_papers):
        in_block = queries @ vectors.T
        is_itself = rows[:, None] == others
        in_block[is_itself] = -np.inf
        best = np.argpartition(-in_block, min(k, len(others)) - 1, axis=1)[:, :k]
        near = np.hstack([near, others[best]])
        cosines = np.hstack([cosines, np.take_along_axis(in_block, best, axis=1)])
        order = np.lexsort((near, -cosines), axis=1)[:, :k]
        near, cosines = np.take_along_axis(near, order, axis=1), np.take_along_axis(cosines, order, axis=1)
    n_others = min(k, n_papers - 1)
    return near[:, :n_others], cosines[:, :n_others]


def _list(map_data: MapData) -> Listing:
    reason = too_few_papers(map_data)
    return (BRIDGES.unavailable(reason) if reason else BRIDGES.info(),)


BRIDGES = LayerKind(
    slug="bridges",
    title="Bridges",
    help="Papers whose most similar papers lie in regions that do not touch.",
    group=GAPS_GROUP,
    order=60,
    inputs=("papers", "landscape", "terms", "dense"),
    list_layers=_list,
    compute=bridges_layer,
)
