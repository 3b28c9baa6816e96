"""The offer of models on this machine: on a click, to whoever sits at it, and to nobody else."""

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.llm.providers import LocalServer
from pathfinder.ui.settings import keys
from pathfinder.ui.shared.own_machine import is_own_machine

SERVER = LocalServer("LM Studio", "http://127.0.0.1:1234/v1", ("qwen3-4b",))
SCRIPT = """
import streamlit as st
from pathfinder.ui.settings import keys
from pathfinder.ui.shared import visit_entries
keys.panel()
chat = visit_entries.chat_of_visit()
st.text("none" if chat is None else chat.name)
"""


@pytest.mark.parametrize(
    ("address", "headers", "is_own"),
    [
        ("127.0.0.1", {"Host": "127.0.0.1:8501"}, True),
        ("localhost", {"Host": "localhost:8501"}, True),
        ("::1", {"Host": "[::1]:8501"}, True),
        (None, {"Host": "127.0.0.1:8501"}, False),
        ("0.0.0.0", {"Host": "127.0.0.1:8501"}, False),
        ("127.0.0.1", {"Host": "pathfinder.example.org"}, False),
        ("127.0.0.1", {"Host": "127.0.0.1:8501", "X-Forwarded-For": "192.0.2.1"}, False),
        ("127.0.0.1", {}, False),
    ],
)
def test_only_a_page_on_loopback_that_is_used_directly_is_its_visitors_own_machine(address, headers, is_own):
    assert is_own_machine(address, headers) is is_own


@pytest.fixture
def looked(monkeypatch):
    """How often servers were looked for; `found` is what is there."""
    looked = []
    monkeypatch.setattr(keys, "find_local_servers", lambda: looked.append(1) or looked_for["found"])
    looked_for = {"found": (SERVER,)}
    looked_for["times"] = looked
    return looked_for


def page(monkeypatch, *, is_own):
    monkeypatch.setattr(keys, "is_visited_here", lambda: is_own)
    return AppTest.from_string(SCRIPT).run()


def button(app, words):
    return next(button for button in app.button if words in button.label)


def test_nothing_is_looked_for_before_the_click_and_what_is_found_is_used_on_another(monkeypatch, looked):
    app = page(monkeypatch, is_own=True)
    assert looked["times"] == []
    button(app, "Look for models on this machine").click().run()
    assert looked["times"] == [1]
    assert app.text[0].value == "none"
    button(app, "LM Studio").click().run()
    assert app.text[0].value == "lm-studio:qwen3-4b"
    button(app, "Stop using this model").click().run()
    assert app.text[0].value == "none"
    assert looked["times"] == [1]


def test_where_nothing_is_found_that_is_said(monkeypatch, looked):
    looked["found"] = ()
    app = page(monkeypatch, is_own=True)
    button(app, "Look for models").click().run()
    assert any(caption.value.startswith("No chat server answered") for caption in app.caption)


def test_a_page_that_others_can_reach_offers_nothing(monkeypatch, looked):
    app = page(monkeypatch, is_own=False)
    assert [button.label for button in app.button if "Look for" in button.label] == []
    assert not app.exception
