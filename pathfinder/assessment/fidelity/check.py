"""What a rewritten text lost and added: numbers, units, names, negations and citations, with no model.

Numbers, units, names and citations are compared in any language; names only as far as they keep their Latin
letters, or are among the few whose translations are known. Negations are compared where both languages are
known: sentence by sentence where both texts have as many, else by their number. A "not" that moved from one
sentence to another is then not noticed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathfinder.assessment.fidelity.languages import KNOWN, Language, known_language, language_of
from pathfinder.assessment.fidelity.proper_names import Name, forms, has_name, is_same_name, names
from pathfinder.assessment.fidelity.quantities import Quantity, quantities
from pathfinder.assessment.fidelity.telling import Telling, marks_of, numbers_of, take_apart
from pathfinder.types import Change, FactKind, Fidelity

_OUTRIGHT = re.compile(
    r"(?:(?:more|less|fewer|greater|larger|smaller)\s+than|at\s+(?:least|most)|[<>≤≥])\s*~?\s*$", re.IGNORECASE
)
BEFORE_BOUND = 30
"""Characters before a number that are looked at."""
LOST = "not in the new text"
ADDED = "not in the original"


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two texts, read."""

    telling: Telling
    language: Language | None
    quantities: tuple[Quantity, ...]
    names: tuple[Name, ...]

    @property
    def cited(self) -> frozenset[int]:
        return frozenset().union(*(sentence.citations for sentence in self.telling.sentences))


def check_fidelity(original: str, rewritten: str, language: str | None = None) -> Fidelity:
    """Compare `rewritten` with `original`; `language` is what the rewritten text should be in, where it is known.

    A text against itself has no change. Each change says what it is, where, and why; nothing is judged twice.
    """
    told = known_language(language) if language else None
    first = _read(original, language_of(original))
    second = _read(rewritten, told or (language_of(rewritten) if language is None else None))
    lost = [*_lost_quantities(first, second), *_lost_names(first, second)]
    added = [*_added_quantities(first, second), *_added_names(first, second)]
    for compare in (_citations, _negations):
        more_lost, more_added = compare(first, second)
        lost += more_lost
        added += more_added
    return Fidelity(_in_order(lost), _in_order(added), tuple(_not_compared(first, second, language)))


def _read(text: str, language: Language | None) -> _Side:
    telling = take_apart(text)
    measured = quantities(telling, language)
    # The M of M_sun, and the Earth of "two Earth masses", stand in a unit and name nothing.
    units = [range(one.end, one.unit_end) for one in measured]
    named = (name for name in names(telling, language) if not any(name.start in unit for unit in units))
    return _Side(telling, language, measured, tuple(named))


def _in_order(changes: Sequence[Change]) -> tuple[Change, ...]:
    return tuple(sorted(dict.fromkeys(changes), key=lambda change: (change.start, change.end, change.kind)))


# Numbers and units --------------------------------------------------------------------------------------


def _lost_quantities(first: _Side, second: _Side) -> Iterator[Change]:
    for one in first.quantities:
        if one.is_loose or _is_word_unread(first, second, one):
            continue
        same = [other for other in second.quantities if one.measures_like(other)]
        if same:
            yield from _lost_bound(first, second, one, same)
        elif of_value := [other for other in second.quantities if one.has_value_of(other)]:
            if one.unit is not None:
                yield _unit(first, one, f"the number is there, {_its_unit(second, of_value[0])}")
        else:
            yield _change(FactKind.NUMBER, first, one.start, one.end, LOST)


def _added_quantities(first: _Side, second: _Side) -> Iterator[Change]:
    for one in second.quantities:
        if one.is_loose or _is_word_unread(second, first, one):
            continue
        if same := [other for other in first.quantities if one.measures_like(other)]:
            yield from _added_bound(first, second, one, same)
            continue
        of_value = [other for other in first.quantities if one.has_value_of(other)]
        if not of_value:
            yield _change(FactKind.NUMBER, second, one.start, one.end, ADDED)
        elif one.unit is not None:
            yield _unit(second, one, f"in the original {_its_unit(first, of_value[0])}")


