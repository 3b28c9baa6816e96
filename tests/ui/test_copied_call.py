"""The link and the call that a reader copies: they give what is on screen, or say what they leave out."""

from collections.abc import Sequence
from typing import Any

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from pathfinder.models.fake import ScriptedChat
from pathfinder.serving import beside_page
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.beside_page import PageApi
from pathfinder.types import CorpusName, Likeness, SearchRequest, Weighting
from pathfinder.ui import consensus as consensus_tab
from pathfinder.ui.settings import copied_call
from pathfinder.ui.shared import visit_entries
from pathfinder.ui.similar import left_out
from tests.ui.test_pages import Open, page_text, ran

HST = CorpusName("hst", "aa11", 3, "id-hst")
OTHER = CorpusName("other_corpus", "bb22", 3, "id-other")
PAGE = "http://127.0.0.1:8501"


@pytest.fixture(autouse=True)
def served(monkeypatch: pytest.MonkeyPatch) -> None:
    """The API of the corpus HST is served at the address of the page."""
    monkeypatch.setattr(beside_page, "_ANNOUNCED_APIS", [PageApi(ServerAccess("127.0.0.1", 8501), lambda: HST)])
    monkeypatch.setattr(ContextProxy, "url", f"{PAGE}/similar")


def draw(name: str, corpus: object, omitted: object) -> None:
    import streamlit as st

    from pathfinder.ui.settings import copied_call

    st.session_state.setdefault(f"copy-{name}", True)
    copied_call.panel(name, {"query": "q"}, corpus, omitted)  # type: ignore[arg-type]


def open_panel(
    corpus: CorpusName | None, name: str = "search", omitted: Sequence[str] = (), **parameters: list[str]
) -> AppTest:
    """The open panel of a call, on a page with the `parameters` in its address."""
    page = AppTest.from_function(draw, args=(name, corpus, omitted))
    for parameter, values in parameters.items():
        page.query_params[parameter] = values
    return ran(page.run())


def code(page: AppTest) -> list[str]:
    return [part.value for part in page.code]


@pytest.mark.parametrize(
    "corpus", [HST, CorpusName("hst", "aa11@1999", 2, "id-hst"), None], ids=["same", "as of a year", "any"]
)
def test_the_call_goes_to_the_page_if_its_api_has_the_corpus_on_screen(corpus: CorpusName | None) -> None:
    page = open_panel(corpus)
    assert f"curl {PAGE}/api/v1/search" in code(page)[1]
    assert "pathfinder serve" not in page_text(page)


@pytest.mark.parametrize("corpus", [OTHER, CorpusName("hst", "cc33", 4, "id-hst")], ids=["another", "a newer version"])
def test_the_call_for_a_corpus_that_the_api_lacks_goes_to_a_server_of_its_own(corpus: CorpusName) -> None:
    page = open_panel(corpus)
    assert "curl http://127.0.0.1:8600/api/v1/search" in code(page)[1]
    assert f"while `pathfinder serve --corpus DIR` runs; DIR is the folder of the library {corpus.name}" in page_text(
        page
    )
    assert "The API of this page serves a different library or version." in page_text(page)


def test_without_an_api_the_call_goes_to_a_server_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside_page, "_ANNOUNCED_APIS", [])
    page = open_panel(HST)
    assert "curl http://127.0.0.1:8600/" in code(page)[1]
    assert "The API of this page" not in page_text(page)


def test_an_api_that_would_refuse_the_host_of_the_page_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ContextProxy, "url", "https://papers.example/")
    assert "curl http://127.0.0.1:8600/" in code(open_panel(HST))[1]


def test_a_link_holds_every_paper_and_no_key_of_a_visitor() -> None:
    page = open_panel(HST, like=["riess-2022", "hubble-1929"], visit=["secret"])
    assert code(page)[0] == f"{PAGE}/similar?like=riess-2022&like=hubble-1929"
    assert code(open_panel(HST))[0] == f"{PAGE}/similar"


def test_the_panel_says_what_the_link_and_the_call_leave_out() -> None:
    weighted = SearchRequest("q", top_k=3, weighting=Weighting(recency=0.5), likeness=Likeness(("a",), text="Stars."))
    text = page_text(open_panel(HST, "similar", left_out(weighted)))
    assert "A link to this page, without the text, the filters and the weights" in text
    assert "From the API, without the weights" in text


def test_weights_that_are_off_are_not_left_out() -> None:
    off = Weighting().with_strength("recency", 0.0).with_strength("a plug-in's", 0.0)
    assert left_out(SearchRequest("q", weighting=off, likeness=Likeness(("a",)))) == []


def test_a_visitor_with_a_model_of_their_own_reads_that_the_server_uses_its_own() -> None:
    page = open_panel(HST)
    own = "The call uses the server's chat model and keys, not those that you entered here."
    assert own not in page_text(page)
    page.session_state[visit_entries.CHAT] = ScriptedChat([])
    assert own in page_text(ran(page.run()))


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """The body of each call that the last run offered, by name."""
    offered: dict[str, dict[str, Any]] = {}
    monkeypatch.setattr(copied_call, "panel", lambda name, body, *_: offered.update({name: dict(body)}))
    return offered


def test_after_a_weight_is_moved_the_answer_is_made_again_and_its_call_has_the_weight(
    ask: Open, bodies: dict[str, dict[str, Any]]
) -> None:
    page = ask(q="What is the value of the Hubble constant?")
    assert "weights" not in bodies["answer"]
    page.toggle(key="recency-on").set_value(True)
    ran(page.run())
    assert bodies["answer"]["weights"]["recency"] > 0


def draw_consensus() -> None:
    """The tab, of a facade with a chat model; the recency in the session is that of the search on screen."""
    from dataclasses import replace
    from types import SimpleNamespace

    import streamlit as st

    from pathfinder.answering.settings import AnswerSettings
    from pathfinder.types import Weighting
    from pathfinder.ui import consensus as consensus_tab
    from tests.answering.assessment.consensus.literature import papers
    from tests.answering.results import result

    def judged(*_, **__):  # type: ignore[no-untyped-def]
        yield from ()
        return SimpleNamespace()

    pf = SimpleNamespace(chat=object(), stream_consensus=judged, stream_consensus_over_time=judged)
    pf.for_question = lambda *_: pf
    search_result = result(papers(3))
    weighting = Weighting(recency=st.session_state.get("recency", 0.0))
    search_result = replace(search_result, request=replace(search_result.request, weighting=weighting))
    order = tuple(hit.paper.paper_id for hit in search_result.hits)
    form = SimpleNamespace(answering=AnswerSettings())
    if st.session_state.get("closed"):
        return
    consensus_tab.panel(pf, SimpleNamespace(result=search_result, order=order, form=form))  # type: ignore[arg-type]


def test_the_options_of_the_consensus_and_what_was_paid_for_outlive_the_closed_panel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(consensus_tab, "consensus_panel", lambda *_: None)
    page = ran(AppTest.from_function(draw_consensus).run())
    page.number_input(key="consensus-as-of").set_value(2015)
    page.toggle(key="consensus-over-time").set_value(True)
    paid = ran(page.run()) and dict(page.session_state["jobs"])
    for is_closed in (True, False):
        page.session_state["closed"] = is_closed
        ran(page.run())
    assert page.number_input(key="consensus-as-of").value == 2015
    assert page.toggle(key="consensus-over-time").value
    assert dict(page.session_state["jobs"]) == paid
