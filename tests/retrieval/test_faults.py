"""Faults that peers have, through the front door: each must not be possible here."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from threadpoolctl import threadpool_limits

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import BrokenStream, RateLimited, Unreachable
from pathfinder.facade import Pathfinder
from pathfinder.llm.langchain_chat import langchain_chat
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.models.ports import ChatModel
from pathfinder.types import QueryExpansion, SearchRequest
from tests.wire import Fails, Says, Wire

QUESTION = "How do hot Jupiters form, and how do old pulsars in the Galaxy emit radio waves?"
EVERYTHING = SearchRequest(QUESTION, year_from=1950, decomposes=True, depth=1, page_size=3, imagine=QueryExpansion.HYDE)


def reply(prompt: str) -> str:
    """A reply that depends on what is asked about, in the form that the stage that asks wants."""
    topics = ("exoplanets", "pulsar timing") if "Jupiters" in prompt else ("dark matter", "rotation curves")
    if "<paper>" in prompt:
        return f"<query>{topics[0]} {len(prompt)}</query>"
    if prompt.startswith("<question>"):
        return json.dumps({"sub_questions": topics})
    return f"We measure {topics[0]}."


def having(pf: Pathfinder, chat: ChatModel | None) -> Pathfinder:
    return Pathfinder(pf.corpus, pf.embedder, KeywordExtractor.load(), chat)


@pytest.mark.parametrize(
    "failure",
    [
        Reply("", RateLimited("slow down (HTTP 429)")),
        Reply("", Unreachable("fake does not answer")),
        Reply("How are masers pumped? ", BrokenStream("fake stopped", "How are masers pumped?")),
    ],
)
@pytest.mark.parametrize(
    "fields",
    [{}, {"depth": 0}, {"depth": 0, "decomposes": False}, {"query": f"{QUESTION} before 2015", "year_from": None}],
)
def test_an_outage_changes_neither_the_question_nor_a_filter(pf, failure, fields):
    request = replace(EVERYTHING, **fields)
    broken = having(pf, ScriptedChat(lambda _: failure)).search(request)
    without = having(pf, None).search(request)
    assert broken.request == without.request
    assert broken.request.query == request.query
    years = range(broken.request.year_from or 0, (broken.request.year_to or 3000) + 1)
    assert years == (range(2015) if "query" in fields else range(1950, 3001))
    assert broken.hits == without.hits
    assert broken.sub_questions == without.sub_questions
    assert all(paper.year in years for paper in broken.candidates.papers)
    assert broken.stages != without.stages


@pytest.mark.parametrize(
    ("fields", "temperatures"),
    [
        ({"depth": 0, "decomposes": False, "n_hypothetical": 3}, {0.5: 3}),
        ({"depth": 0}, {0.0: 1, 0.5: 3}),
        ({}, {0.0: 1, 0.5: 1, 0.7: 3}),
    ],
)
def test_no_stage_ignores_its_temperature_and_no_call_is_made_twice(pf, fields, temperatures):
    chat = ScriptedChat(reply)
    having(pf, chat).search(replace(EVERYTHING, **fields))
    assert Counter(temperature for temperature, _ in chat.settings) == temperatures
    assert all(max_tokens for _, max_tokens in chat.settings)
    repeated = {prompt: n for prompt, n in Counter(chat.received).items() if n > 1}
    # Several abstracts of one question are as many draws from one prompt.
    assert list(repeated.values()) == ([3] if "n_hypothetical" in fields else [])


def test_the_temperature_of_an_imagined_abstract_arrives_at_the_provider(pf):
    with Wire(Says("We measure exoplanets.", finish_reason="length")) as wire:
        chat = langchain_chat("openai:gpt-4o-mini", api_key="sk-test", base_url=wire.url)
        result = having(pf, chat).search(QUESTION, imagine=QueryExpansion.HYDE)
        assert [(request.body["temperature"], request.body["max_completion_tokens"]) for request in wire.received] == [
            (0.5, 250)
        ]
        assert QUESTION in wire.received[0].body["messages"][1]["content"]
    assert result.hypothetical == ("We measure exoplanets.",)


def test_a_provider_that_asks_to_slow_down_is_shown_as_such(pf):
    with Wire(Fails(429)) as wire:
        chat = langchain_chat("openai:gpt-4o-mini", api_key="sk-test", base_url=wire.url)
        result = having(pf, chat).search(QUESTION, imagine=QueryExpansion.HYDE)
    assert "feedback (HTTP 429 from openai:gpt-4o-mini)" in [stage.ran for stage in result.stages]
    assert result.request.query == QUESTION


@pytest.mark.parametrize("fields", [{}, {"depth": 0}, {"depth": 0, "decomposes": False}])
def test_two_users_results_never_mix(pf, fields):
    shared = having(pf, ScriptedChat(reply))
    requests = [replace(EVERYTHING, **fields), replace(EVERYTHING, query="dwarf galaxies and dark matter", **fields)]
    with threadpool_limits(1, user_api="blas"):  # as in the servers, which have a thread for each user
        alone = [shared.search(request) for request in requests]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(shared.search, requests * 4))
    for number, result in enumerate(together):
        expected = alone[number % 2]
        for field in ("request", "hits", "keywords", "hypothetical", "sub_questions", "rounds", "notes", "assessment"):
            assert getattr(result, field) == getattr(expected, field), field
