"""A visitor's choices on the World page, as stored in the address bar."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pathfinder.landscape.drawing.scene import MapView, Palette
from pathfinder.ui.map import map_state
from pathfinder.ui.shared import kiosk

MAX_NAME = 120
_MAP_FIELDS = ("view", "layer", "years", "palette", "paper")
"""Parameters that the Map page has as well."""


@dataclass(frozen=True, slots=True)
class WorldState:
    """All choices; each field has the same name as its address parameter."""

    view: MapView | None = None
    layer: tuple[str, ...] = ()
    """Slugs of the layers that are on."""
    years: tuple[int, int] | None = None
    palette: Palette = Palette.STANDARD
    paper: str | None = None
    """Id of the paper whose card is open."""
    place: str | None = None
    """Name of the place whose card is open."""
    kiosk: bool = False
    """True if the page runs on a public screen without a keyboard."""


def from_address(parameters: Mapping[str, Sequence[str]]) -> tuple[WorldState, tuple[str, ...]]:
    """Read the state described by a link, with a note about each part that was ignored."""
    own = {"place", kiosk.PARAMETER}
    map_fields, notes = map_state.from_address({k: v for k, v in parameters.items() if k in _MAP_FIELDS})
    notes += tuple(
        f"the link's setting {name!r} is unknown and was ignored"
        for name in parameters
        if name not in {*_MAP_FIELDS, *own}
    )
    place = parameters.get("place", ("",))[-1][:MAX_NAME]
    fields = {name: getattr(map_fields, name) for name in _MAP_FIELDS}
    return WorldState(**fields, place=place or None, kiosk=kiosk.is_in(parameters)), notes


def to_address(state: WorldState) -> dict[str, str | list[str]]:
    """Write `state` as the parameters of a link; default values are left out."""
    map_fields = map_state.MapState(
        view=state.view, layer=state.layer, years=state.years, palette=state.palette, paper=state.paper
    )
    own: dict[str, str | list[str]] = {"place": state.place or "", kiosk.PARAMETER: "1" if state.kiosk else ""}
    return map_state.to_address(map_fields) | {name: value for name, value in own.items() if value}
