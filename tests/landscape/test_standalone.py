import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pathfinder.landscape.canvas.standalone import N_CARDS, TILE_ZOOMS, standalone
from pathfinder.landscape.data.layer import Heatmap, Layer
from pathfinder.landscape.drawing.palettes import COLOURS
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Palette, Scene
from tests.landscape.planted_map import EAST, WEST, map_data

MAP_DATA = map_data()
HOSTILE = "</script><script>alert(1)</script> & <b>$data</b>"


def layer(slug: str) -> Layer:
    grid = MAP_DATA.atlas.grid
    return Layer(slug, slug, "", (Heatmap(grid, np.ones((grid.n_rows, grid.n_columns)), "#123456", slug),))


def data(page: str) -> dict[str, Any]:
    (data_text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    record: dict[str, Any] = json.loads(data_text)
    return record


def test_the_same_scene_gives_the_same_file():
    scene = Scene(Ground.RELIEF, layers=(layer("jwst"),))
    assert standalone(scene, MAP_DATA, "World") == standalone(scene, MAP_DATA, "World")


def test_the_file_holds_tiles_papers_cards_and_the_years():
    record = data(standalone(Scene(Ground.RELIEF), MAP_DATA, "World"))
    assert len(record["scene"]["tiles"]) == sum(4**zoom for zoom in range(TILE_ZOOMS))
    options = {"has_server": False, "can_select": False, "large": False, "scrolls_into_view": True}
    assert record["scene"]["options"] == options
    assert len(record["scene"]["points"]["rows"]) == 60
    assert (record["scene"]["history"]["first"], record["scene"]["history"]["last"]) == (1990, 2029)
    rows = [card["dot"]["row"] for card in record["cards"]]
    assert 20 < len(rows) == len(set(rows)) <= N_CARDS


def test_every_palette_has_its_colours_and_its_legend():
    record = data(standalone(Scene(Ground.RELIEF, layers=(layer("jwst"), layer("gaia"))), MAP_DATA, "World"))
    assert set(record["looks"]) == {"standard", "colour-blind", "contrast"}
    for palette in Palette:
        look, series = record["looks"][palette.value], COLOURS[Ground.RELIEF, palette].series
        styles = [layer["legend"][0]["style"] for layer in look["layers"]]
        assert all(colour in style for colour, style in zip(series, styles, strict=False))
        assert [layer["record"]["cells"][0]["colour"] for layer in look["layers"]] == list(series[:2])
        assert len(look["ground"]) == 5
    assert record["shown"] == ["jwst", "gaia"]


def test_no_text_can_end_the_script_or_become_markup():
    hostile = replace(layer("jwst"), title=HOSTILE)
    page = standalone(Scene(layers=(hostile,), dots=(Dot(0, *WEST, HOSTILE),)), MAP_DATA, HOSTILE)
    assert "<script>alert" not in page
    assert page.count("<script") == page.count("</script>") == 2
    assert "&lt;b&gt;$data&lt;/b&gt;</title>" in page
    assert data(page)["scene"]["dots"][0]["title"] == HOSTILE


def test_the_file_names_no_other_place():
    page = standalone(Scene(Ground.RELIEF), MAP_DATA, "World")
    assert re.findall(r"""\b(?:src|href|url)\s*[=(]\s*["']?(?!data:|#)[\w/.]+""", page.split('id="data"')[0]) == []
    assert "default-src 'none'" in page


def test_the_cards_of_a_file_are_of_its_years():
    record = data(standalone(Scene(years=(2025, 2026)), MAP_DATA, "World"))
    assert sorted(card["dot"]["row"] for card in record["cards"]) == [35, 36]
    assert data(standalone(Scene(years=(1800, 1850)), MAP_DATA, "World"))["cards"] == []


def test_the_papers_that_a_file_was_made_for_come_before_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathfinder.landscape.canvas.standalone.MAX_OWN", 20)
    monkeypatch.setattr("pathfinder.landscape.canvas.standalone.MAX_OTHERS", 10)
    east = MapView(*EAST, 2.0)
    # Papers 40 to 59 lie in the east, paper 40 + i of the year 2000 + i; paper 10 + i of the west is of that year, too.
    page = standalone(Scene(view=east, years=(2000, 2009)), MAP_DATA, "World")
    rows = data(page)["scene"]["points"]["rows"]
    assert len(rows) == len(set(rows)) == 30
    assert set(rows[:10]) == set(range(40, 50))
    assert set(rows[10:20]) == set(range(10, 20))
    assert "This file contains, as points, 10 of the 10 papers in its view, and 20 of the 50 others." in page


def test_a_file_that_holds_every_paper_says_nothing_of_it():
    assert "as points" not in standalone(Scene(years=(1990, 1991)), MAP_DATA, "World")


def test_a_file_that_holds_not_all_it_was_made_for_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathfinder.landscape.canvas.standalone.MAX_OWN", 20)
    monkeypatch.setattr("pathfinder.landscape.canvas.standalone.MAX_OTHERS", 10)
    assert "This file contains, as points, 30 of the 60 papers in its view." in standalone(Scene(), MAP_DATA, "World")
    page = standalone(Scene(view=MapView(*WEST, 1.0)), MAP_DATA, "World")
    assert set(data(page)["scene"]["points"]["rows"][:20]) <= set(range(40))
