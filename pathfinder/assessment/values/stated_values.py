"""Finds the values of a quantity that are stated in the text of a paper."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from pathfinder.assessment.values.asides import aside, is_range
from pathfinder.assessment.values.belonging import Belonging, belongs
from pathfinder.assessment.values.candidate import LOG_MASS, Candidate
from pathfinder.assessment.values.focus import Focus, focus_of, is_only_name
from pathfinder.assessment.values.kinds import NO_UNIT
from pathfinder.assessment.values.measured_sentence import MeasuredSentence
from pathfinder.assessment.values.naming import Fitting, Naming, fitting_unit, naming_of, quantity_name
from pathfinder.assessment.values.subject import is_about, is_named, is_of_another, is_of_own, stems_of
from pathfinder.assessment.values.target import QuantityTarget
from pathfinder.text.quantities.decimal_commas import with_decimal_points
from pathfinder.text.quantities.measurement import ABOUT, Measurement
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
    r"|\bfor (?!the\b)(?:[\w-]+ ){1,4}(?:of|from|between) [$]?\s*)$",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(?:^|[:;,]\s)(?:[Ff]or|[Ii]f|[Ww]hen|[Aa]t)\b[^,;]*$")
_CONSEQUENCE = re.compile(r"[^,;.]{0,12},\s+(?:we|the|this|it|its|these|there|our)\b")
"""Words around a value that is a condition under which something else holds: "for a spin of 0.9, we find"."""
_FORECAST = re.compile(r"\b[Ff]orecast|\bprospects\b|\bwould (?:be able to )?(?:reach|measure|constrain|yield)|\bmock ")
_SAME_UNIT = re.compile(
    r"\b(?:it|this|that|which|(?:the|this|that) (?:value|limit|figure|number|maximum|result)) "
    r"(?:is|was|becomes|became|comes to|came to|rises to|rose to|falls to|fell to|would be)(?: now| today)?"
    r"(?: about| around| roughly| nearly| close to| near| some)?\s*~?\s*$",
    re.IGNORECASE,
)
"""Words before a number without a unit that refer to the quantity in the previous sentence."""
_CAP = re.compile(r"\bcap(?:s|ped)?\b[^.;,]{0,60}\bat(?: about)?\s*$", re.IGNORECASE)
_SAYS_NOTHING = frozenset({"age", "distance"})
_SAYS_LITTLE = frozenset({"speed"})
"""Kinds whose unit says little or nothing: a number of years may belong to any event."""
SAME_ORDER = 10.0
"""Factor by which a number without a unit may differ from the value whose unit it adopts."""


def values_in(target: QuantityTarget, paper_id: str, title: str, text: str) -> tuple[Candidate, ...]:
    """Return the values of the target quantity in `text`, in order; none if the paper is about something else."""
    if not is_about(target, f"{title}. {text}"):
        return ()
    spans, text = sentence_spans(text), with_decimal_points(text)
    is_titled = bool(target.names) and all(re.search(name, title.lower()) for name in target.names)
    is_only = is_only_name(target, title, text)
    candidates: list[Candidate] = []
    for place, (start, end) in enumerate(spans):
        near = [text[slice(*span)] for span in spans[max(0, place - REACH_OF_NAME) : place + 1]]
        has_number = any(map(str.isdigit, near[-1])) or " million " in near[-1]
        if has_number and (is_only or is_named(target, title, near)):
            sentence = MeasuredSentence(text[start:end], start, target.kinds)
            focus = focus_of(target, title, near[:-1], text)
            candidates += _in_sentence(target, paper_id, sentence, focus)
    if len(candidates) > 1 or not is_titled:
        candidates = [candidate for candidate in candidates if not candidate.is_vague]
    sentences = [MeasuredSentence(text[start:end], start, target.kinds) for start, end in spans]
    candidates = _with_repeated_units(candidates, sentences)
    if _states_all(target, title):
        candidates = [replace(candidate, is_sure=True) for candidate in candidates]
    if len(candidates) == 1 and is_titled:
        candidates = [replace(candidates[0], is_only=True)]
    return tuple(_unique(_most_alike(candidates)))


def _with_repeated_units(candidates: Sequence[Candidate], sentences: Sequence[MeasuredSentence]) -> list[Candidate]:
    """Add the numbers without a unit that the sentence after a value states for the same quantity: "It is about 1.4."

    They adopt the unit of the last value in the previous sentence.
    """
    complete = list(candidates)
    last = {candidate.sentence_end: candidate for candidate in candidates if candidate.dimensions != NO_UNIT}
    for before, sentence in pairwise(sentences):
        value = last.get(before.start + len(before.text))
        if value is None or value.stated_value.unit == LOG_MASS or not value.stated_value.value:
            continue
        for place, measurement in enumerate(sentence.measurements):
            is_bare = measurement.unit is None and measurement.relative_to is None and not sentence.is_count(place)
            ratio = measurement.value / value.stated_value.value
            is_same_order = 1.0 / SAME_ORDER <= ratio <= SAME_ORDER
            if is_bare and is_same_order and _SAME_UNIT.search(sentence.plain[: measurement.start]):
                complete.append(_repeat(value, sentence, measurement))
    return sorted(complete, key=lambda candidate: candidate.stated_value.start)


def _repeat(value: Candidate, sentence: MeasuredSentence, measurement: Measurement) -> Candidate:
    """Return a number as a value that adopts the unit and the quantity of the `value` before it."""
    stated_value = replace(
        value.stated_value,
        value=measurement.value,
        plus=measurement.plus,
        minus=measurement.minus,
        plus_systematic=measurement.plus_systematic,
        minus_systematic=measurement.minus_systematic,
        limit=measurement.limit,
        of=None,
        start=sentence.start + measurement.start,
        end=sentence.start + measurement.end,
    )
    return replace(
        value,
        stated_value=stated_value,
        sentence_start=sentence.start,
        sentence_end=sentence.start + len(sentence.text),
        size=value.size * measurement.value / value.stated_value.value,
    )


def _states_all(target: QuantityTarget, title: str) -> bool:
    """Return whether a title contains the name of the quantity and all nouns in the question, of which there must be at
    least two: "The Maximum Mass of White Dwarfs".
    """
    is_complete = len(target.nouns) > 1 and target.nouns <= stems_of(title)
    return is_complete and re.search(target.kind.words, title, re.IGNORECASE) is not None


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
    """Yield each value once."""
    keys: set[tuple[float, str | None]] = set()
    for candidate in candidates:
        key = (float(f"{candidate.size:.6g}"), candidate.stated_value.limit)
        if key not in keys:
            keys.add(key)
            yield candidate


def _in_sentence(
    target: QuantityTarget, paper_id: str, sentence: MeasuredSentence, focus: Focus
) -> Iterator[Candidate]:
    """Yield the values of the target quantity that a sentence states about the object of the question; for a range,
    both ends or neither.
    """
    candidates = [_value(target, paper_id, sentence, place, focus) for place in range(len(sentence.measurements))]
    for place, candidate in enumerate(candidates):
        is_halved = (place and is_range(sentence, place) and not candidates[place - 1]) or (
            place + 1 < len(candidates) and is_range(sentence, place + 1) and not candidates[place + 1]
        )
        if candidate and not is_halved:
            yield candidate


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
    if is_unnamed and target.kind.name in _SAYS_NOTHING:
        return None
    if naming is Naming.OTHER or belonging is Belonging.FOREIGN or is_of_another(target, sentence, place):
        return None
    stated_value = _stated_value(target, paper_id, sentence, place, fitting, of)
    candidate = _candidate(target, stated_value, sentence, place, fitting, naming)
    is_own = belonging is not Belonging.UNKNOWN and bool(target.names) and target.kinds.is_told_by_unit(target.kind)
    return replace(
        candidate,
        is_sure=candidate.is_sure or is_own,
        is_part=belonging is Belonging.PART,
        is_vague=is_unnamed and target.kind.name in _SAYS_LITTLE,
    )


def _is_result(target: QuantityTarget, sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a value may answer the question: it is not the opposite limit, a difference, an uncertainty, a
    bound on what was observed, a zero without unit or error ("f_esc > 0"), a condition, a forecast, an assumption, or
    part of the description of something else ("a 3 kpc aperture").
    """
    measurement = sentence.measurements[place]
    if measurement.unit is None and measurement.value == 0 and not (measurement.plus or measurement.minus):
        return False
    if target.limit and measurement.limit not in (target.limit, None, ABOUT):
        return False
    if aside(target.kind.name, sentence, place):
        return False
    is_condition = _CONDITION.search(sentence.plain[: measurement.start]) is not None
    if is_condition and _CONSEQUENCE.match(sentence.plain[measurement.end :]):
        return False
    if _FORECAST.search(sentence.plain[: measurement.start]) or _ASSUMPTION.search(sentence.before(place)):
        return False
    return not measurement.is_attributive or sentence.has_label_behind(place)


