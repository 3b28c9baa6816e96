"""The parts of a question, told from its words alone: comparisons, joined questions, lists with a shared head.

What the rules do not know they leave whole: a question wrongly cut finds less than one searched as it is.
"""

import re

from pathfinder.index.words import QUESTION_STOP_WORDS, words

MAX_PARTS = 3
MAX_WORDS = 30
"""A longer text is an abstract, or a question with a story."""

MIN_CONTENT_WORDS = 4
"""Of a question that is joined to another: with less ("and what are the limits?") it needs the other."""

_ITEM = r"[\w'’./+-]+(?: [\w'’./+-]+){0,3}?"
_PREPOSITION = r"(?:of|in|for|on|from|by)"
_TAIL_PREPOSITION = r"(?:in|on|at|for|during|from|within|around|near|across|under|among|over|after|before|using)"

_AGAINST = r"(?:versus|vs\.?|compared (?:to|with)|as opposed to)"

_COMPARISONS = tuple(
    re.compile(rf"^{pattern}(?P<tail> {_TAIL_PREPOSITION} .+)?$", re.IGNORECASE)
    for pattern in (
        rf"(?P<head>(?:\S+ ){{0,6}}{_PREPOSITION} |)(?P<a>.+?),? {_AGAINST} (?P<b>.+?)",
        r"(?:.* )?(?:differences?|comparisons?|distinctions?) (?:between|of) (?P<a>.+?) (?:and|with|to) (?P<b>.+?)",
        r"(?:compare|contrast|how .{0,20}distinguish)(?: between)? (?P<a>.+?) (?:and|with|to|from) (?P<b>.+?)",
        r"how (?:do|does|did) (?P<a>.+?) (?:compare (?:to|with)|differ from) (?P<b>.+?)",
    )
)
_LIST = re.compile(
    rf"^(?P<head>.+? {_PREPOSITION} )(?:both )?(?P<items>{_ITEM}(?:, {_ITEM})*),? and (?P<last>{_ITEM})"
    rf"(?P<tail> (?:of|{_TAIL_PREPOSITION}) .+)?$",
    re.IGNORECASE,
)
_ASKING = r"(?:how|what|why|when|where|which|who|whose|does|do|is|are|was|were|can|could|did|has|have|will|should)"
_QUESTION = re.compile(rf"^{_ASKING} |^\S+(?: \S+){{0,11}}$", re.IGNORECASE)
"""A sentence that asks, or a topic of at most twelve words; no statement."""

_NEXT_QUESTION = re.compile(rf"\?\s+|,?;? and (?={_ASKING} )", re.IGNORECASE)
_JOINING = re.compile(
    r"\b(?:relation\w*|correlation\w*|connection\w*|links?|interactions?|interplay|ratios?|balance|mergers?|collisions?"
    r"|combinations?|between|trade-?offs?|coupling|differences?)\b",
    re.IGNORECASE,
)
"""Words whose objects belong together."""

_POINTING = re.compile(
    r"\b(?:it|its|they|their|them|this|these|those|that|such|both|each|others?|one|there|then|here)\b", re.IGNORECASE
)
"""Words that need what stands before them."""

_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|may|not|than|as|which)\b",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(r"(?:ar|ic|al|ous|ive|less|ful|ed|type|mass|low|high|early|late|-)$", re.IGNORECASE)


def parts_by_rule(question: str) -> tuple[str, ...]:
    """At most three sub-questions that stand alone; none when the rules find no parts, or more than three."""
    mark = "?" if question.rstrip().endswith("?") else ""
    text = " ".join(question.split()).rstrip("?.! ")
    if len(text.split()) > MAX_WORDS:
        return ()
    found = _questions(text) or _sides(text) or _listed(text)
    parts = tuple(dict.fromkeys(part.strip(" ,;") for part in found))
    return tuple(part + mark for part in parts) if 2 <= len(parts) <= MAX_PARTS else ()


def _questions(text: str) -> tuple[str, ...]:
    """Questions that are joined to one another, unless a later one leans on an earlier one."""
    first, *others = _NEXT_QUESTION.split(text)
    leans = any(_POINTING.search(other) or len(_content_words(other)) < MIN_CONTENT_WORDS for other in others)
    return (first, *others) if others and not leans and _content_words(first) else ()


def _sides(text: str) -> tuple[str, ...]:
    """The two sides of a comparison, each with what holds for both."""
    for pattern in _COMPARISONS:
        if match := pattern.search(text):
            head, tail = match.groupdict().get("head") or "", match["tail"] or ""
            sides = match["a"], match["b"]
            return () if any(map(_VERB.search, sides)) or _lean(*sides) else tuple(head + x + tail for x in sides)
    return ()


def _listed(text: str) -> tuple[str, ...]:
    """The members of a list after a preposition, each with the same head and tail."""
    match = _LIST.search(text)
    if match is None or _JOINING.search(match["head"]) or _NEXT_QUESTION.search(text) or not _QUESTION.search(text):
        return ()
    items = (*match["items"].split(", "), match["last"])
    if _lean(*items) or not all(map(_is_name, items)):
        return ()
    return tuple(match["head"] + item + (match["tail"] or "") for item in items)


def _content_words(text: str) -> list[str]:
    return [word for word in words(text) if word not in QUESTION_STOP_WORDS]


def _is_name(item: str) -> bool:
    """Whether an item is a bare noun phrase: no word in it but an article in front is a stop word."""
    _, *others = item.split()
    return not any(word.lower() in QUESTION_STOP_WORDS for word in others) and bool(_content_words(item))


def _lean(*items: str) -> bool:
    """Whether an item points back, is a number, or lacks a noun that a later one has ("early and late types")."""
    if any(_POINTING.search(item) or item.strip().isdigit() for item in items):
        return True
    return any(_ADJECTIVE.search(item) for item in items[:-1])
