"""The kind of a question told by its words, when there is no chat model to ask."""

import re
from collections.abc import Sequence

from pathfinder.retrieval.routing.jargon import entities, jargon, overloaded_terms
from pathfinder.retrieval.routing.kinds import Category, Flag
from pathfinder.retrieval.years.named import MAX_WORDS, years_named
from pathfinder.types import Keyword

MANY_TERMS = 2
"""So many terms of the trade make a question one of jargon."""

_QUESTION_WORD = r"(?:how|what|which|why|when|where|who|whose|to\s+what\s+extent)"
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|should|must|may|might)"
_OTHERWISE = (
    r"\bwhat\s+(?:if|would|might\s+have)\b|\bhow\s+(?:different\s+)?would\b|\bsuppose\b|\bimagine\b|"
    r"\bhad\s+(?:there\s+been\s+)?(?:no|not)\b|\bif\s+(?:there\s+)?were\b|\bwould\b.*\bif\b|\bif\b.*\bwould\b"
)
_ELSEWHERE = r"\b(?:this|the|that)\s+(?:\w+\s+)?(?:study|paper|article|sentence|text|passage|section|figure|table)\b"
_STATEMENT = (
    rf"^\W*(?:{_AUXILIARY}|will)(?:n['’]t)?\b|\bconsensus\b|\bagree(?:ment)?\b(?!\s+with)|\bcontrovers|"
    r"\b(?:debate|dispute)|\bevidence\s+(?:for\s+(?:and|or)\s+against|against)|\bis\s+it\s+true\b|^\W*whether\b"
)
_SEVERAL = (
    rf"\?.+\?|(?:,|;)?\s*\b(?:and|but)\s+(?:if\s+so,?\s+)?(?:(?:as|at|by|for|from|in|on|through|to|under|with)\s+)?"
    rf"{_QUESTION_WORD}\s+(?!not\b)\w|(?:,|;)\s*and\s+{_AUXILIARY}\s+\w"
)
_PLURALS = "methods|techniques|approaches|models|theories|codes|mechanisms|explanations|challenges"
_MANY = (
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
        (Category.WHAT_IF, _OTHERWISE, "it asks what would be if something were otherwise"),
        (Category.UNCLASSIFIED, _ELSEWHERE, "it speaks of a text that is not here"),
        (Category.CONSENSUS, _STATEMENT, "papers can agree with it, or not"),
        (Category.COMPOSITIONAL, _SEVERAL, "it asks several things at once"),
        (Category.MULTI_PAPER, _MANY, "it asks for what many papers say together"),
    )
)
"""In the order in which they are tried: a question of several parts may ask for a summary in each."""

_ASKS = re.compile(rf"\?|^\W*(?:{_QUESTION_WORD}|{_AUXILIARY})\b", re.IGNORECASE)
_BIBLIOMETRIC = re.compile(
    r"\bhow\s+many\s+(?:\w+\s+)?(?:papers|articles|publications|citations|authors|astronomers|people)\b|"
    r"\b(?:most|highly|top|often)[\s-]+cited\b|\bcitations?\s+(?:count|of|to|rate|history)\b|\bh-?index\b|\bauthors?\b|"
    r"\bpapers?\s+(?:by|from|written|published)\b|\b(?:published|written)\s+by\b|\bwho\s+(?:wrote|published|first|are)\b|"
    r"\bjournals?\b|\bbibliograph|\bbibcodes?\b|\b(?:number|list|count)\s+of\s+(?:papers|publications|articles)\b|"
    r"\bfirst[\s-]author",
    re.IGNORECASE,
)
_NOW = r"\b(?:recent(?:ly)?|latest|currently?|today|nowadays|now|newest|upcoming|ongoing|presently|lately)\b"
_SPAN = r"\b(?:last|past)\s+(?:[\w-]+\s+){0,2}(?:years?|decades?)\b|\bthis\s+(?:year|decade)\b"
_TIME = re.compile(f"{_NOW}|{_SPAN}", re.IGNORECASE)
MAX_QUOTED = 40
"""Characters of the question that a reason quotes at most."""


def category_by_rules(question: str) -> tuple[Category, str]:
    """The category that the words of `question` speak for, and the reason in words."""
    if len(question.split()) > MAX_WORDS:
        return Category.UNCLASSIFIED, "it is as long as an abstract"
    for category, pattern, reason in _RULES:
        if match := pattern.search(question):
            quoted = " ".join(match[0].strip(" ,;").split())
            return category, f'{reason} ("{quoted}")' if len(quoted) <= MAX_QUOTED else reason
    if not _ASKS.search(question):
        return Category.UNCLASSIFIED, "it names a topic and asks nothing"
    return Category.SINGLE_PAPER, "it asks for one thing, which one paper may hold"


def flags_by_rules(question: str, keywords: Sequence[Keyword]) -> tuple[Flag, ...]:
    """What the words of `question` and its `keywords` say of it beside the category."""
    holds = {
        Flag.NAMED_ENTITY: bool(entities(keywords)),
        Flag.JARGON: bool(overloaded_terms(question)) or len(jargon(keywords)) >= MANY_TERMS,
        Flag.BIBLIOMETRIC: _BIBLIOMETRIC.search(question) is not None,
        Flag.TIME_SENSITIVE: _TIME.search(question) is not None or years_named(question, None) is not None,
    }
    return tuple(flag for flag in Flag if holds[flag])
