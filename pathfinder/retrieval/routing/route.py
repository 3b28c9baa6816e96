"""Route a question: find its category and flags, and the recommended settings. Nothing here changes a search."""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.index.words import contains
from pathfinder.llm.chat import REFUSALS, complete, in_brief, parse_json
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.profile import OverloadedTerm, Profile, astronomy
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.routing.suggestions import Category, Flag, RoutingSuggestion, suggestion_for
from pathfinder.retrieval.stages import StageReport, substituted_stage
from pathfinder.retrieval.years.in_questions import MAX_WORDS, years_named
from pathfinder.text.english import AUXILIARIES, QUESTION_WORDS, any_of
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.types import LOCAL_RERANKER, Call, Keyword, StageStatus

_WORD = re.compile(r"[^\W\d_]+")
MIN_LETTERS = 4
"""Number of letters below which a word is a technical term only if it is written in capitals."""


def entities(keywords: Sequence[Keyword]) -> tuple[str, ...]:
    """Return the named entities among the keywords of a question."""
    return tuple(keyword.text for keyword in keywords if keyword.is_entity)


def jargon(keywords: Sequence[Keyword]) -> tuple[str, ...]:
    """Return the keywords, except entities, that contain an abbreviation or a word missing from an everyday lexicon."""
    everyday = read_lexicon()
    return tuple(
        keyword.text
        for keyword in keywords
        if not keyword.is_entity and any(_is_special(part, everyday) for part in _WORD.findall(keyword.text))
    )


def overloaded_terms(question: str, terms: Sequence[OverloadedTerm]) -> tuple[OverloadedTerm, ...]:
    """Find the overloaded `terms` in `question`, except those whose meaning is clear from the question.

    Terms are compared by their lemmas: "bars" matches "bar", but "barycentre" does not. "Galaxy cluster" fixes the
    meaning of "cluster" for the whole question.
    """
    words = lemmas(question)
    return tuple(
        term
        for term in terms
        if contains(words, lemmas(term.term))
        and (term.term.islower() or re.search(rf"\b{re.escape(term.term)}", question))
        and not any(contains(words, lemmas(phrase)) for phrase in term.settled_by)
    )


def _is_special(word: str, everyday: Container[str]) -> bool:
    if sum(map(str.isupper, word)) > 1:
        return True
    return len(word) >= MIN_LETTERS and not any(form in everyday for form in (word.lower(), *lemmas(word)))


MANY_TERMS = 2
"""Minimum number of technical terms for a question to get the flag "jargon"."""

_QUESTION_WORD = any_of(QUESTION_WORDS, [r"to\s+what\s+extent"])
_AUXILIARY = any_of(word for word in AUXILIARIES if word not in {"will", "would"})  # they ask about possibilities
_HYPOTHETICAL = (
    r"\bwhat\s+(?:if|would|might\s+have)\b|\bhow\s+(?:different\s+)?would\b|\bsuppose\b|\bimagine\b|"
    r"\bhad\s+(?:there\s+been\s+)?(?:no|not)\b|\bif\s+(?:there\s+)?were\b|"
    r"\bwould\b.{0,300}\bif\b|\bif\b.{0,300}\bwould\b"
)
_ABSENT_TEXT = r"\b(?:this|the|that)\s+(?:\w+\s+)?(?:study|paper|article|sentence|text|passage|section|figure|table)\b"
_STATEMENT = (
    rf"^\W*(?:{_AUXILIARY}|will)(?:n['’]t)?\b|\bconsensus\b|\bagree(?:ment)?\b(?!\s+with)|\bcontrovers|"
    r"\b(?:debate|dispute)|\bevidence\s+(?:for\s+(?:and|or)\s+against|against)|\bis\s+it\s+true\b|^\W*whether\b"
)
_SEVERAL_QUESTIONS = (
    rf"\?.+\?|(?:[,;]\s*|(?<!\s)\s+)?\b(?:and|but)\s+(?:if\s+so,?\s+)?(?:(?:as|at|by|for|from|in|on|through|to|under|with)\s+)?"
    rf"{_QUESTION_WORD}\s+(?!not\b)\w|(?:,|;)\s*and\s+{_AUXILIARY}\s+\w"
)
_PLURALS = "methods|techniques|approaches|models|theories|codes|mechanisms|explanations|challenges"
_SUMMARY = (
    r"\b(?:how|what)\s+(?:has|have)\b|\b(?:recent|latest|current)(?:ly)?\b|\bevolved?\s+(?:over|since)\b|"
    r"\bover\s+the\s+(?:past|last)\b|\b(?:review|overview|summar|survey\s+the|state\s+of\s+the\s+art)|"
    rf"\bwhat\s+(?:are|were)\b.{{0,300}}\b(?:main|major|key|primary|different|various|common|most|{_PLURALS}|"
    rf"developments|advances|ways|types)\b|\b(?:which|what)\s+(?:\w+\s+){{0,2}}(?:{_PLURALS})\b|"
    r"\b(?:studies|simulations|surveys|models|theories|observations)\s+(?:\w+\s+){0,3}"
    r"(?:explain|contribute|compare|address|reveal|suggest|advance|improve)|\bprevious\s+(?:studies|work)|"
    r"\bacross\s+(?:different|various|the)\b|\bamong\s+different\b|\bdifferent\s+(?:methods|models|types)\b|"
    r"\bour\s+understanding\b.{0,300}\b(?:improved|changed|advanced)|\bcompiled\b|\bliterature\b"
)
_RULES = tuple(
    (category, re.compile(pattern, re.IGNORECASE), reason)
    for category, pattern, reason in (
        (Category.WHAT_IF, _HYPOTHETICAL, "it asks about a hypothetical case"),
        (Category.UNCLASSIFIED, _ABSENT_TEXT, "it refers to a text that was not included"),
        (Category.CONSENSUS, _STATEMENT, "papers can agree or disagree with it"),
        (Category.COMPOSITIONAL, _SEVERAL_QUESTIONS, "it asks several questions at once"),
        (Category.MULTI_PAPER, _SUMMARY, "it asks what many papers say"),
    )
)
"""Category, pattern and reason. The first match applies, since each part of a multi-part question may ask for a
summary.
"""

