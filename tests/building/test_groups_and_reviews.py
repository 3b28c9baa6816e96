"""Layers and reviews in a build: made, kept, added to older corpora, or missing with a reason."""

import json
from dataclasses import replace

import pytest

from pathfinder.building import build
from pathfinder.corpus.manifest import read_manifest, write_manifest
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.groups import open_paper_groups
from pathfinder.landscape.data.placed_reviews import open_placed
from pathfinder.models.fake import HashEmbedder
from tests import thesauri
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, QUASARS

pytestmark = pytest.mark.build

JWST = {
    "id": "jwst",
    "title": "Seen with JWST",
    "abstract": "Stars near suns.",
    "year": 2023,
    "keywords": ["Luminous ball"],
}
FIVE = (GALAXIES, PLANETS, PULSARS, QUASARS, JWST)
REVIEW = {"title": "Hot planets in transit", "year": "2020", "bibcode": "2020Rev..1..1A"}


@pytest.fixture
def reviews(tmp_path):
    path = tmp_path / "reviews.jsonl"
    lines = [REVIEW, {"title": "Quasars, a review", "identifier": ["quasars"]}, {"year": 2020}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def groups(folder):
    corpus = verify_corpus(folder)
    return open_paper_groups(corpus.path("groups"), len(corpus.papers))


def test_without_reviews_and_without_a_map_the_corpus_says_why(make, tmp_path):
    make(*FIVE)
    assert (
        open_corpus(tmp_path / "corpus").absent["reviews"]
        == "this corpus has no list of reviews: build with --reviews FILE"
    )
    make(GALAXIES, out="small")
    assert "a map needs at least" in open_corpus(tmp_path / "small").absent["reviews"]


def test_missions_are_counted_and_concepts_where_there_is_a_thesaurus(make, tmp_path):
    make(*FIVE)
    missions, concepts = groups(tmp_path / "corpus")
    assert missions.rows_of("jwst").tolist() == [4]
    assert concepts is None
    build([], tmp_path / "corpus", HashEmbedder(16), thesaurus=thesauri.write_list(tmp_path / "sky.json"))
    missions, concepts = groups(tmp_path / "corpus")
    assert missions.rows_of("jwst").tolist() == [4]
    assert concepts.rows_of("2").tolist() == [4]


def test_reviews_are_found_in_the_corpus_or_placed_and_bad_lines_are_listed(make, tmp_path, reviews):
    report = make(*FIVE, reviews=reviews)
    assert (report.n_reviews, report.n_rejected) == (2, 1)
    placed_reviews = open_placed(verify_corpus(tmp_path / "corpus").path("reviews"), 5)
    assert [(review.title, review.row) for review in placed_reviews] == [
        ("Hot planets in transit", None),
        ("Quasars, a review", 3),
    ]
    rows = map(json.loads, report.rejected_path.read_text().splitlines())
    assert [(row["file"], row["line"]) for row in rows] == [("reviews.jsonl", 3)]


def test_reviews_alone_go_into_a_corpus_that_is_there_and_stay(make, tmp_path, reviews):
    make(*FIVE)
    report = build([], tmp_path / "corpus", HashEmbedder(16), reviews=reviews)
    assert (report.n_new, report.n_reviews) == (0, 2)
    assert "reviews" not in open_corpus(tmp_path / "corpus").absent
    make({"id": "late", "title": "Late", "abstract": "Late stars."})
    assert len(open_placed(verify_corpus(tmp_path / "corpus").path("reviews"), 6)) == 2


def test_a_review_that_comes_into_the_corpus_later_is_where_its_paper_is(make, tmp_path, reviews):
    make(*FIVE, reviews=reviews)
    make({"id": "r", "title": "Hot planets in transit", "abstract": "All of it.", "bibcode": "2020Rev..1..1A"})
    placed_reviews = open_placed(verify_corpus(tmp_path / "corpus").path("reviews"), 6)
    assert placed_reviews[0].row == 5


def test_a_build_adds_layers_to_a_corpus_that_is_older_than_they_are(make, tmp_path):
    make(*FIVE)
    folder = tmp_path / "corpus"
    manifest, _ = read_manifest(folder)
    parts = {role: part for role, part in manifest.parts.items() if role not in ("groups", "layers")}
    write_manifest(folder, replace(manifest, parts=parts, absent={}))
    assert "build again from its sources" in open_corpus(folder).absent["groups"]
    pf = Pathfinder.open(folder, embedder=HashEmbedder(16))
    assert pf.layer("reviews").reason == open_corpus(folder).absent["reviews"]
    make(*FIVE)
    assert groups(folder)[0].rows_of("jwst").tolist() == [4]


def test_groups_of_other_code_or_another_catalogue_are_found_again(make, tmp_path, monkeypatch):
    make(*FIVE)
    previous = verify_corpus(tmp_path / "corpus").path("groups")
    monkeypatch.setattr("pathfinder.landscape.data.groups.groups_hash", lambda: "other code")
    make(*FIVE)
    after = verify_corpus(tmp_path / "corpus").path("groups")
    assert after.name != previous.name
    assert json.loads((after / "groups.json").read_text())["inputs"] == "other code"
