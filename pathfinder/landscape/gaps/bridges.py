"""Bridges: papers whose nearest papers in meaning lie in two parts of the map that do not touch."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.export.latex import readable
from pathfinder.index.ports import VectorIndex
from pathfinder.landscape.gaps.alike import blocks, most_alike
from pathfinder.landscape.gaps.districts import Districts, divide, neighbours
from pathfinder.landscape.gaps.naming import names_of, told, too_few
from pathfinder.landscape.layer import Absent, Column, Layer, Line, Mark, Table
from pathfinder.landscape.layers.colours import colour_of
from pathfinder.landscape.survey import Survey
from pathfinder.types import Rows

SLUG, TITLE = "bridges", "Bridges"
PAPERS_EACH, MOST_DISTRICTS = 250, 40
K, ON_EACH_SIDE = 12, 4
"""Nearest papers that are looked at, and how many of them must lie on each side."""
NEAR_ENOUGH = 0.6
"""Least cosine of a bridge to its neighbours, as a share of what is usual between a paper and its `K`-th neighbour."""
N_USUAL = 100
N_TRIED = 400
"""Papers whose neighbours are looked up: those that lie most evenly between two parts."""
MOST_LISTED, MOST_DRAWN, MOST_LINES = 40, 20, 6
"""In the table, as marks, and with lines to both sides: more would cover the map."""
COLOUR = colour_of(5)
SEED = 20240801


@dataclass(frozen=True, slots=True)
class Bridge:
    """A paper between two districts."""

    row: int
    sides: tuple[int, int]
    """The districts, the one with more of its neighbours first."""
    n_near: tuple[int, int]
    """How many of its `K` nearest papers lie in each."""
    nearness: float
    """Mean cosine to those."""


def find_bridges(survey: Survey, meaning: VectorIndex, districts: Districts) -> tuple[Bridge, ...]:
    """The papers of which at least `ON_EACH_SIDE` of the `K` nearest lie in each of two districts that do not touch.

    The most even ones first. Neighbours are looked up, exactly, for the `N_TRIED` papers alone that lie most evenly
    between the middles of two such districts, so that it takes seconds and not hours.
    """
    touch, n = neighbours(survey, districts), len(districts.of)
    usual = np.sort(np.random.default_rng(SEED).permutation(n)[:N_USUAL])
    tried = _between(meaning, districts, touch)
    near, cosines = most_alike(meaning, n, np.concatenate([usual, tried]), K)
    least = NEAR_ENOUGH * float(np.median(cosines[: len(usual), -1]))
    those = zip(tried.tolist(), near[len(usual) :], cosines[len(usual) :], strict=True)
    found = (_bridge(row, districts.of[rows], alike, touch, least) for row, rows, alike in those)
    return tuple(sorted(filter(None, found), key=lambda one: (-min(one.n_near), -one.nearness, one.row)))


def _between(meaning: VectorIndex, districts: Districts, touch: NDArray[np.bool_]) -> Rows:
    """The papers that are nearly as near to the middle, in meaning, of a second district as to that of the nearest."""
    middles = _middles_of_meaning(meaning, districts)
    evenness = []
    for rows, vectors in blocks(meaning, len(districts.of)):
        cosines = vectors @ middles.T
        nearest = cosines.argmax(axis=1)
        first = cosines[np.arange(len(rows)), nearest]
        elsewhere = np.where(touch[nearest], -np.inf, cosines).max(axis=1)
        evenness.append(np.where(first > 0, elsewhere / np.maximum(first, 1e-6), -np.inf))
    return np.sort(np.argsort(-np.concatenate(evenness), kind="stable")[:N_TRIED])


def _middles_of_meaning(meaning: VectorIndex, districts: Districts) -> NDArray[np.float32]:
    """The mean direction of each district's papers, shape (n_districts, dimension)."""
    sums = np.zeros((len(districts), meaning.vectors(np.arange(1)).shape[1]), dtype=np.float64)
    for rows, vectors in blocks(meaning, len(districts.of)):
        is_in = districts.of[rows][:, None] == np.arange(len(districts))
        # The other way round, `is_in.T @ vectors`, the threads of the product wait ten times as long for each other.
        sums += (vectors.T @ is_in.astype(np.float32)).T
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def _bridge(
    row: int, near: Rows, cosines: NDArray[np.float32], touch: NDArray[np.bool_], least: float
) -> Bridge | None:
    """The paper at `row`, if its neighbours, which lie in the districts `near`, make it one."""
    held = np.bincount(near[cosines >= least], minlength=len(touch))
    one = int(held.argmax())
    other = int(np.where(touch[one], -1, held).argmax())
    if touch[one, other] or min(held[one], held[other]) < ON_EACH_SIDE:
        return None
    counted = (near == one) | (near == other)
    return Bridge(row, (one, other), (int(held[one]), int(held[other])), float(cosines[counted].mean()))


