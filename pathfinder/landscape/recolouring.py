"""Layers in colours that can be told apart on the ground that they lie on."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from pathfinder.landscape.layer import Layer
from pathfinder.landscape.palettes import COLOURS
from pathfinder.landscape.scene import Ground, Palette


def told_apart(layers: Iterable[Layer], ground: Ground, palette: Palette) -> tuple[Layer, ...]:
    """`layers` with a colour for each title of what they draw.

    The standard palette keeps a layer's own colours, unless a title before has them; the other palettes give each
    title its own of the palette's series, from the first again where there are more titles than colours.
    """
    series = COLOURS[ground, palette].series
    given: dict[str, str] = {}

    def colour(title: str, own: str) -> str:
        if title not in given:
            given[title] = _colour(own, tuple(given.values()), series, keeps=palette is Palette.STANDARD)
        return given[title]

    return tuple(_recoloured(layer, colour) for layer in layers)


def _colour(own: str, given: tuple[str, ...], series: tuple[str, ...], *, keeps: bool) -> str:
    if keeps and own not in given:
        return own
    free = [one for one in series if one not in given]
    return free[0] if free else series[len(given) % len(series)]


def _recoloured(layer: Layer, colour: Callable[[str, str], str]) -> Layer:
    return replace(
        layer,
        cells=tuple(replace(one, colour=colour(one.title, one.colour)) for one in layer.cells),
        lines=tuple(replace(one, colour=colour(one.title, one.colour)) for one in layer.lines),
        marks=tuple(replace(one, colour=colour(one.title, one.colour)) for one in layer.marks),
    )
