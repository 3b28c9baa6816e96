"""Lists the values in the hits for the quantity that a question asks for, each with its sentence."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pathfinder.answering.assessment.values.candidate import (
    Candidate,
    comparable,
    number_as_text,
    plausible,
    value_as_text,
)
from pathfinder.answering.assessment.values.stated_values import claimed_values, values_in
from pathfinder.answering.assessment.values.subject import lacking, states_kind
from pathfinder.answering.assessment.values.target import QuantityTarget, target_quantity
from pathfinder.answering.digest import cues
from pathfinder.answering.digest.excerpts import OLD, insertions_for, with_context
from pathfinder.answering.digest.form import choose_form
from pathfinder.index.words import content_stems
from pathfinder.profile import Profile
from pathfinder.text.abbreviations import definitions, with_long_forms
from pathfinder.text.author_names import YEAR_IN_TEXT, parse_name
from pathfinder.text.quantities.measurements import measurements
from pathfinder.text.quantities.units import PERCENT
from pathfinder.text.quantities.written_numbers import digits, number_words, with_decimal_points
from pathfinder.text.sentences import is_prose, split_sentences
from pathfinder.types import Digest, DigestForm, Finding, Paper, StatedValue, ValueAge

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


def values_of_papers(
    question: str, papers: Iterable[Paper], further: Sequence[Paper] = (), profile: Profile | None = None
) -> ValueLines | None:
    """Return the values that `papers` state for the quantity that `question` asks for; `None` if it asks for
    no known quantity, or if no paper states a value for it.

    The `further` papers, which the search ranks below them, are read only if the question names an object or asks for a
    constant of nature: only then does their text show whether they state the value in question. The newest values come
    first if the question asks for today's value, or for a constant that is measured again and again; otherwise values
    keep the order of their papers. `profile` names the quantities of the field, by default astronomy.
    """
    target = target_quantity(question, profile)
    if target is None:
        return None
    papers_read = {paper.paper_id: paper for paper in papers}
    if target.names or target.wide_names or target.kind.is_universal:
        for paper in further:
            if paper.paper_id not in papers_read and states_kind(target, paper.text):
                papers_read[paper.paper_id] = paper
    candidates = plausible(
        [
            candidate
            for paper in papers_read.values()
            for candidate in values_in(
                target,
                paper.paper_id,
                paper.title,
                paper.abstract,
                authors=paper.authors,
                is_summary=paper.is_summary,
            )
            if is_prose(paper.abstract[candidate.sentence_start : candidate.sentence_end])
        ],
        is_one_object=bool(target.names or target.wide_names),
    )
    if not candidates:
        return None
    values = [LocatedValue(candidate, papers_read[candidate.stated_value.paper_id]) for candidate in candidates]
    if target.puts_newest_first:
        values, order = sorted(values, key=lambda value: -(value.paper.year or 0)), "newest first"
    else:
        values, order = sorted(values, key=lambda value: value.candidate.is_part), "in the order of the papers found"
    values = _in_turn(values)
    age = age_of_newest(values, [*papers_read.values(), *further])
    return ValueLines(
        tuple(value.candidate.stated_value for value in values),
        tuple(_finding(value, values) for value in values),
        (
            f"Values of the {target.kind.name}, {order}.",
            *([OF_MANY] if is_of_many(target, [value.candidate.stated_value for value in values]) else summary(values)),
            *_doubts(target, values),
            *([age_in_words(age)] if age else []),
        ),
        age,
    )


def no_value_note(question: str, sentences: Iterable[str], profile: Profile | None = None) -> str | None:
    """Say that no paper is known to state a value of the quantity that `question` asks for, even if one of the quoted
    `sentences` has a number with a unit of it; `None` if the question asks for no known quantity.
    """
    target = target_quantity(question, profile)
    if target is None:
        return None
    numbers = (number for sentence in sentences for number in measurements(with_decimal_points(sentence)))
    if any(number.unit and number.unit.dimensions in target.kind.dimensions for number in numbers):
        return f"Whether the {target.kind.name} in these sentences is the one in question could not be read from them."
    return f"No value of the {target.kind.name} in question could be read from the papers found."


def states_share(question: str, sentence: str, profile: Profile | None = None) -> bool:
    """Return whether `question` asks for a share, and `sentence` states one and names everything that the question
    names: it may answer in other words than the name of the quantity ("with a 24% risk").
    """
    target = target_quantity(question, profile)
    if target is None or PERCENT.dimensions not in target.kind.dimensions:
        return False
    text = sentence.lower()
    names_all = all(re.search(name, text) for name in (*target.names, *target.wide_names))
    return (
        names_all
        and target.nouns <= content_stems(sentence)
        and any(number.unit == PERCENT for number in measurements(with_decimal_points(sentence)))
    )


_ASKS_COUNT = re.compile(
    r"(?:\bhow many|^\W*(?:what(?:['’]s|\s+(?:is|was))\s+)?(?:the\s+)?(?:\w+\s+)?number of)\s+"
    r"(?!kinds|types|classes|sorts|ways)((?:[\w’'-]+\s*){1,2})",
    re.IGNORECASE,
)


def asks_count(question: str) -> bool:
    """Return whether `question` asks how many of something there are."""
    return _ASKS_COUNT.search(question) is not None


def states_no_count(question: str, sentences: Iterable[str]) -> bool:
    """Return whether `question` asks how many of something there are, and none of the `sentences` has a number beside
    the things that are counted and another word of the question: "four moons of Jupiter" are none of Saturn's. Kinds
    are seldom counted in so many words.
    """
    asked = _ASKS_COUNT.search(question)
    if asked is None:
        return False
    counted_stems = content_stems(asked[1])
    others = content_stems(_ASKS_COUNT.sub(" ", question)) - counted_stems
    for text in sentences:
        for sentence in split_sentences(text):
            own = content_stems(sentence)
            is_about = not counted_stems.isdisjoint(own) and (not others or not others.isdisjoint(own))
            numbers = [*number_words(sentence), *digits(sentence)] if is_about else []
            if any(not re.fullmatch(YEAR_IN_TEXT, sentence[number.start : number.end]) for number in numbers):
                return False
    return True


@dataclass(frozen=True, slots=True)
class LocatedValue:
    """A value and the paper that states it."""

    candidate: Candidate
    paper: Paper

    @property
    def sentence(self) -> str:
        """The sentence that states it."""
        return self.paper.abstract[self.candidate.sentence_start : self.candidate.sentence_end]


def _doubts(target: QuantityTarget, values: Sequence[LocatedValue]) -> list[str]:
    """Say which of the question's things the sentences of values do not name."""
    unnamed: dict[str, list[str]] = {}
    for value in values:
        sentence = with_long_forms(value.sentence, definitions(value.paper.abstract))
        for owner in lacking(target, sentence):
            unnamed.setdefault(owner, []).append(value_with_byline(value))
    return [
        f"The sentence with the value does not name {owner}, at most the title does: {'; '.join(those[:MOST_NAMED])}"
        f"{f' and {len(those) - MOST_NAMED} more' if len(those) > MOST_NAMED else ''}."
        for owner, those in unnamed.items()
    ]


