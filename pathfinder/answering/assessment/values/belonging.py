"""Decides whether a value belongs to the object of the question, to part of it or to something else."""

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache

from pathfinder.answering.assessment.values.kinds import FieldNouns
from pathfinder.answering.assessment.values.measured_sentence import NEAR, MeasuredSentence
from pathfinder.answering.assessment.values.subject import (
    Focus,
    names_in,
    names_place,
    speaks_of,
    without_comparisons,
)
from pathfinder.answering.assessment.values.target import QuantityTarget, mentions_other
from pathfinder.index.words import content_stems
from pathfinder.text.inflection import base_form

_POPULATION = re.compile(
    r"\b(?:rang(?:e|es|ed|ing)|spann?(?:s|ed|ing)?|cover(?:s|ed|ing)?|var(?:y|ies|ied|ying)|distributed|typical\w*|median"
    r"|sample)\b[^,;]{0,40}$"
)
_JOINT = re.compile(r"\b(?:total|combined)\b", re.IGNORECASE)
"""Words for a value of several things together, such as both stars of a pair."""
_SUBSCRIPT = re.compile(r"_\{?([A-Z]{2,})")
_ABSCISSA = re.compile(
    r"(?<!centred )(?<!centered )(?<!peaks )(?<!peaked )"
    r"\b(?:at|around|below|above|near|until|up to)\s+"
    r"[\[(]?[A-Za-zα-ω\[][^\s=<>]{0,12}(?:\s?_\s?\S{1,12})?\s*[=~∼≈≃<>≲≳]\s*$"
)
"""Words that precede a value at which something happens: "beginning at [Fe/H] = -1.5"."""
_TO_VALUE = (
    r"[\s$]*(?:[,(:]|\b(?:is|was|with|at|has|lies)\b)?[\s$]*(?:an?|the|about)?[\s$]*"
    r"(?:[^\s=<>~≈]{1,8}(?:\s?_\s?\S{1,12})?\s*[=<>~≈∼≲≳])?[\s$(~∼≈]*$"
)
"""Symbols and words between a name and its value: "GN-z11 at z = 10.6"."""
_COMPARISON = re.compile(r"\bthan\b[^,;:]*$")


class Belonging(Enum):
    """Relation of a value to the object of the question."""

    OWN = "own"
    PART = "part"
    """The value belongs to part of the object, such as the disc of a galaxy."""
    UNKNOWN = "unknown"
    """The sentence does not say what the value belongs to."""
    FOREIGN = "foreign"


def belongs(
    target: QuantityTarget, sentence: MeasuredSentence, place: int, focus: Focus
) -> tuple[Belonging, str | None]:
    """Return whether a value belongs to the object of the question, and what it belongs to if its sentence says so.

    Unless the sentence itself says that it belongs to the object, the paper or the preceding words must be about the
    object (`focus`). A value of several things, such as "masses from 5 to 20", belongs to none of them.
    """
    if target.kind.is_universal:
        return Belonging.OWN, None
    if _is_from_another(target, sentence, place):
        return Belonging.FOREIGN, None
    if _is_beside_name(target, sentence, place):
        return Belonging.OWN, None
    owner = owner_of(sentence, place)
    own = _of(target, owner) if owner else Belonging.UNKNOWN
    if own is Belonging.OWN:
        return own, owner.for_readers(target.kinds.nouns) if owner else None
    if owner and target.is_class and target.nouns <= content_stems(sentence.plain):
        own = Belonging.UNKNOWN if names_in(owner.words, target.kinds.nouns) else own  # it may be one of its kind
    is_others = own is Belonging.FOREIGN or _is_of_others(target, sentence, place, focus)
    if is_others or not focus.holds_for(target, sentence, place):
        return Belonging.FOREIGN, None
    if owner and own is Belonging.UNKNOWN and target.nouns & content_stems(owner.words):
        own = Belonging.OWN
    return own, owner.for_readers(target.kinds.nouns) if owner and own is not Belonging.UNKNOWN else None


