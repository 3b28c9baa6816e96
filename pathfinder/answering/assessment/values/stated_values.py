"""Finds the values of a quantity that are stated in the text of a paper."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from pathfinder.answering.assessment.values.belonging import Belonging, belongs, with_qualifier
from pathfinder.answering.assessment.values.candidate import LOG_MASS, Candidate, in_usual_unit, least_lacking
from pathfinder.answering.assessment.values.kinds import (
    GENERAL,
    NO_UNIT,
    RELATIVE,
    QuantityKind,
    field_kinds,
    symbols_of,
)
from pathfinder.answering.assessment.values.measured_sentence import (
    BOUND,
    NEAR,
    MeasuredSentence,
    aside,
    is_later,
    is_quoted,
    is_range,
)
from pathfinder.answering.assessment.values.subject import (
    Focus,
    focus_of,
    is_about,
    is_named,
    is_of_another,
    is_only_name,
    lacking,
)
from pathfinder.answering.assessment.values.target import QuantityTarget
from pathfinder.index.words import content_stems
from pathfinder.profile import Profile
from pathfinder.text.abbreviations import definitions, with_long_forms
from pathfinder.text.quantities.units import PERCENT, Unit, unit_at
from pathfinder.text.quantities.written_numbers import ABOUT, RANGE, Quantity, with_decimal_points
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import StatedValue

SHARE_OF_BEST = 0.5
SHARE_OF_BEST_IN_SENTENCE = 0.6
"""Minima for the `likeness` of a candidate: fractions of the highest in its paper and of the highest in its sentence.
"""
REACH_OF_NAME = 2
"""Number of sentences, after the one that names an object, whose values may still belong to that object."""
_ASSUMPTION = re.compile(
    r"(?:\b(?:assum\w*|adopt\w*|fiducial|fixed (?:at|to)|input|prior (?:of|on)|simulation|hypothe\w+|mock)\b[^,;]{0,45}"
    r"|\bfor (?!the\b)(?:[\w-]+ ){1,4}(?:of|from|between) [$]?\s*|\b(?:if|for) [$]?\S{1,12}\s?=\s*)$",
    re.IGNORECASE,
)
_FORECAST = re.compile(r"\b[Ff]orecast|\bprospects\b|\bwould (?:be able to )?(?:reach|measure|constrain|yield)|\bmock ")
_PLAIN = {NO_UNIT, PERCENT.dimensions}
_SAYS_NOTHING = frozenset({"age", "distance"})
"""Kinds whose unit says nothing, as a percentage does: a number of years may belong to any event."""


def values_in(
    target: QuantityTarget,
    paper_id: str,
    title: str,
    text: str,
    *,
    authors: Sequence[str] = (),
    is_summary: bool = False,
) -> tuple[Candidate, ...]:
    """Return the values of the target quantity in `text`, in order; none if the paper is about something else. What
    others than its `authors` obtained is left out, if these are known; what became known after the paper only a summary
    by somebody else can tell.
    """
    if not is_about(target, f"{title}. {text}"):
        return ()
    spans, text = sentence_spans(text), with_decimal_points(text)
    is_titled = bool(target.names) and all(re.search(name, title.lower()) for name in target.names)
    is_only = is_only_name(target, title, text)
    defined = tuple(definitions(text)) if target.owners else ()
    byline = " ".join((*authors, title)) if authors else ""
    candidates: list[Candidate] = []
    for place, (start, end) in enumerate(spans):
        near = [text[slice(*span)] for span in spans[max(0, place - REACH_OF_NAME) : place + 1]]
        has_number = any(map(str.isdigit, near[-1])) or " million " in near[-1]
        written_out = with_long_forms(near[-1], defined)
        if has_number and (is_only or is_named(target, title, [*near[:-1], written_out])):
            n_lacking = len(lacking(target, f"{written_out} {title}"))
            sentence = MeasuredSentence(text[start:end], start, target.kinds, byline)
            focus = focus_of(target, title, near[:-1], text)
            found = _in_sentence(target, paper_id, sentence, focus)
            found = (replace(each, n_lacking=n_lacking) for each in found)
            candidates += found if is_summary else map(_of_the_paper, found)
    if len(candidates) == 1 and is_titled:
        candidates = [replace(candidates[0], is_only=True)]
    return tuple(_unique(_most_alike(least_lacking(candidates))))


def _most_alike(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates whose `likeness` is close enough to the highest in their sentence and in their paper."""
    best_of_paper = max((candidate.likeness for candidate in candidates), default=0.0)
    best: dict[int, float] = {}
    for candidate in candidates:
        best[candidate.sentence_start] = max(candidate.likeness, best.get(candidate.sentence_start, 0.0))
    for candidate in candidates:
        is_of_best = candidate.likeness >= SHARE_OF_BEST_IN_SENTENCE * best[candidate.sentence_start]
        if is_of_best and candidate.likeness >= SHARE_OF_BEST * best_of_paper:
            yield candidate


