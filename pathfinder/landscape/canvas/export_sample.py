"""Chooses the papers that an exported map contains, because a file cannot load more when its reader moves around."""

from dataclasses import dataclass, replace
from math import log2

import numpy as np

from pathfinder.landscape.canvas.view_record import MAX_POINTS, sampling_order
from pathfinder.landscape.data.map_data import MapData, describe_paper_count
from pathfinder.landscape.drawing.scene import Scene
from pathfinder.landscape.drawing.viewport import Viewport
from pathfinder.types import Rows

MAX_OWN = 5000
"""Maximum number of papers from the file's own years and view; with their titles, these take up about 800 kB."""
MAX_OTHERS = MAX_POINTS
"""Maximum number of papers sampled from all the others, for readers who move to another part of the map."""
_WINDOW = 2.5
"""Factor by which a reader's window may be wider or taller than the viewport and still show the same view."""


@dataclass(frozen=True, slots=True, eq=False)
class ExportSample:
    """The papers that an exported file contains."""

    rows: Rows
    n_own: int
    """Number of papers from the file's own years and view."""
    n_own_included: int
    n_papers: int
    """Number of papers on the whole map."""

    def describe(self) -> str:
        """Describe in one sentence what is left out; "" if every paper is in the file."""
        if len(self.rows) == self.n_papers:
            return ""
        n_others, n_others_included = self.n_papers - self.n_own, len(self.rows) - self.n_own_included
        own = f"{self.n_own_included:,} of the {describe_paper_count(self.n_own)} in its view"
        others = f", and {n_others_included:,} of the {n_others:,} others" if n_others else ""
        return f"This file contains, as points, {own}{others}."


def export_sample(scene: Scene, map_data: MapData, viewport: Viewport) -> ExportSample:
    """Take papers from the scene's years first, those in the view before those around it, then a sample of the others.

    If the scene has neither years nor a view, all papers count as belonging to it.
    """
    order = sampling_order(len(map_data.coordinates))
    places = map_data.coordinates[order]
    is_other_year = ~np.isin(order, map_data.rows_of_years(scene.years))
    is_out, is_far = ~viewport.contains(places), ~_window(viewport).contains(places)
    own_first = order[np.lexsort((is_out, is_far, is_other_year))]
    others = order[~np.isin(order, own_first[:MAX_OWN])]
    rows = np.concatenate([own_first[:MAX_OWN], others[:MAX_OTHERS]])
    own = order[~is_other_year & ~is_out]
    return ExportSample(rows, len(own), int(np.isin(own, rows).sum()), len(order))


def _window(viewport: Viewport) -> Viewport:
    """The largest part of the map that a window of a different shape may show for the same view."""
    wider = replace(viewport.view, zoom=max(viewport.view.zoom - log2(_WINDOW), 0.0))
    return replace(viewport, view=wider)
