from dataclasses import dataclass

import pytest

from pathfinder.errors import (
    BrokenStream,
    MissingDependency,
    MissingKey,
    ProviderError,
    RateLimited,
    RejectedKey,
    Unreachable,
)
from pathfinder.llm.chat import complete, in_brief, parse_json
from pathfinder.models.fake import Reply, ScriptedChat

NAME = "fake:scripted"
CHAT = ScriptedChat([])


def with_status(error, status):
    error.status = status
    return error


@dataclass(frozen=True)
class Judged:
    level: int
    reasons: tuple[str, ...]


GOOD = '{"level": 2, "reasons": ["near", "new"]}'


@pytest.mark.parametrize(
    ("reply", "wrong"),
    [
        ("", "Invalid JSON"),
        ("I would say two.", "Invalid JSON"),
        (GOOD[:-3], "Invalid JSON"),
        ("Here you are:\n```json\n" + GOOD + "\n```", "Invalid JSON"),
        ('{"level": "2", "reasons": []}', "level: Input should be a valid integer"),
        ('{"level": 2.5, "reasons": []}', "level: Input should be a valid integer"),
        ('{"level": 2}', "reasons: Field required"),
        ('{"level": 2, "reasons": "near"}', "reasons: Input should be a valid"),
        ('{"level": 2, "reasons": ["near", null]}', "reasons.1: Input should be a valid string"),
        ("[1]", "Input should be"),
        ("null", "Input should be"),
    ],
)
def test_a_reply_that_does_not_parse_is_an_error_that_names_what_is_wrong(reply, wrong):
    with pytest.raises(ProviderError) as caught:
        parse_json(reply, Judged, CHAT)
    assert str(caught.value).startswith(f"{NAME} did not reply in the requested form ({wrong}")
    assert "\n" not in str(caught.value)


def test_an_error_quotes_no_more_than_the_beginning_of_a_reply():
    with pytest.raises(ProviderError) as caught:
        parse_json("no " * 1000, Judged, CHAT)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("reply", [GOOD, f"```json\n{GOOD}\n```", f"```\n{GOOD}\n```\n", f" {GOOD}\n"])
def test_a_json_reply_becomes_a_value_with_or_without_a_fence(reply):
    assert parse_json(reply, Judged, CHAT) == Judged(2, ("near", "new"))


def test_a_reply_that_breaks_off_is_raised():
    with pytest.raises(BrokenStream):
        complete(ScriptedChat([Reply("Warm", BrokenStream("it broke", "Warm"))]), "", "why?")


def test_a_whole_reply_is_one_text_and_its_settings_were_sent():
    chat = ScriptedChat([" Warm discs.\n"])
    assert complete(chat, "be brief", "why?", temperature=0.5, max_tokens=250) == "Warm discs."
    assert (chat.received, chat.settings) == ([("be brief", "why?")], [(0.5, 250)])


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (with_status(RateLimited("x asked us to slow down: wait"), 429), "HTTP 429 from x:y"),
        (with_status(RejectedKey("x does not accept the key"), 401), "HTTP 401 from x:y"),
        (MissingKey("no key is set"), "no key for x:y"),
        (Unreachable("x does not answer"), "no answer from x:y"),
        (BrokenStream("the reply stopped"), "incomplete reply from x:y"),
        (MissingDependency("x needs a package"), "package missing for x:y"),
        (ProviderError("x gave an empty reply"), "no usable reply from x:y"),
    ],
)
def test_why_a_model_could_not_be_used_fits_a_badge(error, words):
    assert in_brief(error, "x:y") == words
