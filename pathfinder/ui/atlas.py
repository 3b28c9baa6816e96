"""The canvas of the map as a part of a page: what it is given, and what it tells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pathfinder.errors import UsageError
from pathfinder.landscape.atlas import Atlas
from pathfinder.landscape.canvas.source import script, styles
from pathfinder.landscape.scene import View
from pathfinder.landscape.view_record import MAX_TILES, Sampler, tiles_record

_BOX_SIDES = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the canvas asks for: as a browser sent it, so nothing of it is to be believed unread."""

    tiles: tuple[str, ...] = ()
    box: tuple[float, float, float, float] | None = None
    """Left, bottom, right and top of the papers to be drawn; `None`: it has them."""
    has: str | None = None
    """The number of the scene that it draws; `None`: none yet."""
    view: View | None = None
    """What it shows; `None`: the whole map."""

    @classmethod
    def read(cls, told: Any) -> "Wanted":
        """Raises `UsageError` for what no canvas sends."""
        if not isinstance(told, dict):
            raise UsageError(f"a map asks for tiles and papers, got {str(told)[:80]!r}: load the page again")
        tiles, box, has = told.get("tiles") or (), told.get("box"), told.get("has")
        if not isinstance(tiles, Sequence) or not all(isinstance(name, str) for name in tiles):
            raise UsageError(f"tiles are asked for by their names, got {str(tiles)[:80]!r}: load the page again")
        view = told.get("view")
        return cls(
            tuple(tiles),
            None if box is None else _box(box),
            has if isinstance(has, str) else None,
            View.read(view) if isinstance(view, str) else None,
        )


def _box(told: Any) -> tuple[float, float, float, float]:
    is_four = isinstance(told, list) and len(told) == _BOX_SIDES
    if not is_four or not all(isinstance(side, int | float) and isfinite(side) for side in told):
        raise UsageError(f"a view has four sides, got {str(told)[:80]!r}: load the page again")
    left, bottom, right, top = map(float, told)
    return left, bottom, right, top


def first_wanted(atlas: Atlas) -> Wanted:
    """What any canvas asks for at first, so that it need not ask: the coarsest tiles, and papers of the whole map."""
    extent = atlas.grid.extent
    tiles = [f"{zoom}/{column}/{line}" for zoom in (0, 1) for line in range(2**zoom) for column in range(2**zoom)]
    return Wanted(tuple(tiles), (extent.left, extent.bottom, extent.right, extent.top))


def reply(
    record: dict[str, Any],
    wanted: Wanted,
    atlas: Atlas,
    sampler: Sampler,
    years: tuple[int, int] | None,
    address: str = "",
) -> dict[str, Any]:
    """What is sent: the scene, unless the canvas has just this one, and what it wants. `address` is what this run says.

    Raises `UsageError` for a tile that there is not.
    """
    return {
        "scene": None if wanted.has == record["number"] else record,
        "tiles": tiles_record(atlas, wanted.tiles[:MAX_TILES]) or None,
        "points": None if wanted.box is None else sampler.points_record(wanted.box, years),
        # Data that is as before does not reach the canvas, and it is to put its view into every new address.
        "address": address,
    }


def draw(key: str, data: dict[str, Any], told: dict[str, Callable[[], None]]) -> None:
    """Draw the canvas; `told` has what is called back, by what the canvas reports: `want`, `click`, `select`, `years`.

    What was reported then stands in the session's state, under `key` and the name of the report.
    """
    callbacks: dict[str, Any] = {f"on_{name}_change": heard for name, heard in told.items()}
    _component()(key=key, data=data, **callbacks)


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    """Made once for all visitors: it holds no more than script and styles."""
    adapter = (Path(__file__).parent / "atlas_adapter.js").read_text(encoding="utf-8")
    return st.components.v2.component("pathfinder_map", css=styles(), js=script() + adapter)