@dataclass(frozen=True, slots=True)
class Owner:
    """The thing that a value belongs to, in the words of its sentence."""

    words: str
    joint: str = "of"
    """Word that joins it to the name of the quantity."""
    is_before: bool = False
    """True if it comes directly before the name of the quantity: "host galaxy" in "the host galaxy mass"."""

    def for_readers(self, nouns: FieldNouns) -> str | None:
        """Return the owner as a reader sees it, without its article; `None` for a pronoun."""
        words = re.sub(r"^(?:the|a|an|this|that|our|its|their)\s+", "", self.words, flags=re.IGNORECASE)
        words = nouns.opening.sub("", words)
        if self.is_before:
            words = re.sub(r"^[a-z][^A-Z]*(?=[A-Z])", "", words)
        words = re.sub(r"^.*\b(?=(?:two|three|both|several)\s)", "", words)
        words = " ".join(words.replace("$", " ").split()[:MOST_WORDS])
        words = words if nouns.is_total.search(words) else nouns.ending.sub("", words)
        return None if not words or "_" in words or words.lower() in _PRONOUNS else words


def _of(target: QuantityTarget, owner: Owner) -> Belonging:
    """Return whether the owner of a value is the object of the question."""
    nouns_of_field = target.kinds.nouns
    text = without_comparisons(owner.words, nouns_of_field)
    names = (*target.names, *target.wide_names)
    is_thing = re.search(rf"\b{nouns_of_field.thing}(?!\w)", text) is not None
    nouns = target.nouns & content_stems(text)
    is_named = any(speaks_of(name, target, text) for name in names)
    if nouns and 2 * len(nouns) >= len(target.nouns):
        return Belonging.OWN if is_named or not names else Belonging.UNKNOWN
    if is_named:
        return Belonging.PART if nouns_of_field.part.search(text) else Belonging.OWN
    return _unless_named(target, owner, text, is_thing=is_thing)


def _unless_named(target: QuantityTarget, owner: Owner, text: str, *, is_thing: bool) -> Belonging:
    """Return whether an owner that does not contain the name of the object may still be the object, or part of it."""
    has_names = bool(target.names or target.wide_names)
    has_capital = re.search(r"(?<![\w-])[A-Z]", owner.words[1:]) is not None
    is_designated = bool(names_in(owner.words, target.kinds.nouns))
    if target.kinds.nouns.anaphor.fullmatch(text.strip()) and not has_capital:
        return Belonging.UNKNOWN
    is_proper = has_capital and not owner.is_before and owner.joint in {"of", "for", "to"}
    if has_names and (is_proper or mentions_other(target, text)):
        return Belonging.FOREIGN
    is_constituent = is_thing and target.is_plural and len(target.names) == 1  # the two black holes of one event
    if not is_designated and (is_constituent or (target.kinds.nouns.part.search(text) and not re.search(r"\d", text))):
        return Belonging.PART
    return Belonging.FOREIGN if is_designated or is_thing else Belonging.UNKNOWN


def _is_of_others(target: QuantityTarget, sentence: MeasuredSentence, place: int, focus: Focus) -> bool:
    """Return whether a value without an owner belongs to several things or an event, or is measured from somewhere
    else.
    """
    span = sentence.label_span(place)
    label, near = sentence.plain[slice(*span)].lower() if span else "", sentence.phrase(place).lower()
    last = label.rpartition(" ")[2]
    is_plural = base_form(last) == target.kind.name.rpartition(" ")[2] != last  # "radii"
    is_of_many = is_plural or _POPULATION.search(near) is not None
    is_joint = target.is_class and _JOINT.search(modifiers(sentence, place)) is not None
    is_at = not target.kind.is_place and _ABSCISSA.search(sentence.before(place)) is not None
    is_far = bool(target.wide_names) and sentence.label(place)[2] > NEAR and not focus.is_paper
    return (
        (is_of_many and not target.is_plural and not target.is_class) or label == "ago" or is_at or is_far or is_joint
    )


