from dataclasses import replace

import numpy as np
import pytest

from pathfinder.landscape.data.layer import Dash, Heatmap, Layer, MapLine, Mark, colour_of, dash_of
from pathfinder.landscape.density import Extent, Grid
from pathfinder.landscape.drawing.palettes import COLOURS, assign_colours
from pathfinder.landscape.drawing.scene import Ground, Palette

GRID = Grid(Extent(0.0, 1.0, 0.0, 1.0), 1, 1)


def layer(slug: str, colour: str) -> Layer:
    cells = (Heatmap(GRID, np.ones((1, 1)), colour, slug),)
    lines = (MapLine(np.zeros((2, 2), dtype=np.float32), colour, slug),)
    return Layer(slug, slug, "", cells, lines, (Mark(0.0, 0.0, "a place", colour, slug),))


def colours(layers: tuple[Layer, ...]) -> list[str]:
    for coloured in layers:
        assert coloured.heatmaps[0].colour == coloured.lines[0].colour == coloured.marks[0].colour
    return [coloured.heatmaps[0].colour for coloured in layers]


def test_the_night_sky_keeps_what_is_told_apart():
    layers = (layer("jwst", "#111111"), layer("gaia", "#222222"))
    assert colours(assign_colours(layers, Ground.DENSITY, Palette.STANDARD)) == ["#111111", "#222222"]


def test_two_layers_of_one_colour_are_told_apart():
    layers = (layer("jwst", "#111111"), layer("gaia", "#111111"))
    series = COLOURS[Ground.DENSITY, Palette.STANDARD].series
    assert colours(assign_colours(layers, Ground.DENSITY, Palette.STANDARD)) == ["#111111", series[0]]


def test_everywhere_else_each_layer_has_its_own_colour():
    layers = (layer("jwst", "#111111"), layer("gaia", "#222222"), layer("jwst", "#111111"))
    for ground, palette in set(COLOURS) - {(Ground.DENSITY, Palette.STANDARD)}:
        first, second, *_ = COLOURS[ground, palette].series
        assert colours(assign_colours(layers, ground, palette)) == [first, second, first]


def test_more_layers_than_colours_begin_again_with_dashed_lines_then_with_dotted_ones():
    series = COLOURS[Ground.DENSITY, Palette.COLOUR_BLIND].series
    layers = tuple(layer(str(i), "#111111") for i in range(3 * len(series) + 1))
    coloured = assign_colours(layers, Ground.DENSITY, Palette.COLOUR_BLIND)
    assert colours(coloured) == [*series, *series, *series, series[0]]
    n = len(series)
    dashes = [coloured_layer.lines[0].dash for coloured_layer in coloured]
    assert dashes == [*[Dash.SOLID] * n, *[Dash.DASHED] * n, *[Dash.DOTTED] * n, Dash.SOLID]


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("ground", Ground)
def test_eighteen_lines_of_one_layer_all_look_different_on_every_ground(ground, palette):
    points = np.zeros((2, 2), dtype=np.float32)
    lines = tuple(MapLine(points, colour_of(place), str(place), dash=dash_of(place)) for place in range(18))
    (recoloured,) = assign_colours((Layer("topics", "Topics", "", lines=lines),), ground, palette)
    assert len({(line.colour, line.dash) for line in recoloured.lines}) == 18


def test_what_is_of_one_colour_within_a_layer_stays_so():
    (original,) = (layer("jwst", "#111111"),)
    sure, perhaps = original.heatmaps[0], replace(original.heatmaps[0], title="may be chance")
    other = replace(original.heatmaps[0], colour="#222222")
    for palette in Palette:
        (recoloured,) = assign_colours((replace(original, heatmaps=(sure, perhaps, other)),), Ground.RELIEF, palette)
        first, second, third = (cells.colour for cells in recoloured.heatmaps)
        assert first == second != third
