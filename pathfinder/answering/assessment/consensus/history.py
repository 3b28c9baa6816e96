"""Opinion year by year, and when the field changed its mind.

The counts for a year cover all papers up to the end of that year, and the rule turns them into that year's level. The
field changed its mind in the year of the largest shift (see `change`) if the shift is larger than chance would explain
and the papers before it and those from then on are on different sides: the score of one group is at most -0.2, and that
of the other at least 0.2. The cumulative counts change later than the field does, because they include everything
published before, so the year is determined from the papers themselves.

At most one change is reported: if there are two, only the larger is found; if opinion went back and forth, there may be
none.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathfinder.answering.assessment.consensus.consensus import (
    NOTHING_TO_READ,
    Search,
    best_passages,
    is_relevant,
    notes_on,
    notes_on_choice,
    opinion_of,
    papers_until,
    read,
    require_chat_model,
    until,
)
from pathfinder.answering.assessment.consensus.rule import MIN_COUNTED, SEED, WEAK, StanceCounts
from pathfinder.errors import UsageError
from pathfinder.models.ports import ChatModel
from pathfinder.retrieval.weighting import weigh
from pathfinder.types import (
    Consensus,
    ConsensusHistory,
    ConsensusYear,
    Floats,
    FullTextPassage,
    Paper,
    SearchResult,
    Stance,
    StanceLabel,
)
from pathfinder.types.consensus import N_PAPERS

MAX_PAPERS = 200

_VALUE = {StanceLabel.SUPPORTS: 1, StanceLabel.REFUTES: -1, StanceLabel.MIXED: 0}


def consensus_over_time(
    result: SearchResult,
    chat: ChatModel | None,
    search: Search,
    *,
    consensus: Consensus | None = None,
    n_papers: int = N_PAPERS,
    as_of: int | None = None,
) -> Generator[str, None, ConsensusHistory]:
    """Judge the best `n_papers` matches of `result` year by year, including those that are not listed as hits.

    `consensus` is a consensus on the same result: its statement is reused, and its papers are not read again. Yields
    progress messages. Raises the same errors as `consensus`, and `UsageError` for a number of papers outside 1..200 or
    a consensus on a different question or as of a different year.
    """
    reader = require_chat_model(chat)
    if isinstance(n_papers, bool) or not isinstance(n_papers, int) or not 1 <= n_papers <= MAX_PAPERS:
        raise UsageError(f"the number of papers must be a whole number in 1..{MAX_PAPERS}, got {n_papers!r}")
    if consensus is not None and (consensus.question, consensus.as_of) != (result.request.query, as_of):
        raise UsageError(
            "`known` is a consensus on a different question or as of a different year: leave it out, or pass the "
            "consensus on this result"
        )
    result = until(result, as_of, search)
    hits = weigh(result.candidates, result.request.weighting, n_papers)
    papers = list(papers_until([hit.paper for hit in hits], as_of)) if is_relevant(result) else []
    passages = best_passages(hits)
    outcome = yield from history_of(
        result.request.query, papers, reader, consensus=consensus, as_of=as_of, passages=passages
    )
    return replace(outcome, notes=(*outcome.notes, *notes_on_choice(result, as_of)))


def history_of(
    question: str,
    papers: Sequence[Paper],
    chat: ChatModel,
    *,
    consensus: Consensus | None = None,
    as_of: int | None = None,
    passages: Mapping[str, FullTextPassage] | None = None,
) -> Generator[str, None, ConsensusHistory]:
    """Judge any set of papers year by year; with `as_of`, later and undated papers are not read. For `passages`, see
    `read`.
    """
    papers = papers_until(papers, as_of)
    by_paper = {} if consensus is None else {stance.paper_id: stance for stance in consensus.stances}
    if not papers:
        return ConsensusHistory((), None, NOTHING_TO_READ, question, model=chat.name, as_of=as_of)
    statement = consensus.statement if consensus is not None else ""
    if not statement:
        statement = opinion_of(question, papers, chat).statement
        yield "rewrote the question as a statement"
    unread_papers = [paper for paper in papers if paper.paper_id not in by_paper]
    new = yield from read(statement, unread_papers, chat, passages)
    by_paper |= {stance.paper_id: stance for stance in new}
    stances = tuple(by_paper[paper.paper_id] for paper in papers)
    return replace(
        history(stances),
        question=question,
        statement=statement,
        papers=tuple(papers),
        model=chat.name,
        as_of=as_of,
    )


def history(stances: Sequence[Stance]) -> ConsensusHistory:
    """Compute from `stances` how opinion developed over the years, and when it changed."""
    dated_stances = [(stance.year, stance) for stance in stances if stance.is_counted and stance.year is not None]
    notes = list(notes_on(stances))
    n_undated = sum(stance.is_counted for stance in stances) - len(dated_stances)
    if n_undated:
        notes.append(
            f"{n_undated} of the papers that bear on the statement "
            f"{'has no year and is' if n_undated == 1 else 'have no year and are'} not counted."
        )
    whole = ConsensusHistory(_years(dated_stances), None, "", stances=tuple(stances), notes=tuple(notes))
    change = find_change([year for year, _ in dated_stances], [_VALUE[stance.label] for _, stance in dated_stances])
    if change is None:
        years = [year for year, _ in dated_stances]
        n = len(years)
        papers = "1 paper with a year bears" if n == 1 else f"{n} papers with a year bear"
        of_one_year = f", all from {years[0]}" if n > 1 and len(set(years)) == 1 else ""
        return replace(
            whole,
            reason=f"Cannot tell whether the field changed its mind: {papers} on the statement{of_one_year}, but "
            f"{MIN_COUNTED} are needed before a change and {MIN_COUNTED} after it.",
        )
    before = StanceCounts.of([stance for year, stance in dated_stances if year < change.year])
    after = StanceCounts.of([stance for year, stance in dated_stances if year >= change.year])
    p = f"p = {change.p_value:.3f}" if change.p_value >= 0.001 else "p < 0.001"
    if not change.is_significant:
        reason = (
            f"The field did not change its mind: no shift over the years is larger than chance would explain ({p})."
        )
        return replace(whole, reason=reason, p_value=change.p_value)
    sides = f"until then {_describe(before)}, from then on {_describe(after)} ({p})"
    is_reversed = _side(before) * _side(after) == -1
    reason = (
        f"The field changed its mind in {change.year}: {sides}."
        if is_reversed
        else f"The field did not change sides, but opinion shifted in {change.year}: {sides}."
    )
    return replace(
        whole,
        changed_in=change.year if is_reversed else None,
        reason=reason,
        before=before.level,
        after=after.level,
        p_value=change.p_value,
    )


def _years(dated_stances: Sequence[tuple[int, Stance]]) -> tuple[ConsensusYear, ...]:
    if not dated_stances:
        return ()
    first, last = min(year for year, _ in dated_stances), max(year for year, _ in dated_stances)
    until = ((year, [stance for of, stance in dated_stances if of <= year]) for year in range(first, last + 1))
    counts = ((year, StanceCounts.of(stances)) for year, stances in until)
    return tuple(ConsensusYear(year, n.supports, n.refutes, n.mixed, n.score, n.level) for year, n in counts)


@dataclass(frozen=True, slots=True)
class OpinionChange:
    """The year in which opinion shifted most."""

    year: int
    """Year of the first paper after the cut."""
    p_value: float

    @property
    def is_significant(self) -> bool:
        """True if fewer than one random order in twenty has as large a shift."""
        return self.p_value < SIGNIFICANT


def _describe(counts: StanceCounts) -> str:
    level = "no level" if counts.level is None else counts.level.value
    return f"{level} ({counts.supports} for, {counts.refutes} against, {counts.mixed} mixed)"


def _side(counts: StanceCounts) -> int:
    """Return 1 if the papers support the statement, -1 if they are against it, and 0 if they are divided."""
    score = counts.score or 0.0
    return 0 if abs(score) < WEAK else 1 if score > 0 else -1


# The year in which opinion shifted most, and a test of whether the shift could be due to chance.
#
# In order of year, each paper counts as +1 (supports the statement), -1 (refutes it) or 0 (mixed). A cut before a
# year divides them into two sides of n1 and n2 papers with means m1 and m2; the shift is
#
#     n1 n2 / (n1 + n2) (m2 - m1)^2,
#
# the sum of squares between the sides: the cut with the largest shift is the most likely change of a mean (Sen &
# Srivastava 1975, doi:10.1214/aos/1176343001). Papers of the same year are never separated, and each side has at
# least five papers, enough for a consensus level of its own. The test shuffles the stances among the papers 2,000
# times with a fixed seed; if k of the shuffles have a largest shift at least as large as the observed one, p = (1 +
# k) / (1 + 2,000).

N_ORDERS = 2_000
SIGNIFICANT = 0.05
_TIE = 1e-9
"""Tolerance for ties: sums of the same numbers in a different order differ by rounding errors."""


def find_change(years: Sequence[int], values: Sequence[int]) -> OpinionChange | None:
    """Find the largest shift in `values` (+1, 0 or -1), one for each of `years`, which may be in any order.

    Returns `None` if no cut leaves at least five papers on each side.
    """
    order = np.argsort(years, kind="stable")
    sorted_years, signs = np.asarray(years)[order], np.asarray(values, dtype=np.float64)[order]
    starts = np.flatnonzero(np.diff(sorted_years)) + 1
    cuts = starts[(starts >= MIN_COUNTED) & (len(signs) - starts >= MIN_COUNTED)]
    if not len(cuts):
        return None
    shifts = _shifts(signs[np.newaxis], cuts)[0]
    rng = np.random.default_rng(SEED)
    largest_by_chance = _shifts(rng.permuted(np.tile(signs, (N_ORDERS, 1)), axis=1), cuts).max(axis=1)
    n_as_large = int((largest_by_chance >= shifts.max() - _TIE).sum())
    # Tied cuts may differ by rounding; the first of the best is taken.
    best = int(np.argmax(shifts >= shifts.max() - _TIE))
    return OpinionChange(int(sorted_years[cuts[best]]), (1 + n_as_large) / (1 + N_ORDERS))


def _shifts(signs: Floats, cuts: NDArray[np.intp]) -> Floats:
    """Return the shift of each row of `signs` at each of `cuts`, shape (rows, cuts)."""
    n = signs.shape[1]
    sums = signs.cumsum(axis=1)
    before, total = sums[:, cuts - 1], sums[:, -1:]
    means = before / cuts, (total - before) / (n - cuts)
    return np.asarray(cuts * (n - cuts) / n * (means[1] - means[0]) ** 2)
