"""Which papers a file of the map holds: it cannot ask for others when its reader moves or chooses other years."""

from dataclasses import dataclass, replace
from math import log2

import numpy as np

from pathfinder.landscape.chart import Chart, papers_in_words
from pathfinder.landscape.frame import Frame
from pathfinder.landscape.scene import Scene
from pathfinder.landscape.view_record import MAX_POINTS, lots
from pathfinder.types import Rows

MAX_OWN = 5000
"""Papers that are held because of the file's years and view; with their titles they are some 800 kB."""
MAX_OTHERS = MAX_POINTS
"""Papers by lot of all the others, for whoever goes elsewhere in the file."""
_WINDOW = 2.5
"""How many times as wide, or as high, as the frame a window may be that shows the same view."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The papers of a file."""

    rows: Rows
    n_own: int
    """Papers of its years in its view."""
    n_own_held: int
    n_papers: int
    """Of the whole map."""

    @property
    def says(self) -> str:
        """What is left out, as a sentence; "" where nothing is."""
        if len(self.rows) == self.n_papers:
            return ""
        own = f"As points this file holds {self.n_own_held:,} of the {papers_in_words(self.n_own)} that it was made for"
        n_others = self.n_papers - self.n_own
        return f"{own}{f', and {len(self.rows) - self.n_own_held:,} of the {n_others:,} others' if n_others else ''}."


def held(scene: Scene, chart: Chart, frame: Frame) -> Held:
    """First the papers of the scene's years, those in `frame` before those around it; then some of all others by lot.

    Without years or a view, all papers are the scene's own.
    """
    order = lots(len(chart.coordinates))
    places = chart.coordinates[order]
    is_other_year = ~np.isin(order, chart.of_years(scene.years))
    is_out, is_far = ~frame.holds(places), ~_window(frame).holds(places)
    own_first = order[np.lexsort((is_out, is_far, is_other_year))]
    others = order[~np.isin(order, own_first[:MAX_OWN])]
    rows = np.concatenate([own_first[:MAX_OWN], others[:MAX_OTHERS]])
    own = order[~is_other_year & ~is_out]
    return Held(rows, len(own), int(np.isin(own, rows).sum()), len(order))


def _window(frame: Frame) -> Frame:
    """All that a window of another shape shows of the same view."""
    wider = replace(frame.view, zoom=max(frame.view.zoom - log2(_WINDOW), 0.0))
    return replace(frame, view=wider)
