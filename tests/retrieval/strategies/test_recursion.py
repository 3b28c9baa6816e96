import re
from dataclasses import replace

import numpy as np
import pytest

from pathfinder.facade import Pathfinder
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.retrieval.search import search
from pathfinder.retrieval.strategies.recursion import REFINED_SHARE, search_recursively
from pathfinder.retrieval.weighting import contributions, reweigh
from pathfinder.types import NO_RERANKER, QueryExpansion, RetrievalMode, SearchRequest, SearchResult, Weighting
from tests.retrieval.busy import busy
from tests.retrieval.results import ran

QUESTION = "What is the value of the Hubble constant?"
REQUEST = SearchRequest(QUESTION, depth=2, page_size=3, top_k=10, reranker=NO_RERANKER)
LIMIT = busy("fake asked us to slow down (HTTP 429): wait")


def title(prompt: str) -> str:
    return re.search(r"<paper>\n(.*)", prompt)[1]


TOPICS = ("exoplanet transits", "pulsars", "masers", "rotation curves", "supernovae", "nucleosynthesis", "quasars")


def next_question(prompt: str) -> str:
    """A question of its own for each paper, of one of seven topics."""
    return f"<query>{TOPICS[len(title(prompt)) % len(TOPICS)]} {title(prompt)[:9]}</query>"


def go(pf: Pathfinder, request: SearchRequest, chat: ScriptedChat | None = None) -> SearchResult:
    return search_recursively(request, pf.corpus, replace(pf.models, chat=chat))


# What goes wrong ------------------------------------------------------------------------------------


def test_a_failed_refinement_is_noted_and_the_others_continue(pf):
    first = search(REQUEST, pf.corpus, pf.models).hits[0].paper.title
    chat = ScriptedChat(lambda prompt: Reply("", LIMIT) if title(prompt) == first else next_question(prompt))
    result = go(pf, replace(REQUEST, depth=1), chat)
    assert [len(round_.questions) for round_ in result.rounds] == [1, 2]
    assert f"no query was refined from “{first}”: {LIMIT}" in result.notes
    assert ran(result)["recursion"] == "2 questions in 1 round, by fake:scripted"


def test_a_reply_without_a_query_is_a_failure(pf):
    result = go(pf, replace(REQUEST, depth=1), ScriptedChat(iter(["pulsars", "<query>pulsars</query>", "masers"])))
    assert result.rounds[1].questions == ("pulsars",)
    assert sum("(no <query>)" in note for note in result.notes) == 2


def test_in_an_outage_rules_refine_and_the_question_stays(pf):
    request = replace(REQUEST, depth=1, year_to=2015)
    result = go(pf, request, ScriptedChat(lambda _: Reply("", LIMIT)))
    by_rules = go(pf, request)
    assert replace(result.request, today=None) == request
    assert ran(result)["recursion"].endswith("by rules (HTTP 429 from fake:scripted)")
    assert ran(by_rules)["recursion"].endswith("by rules")
    assert f"the chat model did not refine the query: {LIMIT}" in result.notes
    assert (result.hits, result.rounds) == (by_rules.hits, by_rules.rounds)
    assert all(paper.year <= 2015 for paper in result.candidates.papers)


def test_years_named_in_the_question_apply_to_refined_queries(pf):
    request = SearchRequest("value of the Hubble constant since 1995", depth=1, page_size=3)
    result = go(pf, request, ScriptedChat(lambda _: "<query>expansion since 1925</query>"))
    assert result.rounds[1].questions == ("expansion since 1925",)
    assert all(paper.year >= 1995 for paper in result.candidates.papers)


def test_papers_that_leave_nothing_unanswered_end_the_search(pf):
    chat = ScriptedChat(lambda _: "<query></query>")
    result = go(pf, REQUEST, chat)
    assert (len(chat.received), len(result.rounds)) == (3, 1)
    assert ran(result)["recursion"] == "no further queries (refined by fake:scripted)"
    assert [hit.row for hit in result.hits] == [hit.row for hit in search(REQUEST, pf.corpus, pf.models).hits]


def test_without_hits_nothing_is_refined(pf):
    result = go(pf, replace(REQUEST, year_from=1940, year_to=1941), ScriptedChat([]))
    assert (result.hits, [round_.n_new for round_ in result.rounds]) == ((), [0])


# Calls ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 2])
def test_no_call_is_made_whose_reply_would_be_unused(pf, depth):
    chat = ScriptedChat(next_question)
    result = go(pf, replace(REQUEST, depth=depth), chat)
    assert len(chat.received) == depth * REQUEST.page_size
    assert len(set(chat.received)) == len(chat.received)
    replies = {next_question(prompt)[len("<query>") : -len("</query>")] for _, prompt in chat.received}
    assert {question for round_ in result.rounds[1:] for question in round_.questions} == replies
    assert len(result.rounds) == depth + 1


