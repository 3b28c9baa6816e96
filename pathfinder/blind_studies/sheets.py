"""Votes as CSV: a sheet that a reader fills in elsewhere, and a table of all votes."""

import csv
import datetime
import io
from collections.abc import Sequence

from pathfinder.blind_studies.study import BlindStudy, Criterion, Exhibit, Pick, Vote, vote_of
from pathfinder.errors import UsageError
from pathfinder.export.tables import table

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
        votes.append(vote_of(study, reader, _pair_of(row["pair"], number), picks, day))
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
            names[_pick_on_left(vote)],
            *(names[pick] for _, pick in vote.picks),
        )
        for vote in votes
    )
    return table(("study", "reader", "pair", "day", "A", *study.criteria), rows)


def _pick_on_left(vote: Vote) -> Pick:
    return Pick.SECOND if vote.is_swapped else Pick.FIRST


def _pick(mark: str, number: int) -> Pick:
    pick = _MARKS.get(mark) or _MARKS.get(mark.upper())
    if pick is None:
        raise UsageError(f"row {number} has the mark {mark[:40]!r}: write A, B or same")
    return pick


def _pair_of(cell: str | None, number: int) -> int:
    if cell is None or not cell.strip().isdecimal():
        raise UsageError(f"row {number} has the pair {cell!r}: keep the sheet's own numbers")
    return int(cell) - 1


def _lines(exhibit: Exhibit) -> str:
    papers = (f"[{n}] {paper}" for n, paper in enumerate(exhibit.papers, start=1))
    return "\n".join((*([exhibit.text] if exhibit.text else []), *papers))
