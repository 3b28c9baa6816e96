"""Layers in colours that can be told apart on the ground that they lie on."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from pathfinder.landscape.layer import Dash, Layer, Line
from pathfinder.landscape.palettes import COLOURS
from pathfinder.landscape.scene import Ground, Palette

Look: TypeAlias = tuple[str, Dash]
"""A colour, and how a line of it is drawn."""


def told_apart(layers: Iterable[Layer], ground: Ground, palette: Palette) -> tuple[Layer, ...]:
    """`layers` with colours of their own, which tell them apart; what is of one colour within a layer stays so.

    The night sky of the standard palette, which layers are coloured for, keeps their colours, unless a layer before has
    them; everywhere else each of them has one of the palette's series. Where there are more of them than colours, these
    come again with dashed lines, then with dotted ones, and then from the first.
    """
    series = COLOURS[ground, palette].series
    keeps = ground is Ground.DENSITY and palette is Palette.STANDARD
    given: dict[tuple[str, Look], Look] = {}

    def look(slug: str, own: Look) -> Look:
        if (slug, own) not in given:
            given[slug, own] = _look(own, tuple(given.values()), series, keeps=keeps)
        return given[slug, own]

    return tuple(_recoloured(layer, partial(look, layer.slug)) for layer in layers)


def _look(own: Look, given: tuple[Look, ...], series: tuple[str, ...], *, keeps: bool) -> Look:
    if keeps and own not in given:
        return own
    looks = [(colour, dash) for dash in Dash for colour in series]
    free = [one for one in looks if one not in given]
    return free[0] if free else looks[len(given) % len(looks)]


def _recoloured(layer: Layer, look: Callable[[Look], Look]) -> Layer:
    def plain(colour: str) -> str:
        """Of what has no line: what is drawn in one colour with a solid line has the colour of that."""
        return look((colour, Dash.SOLID))[0]

    def drawn(line: Line) -> Line:
        colour, dash = look((line.colour, line.dash))
        return replace(line, colour=colour, dash=dash)

    return replace(
        layer,
        cells=tuple(replace(one, colour=plain(one.colour)) for one in layer.cells),
        lines=tuple(map(drawn, layer.lines)),
        marks=tuple(replace(one, colour=plain(one.colour)) for one in layer.marks),
    )
