"""The layer of growth: where the share of recent papers has risen or fallen."""

import numpy as np

from pathfinder.landscape.data.layer import FALLING, RISING, Column, Heatmap, Layer, Table, UnavailableLayer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import TIME_GROUP, LayerKind, Listing
from pathfinder.landscape.statistics.dates import REQUIREMENT, Growth, Halves, growth, halves
from pathfinder.landscape.statistics.keywords import describe_papers
from pathfinder.landscape.statistics.significance import FDR, MOST_LISTED, describe_square, patches, spread

FULL_AT = 4.0
"""Growth relative to the whole map at which the colour is at full strength."""


def _list(map_data: MapData) -> Listing:
    parts = halves(map_data)
    return (_WITHOUT_DATES if parts is None else GROWTH.info(len(parts.older) + len(parts.newer)),)


def growth_layer(map_data: MapData) -> Layer | UnavailableLayer:
    """Show where the newer half of the last ten years' papers is over- or under-represented."""
    parts = halves(map_data)
    if parts is None:
        return _WITHOUT_DATES
    cells = growth(map_data, parts)
    is_anything = cells.is_growing.any() or cells.is_shrinking.any()
    return Layer(
        GROWTH.slug,
        GROWTH.title,
        (
            f"{len(parts.newer):,} papers since {parts.split.isoformat()}, against {len(parts.older):,} from "
            f"{parts.since.isoformat()} until then, counted in {describe_square(cells.grows.radius)} and compared with "
            "the whole map. Colour marks differences greater than chance would explain (exact hypergeometric tests, "
            f"false discovery rate {FDR:.0%}). The table lists the most significant places, at most {MOST_LISTED // 2} "
            "of each kind."
        ),
        _heatmaps(map_data, cells),
        table=_table(map_data, parts, cells),
        notes=() if is_anything else ("no difference is greater than chance would explain",),
    )


def _heatmaps(map_data: MapData, cells: Growth) -> tuple[Heatmap, ...]:
    strength = np.clip(np.abs(np.log2(cells.times)) / np.log2(FULL_AT), 0.0, 1.0)
    radius = cells.grows.radius
    grows = spread(np.where(cells.is_growing, strength, np.nan), radius)
    shrinks = spread(np.where(cells.is_shrinking, strength, np.nan), radius)
    return (
        Heatmap(map_data.grid, grows, RISING, "grows", "1", f"{FULL_AT:g} times as fast as the whole map"),
        Heatmap(
            map_data.grid,
            shrinks,
            FALLING,
            "falls behind",
            "1",
            f"slower than the whole map by a factor of {FULL_AT:g}",
        ),
    )


def _table(map_data: MapData, parts: Halves, cells: Growth) -> Table:
    """List the places that grow and those that shrink, the 20 most significant of each, ordered by rate of growth."""
    columns = (
        Column("about", "distinctive keywords of these papers"),
        Column("times", "ratio of newer to older papers, relative to the whole map"),
        Column("newer", f"papers since {parts.split.isoformat()}"),
        Column("older", f"papers from {parts.since.isoformat()} until then"),
        Column("q", "lowest false discovery rate at which a cell here is significant, [0, 1]"),
        Column("x", "position on the map"),
        Column("y", "position on the map"),
    )
    is_newer = np.zeros(len(map_data.papers), dtype=np.bool_)
    is_older = is_newer.copy()
    is_newer[parts.newer], is_older[parts.older] = True, True
    lines: list[tuple[float, tuple[str | float | int | None, ...]]] = []
    for where in (cells.is_growing, cells.is_shrinking):
        strength = -np.log10(np.maximum(cells.q, 1e-300))
        for patch in patches(map_data, where, strength, cells.grows.radius)[: MOST_LISTED // 2]:
            newer, older = int(is_newer[patch.rows].sum()), int(is_older[patch.rows].sum())
            times, q = float(parts.times(newer, older)), np.nanmin(cells.q.ravel()[patch.cells])
            about = describe_papers(map_data, patch.rows)
            lines.append((times, (about, round(times, 2), newer, older, float(f"{q:.2g}"), patch.x, patch.y)))
    return Table(columns, tuple(line for _, line in sorted(lines, key=lambda entry: -entry[0])))


GROWTH = LayerKind(
    slug="growth",
    title="Growth",
    help="Places where papers have become more, or less, frequent in the last ten years.",
    group=TIME_GROUP,
    order=10,
    inputs=("papers", "landscape", "terms"),
    list_layers=_list,
    compute=growth_layer,
)
_WITHOUT_DATES = GROWTH.unavailable(f"growth needs {REQUIREMENT}: add dated papers")
