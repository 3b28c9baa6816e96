"""What kind of question is asked, and which settings are advised for it. Nothing here changes a search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.question import in_words
from pathfinder.retrieval.replies import REFUSALS, complete, in_brief, parse_json
from pathfinder.retrieval.routing.kinds import Category, Flag
from pathfinder.retrieval.routing.rules import category_by_rules, flags_by_rules
from pathfinder.retrieval.routing.table1 import Suggestion, suggestion_for
from pathfinder.types import LOCAL_RERANKER, Call, Keyword

MAX_REPLY_TOKENS = 200
BY_RULES = "rules"


@dataclass(frozen=True, slots=True)
class Route:
    """The kind of a question, why it is of that kind, and the settings that go with it."""

    category: Category
    flags: tuple[Flag, ...]
    """Each once, in the order of `Flag`."""
    reason: str
    decided_by: str
    """A chat model by its name, or "rules"; where the one stands in for the other, why."""
    suggestions: tuple[Suggestion, ...]
    """Of the category, then of each flag; none is applied."""
    calls: tuple[Call, ...] = ()
    """Of a chat model, to tell it."""


@dataclass(frozen=True)
class _Reply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    category: Category
    flags: tuple[Flag, ...]
    reason: Annotated[str, Field(min_length=1, max_length=500)]


def route(question: str, keywords: Sequence[Keyword], chat: ChatModel | None, reranker: str = LOCAL_RERANKER) -> Route:
    """Tell the kind of `question` by the chat model, or by rules where there is none or its reply is no use.

    `reranker` is what a suggestion reranks by where the table has a reranker: one whose key is set.
    """
    if chat is None:
        return _by_rules(question, keywords, BY_RULES, reranker)
    try:
        reply = complete(
            chat,
            render("route_system"),
            render("route", question=question),
            temperature=0.0,
            max_tokens=MAX_REPLY_TOKENS,
        )
        said = parse_json(reply, _Reply, chat.name)
    except REFUSALS as error:
        return _by_rules(question, keywords, f"{BY_RULES} ({in_brief(error, chat.name)})", reranker)
    flags = tuple(flag for flag in Flag if flag in said.flags)
    return _routed(said.category, flags, " ".join(said.reason.split()), in_words(chat.name), reranker)


def _by_rules(question: str, keywords: Sequence[Keyword], decided_by: str, reranker: str) -> Route:
    category, reason = category_by_rules(question)
    return _routed(category, flags_by_rules(question, keywords), reason, decided_by, reranker)


def _routed(category: Category, flags: tuple[Flag, ...], reason: str, decided_by: str, reranker: str) -> Route:
    kinds: tuple[Category | Flag, ...] = (category, *flags)
    suggested = (suggestion_for(kind, reranker) for kind in kinds)
    return Route(category, flags, reason, decided_by, tuple(one for one in suggested if one is not None))
