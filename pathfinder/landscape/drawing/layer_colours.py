"""Gives layers colours that can be told apart on the ground in use."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from pathfinder.landscape.data.layer import Dash, Layer, MapLine
from pathfinder.landscape.drawing.palettes import COLOURS
from pathfinder.landscape.drawing.scene import Ground, Palette

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
