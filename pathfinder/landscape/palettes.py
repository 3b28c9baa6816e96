"""The colours of the map as plain data: what a tile's channels become, and the ink of what is drawn over them.

The canvas of a page and the picture files read the same tables, so one place looks the same in both. A tile
holds a density, a shade and a height and no colour; the colour of a pixel is the table's at its density (night sky)
or its height (relief), made lighter or darker by its shade:

    slope = shading * (shade - 128) / 128
    colour = table[channel] * (1 + slope) in the shade, table[channel] + (255 - table[channel]) * slope in the light,

where `shading` counts from the level `shaded_from` on: the sea is flat. Light goes towards white, because colours that
are only made stronger turn garish where a channel is full.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import ImageColor

from pathfinder.landscape.density import PALETTE
from pathfinder.landscape.scene import Ground, Palette
from pathfinder.landscape.terrain import COAST_TO, FLAT, HILLS_TO, PLAINS_TO, SEA_LEVEL

LEVELS = 256
DENSITY, SHADE, HEIGHT = 0, 1, 2
"""The channels of a tile: red, green, blue."""

DEEP = 0.6
"""Share of the sea level up to which the sea is as deep as it gets: at the edge of the map nothing is to be seen."""
EDGE = 1e-6
"""Between two stops that are to look like one edge: less than a level."""

OKABE_ITO = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#d55e00", "#cc79a7", "#0072b2")
"""Okabe & Ito (2008): told apart by every kind of colour vision."""


@dataclass(frozen=True, slots=True)
class Colours:
    """How one ground looks in one palette. Colours are `#rrggbb`."""

    channel: int
    """Of the tile, that the table is looked up by: `DENSITY` or `HEIGHT`."""
    stops: tuple[tuple[float, str], ...]
    """From 0 to 1, rising; between two stops the colour runs evenly, two close together are an edge."""
    shading: float
    """How strong the shade is, [0, 1]; 0: none."""
    shaded_from: float
    """The level of `channel` from which there is shade, [0, 1]."""
    ink: str
    """Names, numbers and lines of the legend."""
    halo: str
    """Around what is written in ink, and behind the legend, so that it can be read on any ground."""
    plate: float
    """Opacity of a plate of `halo` behind every name, [0, 1]; 0: a halo is enough."""
    point: str
    """A paper among many."""
    dot: str
    """A paper that was found."""
    outlier: str
    """One that lies apart from the others."""
    chosen: str
    """The outline of the region that a reader drew."""
    years: str
    """The veil of the papers of chosen years; none of `series`, where these are given out."""
    series: tuple[str, ...]
    """For layers whose own colours would not be told apart, in the order in which they are switched on."""


def _relief(deep: str, shallow: str, land: tuple[str, str, str, str, str, str]) -> tuple[tuple[float, str], ...]:
    """Sea with an edge at the coast, then coast, plains, hills, mountains and the summit, which run into each other."""
    places = (SEA_LEVEL, COAST_TO, PLAINS_TO, HILLS_TO, (HILLS_TO + 1) / 2, 1.0)
    return (0.0, deep), (DEEP * SEA_LEVEL, deep), (SEA_LEVEL - EDGE, shallow), *zip(places, land, strict=True)


def _even(colours: tuple[str, ...]) -> tuple[tuple[float, str], ...]:
    return tuple((i / (len(colours) - 1), colour) for i, colour in enumerate(colours))


_NIGHT = Colours(
    channel=DENSITY,
    stops=_even(PALETTE),
    shading=0.0,
    shaded_from=0.0,
    ink="#e6e9f0",
    halo=PALETTE[0],
    plate=0.0,
    point="#ffffff",
    dot="#0072b2",
    outlier="#d55e00",
    chosen="#ffd166",
    years="#56b4e9",
    series=OKABE_ITO,
)
_WORLD = Colours(
    channel=HEIGHT,
    stops=_relief("#23527c", "#6aa9cf", ("#ecdfb4", "#b9cf8a", "#86ad62", "#c2a566", "#8f6f57", "#ffffff")),
    shading=0.42,
    shaded_from=SEA_LEVEL,
    ink="#1d1b16",
    halo="#ffffff",
    plate=0.0,
    point="#33302a",
    dot="#0050a0",
    outlier="#b33c00",
    chosen="#c4002f",
    years="#ffd000",
    series=("#c4002f", "#5b2a9d", "#005f9e", "#e05a00", "#00665a", "#8a1067", "#4a3a00"),
)
_CIVIDIS = ("#00224e", "#213d6b", "#6f7076", "#8b8878", "#a69d75", "#c3b369", "#e1cc55", "#fee838")
"""Stops of cividis (Nunez, Anderton & Renslow 2018): lightness rises evenly, for every kind of colour vision."""

COLOURS: dict[tuple[Ground, Palette], Colours] = {
    (Ground.DENSITY, Palette.STANDARD): _NIGHT,
    (Ground.DENSITY, Palette.COLOUR_BLIND): replace(
        _NIGHT,
        stops=_even(("#00152e", "#14335f", "#41516e", "#75777a")),
        years="#f0e442",
        series=tuple(colour for colour in OKABE_ITO if colour != "#f0e442"),
    ),
    (Ground.DENSITY, Palette.CONTRAST): replace(
        _NIGHT,
        stops=_even(("#000000", "#2e2e2e", "#6b6b6b")),
        ink="#ffffff",
        halo="#000000",
        plate=0.85,
        dot="#ffffff",
        outlier="#ffd800",
        chosen="#ffd800",
        years="#ffffff",
        series=("#ffd800", "#00e5ff", "#ff6ec7", "#7cff6b", "#ff9a3d", "#b9a3ff"),
    ),
    (Ground.RELIEF, Palette.STANDARD): _WORLD,
    (Ground.RELIEF, Palette.COLOUR_BLIND): replace(
        _WORLD,
        stops=_relief(_CIVIDIS[0], _CIVIDIS[1], _CIVIDIS[2:]),
        shading=0.4,
        ink="#ffffff",
        halo="#00183a",
        plate=0.7,
        point="#ffffff",
        dot="#0072b2",
        outlier="#d55e00",
        chosen="#ffffff",
        years="#cc79a7",
        series=tuple(colour for colour in OKABE_ITO if colour != "#cc79a7"),
    ),
    (Ground.RELIEF, Palette.CONTRAST): replace(
        _WORLD,
        stops=_relief("#000000", "#000000", ("#ffffff", "#3c3c3c", "#525252", "#747474", "#9a9a9a", "#d0d0d0")),
        shading=0.3,
        ink="#ffffff",
        halo="#000000",
        plate=0.85,
        point="#ffffff",
        dot="#ffffff",
        outlier="#ffd800",
        chosen="#ffd800",
        years="#ffffff",
        series=("#ffd800", "#00e5ff", "#ff6ec7", "#7cff6b", "#ff9a3d", "#b9a3ff"),
    ),
}
"""Every ground in every palette."""


def lookup(colours: Colours) -> NDArray[np.uint8]:
    """The colour of each level 0 to 255 before it is shaded, shape (256, 3)."""
    levels = np.linspace(0.0, 1.0, LEVELS)
    places = [place for place, _ in colours.stops]
    rgb = np.array([ImageColor.getrgb(colour) for _, colour in colours.stops], dtype=np.float64)
    return np.round(np.stack([np.interp(levels, places, rgb[:, i]) for i in range(3)], axis=-1)).astype(np.uint8)


def painted(tile: NDArray[np.uint8], colours: Colours) -> NDArray[np.uint8]:
    """A tile in its colours, shape (height, width, 3) as it came."""
    level = tile[..., colours.channel]
    is_shaded = level >= colours.shaded_from * (LEVELS - 1)
    slope = (is_shaded * colours.shading * (tile[..., SHADE].astype(np.float64) - FLAT) / FLAT)[..., None]
    own = lookup(colours)[level].astype(np.float64)
    return np.round(np.where(slope > 0, own + (255 - own) * slope, own * (1 + slope))).astype(np.uint8)


def palette_record(ground: Ground, palette: Palette) -> dict[str, object]:
    """The same as plain data for the canvas; `table` is red, green, blue of each level, one after the other."""
    colours = COLOURS[ground, palette]
    names = ("channel", "shading", "ink", "halo", "plate", "point", "dot", "outlier", "chosen", "years")
    record = {name: getattr(colours, name) for name in names}
    return record | {
        "table": lookup(colours).ravel().tolist(),
        "shaded_from": round(colours.shaded_from * (LEVELS - 1), 3),
    }
