"""An answer that has been paid for is never lost to its rewrite, whoever asks for it."""

from typing import Any

import pytest

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import ProviderError, Unreachable, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.operations import run

QUESTION = "How fast does the universe expand?"


def with_chat(pf: Pathfinder, *replies: Any) -> tuple[Pathfinder, ScriptedChat]:
    chat = ScriptedChat(replies)
    return Pathfinder(pf.corpus, pf.embedder, KeywordExtractor.load(), chat), chat


def test_an_answer_whose_rewrite_fails_is_returned_with_a_note(pf: Pathfinder) -> None:
    own, _ = with_chat(pf, "It is 73.", Reply("", error=Unreachable("fake:scripted does not answer: try again")))
    answered = run(own, "ask", QUESTION, audience="student")
    assert ("It is 73" in answered.answer.text, answered.rewrite) == (True, None)
    assert "the answer was not rewritten: fake:scripted does not answer: try again" in answered.notes


def test_a_language_that_is_none_is_refused_before_anything_is_asked(pf: Pathfinder) -> None:
    own, chat = with_chat(pf)
    with pytest.raises(UsageError, match="is not the name of a language"):
        run(own, "ask", QUESTION, language="<b>")
    assert chat.received == []


def test_a_rewrite_without_a_chat_model_is_refused_before_the_answer(
    pf: Pathfinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pathfinder, "stream_events", lambda *_, **__: pytest.fail("the answer was begun"))
    with pytest.raises(ProviderError, match="needs a chat model"):
        run(pf, "ask", QUESTION, audience="student")
