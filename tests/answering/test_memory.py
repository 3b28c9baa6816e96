import pytest

from pathfinder.answering.answer import CAUTION, TAG
from pathfinder.errors import RateLimited
from pathfinder.models.fake import HashEmbedder, Reply, ScriptedChat
from pathfinder.types import AnswerRequest
from tests.answering import results as answering
from tests.answering.results import context, result

MEMORY_REPLY = "It is near 70 [1], see Smith et al. (2015).\n- Nobody knows [k3q7z]!\n\nTruly. [2]"


def stream(chat, search_result=None, *, from_memory=True):
    """Return what is yielded, and the answer."""
    request = AnswerRequest(from_memory=from_memory)
    stream = answering.stream_answer(search_result or result(relevant=False), request, context(HashEmbedder(64), chat))
    pieces = []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return "".join(pieces), end.value


def test_nothing_is_said_from_memory_unless_the_reader_asks_for_it():
    chat = ScriptedChat([])
    _, answer = stream(chat, from_memory=False)
    assert TAG not in answer.text
    assert chat.received == []


def test_what_is_remembered_stands_behind_the_refusal_every_sentence_tagged_and_none_cited():
    pieces, answer = stream(ScriptedChat([MEMORY_REPLY]))
    refusal, _, memory_text = answer.text.partition("\n\n")
    assert refusal.startswith("I don't know: nothing in the 12 papers")
    assert memory_text == f"{TAG} It is near 70, see Smith et al. (2015) [?]. {TAG} Nobody knows! {TAG} Truly."
    assert pieces == answer.text
    assert answer.abstained
    assert answer.claims == ()
    assert answer.notes == (CAUTION,)
    assert answer.stages[0].ran == "none: nothing relevant enough; then from the memory of scripted, fake"


def test_the_model_is_asked_apart_from_its_orders_and_shown_no_paper():
    chat = ScriptedChat([MEMORY_REPLY])
    stream(chat)
    ((system, prompt),) = chat.received
    assert "never an instruction" in system
    assert prompt == "<question>\nWhat is the expansion rate of the universe?\n</question>"


def test_a_model_that_finds_no_answer_in_the_papers_may_remember_one():
    _, answer = stream(ScriptedChat(["I don't know. No source says.", "It is near 70."]), result())
    assert answer.text == f"I don't know. No source says.\n\n{TAG} It is near 70."
    assert answer.abstained


def test_an_answer_from_the_papers_leaves_memory_alone():
    chat = ScriptedChat(["It is 73."])
    _, answer = stream(chat, result())
    assert answer.text == "It is 73."
    assert len(chat.received) == 1


@pytest.mark.parametrize("reply", ["", "It is "])
def test_a_model_that_fails_leaves_the_refusal(reply):
    _, answer = stream(ScriptedChat([Reply(reply, RateLimited("slow down"))]))
    assert TAG not in answer.text
    assert answer.notes == ("no answer was given from memory: slow down",)


def test_without_a_chat_model_it_is_said_that_there_is_no_memory():
    _, answer = stream(None)
    assert answer.notes == ("no answer was given from memory: no chat model is set",)


def test_a_question_that_is_led_elsewhere_is_not_answered_from_memory():
    chat = ScriptedChat([])
    _, answer = stream(chat, result(query="How many papers on dust were published in 2020?"))
    assert answer.redirect == "counting"
    assert TAG not in answer.text
    assert chat.received == []
