import pytest

from pathfinder.errors import BrokenStream, RateLimited
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.retrieval.widening.hyde import hypothetical_documents

QUESTION = "What is the value of the Hubble constant?"


@pytest.mark.parametrize("error", [RateLimited("slow down (HTTP 429)"), BrokenStream("it broke", "We")])
def test_one_abstract_that_fails_is_a_failure_of_all(error):
    with pytest.raises(type(error)):
        hypothetical_documents(QUESTION, 3, ScriptedChat(["We measure.", Reply("We", error), "We find."]))


def test_the_prompt_holds_the_question_and_another_question_gives_another_prompt():
    chat = ScriptedChat(lambda _: "We measure.")
    hypothetical_documents(QUESTION, 1, chat)
    hypothetical_documents("Do dwarf galaxies have $cusps?", 1, chat)
    (_, one), (_, other) = chat.asked
    assert QUESTION in one
    assert "Do dwarf galaxies have $cusps?" in other
    assert one != other


def test_as_many_abstracts_come_as_were_asked_for_also_where_they_are_the_same():
    chat = ScriptedChat(lambda _: "We measure 70 km/s/Mpc.")
    assert hypothetical_documents(QUESTION, 3, chat) == ("We measure 70 km/s/Mpc.",) * 3


def test_every_call_is_sent_the_temperature_and_the_length():
    chat = ScriptedChat(lambda _: "We measure.")
    hypothetical_documents(QUESTION, 3, chat)
    assert chat.settings == [(0.5, 250)] * 3
