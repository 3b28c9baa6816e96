"""Layers in colours that can be told apart on the ground that they lie on."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from pathfinder.landscape.layer import Layer
from pathfinder.landscape.palettes import COLOURS
from pathfinder.landscape.scene import Ground, Palette


def told_apart(layers: Iterable[Layer], ground: Ground, palette: Palette) -> tuple[Layer, ...]:
    """`layers` with colours of their own, which tell them apart; what is of one colour within a layer stays so.

    The night sky of the standard palette, which layers are coloured for, keeps their colours, unless a layer before has
    them; everywhere else each of them has one of the palette's series, from the first again where there are more.
    """
    series = COLOURS[ground, palette].series
    keeps = ground is Ground.DENSITY and palette is Palette.STANDARD
    given: dict[tuple[str, str], str] = {}

    def colour(slug: str, own: str) -> str:
        if (slug, own) not in given:
            given[slug, own] = _colour(own, tuple(given.values()), series, keeps=keeps)
        return given[slug, own]

    return tuple(_recoloured(layer, partial(colour, layer.slug)) for layer in layers)


def _colour(own: str, given: tuple[str, ...], series: tuple[str, ...], *, keeps: bool) -> str:
    if keeps and own not in given:
        return own
    free = [one for one in series if one not in given]
    return free[0] if free else series[len(given) % len(series)]


def _recoloured(layer: Layer, colour: Callable[[str], str]) -> Layer:
    return replace(
        layer,
        cells=tuple(replace(one, colour=colour(one.colour)) for one in layer.cells),
        lines=tuple(replace(one, colour=colour(one.colour)) for one in layer.lines),
        marks=tuple(replace(one, colour=colour(one.colour)) for one in layer.marks),
    )
