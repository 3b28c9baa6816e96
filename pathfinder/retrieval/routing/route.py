"""Route a question: find its category and flags, and the recommended settings. Nothing here changes a search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.llm.chat import REFUSALS, complete, in_brief, parse_json
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.profile import OverloadedTerm, Profile, astronomy
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.routing.categories import Category, Flag
from pathfinder.retrieval.routing.rules import category_by_rules, flags_by_rules
from pathfinder.retrieval.routing.suggestions import RoutingSuggestion, suggestion_for
from pathfinder.retrieval.stages.log import StageReport, substituted_stage
from pathfinder.types import LOCAL_RERANKER, Call, Keyword, StageStatus

MAX_REPLY_TOKENS = 200
BY_RULES = "rules"
NO_CHAT = "no chat model is set"


@dataclass(frozen=True, slots=True)
class Route:
    """The category and flags of a question, the reason for them, and the settings recommended for it."""

    category: Category
    flags: tuple[Flag, ...]
    """Flags in the order of `Flag`, without duplicates."""
    reason: str
    decided_by: str
    """Name of the chat model, or "rules", with the reason if rules replaced a model that failed."""
    suggestions: tuple[RoutingSuggestion, ...]
    """Suggestions for the category, then for each flag; none is applied automatically."""
    status: StageStatus
    """Outcome of the classification, with the model that was used or the reason why rules replaced it."""
    calls: tuple[Call, ...] = ()
    """Calls to the chat model."""


@dataclass(frozen=True)
class _RouteReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    category: Category
    flags: tuple[Flag, ...]
    reason: Annotated[str, Field(min_length=1, max_length=500)]


def route(
    question: str,
    keywords: Sequence[Keyword],
    chat: ChatModel | None,
    reranker: str = LOCAL_RERANKER,
    profile: Profile | None = None,
) -> Route:
    """Classify `question` with the chat model, or by rules if there is none or its reply is unusable.

    `reranker`, which must be usable here, is named in suggestions if the table recommends reranking. `profile` holds
    the field's overloaded terms; the default is astronomy.
    """
    overloaded_names = (profile or astronomy()).overloaded_terms
    if chat is None:
        return _by_rules(question, keywords, substituted_stage(BY_RULES, NO_CHAT), reranker, overloaded_names)
    try:
        reply = complete(
            chat,
            render("route_system"),
            render("route", question=question),
            temperature=0.0,
            max_tokens=MAX_REPLY_TOKENS,
            form=_RouteReply,
        )
        reply_fields = parse_json(reply, _RouteReply, chat)
    except REFUSALS as error:
        why = in_brief(error, chat.name)
        report = substituted_stage(f"{BY_RULES} ({why})", why)
        return _by_rules(question, keywords, report, reranker, overloaded_names)
    flags = tuple(flag for flag in Flag if flag in reply_fields.flags)
    report = StageReport(describe_model(chat.name), chat.name)
    return _with_suggestions(reply_fields.category, flags, " ".join(reply_fields.reason.split()), report, reranker)


def _by_rules(
    question: str,
    keywords: Sequence[Keyword],
    report: StageReport,
    reranker: str,
    overloaded_names: Sequence[OverloadedTerm],
) -> Route:
    category, reason = category_by_rules(question)
    return _with_suggestions(category, flags_by_rules(question, keywords, overloaded_names), reason, report, reranker)


def _with_suggestions(
    category: Category, flags: tuple[Flag, ...], reason: str, report: StageReport, reranker: str
) -> Route:
    kinds: tuple[Category | Flag, ...] = (category, *flags)
    suggestions = (suggestion_for(kind, reranker) for kind in kinds)
    useful = tuple(suggestion for suggestion in suggestions if suggestion)
    return Route(category, flags, reason, report.words, useful, report.as_status("route"))