def _in_turn(values: Sequence[LocatedValue]) -> list[LocatedValue]:
    """Put the third and later values of a paper after those of all other papers."""
    n_of_paper: Counter[str] = Counter()
    first: list[LocatedValue] = []
    later: list[LocatedValue] = []
    for value in values:
        n_of_paper[value.paper.paper_id] += 1
        (first if n_of_paper[value.paper.paper_id] <= MOST_OF_A_PAPER else later).append(value)
    return first + later


def _finding(value: LocatedValue, values: Sequence[LocatedValue]) -> Finding:
    """Return the sentence that states a value, and those to which it refers, unless they state another value."""
    of_other_lines = [_sentence(other) for other in values if other.paper == value.paper]
    start, end = with_context(value.paper, *_sentence(value), of_other_lines)
    return Finding(value.paper.paper_id, value.paper.abstract[start:end], start, end)


def _sentence(value: LocatedValue) -> tuple[int, int]:
    return value.candidate.sentence_start, value.candidate.sentence_end


# Values of different things, of which none is the newest, and which have no range.

OF_MANY = "They belong to different things, so none of them is the newest, and they have no range."
LARGEST_RATIO = 30.0
"""Ratio of the largest to the smallest value above which they belong to different things."""


def is_of_many(target: QuantityTarget, values: Sequence[StatedValue]) -> bool:
    """Return whether values belong to different things: the question names none, and their sentences name several, or
    they differ by more than a factor of `LARGEST_RATIO`.
    """
    if target.names or target.wide_names or target.kind.is_universal:
        return False
    named = {value.of for value in values if value.of and re.search(r"[A-Z\d]", value.of)}
    sizes = [end for value in comparable(values).values for end in value.ends if end > 0.0]
    return len(named) > 1 or (bool(sizes) and max(sizes) > LARGEST_RATIO * min(sizes))


# Summarises the values from several papers in words: the newest, the most cited, the range, and any outliers.
#
# No mean is computed: the values come from different methods, objects and times.

FEWEST_FOR_OUTLIERS = 5
FAR = 3.0
"""Distance of a value's logarithm from the median, in units of the scatter, beyond which it counts as an outlier."""
_SCATTER_OF_MAD = 1.4826
"""Standard deviation of a normal distribution in units of its median absolute deviation."""
SMALLEST_SCATTER = 0.02
"""Minimum scatter that is assumed for the logarithms: values that agree to 2% contain no outliers."""
MOST_NAMED = 3


