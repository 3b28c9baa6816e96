"""Names in a paper that stand beside the noun of their kind: "the SKIRT code", "Hyperion is a ... code", "codes such as
A and B".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pathfinder.assessment.named.kinds import NamedTarget, with_rays_joined
from pathfinder.assessment.named.words import DESIGNATIONS, NO_NAMES, SAME_DESIGNATIONS
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.missions.catalogue import Mission, missions
from pathfinder.missions.matching import Matcher
from pathfinder.text.sentences import sentence_spans
from pathfinder.text.spelling import without_possessive

LEAST_CONTEXT = 0.75
LEAST_CONTEXT_OF_MISSION = 0.6
LEAST_CONTEXT_OF_LISTED = 0.5
"""Minimum share of the question's words after the noun that must be in the sentence or the title; lower for
missions and lowest for designations, whose kind is certain.
"""
LONGEST_SENTENCE = 3000
"""Number of characters above which a text without a full stop is not read."""
LONGEST = 50
"""Maximum length of a name in characters."""

_WORD = r"(?:[A-Za-z]*[A-Z][\w+*-]*[\w+*]|[A-Z][a-z]\w*[\w+-]*\w)"
"""A name of one word: at least two characters, with a capital letter."""
_FONT = r"(?:\\(?:texttt|textsc|textit|emph|tt|sc|it)\s*\{?\s*|\{\s*\\(?:tt|sc|it|sf)\s+|[\"'`“‘]+)?"
"""LaTeX fonts and quotation marks in which names are set."""
_NAME = rf"{_FONT}(?P<name>{_WORD}(?:[ ]{_WORD}){{0,4}}(?:[ ]\d[\w.]*)?)"
_CLOSED = r"[\}\"'’]*"
_STOP = (
    r"(?:of|in|the|on|for|and|or|with|to|by|from|at|as|that|which|is|was|are|were|has|have|had|his|her|its|their|no|not"
    r"|why|how|such|one|an?|we|it|but|than|per|using|used|after|before|both|all|each)\b"
)
_IS_ONE_OF = r"(?:is|was|are|were|became|remains)\s+(?:an?|the|our|among(?: the)?|one of(?: the)?)"
_MODIFIERS = rf"(?:(?:(?!{_STOP})[\w/+-]+,?\s){{0,6}})"
_FEW_MODIFIERS = rf"(?:(?:(?!{_STOP}|\w+(?<!s)(?<!ic)(?<!i)s\s|\w+ed\s)[\w/+-]+\s){{0,3}})"
"""Words between an article and the noun, and between a name and the noun: no prepositions, articles or verbs."""
_SUFFIX = re.compile(r"\s(?:satellite|mission|spacecraft|code|collaboration|survey|data|(?:19|20)\d\d)$", re.IGNORECASE)
_OWN_NOUN = re.compile(
    r" (?:Survey|Telescope|Array|Observatory|Experiment|Interferometer|Camera|Catalogue|Mission|Probe)\b"
)
"""Nouns that belong to a name: "Dark Energy Survey"."""
_TITLE = re.compile(
    rf"^(?:Introducing |The |Introduction to )?(?P<name>{_WORD}(?:[- ]\d[\w.]*)?)(?: \d[\w.]*)?"
    r"\s*(?::| -{1,3} | — | Model\b| code\b| Project\b)"
)
_LOWER_TITLE = re.compile(r"^(?P<name>[a-z][\w.+-]+): ")
"""A name in small letters; any other word that opens a title has a capital."""
_WRITTEN_IN = r"(?:,| is| was| has)[^.;]{0,60}? (?:written|programmed|implemented) (?:in|with)\b"
_TITLE_ACRONYM = re.compile(r"\((?P<name>[A-Z][\w-]*[A-Z][\w-]*)\)")


@dataclass(frozen=True, slots=True)
class NameInText:
    """A name in a paper's text, or in its title: then `start` and `end` are the place of its first sentence's first
    character.
    """

    name: str
    start: int
    end: int
    sentence_start: int
    sentence_end: int
    fit: float
    """Share of the question's words before the noun in its sentence or the title, or half the share in the whole text:
    [0, 1]; 0 if the words after the noun do not fit.
    """
    is_subject: bool = False
    """True if the title and the text name it, so that the paper presents it."""


def names_in(target: NamedTarget, title: str, text: str) -> tuple[NameInText, ...]:
    """Return the names of the kind of `target` in `text`, each once, at its first mention beside the noun."""
    if not _has_half(target.modifiers, f"{title} {text}"):
        return ()
    seen: dict[str, NameInText] = {}
    for start, end in sentence_spans(text):
        for first, last in _in_sentence(target, text, start, end):
            _remember(seen, _located(target, title, text, (first, last), (start, end)))
        for match in _designations(target, text[start:end]):
            span = (start + match.start(), start + match.end())
            _remember(seen, _located(target, title, text, span, (start, end), least_context=LEAST_CONTEXT_OF_LISTED))
    for name in _in_title(target, title, text):
        _remember(seen, name)
    if target.has_missions:
        for name in _missions_in(target, title, text):
            _remember(seen, name)
    for name in _listed_in_title(target, title, text):
        _remember(seen, name)
    whole = [
        name for name in seen.values() if not any(_is_part(name, other) for other in seen.values() if other != name)
    ]
    return tuple(sorted(whole, key=lambda name: name.start))


def _is_part(name: NameInText, other: NameInText) -> bool:
    """Return whether a name is the last word of another, or is contained in it: "Antares" of "Andy Antares"."""
    is_inside = name.start < name.end and other.start <= name.start and name.end <= other.end
    return is_inside or other.name.endswith(f" {name.name}")


def key_of(name: str) -> str:
    """Return the form by which names are compared: "RADMC-3D" and "RADMC3D" are the same, "Planck 2018" is "Planck"."""
    bare = _SUFFIX.sub("", name) or name
    return re.sub(r"[\s_–-]+", "", bare).casefold()


def _remember(seen: dict[str, NameInText], name: NameInText) -> None:
    seen.setdefault(key_of(name.name), name)


def _located(
    target: NamedTarget,
    title: str,
    text: str,
    span: tuple[int, int],
    sentence: tuple[int, int],
    *,
    least_context: float = LEAST_CONTEXT,
    name: str | None = None,
) -> NameInText:
    near, whole = f"{title} {text[slice(*sentence)]}", f"{title} {text}"
    fit = max(_share(target.modifiers, near), 0.5 * _share(target.modifiers, whole))
    if max((_share(context, near) for context in target.contexts), default=1.0) < least_context:
        fit = 0.0
    name = name or text[slice(*span)]
    return NameInText(name, *span, *sentence, fit, span[0] < span[1] and key_of(name) in key_of(title))


def _share(own: frozenset[str], text: str) -> float:
    """Return the share of a question's words that occur in `text`; 1 if there are none."""
    return len(own & _stems(text)) / len(own) if own else 1.0