def test_a_repeated_query_is_searched_once(pf):
    replies = iter(["<query>Pulsars?</query>", "<query>pulsars</query>", f"<query>{QUESTION}</query>"] * 2)
    result = go(pf, REQUEST, ScriptedChat(replies))
    assert [round_.questions for round_ in result.rounds] in (
        [(QUESTION,), (query,)] for query in ("pulsars", "Pulsars?")
    )


def test_only_the_original_question_gets_hypothetical_abstracts(pf):
    chat = ScriptedChat({"<paper>": "<query>pulsars</query>", "<question>": "We measure."})
    result = go(pf, replace(REQUEST, imagine=QueryExpansion.HYDE, depth=1), chat)
    assert len(chat.received) == 1 + REQUEST.page_size
    assert result.hypothetical == ("We measure.",)


# What is found --------------------------------------------------------------------------------------


def test_papers_of_a_refined_query_rise_and_name_it(pf):
    result = go(pf, replace(REQUEST, depth=1), ScriptedChat(lambda _: "<query>pulsars</query>"))
    plain, pulsars = (
        search(SearchRequest(q, top_k=3, reranker=NO_RERANKER), pf.corpus, pf.models) for q in (QUESTION, "pulsars")
    )
    best = pulsars.hits[0].row
    places = result.candidates.rows.tolist()
    assert result.candidates.fused[places.index(best)] == pytest.approx(REFINED_SHARE)
    assert result.candidates.found_by[places.index(best)] == ("pulsars",)
    assert best not in [hit.row for hit in plain.hits]
    assert result.hits[0].row == plain.hits[0].row
    found_by = {hit.row: hit.found_by for hit in result.hits}
    assert {row for row, by in found_by.items() if by} == {hit.row for hit in pulsars.hits} & found_by.keys()


def test_all_other_factors_are_those_of_the_question_and_the_sum_is_exact(pf):
    weighting = Weighting(1, 1, 1)
    result = go(pf, replace(REQUEST, weighting=weighting), ScriptedChat(next_question))
    plain = search(replace(REQUEST, weighting=weighting), pf.corpus, pf.models).candidates
    order, own = np.argsort(result.candidates.rows), np.argsort(plain.rows)
    for name in ("rows", "dense", "sparse", "keyword", "age_years"):
        np.testing.assert_array_equal(getattr(result.candidates, name)[order], getattr(plain, name)[own])
    for hit in result.hits:
        assert sum(part.amount for part in contributions(hit.score, weighting)) == pytest.approx(
            hit.score.final, abs=1e-9
        )


def test_a_recursive_result_can_be_reweighted(pf):
    weighting = Weighting(recency=1)
    result = go(pf, REQUEST, ScriptedChat(lambda _: "<query>pulsars</query>"))
    again = reweigh(result, weighting)
    assert len(again.hits) == 10
    assert any(hit.found_by for hit in again.hits)


def test_the_curve_counts_each_paper_once_and_never_falls(pf):
    result = go(pf, REQUEST, ScriptedChat(next_question))
    first, *others = result.rounds
    assert (first.questions, first.n_new, first.n_relevant) == ((QUESTION,), 10, 10)
    found_rows = {hit.row for hit in search(REQUEST, pf.corpus, pf.models).hits}
    for other in others:
        rows = {
            hit.row
            for q in other.questions
            for hit in search(SearchRequest(q, top_k=3, reranker=NO_RERANKER), pf.corpus, pf.models).hits
        }
        assert other.n_new == len(rows - found_rows)
        found_rows |= rows
    curve = [round_.n_relevant for round_ in result.rounds]
    assert curve == sorted(curve)
    assert curve[-1] <= len(found_rows)


def test_a_search_by_words_alone_has_a_curve_too(pf):
    result = go(pf, replace(REQUEST, sides=RetrievalMode.SPARSE, depth=1), ScriptedChat(next_question))
    assert result.rounds[0].n_relevant == result.rounds[0].n_new > 0


def test_the_parts_of_a_question_are_searched_in_the_first_round(pf):
    request = SearchRequest(
        "How do hot Jupiters form, and how do old pulsars in the Galaxy emit radio waves?",
        depth=1,
        decomposes=True,
        page_size=3,
    )
    result = go(pf, request)
    assert result.sub_questions == ("How do hot Jupiters form?", "how do old pulsars in the Galaxy emit radio waves?")
    assert result.rounds[0].questions == (request.query, *result.sub_questions)
