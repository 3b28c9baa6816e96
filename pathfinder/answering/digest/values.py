"""Lists the values in the hits for the quantity that a question asks for, each with its sentence."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pathfinder.answering.digest.excerpts import with_context
from pathfinder.answering.digest.value_words import LocatedValue, age_in_words, age_of_newest, summary
from pathfinder.assessment.values.candidate import plausible
from pathfinder.assessment.values.stated_values import values_in
from pathfinder.assessment.values.subject import states_kind
from pathfinder.assessment.values.target import QuantityTarget, target_quantity
from pathfinder.profile import Profile
from pathfinder.text.sentences import is_prose
from pathfinder.types import Finding, Hit, Paper, StatedValue, ValueAge

MOST_OF_A_PAPER = 2
"""Number of values from one paper that may come before those from other papers."""


@dataclass(frozen=True, slots=True)
class ValueLines:
    """The lines of a digest of values."""

    values: tuple[StatedValue, ...]
    findings: tuple[Finding, ...]
    """For each value, the sentence that states it."""
    notes: tuple[str, ...]
    """Sentences about the values: their order, the newest, the most cited, the range, those far from the others and, if
    the newest is old, its age.
    """
    age: ValueAge | None
    """Years of the newest value and of the newest paper, if the newest value is old."""


def value_lines(
    question: str, hits: Sequence[Hit], further: Sequence[Paper] = (), profile: Profile | None = None
) -> ValueLines | None:
    """Return the values that `hits` state for the quantity that `question` asks for, as `values_of_papers` does."""
    return values_of_papers(question, [hit.paper for hit in hits], further, profile)


def values_of_papers(
    question: str, hits: Iterable[Paper], further: Sequence[Paper] = (), profile: Profile | None = None
) -> ValueLines | None:
    """Return the values that the papers `hits` state for the quantity that `question` asks for; `None` if it asks for
    no known quantity, or if no paper states a value for it.

    The `further` papers, which the search ranks below them, are read only if the question names an object or asks for a
    constant of nature: only then does their text show whether they state the value in question. The newest values come
    first if the question asks for today's value, or for a constant that is measured again and again; otherwise values
    keep the order of their papers. `profile` names the quantities of the field, by default astronomy.
    """
    target = target_quantity(question, profile)
    if target is None:
        return None
    papers = {paper.paper_id: paper for paper in hits}
    if target.names or target.wide_names or target.kind.is_universal:
        for paper in further:
            if paper.paper_id not in papers and states_kind(target, paper.text):
                papers[paper.paper_id] = paper
    candidates = plausible(
        [
            candidate
            for paper in papers.values()
            for candidate in values_in(target, paper.paper_id, paper.title, paper.abstract)
            if is_prose(paper.abstract[candidate.sentence_start : candidate.sentence_end])
        ],
        is_one_object=bool(target.names or target.wide_names),
    )
    if not candidates:
        return None
    located_values = [LocatedValue(candidate, papers[candidate.stated_value.paper_id]) for candidate in candidates]
    by_rank = sorted(located_values, key=lambda value: value.candidate.is_part)
    ordered_values = _in_turn(_by_age(located_values) if target.puts_newest_first else by_rank)
    age = age_of_newest(ordered_values, [*papers.values(), *further])
    return ValueLines(
        tuple(value.candidate.stated_value for value in ordered_values),
        tuple(_finding(value, ordered_values, profile) for value in ordered_values),
        (_order_in_words(target), *summary(ordered_values), *([age_in_words(age)] if age else [])),
        age,
    )


def no_value_note(question: str, profile: Profile | None = None) -> str | None:
    """Say that no paper states a value of the quantity that `question` asks for; `None` if it asks for no known
    quantity.
    """
    target = target_quantity(question, profile)
    if target is None:
        return None
    return f"No value of the {target.kind.name} in question could be read from the papers found."


def _by_age(values: Sequence[LocatedValue]) -> list[LocatedValue]:
    """Sort by year, the newest first; values of the same year keep their order, and those without a year come last."""
    return sorted(values, key=lambda value: -(value.paper.year or 0))


def _in_turn(values: Sequence[LocatedValue]) -> list[LocatedValue]:
    """Put the third and later values of a paper after those of all other papers."""
    n_of_paper: Counter[str] = Counter()
    first: list[LocatedValue] = []
    later: list[LocatedValue] = []
    for value in values:
        n_of_paper[value.paper.paper_id] += 1
        (first if n_of_paper[value.paper.paper_id] <= MOST_OF_A_PAPER else later).append(value)
    return first + later


def _finding(value: LocatedValue, values: Sequence[LocatedValue], profile: Profile | None) -> Finding:
    """Return the sentence that states a value, and those to which it refers, unless they state another value."""
    of_other_lines = [_sentence(other) for other in values if other.paper == value.paper]
    start, end = with_context(value.paper, *_sentence(value), of_other_lines, profile)
    return Finding(value.paper.paper_id, value.paper.abstract[start:end], start, end)


def _sentence(value: LocatedValue) -> tuple[int, int]:
    return value.candidate.sentence_start, value.candidate.sentence_end


def _order_in_words(target: QuantityTarget) -> str:
    if target.puts_newest_first:
        return f"Values of the {target.kind.name}, newest first."
    return f"Values of the {target.kind.name}, in the order of the papers found."
