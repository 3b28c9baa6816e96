"""What readers of this code once broke: an order that depends on the path, equals told apart, settings unsaid."""

import datetime
from dataclasses import replace

import numpy as np
import pytest

from pathfinder.building import build
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import HashEmbedder, WordReranker
from pathfinder.retrieval.reranking.local.model import LinearModel
from pathfinder.retrieval.reranking.rerank import _stretch
from pathfinder.retrieval.weighting import contributions
from pathfinder.types import RERANK_POOL_SIZE, Preset, RetrievalMode, Score, SearchRequest, Weighting
from tests.building.conftest import WordsAsKeywords, write

pytestmark = pytest.mark.build

N_PAPERS = RERANK_POOL_SIZE + 50


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """More papers than are reranked, each older than the one before and with other words."""
    folder = tmp_path_factory.mktemp("many")
    papers = [
        {
            "id": f"p{n}",
            "title": f"Stars and word{n % 7}",
            "abstract": f"We count stars of word{n} and word{n % 13}.",
            "year": 2020 - n % 40,
        }
        for n in range(N_PAPERS)
    ]
    build([write(folder / "papers.jsonl", *papers)], folder / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    pathfinder = Pathfinder.open(folder / "corpus")
    pathfinder.models = replace(pathfinder.models, load_reranker=lambda _: WordReranker())
    return pathfinder


@pytest.mark.parametrize("weighting", [Weighting(recency=1), Weighting(recency=1, preset=Preset.PAPER)])
def test_a_slider_that_is_moved_gives_what_a_new_search_gives_also_beyond_the_reranked_pool(many, weighting):
    request = SearchRequest("stars of word3", reranker="fake:words", top_k=30)
    moved = many.reweigh(many.search(request), weighting)
    assert len(moved.candidates) > RERANK_POOL_SIZE
    assert [hit.row for hit in moved.hits] == [
        hit.row for hit in many.search(replace(request, weighting=weighting)).hits
    ]


def test_what_rounding_tells_apart_is_equal():
    cosines = np.array([0.5, 0.5 + 6e-8, 0.5])
    assert LinearModel({"tokens": 1.0}).scores({"tokens": cosines}).tolist() == [0, 0, 0]
    assert _stretch(np.zeros(3)).tolist() == [1, 1, 1]


def test_a_reranker_of_no_strength_is_no_part_of_a_score():
    score = Score(final=1.0, dense=1.0, fused=1.0, rerank=0.9)
    (part,) = contributions(score, Weighting(preset=Preset.PAPER, rerank=0.0))
    assert (part.factor, part.amount) == ("match", 0.0)


def test_a_weight_that_was_not_looked_up_is_in_no_badge(many):
    result = many.search("stars", sides=RetrievalMode.SPARSE, weighting=Weighting(title=1, recency=1))
    assert next(stage.ran for stage in result.stages if stage.name == "weighting") == "balanced: recency 1"


def test_settings_without_a_meaning_for_similar_papers_are_said_to_be_unused(many):
    result = many.similar("p3", depth=1, reranker="cohere:rerank-v3.5")
    assert result.notes[0] == "not used in a search for similar papers: depth, reranker"


@pytest.mark.parametrize(
    "fields",
    [
        {"year_from": 10**31},
        {"year_to": -1},
        {"today": datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)},
        {"reranker": None},
        {"weighting": None},
        {"extra_keywords": (1,)},
        {"own_expansions": ("abc",)},
        {"own_expansions": (("AGN", "quasar"),)},
    ],
)
def test_a_request_that_cannot_be_is_a_usage_error(fields):
    with pytest.raises(UsageError):
        SearchRequest("dust", **fields)


def test_other_names_are_not_said_to_be_looked_up_where_words_are_not(many):
    own = (("stars", ("suns",)),)
    both = many.search("stars", own_expansions=own)
    assert [expansion.names for expansion in both.expansions] == [("suns",)]
    meaning = many.search("stars", own_expansions=own, sides=RetrievalMode.DENSE)
    assert meaning.expansions == ()
    assert {stage.name: stage.ran for stage in meaning.stages}["expansion"] == "not used: meaning only"


def test_the_badge_of_an_assessment_names_what_could_be_told(many):
    def badge(top_k: int) -> str:
        return next(s.ran for s in many.search("stars", top_k=top_k).stages if s.name == "assessment")

    assert badge(1) == "relevance"
    assert badge(3) == "relevance, outliers"
    assert badge(10) == "relevance, outliers, spread"
