import json

import pytest

from pathfinder.errors import BrokenStream, PathfinderError
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.retrieval.routing.follow_up import StandaloneQuestion, standalone_question, what_came_later
from pathfinder.types import StageOutcome, StageStatus
from tests.retrieval.busy import busy

BEFORE = "What sets the gas content of galaxies?"
FOLLOW_UP = "and at higher redshift?"
JOINED = "What sets the gas content of galaxies? And at higher redshift?"


def reply_with(question: object) -> str:
    return json.dumps({"question": question})


# What must not happen ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("history", [(), ("",), ("  ", "")])
def test_without_history_the_question_is_unchanged(history: tuple[str, ...]) -> None:
    chat = ScriptedChat([])
    assert standalone_question(history, FOLLOW_UP, chat) == StandaloneQuestion(
        FOLLOW_UP,
        "as asked: it needs no context",
        StageStatus("follow-up", None, StageOutcome.SKIPPED, "it needs no context"),
    )


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?!",
        "What is the mass of the Milky Way?",
        "How do andesites form on Mars?",
        "What is the evidence that dark matter halos host satellite galaxies with little gas?",
        "Butterfly diagrams of the Sun",
        "Does the evolution of their host galaxies explain the colours of red quasars at high redshift?",
    ],
)
def test_an_independent_question_is_unchanged_and_no_model_is_called(question: str) -> None:
    chat = ScriptedChat([])
    assert standalone_question([BEFORE], question, chat).text == question
    assert standalone_question([BEFORE], question, None).text == question
    assert chat.received == []


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "And at higher redshift?",
        reply_with(""),
        reply_with("?"),
        '{"q": "x"}',
    ],
)
def test_an_unreadable_reply_is_never_searched(reply: str) -> None:
    standing = standalone_question([BEFORE], FOLLOW_UP, ScriptedChat([reply]))
    assert standing.text == JOINED
    assert standing.ran == "rules (no usable reply from fake:scripted): prefixed with the previous question"


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (busy("it said HTTP 429: wait"), "HTTP 429 from fake:scripted"),
        (BrokenStream("it stopped", "something else"), "incomplete reply from fake:scripted"),
    ],
)
def test_an_outage_does_not_replace_the_readers_question(error: PathfinderError, why: str) -> None:
    standing = standalone_question([BEFORE], FOLLOW_UP, ScriptedChat([Reply(reply_with("Something else?"), error)]))
    assert standing.text == JOINED
    assert standing.ran.startswith(f"rules ({why})")


# What is rewritten ------------------------------------------------------------------------------------------


def test_without_a_model_the_previous_question_is_put_in_front() -> None:
    standing = standalone_question(["What is dust?", BEFORE], FOLLOW_UP, None)
    assert standing == StandaloneQuestion(
        JOINED,
        "rules: prefixed with the previous question",
        StageStatus("follow-up", None, StageOutcome.SUBSTITUTED, "no chat model is set"),
    )
    excluding = "solar wind, but not by Parker"
    assert standalone_question([excluding], "who disagrees", None).text == f"Who disagrees? {excluding}"
    assert standalone_question(["gas in galaxies"], FOLLOW_UP, None).text == "gas in galaxies? And at higher redshift?"


@pytest.mark.parametrize(
    "follow_up",
    [
        "And in clusters?",
        "why?",
        "who disagrees?",
        "Tell me more",
        "What about dwarf galaxies?",
        "how about the Milky Way",
        "But why?",
        "Also for ellipticals?",
        "Same for quasars?",
        "Does it depend on mass?",
        "How were they found?",
        "Does that depend on mass?",
        "How many are there?",
        "Why is that?",
        "Which one is closest?",
        "What limits its mass?",
        "How do astronomers measure it?",
        "What evidence contradicts this model?",
        "How far away is that galaxy?",
        "Which telescopes observed it first?",
        "Do recent papers contradict this result?",
    ],
)
def test_a_follow_up_depends_on_the_previous_question(follow_up: str) -> None:
    text = standalone_question([BEFORE], follow_up, None).text
    assert text.startswith(BEFORE)
    assert text.casefold().endswith(follow_up.casefold())


@pytest.mark.parametrize(
    "question",
    [
        "Who discovered that sunspots are magnetic?",
        "how big is that huge red star Betelgeuse",
        "How do stars lose their mass?",
        "What is a CCD and why do telescopes use them?",
        "is there another earth close to us",
        "are there planets with more than one sun in the sky?",
    ],
)
def test_a_question_whose_pronouns_stand_for_things_in_it_is_searched_as_asked(question: str) -> None:
    assert standalone_question([BEFORE], question, None).text == question


@pytest.mark.parametrize(
    ("before", "follow_up", "years"),
    [
        ("Bars before 2010?", "and since 2020?", "Bars? And since 2020?"),
        ("Bars in the last five years?", "and in the 1990s?", "Bars? And in the 1990s?"),
        ("Bars before 2010?", "and spirals?", "Bars before 2010? And spirals?"),
        ("Bars?", "and since 2020?", "Bars? And since 2020?"),
    ],
)
def test_years_carry_over_until_others_are_named(before: str, follow_up: str, years: str) -> None:
    assert standalone_question([before], follow_up, None).text == years


def test_a_chat_model_writes_the_standalone_question() -> None:
    chat = ScriptedChat([reply_with("What sets the gas content\nof galaxies at higher redshift?")])
    standing = standalone_question(["What is dust?", BEFORE], FOLLOW_UP, chat)
    assert standing == StandaloneQuestion(
        "What sets the gas content of galaxies at higher redshift?",
        "scripted, fake",
        StageStatus("follow-up", "fake:scripted", StageOutcome.RAN),
    )
    ((_, prompt),) = chat.received
    assert all(text in prompt for text in ("What is dust?", BEFORE, FOLLOW_UP))
    assert chat.settings == [(0.0, 200)]


def test_only_the_latest_questions_are_read() -> None:
    chat = ScriptedChat([reply_with("Question 9?")])
    standalone_question([f"Question {n} of many?" for n in range(9)], FOLLOW_UP, chat)
    ((_, prompt),) = chat.received
    assert [n for n in range(9) if f"Question {n} of" in prompt] == [5, 6, 7, 8]


@pytest.mark.parametrize(
    ("before", "follow_up", "read"),
    [
        ("Who discovered the first pulsar?", "and what came later?", "pulsar after 1968"),
        ("Sgr A* before 1990", "What happened next?", "Sgr A* after 1968"),
        ("pulsars", "and what came after the Big Bang?", None),
        ("pulsars", "What came later in 1990?", None),
    ],
)
def test_what_came_later_is_the_subject_after_the_paper_that_answered(before: str, follow_up: str, read: str | None):
    later = what_came_later([before], follow_up, 1968)
    assert (None if later is None else later.text) == read
    assert what_came_later([before], follow_up, None) is None
