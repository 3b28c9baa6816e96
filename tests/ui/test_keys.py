"""A reader's own chat model: typed, used, taken back, and nowhere to be found."""

import logging

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.errors import UsageError
from pathfinder.llm.chat import Chat
from pathfinder.ui.settings.keys import checked_chat
from pathfinder.ui.shared import visit_corpus
from tests.wire import Says, Wire

KEY = "sk-a-key-that-must-not-be-seen"
SCRIPT = """
import streamlit as st
from pathfinder import Pathfinder, Settings
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.ui.settings import keys
from pathfinder.ui.shared import visit_entries

@st.cache_resource
def opened(folder):
    return Pathfinder.open(folder, settings=Settings(_env_file=None))

pf = opened(st.query_params["corpus"])
own = visit_entries.of_visit(visit_entries.of_visit(pf))
keys.panel()
st.text("the server's" if own is pf else f"own: {own.chat.name}")
st.session_state.setdefault("seen", []).append(id(own))
"""


@pytest.fixture
def page(golden_corpus) -> AppTest:
    app = AppTest.from_string(SCRIPT)
    app.query_params["corpus"] = str(golden_corpus)
    return app.run()


def type_key(page: AppTest, model: str, key: str) -> AppTest:
    page.text_input(key="visit-model").input(model)
    page.text_input(key="visit-chat-key").input(key)
    return next(button for button in page.button if button.label == "Use for this visit").click().run()


def everything(page: AppTest) -> str:
    """All that a visitor can see or save of the page."""
    assert not page.exception
    return repr((page.main, dict(page.query_params), [field.value for field in page.text_input]))


def test_the_fields_never_show_or_change_the_key_to_a_visitors_own_corpora(page: AppTest) -> None:
    page.session_state[visit_corpus._KEY] = "of-my-corpora"
    page.run()
    assert "of-my-corpora" not in everything(page)
    type_key(page, "openai:gpt-4o-mini", KEY)
    assert page.session_state[visit_corpus._KEY] == "of-my-corpora"


# What is refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "key", "address", "words"),
    [
        ("", KEY, "", "this model name cannot be used with a key"),
        ("gpt-4o-mini", KEY, "", "this model name cannot be used with a key"),
        ("openai:", KEY, "", "this model name cannot be used with a key"),
        ("gguf:/models/secret.gguf", KEY, "", "this model name cannot be used with a key"),  # a file of the server
        ("bedrock:claude", KEY, "", "this model name cannot be used with a key"),  # called at the server's expense
        ("ollama:llama", "", "", "this model name cannot be used with a key"),  # called on the server's own machine
        ("openai:gpt-4o-mini", "", "", "openai:gpt-4o-mini needs a key"),
        ("openai:gpt-4o-mini", " ", "", "openai:gpt-4o-mini needs a key"),
        ("openai:m", KEY, "http://127.0.0.1:1/v1", "leave the address empty"),
        (KEY, "", "", "the key in its own field"),
        (f"openai:{KEY}", "", "", "the key in its own field"),
        ("openai:gpt-4o-mini", "sk-ключ", "", "plain letters"),
    ],
)
def test_what_a_visitor_may_not_ask_is_refused_with_a_way_out(name, key, address, words):
    with pytest.raises(UsageError, match=words) as raised:
        checked_chat(name, key, address, may_choose_address=False)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("variable", ["OPENAI_BASE_URL", "OPENAI_API_BASE"])
def test_a_visitors_key_goes_nowhere_that_the_server_sends_its_own_calls(monkeypatch, variable):
    monkeypatch.setenv(variable, "http://127.0.0.1:1/v1")
    with pytest.raises(UsageError, match=f"{variable} is set"):
        checked_chat("openai:gpt-4o-mini", KEY, "", may_choose_address=False)


def test_an_address_must_be_one():
    with pytest.raises(UsageError, match="must begin with http"):
        checked_chat("openai:m", KEY, "file:///etc/passwd", may_choose_address=True)


def test_the_key_of_the_server_is_not_lent_to_a_visitor(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-server")
    with pytest.raises(UsageError, match="needs a key"):
        checked_chat("openai:gpt-4o-mini", "", "", may_choose_address=False)
    with Wire(Says("Warm.")) as wire:
        assert list(checked_chat("openai:m", "", wire.url, may_choose_address=True).stream("", "why?")) == ["Warm."]
        assert wire.received[0].key != "sk-of-the-server"


# What is done ---------------------------------------------------------------------------------------


def test_what_was_typed_is_asked_with_the_key_at_the_address():
    with Wire(Says("Warm.")) as wire:
        chat = checked_chat(" OpenAI:gpt-4o-mini ", f" {KEY} ", wire.url, may_choose_address=True)
        assert isinstance(chat, Chat)
        assert list(chat.stream("", "why?")) == ["Warm."]
        assert (wire.received[0].key, wire.received[0].body["model"]) == (KEY, "gpt-4o-mini")


def test_a_model_typed_into_the_page_is_that_of_the_visit_and_its_key_is_nowhere_to_be_seen(page, caplog):
    caplog.set_level(logging.DEBUG)
    assert page.text[0].value == "the server's"
    type_key(page, "openai:gpt-4o-mini", KEY)
    assert page.text[0].value == "own: openai:gpt-4o-mini"
    assert KEY not in everything(page)
    assert KEY not in caplog.text
    assert page.query_params.keys() == {"corpus"}


def test_the_same_explorer_is_there_in_every_run_so_that_replies_are_remembered(page):
    type_key(page, "openai:gpt-4o-mini", KEY)
    page.run()
    assert len(set(page.session_state["seen"][1:])) == 1


def test_a_model_can_be_taken_back(page):
    type_key(page, "openai:gpt-4o-mini", KEY)
    page.button(key="visit-forget").click().run()
    assert page.text[0].value == "the server's"
    assert [field.value for field in page.text_input] == ["", ""]


def test_what_is_refused_is_said_on_the_page(page):
    type_key(page, "gpt-4o-mini", KEY)
    assert page.text[0].value == "the server's"
    assert "this model name cannot be used with a key" in page.warning[0].value
    type_key(page, "openai:gpt-4o-mini", KEY)
    assert not page.warning


def test_another_visitor_has_nothing_of_it(page, golden_corpus):
    type_key(page, "openai:gpt-4o-mini", KEY)
    other = AppTest.from_string(SCRIPT)
    other.query_params["corpus"] = str(golden_corpus)
    assert other.run().text[0].value == "the server's"


def test_an_address_can_be_typed_only_where_the_server_lets_its_visitors(page, monkeypatch):
    assert [field.key for field in page.text_input] == ["visit-model", "visit-chat-key"]
    monkeypatch.setenv("PATHFINDER_VISITORS_CHOOSE_ADDRESSES", "true")
    page.run()
    assert [field.key for field in page.text_input] == ["visit-model", "visit-chat-key", "visit-address"]
