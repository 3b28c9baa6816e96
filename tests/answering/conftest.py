import pytest


@pytest.fixture
def any_reply_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """No reply is folded: for scripts whose few words are in no paper, where the steps are what is tested."""
    monkeypatch.setattr("pathfinder.answering.checking.why_no_answer", lambda *_: None)