def _is_from_another(target: QuantityTarget, sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a value is measured from a different place or in a different sense than in the question, or
    whether its symbol names another object: "M_PBH".
    """
    behind = sentence.plain[sentence.measurements[place].end :]
    if (
        target.kind.name == "distance"
        and "from" not in target.qualifiers
        and target.kinds.nouns.from_another.match(behind)
    ):
        return True
    word = target.kinds.nouns.other_sense(target.kind.name).search(modifiers(sentence, place))
    if word is not None and word[0].lower() not in target.qualifiers:
        return True
    subscript = _SUBSCRIPT.search(sentence.symbol(place) or "")
    names = (*target.names, *target.wide_names)
    is_object = subscript is not None and bool(names) and bool(names_in(subscript[1], target.kinds.nouns))
    return is_object and not any(re.search(name, subscript[1].lower()) for name in names if subscript)


def _is_beside_name(target: QuantityTarget, sentence: MeasuredSentence, place: int) -> bool:
    """Return whether the object's name comes directly before a value ("GN-z11 at z = 10.6") or in the name of the
    quantity after it ("8.3 kpc to the centre").
    """
    names = (*target.names, *target.wide_names)
    if not names or target.nouns - target.landmarks:
        return False
    before, span = sentence.before(place).lower(), sentence.label_span(place)
    end = sentence.measurements[place].end
    behind = sentence.plain[end : span[1]].lower() if span and span[0] >= end else ""
    beside = re.search(rf"(?:{names[-1]}){_TO_VALUE}", before)
    lead = before[: beside.start()] if beside else ""
    is_before = beside is not None and not (names_place(target, lead) or _COMPARISON.search(lead))
    return is_before or all(re.search(name, behind) for name in names)


# Finds out what a value belongs to, in the words of its sentence: "the planet" in "the mass of the planet".

_WORD = r"[A-Za-z0-9\[][\w*+.'’/\]–-]*"
_NP_ENDS = re.compile(
    r"\b(?:is|was|are|were|be|been|being|has|have|had|can|could|may|might|must|should|would|will|that|which|who|whose"
    r"|but|as|while|using|based|derived|measured|obtained|estimated|found|inferred|determined|given|gives?|yields?"
    r"|between|about|approximately|roughly|around|nearly|almost|than|with|by|when|where|if|we|they|it|they|because"
    r"|ranges?|ranging|spans?|spanning|reach(?:es|ed|ing)?|exceed\w*|equals?|becomes?|lies?|turns?|comes?|depends?"
    r"|agree|agrees|predicts?|compared?|differs?|remains?|appears?|depends|at|from|up|out|down|over|within|under|above|below|near|after|before|since|until|via|through)\b"
    r"|[,;:=<>≈~∼≲≳≤≥±()∝]|--|\bto (?:be|within|about|around|a|an|~)\b|\$",
    re.IGNORECASE,
)
"""Words and symbols at which the name of an owner ends."""
_BELONGS = re.compile(
    r"(?:\s*+\([^()]{0,40}\)|[\s$]++(?!(?:of|for|to|in|around|from)\b)[^\s,;]{1,16}){0,2}?[\s$]++"
    r"(?P<joint>of|for|to|in|around)\s+",
)
_STOPS = re.compile(
    r"\b(?:of|for|from|to|using|with|within|in|at|by|on|near|over|under|about|than|that|which|who|whose|where|when|while"
    r"|and|or|but|nor|if|is|are|was|were|be|been|being|has|have|had|as|a|an|the|we|they|he|she|i|no|not|only|just|more|most|any"
    r"|each|some|all|both|find|finds|found|derive[sd]?|deriving|obtain(?:s|ed|ing)?|measur(?:e|es|ed|ing)|report(?:s|ed|ing)?"
    r"|estimat(?:e|es|ed|ing)|infer(?:s|red|ring)?|determin(?:e|es|ed|ing)|constrain(?:s|ed|ing)?|giv(?:e|es|en|ing)|gave"
    r"|yield(?:s|ed|ing)?|impl(?:y|ies|ied|ying)|assum(?:e|es|ed|ing)|us(?:e|es|ed)|suggest(?:s|ed|ing)?|reveal(?:s|ed|ing)?"
    r"|adopt(?:s|ed|ing)?|this|these|those|through|into|per|between|among|across)\b|[,;:=<>≈~∼≲≳≤≥±()∝]|--|\$|\d\s",
    re.IGNORECASE,
)
"""Words and symbols that end a search to the left for the modifiers of a noun."""
_SYMBOL = re.compile(r"[A-Za-zα-ωΑ-Ω]{1,3}(?:\s?_\s?\S.{0,12})?")
_OWNS = re.compile(r"(?P<owner>[^,;:()]{2,90}?)\s{1,9}+(?:has|have|had|with|of|at)\s{1,9}(?:an?|the)?\s{0,9}$")
_BEFORE_NOUNS = re.compile(
    r"\b(?:that|which|who|and|but|we|find|found|contains?|contain|include[sd]?|between|is|are|was|were|by|using|yields?|gives?"
    r"|shows?|reveals?|predicts?|obtain|measure|derive)\b",
    re.IGNORECASE,
)
"""Words before the last noun phrase of a clause."""
_VERBAL = re.compile(
    r"(?:weigh|lie|away|distant|far|old|ago|across|wide|rotat|spin|orbit|massive|hot|cool|cold|last|mov|approach|com)",
    re.IGNORECASE,
)
"""Beginnings of quantity names that are verbs, adjectives or adverbs: the subject of the clause owns the quantity."""
_SUBJECT = re.compile(
    r"(?:^|[,;:]\s|\b(?:that|and|but|while)\s)(?P<owner>[^,;:]{2,90}?)\s+"
    r"(?:is|are|was|were|lies?|has|have|had|weighs?|rotates?|spins?|orbits?|lasts?|moves?|comes?)\b"
)
_FOR = re.compile(r"[\s$]*(?:for|of|in)\s+(?P<owner>[^,;:()=]{2,80})")
MOST_WORDS = 7
"""Maximum number of words of an owner's name that are shown."""
_PRONOUNS = frozenset("its their his her our it they them these those this that".split())


def owner_of(sentence: MeasuredSentence, place: int) -> Owner | None:
    """Return what a measurement belongs to, if its sentence says so: the words after "of" or "for", the words before
    the name of the quantity, whatever "has" it, or the noun after the value.
    """
    plain, measurement = sentence.plain, sentence.measurements[place]
    span = sentence.label_span(place)
    if span is None:
        return _beside_value(sentence, place)
    first, last = span
    if first >= measurement.end:
        between, before, subject = plain[last:], plain[measurement.end : first], plain[: measurement.start]
    else:
        between, before, subject = plain[last : sentence.start_of_list(place)], _clause(plain[:first]), plain[:first]
    owner = _after(between) or _modifying(before, sentence.kinds.nouns) or _having(subject, plain[first:last])
    return owner or _beside_value(sentence, place)


def with_qualifier(name: str, sentence: MeasuredSentence, place: int) -> str:
    """Return the name of a quantity with the words before it that narrow it: "total stellar mass"."""
    match = sentence.kinds.nouns.qualifier.search(modifiers(sentence, place))
    qualifier = " ".join(match[0].lower().split()) if match else ""
    return f"{qualifier} {name}" if qualifier and qualifier not in name else name


def modifiers(sentence: MeasuredSentence, place: int) -> str:
    """Return the words directly before the name of the quantity: "total stellar" in "the total stellar mass"."""
    span = sentence.label_span(place)
    return _modifiers(_clause(sentence.plain[: span[0]])) if span else ""


def _after(between: str) -> Owner | None:
    match = _BELONGS.match(between)
    if match is None or (match["joint"] == "to" and re.match(r"(?:be|within|about)\b", between[match.end() :])):
        return None
    words = _np(between[match.end() :])
    return Owner(words, match["joint"]) if words else None


def _np(text: str) -> str:
    """Return the noun phrase with which `text` begins; empty if it has neither two letters in a row nor a digit."""
    parts = _NP_ENDS.split(text, maxsplit=1)
    words = " ".join(parts[0].split()).strip(" .$")
    if _SYMBOL.fullmatch(words) and re.match(r"\s*[=<>≈~∼≲≳≤≥]", text[len(parts[0]) :]):
        return ""
    return words if re.search(r"[A-Za-z]{2}|\d", words) else ""


def _clause(before: str) -> str:
    return re.split(r"[;:]", re.sub(r"\s\([^()]{0,40}\)", "", before[-120:]))[-1]


def _modifiers(before: str) -> str:
    ends = [match.end() for match in _STOPS.finditer(before)]
    return " ".join((before[ends[-1] :] if ends else before).split()[-5:])


def _modifying(before: str, nouns: FieldNouns) -> Owner | None:
    """Return the owner that comes before the name of the quantity: "the Milky Way's", "its", "the host galaxy"."""
    words = _modifiers(before)
    possessive = re.search(r"(.*['’]s?|\b(?:its|their|his|her|our))(?=\s|$)", words, re.IGNORECASE)
    if possessive:
        return Owner(re.sub(r"['’]s?$", "", possessive[1]))
    is_named = re.search(r"(?<![\w-])[A-Z][\w-]*|\d", words) is not None
    is_thing = re.search(rf"\b{nouns.thing}$", words, re.IGNORECASE) is not None
    return Owner(words, is_before=True) if words and (is_named or is_thing) else None


def _having(before: str, label: str) -> Owner | None:
    """Return the owner that "has" the quantity, or the subject of a verb such as "weighs"."""
    clause = _clause(before)
    words = _modifiers(clause)
    if match := _OWNS.search(clause.rstrip().removesuffix(words).rstrip() + " "):
        # The last noun phrase with what follows it: "clumps in 30 Doradus".
        owner = " ".join(_BEFORE_NOUNS.split(match["owner"])[-1].split()[-8:]).strip(" .$")
        if owner:
            return Owner(owner)
    if _VERBAL.match(label) and (subjects := [*_SUBJECT.finditer(before)]):
        return Owner(" ".join(subjects[-1]["owner"].split()))
    return None


def _beside_value(sentence: MeasuredSentence, place: int) -> Owner | None:
    """Return the owner that is directly next to a value: "a 33 solar mass black hole", "5 kpc for the cluster"."""
    behind = sentence.plain[sentence.measurements[place].end :][:100]
    thing = sentence.kinds.nouns.thing
    match = _behind(thing).match(behind)
    if match and not _NP_ENDS.search(match["owner"]) and not _STOPS.search(match["owner"]):
        return Owner(" ".join(match["owner"].split()))
    if (match := _is_of(thing).search(sentence.phrase(sentence.first_of_list(place)))) is not None:
        return Owner(_modifiers(match["owner"]) or match["owner"])
    if (match := _FOR.match(behind)) and (words := _np(match["owner"])):
        return Owner(words)
    return None


@cache
def _behind(thing: str) -> re.Pattern[str]:
    """Compile a pattern for a thing after a value: "black hole" in "a 33 solar mass black hole"."""
    return re.compile(rf"[\s$)-]*(?P<owner>(?:[A-Za-z][\w-]*\s+){{0,3}}?(?<![\w-]){thing})(?![\w-])", re.IGNORECASE)


@cache
def _is_of(thing: str) -> re.Pattern[str]:
    """Compile a pattern for a thing before a value: "halo" in "a halo of 10^12 solar masses"."""
    return re.compile(
        rf"(?P<owner>(?:{_WORD}\s+){{0,3}}(?<![\w-])(?:{thing}|\w+ total))\s+"
        r"(?:of|at|with|weighing|(?:more|less) \w+ than|in excess of)\s*(?:about|some|around|roughly)?\s*[~∼≈<>$]*\s*$",
        re.IGNORECASE,
    )