def _unique(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield each value once, as it is first stated with an uncertainty, or else as it is first stated."""
    best: dict[tuple[float, str | None], Candidate] = {}
    for candidate in candidates:
        key = (float(f"{candidate.size:.6g}"), candidate.stated_value.limit)
        if key not in best or (best[key].stated_value.plus is None and candidate.stated_value.plus is not None):
            best[key] = candidate
    yield from best.values()


def _in_sentence(
    target: QuantityTarget, paper_id: str, sentence: MeasuredSentence, focus: Focus
) -> Iterator[Candidate]:
    """Yield the values of the target quantity that a sentence states about the object of the question; a range, both of
    whose ends must be such values, is one.
    """
    places = range(len(sentence.measurements))
    candidates = [_value(target, paper_id, sentence, place, focus) for place in places]
    for place, low in enumerate(candidates):
        if low is None or is_range(sentence, place):
            continue  # the upper end of a range is read with the lower one
        if place + 1 not in places or not is_range(sentence, place + 1):
            found = low
        elif high := candidates[place + 1]:
            found = _between(low, high)
        else:
            continue
        yield replace(found, stated_value=in_usual_unit(found.stated_value))


def _of_the_paper(candidate: Candidate) -> Candidate:
    """Return a value as one of its paper: in an abstract, "is now put at" tells of the abstract's own time."""
    return replace(candidate, stated_value=replace(candidate.stated_value, is_later=False))


def _between(low: Candidate, high: Candidate) -> Candidate:
    value = range_between(low.stated_value, high.stated_value)
    middle = math.sqrt(low.size * high.size) if value.unit == LOG_MASS else (low.size + high.size) / 2
    return replace(low, stated_value=value, size=middle)


def range_between(low: StatedValue, high: StatedValue) -> StatedValue:
    """Return the range between two values in the same unit."""
    half = (high.value - low.value) / 2
    return replace(low, value=low.value + half, plus=half, minus=half, limit=RANGE, end=high.end)


def _value(
    target: QuantityTarget, paper_id: str, sentence: MeasuredSentence, place: int, focus: Focus
) -> Candidate | None:
    """Return a measurement as a value of the target quantity; `None` if it is not one, or is not about the object."""
    fitting = (
        None if sentence.is_count(place) else fitting_unit(target.kind, sentence.measurements[place], sentence, place)
    )
    if fitting is None or not _is_result(target, sentence, place):
        return None
    naming = naming_of(target, sentence, place, is_log=fitting.is_log)
    belonging, of = belongs(target, sentence, place, focus)
    is_unnamed = naming is Naming.UNNAMED and belonging is not Belonging.OWN
    if is_unnamed and (target.kind.name in _SAYS_NOTHING or fitting.dimensions == PERCENT.dimensions):
        return None
    if naming is Naming.UNNAMED and fitting.dimensions == PERCENT.dimensions and target.kind not in GENERAL:
        return None  # "50% of patients" is a fraction of them, but neither their mortality nor their prevalence
    if naming is Naming.OTHER or belonging is Belonging.FOREIGN or is_of_another(target, sentence, place):
        return None
    name = quantity_name(target, sentence, place)
    value = sentence.as_value(place, paper_id, name, fitting.unit_text)
    stated_value = replace(value, of=of, is_later=is_later(sentence, place))
    phrase = sentence.phrase(sentence.first_of_list(place))
    own = target.nouns & content_stems(f"{sentence.label(place)[1]} {phrase} {sentence.behind(place)}")
    likeness = len(target.nouns & content_stems(sentence.plain)) + len(own)
    if target.limit and sentence.measurements[place].limit == target.limit:
        likeness += 2
    is_sure = naming is Naming.NAMED or (bool(target.nouns) and target.nouns <= own)
    candidate = Candidate(
        stated_value=stated_value,
        sentence_start=sentence.start,
        sentence_end=sentence.start + len(sentence.text),
        size=fitting.size(stated_value.value),
        dimensions=fitting.dimensions,
        is_sure=is_sure,
        likeness=float(likeness),
        has_own_unit=target.kind.is_named and bool(target.kind.unit),
    )
    is_own = belonging is not Belonging.UNKNOWN and bool(target.names) and target.kinds.is_told_by_unit(target.kind)
    return replace(
        candidate,
        is_sure=candidate.is_sure or is_own,
        is_part=belonging is Belonging.PART,
    )


def _is_result(target: QuantityTarget, sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a value may answer the question: it is not the opposite limit, a difference, an uncertainty, a
    bound on what was observed, a quoted value, a zero without unit or error ("f_esc > 0"), a forecast, an assumption,
    or part of the description of something else ("a 3 kpc aperture").
    """
    measurement = sentence.measurements[place]
    if measurement.unit is None and measurement.value == 0 and not (measurement.plus or measurement.minus):
        return False
    if target.limit and measurement.limit not in (target.limit, None, ABOUT):
        return False
    if aside(target.kind.name, sentence, place) or is_quoted(sentence, place):
        return False
    if _FORECAST.search(sentence.plain[: measurement.start]) or _ASSUMPTION.search(sentence.before(place)):
        return False
    return not measurement.is_attributive or sentence.has_label_behind(place)


@dataclass(frozen=True, slots=True)
class Fitting:
    """The unit in which a measurement fits the quantity that the question asks for."""

    unit_text: str
    unit: Unit | None
    is_log: bool = False

    @property
    def dimensions(self) -> tuple[tuple[str, int], ...]:
        return self.unit.dimensions if self.unit else NO_UNIT

    def size(self, value: float) -> float:
        number = 10.0**value if self.is_log and value < 100.0 else value
        return number * (self.unit.size if self.unit else 1.0)


class Naming(Enum):
    """Relation between the words or symbol next to a value and the quantity in question."""

    NAMED = "named"
    UNNAMED = "unnamed"
    OTHER = "other"
    """The words or the symbol name another quantity."""


# Finds out which quantity a measurement states, from its unit and the words and symbols next to it.

_LOG = re.compile(
    r"\blog_?\s?(?:10)?\s*+\(?\s*+_?\s*+M[^=]{0,60}=\s*$|\blog_?\s?(?:10)?\s*+[({][^=)}]{0,40}M[^=]{0,40}=\s*$"
)


def fitting_unit(kind: QuantityKind, measurement: Quantity, sentence: MeasuredSentence, place: int) -> Fitting | None:
    """Return the unit in which a measurement may state a quantity of this kind; `None` if it cannot."""
    if measurement.relative_to:
        symbol = RELATIVE.get(kind.name, {}).get(measurement.relative_to)
        return Fitting(symbol, unit_at(symbol, 0)[0]) if symbol else None
    if kind.name == "mass" and _LOG.search(sentence.before(place)) and measurement.value < 20.0:
        return Fitting(LOG_MASS, unit_at("M⊙", 0)[0], is_log=True)
    if measurement.unit is None:
        if NO_UNIT not in kind.dimensions:
            return None
        is_pure = {*kind.dimensions} <= _PLAIN or _matches(kind, sentence.symbol(place)) or kind.name == "fraction"
        return Fitting("", None) if is_pure else None
    if measurement.unit.dimensions not in kind.dimensions or not measurement.unit.dimensions:
        return None
    return (
        Fitting(measurement.written_unit, measurement.unit) if re.search(kind.unit, measurement.written_unit) else None
    )


def _matches(kind: QuantityKind, symbol: str | None) -> bool:
    return symbol is not None and symbols_of(kind).fullmatch(symbol) is not None


def naming_of(target: QuantityTarget, sentence: MeasuredSentence, place: int, *, is_log: bool = False) -> Naming:
    """Return whether the words and the symbol next to a measurement name the target quantity, another one or none."""
    kind, measurement = target.kind, sentence.measurements[place]
    label, _, distance = sentence.label(place)
    symbol = sentence.symbol(place)
    is_symbol = _matches(kind, symbol)
    has_unit = measurement.unit is not None or measurement.relative_to is not None
    if kind.is_named and has_unit:
        if is_symbol or label is kind:
            return Naming.NAMED
        return Naming.OTHER if label is not None and _fits(label, measurement) else Naming.UNNAMED
    if is_log:
        return Naming.NAMED if label in (kind, None) else Naming.OTHER
    if is_symbol and (label in (kind, None) or kind.is_named or distance > NEAR):
        return Naming.NAMED
    if symbol and not is_symbol and (not has_unit or label is None):
        return Naming.OTHER
    if not has_unit:
        return Naming.NAMED if label is kind and distance <= NEAR else Naming.OTHER
    if label is kind:
        return Naming.NAMED
    if label is None or _are_kin(kind, label) or not _fits(label, measurement):
        return Naming.UNNAMED
    return Naming.OTHER


def _fits(kind: QuantityKind, measurement: Quantity) -> bool:
    if measurement.relative_to:
        return kind.name in RELATIVE
    return (measurement.unit.dimensions if measurement.unit else NO_UNIT) in kind.dimensions


def _are_kin(kind: QuantityKind, other: QuantityKind) -> bool:
    return {kind.name, other.name} <= {"radius", "diameter"}


def quantity_name(target: QuantityTarget, sentence: MeasuredSentence, place: int) -> str:
    """Return the symbol of the quantity as written in the sentence, or else the name of its kind with any words that
    narrow it.
    """
    symbol = sentence.symbol(place)
    if _matches(target.kind, symbol) and symbol is not None and len(symbol) <= 12:
        return symbol
    label, _, _ = sentence.label(place)
    if label is None or not (label is target.kind or _are_kin(target.kind, label)):
        return target.kind.name
    return with_qualifier(label.name, sentence, place)


# Finds all values that a text claims, whatever quantity they belong to.

UNNAMED_QUANTITY = "value"
"""Name given to the quantity if the words next to the value do not name it."""
NO_QUANTITIES = frozenset({("pixels", 1), ("sigma", 1)})
"""Dimensions of numbers that describe how certain something is, or how it was computed."""


def claimed_values(text: str, profile: Profile | None = None) -> tuple[StatedValue, ...]:
    """Return the values that `text` claims, in order, each with the name of its quantity if the words next to it give
    one.

    A number without a unit counts if it has an uncertainty, or if a symbol or the name of a plain quantity comes before
    it. A difference or an uncertainty is named as such. `start` and `end` are positions in `text`. `profile` names the
    quantities of the field, by default astronomy.
    """
    kinds = field_kinds(profile)
    spans, text = sentence_spans(text), with_decimal_points(text)
    return tuple(
        value
        for start, end in spans
        if any(map(str.isdigit, text[start:end])) or "million" in text[start:end]
        for value in _claims_in(MeasuredSentence(text[start:end], start, kinds))
    )


def _claims_in(sentence: MeasuredSentence) -> Iterator[StatedValue]:
    values: list[StatedValue | None] = []
    for place in range(len(sentence.measurements)):
        quantity = _claimed_quantity(sentence, place)
        unit = _unit(quantity, sentence, place) if quantity else ""
        value = sentence.as_value(place, "", quantity, unit) if quantity else None
        if value and is_range(sentence, place) and (low := values[-1]):
            values[-1] = range_between(low, value)
        else:
            values.append(value)
    yield from filter(None, values)


def _claimed_quantity(sentence: MeasuredSentence, place: int) -> str | None:
    """Return the name of the quantity, its symbol, or `UNNAMED_QUANTITY`; `None` if the number is not a value."""
    measurement = sentence.measurements[place]
    symbol = sentence.symbol(place)
    label, _, distance = sentence.label(place)
    dimensions = measurement.unit.dimensions if measurement.unit else NO_UNIT
    if sentence.is_count(place) or any(dimension in NO_QUANTITIES for dimension in dimensions):
        return None
    if label and (dimensions in label.dimensions or (measurement.relative_to and label.name in RELATIVE)):
        is_named = measurement.unit or measurement.relative_to or distance <= NEAR
        what = aside(label.name, sentence, place) if is_named else None
        name = label.name if what in (None, BOUND) else f"{what} of the {label.name}"
        return name if is_named else symbol
    if measurement.unit or measurement.relative_to:
        return symbol or UNNAMED_QUANTITY
    return symbol or (UNNAMED_QUANTITY if measurement.errors else None)


def _unit(quantity: str, sentence: MeasuredSentence, place: int) -> str:
    measurement = sentence.measurements[place]
    if measurement.relative_to is None:
        return measurement.written_unit
    return RELATIVE.get(quantity, {}).get(measurement.relative_to, f"times {measurement.relative_to}")
