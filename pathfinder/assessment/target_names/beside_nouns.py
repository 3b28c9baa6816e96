"""Finds names next to the noun for their kind: "the SKIRT code", "Hyperion is a ... code", "codes such as A"."""

import re
from collections.abc import Iterator
from functools import cache

from pathfinder.assessment.target_names.kinds import NamedTarget
from pathfinder.text.author_year import ET_AL
from pathfinder.text.english import ARTICLES, BE, CONJUNCTIONS, HAVE, OPENERS, PREPOSITIONS, any_of, lower
from pathfinder.text.inflection import plurals_of
from pathfinder.text.spelling import without_possessive

LONGEST_SENTENCE = 1_500
"""Maximum length, in characters, of a sentence that is read."""
LONGEST = 50
"""Maximum length of a name in characters."""

ONE_WORD = r"(?:(?=[A-Za-z]{0,40}[A-Z]-{0,9}[\w+*])[A-Za-z][\w+*-]{0,80}[\w+*])"
"""A one-word name: at least two characters, including a capital letter."""
_FONT = r"(?:\\(?:texttt|textsc|textit|emph|tt|sc|it)\s*\{?\s*|\{\s*\\(?:tt|sc|it|sf)\s+|[\"'`“‘]+)?"
"""LaTeX font commands and quotation marks before a name."""
_NAME = rf"{_FONT}(?P<name>{ONE_WORD}(?:[ ]{ONE_WORD}){{0,4}}(?:[ ]\d[\w.]*)?)"
_CLOSING_SIGNS = r"[\}\"'’]*"
_OTHER_STOPS = (
    "as that which his her its their no not why how such one we it than per using used after before both all each"
).split()
_STOP = rf"{any_of(PREPOSITIONS, CONJUNCTIONS, ARTICLES, BE, HAVE, _OTHER_STOPS)}\b"
_IS_ONE_OF = r"(?:is|was|are|were|became|remains)\s+(?:an?|the|our|among(?: the)?|one of(?: the)?)"
_MODIFIERS = rf"(?:(?:(?!{_STOP})[\w/+-]+,?\s){{0,6}})"
_FEW_MODIFIERS = rf"(?:(?:(?!{_STOP}|\w+(?<!s)(?<!ic)(?<!i)s\s|\w+ed\s)[\w/+-]+\s){{0,3}})"
"""Words that may stand between an article or a name and the noun: no prepositions, articles or verbs."""
_OWN_NOUNS = ("survey", "experiment", "camera", "catalogue")
"""Nouns that, like those for the facilities of a field, are part of a name: "Dark Energy Survey"."""
_OPENERS = frozenset(lower((*OPENERS, *ARTICLES)))
_WRITTEN_IN = r"(?:,| is| was| has)[^.;]{0,60}? (?:written|programmed|implemented) (?:in|with)\b"


