"""The colours of the map as plain data: those of the ground, and those of everything drawn over it.

The canvas of a page and the picture files read the same tables, so that a place looks the same in both. A tile stores a
density, a shade and a height; the colour of a pixel is looked up in the table at its density (night sky) or its height
(relief), then made lighter or darker by its shade:

    slope = shading * (shade - 128) / 128
    colour = table[channel] * (1 + slope) in the shade, table[channel] + (255 - table[channel]) * slope in the light,

where shading begins at the level `shaded_from`: the sea is flat. Lit slopes shift towards white, because colours that
are merely scaled up turn garish once a channel saturates.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import ImageColor

from pathfinder.landscape.data.layer import Dash, Layer, MapLine
from pathfinder.landscape.density import PALETTE
from pathfinder.landscape.drawing.scene import Ground, Palette
from pathfinder.landscape.drawing.terrain import COAST_TO, FLAT, HILLS_TO, PLAINS_TO, SEA_LEVEL

LEVELS = 256
DENSITY, SHADE, HEIGHT = 0, 1, 2
"""The channels of a tile, stored as its red, green and blue."""

DEEP = 0.6
"""Fraction of the sea level below which the sea has a single colour, so that the edge of the map is invisible."""
EDGE = 1e-6
"""Distance between two stops that looks like a sharp edge: less than one level."""

OKABE_ITO = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#d55e00", "#cc79a7", "#0072b2")
"""Okabe & Ito (2008): colours that can be told apart with every kind of colour vision."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one ground in one palette, as `#rrggbb`."""

    channel: int
    """The tile channel used to look up the table: `DENSITY` or `HEIGHT`."""
    stops: tuple[tuple[float, str], ...]
    """Positions from 0 to 1, ascending, with their colours: the colour changes gradually between two stops, and
    abruptly between two that are close together.
    """
    shading: float
    """Strength of the shading, [0, 1]."""
    shaded_from: float
    """The level of `channel` above which shading is applied, [0, 1]."""
    ink: str
    """Colour of names, numbers and legend lines."""
    halo: str
    """Colour around text drawn in `ink`, and behind the legend, so that both are legible on any ground."""
    plate: float
    """Opacity, [0, 1], of the plate in the colour `halo` behind every name; 0 if a halo is enough."""
    point: str
    """Colour of an ordinary paper."""
    dot: str
    """Colour of a hit, or of a paper that the reader chose."""
    outlier: str
    """Colour of a hit that is an outlier."""
    chosen: str
    """Outline colour of the region drawn by a reader."""
    years: str
    """Colour of the heatmap of papers from the chosen years."""
    series: tuple[str, ...]
    """Colours for layers that would otherwise look alike, in the order in which layers are switched on."""


def _relief(deep: str, shallow: str, land: tuple[str, str, str, str, str, str]) -> tuple[tuple[float, str], ...]:
    """Return the colour stops of a relief: the sea, which ends sharply at the coast, followed by coast, plains, hills,
    mountains and summit, which blend into each other.
    """
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
"""Stops of cividis (Nunez, Anderton & Renslow 2018), whose lightness increases evenly for every kind of colour
vision.
"""

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
"""The colours of every ground in every palette."""


def lookup(colours: Colours) -> NDArray[np.uint8]:
    """Compute the unshaded colour of each level from 0 to 255, shape (256, 3)."""
    levels = np.linspace(0.0, 1.0, LEVELS)
    places = [place for place, _ in colours.stops]
    rgb = np.array([ImageColor.getrgb(colour) for _, colour in colours.stops], dtype=np.float64)
    return np.round(np.stack([np.interp(levels, places, rgb[:, i]) for i in range(3)], axis=-1)).astype(np.uint8)


def paint(tile: NDArray[np.uint8], colours: Colours) -> NDArray[np.uint8]:
    """Colour a tile; shape (height, width, 3) before and after."""
    level = tile[..., colours.channel]
    is_shaded = level >= colours.shaded_from * (LEVELS - 1)
    slope = (is_shaded * colours.shading * (tile[..., SHADE].astype(np.float64) - FLAT) / FLAT)[..., None]
    own = lookup(colours)[level].astype(np.float64)
    return np.round(np.where(slope > 0, own + (255 - own) * slope, own * (1 + slope))).astype(np.uint8)


def palette_record(ground: Ground, palette: Palette) -> dict[str, object]:
    """Describe the colours as plain data for the canvas; `table` lists the red, green and blue of each level."""
    colours = COLOURS[ground, palette]
    names = ("channel", "shading", "ink", "halo", "plate", "point", "dot", "outlier", "chosen", "years")
    record = {name: getattr(colours, name) for name in names}
    return record | {
        "table": lookup(colours).ravel().tolist(),
        "shaded_from": round(colours.shaded_from * (LEVELS - 1), 3),
    }


# Gives layers colours that can be told apart on the ground in use.

Style: TypeAlias = tuple[str, Dash]
"""A colour, and the dash pattern of a line drawn in it."""


def assign_colours(layers: Iterable[Layer], ground: Ground, palette: Palette) -> tuple[Layer, ...]:
    """Recolour `layers` so that no two look alike; parts of a layer that share a colour still do so afterwards.

    The layers' own colours are meant for the night sky in the standard palette: there, each layer keeps its colour
    unless an earlier layer has taken it. In all other cases, a layer gets a colour from the palette's series. When the
    series is used up, it is repeated with dashed lines, then with dotted lines, and then from the beginning.
    """
    series = COLOURS[ground, palette].series
    keeps_own = ground is Ground.DENSITY and palette is Palette.STANDARD
    styles: dict[tuple[str, Style], Style] = {}

    def style(slug: str, own: Style) -> Style:
        if (slug, own) not in styles:
            styles[slug, own] = _free_style(own, tuple(styles.values()), series, keeps_own=keeps_own)
        return styles[slug, own]

    return tuple(_recolour(layer, partial(style, layer.slug)) for layer in layers)


def _free_style(own: Style, used_styles: tuple[Style, ...], series: tuple[str, ...], *, keeps_own: bool) -> Style:
    if keeps_own and own not in used_styles:
        return own
    styles = [(colour, dash) for dash in Dash for colour in series]
    free = [style for style in styles if style not in used_styles]
    return free[0] if free else styles[len(used_styles) % len(styles)]


def _recolour(layer: Layer, style: Callable[[Style], Style]) -> Layer:
    def colour(own: str) -> str:
        """Return the new colour of a heatmap or a mark: that of a solid line with the same original colour."""
        return style((own, Dash.SOLID))[0]

    def recoloured_line(line: MapLine) -> MapLine:
        new_colour, dash = style((line.colour, line.dash))
        return replace(line, colour=new_colour, dash=dash)

    return replace(
        layer,
        heatmaps=tuple(replace(heatmap, colour=colour(heatmap.colour)) for heatmap in layer.heatmaps),
        lines=tuple(map(recoloured_line, layer.lines)),
        marks=tuple(replace(mark, colour=colour(mark.colour)) for mark in layer.marks),
    )
