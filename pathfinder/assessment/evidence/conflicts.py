"""Finds numbers and names in a claim that its sources lack, and those that the sources have instead."""

from collections.abc import Iterable, Iterator, Sequence

from pathfinder.assessment.evidence.names import ClaimName, lacks, siblings
from pathfinder.assessment.evidence.nearest_sentences import SentenceMatch
from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence, ParsedSource
from pathfinder.assessment.evidence.quantities import agrees, numbers_in_words, same_dimensions
from pathfinder.text.author_year import YEARS_IN_TEXT
from pathfinder.text.quantities.quantities import Quantity

ABOUT_AS_LARGE = 10.0
"""Factor beyond which two numbers count as unrelated if their sentences are not about the same thing: a 2 in the source
is not evidence against 1000.
"""

_NO_COUNTS = frozenset({"one", "first", "single", "both", "twice", "half", "third"})


def missing_numbers(claim: ParsedSentence, sources: Sequence[ParsedSource]) -> list[Quantity]:
    """Return the numbers in `claim` that are written in digits and occur in no source."""
    return _missing(claim.quantities, sources)


def missing_amounts(claim: ParsedSentence, sources: Sequence[ParsedSource]) -> list[Quantity]:
    """Return the amounts written in words ("three years", "half of", "doubled") in `claim` that have a known unit and
    occur in no source.
    """
    return _missing([number for number in claim.amounts_in_words if number.unit], sources)


def _missing(numbers: Iterable[Quantity], sources: Sequence[ParsedSource]) -> list[Quantity]:
    claim_numbers = dict.fromkeys(numbers)
    if not claim_numbers:
        return []  # here already, because reading the numbers in the sources takes most of the time
    source_numbers = dict.fromkeys(source_number for source in sources for source_number in source.quantities)
    missing = {
        number: not any(agrees(number, source_number) for source_number in source_numbers) for number in claim_numbers
    }
    return [number for number, is_missing in missing.items() if is_missing]


def with_counterparts(
    missing: Sequence[Quantity], claim: ParsedSentence, near: Sequence[SentenceMatch]
) -> list[Quantity]:
    """Return the numbers in `missing` for which the sources have another number, of the same kind and similar size,
    that is not in the claim.
    """
    source_numbers = _numbers_beyond(claim, near) if missing else []
    return [
        number
        for number in missing
        if any(
            _is_counterpart(number, candidate) and _is_about_as_large(number, candidate) for candidate in source_numbers
        )
    ]


def conflicting_numbers(
    claim: ParsedSentence, missing: Sequence[Quantity], same: Sequence[SentenceMatch]
) -> Iterator[str]:
    """For each missing number, describe a number of the same kind that the sources have instead.

    `same` holds the sentences from the sources that are about the same thing.
    """
    source_numbers = _numbers_beyond(claim, same) if missing else []
    for number in missing:
        rival = next((candidate for candidate in source_numbers if _is_counterpart(number, candidate)), None)
        if rival is not None:
            yield _describe(number, rival)


def conflicting_counts(
    claim: ParsedSentence, sources: Sequence[ParsedSource], same: Sequence[SentenceMatch]
) -> Iterator[str]:
    """Describe the sources' number wherever they count the same things differently from the claim."""
    numbers = dict.fromkeys(number for number in (*claim.quantities, *claim.amounts_in_words) if number.counts)
    if not numbers:
        return
    source_numbers = dict.fromkeys(other for source in sources for other in source.quantities if other.counts)
    claim_values = {other.value for other in (*claim.quantities, *claim.amounts_in_words)}
    for number in numbers:
        alike = [other for other in source_numbers if _counts_the_same(number, other)]
        if not alike or any(number.value == other.value for other in alike):
            continue
        rival = next(
            (other for other in _counting(same) if other.value not in claim_values and _counts_the_same(number, other)),
            None,
        )
        if rival is not None:
            yield _describe(number, rival)


def _counting(near: Sequence[SentenceMatch]) -> Iterator[Quantity]:
    for match in near:
        yield from (*match.reading.quantities, *numbers_in_words(match.reading.plain))


def _counts_the_same(number: Quantity, rival: Quantity) -> bool:
    nouns, other_nouns = number.counts, rival.counts
    return not set(nouns).isdisjoint(other_nouns) and as_written(rival).lower() not in _NO_COUNTS


def _is_about_as_large(number: Quantity, rival: Quantity) -> bool:
    size, other = (abs(quantity.value) * (quantity.unit.size if quantity.unit else 1.0) for quantity in (number, rival))
    return max(size, other) < ABOUT_AS_LARGE * min(size, other)


def _is_counterpart(number: Quantity, rival: Quantity) -> bool:
    is_same_kind = same_dimensions(number, rival) and is_year(number) == is_year(rival)
    return is_same_kind or number.value == rival.value


def _numbers_beyond(claim: ParsedSentence, near: Sequence[SentenceMatch]) -> list[Quantity]:
    """Return the numbers in the matched sentences that the claim does not contain, each once, in order."""
    claim_numbers = dict.fromkeys((*claim.quantities, *claim.amounts_in_words))
    source_numbers = dict.fromkeys(number for match in near for number in _measured_numbers(match.reading))
    return [
        number
        for number in source_numbers
        if not any(agrees(other, number) or (number.is_in_words and agrees(number, other)) for other in claim_numbers)
    ]


def _measured_numbers(reading: ParsedSentence) -> Iterator[Quantity]:
    """Yield the numbers in a sentence that are written in digits, and the amounts in words that have a unit."""
    yield from reading.quantities
    yield from (number for number in reading.amounts_in_words if number.unit)


def _describe(number: Quantity, rival: Quantity) -> str:
    if number.bound * rival.bound < 0:
        ours, theirs = (("at least", "at most")[:: quantity.bound][0] for quantity in (number, rival))
        return f"{ours} {as_written(number)} in the text, {theirs} {as_written(rival)} in the source"
    return f"{as_written(number)} in the text, {as_written(rival)} in the source"


def conflicting_names(
    claim: ParsedSentence, lacking: Sequence[ClaimName], same: Sequence[SentenceMatch]
) -> Iterator[str]:
    """For each missing name, describe a name of the same kind that the sources have instead."""
    claim_text = claim.plain.lower()
    for name in lacking:
        for match in same:
            rivals = [other for other in siblings(name, match.reading.names) if lacks(other, claim_text)]
            if rivals:
                yield f"{name.text} in the text, {rivals[0].text} in the source"
                break


def has_sibling(name: ClaimName, claim: ParsedSentence, near: Sequence[SentenceMatch]) -> bool:
    """Return whether the sources name another catalogue entry or version that is not in the claim."""
    claim_text = claim.plain.lower()
    return any(lacks(other, claim_text) for match in near for other in siblings(name, match.reading.names))


def is_year(number: Quantity) -> bool:
    """Return whether a number could be a year."""
    return number.unit is None and number.value in YEARS_IN_TEXT and number.text.isdigit()


def as_written(number: Quantity) -> str:
    """Return a number as written in its text, on a single line."""
    return " ".join(number.text.split())
