import json

import pytest

from pathfinder.errors import MissingDependency, MissingKey, RateLimited
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.profile import astronomy
from pathfinder.retrieval.routing.route import route
from pathfinder.retrieval.routing.suggestions import Category, Flag
from pathfinder.types import Keyword
from tests.retrieval.busy import busy

QUESTION = "Does dark matter exist?"


def reply_with(
    category: str = "consensus", flags: object = (), reason: object = "It can be refuted.", **more: object
) -> str:
    return json.dumps({"category": category, "flags": flags, "reason": reason, **more})


def category(question: str) -> Category:
    return route(question, (), None).category


# Replies that cannot be used ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "It is a consensus question.",
        reply_with("single paper"),
        reply_with(flags=["no such"]),
        reply_with(reason=""),
        reply_with(extra=1),
    ],
)
def test_an_unreadable_reply_is_replaced_by_rules_that_say_so(reply: str) -> None:
    routed = route(QUESTION, (), ScriptedChat([reply]))
    assert routed.decided_by == "rules (no usable reply from fake:scripted)"
    assert routed.category is Category.CONSENSUS


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (busy("it said HTTP 429: wait"), "HTTP 429 from fake:scripted"),
        (MissingKey("no key"), "no key for fake:scripted"),
        (MissingDependency("not installed"), "package missing for fake:scripted"),
    ],
)
def test_in_an_outage_rules_decide_and_say_why(error: RateLimited, why: str) -> None:
    routed = route(QUESTION, (), ScriptedChat([Reply(reply_with("what-if"), error)]))
    assert routed.decided_by == f"rules ({why})"
    assert routed.category is Category.CONSENSUS


# The chat model ---------------------------------------------------------------------------------------------


def test_a_chat_model_decides_category_and_flags() -> None:
    chat = ScriptedChat([reply_with("what-if", ["time-sensitive", "jargon", "jargon"], "It supposes\nsomething.")])
    routed = route(QUESTION, (), chat)
    assert (routed.category, routed.flags) == (Category.WHAT_IF, (Flag.JARGON, Flag.TIME_SENSITIVE))
    assert (routed.reason, routed.decided_by) == ("It supposes something.", "scripted, fake")
    assert [suggestion.row.kind for suggestion in routed.suggestions] == [
        Category.WHAT_IF,
        Flag.JARGON,
        Flag.TIME_SENSITIVE,
    ]


def test_the_prompt_holds_the_question_and_another_question_gives_another_prompt() -> None:
    chat = ScriptedChat([reply_with(), reply_with()])
    route("Does dark matter exist?", (), chat)
    route("Does $dark energy exist?", (), chat)
    (system, first), (_, second) = chat.received
    assert "Does dark matter exist?" in first
    assert "Does $dark energy exist?" in second
    assert all(kind.value in system for kind in (*Category, *Flag))
    assert chat.settings == [(0.0, 200)] * 2


# Rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("?", Category.SINGLE_PAPER),
        ("dark matter", Category.UNCLASSIFIED),
        ("We study dust. " * 40, Category.UNCLASSIFIED),
        ("What are the results of this study?", Category.UNCLASSIFIED),
        ("What is the mass of Sgr A*?", Category.SINGLE_PAPER),
        ("How does dust cool gas?", Category.SINGLE_PAPER),
        ("How has the view of bars evolved over the past decade?", Category.MULTI_PAPER),
        ("What are the main challenges of direct imaging?", Category.MULTI_PAPER),
        ("Which methods measure distances?", Category.MULTI_PAPER),
        ("Is the Hubble tension real?", Category.CONSENSUS),
        ("What is the evidence against MOND?", Category.CONSENSUS),
        ("What sets the mass of stars, and how does it depend on metallicity?", Category.COMPOSITIONAL),
        ("What is a magnetar? Which ones flare?", Category.COMPOSITIONAL),
        ("What if there were no dark matter?", Category.WHAT_IF),
        ("How would galaxies form without feedback?", Category.WHAT_IF),
    ],
)
def test_rules_find_the_category_from_the_words(question: str, kind: Category) -> None:
    assert category(question) is kind


def test_rules_classify_the_showcase_questions() -> None:
    assert [category(question) for question in astronomy().examples] == [
        Category.SINGLE_PAPER,
        Category.MULTI_PAPER,
        Category.CONSENSUS,
        Category.SINGLE_PAPER,
        Category.WHAT_IF,
        Category.MULTI_PAPER,
        Category.CONSENSUS,
        Category.CONSENSUS,
        Category.CONSENSUS,
    ]


@pytest.mark.parametrize(
    ("question", "flags"),
    [
        ("How do planets form?", ()),
        ("How many papers did she write?", (Flag.BIBLIOMETRIC,)),
        ("Which are the most cited works?", (Flag.BIBLIOMETRIC,)),
        ("What do recent works say?", (Flag.TIME_SENSITIVE,)),
        ("What was found in the last five years?", (Flag.TIME_SENSITIVE,)),
        ("What was found after 2020?", (Flag.TIME_SENSITIVE,)),
        ("How does metallicity matter?", (Flag.JARGON,)),
    ],
)
def test_flags_follow_from_the_words(question: str, flags: tuple[Flag, ...]) -> None:
    assert route(question, (), None).flags == flags


def test_entities_and_technical_terms_raise_flags() -> None:
    keywords = (Keyword("JWST", is_entity=True), Keyword("magnetar winds"), Keyword("UV slope"))
    assert route("How?", keywords, None).flags == (Flag.NAMED_ENTITY, Flag.JARGON)
    assert route("How?", keywords[:2], None).flags == (Flag.NAMED_ENTITY,)
