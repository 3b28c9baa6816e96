import pytest

from pathfinder.answering.grounding.sources import CitationRegistry
from pathfinder.answering.modes.agent.actions import (
    MAX_QUERY,
    Lookup,
    Reading,
    Refusal,
    action_key,
    as_step,
    tools,
    validate_tool_call,
    within,
)
from pathfinder.models.ports import ToolCall
from pathfinder.types import Likeness, Paper, RetrievalMode, SearchRequest

PAPER = Paper("dust", "Dust", "Dust is cold.")
REGISTRY = CitationRegistry("q", (PAPER,))
KEY = REGISTRY.key("dust")
READER = SearchRequest("q", top_k=7, year_from=2010, year_to=2020, sides=RetrievalMode.SPARSE)
OPEN = SearchRequest("q", top_k=7)


def validate(name="search", reader=READER, **arguments):
    return validate_tool_call(as_step(ToolCall("x", name, arguments)), reader, REGISTRY)


def test_a_search_has_every_setting_of_the_reader_but_the_question():
    assert validate(query="cold dust") == Lookup(
        SearchRequest("cold dust", top_k=7, year_from=2010, year_to=2020, sides=RetrievalMode.SPARSE)
    )


@pytest.mark.parametrize(
    ("arguments", "first", "last", "top_k"),
    [
        ({"year_from": 2015}, 2015, 2020, 7),
        ({"year_to": 2012, "top_k": 1}, 2010, 2012, 1),
        ({"year_from": 2010, "year_to": 2020, "top_k": 7}, 2010, 2020, 7),
        ({"year_from": None, "year_to": None, "top_k": None}, 2010, 2020, 7),
    ],
)
def test_a_search_may_narrow(arguments, first, last, top_k):
    request = validate(query="dust", **arguments).request
    assert (request.year_from, request.year_to, request.top_k) == (first, last, top_k)


def test_years_that_the_reader_left_open_may_be_set():
    assert validate(reader=OPEN, query="dust", year_from=1990).request.year_from == 1990


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"year_from": 2009}, "the years that the reader set (2010 to 2020), got 2009"),
        ({"year_to": 2021}, "the years that the reader set (2010 to 2020), got 2021"),
        ({"year_from": 2021, "year_to": 2022}, "got 2021"),
        ({"year_from": 2018, "year_to": 2012}, "there are no years between 2018 and 2012"),
        ({"top_k": 8}, "top_k must lie in 1..7, which the reader set, got 8"),
        ({"top_k": 0}, "got 0"),
        ({"top_k": 10**30}, "got one of 100 bits"),
        ({"top_k": True}, "top_k must be a whole number, got true"),
        ({"top_k": 5.0}, "top_k must be a whole number, got 5.0"),
        ({"year_from": "2015"}, "year_from must be a whole number, got '2015'"),
        ({"query": ["dust"]}, 'query must be given as text, got ["dust"]'),
        ({"query": {"dust": 1}}, "query must be given as text"),
        ({"query": 5}, "query must be given as text, got 5"),
        ({"query": True}, "query must be given as text, got true"),
        ({"query": None}, "query must be given as text, got nothing"),
        ({"query": " \x00\n"}, "query is empty"),
        ({"query": "x" * (MAX_QUERY + 1)}, f"at most {MAX_QUERY} characters"),
        ({"query": object()}, "query must be given as text, got a object"),
        ({"reranker": "off"}, "search does not accept 'reranker': it accepts only query, year_from, year_to, top_k"),
        ({"key": KEY}, "search does not accept 'key'"),
    ],
)
def test_what_would_widen_or_is_of_another_kind_is_refused(arguments, why):
    refusal = validate(**({"query": "dust"} | arguments))
    assert isinstance(refusal, Refusal)
    assert why in refusal.why


def test_a_search_without_a_query_is_refused():
    assert "query must be given" in validate().why


@pytest.mark.parametrize("name", ["delete", "", "Search", "search\n", "fetch http://x.y"])
def test_a_tool_that_does_not_exist_is_refused(name):
    assert "the tools are search and read" in validate(name, query="dust").why


def test_a_paper_that_was_shown_can_be_read():
    assert validate("read", key=KEY) == validate("read", key=f"[{KEY.upper()}] ") == Reading(PAPER)


@pytest.mark.parametrize("key", ["dust", "k3q7z", "1", 1, None, "../etc/passwd", ""])
def test_a_paper_that_was_not_shown_cannot(key):
    assert isinstance(validate("read", key=key), Refusal)


def test_a_step_that_was_kept_is_validated_as_it_was():
    for arguments in ({"query": ["a"]}, {"query": "x" * 5000}, {"query": "a", "top_k": 2.5}, {"query": "a\x00b"}):
        step = as_step(ToolCall("x", "search", arguments))
        again = as_step(ToolCall("y", step.tool, dict(step.arguments)))
        assert again == step
        assert validate_tool_call(again, READER, REGISTRY) == validate_tool_call(step, READER, REGISTRY)


def test_what_cannot_be_written_down_is_cut_before_it_is_kept():
    step = as_step(ToolCall("x", "n" * 500, {f"name{n}": "v" * 5000 for n in range(100)}))
    assert len(step.tool) == 60
    assert len(step.arguments) == 9
    assert max(len(value) for _, value in step.arguments) == 600


def test_two_actions_are_alike_but_for_capitals_spaces_and_signs():
    def alike(first, other):
        return action_key(validate(**first)) == action_key(validate(**other))

    assert alike({"query": "Cold dust?"}, {"query": " cold  DUST"})
    assert alike({"query": "dust"}, {"query": "dust", "year_from": 2010, "top_k": 7})
    assert not alike({"query": "dust"}, {"query": "dust", "year_from": 2011})
    assert not alike({"query": "dust"}, {"query": "dusty"})
    assert not alike({"query": "?"}, {"query": "!"})


def test_years_that_the_first_search_has_read_hold_for_every_query():
    reader = within(SearchRequest("What is known of dust since 2015?", year_from=2015))
    assert reader.year_from == 2015
    assert isinstance(validate(reader=reader, query="dust", year_from=2001), Refusal)
    assert validate(reader=reader, query="cold dust").request.year_from == 2015


def test_a_search_like_a_paper_becomes_a_search_by_words():
    assert within(SearchRequest("like it", likeness=Likeness(("a",)))).likeness is None


def test_the_tools_say_the_readers_limits():
    search, read_tool = tools(READER)
    assert search.parameters["properties"]["top_k"]["maximum"] == 7
    assert "2010 to 2020" in search.parameters["properties"]["year_from"]["description"]
    assert search.parameters["required"] == ["query"]
    assert read_tool.parameters["required"] == ["key"]
    assert not search.parameters["additionalProperties"]
