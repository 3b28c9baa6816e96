from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from pathfinder.errors import RateLimited
from pathfinder.explorer import Pathfinder
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.search import search
from pathfinder.retrieval.strategies.decomposition import distinct, search_decomposed, sub_questions
from pathfinder.retrieval.weighting import reweigh
from pathfinder.types import NO_RERANKER, SearchRequest, Weighting

QUESTION = "Hot Jupiters versus pulsars in the Galaxy"
RULED = ("Hot Jupiters in the Galaxy", "pulsars in the Galaxy")
NAMED = '{"sub_questions": ["exoplanet transits", "Pulsar discovery"]}'


@pytest.fixture(scope="module")
def models(pf: Pathfinder) -> Models:
    return pf.models


# The parts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "exoplanets; pulsars",
        '{"sub_questions": "exoplanets"}',
        '{"sub_questions": [""]}',
        '{"sub_questions": ["a", "b", "c", "d"]}',
        '{"questions": ["a", "b"]}',
    ],
)
def test_a_reply_that_does_not_parse_leaves_it_to_the_rules_and_says_so(reply):
    assert sub_questions(QUESTION, ScriptedChat([reply])) == (
        RULED,
        "2 sub-questions, by rules (no usable reply from fake:scripted)",
    )


def test_an_outage_leaves_it_to_the_rules_and_says_so():
    chat = ScriptedChat([Reply("", RateLimited("fake asks to slow down (HTTP 429)"))])
    assert sub_questions(QUESTION, chat) == (RULED, "2 sub-questions, by rules (HTTP 429 from fake:scripted)")


@pytest.mark.parametrize("reply", ['{"sub_questions": []}', '{"sub_questions": ["exoplanets"]}'])
def test_less_than_two_parts_are_none(reply):
    assert sub_questions(QUESTION, ScriptedChat([reply])) == ((), "one part, by fake:scripted")


def test_without_a_model_rules_find_the_parts():
    assert sub_questions(QUESTION, None) == (RULED, "2 sub-questions, by rules")
    assert sub_questions("What is the Hubble constant?", None) == ((), "one part, by rules")


def test_the_prompt_holds_the_question_and_the_settings_are_sent():
    chat = ScriptedChat([NAMED])
    assert sub_questions(QUESTION, chat) == (
        ("exoplanet transits", "Pulsar discovery"),
        "2 sub-questions, by " + chat.name,
    )
    assert QUESTION in chat.asked[0][1]
    assert chat.settings == [(0.0, 300)]


def test_a_question_without_a_printable_sign_is_none():
    assert distinct(["\x00", " \n", "?"]) == ()


def test_a_question_is_asked_once_however_it_is_written():
    assert distinct(["What is  dust?", "what is dust", "GAS", "Dust?", " "], but=["gas?"]) == ("What is dust?", "Dust?")


# The search -----------------------------------------------------------------------------------------


def test_a_question_of_one_part_is_searched_as_it_is(pf, models):
    request = SearchRequest("What is the Hubble constant?", decomposes=True)
    result = search_decomposed(request, pf.corpus, models)
    assert result.hits == search(request, pf.corpus, models).hits
    assert (result.stages[0].name, result.stages[0].ran) == ("decomposition", "one part, by rules")
    assert result.sub_questions == ()


def test_the_parts_are_searched_with_the_same_filters_and_merged_by_paper(pf, models):
    plain = SearchRequest(QUESTION, year_from=1990, top_k=5, reranker=NO_RERANKER)
    request = replace(plain, decomposes=True)
    result = search_decomposed(request, pf.corpus, models)
    alone = {part: search(replace(plain, query=part), pf.corpus, models) for part in RULED}
    assert result.request.query == QUESTION
    assert result.sub_questions == RULED
    assert all(paper.year >= 1990 for paper in result.candidates.papers)
    assert len(set(result.candidates.rows.tolist())) == len(result.candidates)
    for part, found in alone.items():
        shown = {row for row, by in zip(result.candidates.rows, result.candidates.found_by, strict=True) if part in by}
        assert shown == {hit.row for hit in found.hits}
        best = found.hits[0].row
        assert result.candidates.fused[result.candidates.rows.tolist().index(best)] == 1
    assert [hit.found_by for hit in result.hits] == list(result.candidates.found_by[:5])
    assert (result.stages[0].name, result.stages[-1].ran) == ("decomposition", "the best match of 3 questions")


def test_years_that_the_question_names_hold_for_parts_that_do_not_name_them(pf, models):
    chat = ScriptedChat(['{"sub_questions": ["exoplanet transits", "pulsar timing since 1930"]}'])
    request = SearchRequest("Hot Jupiters versus pulsars since 1995", decomposes=True)
    result = search_decomposed(request, pf.corpus, replace(models, chat=chat))
    assert result.sub_questions == ("exoplanet transits", "pulsar timing since 1930")
    assert len(result.candidates) > 0
    assert all(paper.year >= 1995 for paper in result.candidates.papers)


def test_a_decomposed_search_can_be_weighed_again(pf, models):
    plain = search_decomposed(SearchRequest(QUESTION, decomposes=True), pf.corpus, models)
    weighed = search_decomposed(SearchRequest(QUESTION, weighting=Weighting(1, 1, 1)), pf.corpus, models)
    again = reweigh(plain, Weighting(1, 1, 1))
    assert [(hit.row, hit.score) for hit in again.hits] == [(hit.row, hit.score) for hit in weighed.hits]


def test_two_people_asking_at_once_share_nothing(pf, models):
    script = {"pulsars": '{"sub_questions": ["exoplanet transits", "pulsars"]}', "dwarf": NAMED}
    models = replace(models, chat=ScriptedChat(script))
    requests = [SearchRequest(QUESTION, decomposes=True), SearchRequest("dwarf galaxies and dark matter")]
    alone = [search_decomposed(request, pf.corpus, models) for request in requests]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda one: search_decomposed(one, pf.corpus, models), requests * 4))
    for number, result in enumerate(together):
        expected = alone[number % 2]
        assert (result.hits, result.keywords, result.sub_questions) == (
            expected.hits,
            expected.keywords,
            expected.sub_questions,
        )
        np.testing.assert_array_equal(result.candidates.rows, expected.candidates.rows)
