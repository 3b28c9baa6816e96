"""Decides whether a value belongs to the object of the question, to part of it or to something else."""

import re
from enum import Enum

from pathfinder.assessment.values.focus import Focus, asks_for_part, speaks_of
from pathfinder.assessment.values.kinds import QuantityKind
from pathfinder.assessment.values.measured_sentence import NEAR, MeasuredSentence
from pathfinder.assessment.values.owner import Owner, modifiers, owner_of
from pathfinder.assessment.values.subject import names_in, stems_of, without_comparisons
from pathfinder.assessment.values.target import QuantityTarget, mentions_other
from pathfinder.text.inflection import base_form

_POPULATION = re.compile(
    r"\b(?:rang(?:e|es|ed|ing)|spann?(?:s|ed|ing)?|cover(?:s|ed|ing)?|var(?:y|ies|ied|ying)|distributed|typical\w*|median"
    r"|sample)\b[^,;]{0,40}$|\bdown to(?: about| some| roughly)?\s*$"
)
_OPENS_ANOTHER = re.compile(r",\s+an?\s")
"""Words after a plural that begin the next item: "lengths and masses, a stellar total of"."""
_BEGINS = re.compile(r"\b(?:form|born|birth|coalesc|assembl|condens|accret|beg[aiu]n\w*(?! to)\b|origin|ignit)")
_SUBSCRIPT = re.compile(r"_\{?([A-Z]{2,})")
_ABSCISSA = re.compile(
    r"(?<!centred )(?<!centered )(?<!peaks )(?<!peaked )"
    r"\b(?:at|around|below|above|beyond|near|toward|towards|until|down to|up to)\s+"
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
        return Belonging.OWN, sentence.object_of(place)
    if _is_from_another(target, sentence, place):
        return Belonging.FOREIGN, None
    if _is_beside_name(target, sentence, place):
        return Belonging.OWN, None
    owner = owner_of(sentence, place)
    own = _of(target, owner) if owner else Belonging.UNKNOWN
    if own is Belonging.OWN:
        return own, owner.for_readers(target.kinds.nouns) if owner else None
    is_others = own is Belonging.FOREIGN or _is_of_others(target, sentence, place, focus)
    if is_others or not focus.holds_for(target, sentence, place):
        return Belonging.FOREIGN, None
    if owner and own is Belonging.UNKNOWN and target.nouns & stems_of(owner.words):
        own = Belonging.OWN
    return own, owner.for_readers(target.kinds.nouns) if owner and own is not Belonging.UNKNOWN else None


def _of(target: QuantityTarget, owner: Owner) -> Belonging:
    """Return whether the owner of a value is the object of the question."""
    nouns_of_field = target.kinds.nouns
    text = without_comparisons(owner.words, nouns_of_field)
    names = (*target.names, *target.wide_names)
    is_thing = re.search(rf"\b{nouns_of_field.thing}(?!\w)", text) is not None
    nouns = target.nouns & stems_of(text)
    if (
        owner.joint == "from"
        and target.kind.name == "distance"
        and not re.search(rf"\b(?:{nouns_of_field.here})\b", text)
    ):
        return Belonging.FOREIGN
    is_named = any(speaks_of(name, target, text) for name in names)
    if nouns and 2 * len(nouns) >= len(target.nouns):
        return Belonging.OWN if is_named or not names else _by_noun(target, owner, text)
    if is_named:
        if asks_for_part(target):
            return Belonging.FOREIGN if is_thing else Belonging.UNKNOWN
        return Belonging.PART if nouns_of_field.part.search(text) else Belonging.OWN
    return _unless_named(target, owner, text, is_thing=is_thing)


def _by_noun(target: QuantityTarget, owner: Owner, text: str) -> Belonging:
    """Return whether an owner that contains the question's nouns but not the object's name may be the thing in
    question: "the black hole", but not "black holes" or "the Fornax cluster".
    """
    plurals = [word for word in text.split() if word.endswith("s") and word not in target.qualifiers]
    is_of_many = any(target.nouns & stems_of(word) for word in plurals) and not target.is_plural
    has_capital = re.search(r"(?<![\w-])[A-Z][a-z]", owner.words[1:]) is not None
    is_designated = bool(names_in(owner.words, target.kinds.nouns))
    return Belonging.FOREIGN if is_of_many or has_capital or is_designated else Belonging.UNKNOWN


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
    if span and _OPENS_ANOTHER.match(sentence.plain, span[1]):
        label = ""
    is_of_many = _is_plural(label, target.kind) or _POPULATION.search(near) is not None
    is_event = label == "ago" and not _BEGINS.search(near)
    is_at = not target.kind.is_place and _ABSCISSA.search(sentence.before(place)) is not None
    is_far = bool(target.wide_names) and sentence.label(place)[2] > NEAR and not focus.is_paper
    return (is_of_many and not target.is_plural and not target.is_class) or is_event or is_at or is_far


def _is_plural(label: str, kind: QuantityKind) -> bool:
    """Return whether a label is the plural of the name of a kind: "radii"."""
    last = label.rpartition(" ")[2]
    return last == "velocities" or base_form(last) == kind.name.rpartition(" ")[2] != last


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
    is_before = beside is not None and not _COMPARISON.search(before[: beside.start()])
    return is_before or all(re.search(name, behind) for name in names)
