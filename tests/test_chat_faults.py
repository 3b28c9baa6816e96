"""What a reader of an answer sees when the chat model's server does not do its part: over the wire, by the facade."""

import pytest

from pathfinder import Pathfinder
from pathfinder.llm.langchain_chat import langchain_chat
from pathfinder.types import Answer, ModeName
from tests.wire import Act, Answers, Fails, Replies, Resets, Says, Wire

QUESTION = "What is the value of the Hubble constant?"
NAME = "openai:gpt-4o-mini"
KEY = "sk-a-key-that-must-not-be-seen"
NO_CHOICE = 'data: {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": []}\n\n'


def answer(pf: Pathfinder, act: Act, generation: ModeName = ModeName.RAG) -> Answer:
    with Wire(act) as wire:
        own = pf.with_chat(langchain_chat(NAME, api_key=KEY, base_url=wire.url, timeout_seconds=1))
        return own.answer(own.search(QUESTION, top_k=3), generation=generation)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (Says("The constant is ", then="hang"), "stopped before it finished"),
        (Says("The constant is ", then="reset"), "stopped before it finished"),
        (Says("The constant is ", then="garbage"), "stopped before it finished"),
        (Says("The constant is ", then="error"), "stopped before it finished"),
        (Resets(), "does not answer"),
        (Fails(500), "HTTP 500"),
        (Replies("{not json}"), NAME),
        (Replies('{"choices": []}'), NAME),
        (Replies(NO_CHOICE + "data: [DONE]\n\n", "text/event-stream"), NAME),
    ],
    ids=["stalls", "is reset", "sends no JSON", "sends an error", "resets", "fails", "no JSON", "no choice", "no word"],
)
def test_the_papers_answer_and_a_note_says_what_went_wrong(pf: Pathfinder, act: Act, words: str) -> None:
    reply = answer(pf, act)
    assert reply.stages[-1].ran == "extractive (the chat model failed)"
    assert all(claim.citations for claim in reply.claims)
    assert "The constant is" not in reply.text
    assert any(words in note for note in reply.notes)
    assert [call.purpose for call in reply.calls] == ["answer"]
    assert reply.calls[0].failure
    assert KEY not in repr(reply)


def test_a_paper_that_was_not_given_is_shown_as_invented_and_cited_in_no_claim(pf: Pathfinder) -> None:
    reply = answer(pf, Says("The constant is 73 [z9z9z]. ", "It is 67 [12]. ", "So says Riess."))
    assert "[z9z9z?]" in reply.text
    assert "[12?]" in reply.text
    assert [claim.citations for claim in reply.claims if claim.citations] == []
    assert reply.notes


@pytest.mark.parametrize("generation", [ModeName.AGENT, ModeName.DEEP_RESEARCH, ModeName.SELF_FEEDBACK])
def test_a_way_of_many_steps_ends_honestly_where_the_model_fails_on_the_way(
    pf: Pathfinder, generation: ModeName
) -> None:
    n_asked: list[int] = []

    def fails_later(body: dict[str, object]) -> Act:
        n_asked.append(1)
        if len(n_asked) > 1:
            return Fails(500)
        if "tools" in body:
            arguments = '{"query": "distance ladder"}'
            call = {"index": 0, "id": "a", "type": "function", "function": {"name": "search", "arguments": arguments}}
            return Says("I look.", calls=[call], finish_reason="tool_calls")
        return Says('{"thought": "first", "sub_questions": ["What is the distance ladder?"]}')

    reply = answer(pf, Answers(fails_later), generation)
    assert reply.text
    assert reply.notes
    assert any("HTTP 500" in (call.failure or "") for call in reply.calls)
    assert {paper_id for claim in reply.claims for paper_id in claim.citations} <= {
        paper.paper_id for paper in reply.sources
    }
