"""The profile of a build: refused, kept or replaced, and what it changes."""

import pytest

from pathfinder import Pathfinder
from pathfinder.building import build
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.models.fake import HashEmbedder
from pathfinder.profile import astronomy, off_topic_questions
from tests.building.conftest import BOTANY, GALAXIES, PLANETS

pytestmark = pytest.mark.build


@pytest.fixture
def botany(tmp_path):
    path = tmp_path / "plants.toml"
    path.write_text(BOTANY, encoding="utf-8")
    return path


def test_a_corpus_without_a_profile_is_one_of_astronomy(make, tmp_path):
    make(GALAXIES)
    corpus = open_corpus(tmp_path / "corpus")
    assert corpus.profile == astronomy()
    assert "profile" not in corpus.manifest.parts


def test_papers_that_are_added_later_keep_the_profile_and_a_decision_fitted_to_it(make, tmp_path, botany):
    make(GALAXIES, profile=botany)
    make(PLANETS)
    corpus = verify_corpus(tmp_path / "corpus")
    assert (len(corpus.papers), corpus.profile.name) == (2, "botany")
    n_off_topic = f'"n_off_topic": {len(off_topic_questions(corpus.profile))}'
    assert n_off_topic in corpus.read("relevance").decode()


def test_a_profile_alone_goes_into_a_corpus_that_exists_and_changes_the_decision_only(make, tmp_path, botany):
    make(GALAXIES, PLANETS)
    previous = open_corpus(tmp_path / "corpus").manifest.parts
    build([], tmp_path / "corpus", HashEmbedder(16), profile=botany)
    corpus = verify_corpus(tmp_path / "corpus")
    assert corpus.profile.name == "botany"
    changed_roles = {role for role, part in corpus.manifest.parts.items() if previous.get(role) != part}
    assert changed_roles == {"profile", "relevance"}


def test_the_map_of_a_field_without_a_catalogue_of_facilities_has_no_missions(make, tmp_path, botany):
    make(*[GALAXIES | {"id": f"g{n}", "abstract": f"Star formation seen by JWST in field {n}."} for n in range(40)])
    folder = tmp_path / "corpus"
    assert _missions(folder)[0].slug == "mission:jwst"
    build([], folder, HashEmbedder(16), profile=botany)
    (missions,) = _missions(folder)
    assert "names no catalogue of facilities" in missions.reason


def _missions(folder):
    layers = Pathfinder.open(folder, embedder=HashEmbedder(16)).layers()
    return [layer for layer in layers if layer.slug.startswith("mission")]
