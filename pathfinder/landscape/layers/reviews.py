"""Reviews on the map, and how far each part of it is from its nearest recent one."""

from collections.abc import Sequence

import numpy as np
from scipy.spatial import cKDTree

from pathfinder.export.latex import readable
from pathfinder.landscape.layer import Absent, Cells, Column, Layer, Mark, Offer, Table
from pathfinder.landscape.layers.colours import CALM, PAST, WARNING
from pathfinder.landscape.layers.naming import about
from pathfinder.landscape.layers.spread import around_papers
from pathfinder.landscape.layers.windows import radius_for
from pathfinder.landscape.survey import Review, Survey
from pathfinder.types import Floats, Rows

SLUG, TITLE = "reviews", "Review articles"
GROUP = "What is missing"
RECENT_YEARS = 10
FULL_AT = 0.1
"""Distance, as a share of the map's long side, that is drawn in full colour."""
BLOCK = 6
"""Cells on a side of a block of the table."""
FEWEST = 5
"""Papers of a block that the table names, and at least a thousandth of all."""
MOST_SHOWN = 20


def review_offers(survey: Survey) -> tuple[Offer | Absent, ...]:
    """The one layer, where there are reviews."""
    if not survey.reviews:
        return (Absent(SLUG, TITLE, survey.why_no_reviews),)
    says = f"Reviews, and how far each part of the map is from its nearest one of the last {RECENT_YEARS} years."
    return (Offer(SLUG, TITLE, says, GROUP, len(survey.reviews)),)


def recent_reviews(survey: Survey) -> tuple[Review, ...]:
    """Those of the last ten years; none where nothing is dated."""
    if survey.reviews is None or survey.this_year is None:
        return ()
    first = survey.this_year - RECENT_YEARS + 1
    return tuple(review for review in survey.reviews if review.year is not None and review.year >= first)


def distances(survey: Survey, reviews: Sequence[Review]) -> tuple[Floats, Rows]:
    """From the middle of each cell to the nearest of `reviews`, as a share of the map's long side, and which it is.

    Both of shape (n_cells,). Near distances on the map mean something, far ones only that it is far.
    """
    grid = survey.grid
    places = np.array([(review.x, review.y) for review in reviews])
    # All cells by all reviews would be gigabytes.
    apart, nearest = cKDTree(places).query(grid.centres())
    long_side = max(grid.extent.right - grid.extent.left, grid.extent.top - grid.extent.bottom)
    return apart / long_side, nearest


def reviews_layer(survey: Survey) -> Layer | Absent:
    """Reviews as marks, and a veil that is the deeper the farther the nearest recent review is."""
    if not survey.reviews:
        return Absent(SLUG, TITLE, survey.why_no_reviews)
    recent = recent_reviews(survey)
    is_recent = set(map(id, recent))
    marks = tuple(_mark(review, id(review) in is_recent) for review in survey.reviews)
    n_inside = sum(review.row is not None for review in survey.reviews)
    says = (
        f"{len(marks):,} reviews, {len(recent):,} of the last {RECENT_YEARS} years: {n_inside:,} are papers of this "
        f"corpus, {len(marks) - n_inside:,} were placed by the meaning of their titles. The deeper the colour, the "
        "farther the nearest recent review is on the map."
    )
    notes = _notes(survey, recent)
    if not recent:
        return Layer(SLUG, TITLE, says, marks=marks, notes=notes)
    apart, nearest = distances(survey, recent)
    veil, table = _veil(survey, apart), _table(survey, recent, apart, nearest)
    return Layer(SLUG, TITLE, says, (veil,), marks=marks, table=table, notes=notes)


def _notes(survey: Survey, recent: Sequence[Review]) -> tuple[str, ...]:
    notes = [] if recent else [f"no review is of the last {RECENT_YEARS} years, so no distance is drawn"]
    if survey.n_reviews_without_place:
        notes.append(
            f"{survey.n_reviews_without_place:,} reviews of the list have no place: no paper here is like them"
        )
    return tuple(notes)


def _mark(review: Review, is_recent: bool) -> Mark:
    title = readable(review.title)
    text = f"{title} ({review.year})" if review.year else title
    kind = f"review of the last {RECENT_YEARS} years" if is_recent else "older review"
    return Mark(review.x, review.y, text, CALM if is_recent else PAST, kind, row=review.row)


def _veil(survey: Survey, apart: Floats) -> Cells:
    shape = survey.grid.n_rows, survey.grid.n_columns
    papers = survey.grid.count(survey.cells)
    values = np.where(
        around_papers(papers, radius_for(papers)), np.minimum(apart.reshape(shape) / FULL_AT, 1.0), np.nan
    )
    high = f"{FULL_AT:.0%} of the map's width away"
    return Cells(survey.grid, values, WARNING, "nearest recent review", "here", high)


def _table(survey: Survey, recent: Sequence[Review], apart: Floats, nearest: Rows) -> Table:
    """Blocks of cells by how far their papers are from a recent review, the farthest first."""
    columns = (
        Column("about", "keywords that are frequent in the papers of the block and rare elsewhere"),
        Column("distance", "of the median paper to its nearest recent review, percent of the map's width"),
        Column("papers", "of the block"),
        Column("nearest review"),
        Column("year", "of that review"),
        Column("x", "of the median paper"),
        Column("y", "of the median paper"),
    )
    rows, columns_of = np.divmod(survey.cells, survey.grid.n_columns)
    block = rows // BLOCK * survey.grid.n_columns + columns_of // BLOCK
    far = apart[survey.cells]
    least = max(FEWEST, len(survey.papers) / 1000)
    found = []
    for one in np.unique(block):
        here = np.flatnonzero(block == one)
        if len(here) >= least:
            middle = here[np.argsort(far[here], kind="stable")[len(here) // 2]]
            found.append((float(far[middle]), int(middle), here))
    found.sort(key=lambda entry: (-entry[0], entry[1]))
    lines = []
    for distance, middle, here in found[:MOST_SHOWN]:
        review, (x, y) = recent[int(nearest[survey.cells[middle]])], survey.coordinates[middle]
        named = readable(review.title), review.year
        lines.append((about(survey, here), round(100 * distance, 1), len(here), *named, float(x), float(y)))
    return Table(columns, tuple(lines))