def _has_half(modifiers: frozenset[str], text: str) -> bool:
    return 2 * len(modifiers & _stems(text)) >= len(modifiers)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(words(with_rays_joined(text)), QUESTION_STOP_WORDS))


def _in_sentence(target: NamedTarget, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    sentence = text[start:end]
    is_written = "code" in target.nouns and re.search(_WRITTEN_IN, sentence) is not None
    if len(sentence) > LONGEST_SENTENCE or not (is_written or _nouns(target.nouns).search(sentence)):
        return
    for pattern in _patterns(target.nouns):
        for match in pattern.finditer(sentence):
            for first, last in _names_of(match):
                trimmed = _trimmed(sentence, first, last)
                if trimmed:
                    yield start + trimmed[0], start + trimmed[1]


def _only_in_title(
    target: NamedTarget, title: str, text: str, name: str, *, least_context: float = LEAST_CONTEXT
) -> Iterator[NameInText]:
    """Yield a name of the title that the text does not repeat, at the text's first sentence."""
    for start, end in sentence_spans(text)[:1]:
        yield _located(target, title, text, (start, start), (start, end), least_context=least_context, name=name)


def _listed_in_title(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the names of a catalogue in the title: "GW151226: Observation of Gravitational Waves"."""
    for match in _designations(target, title):
        yield from _only_in_title(target, title, text, match[0], least_context=LEAST_CONTEXT_OF_LISTED)
    for place in sorted(_matcher().named(title)) if target.has_missions else ():
        mission = missions()[place]
        if _suits(target, mission) and (written := _written(mission).search(title)):
            yield from _only_in_title(target, title, text, written[0], least_context=LEAST_CONTEXT_OF_MISSION)


def _designations(target: NamedTarget, sentence: str) -> Iterator[re.Match[str]]:
    noun = next((noun for noun in target.nouns if noun in {*DESIGNATIONS, *SAME_DESIGNATIONS}), None)
    if noun is None:
        return iter(())
    return re.finditer(rf"(?<![\w-])(?:{DESIGNATIONS[SAME_DESIGNATIONS.get(noun, noun)]})", sentence)


def _names_of(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    groups = match.groupdict()
    if groups.get("name"):
        yield match.span("name")
    if groups.get("list"):
        offset = match.start("list")
        for item in re.finditer(_WORD + r"(?:[ ]\d[\w.]*)?", groups["list"]):
            yield offset + item.start(), offset + item.end()


def _trimmed(sentence: str, first: int, last: int) -> tuple[int, int] | None:
    """Return a name without the words that do not belong to it; `None` if nothing is left."""
    tokens = [(m.start(), m.end()) for m in re.finditer(r"\S+", sentence[first:last])]
    while tokens and _is_no_name(sentence, first, tokens[0]):
        tokens = tokens[1:]
    while tokens and _is_no_name(sentence, first, tokens[-1]) and not sentence[first + tokens[-1][0]].isdigit():
        tokens = tokens[:-1]
    if not tokens:
        return None
    start, end = first + tokens[0][0], first + tokens[-1][1]
    if noun := _OWN_NOUN.match(sentence, end):
        end = noun.end()
    name = sentence[start:end].rstrip("-.,;:'’")
    end = start + len(without_possessive(name))
    written = sentence[start:end]
    is_long_enough = 2 <= len(written) <= LONGEST and any(map(str.isalpha, written))
    return (start, end) if is_long_enough and not written[0].isdigit() else None


def _is_no_name(sentence: str, first: int, span: tuple[int, int]) -> bool:
    word = sentence[first + span[0] : first + span[1]].strip("-.,;:'’\"")
    if without_possessive(word).casefold() in NO_NAMES:
        return True
    parts = re.split(r"[-/]", word)
    if len(parts) > 1 and all(part.casefold() in NO_NAMES or part.islower() for part in parts):
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
def _nouns(nouns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_plurals(nouns)})\b", re.IGNORECASE)


def _plurals(nouns: tuple[str, ...]) -> str:
    return "|".join(rf"{noun[:-1]}(?:y|ies)" if noun.endswith("y") else rf"{noun}(?:s|e|es)?" for noun in nouns)


@cache
def _patterns(nouns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    noun = rf"(?i:{_plurals(nouns)})"
    item = rf"(?:{_FONT}{_WORD}(?:[ ]\d[\w.]*)?{_CLOSED})"
    listed = rf"(?P<list>{item}(?:(?:,\s+(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+){item})*)"
    name = rf"(?<![\w-]){_NAME}{_CLOSED}"
    also = r"(?:\s\([^()]{1,30}\))?"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"\b{noun}(?:,)?(?: (?:called|named|dubbed|known as))?,?\s+{_NAME}(?!\s+(?:et al|and [A-Z]\w+ \())",
            rf"{name}\s+{_FEW_MODIFIERS}{noun}\b",
            rf"{name}{also},\s+(?:an?|the|our|its|their)\s+{_MODIFIERS}{noun}\b",
            rf"{name}{also}\s+{_IS_ONE_OF}\s+{_MODIFIERS}{noun}\b",
            rf"\b{noun},?\s+(?:such as|like|including|e\.g\.,?|namely|for example,?)\s+(?:the\s+)?{listed}",
            rf"\b{noun}\s*[:(]\s*{listed}",
            rf"(?<![\w-]){listed}\s+{noun}\b",
            rf"{name}{_WRITTEN_IN}" if "code" in nouns else r"(?!)",
        )
    )


def _in_title(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the name that a paper's title gives to what the paper presents, where it first occurs in the

    text. The title or the text must use the noun for it: "the code".
    """
    calls = re.compile(rf"\b(?:the|this|our|new|an?)(?: [\w-]+){{0,2}} (?:{_plurals(target.nouns)})\b", re.IGNORECASE)
    lower = _LOWER_TITLE.match(title) if "code" in target.nouns else None
    if lower:
        yield from _in_text_or_title(target, title, text, lower["name"], may_be_in_title_only=True)
    if not (_nouns(target.nouns).search(title) or calls.search(text)):
        return
    for pattern in (_TITLE, _TITLE_ACRONYM):
        match = pattern.search(title)
        name = re.sub(r"[- ]\d[\d.]*$", "", match["name"]) if match else ""
        if not name or key_of(name) in NO_NAMES or (match and _is_no_name(f"x {name}", 2, (0, len(name)))):
            continue
        is_called_so = pattern is _TITLE and _nouns(target.nouns).search(title) is not None
        yield from _in_text_or_title(target, title, text, name, may_be_in_title_only=is_called_so)


def _in_text_or_title(
    target: NamedTarget, title: str, text: str, name: str, *, may_be_in_title_only: bool
) -> Iterator[NameInText]:
    flags = 0 if name.islower() else re.IGNORECASE
    for place in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w])", text, flags):
        sentence = next((span for span in sentence_spans(text) if span[0] <= place.start() < span[1]), None)
        if sentence and (name.islower() or not place[0].islower()):
            yield _located(target, title, text, place.span(), sentence)
            return
    if may_be_in_title_only:
        yield from _only_in_title(target, title, text, name)


@cache
def _matcher() -> Matcher:
    return Matcher(missions())


def _missions_in(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the missions of the catalogue that a text names, under the names that it uses."""
    catalogue = missions()
    for place in sorted(_matcher().named(text)):
        mission = catalogue[place]
        if _suits(target, mission) and (match := _written(mission).search(text)):
            sentence = next((span for span in sentence_spans(text) if span[0] <= match.start() < span[1]), None)
            if sentence:
                yield _located(target, title, text, match.span(), sentence, least_context=LEAST_CONTEXT_OF_MISSION)


def _suits(target: NamedTarget, mission: Mission) -> bool:
    is_survey = "survey" in mission.name.lower() or mission.kind == "release"
    if target.kind == "mission":
        return mission.kind == "space"
    return is_survey if target.kind == "survey" else not is_survey


@cache
def _written(mission: Mission) -> re.Pattern[str]:
    names = sorted((name for name in (*mission.names, *mission.words) if " and " not in name), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
