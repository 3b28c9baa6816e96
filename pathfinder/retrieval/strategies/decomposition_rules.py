"""Rules that split a question into sub-questions: comparisons, joined questions, and lists with a shared head.

A question that no rule covers is left whole, because a wrongly split question finds less than an unsplit one.
"""

import re

from pathfinder.index.words import QUESTION_STOP_WORDS, words
from pathfinder.text.english import AUXILIARIES, BE, DO, HAVE, QUESTION_WORDS, any_of

MAX_PARTS = 3
MAX_WORDS = 30
"""Number of words above which a text counts as an abstract, or as a question with a long preamble, and is not split."""

MIN_CONTENT_WORDS = 4
"""Number of content words below which a joined question ("and what are the limits?") is taken to depend on the
first.
"""

_ITEM = r"[\w'’./+-]+(?: [\w'’./+-]+){0,3}?"
_PREPOSITION = r"(?:of|in|for|on|from|by)"
_TAIL_PREPOSITION = r"(?:in|on|at|for|during|from|within|around|near|across|under|among|over|after|before|using)"

_VERSUS = r"(?:versus|vs\.?|compared (?:to|with)|as opposed to)"

_COMPARISONS = tuple(
    re.compile(rf"^{pattern}(?P<tail> {_TAIL_PREPOSITION} .+)?$", re.IGNORECASE)
    for pattern in (
        rf"(?P<head>(?:\S+ ){{0,6}}{_PREPOSITION} |)(?P<a>.+?),? {_VERSUS} (?P<b>.+?)",
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
_QUESTION_WORDS = any_of(QUESTION_WORDS, AUXILIARIES)
_QUESTION = re.compile(rf"^{_QUESTION_WORDS} |^\S+(?: \S+){{0,11}}$", re.IGNORECASE)
"""Pattern for a question, or a topic of at most twelve words, but not for a statement."""

_NEXT_QUESTION = re.compile(rf"\?\s+|,?;? and (?={_QUESTION_WORDS} )", re.IGNORECASE)
_RELATIONS = re.compile(
    r"\b(?:relation\w*|correlation\w*|connection\w*|links?|interactions?|interplay|ratios?|balance|mergers?|collisions?"
    r"|combinations?|between|trade-?offs?|coupling|differences?)\b",
    re.IGNORECASE,
)
"""Words whose objects must not be split between sub-questions."""

_REFERENCES = re.compile(
    r"\b(?:it|its|they|their|them|this|these|those|that|such|both|each|others?|one|there|then|here)\b", re.IGNORECASE
)
"""Words that refer to something mentioned before."""

_VERB = re.compile(
    rf"\b{any_of(BE, HAVE, DO, 'be been can could will would may not than as which'.split())}\b",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(r"(?:ar|ic|al|ous|ive|less|ful|ed|type|mass|low|high|early|late|-)$", re.IGNORECASE)


def sub_questions_by_rules(question: str) -> tuple[str, ...]:
    """Split `question` into two or three standalone sub-questions; return none if the rules find fewer or more than
    that.
    """
    mark = "?" if question.rstrip().endswith("?") else ""
    text = " ".join(question.split()).rstrip("?.! ")
    if len(text.split()) > MAX_WORDS:
        return ()
    candidates = _split_joined(text) or _split_comparison(text) or _split_list(text)
    parts = tuple(dict.fromkeys(part.strip(" ,;") for part in candidates))
    return tuple(part + mark for part in parts) if 2 <= len(parts) <= MAX_PARTS else ()


def _split_joined(text: str) -> tuple[str, ...]:
    """Split joined questions, unless a later one depends on an earlier one."""
    first, *others = _NEXT_QUESTION.split(text)
    is_dependent = any(_REFERENCES.search(other) or len(_content_words(other)) < MIN_CONTENT_WORDS for other in others)
    return (first, *others) if others and not is_dependent and _content_words(first) else ()


def _split_comparison(text: str) -> tuple[str, ...]:
    """Split a comparison into its two sides, each with the words that they share."""
    for pattern in _COMPARISONS:
        if match := pattern.search(text):
            head, tail = match.groupdict().get("head") or "", match["tail"] or ""
            sides = match["a"], match["b"]
            return (
                () if any(map(_VERB.search, sides)) or _are_dependent(*sides) else tuple(head + x + tail for x in sides)
            )
    return ()


def _split_list(text: str) -> tuple[str, ...]:
    """Split a list after a preposition into its items, each with the same head and tail."""
    match = _LIST.search(text)
    if match is None or _RELATIONS.search(match["head"]) or _NEXT_QUESTION.search(text) or not _QUESTION.search(text):
        return ()
    items = (*match["items"].split(", "), match["last"])
    if _are_dependent(*items) or not all(map(_is_name, items)):
        return ()
    return tuple(match["head"] + item + (match["tail"] or "") for item in items)


def _content_words(text: str) -> list[str]:
    return [word for word in words(text) if word not in QUESTION_STOP_WORDS]


def _is_name(item: str) -> bool:
    """Return whether an item is a bare noun phrase: it has no stop words except, perhaps, an article at the start."""
    _, *others = item.split()
    return not any(word.lower() in QUESTION_STOP_WORDS for word in others) and bool(_content_words(item))


def _are_dependent(*items: str) -> bool:
    """Return whether an item refers back, is a number, or shares the noun of a later item ("early and late types")."""
    if any(_REFERENCES.search(item) or item.strip().isdigit() for item in items):
        return True
    return any(_ADJECTIVE.search(item) for item in items[:-1])
