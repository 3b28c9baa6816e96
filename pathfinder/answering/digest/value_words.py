"""Summarises the values from several papers in words: the newest, the most cited, the range, and any outliers.

No mean is computed: the values come from different methods, objects and times.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from pathfinder.answering.digest import cues
from pathfinder.assessment.values.candidate import LOG_MASS, Candidate
from pathfinder.assessment.values.wording import number_as_text, value_as_text
from pathfinder.text.author_names import parse_name
from pathfinder.types import Paper, ValueAge

FEWEST_FOR_OUTLIERS = 5
FAR = 3.0
"""Distance of a value's logarithm from the median, in units of the scatter, beyond which it counts as an outlier."""
_SCATTER_OF_MAD = 1.4826
"""Standard deviation of a normal distribution in units of its median absolute deviation."""
SMALLEST_SCATTER = 0.02
"""Minimum scatter that is assumed for the logarithms: values that agree to 2% contain no outliers."""
MOST_NAMED = 3
OLD = 30
"""Number of years between the newest value and the newest paper above which the value's age is stated."""


@dataclass(frozen=True, slots=True)
class LocatedValue:
    """A value and the paper that states it."""

    candidate: Candidate
    paper: Paper

    @property
    def sentence(self) -> str:
        """The sentence that states it."""
        return self.paper.abstract[self.candidate.sentence_start : self.candidate.sentence_end]


def summary(values: Sequence[LocatedValue]) -> tuple[str, ...]:
    """Describe `values` in up to four sentences; values whose dimensions differ from the most common ones are left out
    of the range.
    """
    comparable = _comparable(values)
    if len({value.paper.paper_id for value in comparable}) < 2:
        return ()
    statements = []
    dated_values = [value for value in comparable if value.paper.year is not None]
    if dated_values:
        newest = max(dated_values, key=lambda value: value.paper.year or 0)
        statements.append(f"Newest: {value_with_byline(newest)}.")
    cited_values = [value for value in comparable if value.paper.citation_count]
    if len({value.paper.paper_id for value in cited_values}) > 1:
        most = max(cited_values, key=lambda value: value.paper.citation_count or 0)
        statements.append(f"Most cited: {value_with_byline(most)}.")
    statements.append(_range(comparable))
    if outliers := _outliers(comparable):
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


def _comparable(values: Sequence[LocatedValue]) -> list[LocatedValue]:
    """Return the values with the most common dimensions."""
    counts = Counter(value.candidate.dimensions for value in values)
    return [value for value in values if value.candidate.dimensions == counts.most_common(1)[0][0]]


def _range(values: Sequence[LocatedValue]) -> str:
    lowest = min(values, key=lambda value: value.candidate.size)
    highest = max(values, key=lambda value: value.candidate.size)
    unit, size = _unit(values)
    low, high = (number_as_text(value.candidate.size / size) for value in (lowest, highest))
    papers = len({value.paper.paper_id for value in values})
    range_text = f"from {low} to {high} {unit}".rstrip()
    return f"Range: {range_text}, {len(values)} values from {papers} papers."


def _unit(values: Sequence[LocatedValue]) -> tuple[str, float]:
    """Return the most common unit, and its size in base units."""
    linear = [value.candidate for value in values if value.candidate.stated_value.unit != LOG_MASS]
    if linear and not any(candidate.stated_value.value for candidate in linear):
        return linear[0].stated_value.unit, 1.0
    if not linear:
        return "M⊙", values[0].candidate.size / 10.0 ** values[0].candidate.stated_value.value
    (unit, _) = Counter(
        candidate.stated_value.unit for candidate in linear if candidate.stated_value.value
    ).most_common(1)[0]
    example = next(
        candidate for candidate in linear if candidate.stated_value.unit == unit and candidate.stated_value.value
    )
    return unit, example.size / example.stated_value.value


def _outliers(values: Sequence[LocatedValue]) -> list[LocatedValue]:
    """Return the outliers by the median absolute deviation of the logarithms, farthest from the median first."""
    positive = [value for value in values if value.candidate.size > 0.0]
    if len(positive) < FEWEST_FOR_OUTLIERS:
        return []
    logs = [math.log(value.candidate.size) for value in positive]
    middle = median(logs)
    scatter = max(SMALLEST_SCATTER, _SCATTER_OF_MAD * median(abs(log - middle) for log in logs))
    far = [(abs(log - middle), value) for log, value in zip(logs, positive, strict=True)]
    return [value for distance, value in sorted(far, key=lambda pair: -pair[0]) if distance > FAR * scatter]
