"""The layer of review articles: their places, and how far each part of the map is from the nearest recent one."""

from collections.abc import Sequence

import numpy as np
from scipy.spatial import cKDTree

from pathfinder.landscape.data.layer import CALM, PAST, WARNING, Column, Heatmap, Layer, Mark, Table, UnavailableLayer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.data.placed_reviews import Review
from pathfinder.landscape.layers.base import GAPS_GROUP, LayerKind, Listing
from pathfinder.landscape.statistics.dates import RECENT_YEARS, first_recent_year
from pathfinder.landscape.statistics.keywords import describe_papers
from pathfinder.landscape.statistics.significance import around_papers, radius_for
from pathfinder.text.latex.display import readable
from pathfinder.types import Floats, Rows

FULL_AT = 0.1
"""Distance, as a fraction of the map's long side, at which the colour is at full strength."""
BLOCK_CELLS = 6
"""Number of cells along each side of the blocks that the table lists."""
MIN_BLOCK_PAPERS = 5
"""Minimum number of papers for a block to be listed in the table; it must also contain at least 0.1% of all papers."""
MOST_SHOWN = 20


def _list(map_data: MapData) -> Listing:
    if not map_data.reviews:
        return (REVIEWS.unavailable(map_data.why_no_reviews),)
    return (REVIEWS.info(len(map_data.reviews)),)


def recent_reviews(map_data: MapData) -> tuple[Review, ...]:
    """Select the reviews from the last ten years; none if nothing is dated."""
    if map_data.reviews is None or map_data.this_year is None:
        return ()
    first = first_recent_year(map_data.this_year)
    return tuple(review for review in map_data.reviews if review.year is not None and review.year >= first)


def distances(map_data: MapData, reviews: Sequence[Review]) -> tuple[Floats, Rows]:
    """Measure the distance from the centre of each cell to the nearest of `reviews`, as a fraction of the map's long
    side.

    Returns the distances and the index of the nearest review, both of shape (n_cells,). Short distances on the map are
    meaningful; long ones mean only that two places are far apart.
    """
    grid = map_data.grid
    places = np.array([(review.x, review.y) for review in reviews])
    # An array of all cells by all reviews would take gigabytes.
    apart, nearest = cKDTree(places).query(grid.centres())
    long_side = max(grid.extent.right - grid.extent.left, grid.extent.top - grid.extent.bottom)
    return apart / long_side, nearest


def reviews_layer(map_data: MapData) -> Layer | UnavailableLayer:
    """Mark the reviews, and colour the map by the distance to the nearest recent one."""
    if not map_data.reviews:
        return REVIEWS.unavailable(map_data.why_no_reviews)
    recent = recent_reviews(map_data)
    is_recent = set(map(id, recent))
    marks = tuple(_mark(review, id(review) in is_recent) for review in map_data.reviews)
    description, notes = _describe(map_data.reviews, len(recent)), _notes(map_data, recent)
    if not recent:
        return Layer(REVIEWS.slug, REVIEWS.title, description, marks=marks, notes=notes)
    apart, nearest = distances(map_data, recent)
    shape = map_data.grid.n_rows, map_data.grid.n_columns
    papers = map_data.grid.count(map_data.cell_of_paper)
    values = np.where(
        around_papers(papers, radius_for(papers)), np.minimum(apart.reshape(shape) / FULL_AT, 1.0), np.nan
    )
    high = f"{FULL_AT:.0%} of the map's width away"
    heatmap, table = (
        Heatmap(map_data.grid, values, WARNING, "nearest recent review", "here", high),
        _table(map_data, recent, apart, nearest),
    )
    return Layer(REVIEWS.slug, REVIEWS.title, description, (heatmap,), marks=marks, table=table, notes=notes)


def _describe(reviews: Sequence[Review], n_recent: int) -> str:
    n_inside = sum(review.row is not None for review in reviews)
    return (
        f"{len(reviews):,} reviews, {n_recent:,} of them from the last {RECENT_YEARS} years: {n_inside:,} are papers "
        f"in this corpus, {len(reviews) - n_inside:,} were placed by their titles. The stronger the "
        "colour, the farther away the nearest recent review is on the map."
    )


def _notes(map_data: MapData, recent: Sequence[Review]) -> tuple[str, ...]:
    notes = [] if recent else [f"there is no review from the last {RECENT_YEARS} years, so no distances are drawn"]
    if n := map_data.n_reviews_without_place:
        notes.append(f"{n:,} listed reviews have no place on the map: no paper here is similar to them")
    return tuple(notes)


def _mark(review: Review, is_recent: bool) -> Mark:
    title = readable(review.title)
    text = f"{title} ({review.year})" if review.year else title
    kind = f"review from the last {RECENT_YEARS} years" if is_recent else "older review"
    return Mark(review.x, review.y, text, CALM if is_recent else PAST, kind, row=review.row)


_COLUMNS = (
    Column("about", "distinctive keywords of the papers in the block"),
    Column("distance", "from the median paper to the nearest recent review, as a percentage of the map's width"),
    Column("papers", "number of papers in the block"),
    Column("nearest review"),
    Column("year", "year of that review"),
    Column("x", "position of the median paper on the map"),
    Column("y", "position of the median paper on the map"),
)


def _table(map_data: MapData, recent: Sequence[Review], apart: Floats, nearest: Rows) -> Table:
    """List blocks of cells by the distance of their papers from the nearest recent review, the farthest first."""
    lines = []
    for distance, middle, rows in _farthest_blocks(map_data, apart[map_data.cell_of_paper])[:MOST_SHOWN]:
        review = recent[int(nearest[map_data.cell_of_paper[middle]])]
        about, (x, y) = describe_papers(map_data, rows), map_data.coordinates[middle].tolist()
        lines.append((about, round(100 * distance, 1), len(rows), readable(review.title), review.year, x, y))
    return Table(_COLUMNS, tuple(lines))


def _farthest_blocks(map_data: MapData, far: Floats) -> list[tuple[float, int, Rows]]:
    """Return, for each block, the distance of its median paper from the nearest recent review, the row of that paper,
    and the rows of all papers in the block.
    """
    rows, columns = np.divmod(map_data.cell_of_paper, map_data.grid.n_columns)
    block_of = rows // BLOCK_CELLS * map_data.grid.n_columns + columns // BLOCK_CELLS
    least = max(MIN_BLOCK_PAPERS, len(map_data.papers) / 1000)
    blocks = []
    for block in np.unique(block_of):
        here = np.flatnonzero(block_of == block)
        if len(here) >= least:
            middle = here[np.argsort(far[here], kind="stable")[len(here) // 2]]
            blocks.append((float(far[middle]), int(middle), here))
    return sorted(blocks, key=lambda entry: (-entry[0], entry[1]))


REVIEWS = LayerKind(
    slug="reviews",
    title="Review articles",
    help=f"Reviews, and the distance from each place to the nearest review of the last {RECENT_YEARS} years.",
    group=GAPS_GROUP,
    order=40,
    inputs=("papers", "landscape", "terms", "reviews"),
    list_layers=_list,
    compute=reviews_layer,
)
