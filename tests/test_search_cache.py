"""Repeated searches on one server."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.facade import Pathfinder
from pathfinder.facade.open_corpus import STAGE, SearchCache, is_repeatable, size_of
from pathfinder.types import Activations, QueryExpansion, SearchRequest, SearchResult, Weighting
from tests.answering.scripts import ScriptedChat

QUESTION = "What is the value of the Hubble constant?"


def is_kept(result: SearchResult) -> bool:
    return any(stage.name == STAGE for stage in result.stages)


def test_a_repeated_search_is_answered_from_memory_and_says_so(pf: Pathfinder):
    server = pf.with_searches(SearchCache())
    first, again = server.search(QUESTION), server.search(QUESTION)
    assert (is_kept(first), is_kept(again)) == (False, True)
    assert again.hits == first.hits
    assert [stage.seconds for stage in again.stages if stage.name != STAGE] == [None] * len(first.stages)
    assert len(again.stages) == len(again.stage_status)


@pytest.mark.parametrize(
    "changes", [{"top_k": 3}, {"weighting": Weighting(recency=0.5)}, {"authors": ("Riess",)}, {"reads_years": False}]
)
def test_other_settings_and_weights_are_other_searches(pf: Pathfinder, changes):
    server = pf.with_searches(SearchCache())
    server.search(QUESTION)
    assert not is_kept(server.search(QUESTION, **changes))


def test_another_corpus_or_version_has_its_own_results(pf: Pathfinder):
    searches = SearchCache()
    result = pf.with_searches(searches).search(QUESTION)
    assert searches.get(pf.corpus.name.version, SearchRequest(QUESTION)) is not None
    assert searches.get("another version", result.request) is None


def test_what_a_visitors_chat_model_wrote_is_shown_to_nobody_else(pf: Pathfinder):
    searches = SearchCache()
    visitor = pf.with_searches(searches).with_chat(ScriptedChat(["An abstract on the Hubble constant."]))
    visitor.search(QUESTION, imagine=QueryExpansion.HYDE)
    assert len(searches) == 0
    visitor.search(QUESTION)  # no part of this is the model's
    assert is_kept(pf.with_searches(searches).search(QUESTION))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"reranker": "off"}, True),
        ({"reranker": "cohere:rerank-v3.5"}, False),
        ({"imagine": QueryExpansion.FEEDBACK}, True),
        ({"depth": 1}, False),
        ({"decomposes": True}, False),
        ({"weighting": Weighting(extra=(("brevity", 0.5),))}, False),
    ],
)
def test_only_searches_without_models_of_others_are_kept(changes, expected):
    assert is_repeatable(SearchRequest(QUESTION, **changes), has_chat=True) is expected


def test_the_results_used_least_recently_make_room(pf: Pathfinder):
    result = pf.search(QUESTION, reranker="off")
    size = size_of(result)
    assert size > result.candidates.vectors.nbytes
    n = len(result.candidates)
    activations = Activations((), np.zeros((n, 5), dtype=np.int16), np.zeros((n, 5), dtype=np.float32))
    steered = replace(result, candidates=replace(result.candidates, activations=activations))
    plain = replace(result, candidates=replace(result.candidates, activations=None))
    assert size_of(steered) - size_of(plain) == n * 5 * (2 + 4)
    searches = SearchCache(max_bytes=2 * size)
    requests = [replace(result.request, query=query) for query in ("a", "b", "c")]
    for request in requests[:2]:
        searches.store("v", request, result)
    searches.get("v", requests[0])
    searches.store("v", requests[2], result)
    assert [searches.get("v", request) is not None for request in requests] == [True, False, True]


def test_a_result_beyond_the_limit_is_not_kept(pf: Pathfinder):
    searches = SearchCache(max_bytes=10)
    pf.with_searches(searches).search(QUESTION)
    assert len(searches) == 0


def test_without_memory_nothing_is_kept(pf: Pathfinder):
    assert not is_kept(pf.search(QUESTION))
    assert not is_kept(pf.search(QUESTION))
