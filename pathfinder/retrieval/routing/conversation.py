"""A follow-up as a question that stands alone, so that it can be shown before it is searched. Nothing is remembered."""

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.index.words import QUESTION_STOP_WORDS, words
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.question import in_words
from pathfinder.retrieval.replies import REFUSALS, complete, in_brief, parse_json, unreadable
from pathfinder.retrieval.years.named import topic, years_named
from pathfinder.types import Call

MAX_EARLIER = 4
"""How many earlier questions are read, the latest ones."""

FEW_CONTENT_WORDS = 6
"""A question with a pronoun and fewer content words leans on the one before."""

MAX_REPLY_TOKENS = 200
BY_RULES = "rules"
_ANY_DAY = datetime.date(2099, 1, 1)
"""Where the phrases lie is the same for every day."""

_OPENING = re.compile(
    r"^\W*(?:and|what\s+about|how\s+about|but|also|or|then|same\s+for|the\s+same\s+for|likewise)\b", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|she|him|her|his|one|ones|there|such|both)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StandingQuestion:
    """A question that can be searched by itself."""

    text: str
    ran: str
    """In words for a badge: who wrote it, or that it stood alone."""
    calls: tuple[Call, ...] = ()
    """Of the chat model."""


@dataclass(frozen=True)
class _Reply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    question: Annotated[str, Field(min_length=1, max_length=1000)]


def standing_question(history: Sequence[str], follow_up: str, chat: ChatModel | None) -> StandingQuestion:
    """`follow_up` with what it takes from the questions before it, `history`: as they were searched, earliest first.

    A question without a history is left as it is, and so is one that stands alone by the rules. Another is
    rewritten by the chat model; without one, or when its reply is no use, the question before is put in front.
    """
    earlier = tuple(question.strip() for question in history if question.strip())
    follow_up = follow_up.strip()
    if not earlier or not leans(follow_up):
        return StandingQuestion(follow_up, "as asked: it stands alone")
    if chat is None:
        return StandingQuestion(_joined(earlier[-1], follow_up), f"{BY_RULES}: the question before is put in front")
    try:
        return StandingQuestion(_rewritten(earlier, follow_up, chat), in_words(chat.name))
    except REFUSALS as error:
        why = in_brief(error, chat.name)
        return StandingQuestion(
            _joined(earlier[-1], follow_up), f"{BY_RULES} ({why}): the question before is put in front"
        )


def leans(follow_up: str) -> bool:
    """Whether `follow_up` needs the question before it: it goes on from it, or points to it and says little itself."""
    if not words(follow_up):
        return False
    if _OPENING.match(follow_up):
        return True
    content = [word for word in words(follow_up) if word not in QUESTION_STOP_WORDS]
    return len(content) < FEW_CONTENT_WORDS and _PRONOUN.search(follow_up) is not None


def _rewritten(earlier: Sequence[str], follow_up: str, chat: ChatModel) -> str:
    asked = "\n".join(f"<earlier>\n{question}\n</earlier>" for question in earlier[-MAX_EARLIER:])
    prompt = render("follow_up", earlier=asked, follow_up=follow_up)
    reply = complete(chat, render("follow_up_system"), prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS)
    question = " ".join(parse_json(reply, _Reply, chat.name).question.split())
    if not words(question):
        raise unreadable(reply, "a question without a word", chat.name)
    return question


def _joined(before: str, follow_up: str) -> str:
    """ "What sets the gas content of galaxies? And at higher redshift?"; years named anew replace those before."""
    named_before = years_named(before, _ANY_DAY)
    if named_before is not None and years_named(follow_up, _ANY_DAY) is not None:
        before = topic(before, named_before)
    ended = before if before.endswith(("?", "!", ".")) else f"{before}?"
    return f"{ended} {follow_up[0].upper()}{follow_up[1:]}"
