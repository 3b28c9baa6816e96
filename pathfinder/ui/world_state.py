"""What a visitor of the world has chosen, as the address bar has it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pathfinder.landscape.scene import Palette, View
from pathfinder.ui import landscape_state

KIOSK = "kiosk"
MAX_NAME = 120
_SHARED = ("view", "layer", "years", "palette", "paper")
"""Parameters that are those of the Map page."""


@dataclass(frozen=True, slots=True)
class WorldState:
    """All of it; a field's name is its parameter's."""

    view: View | None = None
    layer: tuple[str, ...] = ()
    """The layers that are on, by slug."""
    years: tuple[int, int] | None = None
    palette: Palette = Palette.STANDARD
    paper: str | None = None
    """The paper whose card is open, by its id."""
    place: str | None = None
    """The name whose card is open."""
    kiosk: bool = False
    """Whether it stands somewhere in public, with nobody's keyboard."""


def from_address(parameters: Mapping[str, Sequence[str]]) -> tuple[WorldState, tuple[str, ...]]:
    """The state that a link describes, and a note for everything in it that was ignored."""
    own = {"place", KIOSK}
    shared, notes = landscape_state.from_address({k: v for k, v in parameters.items() if k in _SHARED})
    notes += tuple(
        f"the link's setting {name!r} is unknown and was ignored" for name in parameters if name not in {*_SHARED, *own}
    )
    place = parameters.get("place", ("",))[-1][:MAX_NAME]
    fields = {name: getattr(shared, name) for name in _SHARED}
    return WorldState(**fields, place=place or None, kiosk=parameters.get(KIOSK, ("",))[-1] == "1"), notes


def to_address(state: WorldState) -> dict[str, str | list[str]]:
    """The parameters of a link to `state`; defaults are left out."""
    shared = landscape_state.MapState(
        view=state.view, layer=state.layer, years=state.years, palette=state.palette, paper=state.paper
    )
    own: dict[str, str | list[str]] = {"place": state.place or "", KIOSK: "1" if state.kiosk else ""}
    return landscape_state.to_address(shared) | {name: value for name, value in own.items() if value}
