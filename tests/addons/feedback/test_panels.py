"""Feedback on the page: weights taken over and given back by one click each, and judgements withdrawn by code."""

import datetime
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.addons.feedback import panels as feedback
from pathfinder.addons.feedback.judgements import FEEDBACK, FeedbackStore, ListedPaper, Remark, Thumb
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import StoreError
from pathfinder.ui.stars import own_shelves
from tests.feedback_made import JUDGED
from tests.places import page_at
from tests.ui.test_pages import page_text, ran
from tests.user_data.visits import MadeVisit


def papers_of(search: int) -> tuple[ListedPaper, ...]:
    return tuple(
        ListedPaper(f"{search}-{n}", (("match", 1 - n / 10), ("recency", n / 5), ("citations", (n % 2) / 2)))
        for n in range(6)
    )


@pytest.fixture
def store(golden_corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FeedbackStore:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    return FeedbackStore(tmp_path)


def visit(address: str) -> AppTest:
    return ran(page_at(address).run())


@pytest.mark.parametrize("is_owner", [True, False])
def test_learned_weights_are_used_by_one_click_and_given_back_by_one(
    is_owner: bool, store: FeedbackStore, golden_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (feedback, own_shelves):
        monkeypatch.setattr(module, "is_visited_here", lambda: is_owner)
    browser, corpus = MadeVisit(), corpus_name(golden_corpus)
    for n in range(20):  # readers always like the newest paper, which matches least
        liked = replace(
            JUDGED, code=str(n), search_id=str(n), corpus=corpus, listed=papers_of(n), paper_id=f"{n}-5",
            thumb=Thumb.UP, remark=Remark.SHOULD_BE_HIGHER,
        )  # fmt: skip
        store.add(liked)
        FeedbackStore(browser).add(liked)
    if not is_owner:
        assert "feedback-use" not in [button.key for button in visit("ask").button]  # others' feedback is theirs
    page = page_at("ask")
    page.session_state["visit-records"] = {(corpus.ids[0], FEEDBACK.table): browser.records(FEEDBACK)}
    page = ran(page.run())
    assert not page.toggle(key="recency-on").value
    page = ran(page.button(key="feedback-use").click().run())
    assert page.toggle(key="recency-on").value
    page = ran(page.button(key="feedback-undo").click().run())
    assert not page.toggle(key="recency-on").value


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


def test_judgements_beyond_the_age_limit_go_when_a_question_is_asked_though_nobody_sends_any(
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