_IS_QUESTION = re.compile(rf"\?|^\W*(?:{_QUESTION_WORD}|{_AUXILIARY})\b", re.IGNORECASE)
_BIBLIOMETRIC = re.compile(
    r"\bhow\s+many\s+(?:\w+\s+)?(?:papers|articles|publications|citations|authors|people|researchers|\w+nomers|\w+(?:olog|ic|hem)ists)\b|"
    r"\b(?:most|highly|top|often)[\s-]+cited\b|\bcitations?\s+(?:count|of|to|rate|history)\b|\bh-?index\b|\bauthors?\b|"
    r"\bpapers?\s+(?:by|from|written|published)\b|\b(?:published|written)\s+by\b|\bwho\s+(?:(?:first\s+)?(?:wrote|published)|are)\b|"
    r"\bjournals?\b|\bbibliograph|\bbibcodes?\b|\b(?:number|list|count)\s+of\s+(?:papers|publications|articles)\b|"
    r"\bfirst[\s-]author",
    re.IGNORECASE,
)
_NOW = r"\b(?:recent(?:ly)?|latest|currently?|today|nowadays|now|newest|upcoming|ongoing|presently|lately)\b"
_SPAN = r"\b(?:last|past)\s+(?:[\w-]+\s+){0,2}(?:years?|decades?)\b|\bthis\s+(?:year|decade)\b"
_TIME = re.compile(f"{_NOW}|{_SPAN}", re.IGNORECASE)
MAX_QUOTED = 40
"""Maximum length, in characters, of the part of the question that a reason quotes."""


def category_by_rules(question: str) -> tuple[Category, str]:
    """Return the category suggested by the words of `question`, and the reason."""
    if len(question.split()) > MAX_WORDS:
        return Category.UNCLASSIFIED, "it is as long as an abstract"
    for category, pattern, reason in _RULES:
        if match := pattern.search(question):
            quotation = " ".join(match[0].strip(" ,;").split())
            return category, f'{reason} ("{quotation}")' if len(quotation) <= MAX_QUOTED else reason
    if not _IS_QUESTION.search(question):
        return Category.UNCLASSIFIED, "it names a topic without asking anything"
    return Category.SINGLE_PAPER, "it asks for one fact, which a single paper may state"


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
    is_set = {
        Flag.NAMED_ENTITY: bool(entities(keywords)),
        Flag.JARGON: bool(overloaded_terms(question, overloaded_names)) or len(jargon(keywords)) >= MANY_TERMS,
        Flag.BIBLIOMETRIC: _BIBLIOMETRIC.search(question) is not None,
        Flag.TIME_SENSITIVE: _TIME.search(question) is not None or years_named(question, None) is not None,
    }
    return _with_suggestions(category, tuple(flag for flag in Flag if is_set[flag]), reason, report, reranker)


def _with_suggestions(
    category: Category, flags: tuple[Flag, ...], reason: str, report: StageReport, reranker: str
) -> Route:
    kinds: tuple[Category | Flag, ...] = (category, *flags)
    suggestions = (suggestion_for(kind, reranker) for kind in kinds)
    useful = tuple(suggestion for suggestion in suggestions if suggestion)
    return Route(category, flags, reason, report.words, useful, report.as_status("route"))
