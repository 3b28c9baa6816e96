"""Places of concepts on the map: the region with the largest number of their papers, whether it is a gap, and the
bridges among their papers.
"""

from dataclasses import dataclass, field

import numpy as np

from pathfinder.landscape.data.layer import Layer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.bridges import BRIDGES
from pathfinder.landscape.layers.gaps import DistrictScores, score
from pathfinder.landscape.layers.registry import layer
from pathfinder.landscape.statistics.districts import too_few_papers
from pathfinder.landscape.statistics.keywords import name_districts
from pathfinder.types import ConceptPlace, Paper, Rows


@dataclass(frozen=True, eq=False)
class ConceptMap:
    """Regions and bridges of a map, as its layers of gaps and bridges show them."""

    map_data: MapData
    regions: DistrictScores
    bridges: frozenset[int]
    """Rows of the papers marked as bridges."""
    _names: dict[int, str] = field(default_factory=dict)

    def place_of(self, rows: Rows) -> ConceptPlace:
        """Find the region that contains the largest number of the papers at `rows`, which must not be empty."""
        n_in = np.bincount(self.regions.districts.of[rows], minlength=len(self.regions.districts))
        region = int(n_in.argmax())
        x, y = self.regions.districts.middles[region].tolist()
        return ConceptPlace(self._name(region), x, y, int(n_in[region]), bool(self.regions.is_gap[region]))

    def bridges_among(self, rows: Rows) -> tuple[Paper, ...]:
        """Return the papers among `rows` that are bridges."""
        return tuple(self.map_data.papers[row] for row in rows.tolist() if row in self.bridges)

    def _name(self, region: int) -> str:
        if region not in self._names:
            districts = self.regions.districts
            self._names[region] = name_districts(self.map_data, districts.of, len(districts), {region})[region]
        return self._names[region]


def concept_map(map_data: MapData | None) -> tuple[ConceptMap | None, tuple[str, ...]]:
    """Read the regions and bridges of a map, with notes that say why any are missing."""
    if map_data is None:
        return None, ("this corpus has no map, so the list does not say where the concepts lie",)
    if reason := too_few_papers(map_data):
        return None, (reason,)
    bridges = layer(map_data, BRIDGES.slug)
    rows = [mark.row for mark in bridges.marks if mark.row is not None] if isinstance(bridges, Layer) else []
    notes = () if isinstance(bridges, Layer) else (f"no bridges: {bridges.reason}",)
    return ConceptMap(map_data, score(map_data), frozenset(rows)), notes
