"""Layers and reviews in a build: made, kept, added to older corpora, or missing with a reason."""

import json

import pytest

from pathfinder.building import build
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.groups import open_paper_groups
from pathfinder.landscape.data.placed_reviews import open_placed
from pathfinder.models.fake import HashEmbedder
from tests import thesauri
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, QUASARS, without_parts, write

pytestmark = pytest.mark.build

JWST = {"id": "jwst", "title": "Seen with JWST", "abstract": "Stars near suns.", "keywords": ["Luminous ball"]}
FIVE = (GALAXIES, PLANETS, PULSARS, QUASARS, JWST)
REVIEW = {"title": "Hot planets in transit", "year": "2020", "bibcode": "2020Rev..1..1A"}


@pytest.fixture
def reviews(tmp_path):
    own = {"title": "Quasars, a review", "identifier": ["quasars"]}
    return write(tmp_path / "reviews.jsonl", REVIEW, own, {"year": 2020})


def groups(folder):
    corpus = verify_corpus(folder)
    return open_paper_groups(corpus.path("groups"), len(corpus.papers))


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
    assert [review.row for review in placed_reviews] == [None, 3]
    rows = map(json.loads, report.rejected_path.read_text().splitlines())
    assert [(row["file"], row["line"]) for row in rows] == [("reviews.jsonl", 3)]


def test_reviews_alone_go_into_a_corpus_and_are_where_their_papers_are_that_come_later(make, tmp_path, reviews):
    make(*FIVE)
    report = build([], tmp_path / "corpus", HashEmbedder(16), reviews=reviews)
    assert (report.n_new, report.n_reviews) == (0, 2)
    assert "reviews" not in open_corpus(tmp_path / "corpus").absent
    make({"id": "r", "title": "Hot planets in transit", "abstract": "All of it.", "bibcode": "2020Rev..1..1A"})
    assert [review.row for review in open_placed(verify_corpus(tmp_path / "corpus").path("reviews"), 6)] == [5, 3]


def test_a_build_adds_layers_to_a_corpus_that_is_older_than_they_are(make, tmp_path):
    make(*FIVE)
    folder = tmp_path / "corpus"
    without_parts(folder, "groups", "layers")
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
