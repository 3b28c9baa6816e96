import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import ImageColor

from pathfinder.landscape.canvas.source import script
from pathfinder.landscape.data.layer import Dash, Heatmap, Layer, MapLine, Mark, colour_of, dash_of
from pathfinder.landscape.density import PALETTE, Extent, Grid
from pathfinder.landscape.drawing.legend import LegendEntry, Sign, layer_entries, legend_html
from pathfinder.landscape.drawing.palettes import COLOURS, HEIGHT, LEVELS, assign_colours, lookup, paint, palette_record
from pathfinder.landscape.drawing.scene import Ground, Palette
from pathfinder.landscape.drawing.terrain import SEA_LEVEL

EVERY = [pytest.param(ground, palette, id=f"{ground} {palette}") for ground in Ground for palette in Palette]
BLIND = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}
"""What is seen of linear red, green and blue (Machado, Oliveira & Fernandes 2009, severity 1)."""


def linear(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    share = colours / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def luminance(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Relative luminance as WCAG 2 has it, [0, 1]."""
    return np.asarray(linear(colours) @ [0.2126, 0.7152, 0.0722])


def contrast(first: str, other: str) -> float:
    a, b = sorted((float(luminance(np.array(ImageColor.getrgb(colour)))) for colour in (first, other)), reverse=True)
    return (a + 0.05) / (b + 0.05)


@pytest.mark.parametrize(("ground", "palette"), EVERY)
def test_a_name_can_be_read_on_its_halo(ground: Ground, palette: Palette):
    colours = COLOURS[ground, palette]
    assert contrast(colours.ink, colours.halo) >= (7 if palette is Palette.CONTRAST else 4.5)


@pytest.mark.parametrize(("ground", "palette"), EVERY)
def test_a_table_runs_from_its_first_stop_to_its_last(ground: Ground, palette: Palette):
    colours = COLOURS[ground, palette]
    table = lookup(colours)
    assert table.shape == (LEVELS, 3)
    assert tuple(table[0]) == ImageColor.getrgb(colours.stops[0][1])
    assert tuple(table[-1]) == ImageColor.getrgb(colours.stops[-1][1])


@pytest.mark.parametrize(("ground", "palette"), EVERY)
def test_stops_rise_from_nothing_to_everything(ground: Ground, palette: Palette):
    places = [place for place, _ in COLOURS[ground, palette].stops]
    assert places == sorted(set(places))
    assert (places[0], places[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("ground", Ground)
def test_the_colour_blind_ground_never_darkens_as_it_rises(ground: Ground):
    # Tables are rounded to whole levels, which costs up to half a level of each channel.
    assert np.diff(luminance(lookup(COLOURS[ground, Palette.COLOUR_BLIND]))).min() > -1e-3


@pytest.mark.parametrize("kind", BLIND)
def test_the_colour_blind_series_is_told_apart_by_whom_it_is_for(kind: str):
    series = np.array([ImageColor.getrgb(colour) for colour in COLOURS[Ground.DENSITY, Palette.COLOUR_BLIND].series])
    seen = np.clip(linear(series) @ np.array(BLIND[kind]).T, 0, 1) ** (1 / 2.4)
    apart = np.linalg.norm(seen[:, None] - seen[None], axis=-1)[np.triu_indices(len(series), 1)]
    assert apart.min() > 0.12


@pytest.mark.parametrize("palette", Palette)
def test_the_coast_is_an_edge(palette: Palette):
    table = luminance(lookup(COLOURS[Ground.RELIEF, palette]))
    sea = int(SEA_LEVEL * 255)
    assert table[sea + 1] - table[sea] > 10 * abs(table[sea] - table[sea - 1])


def test_the_years_have_a_colour_that_no_layer_is_given():
    # On the night sky of the standard palette layers keep their own colours.
    for key, colours in COLOURS.items():
        assert key == (Ground.DENSITY, Palette.STANDARD) or colours.years not in colours.series


def test_the_night_sky_is_the_one_of_the_small_map():
    assert [colour for _, colour in COLOURS[Ground.DENSITY, Palette.STANDARD].stops] == list(PALETTE)


def test_shade_lightens_and_darkens_the_land_and_leaves_the_sea():
    colours = COLOURS[Ground.RELIEF, Palette.STANDARD]
    shades = np.array([64, 128, 192])
    land, sea = (np.stack([0 * shades, shades, np.full(3, height)], axis=-1)[None] for height in (150, 10))
    lit = paint(land.astype(np.uint8), colours)[0]
    # (64 - 128) / 128 = -1/2 and (192 - 128) / 128 = 1/2, times the shading.
    own, half = lookup(colours)[150].astype(float), colours.shading / 2
    assert lit[0] == pytest.approx(own * (1 - half), abs=0.51)
    assert lit[1] == pytest.approx(own)
    assert lit[2] == pytest.approx(own + (255 - own) * half, abs=0.51)
    assert (paint(sea.astype(np.uint8), colours)[0] == lookup(colours)[10]).all()


def test_night_is_looked_up_by_density_and_relief_by_height():
    tile = np.array([[[255, 128, 0], [0, 128, 255]]], dtype=np.uint8)
    night = paint(tile, COLOURS[Ground.DENSITY, Palette.STANDARD])
    assert tuple(night[0, 0]) == ImageColor.getrgb(PALETTE[-1])
    assert tuple(night[0, 1]) == ImageColor.getrgb(PALETTE[0])
    world = paint(tile, COLOURS[Ground.RELIEF, Palette.STANDARD])
    assert tuple(world[0, 1]) == (255, 255, 255)


def test_a_record_holds_what_a_canvas_needs():
    record = palette_record(Ground.RELIEF, Palette.STANDARD)
    colours = COLOURS[Ground.RELIEF, Palette.STANDARD]
    assert record["channel"] == HEIGHT
    assert record["table"] == lookup(colours).ravel().tolist()
    assert record["ink"] == colours.ink
    assert record["shaded_from"] == pytest.approx(255 * SEA_LEVEL, abs=1e-3)


def test_the_canvas_reads_each_of_the_colours_that_are_sent_to_it():
    sent = palette_record(Ground.RELIEF, Palette.STANDARD)
    assert [name for name in sent if not re.search(rf"\b{name}\b", script())] == []


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


ONE_CELL = Grid(Extent(0, 1, 0, 1), 1, 1)


def veil(low: str = "", high: str = "", value: float = 1.0) -> Layer:
    return Layer("a", "A", "", (Heatmap(ONE_CELL, np.array([[value]]), "#111111", "JWST", low, high),))


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [("", "", "JWST"), ("1", "8 times", "JWST: 1 to 8 times"), ("", "8 times", "JWST: 8 times"), ("1", "", "JWST: 1")],
)
def test_a_veil_is_told_with_what_is_known_of_its_scale(low, high, words):
    assert layer_entries(veil(low, high)) == (LegendEntry(Sign.HEATMAP, "#111111", words),)


def test_a_veil_that_is_thin_everywhere_is_shown_thin():
    (entry,) = layer_entries(veil(value=0.3))
    assert entry.strength < 1


def test_what_is_drawn_often_is_told_once_and_what_has_no_title_not_at_all():
    points = np.zeros((2, 2), dtype=np.float32)
    lines = (
        MapLine(points, "#222222", "path", is_path=True),
        MapLine(points, "#333333"),
        MapLine(points, "#444444", "half"),
    )
    marks = (Mark(0, 0, "one", "#555555", "review"), Mark(1, 1, "other", "#555555", "review"))
    entries = layer_entries(Layer("a", "A", "", lines=lines, marks=marks))
    assert [(entry.sign, entry.text) for entry in entries] == [
        (Sign.PATH, "path"),
        (Sign.LINE, "half"),
        (Sign.MARK, "review"),
    ]


def test_the_legend_shows_how_a_line_is_dashed():
    points = np.zeros((2, 2), dtype=np.float32)
    lines = tuple(MapLine(points, "#111111", dash.value, dash=dash) for dash in Dash)
    solid, dashed, dotted = legend_html(layer_entries(Layer("topics", "Topics", "", lines=lines))).split("</div>")[:3]
    assert "mask" not in solid
    assert "mask:repeating-linear-gradient(90deg,#000 0 7px,#0000 0 11px)" in dashed
    assert "mask:repeating-linear-gradient(90deg,#000 0 2px,#0000 0 5px)" in dotted


def test_texts_of_a_layer_are_shown_as_text_and_each_once():
    values = np.zeros((1, 1))
    layer = Layer(
        "x",
        "X",
        "says",
        heatmaps=(Heatmap(ONE_CELL, values, "#ff0000", "<b>more</b>", "none", "many"),),
        lines=(MapLine(np.zeros((2, 2), np.float32), "#00ff00", "<i>line</i>"),) * 2,
        marks=(Mark(0, 0, "text", "#0000ff", "a mark"), Mark(1, 1, "text", "#0000ff")),
    )
    html = legend_html(layer_entries(layer))
    assert "&lt;b&gt;more&lt;/b&gt;: none to many" in html
    assert html.count("&lt;i&gt;line") == 1
    assert html.count("a mark") == 1
    assert "<b>" not in html
