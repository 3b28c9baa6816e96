"""Classify a question by its wording, for use without a chat model."""

import re
from collections.abc import Sequence

from pathfinder.profile import OverloadedTerm
from pathfinder.retrieval.routing.categories import Category, Flag
from pathfinder.retrieval.routing.jargon import entities, jargon, overloaded_terms
from pathfinder.retrieval.years.in_questions import MAX_WORDS, years_named
from pathfinder.text.english import AUXILIARIES, QUESTION_WORDS, any_of
from pathfinder.types import Keyword

MANY_TERMS = 2
"""Minimum number of technical terms for a question to get the flag "jargon"."""

_QUESTION_WORD = any_of(QUESTION_WORDS, [r"to\s+what\s+extent"])
_AUXILIARY = any_of(word for word in AUXILIARIES if word not in {"will", "would"})  # they ask about possibilities
_HYPOTHETICAL = (
    r"\bwhat\s+(?:if|would|might\s+have)\b|\bhow\s+(?:different\s+)?would\b|\bsuppose\b|\bimagine\b|"
    r"\bhad\s+(?:there\s+been\s+)?(?:no|not)\b|\bif\s+(?:there\s+)?were\b|\bwould\b.*\bif\b|\bif\b.*\bwould\b"
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
    rf"\bwhat\s+(?:are|were)\b.*\b(?:main|major|key|primary|different|various|common|most|{_PLURALS}|"
    rf"developments|advances|ways|types)\b|\b(?:which|what)\s+(?:\w+\s+){{0,2}}(?:{_PLURALS})\b|"
    r"\b(?:studies|simulations|surveys|models|theories|observations)\s+(?:\w+\s+){0,3}"
    r"(?:explain|contribute|compare|address|reveal|suggest|advance|improve)|\bprevious\s+(?:studies|work)|"
    r"\bacross\s+(?:different|various|the)\b|\bamong\s+different\b|\bdifferent\s+(?:methods|models|types)\b|"
    r"\bour\s+understanding\b.*\b(?:improved|changed|advanced)|\bcompiled\b|\bliterature\b"
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


def flags_by_rules(
    question: str, keywords: Sequence[Keyword], overloaded_names: Sequence[OverloadedTerm]
) -> tuple[Flag, ...]:
    """Return the flags implied by the words of `question`, its `keywords` and the field's overloaded terms,
    `overloaded_names`.
    """
    is_set = {
        Flag.NAMED_ENTITY: bool(entities(keywords)),
        Flag.JARGON: bool(overloaded_terms(question, overloaded_names)) or len(jargon(keywords)) >= MANY_TERMS,
        Flag.BIBLIOMETRIC: _BIBLIOMETRIC.search(question) is not None,
        Flag.TIME_SENSITIVE: _TIME.search(question) is not None or years_named(question, None) is not None,
    }
    return tuple(flag for flag in Flag if is_set[flag])
