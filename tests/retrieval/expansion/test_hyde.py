import pytest

from pathfinder.errors import BrokenStream, RateLimited
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.retrieval.expansion.query_expansion import write_hypothetical_abstracts

QUESTION = "What is the value of the Hubble constant?"


@pytest.mark.parametrize("error", [RateLimited("slow down (HTTP 429)"), BrokenStream("it broke", "We")])
def test_one_failed_abstract_fails_all(error):
    with pytest.raises(type(error)):
        write_hypothetical_abstracts(QUESTION, 3, ScriptedChat(["We measure.", Reply("We", error), "We find."]))


def test_the_prompt_holds_the_question_and_another_question_gives_another_prompt():
    chat = ScriptedChat(lambda _: "We measure.")
    write_hypothetical_abstracts(QUESTION, 1, chat)
    write_hypothetical_abstracts("Do dwarf galaxies have $cusps?", 1, chat)
    (_, first), (_, other) = chat.received
    assert QUESTION in first
    assert "Do dwarf galaxies have $cusps?" in other
    assert first != other


def test_the_requested_number_of_abstracts_is_returned_even_if_equal():
    chat = ScriptedChat(lambda _: "We measure 70 km/s/Mpc.")
    assert write_hypothetical_abstracts(QUESTION, 3, chat) == ("We measure 70 km/s/Mpc.",) * 3
