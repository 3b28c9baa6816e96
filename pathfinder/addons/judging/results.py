"""Results of a study: how often each side wins, and how far readers agree."""

import csv
import datetime
import io
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathfinder.addons.judging.study import BlindStudy, Criterion, Exhibit, Pick, Vote, vote_of
from pathfinder.errors import UsageError
from pathfinder.operations.evaluation.metrics import Interval
from pathfinder.operations.export.tables import table
from pathfinder.text.english import counted

_ORDER = {Pick.FIRST: 0, Pick.SAME: 1, Pick.SECOND: 2}


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """Votes on one criterion."""

    criterion: Criterion
    votes: dict[str, int]
    """Number of votes for each of `first`, `same` and `second`."""
    won_by_first: int
    """Number of pairs for which more readers picked the first side than the second."""
    won_by_second: int
    ties: int
    win_rate: float | None
    """Share of pairs that the second side wins, among those that either side wins; `None` if there are none."""
    interval: Interval | None
    """95% interval of the win rate (Wilson 1927), over pairs."""
    p: float | None
    """Probability of a win rate at least this far from 50% if both sides were equally good (two-sided binomial test).
    """
    alpha: float | None
    """Krippendorff's alpha; `None` if no pair was judged by two readers, or all votes are equal."""


@dataclass(frozen=True, slots=True)
class StudyResult:
    """Everything computed from the votes on a study."""

    study: str
    first: str
    second: str
    n_pairs: int
    n_judged: int
    """Number of pairs with at least one vote."""
    n_votes: int
    n_readers: int
    criteria: tuple[CriterionResult, ...]

    @property
    def summary(self) -> str:
        """The numbers of votes, readers and pairs in words."""
        votes, readers = counted(self.n_votes, "vote"), counted(self.n_readers, "reader")
        return f"{votes} of {readers} on {self.n_judged} of {self.n_pairs} pairs"


def study_result(study: BlindStudy, votes: Sequence[Vote]) -> StudyResult:
    """Count the votes on a study."""
    return StudyResult(
        study.name,
        study.first,
        study.second,
        len(study.pairs),
        len({vote.pair for vote in votes}),
        len(votes),
        len({vote.reader for vote in votes}),
        tuple(_criterion_result(criterion, votes) for criterion in study.criteria),
    )


def _criterion_result(criterion: Criterion, votes: Sequence[Vote]) -> CriterionResult:
    by_pair: dict[int, list[Pick]] = defaultdict(list)
    for vote in votes:
        by_pair[vote.pair].append(dict(vote.picks)[criterion])
    leads = [picks.count(Pick.SECOND) - picks.count(Pick.FIRST) for picks in by_pair.values()]
    first, second = sum(lead < 0 for lead in leads), sum(lead > 0 for lead in leads)
    counts = Counter(pick for picks in by_pair.values() for pick in picks)
    rate, interval, p = _share(second, first + second)
    return CriterionResult(
        criterion,
        {pick.value: counts[pick] for pick in Pick},
        first,
        second,
        len(leads) - first - second,
        rate,
        interval,
        p,
        krippendorff_alpha([[_ORDER[pick] for pick in picks] for picks in by_pair.values()]),
    )


def _share(n_hits: int, n: int) -> tuple[float | None, Interval | None, float | None]:
    if n == 0:
        return None, None, None
    from scipy.stats import binomtest

    test = binomtest(n_hits, n)
    interval = test.proportion_ci(method="wilson")
    return n_hits / n, Interval(float(interval.low), float(interval.high)), float(test.pvalue)


