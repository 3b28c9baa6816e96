"""The registry of layers: a module of the folder, or an extension of another package, is all that a layer takes."""

import sys
from dataclasses import replace
from pkgutil import iter_modules

import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape import layers
from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
from pathfinder.landscape.data.placed_reviews import Review
from pathfinder.landscape.layers import base, bridges
from pathfinder.landscape.layers.base import LayerKind, layer
from pathfinder.landscape.layers.own_papers import found_layer
from pathfinder.plugins import Registry
from pathfinder.types import Paper
from tests.landscape.planted import HERE, around, map_data, plain

MAP_DATA = map_data(plain(3), around(HERE, 3))


def compute(map_data):
    return Layer("toy", "Toy", f"{len(map_data.papers)} papers.")


def compute_choice(map_data, choice, years):
    return Layer(f"toys:{choice}", choice, f"{choice} in {years}.")


TOY = LayerKind("toy", "Toy", "A toy.", "Toys", 5, ("papers",), lambda _: (TOY.info(),), compute=compute)
TOYS = LayerKind(
    "toys", "Toys", "More toys.", "Toys", 6, ("papers",), lambda _: (TOYS.info(choice="a name"),),
    compute_choice=compute_choice,
)  # fmt: skip


@pytest.fixture
def with_toys(monkeypatch):
    own = {**base.layer_kinds(), "toy": TOY, "toys": TOYS}
    extended = Registry(base.ENTRY_POINTS, LayerKind, own, "map layer")
    monkeypatch.setattr(base, "layer_registry", lambda: extended)


SLUGS = [
    *("growth", "hotspots", "years", "reviews", "gaps", "bridges", "unnamed"),
    *("topics", "topic", "mission", "feature", "author", "shelf"),
]


def test_every_module_and_room_of_the_folder_declares_its_layers():
    modules = {module.name for module in iter_modules(layers.__path__)} - {"base", "registry"}
    names = (kind.module.removeprefix(f"{layers.__name__}.") for kind in base.layer_kinds().values())
    assert {name.partition(".")[0] for name in names} == modules


def test_the_slugs_that_links_name_are_listed_in_their_order():
    assert [slug for slug in base.layer_kinds() if slug in SLUGS] == SLUGS


def test_each_layer_says_what_it_shows_and_what_it_is_computed_from():
    parts = {"papers", "landscape", "terms", "thesaurus", "dense", "reviews", "groups", "features"}
    for kind in base.layer_kinds().values():
        assert kind.help.endswith(".")
        assert kind.title
        assert {"papers", "landscape"} <= set(kind.inputs) <= parts
        assert kind.needs_choice != kind.is_stored


@pytest.mark.usefixtures("with_toys")
def test_a_new_layer_is_listed_computed_and_named_in_errors():
    entries = base.list_layers(MAP_DATA)
    assert entries[:2] == (
        LayerInfo("toy", "Toy", "A toy.", "Toys"),
        LayerInfo("toys", "Toys", "More toys.", "Toys", None, "a name"),
    )
    assert base.layer(MAP_DATA, "toy").description == "3 papers."
    assert base.layer(MAP_DATA, "toys:bear", (2000, None)).description == "bear in (2000, None)."
    assert "toy" in {kind.slug for kind in base.stored_kinds()}
    with pytest.raises(UsageError, match=r"\'toys\'.*toy, toys:\.\.\., growth"):
        base.layer(MAP_DATA, "toys")


BROKEN_LAYERS = """
from pathfinder.landscape.layers.base import LayerKind

PATHFINDER_API = 1


class Lost(Exception):
    pass


def fail(*_):
    raise Lost("no map here")


unlisted = LayerKind("unlisted", "Unlisted", "A toy.", "Toys", 5, ("papers",), fail, compute=fail)
mistyped = LayerKind("mistyped", "Mistyped", "A toy.", "Toys", 5, ("papers",), lambda _: ["a"], compute=lambda _: 3)
chosen = LayerKind("chosen", "Chosen", "A toy.", "Toys", 5, ("papers",), lambda _: (), compute_choice=fail)
"""


