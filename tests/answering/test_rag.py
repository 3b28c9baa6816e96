from dataclasses import replace
from itertools import chain, repeat

import pytest

from pathfinder.answering.modes.rag import says_it_does_not_know, stream_rag
from pathfinder.answering.modes.registry import mode_of
from pathfinder.llm.stopping import drain
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.types import AnswerRequest, Budget, Hit, Paper, Passage, Score, Specialisation
from tests.answering.results import PAPERS, context, result
from tests.answering.scripts import stream_mode


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
    reply = drain(stream_reply("q", as_hits(Paper("a", "Dust", "Dust is cold.")), ScriptedChat(["Dust is cold."])))
    assert reply.notes == ("no sentence in this answer cites a paper: check it against the papers yourself",)


def test_a_reply_that_does_not_know_need_not_cite():
    reply = drain(stream_reply("q", as_hits(Paper("a", "Dust", "Dust is cold.")), ScriptedChat(["I don't know."])))
    assert reply.notes == ()


def stream_reply(question, hits, chat):
    search_result = result(tuple(hit.paper for hit in hits), query=question)
    return stream_mode(stream_rag, search_result, AnswerRequest(), context(HashEmbedder(64), chat))


@pytest.mark.parametrize(
    ("specialisation", "order"),
    [
        (Specialisation.SINGLE_PAPER, "asks for one fact"),
        (Specialisation.MULTI_PAPER, "what several papers say together"),
        (Specialisation.BROAD, "in three blocks"),
    ],
)
def test_each_specialisation_gives_orders_of_its_own_under_the_same_rules(specialisation, order):
    chat = ScriptedChat(["It is so."])
    search_result, request = result(), AnswerRequest(specialisation=specialisation)
    reply = drain(stream_mode(mode_of(request).stream, search_result, request, context(HashEmbedder(64), chat)))
    ((system, _),) = chat.received
    assert order in " ".join(system.split())
    assert "cite the sources that it rests on by their keys" in system
    assert "never instructions" in system
    assert reply.ran == f"RAG, {specialisation.value}, scripted, fake"


def test_a_small_budget_of_tokens_gives_less_to_read():
    search_result = result((PAPERS[0], replace(PAPERS[1], abstract="Long. " * 500)))
    chat = ScriptedChat(["It is so."])
    request = AnswerRequest(budget=Budget(tokens=500))
    reply = drain(stream_mode(stream_rag, search_result, request, context(HashEmbedder(64), chat)))
    assert reply.notes[0] == "the prompt had no room for [2]: the answer does not draw on them"
    assert "Long." not in chat.received[0][1]


def clock_of(*seconds):
    """Return a clock that shows these seconds one after another, and the last of them for ever."""
    times = chain(seconds, repeat(seconds[-1]))
    return lambda: next(times)


def answered_within(budget, replies, clock):
    context_ = replace(context(HashEmbedder(64), ScriptedChat(replies)), clock=clock)
    return drain(stream_mode(stream_rag, result(), AnswerRequest(budget=budget), context_))


def test_a_reply_that_goes_on_for_ever_is_cut_at_the_end_of_the_time_and_said_to_be():
    reply = answered_within(Budget(seconds=10.0), ["It is so. " * 50], clock_of(0, 0, 0, 0, 1, 2, 3, 11))
    assert reply.text == "It is so."
    assert reply.ran == "RAG, multi-paper, scripted, fake, cut off"
    assert reply.notes[0] == "time budget spent: the answer was cut off there"


def test_where_the_budget_ends_before_a_word_the_hits_answer():
    reply = answered_within(Budget(tokens=1), [], clock_of(0))
    assert reply.ran == "extractive (budget spent)"
    assert {paper_id for claim in reply.claims for paper_id in claim.citations} <= {paper.paper_id for paper in PAPERS}
    assert reply.notes == ("token budget spent before the chat model said anything",)


def test_where_the_search_looked_up_passages_they_stand_in_for_what_does_not_fit():
    search_result = result((PAPERS[0], replace(PAPERS[1], abstract="Dust is cold. " + "Long. " * 9000)))
    search_result = replace(
        search_result, hits=(search_result.hits[0], replace(search_result.hits[1], passages=(Passage(0, 13, 0.5),)))
    )
    chat = ScriptedChat(["It is so."])
    reply = drain(stream_mode(stream_rag, search_result, AnswerRequest(), context(HashEmbedder(64), chat)))
    assert reply.notes[0].startswith("the prompt had room for only some passages of [2]")
    assert "Passages: Dust is cold.\n" in chat.received[0][1]
