import base64
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from pathfinder.landscape.data.landscape import Landscape
from pathfinder.landscape.density import Extent, density_png
from pathfinder.landscape.drawing.legend import NOTE
from pathfinder.landscape.drawing.scene import Dot
from pathfinder.landscape.figures.map import MAP_CONFIG, describe_map, map_figure
from pathfinder.landscape.figures.plotting import PLOT_CONFIG

GROUND = density_png(np.outer(np.linspace(0, 1, 60), np.linspace(0, 1, 90)))
LANDSCAPE = Landscape(np.zeros((16659, 2), dtype=np.float32), Extent(left=0, right=9, bottom=0, top=6), GROUND)


def point(rank, x=1.0, y=1.0, outlier=False, title="A title", year=2024):
    return Dot(rank, x, y, title, year, rank, outlier)


def test_a_map_without_papers_is_the_ground_alone():
    figure = map_figure(LANDSCAPE, [])
    assert len(figure.data) == 0
    assert len(figure.layout.images) == 1
    assert figure.layout.xaxis.range == (0, 9)


def test_markup_in_a_title_is_shown_and_not_followed():
    title = '<a href="http://example.org">H<sub>2</sub></a> & <script>'
    (dot,) = map_figure(LANDSCAPE, [point(1, title=title)]).data
    assert dot.hovertext[0] == (
        '&lt;a href="http://example.org"&gt;H&lt;sub&gt;2&lt;/sub&gt;&lt;/a&gt; &amp;<br>&lt;script&gt;<br>2024'
    )


def test_hover_says_title_and_year_and_nothing_else():
    (dots,) = map_figure(LANDSCAPE, [point(1), point(2, x=5, year=None)]).data
    assert dots.hovertext == ("A title<br>year unknown", "A title<br>2024")
    assert dots.hoverinfo == "text"


def test_the_ground_fills_the_extent():
    (image,) = map_figure(LANDSCAPE, []).layout.images
    assert (image.x, image.y, image.sizex, image.sizey) == (0, 6, 9, 6)
    assert (image.sizing, image.layer) == ("stretch", "below")
    drawn = Image.open(BytesIO(base64.b64decode(image.source.removeprefix("data:image/webp;base64,"))))
    colours = [np.asarray(each.convert("RGB"), dtype=float) for each in (drawn, Image.open(BytesIO(GROUND)))]
    assert np.abs(colours[0] - colours[1]).mean() < 2


def test_every_hit_has_its_rank_and_the_best_lies_on_top():
    _, dots = map_figure(LANDSCAPE, [point(1), point(2), point(3)]).data
    assert dots.text == ("3", "2", "1")
    assert list(dots.customdata) == [3, 2, 1]


@pytest.mark.parametrize("apart", [0.0, 0.001, 0.02, 1.0])
def test_no_two_numbers_overlap_and_each_is_tied_to_its_place(apart):
    points = [point(rank, x=4 + apart * (rank % 3), y=3 + apart * (rank // 3)) for rank in range(1, 11)]
    figure = map_figure(LANDSCAPE, points)
    (dots, *others), view = figure.data[::-1], figure.layout
    pixels = min(350 / np.ptp(view.xaxis.range), 280 / np.ptp(view.yaxis.range))
    places = np.column_stack([dots.x, dots.y]) * pixels
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)) + 100 * np.eye(10)
    assert distances.min() > 20
    assert (len(others) == 0) == (apart == 1.0)
    for lines in others:
        ends = np.array(lines.x, dtype=float).reshape(-1, 3)
        assert set(ends[:, 0]) <= {each.x for each in points}
        assert set(ends[:, 1]) <= set(dots.x)


def test_outliers_differ_in_colour_and_in_shape():
    outlier, inlier = map_figure(LANDSCAPE, [point(1), point(2, x=5, outlier=True)]).data
    assert inlier.marker.color != outlier.marker.color
    assert inlier.marker.symbol != outlier.marker.symbol


def test_the_legend_names_each_kind_of_dot_once():
    figure = map_figure(LANDSCAPE, [point(1), point(2), point(3, outlier=True), point(4, outlier=True)])
    assert sorted(dot.name for dot in figure.data if dot.showlegend) == [
        "paper found",
        "unlike the others",
    ]


def test_where_outliers_cannot_be_told_the_legend_says_neither():
    (dot,) = map_figure(LANDSCAPE, [point(1, outlier=None)]).data
    assert dot.name == "paper found"


def test_axes_are_hidden_and_said_to_mean_nothing():
    layout = map_figure(LANDSCAPE, [point(1)]).layout
    assert (layout.xaxis.visible, layout.yaxis.visible) == (False, False)
    assert [note.text.replace("<br>", " ") for note in layout.annotations] == [NOTE]
    assert layout.yaxis.scaleanchor == "x"


def test_the_zoom_outlives_a_new_result_and_not_a_change_of_view():
    first, second = map_figure(LANDSCAPE, [point(1)]), map_figure(LANDSCAPE, [point(1, x=5)])
    assert first.layout.uirevision == second.layout.uirevision
    assert first.layout.uirevision != map_figure(LANDSCAPE, []).layout.uirevision


def test_a_close_up_begins_with_the_papers_that_lie_together():
    points = [point(1, x=2, y=2), point(2, x=4, y=3), point(3, x=8, y=6, outlier=True)]
    layout = map_figure(LANDSCAPE, points).layout
    # 2 wide, so a margin of 0.35 * 2 on every side
    assert layout.xaxis.range == pytest.approx((1.3, 4.7))
    assert layout.yaxis.range == pytest.approx((1.3, 3.7))


def test_a_close_up_of_one_paper_shows_its_surroundings():
    low, high = map_figure(LANDSCAPE, [point(1, x=3, outlier=True)]).layout.xaxis.range
    assert low < 3 < high


def test_the_wheel_zooms_and_nothing_is_sent_anywhere():
    assert MAP_CONFIG["scrollZoom"] is True
    assert MAP_CONFIG["showSendToCloud"] is False


def test_every_plot_is_downloaded_as_vectors():
    assert [config["toImageButtonOptions"]["format"] for config in (PLOT_CONFIG, MAP_CONFIG)] == ["svg", "svg"]


def test_the_map_in_words_for_no_paper_one_paper_and_a_spread():
    assert describe_map(LANDSCAPE, []).endswith("no papers were found.")
    assert "1 paper found, at the centre." in describe_map(LANDSCAPE, [point(1, x=4.5, y=3, outlier=None)])
    corners = [point(1), point(2, x=8), point(3, y=5), point(4, x=8, y=5)]
    assert "4 papers found, spread across the map." in describe_map(LANDSCAPE, corners)
