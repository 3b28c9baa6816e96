"""A reader's own keys of live sources: typed, used for this visit alone, taken back, and nowhere to be seen."""

import logging
from dataclasses import replace

import pytest
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from pathfinder.errors import RejectedKey, UsageError
from pathfinder.settings import Settings
from pathfinder.sources.ads_lookup import AdsRecord
from pathfinder.sources.live.access import LiveAccess
from pathfinder.sources.live.asking import ask_side_by_side
from pathfinder.types import LiveSource
from pathfinder.ui.papers.paper_page import looked_up
from pathfinder.ui.settings.keys import check_key
from pathfinder.ui.shared import visit_entries
from tests.answering.results import PAPERS
from tests.sources.hosts.json_hosts import as_json
from tests.sources.hosts.loopback import LoopbackHost, running
from tests.sources.live.live_hosts import ads

KEY = "ads-k3y-that-must-not-be-seen"
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
keys.sources_panel()
token = own.live.settings.ads_api_token
st.text("the server's" if own is pf else f"own: {len(token.get_secret_value()) if token else 0} characters")
st.text(", ".join(resources.live_sources()))
st.session_state.setdefault("seen", []).append(id(own))
"""


@pytest.fixture
def visit(golden_corpus):
    def page():
        app = AppTest.from_string(SCRIPT)
        app.query_params["corpus"] = str(golden_corpus)
        return app.run()

    return page


def type_key(page, key=KEY, source="ads"):
    page.text_input(key=f"visit-live-{source}").input(key)
    return next(button for button in page.button if button.label == "Use for this visit").click().run()


def texts(page):
    assert not page.exception
    return [element.value for element in page.text]


def test_a_key_is_used_in_every_run_of_this_visit_and_switches_its_source_on(visit):
    page = visit()
    assert texts(page) == ["the server's", ""]
    type_key(page).run()
    assert texts(page) == [f"own: {len(KEY)} characters", "ads"]
    assert len(set(page.session_state["seen"][1:])) == 1


def test_another_visitor_has_nothing_of_it(visit):
    type_key(visit())
    assert texts(visit()) == ["the server's", ""]


def test_a_key_is_nowhere_to_be_seen(visit, caplog):
    caplog.set_level(logging.DEBUG)
    page = type_key(visit())
    assert KEY not in repr((page.main, dict(page.query_params), [field.value for field in page.text_input]))
    assert KEY not in caplog.text
    assert page.query_params.keys() == {"corpus"}


def test_keys_can_be_taken_back(visit):
    page = type_key(visit())
    page.button(key="visit-live-forget").click().run()
    assert texts(page) == ["the server's", ""]


def test_what_cannot_be_a_key_is_refused_without_being_repeated(visit):
    page = type_key(visit(), f"{KEY} {KEY}")
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
