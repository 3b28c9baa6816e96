import pytest


@pytest.fixture
def any_reply_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fold no reply: for tests of the steps, whose scripted replies have few words, none of them from a paper."""
    monkeypatch.setattr("pathfinder.answering.answer.why_no_answer", lambda *_: None)
