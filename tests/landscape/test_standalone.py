import json
import re
from dataclasses import replace
from typing import Any

import numpy as np

from pathfinder.landscape.layer import Cells, Layer
from pathfinder.landscape.palettes import COLOURS
from pathfinder.landscape.scene import Dot, Ground, Palette, Scene
from pathfinder.landscape.standalone import N_CARDS, TILE_ZOOMS, standalone
from tests.landscape.charts import WEST, chart

CHART = chart()
HOSTILE = "</script><script>alert(1)</script> & <b>$data</b>"


def layer(slug: str) -> Layer:
    grid = CHART.atlas.grid
    return Layer(slug, slug, "", (Cells(grid, np.ones((grid.n_rows, grid.n_columns)), "#123456", slug),))


def data(page: str) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    record: dict[str, Any] = json.loads(found)
    return record


def test_the_same_scene_gives_the_same_file():
    scene = Scene(Ground.RELIEF, layers=(layer("jwst"),))
    assert standalone(scene, CHART, "World") == standalone(scene, CHART, "World")


def test_the_file_holds_tiles_papers_cards_and_the_years():
    record = data(standalone(Scene(Ground.RELIEF), CHART, "World"))
    assert len(record["scene"]["tiles"]) == sum(4**zoom for zoom in range(TILE_ZOOMS))
    assert record["scene"]["options"] == {"asks": False, "selects": False, "big": False, "comes": True}
    assert len(record["scene"]["points"]["rows"]) == 60
    assert (record["scene"]["history"]["first"], record["scene"]["history"]["last"]) == (1990, 2029)
    rows = [card["dot"]["row"] for card in record["cards"]]
    assert 20 < len(rows) == len(set(rows)) <= N_CARDS


def test_every_palette_has_its_colours_and_its_legend():
    record = data(standalone(Scene(Ground.RELIEF, layers=(layer("jwst"), layer("gaia"))), CHART, "World"))
    assert set(record["looks"]) == {"standard", "colour-blind", "contrast"}
    for palette in Palette:
        look, series = record["looks"][palette.value], COLOURS[Ground.RELIEF, palette].series
        assert [one["legend"][0]["colour"] for one in look["layers"]] == list(series[:2])
        assert [one["record"]["cells"][0]["colour"] for one in look["layers"]] == list(series[:2])
        assert len(look["ground"]) == 5
    assert record["shown"] == ["jwst", "gaia"]


def test_no_text_can_end_the_script_or_become_markup():
    hostile = replace(layer("jwst"), title=HOSTILE)
    page = standalone(Scene(layers=(hostile,), dots=(Dot(0, *WEST, HOSTILE),)), CHART, HOSTILE)
    assert "<script>alert" not in page
    assert page.count("<script") == page.count("</script>") == 2
    assert "&lt;b&gt;$data&lt;/b&gt;</title>" in page
    assert data(page)["scene"]["dots"][0]["title"] == HOSTILE


def test_the_file_names_no_other_place():
    page = standalone(Scene(Ground.RELIEF), CHART, "World")
    assert re.findall(r"""\b(?:src|href|url)\s*[=(]\s*["']?(?!data:|#)[\w/.]+""", page.split('id="data"')[0]) == []
    assert "default-src 'none'" in page