def names_beside_nouns(target: NamedTarget, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end in `text` of each name in the sentence from `start` to `end`."""
    sentence = text[start:end]
    is_written = "code" in target.nouns and re.search(_WRITTEN_IN, sentence) is not None
    if len(sentence) > LONGEST_SENTENCE or not (is_written or nouns_pattern(target.nouns).search(sentence)):
        return
    for pattern in _patterns(target.nouns):
        for match in pattern.finditer(sentence):
            for first, last in _names_of(match):
                name_span = _trim(sentence, first, last, target)
                if name_span:
                    yield start + name_span[0], start + name_span[1]


def _names_of(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    groups = match.groupdict()
    if groups.get("name"):
        yield match.span("name")
    if groups.get("list"):
        offset = match.start("list")
        for item in re.finditer(ONE_WORD + r"(?:[ ]\d[\w.]*)?", groups["list"]):
            yield offset + item.start(), offset + item.end()


def _trim(sentence: str, first: int, last: int, target: NamedTarget) -> tuple[int, int] | None:
    """Return a name without the words that do not belong to it; `None` if nothing is left."""
    no_names, own_noun = target.no_names, _own_noun(target.facilities)
    tokens = [(m.start(), m.end()) for m in re.finditer(r"\S+", sentence[first:last])]
    last_word = sentence[first:last].rpartition(" ")[2]
    has_own_noun = len(tokens) > 2 and own_noun.fullmatch(f" {last_word}") is not None
    while tokens and _may_go(sentence, first, tokens[0], no_names, has_own_noun=has_own_noun):
        tokens = tokens[1:]
    while (
        tokens and is_no_name(sentence, first, tokens[-1], no_names) and not sentence[first + tokens[-1][0]].isdigit()
    ):
        tokens = tokens[:-1]
    if not tokens:
        return None
    start, end = first + tokens[0][0], first + tokens[-1][1]
    if noun := own_noun.match(sentence, end):
        end = noun.end()
    name = sentence[start:end].rstrip("-.,;:'’")
    end = start + len(without_possessive(name))
    words = sentence[start:end]
    is_long_enough = 2 <= len(words) <= LONGEST and any(map(str.isalpha, words))
    return (start, end) if is_long_enough and not words[0].isdigit() else None


def _may_go(sentence: str, first: int, span: tuple[int, int], no_names: frozenset[str], *, has_own_noun: bool) -> bool:
    """Return whether the first word of a name does not belong to it; an adjective does belong if the name itself
    ends with a noun: "Habitable Worlds Observatory".
    """
    word = sentence[first + span[0] : first + span[1]]
    return word.casefold() in _OPENERS if has_own_noun else is_no_name(sentence, first, span, no_names)


def is_no_name(sentence: str, first: int, span: tuple[int, int], no_names: frozenset[str]) -> bool:
    """Return whether a capitalised word is one of `no_names`, a nationality, or the first word of a sentence, and so
    not a name.
    """
    word = sentence[first + span[0] : first + span[1]].strip("-.,;:'’\"")
    if without_possessive(word).casefold() in no_names:
        return True
    parts = re.split(r"[-/]", word)
    if len(parts) > 1 and all(part.casefold() in no_names or part.islower() for part in parts):
        return True
    if all(part.istitle() and part.endswith(("ian", "ish", "ese", "an", "ch")) for part in parts):
        return True
    if word.istitle() and word.casefold().endswith(("ian", "ing", "ly", "ed", "ive", "ical", "ous", "able")):
        return True
    return first + span[0] == 0 and word.istitle() and not _is_verb_behind(sentence, first + span[1])


def _is_verb_behind(sentence: str, end: int) -> bool:
    """Return whether a capitalised word that opens a sentence is its subject: "Hyperion is a code"."""
    return re.match(r",? (?:is|was|has|does|can|,)", sentence[end:]) is not None


@cache
def nouns_pattern(nouns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile a pattern that matches any of the nouns, singular or plural."""
    return re.compile(rf"\b(?:{plurals_of(nouns)})\b", re.IGNORECASE)


@cache
def _own_noun(facilities: tuple[str, ...]) -> re.Pattern[str]:
    """Compile a pattern for a noun that is part of a name."""
    return re.compile(rf" (?:{'|'.join(noun.title() for noun in (*_OWN_NOUNS, *facilities))})\b")


@cache
def _patterns(nouns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    noun = rf"(?i:{plurals_of(nouns)})"
    item = rf"(?:{_FONT}{ONE_WORD}(?:[ ]\d[\w.]*)?{_CLOSING_SIGNS})"
    items = rf"(?P<list>{item}(?:(?:,\s+(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+){item})*)"
    name = rf"(?<![\w-]){_NAME}{_CLOSING_SIGNS}"
    not_authors = rf"(?!{ET_AL}|\s+and [A-Z]\w+ \()"
    also = r"(?:\s\([^()]{1,30}\))?"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"(?<!\bto )\b{noun}(?:,)?(?: (?:called|named|dubbed|known as))?,?\s+{_NAME}{not_authors}",
            rf"{name}\s+{_FEW_MODIFIERS}{noun}\b",
            rf"{name}{also},\s+(?:an?|the|our|its|their)\s+{_MODIFIERS}{noun}\b",
            rf"{name}{also}\s+{_IS_ONE_OF}\s+{_MODIFIERS}{noun}\b",
            rf"\b{noun},?\s+(?:such as|like|including|e\.g\.,?|namely|for example,?)\s+(?:the\s+)?{items}",
            rf"\b{noun}\s*[:(]\s*{items}",
            rf"(?<![\w-]){items}\s+{noun}\b",
            rf"{name}{_WRITTEN_IN}" if "code" in nouns else r"(?!)",
        )
    )
