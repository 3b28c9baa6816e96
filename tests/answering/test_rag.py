import pytest

from pathfinder.answering.rag import says_it_does_not_know, stream_rag
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.types import AnswerRequest, Hit, Paper, Score
from tests.answering.results import means, result


def as_hits(*papers):
    return tuple(Hit(paper, row, Score(0.0)) for row, paper in enumerate(papers))


@pytest.mark.parametrize(
    "reply",
    ["I don't know.", "I don’t know: nothing says.", "  **I don't know**", '"I do not know that."', "i don't know"],
)
def test_a_reply_that_does_not_know_is_known(reply):
    assert says_it_does_not_know(reply)


@pytest.mark.parametrize("reply", ["Stars form [1]. I don't know more.", "I donate", ""])
def test_a_reply_that_knows_is_known(reply):
    assert not says_it_does_not_know(reply)


def test_an_answer_that_cites_nothing_is_said_to_cite_nothing():
    reply = drained(stream_reply("q", as_hits(Paper("a", "Dust", "Dust is cold.")), ScriptedChat(["Dust is cold."])))
    assert reply.notes == ("no sentence of this answer cites a paper: check it against the papers yourself",)


def test_a_reply_that_does_not_know_need_not_cite():
    reply = drained(stream_reply("q", as_hits(Paper("a", "Dust", "Dust is cold.")), ScriptedChat(["I don't know."])))
    assert reply.notes == ()


def stream_reply(question, hits, chat):
    found = result(tuple(hit.paper for hit in hits), query=question)
    return stream_rag(found, AnswerRequest(), means(HashEmbedder(64), chat))


def drained(pieces):
    while True:
        try:
            next(pieces)
        except StopIteration as stop:
            return stop.value
