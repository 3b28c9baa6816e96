from dataclasses import replace

import pytest

from pathfinder.retrieval.routing.suggestions import COHERE_RERANKER, TABLE_1, Category, Flag, apply, suggestion_for
from pathfinder.types import QueryExpansion, SearchRequest, Weighting

PRINTED = """
single-paper    1-5    On  On  Off  s+h+c  RAG
multi-paper     7-10   On  On  On   s+h+c  RAG
consensus       15-20  On  Off On   s+h    RAG
what-if         10-15  On  On  Off  s+h    ReAct
compositional   10-15  On  Off On   s+h+c  ReAct
named-entity    5-7    On  Off Off  s+h    -
jargon          7-10   On  On  On   s+h+c  -
bibliometric    10-15  On  On  Off  s      -
time-sensitive  5-7    Off On  Off  s+h    RAG
"""


def test_the_table_is_as_printed() -> None:
    rows = [
        f"{str(row.kind).replace(' ', '-')} {row.fewest}-{row.most} "
        + " ".join("On" if is_on else "Off" for is_on in (row.keywords, row.time, row.citations))
        + f" {row.retrieval} {row.generation or '-'}"
        for row in TABLE_1
    ]
    assert rows == [" ".join(line.split()) for line in PRINTED.strip().splitlines()]


def test_an_unclassified_question_has_no_suggestion() -> None:
    assert suggestion_for(Category.UNCLASSIFIED) is None
    assert all(suggestion_for(kind) for kind in (*Category, *Flag) if kind is not Category.UNCLASSIFIED)


@pytest.mark.parametrize(("top_k", "expected"), [(1, 7), (7, 7), (9, 9), (10, 10), (30, 10)])
def test_the_number_of_papers_is_clipped_to_the_rows_range(top_k: int, expected: int) -> None:
    suggestion = suggestion_for(Category.MULTI_PAPER)
    assert suggestion is not None
    assert apply(suggestion, SearchRequest("q", top_k=top_k)).top_k == expected


def test_a_suggestion_changes_only_its_own_settings() -> None:
    request = SearchRequest(
        "What is known of bars after 2010?",
        year_to=2015,
        extra_keywords=("bar",),
        dropped_keywords=("known",),
        weighting=Weighting(keywords=0.3, citations=0.5, title=0.2, rerank=0.4, recency_midpoint_years=3),
        passages=True,
    )
    suggestion = suggestion_for(Category.SINGLE_PAPER)
    assert suggestion is not None
    applied = apply(suggestion, request)
    assert applied.weighting == replace(request.weighting, recency=1.0, citations=0.0)
    assert (applied.top_k, applied.imagine, applied.reranker) == (5, QueryExpansion.HYDE, "local")
    put_back = replace(
        applied, top_k=10, weighting=request.weighting, imagine=request.imagine, reranker=request.reranker
    )
    assert put_back == request


def test_the_reranker_is_suggested_only_where_the_table_has_one() -> None:
    with_one, without = (suggestion_for(kind, COHERE_RERANKER) for kind in (Flag.JARGON, Flag.BIBLIOMETRIC))
    assert with_one is not None
    assert without is not None
    assert (with_one.reranker, without.reranker) == ("cohere:rerank-v3.5", "off")
    assert apply(without, SearchRequest("q", imagine=QueryExpansion.FEEDBACK)).imagine is QueryExpansion.OFF