def _lost_bound(first: _Side, second: _Side, one: Quantity, same: list[Quantity]) -> Iterator[Change]:
    """A "more than" that became a "less than", or nothing; only English says which."""
    both_english = first.language is second.language
    if one.bound and both_english and not any(other.bound == one.bound for other in same):
        now = same[0].bound or "neither at least nor at most"
        yield _change(FactKind.NUMBER, first, one.start, one.end, f"{one.bound} in the original, {now} in the new text")


def _added_bound(first: _Side, second: _Side, one: Quantity, same: list[Quantity]) -> Iterator[Change]:
    """A "more than" before a number that stood there alone; "over" and "up to" may say something else."""
    is_told = one.bound is not None and _OUTRIGHT.search(second.telling.plain[: one.start][-BEFORE_BOUND:])
    if is_told and first.language is second.language and all(other.bound is None for other in same):
        reason = f"{one.bound} in the new text, neither at least nor at most in the original"
        yield _change(FactKind.NUMBER, second, one.start, one.end, reason)


def _is_word_unread(side: _Side, other: _Side, one: Quantity) -> bool:
    """Whether a number is spelt out and the other text's words for numbers are not known."""
    spelt_out = not any(map(str.isdigit, side.telling.plain[one.start : one.end]))
    return spelt_out and (other.language is None or not other.language.numbers)


def _unit(side: _Side, one: Quantity, reason: str) -> Change:
    start = one.end if one.unit_end > one.end else one.start
    text = side.telling.text[start : max(one.end, one.unit_end)]
    start += len(text) - len(text.lstrip(" -"))
    return _change(FactKind.UNIT, side, start, max(one.end, one.unit_end), reason)


def _its_unit(side: _Side, one: Quantity) -> str:
    text = side.telling.text[one.end : one.unit_end].strip(" -")
    return f"its unit is {text}" if text else "it has another unit" if one.unit else "it has no unit"


# Names --------------------------------------------------------------------------------------------------


def _lost_names(first: _Side, second: _Side) -> Iterator[Change]:
    for name in first.names:
        if not has_name(name.text, second.telling):
            yield _change(FactKind.NAME, first, name.start, name.end, LOST)


def _added_names(first: _Side, second: _Side) -> Iterator[Change]:
    for name in second.names:
        if not any(has_name(form, first.telling) for form in forms(name.text, second.language)):
            yield _change(FactKind.NAME, second, name.start, name.end, ADDED)


# Citations ----------------------------------------------------------------------------------------------


def _citations(first: _Side, second: _Side) -> tuple[list[Change], list[Change]]:
    """Marks that one text has alone, and sentences that now stand with other marks."""
    lost = [_mark(first, number, LOST) for number in sorted(first.cited - second.cited)]
    added = [_mark(second, number, ADDED) for number in sorted(second.cited - first.cited)]
    return [*lost, *_moved(first, second)], added


def _mark(side: _Side, number: int, reason: str) -> Change:
    marks = marks_of(side.telling.text)
    mark = next(mark for mark in marks if number in numbers_of(mark[0]))
    return _change(FactKind.CITATION, side, mark.start(), mark.end(), f"[{number}] is {reason}")


def _moved(first: _Side, second: _Side) -> Iterator[Change]:
    """Numbers and names whose sentence cites nothing of what it cited; sentence by sentence where they are as many."""
    yield from _moved_facts(first, second)
    ours, theirs = first.telling.sentences, second.telling.sentences
    if len(ours) == len(theirs):
        pairs = ((one, one.citations - other.citations) for one, other in zip(ours, theirs, strict=True))
        for sentence, missing in pairs:
            if missing & second.cited:
                marks = _marked(missing & second.cited)
                yield _change(
                    FactKind.CITATION, first, sentence.start, sentence.end, f"this sentence no longer cites {marks}"
                )
    else:
        yield from _cited_less(first, second)


