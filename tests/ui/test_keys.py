"""A reader's own chat model and keys for live sources: typed, used for this visit, taken back, and seen nowhere."""

import logging
from collections.abc import Callable
from dataclasses import replace

import pytest
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from pathfinder.errors import RejectedKey, UsageError
from pathfinder.llm.chat import Chat
from pathfinder.settings import Settings
from pathfinder.sources.ads_lookup import AdsRecord
from pathfinder.sources.live.access import LiveAccess
from pathfinder.sources.live.asking import ask_side_by_side
from pathfinder.types import LiveSource
from pathfinder.ui.papers.paper_page import looked_up
from pathfinder.ui.settings.keys import check_key, checked_chat
from pathfinder.ui.shared import visit_corpus, visit_entries
from tests.answering.results import PAPERS
from tests.sources.hosts.json_hosts import as_json
from tests.sources.hosts.loopback import LoopbackHost, running
from tests.sources.live.live_hosts import ads
from tests.wire import Says, Wire

KEY = "sk-a-key-that-must-not-be-seen"
SCRIPT = """
import streamlit as st
from pathfinder import Pathfinder, Settings
from pathfinder.ui.settings import keys
from pathfinder.ui.shared import resources, visit_entries

@st.cache_resource
def opened(folder):
    return Pathfinder.open(folder, settings=Settings(_env_file=None))

pf = opened(st.query_params["corpus"])
own = visit_entries.of_visit(visit_entries.of_visit(pf))
keys.panel()
keys.sources_panel()
token = own.live.settings.ads_api_token
st.text("the server's" if own is pf else f"{own.chat and own.chat.name}, {token and len(token.get_secret_value())}")
st.text(", ".join(resources.live_sources()))
st.session_state.setdefault("seen", []).append(id(own))
"""
MODEL, SOURCE = "visit-form", "visit-live-form"
FIELDS = {MODEL: ("visit-model", "visit-chat-key"), SOURCE: ("visit-live-ads",)}
OWN = {MODEL: ["openai:gpt-4o-mini, None", ""], SOURCE: [f"None, {len(KEY)}", "ads"]}
Visit = Callable[[], AppTest]


@pytest.fixture
def visit(golden_corpus) -> Visit:
    def page() -> AppTest:
        app = AppTest.from_string(SCRIPT)
        app.query_params["corpus"] = str(golden_corpus)
        return app.run()

    return page


@pytest.fixture
def page(visit: Visit) -> AppTest:
    return visit()


def type_key(page: AppTest, form: str, *entries: str) -> AppTest:
    for field, entry in zip(FIELDS[form], entries, strict=True):
        page.text_input(key=field).input(entry)
    return page.button(key=f"FormSubmitter:{form}-Use for this visit").click().run()


def entered(page: AppTest, form: str) -> AppTest:
    return type_key(page, form, *(("openai:gpt-4o-mini", KEY) if form == MODEL else (KEY,)))


def texts(page: AppTest) -> list[str]:
    assert not page.exception
    return [element.value for element in page.text]


def everything(page: AppTest) -> str:
    """All that a visitor can see or save of the page."""
    assert not page.exception
    return repr((page.main, dict(page.query_params), [field.value for field in page.text_input]))


@pytest.mark.parametrize("form", [MODEL, SOURCE])
def test_what_is_typed_is_used_in_every_run_of_this_visit_alone_and_nowhere_to_be_seen(visit, form, caplog):
    caplog.set_level(logging.DEBUG)
    page = visit()
    assert texts(page) == ["the server's", ""]
    entered(page, form).run()
    assert texts(page) == OWN[form]
    assert len(set(page.session_state["seen"][1:])) == 1  # so that replies are remembered
    assert KEY not in everything(page) + caplog.text
    assert page.query_params.keys() == {"corpus"}
    assert texts(visit()) == ["the server's", ""]


@pytest.mark.parametrize(("form", "button"), [(MODEL, "visit-forget"), (SOURCE, "visit-live-forget")])
def test_what_was_typed_can_be_taken_back(page, form, button):
    entered(page, form).button(key=button).click().run()
    assert texts(page) == ["the server's", ""]
    assert {field.value for field in page.text_input} == {""}


def test_the_fields_never_show_or_change_the_key_to_a_visitors_own_corpora(page: AppTest) -> None:
    page.session_state[visit_corpus._KEY] = "of-my-corpora"
    page.run()
    assert "of-my-corpora" not in everything(page)
    entered(page, MODEL)
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


