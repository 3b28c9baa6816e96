import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.types import Call, Usage
from pathfinder.ui.answer.costs import description, dollars, rows
from tests.places import bare

ANSWER = Call("answer", "openai:m", 2.0, Usage(900, 100), 0.5)
ABOUT = Call("search", "openai:m", 1.25, Usage(30, 7, is_estimated=True))
FAILED = Call("route", "openai:m", 0.5, None, failure="HTTP 500 <b>from</b> *it*")
CACHED_CALL = Call("answer", "openai:m", 0.0, Usage(900, 100), 0.0, is_cached=True)


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ([ANSWER], "1 call to a chat model: 1,000 tokens, 2.0 s, $0.50"),
        ([ANSWER, ABOUT], "2 calls to a chat model: about 1,037 tokens, 3.2 s, at least $0.50"),
        ([ABOUT], "1 call to a chat model: about 37 tokens, 1.2 s"),
        ([FAILED], "1 call to a chat model: 0 tokens, 0.5 s, 1 failed"),
        ([CACHED_CALL], "1 call to a chat model: 0 tokens, 0.0 s, $0, 1 remembered"),
        ([ANSWER, CACHED_CALL], "2 calls to a chat model: 1,000 tokens, 2.0 s, $0.50, 1 remembered"),
    ],
)
def test_the_sum_counts_what_was_taken_and_says_what_is_not_known(calls, words):
    assert description(calls) == words


def test_every_call_has_a_row_and_nothing_is_guessed():
    table = rows([ANSWER, ABOUT, FAILED, CACHED_CALL])
    assert [row["Tokens in"] for row in table] == ["900", "about 30", "not known", "900"]
    assert [row["Tokens out"] for row in table] == ["100", "about 7", "not known", "100"]
    assert [bare(row["Price"]) for row in table] == ["$0.50", "not known", "not known", "$0"]
    assert [row["Remark"] for row in table][3] == "remembered"
    assert "<b>" not in table[2]["Remark"].replace("\\<", "")


@pytest.mark.parametrize(
    ("amount", "words"),
    [(0, "$0"), (0.00001, "below $0.0001"), (0.00123, "$0.0012"), (0.5, "$0.50"), (1.2, "$1.20"), (1234, "$1,234.00")],
)
def test_a_small_price_is_never_shown_as_nothing(amount, words):
    assert dollars(amount) == words


def costs_page(calls):
    def script(calls):
        from pathfinder.ui.answer import costs

        costs.panel(calls)

    return AppTest.from_function(script, args=(calls,)).run()


def test_the_panel_shows_the_sum_and_says_how_a_price_is_set_where_none_is_known():
    page = costs_page([ABOUT])
    assert not page.exception
    assert bare(page.expander[0].label) == "1 call to a chat model: about 37 tokens, 1.2 s"
    assert "PATHFINDER_CHAT_PRICE_IN" in page.caption[0].value
    assert not costs_page([ANSWER]).caption


def test_without_a_call_nothing_is_drawn():
    assert not costs_page([]).expander