@pytest.fixture
def with_broken_layers(tmp_path, monkeypatch):
    info = tmp_path / "brokenlayers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brokenlayers\nVersion: 1.0\n")
    points = "".join(f"{name} = brokenlayers:{name}\n" for name in ("unlisted", "mistyped", "chosen"))
    (info / "entry_points.txt").write_text(f"[{base.ENTRY_POINTS}]\n{points}")
    (tmp_path / "brokenlayers.py").write_text(BROKEN_LAYERS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "brokenlayers", raising=False)
    extended = Registry(base.ENTRY_POINTS, LayerKind, base.layer_kinds(), "map layer")
    monkeypatch.setattr(base, "layer_registry", lambda: extended)


@pytest.mark.usefixtures("with_broken_layers")
def test_a_layer_of_a_plug_in_that_fails_is_unavailable_with_the_reason():
    entries = {entry.slug: entry for entry in base.list_layers(MAP_DATA)}
    assert "growth" in entries
    faults = {
        "unlisted": (entries["unlisted"], base.layer(MAP_DATA, "unlisted"), "Lost: no map here"),
        "mistyped": (entries["mistyped"], base.layer(MAP_DATA, "mistyped"), "TypeError: it returned"),
        "chosen": (
            base.layer(MAP_DATA, "chosen:bear"),
            base.layer(MAP_DATA, "chosen:hare"),
            "Lost: no map here",
        ),
    }
    for slug, (entry, computed, reason) in faults.items():
        for unavailable in (entry, computed):
            assert isinstance(unavailable, UnavailableLayer)
            assert f"plug-in '{slug}' of brokenlayers (pathfinder.layers) was left out: {reason}" in unavailable.reason


@pytest.mark.usefixtures("with_toys")
def test_a_layer_of_pathfinder_itself_that_fails_is_an_error(monkeypatch):
    broken = replace(TOY, list_layers=lambda _: 1 // 0)
    monkeypatch.setitem(base.layer_registry().__dict__["_own"], "toy", broken)
    with pytest.raises(ZeroDivisionError):
        base.list_layers(MAP_DATA)


@pytest.mark.parametrize("slug", ["", "Toy", "toy layer", "größe"])
def test_a_slug_consists_of_small_letters(slug):
    with pytest.raises(ValueError, match="must consist of lower-case letters"):
        LayerKind(slug, "Toy", "A toy.", "Toys", 5, ("papers",), lambda _: (), compute=compute)


def test_a_layer_is_computed_in_one_way():
    with pytest.raises(ValueError, match="not both or neither"):
        LayerKind("toy", "Toy", "A toy.", "Toys", 5, ("papers",), lambda _: ())


WRITTEN, READ = r"Stars of 5 $M_\odot$", "Stars of 5 M☉"
PAPERS = [Paper(f"p{i}", WRITTEN, "", authors=("A. Wanderer",), year=2020 + i) for i in range(6)]
REVIEWS = (Review(WRITTEN, 2023, *HERE),)
HOSTILE_MAP = map_data(PAPERS, around(HERE, 6), reviews=REVIEWS)


@pytest.mark.parametrize(
    ("slug", "plain_title", "column"),
    [
        ("shelf:p0", f"{READ} (2020)", "title"),
        ("reviews", f"{READ} (2023)", "nearest review"),
        ("author:Wanderer", f"2020: {READ}", None),
    ],
)
def test_a_title_is_told_in_plain_letters(slug, plain_title, column):
    result = layer(HOSTILE_MAP, slug)
    assert result.marks[0].text == plain_title
    if column is not None:
        place = [table_column.title for table_column in result.table.columns].index(column)
        assert result.table.rows[0][place] == READ


def test_a_paper_between_two_regions_is_told_in_plain_letters():
    bridge = bridges.Bridge(0, (0, 1), (6, 6), 0.7)
    assert bridges._mark(HOSTILE_MAP, ("dust", "gas"), bridge, 1).text == f"{READ}: between dust and gas"
    assert bridges._row(HOSTILE_MAP, ("dust", "gas"), bridge, 1)[1] == READ


def test_what_was_found_is_told_in_plain_letters(pf):
    result = pf.search("What is the value of the Hubble constant?", top_k=1)
    (hit,) = result.hits
    drawn_layer = found_layer(
        pf.map_data, replace(result, hits=(replace(hit, paper=replace(hit.paper, title=WRITTEN)),))
    )
    assert drawn_layer.marks[0].text.startswith(READ)
    assert drawn_layer.table.rows[0][1] == READ
