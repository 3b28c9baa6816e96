"""Finds names of a kind in a paper: next to the noun for the kind, in the title, or in a catalogue."""

import re
from collections.abc import Iterator
from functools import cache

from pathfinder.answering.assessment.target_names.kinds import NamedTarget
from pathfinder.answering.assessment.target_names.name_in_text import (
    LEAST_CONTEXT_OF_LISTED,
    LEAST_CONTEXT_OF_MISSION,
    NameInText,
    has_half,
    is_fragment,
    is_generic,
    is_within_a_designation,
    key_of,
    locate,
    only_in_title,
)
from pathfinder.corpus.missions.catalogue import Mission, missions
from pathfinder.corpus.missions.matching import matcher
from pathfinder.text.author_names import ET_AL
from pathfinder.text.english import ARTICLES, BE, CONJUNCTIONS, HAVE, OPENERS, PREPOSITIONS, any_of, lower
from pathfinder.text.inflection import plurals_of
from pathfinder.text.sentences import sentence_spans
from pathfinder.text.spelling import without_possessive

ONE_WORD = r"(?:(?=[A-Za-z]{0,40}[A-Z]-{0,9}[\w+*])[A-Za-z][\w+*-]{0,80}[\w+*])"
"""A one-word name: at least two characters, including a capital letter."""

_TITLE = re.compile(
    rf"^(?:Introducing |The |Introduction to )?(?P<name>{ONE_WORD}(?:[- ]\d[\w.]*)?)(?: \d[\w.]*)?"
    r"\s*(?::| -{1,3} | — | Model\b| code\b| Project\b)"
)
_LOWER_TITLE = re.compile(r"^(?P<name>[a-z][\w.+-]+): ")
"""A name that begins with a lower-case letter; at the beginning of a title, any other word is capitalised."""
_TITLE_ACRONYM = re.compile(r"\((?P<name>[A-Z](?=[\w-]*[A-Z])[\w-]*+)\)")


def names_in(target: NamedTarget, title: str, text: str) -> tuple[NameInText, ...]:
    """Return the names in `text` of the kind that `target` describes, each only once, at its first mention next to the
    noun.
    """
    if not has_half(target.modifiers, f"{title} {text}"):
        return ()
    first_mentions: dict[str, NameInText] = {}
    for name in _all_names(target, title, text):
        if is_elsewhere(target, name.name) or is_generic(target, name.name):
            continue
        first_mentions.setdefault(key_of(name.name, target.facilities), name)
    names = first_mentions.values()
    whole = [name for name in names if not any(_is_part(name, other) for other in names if other != name)]
    return tuple(sorted(whole, key=lambda name: name.start))


def _all_names(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the names in the text, then those in the title; a name may appear more than once."""
    for start, end in sentence_spans(text):
        for span in names_beside_nouns(target, text, start, end):
            if not is_fragment(target, text, *span):
                yield locate(target, title, text, span, (start, end))
        for match in designations(target, text[start:end]):
            span = (start + match.start(), start + match.end())
            if is_within_a_designation(text, *span):
                continue
            plain = written_plainly(match[0])
            yield locate(target, title, text, span, (start, end), least_context=LEAST_CONTEXT_OF_LISTED, name=plain)
    yield from names_in_title(target, title, text)
    if target.has_missions:
        yield from missions_in(target, title, text)
    yield from listed_in_title(target, title, text)


def _is_part(name: NameInText, other: NameInText) -> bool:
    """Return whether a name lies within another, or is the end of it: "Antares" in "Andy Antares"."""
    is_inside = name.start < name.end and other.start <= name.start and name.end <= other.end
    return is_inside or other.name.endswith(f" {name.name}")


def names_in_title(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the name that a paper's title gives to what the paper presents, where the text first mentions it.

    The title or the text must also use the noun for it: "the code".
    """
    calls = re.compile(rf"\b(?:the|this|our|new|an?)(?: [\w-]+){{0,2}} (?:{plurals_of(target.nouns)})\b", re.IGNORECASE)
    lower = _LOWER_TITLE.match(title) if "code" in target.nouns else None
    if lower:
        yield from _in_text_or_title(target, title, text, lower["name"], may_be_in_title_only=True)
    if not (nouns_pattern(target.nouns).search(title) or calls.search(text)):
        return
    for pattern in (_TITLE, _TITLE_ACRONYM):
        match = pattern.search(title)
        name = re.sub(r"[- ]\d[\d.]*$", "", match["name"]) if match else ""
        if (
            not name
            or key_of(name, target.facilities) in target.no_names
            or (match and is_no_name(f"x {name}", 2, (0, len(name)), target.no_names))
        ):
            continue
        is_called_so = pattern is _TITLE and nouns_pattern(target.nouns).search(title) is not None
        yield from _in_text_or_title(target, title, text, name, may_be_in_title_only=is_called_so)


def _in_text_or_title(
    target: NamedTarget, title: str, text: str, name: str, *, may_be_in_title_only: bool
) -> Iterator[NameInText]:
    flags = 0 if name.islower() else re.IGNORECASE
    for place in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w])", text, flags):
        sentence = next((span for span in sentence_spans(text) if span[0] <= place.start() < span[1]), None)
        if sentence and (name.islower() or not place[0].islower()):
            yield locate(target, title, text, place.span(), sentence)
            return
    if may_be_in_title_only:
        yield from only_in_title(target, title, text, name)