def bridges_layer(survey: Survey) -> Layer | Absent:
    """The papers between regions, ranked, with lines to both sides of the first ones."""
    if (lacking := too_few(survey, SLUG, TITLE)) is not None:
        return lacking
    if survey.meaning is None:
        return Absent(SLUG, TITLE, "the vectors of the papers are not at hand: open the whole corpus")
    districts = divide(survey, PAPERS_EACH, MOST_DISTRICTS)
    found = find_bridges(survey, survey.meaning, districts)[:MOST_LISTED]
    names = names_of(survey, districts.of, len(districts))
    drawn = tuple(enumerate(found[:MOST_DRAWN], start=1))
    return Layer(
        SLUG,
        TITLE,
        f"Papers of whose {K} nearest papers in meaning at least {ON_EACH_SIDE} lie in each of two of "
        f"{len(districts)} regions of the map that do not touch. The lines lead to the middles of both, from the first "
        f"{MOST_LINES}.",
        lines=tuple(_line(survey, districts, bridge) for _, bridge in drawn[:MOST_LINES]),
        marks=tuple(_mark(survey, names, bridge, rank) for rank, bridge in drawn),
        table=Table(_COLUMNS, tuple(_row(survey, names, bridge, i) for i, bridge in enumerate(found, start=1))),
        notes=() if found else ("no paper lies between two regions of this map",),
    )


_COLUMNS = (
    Column("rank", "the more even, the higher"),
    Column("paper"),
    Column("year"),
    Column("one side", "keywords of the region with more of its neighbours"),
    Column("other side"),
    Column("near", f"of its {K} nearest papers, how many lie on one side"),
    Column("near there", "and on the other"),
    Column("nearness", "mean cosine to both, [0, 1]"),
    Column("paper id"),
    Column("x", "of the paper, on the map"),
    Column("y", "of the paper, on the map"),
)


def _line(survey: Survey, districts: Districts, bridge: Bridge) -> Line:
    one, other = (districts.middles[side] for side in bridge.sides)
    points = np.array([one, survey.coordinates[bridge.row], other], dtype=np.float32)
    return Line(points, COLOUR, "bridge")


def _mark(survey: Survey, names: tuple[str, ...], bridge: Bridge, rank: int) -> Mark:
    paper = survey.papers[bridge.row]
    one, other = (told(names[side]) for side in bridge.sides)
    x, y = survey.coordinates[bridge.row].tolist()
    return Mark(x, y, f"{readable(paper.title)}: between {one} and {other}", COLOUR, "bridge", str(rank), bridge.row)


def _row(survey: Survey, names: tuple[str, ...], bridge: Bridge, rank: int) -> tuple[str | float | int | None, ...]:
    paper = survey.papers[bridge.row]
    sides = (names[side] for side in bridge.sides)
    known = rank, readable(paper.title), paper.year, *sides, *bridge.n_near, round(bridge.nearness, 3), paper.paper_id
    x, y = survey.coordinates[bridge.row].tolist()
    return (*known, round(x, 3), round(y, 3))
