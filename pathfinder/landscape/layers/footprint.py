"""Where some papers lie among others: the veil, the places and the words that missions and topics share."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.layer import Cells, Column, Table
from pathfinder.landscape.layers.naming import about
from pathfinder.landscape.layers.patches import MOST_LISTED, patches
from pathfinder.landscape.layers.significance import FDR, Excess, excess
from pathfinder.landscape.layers.spread import spread
from pathfinder.landscape.layers.windows import in_cells
from pathfinder.landscape.survey import Survey
from pathfinder.types import Rows

FULL_AT = 8.0
"""Times as many as elsewhere that are drawn in full colour."""
FAINT = 0.3
"""Of the colour, where more than elsewhere may be chance."""
_COLUMNS = (
    Column("about", "keywords that are frequent in these papers and rare elsewhere"),
    Column("papers", "that are meant, in the place"),
    Column("of", "all papers in the place, of the same years"),
    Column("times", "their share in the place, over their share on the whole map"),
    Column("q", "lowest false discovery rate at which a cell of the place is found, [0, 1]"),
    Column("x", "on the map"),
    Column("y", "on the map"),
)


def footprint(survey: Survey, rows: Rows, others: NDArray[np.bool_]) -> Excess:
    """Where the papers at `rows` are more than their share of `others`, which they are among."""
    some, all_ = survey.grid.count(survey.cells[rows]), survey.grid.count(survey.cells[np.flatnonzero(others)])
    return excess(some, all_)


def veils(survey: Survey, found: Excess, title: str, colour: str) -> tuple[Cells, Cells]:
    """Where it is more than chance, and, fainter, where it may be chance; by the logarithm of the ratio."""
    strength = np.clip(np.log2(np.maximum(found.ratio, 1.0)) / np.log2(FULL_AT), 0.0, 1.0)
    sure = spread(np.where(found.is_significant, strength, np.nan), found.radius)
    more = spread(np.where(found.ratio > 1, FAINT * strength, np.nan), found.radius)
    unsure = np.where(np.isnan(sure), more, np.nan)
    high = f"{FULL_AT:g} times as frequent as on the whole map"
    return (
        Cells(survey.grid, sure, colour, title, "1", high),
        Cells(survey.grid, unsure, colour, f"{title}, faint: may be chance"),
    )


def places(survey: Survey, rows: Rows, others: NDArray[np.bool_], found: Excess) -> Table:
    """The places where it is more than chance, the surest first, at most 40."""
    where, overall = found.is_significant, len(rows) / max(int(others.sum()), 1)
    lines = []
    for patch in patches(survey, where, found.strength, found.radius)[:MOST_LISTED]:
        own, n_all = np.intersect1d(patch.rows, rows), int(others[patch.rows].sum())
        times = round(len(own) / n_all / overall, 2)
        lines.append((about(survey, own), len(own), n_all, times, found.least_q(patch.cells), patch.x, patch.y))
    return Table(_COLUMNS, tuple(lines))


def counted_in_words(found: Excess) -> str:
    """How it was counted, tested and listed, in two sentences."""
    return (
        f"The colour is how much more frequent they are in {in_cells(found.radius)} than on the whole map; it is "
        f"strong where that is more than chance (exact hypergeometric test, false discovery rate {FDR:.0%}). "
        f"The table has the surest places, at most {MOST_LISTED}."
    )