def test_what_was_typed_is_asked_with_the_key_at_the_address():
    with Wire(Says("Warm.")) as wire:
        chat = checked_chat(" OpenAI:gpt-4o-mini ", f" {KEY} ", wire.url, may_choose_address=True)
        assert isinstance(chat, Chat)
        assert list(chat.stream("", "why?")) == ["Warm."]
        assert (wire.received[0].key, wire.received[0].body["model"]) == (KEY, "gpt-4o-mini")


def test_what_is_refused_is_said_on_the_page(page):
    type_key(page, MODEL, "gpt-4o-mini", KEY)
    assert page.text[0].value == "the server's"
    assert "this model name cannot be used with a key" in page.warning[0].value
    entered(page, MODEL)
    assert not page.warning


def test_an_address_can_be_typed_only_where_the_server_lets_its_visitors(page, monkeypatch):
    assert "visit-address" not in [field.key for field in page.text_input]
    monkeypatch.setenv("PATHFINDER_VISITORS_CHOOSE_ADDRESSES", "true")
    page.run()
    assert "visit-address" in [field.key for field in page.text_input]


# Keys for live sources ------------------------------------------------------------------------------


def test_what_cannot_be_a_key_is_refused_without_being_repeated(page):
    type_key(page, SOURCE, f"{KEY} {KEY}")
    assert texts(page) == ["the server's", ""]
    assert "a key for NASA ADS has at most 200 plain letters" in page.warning[0].value
    assert KEY not in page.warning[0].value


@pytest.mark.parametrize("is_here", [False, True])
def test_a_key_goes_to_no_address_of_somebody_else(monkeypatch, is_here):
    monkeypatch.setattr(visit_entries, "is_visited_here", lambda: is_here)
    settings = Settings(_env_file=None, ads_url="http://mirror.example")
    if is_here:
        check_key(LiveSource.ADS, KEY, settings)
    else:
        with pytest.raises(UsageError, match="so your key would go there"):
            check_key(LiveSource.ADS, KEY, settings)


@pytest.fixture
def access_to(tmp_path):
    """`access_to(host)` is access to ADS at a host on loopback, with the server's own token."""

    def access(host):
        token = SecretStr("of-the-server")
        settings = Settings(_env_file=None, cache=tmp_path, ads_url=host.address, ads_api_token=token, live_seconds=5)
        return LiveAccess(settings, frozenset(), host.clock)

    return access


def test_a_live_source_is_asked_with_the_key_of_the_visit_and_stores_nothing_of_it(access_to, tmp_path):
    with running(LoopbackHost(ads)) as host:
        server = access_to(host)
        own = server.with_keys({LiveSource.ADS: KEY})
        (reply,) = ask_side_by_side("dust", [LiveSource.ADS], own)
    assert [paper.title for paper in reply.papers] == ["Dust 5"]
    assert [request.headers["authorization"] for request in host.requests] == [f"Bearer {KEY}"]
    written_bytes = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY.encode() not in written_bytes
    assert KEY not in f"{own.settings} {reply} {host.requests[0].path}"
    assert (server.allowed_sources, own.allowed_sources) == (frozenset(), {LiveSource.ADS})


def test_a_refused_key_is_no_failure_of_the_host_for_others(access_to):
    with running(LoopbackHost(lambda request: as_json({"error": "who"}, 401))) as host:
        server = access_to(host)
        own = server.with_keys({LiveSource.ADS: KEY})
        problems = [ask_side_by_side("dust", [LiveSource.ADS], own)[0].problem for _ in range(4)]
    assert problems[0] == "does not accept the key (HTTP 401)"
    assert server.breakers.open_since("NASA ADS", host.clock.now()) is None
    assert own.breakers is not server.breakers


def test_the_look_up_in_ads_uses_the_key_of_the_visit(access_to):
    paper = replace(PAPERS[0], bibcode="2026ApJ...900....1B")
    document = {"bibcode": paper.bibcode, "identifier": [], "citation_count": 7, "reference": ["2020ApJ...1....1A"]}
    with running(LoopbackHost(lambda request: as_json({"response": {"docs": [document]}}))) as host:
        settings = access_to(host).with_keys({LiveSource.ADS: KEY}).settings
        record = looked_up(paper, settings, host.clock)
    assert record == AdsRecord(paper.bibcode, 7, ("2020ApJ...1....1A",))
    assert host.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_look_up_that_fails_does_not_repeat_the_key(access_to):
    paper = replace(PAPERS[0], bibcode="2026ApJ...900....1B")
    with running(LoopbackHost(lambda request: as_json({"error": str(request.headers)}, 401))) as host:
        settings = access_to(host).with_keys({LiveSource.ADS: KEY}).settings
        with pytest.raises(RejectedKey) as raised:
            looked_up(paper, settings, host.clock)
    assert KEY not in str(raised.value)