def _moved_facts(first: _Side, second: _Side) -> Iterator[Change]:
    facts: list[tuple[int, int, list[int]]] = [
        (one.start, one.end, [other.start for other in second.quantities if one.measures_like(other)])
        for one in first.quantities
        if not one.is_loose
    ]
    facts += [
        (name.start, name.end, [other.start for other in second.names if is_same_name(name.text, other.text)])
        for name in first.names
    ]
    for start, end, places in facts:
        cited = first.telling.citations_at(start)
        now = [second.telling.citations_at(place) for place in places]
        if cited and now and not any(cited & marks for marks in now):
            stands = _marked(frozenset().union(*now)) or "nothing"
            yield _change(FactKind.CITATION, first, start, end, f"stood with {_marked(cited)}, stands with {stands}")


def _cited_less(first: _Side, second: _Side) -> Iterator[Change]:
    """Papers that fewer sentences cite, though there are more sentences."""
    ours, theirs = first.telling.sentences, second.telling.sentences
    if len(theirs) < len(ours):
        return
    for number in sorted(first.cited & second.cited):
        n_before = sum(number in sentence.citations for sentence in ours)
        n_now = sum(number in sentence.citations for sentence in theirs)
        if n_now < n_before:
            yield _mark(first, number, f"cited by {n_now} sentences, and was by {n_before}")


def _marked(numbers: frozenset[int]) -> str:
    return ", ".join(f"[{number}]" for number in sorted(numbers))


# Negations ----------------------------------------------------------------------------------------------


def _negations(first: _Side, second: _Side) -> tuple[list[Change], list[Change]]:
    if first.language is None or second.language is None:
        return [], []
    ours, theirs = _negated(first), _negated(second)
    if len(ours) != len(theirs):
        ours, theirs = [_flat(ours)], [_flat(theirs)]
    lost: list[Change] = []
    added: list[Change] = []
    for before, now in zip(ours, theirs, strict=True):
        n_before, n_now = _counted(first, second, before), _counted(first, second, now)
        if n_now < n_before:
            lost += [_negation(first, span, n_before, n_now) for span in before]
        elif n_now > n_before:
            added += [_negation(second, span, n_before, n_now) for span in now]
    return lost, added


def _negated(side: _Side) -> list[list[tuple[int, int]]]:
    """Where the negations of each sentence lie."""
    if side.language is None:
        return []
    pattern, plain = side.language.negation, side.telling.plain
    return [
        [match.span() for match in pattern.finditer(plain, sentence.start, sentence.end)]
        for sentence in side.telling.sentences
    ]


def _counted(first: _Side, second: _Side, spans: list[tuple[int, int]]) -> int:
    """Languages negate twice where others do once: between two of them, only whether it is negated counts."""
    return len(spans) if first.language is second.language else min(len(spans), 1)


def _flat(spans: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    return [span for of_sentence in spans for span in of_sentence]


def _negation(side: _Side, span: tuple[int, int], n_before: int, n_now: int) -> Change:
    return _change(FactKind.NEGATION, side, *span, f"{n_before} in the original here, {n_now} in the new text")


# ----------------------------------------------------------------------------------------------------------


def _change(kind: FactKind, side: _Side, start: int, end: int, reason: str) -> Change:
    return Change(kind, side.telling.text[start:end], start, end, reason)


def _not_compared(first: _Side, second: _Side, language: str | None) -> Iterator[str]:
    if first.language is None or second.language is None:
        known = ", ".join(one.name for one in KNOWN)
        which = language if second.language is None and language else "the language of one of the texts"
        yield f"negations, and numbers in words: the checker does not know {which}; it knows {known}"
    elif first.language is not second.language:
        yield "names are compared by their Latin letters: a name that was translated may be marked as lost"
