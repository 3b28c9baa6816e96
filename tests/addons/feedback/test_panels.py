"""Feedback on the page: judgements withdrawn by code, too old, or impossible to store."""

import datetime
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.addons.feedback import panels as feedback
from pathfinder.addons.feedback.judgements import FEEDBACK, FeedbackStore
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import StoreError
from tests.feedback_made import JUDGED
from tests.places import page_at
from tests.ui.test_pages import page_text, ran
from tests.user_data.visits import MadeVisit


@pytest.fixture
def store(golden_corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FeedbackStore:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    return FeedbackStore(tmp_path)


def visit(address: str) -> AppTest:
    return ran(page_at(address).run())


def test_feedback_is_withdrawn_by_its_code_after_the_visit(store: FeedbackStore, golden_corpus: Path) -> None:
    corpus, browser = corpus_name(golden_corpus), MadeVisit()
    for place in (store, FeedbackStore(browser)):
        place.add(replace(JUDGED, corpus=corpus))
    page = page_at("about")
    page.session_state["visit-records"] = {(corpus.ids[0], FEEDBACK.table): browser.records(FEEDBACK)}
    page = ran(page.run())
    for code, outcome in (("other", "No feedback has this code"), (JUDGED.code, "The feedback has been withdrawn.")):
        page.text_input(key="feedback-code").set_value(code)
        page = ran(page.button[0].click().run())
        assert outcome in page_text(page)
    assert store.judgements() == ()
    left = page.session_state["visit-records"][corpus.ids[0], FEEDBACK.table]
    assert FeedbackStore(MadeVisit({FEEDBACK.table: left})).judgements() == ()


def test_judgements_beyond_the_age_limit_go_when_ask_is_opened_though_nobody_sends_any(
    store: FeedbackStore,
) -> None:
    old, young = (replace(JUDGED, code=str(year), day=datetime.date(year, 1, 1)) for year in (2020, 2100))
    store.add(old)
    store.add(young)
    visit("ask")
    assert store.judgements() == (young,)


@pytest.mark.parametrize("failing", ["_store", "_server"])
def test_feedback_that_cannot_be_stored_everywhere_is_stored_nowhere(
    failing: str, store: FeedbackStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, state = FeedbackStore(MadeVisit()), dict[str, object]()

    def fails(*_: object) -> None:
        raise StoreError("no room")

    add, broken = FeedbackStore.add, store if failing == "_server" else browser
    monkeypatch.setattr(FeedbackStore, "add", lambda self, each: fails() if self is broken else add(self, each))
    monkeypatch.setattr(feedback, "_server", lambda: store)
    monkeypatch.setattr(feedback, "own", lambda _: browser)
    monkeypatch.setattr(feedback, "is_visited_here", lambda: False)
    monkeypatch.setattr(feedback, "judgement_of", lambda *_, **__: JUDGED)
    monkeypatch.setattr(feedback, "kept", lambda *_: "")
    monkeypatch.setattr(feedback.st, "session_state", state)
    feedback._send("key", SimpleNamespace(corpus=None, request=None, hits=()), None)
    assert state == {"key-sent": "no room"}
    assert store.judgements() == browser.judgements() == ()
