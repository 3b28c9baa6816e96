"""Layers without options: computed in a build, kept while they are valid, and read without computation."""

import datetime
import shutil

import pytest

from pathfinder.building import map as building
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
from pathfinder.landscape.layers import base
from pathfinder.models.fake import HashEmbedder
from tests import thesauri
from tests.building import conftest
from tests.building.conftest import Recorder, content, without_parts
from tests.landscape.layers.plain_values import plain_values

pytestmark = pytest.mark.build

SUBJECTS = ("Quasar winds", "Comet tails", "Dust lanes")
NO_REVIEWS = UnavailableLayer(
    "reviews", "Review articles", "this corpus has no list of reviews: build with --reviews FILE"
)
WHOLE = tuple(kind.slug for kind in base.stored_kinds())


def record(i):
    return {
        "id": f"p{i}",
        "title": f"{SUBJECTS[i % 3]}, part {i}",
        "abstract": f"Of {SUBJECTS[i % 3].lower()}.",
        "date": f"20{15 + i % 9}-03-01",
        "keywords": ["Luminous ball", SUBJECTS[i % 3]],
    }


def build_in(folder, n=45, **options):
    return conftest.build_in(folder, map(record, range(n)), passages=False, **options)


def layers(folder):
    return verify_corpus(folder).manifest.parts["layers"]


def open_pf(folder):
    return Pathfinder.open(folder, embedder=HashEmbedder(16))


@pytest.fixture(scope="module")
def recording():
    """Return what the first build reported."""
    return Recorder()


@pytest.fixture(scope="module")
def original(tmp_path_factory, recording):
    folder = tmp_path_factory.mktemp("overlaid") / "corpus"
    build_in(folder, progress=recording)
    return folder


@pytest.fixture
def folder(original, tmp_path):
    """Make a copy of the corpus into which a test may build."""
    return shutil.copytree(original, tmp_path / "corpus")


def refuse_to_count(monkeypatch):
    def refuse(kind, map_data):
        raise AssertionError("a layer was computed")

    monkeypatch.setattr(base, "compute_layer", refuse)
    monkeypatch.setattr(building, "compute_layer", refuse)


def test_a_corpus_without_a_map_keeps_no_layers_and_says_why(tmp_path):
    build_in(tmp_path / "corpus", 3)
    assert "a map needs at least" in open_corpus(tmp_path / "corpus").absent["layers"]
    assert "a map needs at least" in open_pf(tmp_path / "corpus").layer("growth").reason


def test_layers_come_from_the_corpus_and_are_not_counted_again(folder, monkeypatch):
    layers = {kind.slug: base.compute_layer(kind, open_pf(folder).map_data) for kind in base.stored_kinds()}
    assert tuple(layers) == WHOLE
    refuse_to_count(monkeypatch)
    pf = open_pf(folder)
    for slug, layer in layers.items():
        assert plain_values(pf.layer(slug)) == plain_values(layer)
        assert plain_values(pf.layer(slug, (2020, 2021))) == plain_values(layer)
    assert isinstance(layers["years"], Layer)
    assert layers["reviews"] == NO_REVIEWS
    assert "regions need at least 240 papers, but there are only 45" in layers["gaps"].reason


def test_every_layer_that_is_offered_is_kept_or_chosen(folder):
    map_data = open_pf(folder).map_data
    slugs = [info.slug for info in base.list_layers(map_data) if isinstance(info, LayerInfo) and not info.choice]
    assert [slug for slug in slugs if ":" not in slug] == ["growth", "hotspots", "years"]
    assert all(base.is_stored(map_data, slug) for slug in slugs if ":" not in slug)


def test_the_build_says_what_it_counts_and_how_far_it_is(original, recording):
    assert ["computing layers", len(WHOLE), len(WHOLE)] in recording.stages


def test_a_build_that_changes_nothing_counts_nothing(folder, monkeypatch):
    previous, again = content(folder), Recorder()
    refuse_to_count(monkeypatch)
    build_in(folder, progress=again)
    assert content(folder) == previous
    assert "computing layers" not in [stage for stage, _, _ in again.stages]


def test_layers_are_counted_again_when_papers_a_thesaurus_and_reviews_come(folder, tmp_path):
    reviews = conftest.write(tmp_path / "reviews.jsonl", {"title": "Comet tails, part 1", "identifier": ["p1"]})
    assert isinstance(open_pf(folder).layer("topics"), UnavailableLayer)
    build_in(folder, 50, thesaurus=thesauri.write_list(tmp_path / "sky.json"), reviews=reviews)
    pf = open_pf(folder)
    assert sum(row[1] for row in pf.layer("years").table.rows) == 50
    assert isinstance(pf.layer("topics"), Layer)
    assert [mark.row for mark in pf.layer("reviews").marks] == [1]


def test_layers_are_counted_again_when_the_snapshot_is_of_another_year(folder):
    previous = layers(folder)
    build_in(folder, snapshot=datetime.date(2023, 12, 24))
    assert layers(folder) == previous
    build_in(folder, snapshot=datetime.date(2029, 1, 1))
    assert layers(folder) != previous
    assert "from 2020-03-01" in open_pf(folder).layer("growth").description


def test_an_older_corpus_counts_when_it_is_asked_and_a_build_adds_what_it_lacks(folder, original):
    without_parts(folder, "layers")
    assert open_corpus(folder).absent["layers"] == (
        "this corpus is too old to have layers: to add them, build again from its sources in the same folder"
    )
    pf = open_pf(folder)
    assert not base.is_stored(pf.map_data, "years")
    assert plain_values(pf.layer("years")) == plain_values(open_pf(original).layer("years"))
    build_in(folder)
    assert layers(folder) == layers(original)


def test_layers_of_other_code_are_computed_when_asked_for_and_again_in_a_build(folder, monkeypatch):
    previous = layers(folder)
    monkeypatch.setattr(base, "source_hash", lambda module, rooms: "other code")
    assert not base.is_stored(open_pf(folder).map_data, "years")
    assert isinstance(open_pf(folder).layer("years"), Layer)
    build_in(folder)
    assert layers(folder) != previous
    assert base.is_stored(open_pf(folder).map_data, "years")


def test_a_build_computes_only_the_layers_whose_code_has_changed(folder, monkeypatch):
    computed_slugs, original_hash = [], base.source_hash

    def other_hash(module, rooms):
        return "other code" if module.endswith(".years") else original_hash(module, rooms)

    def compute(kind, map_data):
        computed_slugs.append(kind.slug)
        return kind.compute(map_data)

    monkeypatch.setattr(base, "source_hash", other_hash)
    monkeypatch.setattr(building, "compute_layer", compute)
    build_in(folder)
    assert computed_slugs == ["years"]
