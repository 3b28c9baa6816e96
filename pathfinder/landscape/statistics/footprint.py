"""Footprints: places where a set of papers is over-represented relative to all papers, as shown for missions and
topics.
"""

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.data.layer import Column, Heatmap, Table
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.keywords import describe_papers
from pathfinder.landscape.statistics.significance import FDR, Excess, excess
from pathfinder.landscape.statistics.windows import MOST_LISTED, describe_square, patches, spread
from pathfinder.types import Rows

FULL_AT = 8.0
"""Frequency relative to the whole map at which the colour is at full strength."""
FAINT = 0.3
"""Factor by which the colour is weakened where the excess may be due to chance."""
_COLUMNS = (
    Column("about", "distinctive keywords of these papers"),
    Column("papers", "papers on the mission or topic in this place"),
    Column("of", "all papers in this place, from the same years"),
    Column("times", "their share in this place relative to that on the whole map"),
    Column("q", "lowest false discovery rate at which a cell here is significant, [0, 1]"),
    Column("x", "position on the map"),
    Column("y", "position on the map"),
)


def footprint(map_data: MapData, rows: Rows, others: NDArray[np.bool_]) -> Excess:
    """Test where the papers at `rows` are over-represented among `others`, which include them."""
    some, all_ = (
        map_data.grid.count(map_data.cell_of_paper[rows]),
        map_data.grid.count(map_data.cell_of_paper[np.flatnonzero(others)]),
    )
    return excess(some, all_)


def heatmaps(map_data: MapData, cells: Excess, title: str, colour: str) -> tuple[Heatmap, Heatmap]:
    """Colour the places where the excess is significant and, more faintly, those where it may be due to chance; the
    strength of the colour depends on the logarithm of the ratio.
    """
    strength = np.clip(np.log2(np.maximum(cells.ratio, 1.0)) / np.log2(FULL_AT), 0.0, 1.0)
    certain = spread(np.where(cells.is_significant, strength, np.nan), cells.radius)
    more = spread(np.where(cells.ratio > 1, FAINT * strength, np.nan), cells.radius)
    uncertain = np.where(np.isnan(certain), more, np.nan)
    high = f"{FULL_AT:g} times as frequent as on the whole map"
    return (
        Heatmap(map_data.grid, certain, colour, title, "1", high),
        Heatmap(map_data.grid, uncertain, colour, f"{title}, faint: may be due to chance", may_be_chance=True),
    )


def places(map_data: MapData, rows: Rows, others: NDArray[np.bool_], cells: Excess) -> Table:
    """List at most 40 places with a significant excess, the most significant first."""
    where, overall = cells.is_significant, len(rows) / max(int(others.sum()), 1)
    lines = []
    for patch in patches(map_data, where, cells.strength, cells.radius)[:MOST_LISTED]:
        own, n_all = np.intersect1d(patch.rows, rows), int(others[patch.rows].sum())
        times = round(len(own) / n_all / overall, 2)
        lines.append(
            (describe_papers(map_data, own), len(own), n_all, times, cells.least_q(patch.cells), patch.x, patch.y)
        )
    return Table(_COLUMNS, tuple(lines))


def describe_test(cells: Excess) -> str:
    """Explain how the footprint was counted and tested, and what the table lists."""
    return (
        f"The colour shows how much more frequent they are in {describe_square(cells.radius)} than on the whole map; "
        "it is strong where the difference is greater than chance would explain (exact hypergeometric test, "
        f"false discovery rate {FDR:.0%}). "
        f"The table lists the most significant places, at most {MOST_LISTED}."
    )
