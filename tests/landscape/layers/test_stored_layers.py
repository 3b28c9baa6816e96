"""Layers as they lie on disk: all that they hold comes back, and damage is told with the name of the file."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pathfinder.corpus.thesaurus import Concept, open_thesaurus, write_thesaurus
from pathfinder.errors import CorpusDamaged
from pathfinder.landscape.data.groups import papers_by_concept
from pathfinder.landscape.data.layer import (
    Column,
    Dash,
    Heatmap,
    Layer,
    LayerInfo,
    MapLine,
    Mark,
    Table,
    UnavailableLayer,
)
from pathfinder.landscape.data.layer_store import INDEX, INDEX_OF_0_1, open_stored_layers, write_stored_layers
from pathfinder.landscape.data.placed_reviews import Review
from pathfinder.landscape.density import Extent, Grid
from pathfinder.landscape.layers.base import (
    compute_layer,
    inputs_hash,
    is_stored,
    layer,
    list_layers,
    stored_kinds,
)
from tests.landscape import blobs
from tests.landscape.layers.plain_values import plain_values

GRID = Grid(Extent(left=-1.5, right=2.5, bottom=0.1, top=3.1), n_rows=3, n_columns=4)
WIDE = Grid(GRID.extent, n_rows=1, n_columns=2)
VALUES = np.array([[0.0, 1.0, np.nan, 1 / 3]] * 3)
FULL = Layer(
    "growth",
    "Growth <b>& decline</b>",
    "Zählt $x^2$ — “so”,\nand on a second line.",
    heatmaps=(
        Heatmap(GRID, VALUES, "#ff0000", "grows", "1", "4 times"),
        Heatmap(WIDE, np.array([[np.nan, 0.5]]), "#00ff00", "b"),
    ),
    lines=(
        MapLine(np.array([[0.1, 0.2], [1 / 3, 3.0]], dtype=np.float32), "#0000ff", "a path", is_path=True),
        MapLine(np.array([[1.0, 2.0]], dtype=np.float32), "#0000ff", dash=Dash.DOTTED),
    ),
    marks=(
        Mark(0.1 + 0.2, -1.0, "<script>alert(1)</script>", "#123456", "kind", "1", 7),
        Mark(1.0, 2.0, "", "#123456"),
    ),
    table=Table((Column("a", "b"), Column("")), (("1", 1), (1.0, None), (0.1 + 0.2, -(2**40)), ("", "NaN"))),
    notes=("one", "“two”"),
)
BARE = Layer("years", "Years", "")
EMPTY = Layer("gaps", "Gaps", "Nothing found.", table=Table((Column("a"),), ()))
NOT_HERE = UnavailableLayer(
    "reviews", "Review articles", "this corpus has no list of reviews: build with --reviews FILE"
)
ALL = (FULL, BARE, NOT_HERE, EMPTY)
HASHES = {layer.slug: f"hash of {layer.slug}" for layer in ALL}


@pytest.fixture
def folder(tmp_path):
    write_stored_layers(ALL, HASHES, tmp_path / "stored")
    return tmp_path / "stored"


def change_record(path, **fields):
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | fields), encoding="utf-8")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff", b'{"inputs": {}}', b'{"inputs": {"../x": "1"}, "unavailable": []}']
)
def test_a_damaged_list_of_layers_is_told_with_its_name_and_the_remedy(folder, content):
    (folder / INDEX).write_bytes(content)
    with pytest.raises(CorpusDamaged, match=r"stored_layers\.json"):
        open_stored_layers(folder)


def test_a_layer_whose_name_leads_out_of_the_folder_is_refused(folder):
    change_record(folder / INDEX, inputs={"../growth": "1"})
    with pytest.raises(CorpusDamaged, match=r"'\.\./growth'"):
        open_stored_layers(folder)


@pytest.mark.parametrize(
    ("name", "array", "why"),
    [
        ("growth_values.npy", np.zeros(13), "it holds 13 values, its layer has 14"),
        ("growth_values.npy", np.zeros((7, 2)), "float64 of shape"),
        ("growth_values.npy", np.zeros(14, dtype=np.float32), "it holds float32"),
        ("growth_values.npy", np.full(14, 1.5), "a value lies outside 0..1"),
        ("growth_values.npy", np.full(14, -np.inf), "a value lies outside 0..1"),
        ("growth_points.npy", np.zeros((2, 2), dtype=np.float32), "its layer has 3 points"),
        ("growth_points.npy", np.full((3, 2), np.nan, dtype=np.float32), "a coordinate is not a number"),
    ],
)
def test_an_array_that_is_not_its_layer_s_is_refused(folder, name, array, why):
    np.save(folder / name, array)
    store = open_stored_layers(folder)
    with pytest.raises(CorpusDamaged, match=rf"{name}.*{why}"):
        store.read("growth")
    assert plain_values(store.read("years")) == plain_values(BARE)


@pytest.mark.parametrize(
    "fields",
    [
        {"slug": "years"},
        {"marks": [{"x": "1", "y": 0, "text": "", "colour": "#000000"}]},
        {"marks": [[1, 2]]},
        {"table": {"columns": [], "rows": [[True]]}},
        {"table": {"columns": [], "rows": [[["nested"]]]}},
        {"notes": [1]},
        {"more": 1},
    ],
)
def test_what_a_layer_does_not_hold_is_refused(folder, fields):
    change_record(folder / "growth.json", **fields)
    with pytest.raises(CorpusDamaged, match=r"growth\.json"):
        open_stored_layers(folder).read("growth")


def test_a_number_that_is_none_is_not_written(tmp_path):
    table = Table((Column("a"),), ((float("nan"),),))
    with pytest.raises(ValueError, match="JSON"):
        write_stored_layers((Layer("growth", "Growth", "", table=table),), HASHES, tmp_path / "stored")


def test_all_that_a_layer_holds_comes_back(folder):
    assert "Zählt $x^2$ — “so”" in (folder / "growth.json").read_text(encoding="utf-8")
    store = open_stored_layers(folder)
    assert store.inputs == HASHES
    for stored_layer in ALL:
        assert plain_values(store.read(stored_layer.slug)) == plain_values(stored_layer)


def test_layers_of_0_1_have_no_hashes_and_are_not_read(folder):
    (folder / INDEX).rename(folder / INDEX_OF_0_1)
    assert open_stored_layers(folder) is None


@pytest.fixture(scope="module")
def rich(tmp_path_factory):
    """A survey of which every layer can be counted, with a paper between two regions and a concept without a name."""
    folder = tmp_path_factory.mktemp("rich")
    papers, vectors = blobs.papers(), blobs.directions(20 * blobs.EACH)
    vectors[5] = blobs.unit(np.eye(len(vectors[5]))[[0, 19]].sum(axis=0, keepdims=True))[0]
    write_thesaurus(
        "Made-up Sky", [Concept(str(i), topic) for i, topic in enumerate(blobs.TOPICS[1:])], folder / "named"
    )
    thesaurus = open_thesaurus(folder / "named")
    reviews = (Review("Comet tails", 2020, *blobs.middle(0)), Review("An old one", 1990, *blobs.middle(4), row=5))
    map_data = blobs.map_data(
        folder, papers, vectors, [i % 10 / 10 for i in range(len(papers))],
        thesaurus=thesaurus, reviews=reviews,
    )  # fmt: skip
    return replace(map_data, concepts=papers_by_concept(map_data.terms, thesaurus))


def hashes(map_data):
    return {kind.slug: inputs_hash(kind, map_data) for kind in stored_kinds()}


def with_stored(map_data, layers, folder, inputs=None):
    write_stored_layers(layers, inputs or hashes(map_data), folder)
    return replace(map_data, stored_layers=open_stored_layers(folder))


def test_every_layer_with_nothing_to_choose_comes_back_as_it_was_computed(rich, tmp_path):
    layers = tuple(compute_layer(kind, rich) for kind in stored_kinds())
    assert len(layers) == len(stored_kinds())
    assert all(isinstance(stored_layer, Layer) for stored_layer in layers)
    assert all(
        stored_layer.table.rows
        for stored_layer in layers
        if stored_layer.slug in ("bridges", "unnamed", "years", "reviews", "topics")
    )
    storing = with_stored(rich, layers, tmp_path / "stored")
    for stored_layer in layers:
        assert is_stored(storing, stored_layer.slug)
        assert plain_values(layer(storing, stored_layer.slug)) == plain_values(stored_layer)


def test_a_stored_layer_is_read_and_any_other_is_computed(rich, tmp_path):
    unavailable = UnavailableLayer("growth", "Growth", "why")
    storing = with_stored(rich, (replace(BARE, description="As it was then."), unavailable), tmp_path / "stored")
    assert layer(storing, "years").description == "As it was then."
    assert layer(storing, "growth") == unavailable
    assert plain_values(layer(storing, "reviews")) == plain_values(layer(rich, "reviews"))
    assert [is_stored(storing, slug) for slug in ("years", "reviews", "mission:jwst")] == [True, False, False]
    assert not is_stored(rich, "years")


def test_a_layer_with_other_inputs_is_computed_and_not_read(rich, tmp_path):
    storing = with_stored(rich, (replace(BARE, description="As it was then."),), tmp_path / "stored", {"years": "old"})
    assert not is_stored(storing, "years")
    assert plain_values(layer(storing, "years")) == plain_values(layer(rich, "years"))


@pytest.mark.parametrize(
    ("change", "affected"),
    [
        ({"this_year": 1999}, {"growth", "hotspots", "years", "reviews", "gaps", "bridges", "unnamed", "topics"}),
        ({"part_names": {"reviews": "reviews-2"}}, {"reviews", "gaps"}),
        ({"part_names": {"thesaurus": "thesaurus-2"}}, {"hotspots", "unnamed", "topics"}),
        ({"part_names": {"dense": "dense-2"}}, {"bridges"}),
        ({"part_names": {"groups": "groups-2"}}, {"hotspots", "topics"}),
        ({"part_names": {"outliers": "outliers-2"}}, set()),
    ],
)
def test_only_the_layers_that_depend_on_a_change_are_computed_again(rich, change, affected):
    before, after = hashes(rich), hashes(replace(rich, **change))
    assert {slug for slug in before if before[slug] != after[slug]} == affected


def test_a_layer_that_a_build_could_not_compute_is_listed_with_the_reason(rich, tmp_path):
    assert isinstance(offered_layers(rich)["gaps"], LayerInfo)
    unavailable = UnavailableLayer("gaps", "Gaps", "nothing is known of these papers")
    entries = offered_layers(with_stored(rich, (unavailable,), tmp_path / "stored"))
    assert entries["gaps"] == unavailable
    assert isinstance(entries["bridges"], LayerInfo)


def offered_layers(map_data):
    return {info.slug: info for info in list_layers(map_data)}


def test_the_same_survey_is_counted_twice_with_the_same_bytes(rich, tmp_path):
    for name in ("one", "other"):
        write_stored_layers(tuple(compute_layer(kind, rich) for kind in stored_kinds()), hashes(rich), tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert {"bridges_points.npy", "gaps.json", "growth_values.npy", "unnamed.json"} <= set(files)
    for name in files:
        assert (tmp_path / "other" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()


def test_a_layer_does_not_depend_on_the_words_for_the_absence_of_reviews(rich):
    without = replace(rich, reviews=None, reviews_absent="no list was given", part_names={})
    assert hashes(without) == hashes(replace(without, reviews_absent="no list of reviews was named"))
