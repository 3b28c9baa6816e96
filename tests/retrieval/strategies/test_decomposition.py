from dataclasses import replace

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.retrieval.search import search
from pathfinder.retrieval.stages import Models
from pathfinder.retrieval.strategies.decomposition import distinct, search_decomposed, sub_questions
from pathfinder.retrieval.weighting import reweigh
from pathfinder.types import NO_RERANKER, SearchRequest, Weighting
from tests.retrieval.busy import busy

QUESTION = "How do hot Jupiters form, and how do old pulsars in the Galaxy emit radio waves?"
RULED = ("How do hot Jupiters form?", "how do old pulsars in the Galaxy emit radio waves?")
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
def test_an_unreadable_reply_is_replaced_by_rules_and_named(reply):
    assert split(QUESTION, ScriptedChat([reply])) == (
        RULED,
        "2 sub-questions, by rules (no usable reply from fake:scripted)",
    )


def split(question, chat):
    parts, report = sub_questions(question, chat)
    return parts, report.words


def test_in_an_outage_rules_decompose_and_say_so():
    chat = ScriptedChat([Reply("", busy("fake asked us to slow down (HTTP 429)"))])
    assert split(QUESTION, chat) == (RULED, "2 sub-questions, by rules (HTTP 429 from fake:scripted)")


@pytest.mark.parametrize("reply", ['{"sub_questions": []}', '{"sub_questions": ["exoplanets"]}'])
def test_fewer_than_two_parts_count_as_none(reply):
    assert split(QUESTION, ScriptedChat([reply])) == ((), "one part, by fake:scripted")


def test_without_a_model_rules_find_the_parts():
    assert split(QUESTION, None) == (RULED, "2 sub-questions, by rules")
    assert split("What is the Hubble constant?", None) == ((), "one part, by rules")


def test_the_prompt_holds_the_question_and_the_settings_are_sent():
    chat = ScriptedChat([NAMED])
    assert split(QUESTION, chat) == (
        ("exoplanet transits", "Pulsar discovery"),
        "2 sub-questions, by " + chat.name,
    )
    assert QUESTION in chat.received[0][1]
    assert chat.settings == [(0.0, 300)]


def test_a_question_without_printable_characters_is_dropped():
    assert distinct(["\x00", " \n", "?"]) == ()


def test_wordings_of_the_same_question_are_searched_once():
    assert distinct(["What is  dust?", "what is dust", "GAS", "Dust?", " "], but=["gas?"]) == ("What is dust?", "Dust?")


# The search -----------------------------------------------------------------------------------------


def test_a_question_of_one_part_is_searched_unchanged(pf, models):
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
    for part, part_result in alone.items():
        rows_of_part = {
            row for row, by in zip(result.candidates.rows, result.candidates.found_by, strict=True) if part in by
        }
        assert rows_of_part == {hit.row for hit in part_result.hits}
        best = part_result.hits[0].row
        assert result.candidates.fused[result.candidates.rows.tolist().index(best)] == 1
    assert [hit.found_by for hit in result.hits] == list(result.candidates.found_by[:5])
    assert (result.stages[0].name, result.stages[-1].ran) == ("decomposition", "best match of 3 questions")


def test_years_named_in_the_question_apply_to_its_parts(pf, models):
    chat = ScriptedChat(['{"sub_questions": ["exoplanet transits", "pulsar timing since 1930"]}'])
    request = SearchRequest("Hot Jupiters versus pulsars since 1995", decomposes=True)
    result = search_decomposed(request, pf.corpus, replace(models, chat=chat))
    assert result.sub_questions == ("exoplanet transits", "pulsar timing since 1930")
    assert len(result.candidates) > 0
    assert all(paper.year >= 1995 for paper in result.candidates.papers)


def test_a_decomposed_search_can_be_reweighted(pf, models):
    plain = search_decomposed(SearchRequest(QUESTION, decomposes=True), pf.corpus, models)
    weighed = search_decomposed(SearchRequest(QUESTION, weighting=Weighting(1, 1, 1)), pf.corpus, models)
    again = reweigh(plain, Weighting(1, 1, 1))
    assert [(hit.row, hit.score) for hit in again.hits] == [(hit.row, hit.score) for hit in weighed.hits]