# Finds names next to the noun for their kind: "the SKIRT code", "Hyperion is a ... code", "codes such as A".

LONGEST_SENTENCE = 1_500
"""Maximum length, in characters, of a sentence that is read."""
LONGEST = 50
"""Maximum length of a name in characters."""
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


# Finds names that are in catalogues: missions, and designations such as "GW151226".


def listed_in_title(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the names in the title that are from a catalogue: "GW151226: Observation of Gravitational Waves"."""
    for match in designations(target, title):
        if is_within_a_designation(title, *match.span()):
            continue
        yield from only_in_title(target, title, text, written_plainly(match[0]), least_context=LEAST_CONTEXT_OF_LISTED)
    for place in sorted(matcher().places_in(title)) if target.has_missions else ():
        mission = missions()[place]
        if _suits(target, mission) and (mention := _name_pattern(mission).search(title)):
            yield from only_in_title(target, title, text, mention[0], least_context=LEAST_CONTEXT_OF_MISSION)


@cache
def _by_name() -> dict[str, Mission]:
    return {
        name.casefold(): mission for mission in missions() for name in (mission.name, *mission.names, *mission.words)
    }


def mission_of(name: str) -> Mission | None:
    """Return the mission that has this name in the catalogue, if there is one."""
    return _by_name().get(name.casefold())


def is_elsewhere(target: NamedTarget, name: str) -> bool:
    """Return whether the question asks for things in space but the catalogue lists `name` as a thing on the ground."""
    mission = mission_of(name)
    return target.is_in_space and mission is not None and mission.kind != "space"


def designations(target: NamedTarget, sentence: str) -> Iterator[re.Match[str]]:
    """Yield the designations in a sentence, such as "GW151226", for a kind whose designations have a known form."""
    if target.designation is None:
        return iter(())
    return re.finditer(rf"(?<![\w-])(?:{target.designation})", sentence)


def written_plainly(name: str) -> str:
    """Return a name without LaTeX's markup for subscripts: "CH4" for "CH$_4$"."""
    return re.sub(r"[$_{}]", "", name)


def missions_in(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the missions in the catalogue that a text mentions, under the names that the text uses."""
    catalogue = missions()
    for place in sorted(matcher().places_in(text)):
        mission = catalogue[place]
        if _suits(target, mission) and (match := _name_pattern(mission).search(text)):
            sentence = next((span for span in sentence_spans(text) if span[0] <= match.start() < span[1]), None)
            if sentence:
                yield locate(target, title, text, match.span(), sentence, least_context=LEAST_CONTEXT_OF_MISSION)


def _suits(target: NamedTarget, mission: Mission) -> bool:
    is_survey = "survey" in mission.name.lower() or mission.kind == "release"
    if target.kind == "mission" or target.is_in_space:
        return mission.kind == "space"
    return is_survey if target.kind == "survey" else not is_survey


@cache
def _name_pattern(mission: Mission) -> re.Pattern[str]:
    names = sorted((name for name in (*mission.names, *mission.words) if " and " not in name), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