def _stated_value(
    target: QuantityTarget, paper_id: str, sentence: MeasuredSentence, place: int, fitting: Fitting, of: str | None
) -> StatedValue:
    stated_value = sentence.as_value(place, paper_id, quantity_name(target, sentence, place), fitting.unit_text)
    is_capped = stated_value.limit is None and _CAP.search(sentence.before(place)) is not None
    return replace(stated_value, of=of, limit="upper" if is_capped else stated_value.limit)


def _candidate(
    target: QuantityTarget,
    stated_value: StatedValue,
    sentence: MeasuredSentence,
    place: int,
    fitting: Fitting,
    naming: Naming,
) -> Candidate:
    own = target.nouns & stems_of(f"{sentence.label(place)[1]} {sentence.phrase(place)} {sentence.behind(place)}")
    likeness = len(target.nouns & stems_of(sentence.plain)) + len(own)
    if target.limit and sentence.measurements[place].limit == target.limit:
        likeness += 2
    is_sure = naming is Naming.NAMED or (bool(target.nouns) and target.nouns <= own)
    return Candidate(
        stated_value=stated_value,
        sentence_start=sentence.start,
        sentence_end=sentence.start + len(sentence.text),
        size=fitting.size(stated_value.value),
        dimensions=fitting.dimensions,
        is_sure=is_sure or is_of_own(target, sentence, place),
        likeness=float(likeness),
        has_own_unit=target.kind.is_named and bool(target.kind.unit),
    )
