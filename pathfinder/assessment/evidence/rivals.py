"""Numbers and names of a claim that its sources lack, and what they have in their place."""

from collections.abc import Iterable, Iterator, Sequence

from pathfinder.assessment.evidence.names import Name, lacks, siblings
from pathfinder.assessment.evidence.nearness import Found
from pathfinder.assessment.evidence.overlap import Reading, ReadSource
from pathfinder.assessment.evidence.quantities import Quantity, agrees, same_dimensions
from pathfinder.assessment.evidence.spelt import numbers_in_words

ABOUT_AS_LARGE = 10.0
"""Where two sentences are not about the same thing, numbers further apart than this factor have nothing to do with each
other: that a source has a 2 says nothing against 1000."""

_YEARS = range(1800, 2100)
_NO_COUNTS = frozenset({"one", "first", "single", "both", "twice", "half", "third"})


def missing_numbers(claim: Reading, sources: Sequence[ReadSource]) -> list[Quantity]:
    """Numbers in digits of `claim` that no source has."""
    return _missing(claim.quantities, sources)


def missing_amounts(claim: Reading, sources: Sequence[ReadSource]) -> list[Quantity]:
    """Amounts in words of `claim` that have a unit and that no source has: "three years", "half of", "doubled"."""
    return _missing([number for number in claim.spelt if number.unit], sources)


def _missing(numbers: Iterable[Quantity], sources: Sequence[ReadSource]) -> list[Quantity]:
    given = dict.fromkeys(one for source in sources for one in source.quantities)
    missing = {number: not any(agrees(number, one) for one in given) for number in dict.fromkeys(numbers)}
    return [number for number, is_missing in missing.items() if is_missing]


def with_rivals(missing: Sequence[Quantity], claim: Reading, near: Sequence[Found]) -> list[Quantity]:
    """Those of `missing` of which the sources have one of the same kind, about as large, that the claim lacks."""
    unclaimed = _unclaimed(claim, near) if missing else []
    return [
        number
        for number in missing
        if any(_is_rival(number, given) and _is_about_as_large(number, given) for given in unclaimed)
    ]


def rival_numbers(claim: Reading, missing: Sequence[Quantity], same: Sequence[Found]) -> Iterator[str]:
    """Of each number that is missing, one of the same kind that stands in its place, in words.

    `same` are the sentences that are about the same thing.
    """
    unclaimed = _unclaimed(claim, same) if missing else []
    for number in missing:
        rival = next((given for given in unclaimed if _is_rival(number, given)), None)
        if rival is not None:
            yield _told(number, rival)


def other_counts(claim: Reading, sources: Sequence[ReadSource], same: Sequence[Found]) -> Iterator[str]:
    """Of each number of things that the sources count, but never so many of them, the number that they give."""
    numbers = dict.fromkeys(number for number in (*claim.quantities, *claim.spelt) if number.counts)
    given = dict.fromkeys(one for source in sources for one in source.quantities if one.counts)
    claimed = {one.value for one in (*claim.quantities, *claim.spelt)}
    for number in numbers:
        counted = [one for one in given if _counts_the_same(number, one)]
        if not counted or any(number.value == one.value for one in counted):
            continue
        rival = next(
            (one for one in _counting(same) if one.value not in claimed and _counts_the_same(number, one)), None
        )
        if rival is not None:
            yield _told(number, rival)


def _counting(near: Sequence[Found]) -> Iterator[Quantity]:
    for found in near:
        yield from (*found.reading.quantities, *numbers_in_words(found.reading.plain))


def _counts_the_same(number: Quantity, given: Quantity) -> bool:
    one, other = number.counts, given.counts
    return not set(one).isdisjoint(other) and written(given).lower() not in _NO_COUNTS


def _is_about_as_large(number: Quantity, given: Quantity) -> bool:
    size, other = (abs(one.value) * (one.unit.size if one.unit else 1.0) for one in (number, given))
    return max(size, other) < ABOUT_AS_LARGE * min(size, other)


def _is_rival(number: Quantity, given: Quantity) -> bool:
    is_same_kind = same_dimensions(number, given) and is_year(number) == is_year(given)
    return is_same_kind or number.value == given.value


def _unclaimed(claim: Reading, near: Sequence[Found]) -> list[Quantity]:
    """The numbers of sentences that are none of the claim's, each once, in order."""
    claimed = dict.fromkeys((*claim.quantities, *claim.spelt))
    given = dict.fromkeys(one for found in near for one in _measured(found.reading))
    return [
        one
        for one in given
        if not any(agrees(other, one) or (_is_in_words(one) and agrees(one, other)) for other in claimed)
    ]


def _measured(reading: Reading) -> Iterator[Quantity]:
    """What numbers a sentence gives in digits, and the amounts in words that have a unit."""
    yield from reading.quantities
    yield from (number for number in reading.spelt if number.unit)


def _is_in_words(number: Quantity) -> bool:
    return not any(map(str.isdigit, number.written))


def _told(number: Quantity, rival: Quantity) -> str:
    if number.bound * rival.bound < 0:
        said, given = (("at least", "at most")[:: one.bound][0] for one in (number, rival))
        return f"{said} {written(number)} in the text, {given} {written(rival)} in the source"
    return f"{written(number)} in the text, {written(rival)} in the source"


def rival_names(claim: Reading, lacking: Sequence[Name], same: Sequence[Found]) -> Iterator[str]:
    """Of each name that is lacking, a name of the same kind that stands in its place, in words."""
    said = claim.plain.lower()
    for name in lacking:
        for found in same:
            rivals = [other for other in siblings(name, found.reading.names) if lacks(other, said)]
            if rivals:
                yield f"{name.written} in the text, {rivals[0].written} in the source"
                break


def has_sibling(name: Name, claim: Reading, near: Sequence[Found]) -> bool:
    """Whether the sources have another entry of the catalogue, or version, that the claim does not name."""
    said = claim.plain.lower()
    return any(lacks(other, said) for found in near for other in siblings(name, found.reading.names))


def is_year(number: Quantity) -> bool:
    """Whether a number may be a year."""
    return number.unit is None and number.value in _YEARS and number.written.isdigit()


def written(number: Quantity) -> str:
    """A number as it stands in its text, on one line."""
    return " ".join(number.written.split())
