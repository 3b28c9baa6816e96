import numpy as np
import pytest

from pathfinder.landscape.data.layer import Dash, Heatmap, Layer, MapLine, Mark
from pathfinder.landscape.density import Extent, Grid
from pathfinder.landscape.drawing.legend import LegendEntry, Sign, layer_entries, legend_html

GRID = Grid(Extent(0, 1, 0, 1), 1, 1)


def veil(low: str = "", high: str = "", value: float = 1.0) -> Layer:
    return Layer("a", "A", "", (Heatmap(GRID, np.array([[value]]), "#111111", "JWST", low, high),))


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
        heatmaps=(Heatmap(GRID, values, "#ff0000", "<b>more</b>", "none", "many"),),
        lines=(MapLine(np.zeros((2, 2), np.float32), "#00ff00", "<i>line</i>"),) * 2,
        marks=(Mark(0, 0, "text", "#0000ff", "a mark"), Mark(1, 1, "text", "#0000ff")),
    )
    html = legend_html(layer_entries(layer))
    assert "&lt;b&gt;more&lt;/b&gt;: none to many" in html
    assert html.count("&lt;i&gt;line") == 1
    assert html.count("a mark") == 1
    assert "<b>" not in html