def krippendorff_alpha(units: Sequence[Sequence[int]]) -> float | None:
    """Return Krippendorff's alpha for ordered values, which says how far readers agree beyond chance: 1 if all agree,
    0 if they agree as often as by chance.

    Let o(c, k) be the number of times that two readers gave the values c and k to the same unit, where each pair of
    values counts 1 / (m - 1) if m readers judged the unit. Let n(c) be the sum of o(c, k) over k, and n that of n(c)
    (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section D):

        alpha = 1 - (n - 1) sum_{c<k} o(c, k) d(c, k) / sum_{c<k} n(c) n(k) d(c, k)

    where d is the squared ordinal distance, (n(c) / 2 + n(c + 1) + ... + n(k) / 2)^2.

    Each unit lists the values that readers gave it, numbered in order from 0. `None` if no two readers judged the
    same unit, or if all values are equal, because alpha is undefined then.
    """
    size = max((value + 1 for unit in units for value in unit), default=0)
    coincidences = np.zeros((size, size))
    for unit in units:
        if len(unit) > 1:
            counts = np.bincount(unit, minlength=size)
            coincidences += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    totals = coincidences.sum(axis=1)
    # The distance between two values is the number of values in between, plus half the number at each end.
    middles = np.cumsum(totals) - totals / 2
    distances = np.asarray((middles[:, None] - middles[None, :]) ** 2)
    expected_disagreement = float((np.outer(totals, totals) * distances).sum())
    if expected_disagreement == 0:
        return None
    return 1.0 - float((totals.sum() - 1) * (coincidences * distances).sum()) / expected_disagreement


# Votes as CSV: a sheet that a reader fills in elsewhere, and a table of all votes.

_MARKS = {"A": Pick.FIRST, "B": Pick.SECOND, "same": Pick.SAME}


def sheet_csv(study: BlindStudy, reader: str) -> str:
    """Return a sheet for one reader, with the sides of each pair in the order that this reader sees; the criteria are
    to be filled in with A, B or same.
    """
    rows = []
    for pair, each in enumerate(study.pairs):
        left, right = study.on_screen(reader, pair)
        rows.append((pair + 1, each.question, _lines(left), _lines(right), *([None] * len(study.criteria))))
    return table(("pair", "question", "A", "B", *study.criteria), rows)


def votes_of_sheet(study: BlindStudy, reader: str, text: str, day: datetime.date) -> tuple[Vote, ...]:
    """Read the votes on a completed sheet; pairs without any mark are left out. Raises `UsageError`, which names the
    row, for a mark that is not A, B or same.
    """
    rows = csv.DictReader(io.StringIO(text))
    if missing := {"pair", *study.criteria} - set(rows.fieldnames or ()):
        raise UsageError(
            f"the sheet lacks the columns {', '.join(sorted(missing))}: fill in the sheet made for this study"
        )
    votes = []
    for number, row in enumerate(rows, start=1):
        marks = {each: (row[each] or "").strip() for each in study.criteria}
        if not any(marks.values()):
            continue
        picks: dict[Criterion, Pick] = {each: _pick(mark, number) for each, mark in marks.items() if mark}
        cell = row["pair"]
        if cell is None or not cell.strip().isdecimal():
            raise UsageError(f"row {number} has the pair {cell!r}: keep the sheet's own numbers")
        votes.append(vote_of(study, reader, int(cell) - 1, picks, day))
    return tuple(votes)


def votes_csv(study: BlindStudy, votes: Sequence[Vote]) -> str:
    """Return all votes as a table, with the names of the sides and a column that says which side was shown as A."""
    names = {Pick.FIRST: study.first, Pick.SECOND: study.second, Pick.SAME: "same"}
    rows = (
        (
            study.name,
            vote.reader,
            vote.pair + 1,
            vote.day,
            names[Pick.SECOND if vote.is_swapped else Pick.FIRST],
            *(names[pick] for _, pick in vote.picks),
        )
        for vote in votes
    )
    return table(("study", "reader", "pair", "day", "A", *study.criteria), rows)


def _pick(mark: str, number: int) -> Pick:
    pick = _MARKS.get(mark) or _MARKS.get(mark.upper())
    if pick is None:
        raise UsageError(f"row {number} has the mark {mark[:40]!r}: write A, B or same")
    return pick


def _lines(exhibit: Exhibit) -> str:
    papers = (f"[{n}] {paper}" for n, paper in enumerate(exhibit.papers, start=1))
    return "\n".join((*([exhibit.text] if exhibit.text else []), *papers))
