"""Badges of combined searches, and the scope of their filters."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.errors import ProviderError
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.models.ports import Reranker
from pathfinder.retrieval.strategies import search_by_strategy
from pathfinder.retrieval.strategies.decomposition import search_decomposed
from pathfinder.retrieval.years.in_questions import without_years
from pathfinder.types import SearchRequest
from tests.retrieval.busy import busy
from tests.retrieval.results import ran

TWO = "How do type Ia supernovae explode, and how do bright Cepheid stars calibrate large distances"
BUSY = busy("fake asked us to slow down (HTTP 429): wait")


class FailsFor:
    """A reranker that refuses one question."""

    name = "fake:moody"

    def __init__(self, refused: str) -> None:
        self._refused = refused

    def rerank(self, query, documents):
        if query == self._refused:
            raise BUSY
        return np.array([float(len(text)) for text in documents])


def test_parts_of_a_question_with_years_are_searched_where_no_paper_has_a_year(pf, undated):
    request = SearchRequest(f"{TWO} after 2000?", decomposes=True)
    result = search_decomposed(request, undated.corpus, undated.models)
    assert result.sub_questions
    assert any(hit.found_by for hit in result.hits)
    assert not any("left out" in note for note in result.notes)


def test_the_badge_names_a_reranker_that_failed_for_one_part(pf):
    request = SearchRequest(f"{TWO}?", decomposes=True, reranker="fake:moody")
    parts = search_decomposed(replace(request, reranker="off"), pf.corpus, pf.models).sub_questions
    moody: Reranker = FailsFor(parts[0])
    models = replace(pf.models, load_reranker=lambda _: moody)
    assert "for a part: fake:moody unavailable" in ran(search_decomposed(request, pf.corpus, models))["rerank"]


def test_the_badge_of_a_recursion_names_all_refiners(pf):
    n_calls = iter(range(100))
    script = ScriptedChat(lambda _: Reply("<query>pulsars</query>") if next(n_calls) < 1 else Reply("", BUSY))
    request = SearchRequest("dark matter", depth=2, page_size=1)
    badge = ran(search_by_strategy(request, pf.corpus, replace(pf.models, chat=script)))["recursion"]
    assert "fake:scripted and rules (HTTP 429 from fake:scripted)" in badge


def test_a_recursive_search_also_names_what_decomposed_the_question(pf):
    down = ScriptedChat(lambda _: Reply("", ProviderError("fake is down")))
    request = SearchRequest(f"{TWO}?", depth=1, page_size=1, decomposes=True)
    badge = ran(search_by_strategy(request, pf.corpus, replace(pf.models, chat=down)))["decomposition"]
    assert badge.startswith("2 sub-questions, by rules (")


@pytest.mark.parametrize(
    ("question", "left"),
    [("dark matter after 2015", "dark matter"), ("dark matter in galaxies", "dark matter in galaxies")],
)
def test_year_words_are_left_out_of_refined_queries(question, left):
    assert without_years(question) == left