def summary(values: Sequence[LocatedValue]) -> tuple[str, ...]:
    """Describe `values` in up to four sentences; those that became known after their papers are left out, and so are
    those whose dimensions differ from the most common ones.
    """
    values = [value for value in values if not value.candidate.stated_value.is_later]
    counts = Counter(value.candidate.dimensions for value in values)
    values = [value for value in values if value.candidate.dimensions == counts.most_common(1)[0][0]]
    if len({value.paper.paper_id for value in values}) < 2:
        return ()
    statements = []
    newest = max(values, key=lambda value: value.paper.year or 0)
    if newest.paper.year is not None:
        statements.append(f"Newest: {value_with_byline(newest)}.")
    if len({value.paper.paper_id for value in values if value.paper.citation_count}) > 1:
        most_cited = max(values, key=lambda value: value.paper.citation_count or 0)
        statements.append(f"Most cited: {value_with_byline(most_cited)}.")
    statements.append(_range(values))
    if outliers := _outliers(values):
        farthest = "; ".join(value_with_byline(value) for value in outliers[:MOST_NAMED])
        more = f" and {len(outliers) - MOST_NAMED} more" if len(outliers) > MOST_NAMED else ""
        statements.append(f"Far from the others: {farthest}{more}.")
    return tuple(statements)


def age_of_newest(values: Sequence[LocatedValue], papers: Sequence[Paper]) -> ValueAge | None:
    """Return the year of the newest paper with one of `values`, and that of the newest of `papers`, if the two are more
    than `OLD` years apart and no sentence says that its value is valid today.
    """
    newest_value = max((value.paper.year for value in values if value.paper.year is not None), default=None)
    newest_read = max((paper.year for paper in papers if paper.year is not None), default=None)
    is_kept_current = any(cues.HOLDS_TODAY.search(value.sentence) for value in values)
    if newest_value is None or newest_read is None or newest_read - newest_value <= OLD or is_kept_current:
        return None
    return ValueAge(newest_value, newest_read)


def age_in_words(age: ValueAge) -> str:
    """Say how old the newest value is."""
    return (
        f"The newest paper with a value is from {age.newest_value}; the newest paper read is from {age.newest_paper}."
    )


def value_with_byline(value: LocatedValue) -> str:
    """Write a value with its uncertainty, unit, first author and year: "73.04 ± 1.04 km/s/Mpc (Riess 2022)"."""
    return f"{value_as_text(value.candidate.stated_value)} ({byline(value.paper)})"


def byline(paper: Paper) -> str:
    """Return the first author's surname and the year, if they are known, or else the title."""
    parts = [parse_name(paper.authors[0]).last if paper.authors else "", str(paper.year or "")]
    return " ".join(filter(None, parts)) or paper.title


def _range(values: Sequence[LocatedValue]) -> str:
    common = comparable([value.candidate.stated_value for value in values])
    ends = [end for value in common.values for end in value.ends]
    papers = len({value.paper.paper_id for value in values})
    range_text = f"from {number_as_text(min(ends))} to {number_as_text(max(ends))} {common.unit}".rstrip()
    return f"Range: {range_text}, {len(values)} values from {papers} papers."


def _outliers(values: Sequence[LocatedValue]) -> list[LocatedValue]:
    """Return the outliers by the median absolute deviation of the logarithms, farthest from the median first."""
    values = [value for value in values if value.candidate.size > 0.0]
    if len(values) < FEWEST_FOR_OUTLIERS:
        return []
    logs = np.log([value.candidate.size for value in values])
    distances = np.abs(logs - np.median(logs))
    scatter = max(SMALLEST_SCATTER, _SCATTER_OF_MAD * np.median(distances))
    return [values[place] for place in np.argsort(-distances, kind="stable") if distances[place] > FAR * scatter]


# The values stated in papers, as a digest shown alongside an answer written by a chat model.

STATED_IN_ANSWER = "the answer states a value of the {}"


def values_beside(
    question: str,
    text: str,
    sources: Sequence[Paper],
    further: Sequence[Paper] = (),
    requested_form: DigestForm | None = None,
    profile: Profile | None = None,
) -> Digest | None:
    """Return the values that `sources` state for the quantity that `question` asks for, to be shown alongside the
    answer `text`.

    Returns `None` if the papers state no such value, or if the question does not ask for values and the answer does not
    state one. `further` holds papers that the search ranks below the sources; `profile` is that of the corpus.
    """
    choice = choose_form(question, requested_form, profile)
    reason = choice.reason if choice.form is DigestForm.VALUES else _reason_in_answer(question, text, profile)
    if reason is None or (requested_form not in (None, DigestForm.VALUES)):
        return None
    lines = values_of_papers(question, sources, further, profile)
    if lines is None:
        return None
    papers = {paper.paper_id: paper for paper in (*further, *sources)}
    findings = tuple(
        replace(finding, inserted=insertions_for(papers[finding.paper_id], finding.start, finding.end))
        for finding in lines.findings
    )
    return Digest(DigestForm.VALUES, reason, findings, values=lines.values, notes=lines.notes, value_age=lines.age)


def _reason_in_answer(question: str, text: str, profile: Profile | None) -> str | None:
    """Return the reason for showing values, which is that the answer states a value of the quantity; `None` if it
    states none.
    """
    target = target_quantity(question, profile)
    if target is None:
        return None
    kind = target.kind
    numbers = measurements(with_decimal_points(text))
    has_unit = any(number.unit and number.unit.dimensions in kind.dimensions for number in numbers)
    is_stated = has_unit or any(value.quantity == kind.name for value in claimed_values(text, profile=profile))
    return STATED_IN_ANSWER.format(kind.name) if is_stated else None
