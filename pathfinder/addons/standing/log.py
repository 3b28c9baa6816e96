"""The log of a corpus's standing questions: what was added, run and seen, in order. Each change returns a new log.

The same entries are stored for the owner of this machine and in a visitor's browser.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, Self
from urllib.parse import quote

from pydantic import TypeAdapter

from pathfinder.addons.standing.changes import GonePaper, StandingChanges, changes_between
from pathfinder.addons.standing.question import (
    BASIS_LABELS,
    Contest,
    FailedRun,
    RankedPaper,
    StandingQuestion,
    StandingRun,
)
from pathfinder.errors import StoreError, UsageError
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.text.english import counted
from pathfinder.text.latex.display import readable
from pathfinder.text.strict_json import Value, parse_as
from pathfinder.types import CorpusName
from pathfinder.user_data import Kind, Visit, database_in, oldest

MAX_RUNS = 30
"""Maximum number of runs kept for a question; the run with which the next one will be compared is always kept."""

_QUESTION, _RUN = TypeAdapter(StandingQuestion), TypeAdapter(StandingRun)
_FAILURE, _TIME = TypeAdapter(FailedRun), TypeAdapter(datetime.datetime)


class EntryKind(StrEnum):
    """Kind of an entry."""

    QUESTION = "question"
    """The question as it is from now on."""
    REMOVAL = "removal"
    RUN = "run"
    FAILURE = "failure"
    SEEN = "seen"
    """The time of the run that the reader has seen."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry, whose `record` is JSON."""

    number: int
    question: str
    """Id of the question."""
    kind: EntryKind
    record: str


@dataclass(frozen=True, slots=True)
class StandingLog:
    """All entries of a corpus, oldest first."""

    entries: tuple[LogEntry, ...] = ()

    def questions(self) -> tuple[StandingQuestion, ...]:
        """Return the questions that have not been removed, in the order in which they were added."""
        return tuple(self._question(each) for each in self._ids() if not self._of(each, EntryKind.REMOVAL))

    def question(self, name: str) -> StandingQuestion:
        """Return a question. Raises `UsageError` if there is none with this name."""
        questions = {question.name: question for question in self.questions()}
        if name not in questions:
            choice = f"choose from {', '.join(map(repr, questions))}" if questions else "there are none yet, so add it"
            raise UsageError(f"there is no standing question {name!r}: {choice}")
        return questions[name]

    def last_removed(self) -> StandingQuestion | None:
        """Return the question that was removed last and can be brought back; `None` if there is none."""
        ids = self._ids()
        removed = [each.question for each in self.entries if each.kind is EntryKind.REMOVAL and each.question in ids]
        return self._question(removed[-1]) if removed else None

    def runs(self, question: StandingQuestion) -> tuple[StandingRun, ...]:
        """Return the runs of a question, oldest first."""
        return tuple(map(_run, self._of(question.id, EntryKind.RUN)))

    def failure(self, question: StandingQuestion) -> FailedRun | None:
        """Return the last run, if it failed."""
        last = [*self._of(question.id, EntryKind.RUN, EntryKind.FAILURE)][-1:]
        return _parse(_FAILURE, last[0]) if last and last[0].kind is EntryKind.FAILURE else None

    def seen_at(self, question: StandingQuestion) -> datetime.datetime | None:
        """Return the time of the run that the reader has seen last; `None` if they have seen none."""
        marks = self._of(question.id, EntryKind.SEEN)
        return _parse(_TIME, marks[-1]) if marks else None

    def changes(self, question: StandingQuestion, since: datetime.datetime | None = None) -> StandingChanges:
        """Compare the last run with the one at `since`, by default the last one seen or, if none has been, the first.

        Raises `UsageError` if there is no run, or none at `since`.
        """
        runs = self.runs(question)
        if not runs:
            raise UsageError(f"{question.name!r} has not been run yet: `pathfinder standing run DIR` runs it")
        seen_at = self.seen_at(question)
        before = self._last_seen(question) if since is None else next((run for run in runs if run.at == since), None)
        if before is None:
            raise UsageError(f"{question.name!r} has no run at {since}: name the time of one of its runs")
        changes = changes_between(before, runs[-1], runs)
        is_seen = seen_at is not None and before.at <= seen_at
        return replace(changes, is_first=seen_at is None and len(runs) == 1, is_seen=is_seen)

    def add(self, question: StandingQuestion) -> Self:
        """Add a question. Raises `UsageError` if there is already one with its name."""
        self._check_free(question.name)
        return self._with(question.id, EntryKind.QUESTION, _dump(_QUESTION, question))

    def rename(self, name: str, new: str) -> Self:
        """Rename a question. Raises `UsageError` if there is none with this name, or if the new name is taken."""
        question = self.question(name)
        if new == name:
            return self
        self._check_free(new)
        return self._with(question.id, EntryKind.QUESTION, _dump(_QUESTION, replace(question, name=new)))

    def remove(self, name: str) -> Self:
        """Remove a question; `bring_back` undoes that. Questions removed earlier are deleted for good."""
        question = self.question(name)
        removed_ids = {entry.question for entry in self.entries if entry.kind is EntryKind.REMOVAL}
        entries = tuple(entry for entry in self.entries if entry.question not in removed_ids)
        return replace(self, entries=(*entries, self._next(question.id, EntryKind.REMOVAL, "null")))

    def bring_back(self) -> Self:
        """Bring back the question that was removed last. Raises `UsageError` if there is none, or if its name has been
        taken since.
        """
        question = self.last_removed()
        if question is None:
            raise UsageError("no standing question has been removed, so there is none to bring back")
        self._check_free(question.name)
        return replace(self, entries=self._without(self._of(question.id, EntryKind.REMOVAL)))

    def add_run(self, question: StandingQuestion, run: StandingRun) -> Self:
        """Add a run, and drop the oldest beyond `MAX_RUNS`, apart from the last one seen or, if none has been seen, the
        first.
        """
        runs, last_seen = self._of(question.id, EntryKind.RUN), self._last_seen(question)
        old = [entry for entry in runs[: max(len(runs) + 1 - MAX_RUNS, 0)] if _run(entry) != last_seen]
        new = self._next(question.id, EntryKind.RUN, _dump(_RUN, run))
        return replace(self, entries=(*self._without(old), new))

    def add_failure(self, question: StandingQuestion, failure: FailedRun) -> Self:
        """Add a run that failed, in place of earlier failures; all results are kept."""
        others = self._without(self._of(question.id, EntryKind.FAILURE))
        new = self._next(question.id, EntryKind.FAILURE, _dump(_FAILURE, failure))
        return replace(self, entries=(*others, new))

    def mark_seen(self, question: StandingQuestion, at: datetime.datetime) -> Self:
        """Record that the reader has seen the run at `at`; if they have already seen a later run, nothing changes.

        Raises `UsageError` if the question has no such run.
        """
        if at not in [run.at for run in self.runs(question)]:
            raise UsageError(f"{question.name!r} has no run at {at.isoformat()}: name the time of one of its runs")
        seen_at = self.seen_at(question)
        if seen_at is not None and at <= seen_at:
            return self
        return self._with(question.id, EntryKind.SEEN, _dump(_TIME, at))

    def unmark_seen(self, question: StandingQuestion) -> Self:
        """Remove the latest seen mark from a question, if it has one."""
        return replace(self, entries=self._without(self._of(question.id, EntryKind.SEEN)[-1:]))

    def _last_seen(self, question: StandingQuestion) -> StandingRun | None:
        """Return the last run up to the time of the seen mark, or else the first run; the run that the reader has seen
        may have been dropped.
        """
        runs, seen_at = self.runs(question), self.seen_at(question)
        return next(
            (run for run in reversed(runs) if seen_at is not None and run.at <= seen_at), next(iter(runs), None)
        )

    def _ids(self) -> dict[str, None]:
        """Return the ids of the questions, in the order in which they were added. Of a question that another tab has
        deleted, runs of this tab may be left.
        """
        return dict.fromkeys(entry.question for entry in self.entries if entry.kind is EntryKind.QUESTION)

    def _question(self, question_id: str) -> StandingQuestion:
        return _parse(_QUESTION, self._of(question_id, EntryKind.QUESTION)[-1])

    def _of(self, question_id: str, *kinds: EntryKind) -> tuple[LogEntry, ...]:
        return tuple(entry for entry in self.entries if entry.question == question_id and entry.kind in kinds)

    def _with(self, question_id: str, kind: EntryKind, record: str) -> Self:
        return replace(self, entries=(*self.entries, self._next(question_id, kind, record)))

    def _next(self, question_id: str, kind: EntryKind, record: str) -> LogEntry:
        number = max((entry.number for entry in self.entries), default=0) + 1
        return LogEntry(number, question_id, kind, record)

    def _without(self, entries: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
        numbers = {entry.number for entry in entries}
        return tuple(entry for entry in self.entries if entry.number not in numbers)

    def _check_free(self, name: str) -> None:
        if name in [question.name for question in self.questions()]:
            raise UsageError(f"there is already a standing question {name!r}: choose another name")


@lru_cache(512)
def _run(entry: LogEntry) -> StandingRun:
    """Parse a run once: a page reads each run several times."""
    return _parse(_RUN, entry)


def _dump(adapter: TypeAdapter[Value], value: Value) -> str:
    return adapter.dump_json(value).decode()


def _parse(adapter: TypeAdapter[Value], entry: LogEntry) -> Value:
    try:
        return parse_as(adapter, entry.record)
    except ValueError as error:
        raise StoreError(
            f"entry {entry.number} in the log of standing questions ({entry.kind}) cannot be read ({error}): restore a "
            "backup, or remove the question and add it again"
        ) from error


# Stores standing questions outside any corpus, so that they survive when one is rebuilt.


@dataclass(frozen=True, slots=True)
class _LogFile:
    """What browsers stored until 0.2.1."""

    format: Literal["pathfinder standing 1"]
    entries: tuple[LogEntry, ...]


_FILE = TypeAdapter(_LogFile)
_IS_SPARE = (
    "kind = 'run' and number not in (select min(number) from standing_entries where kind = 'run' group by question "
    "union select max(number) from standing_entries where kind = 'run' group by question) "
    # The record of a mark is the time of the run that was seen, as the run itself has it.
    "and not instr(record, coalesce((select record from standing_entries as mark where mark.kind = 'seen' "
    "and mark.question = spare.question order by mark.number desc limit 1), char(0)))"
)
"""SQL for the runs of a question between the first and the last, but for the one seen last."""
STANDING = Kind(
    "standing.sqlite3",
    "standing_entries",
    "question text not null, kind text not null, record text not null",
    "standing questions",
    f"delete from standing_entries where number in ({oldest('standing_entries', _IS_SPARE)})",  # noqa: S608
    lambda text: ((each.question, each.kind.value, each.record) for each in parse_as(_FILE, text).entries),
)


_ENTRIES = "select number, question, kind, record from standing_entries where corpus = ? order by number"


class StandingStore:
    """The standing questions of one corpus. Processes and threads may share the owner's file; a change is on disk when
    `change` returns.
    """

    def __init__(self, place: Path | Visit, corpus: CorpusName) -> None:
        """`place` is the owner's folder, created when the first question is stored, or the visit of another."""
        self._id = corpus.ids[0]
        self._database = database_in(place, STANDING)

    def log(self) -> StandingLog:
        """Return all entries. Raises `StoreError` if the database cannot be read or is of another version."""
        return self._log(self._database.rows(_ENTRIES, (self._id,)))

    def change(self, change: Callable[[StandingLog], StandingLog]) -> StandingLog:
        """Change the log and return it, in one transaction; nothing is stored if `change` raises."""
        with self._database.transaction() as database:
            before = self._log(database.execute(_ENTRIES, (self._id,)).fetchall())
            after = change(before)
            numbers = {entry.number for entry in before.entries}
            dropped_numbers = numbers - {entry.number for entry in after.entries}
            database.executemany(
                "delete from standing_entries where number = ?", [(number,) for number in dropped_numbers]
            )
            rows = [
                (self._id, entry.question, entry.kind.value, entry.record)
                for entry in after.entries
                if entry.number not in numbers
            ]
            database.executemany(
                "insert into standing_entries (corpus, question, kind, record) values (?, ?, ?, ?)", rows
            )
            return self._log(database.execute(_ENTRIES, (self._id,)).fetchall())

    def _log(self, rows: Iterable[tuple[int, str, str, str]]) -> StandingLog:
        try:
            return StandingLog(
                tuple(LogEntry(number, question, EntryKind(kind), text) for number, question, kind, text in rows)
            )
        except ValueError as error:
            place, remedy = self._database.place, self._database.remedy
            raise StoreError(f"{place} holds a standing question that cannot be read ({error}): {remedy}") from error


# Writes the changes of a standing question in words.


def describe_changes(changes: StandingChanges) -> str:
    """Say in a few words what has changed: "3 new, 1 moved, 1 now contested"."""
    if changes.is_first:
        return f"{counted(len(changes.now.papers), 'paper')} in its first run"
    counts = (
        *((len(papers), kind) for kind, papers in changes.papers.items()),
        (len(changes.contested), "now contested"),
        (int(changes.levels is not None), "change in the consensus"),
    )
    return ", ".join(f"{n} {words}" for n, words in counts if n) or "nothing new"


def change_lines(question: StandingQuestion, changes: StandingChanges) -> Iterator[str]:
    """Yield the changes between two runs of a standing question as lines of text."""
    yield f"{question.name}: {describe_changes(changes)}"
    yield since_line(changes)
    if changes.is_first:
        for rank, paper in enumerate(changes.now.papers, start=1):
            yield f"  {rank}. {paper_line(paper)}"
    for kind, papers in changes.papers.items():
        yield from (f"{kind}: {paper_line(each.paper)}: {each.words}" for each in papers)
    for contest in changes.contested:
        yield from contest_lines(contest)
    if changes.levels is not None:
        yield f"consensus: {changes.levels.before} before, {changes.levels.now} now"


def since_line(changes: StandingChanges) -> str:
    """Say which runs are compared, and how the agreement was assessed."""
    now, before = changes.now, changes.before
    means = f"Agreement {BASIS_LABELS[now.agreement.basis]}."
    if changes.is_first:
        return f"Run on {now.at:%d %B %Y, %H:%M} UTC, {now.n_papers:,} papers. {means}"
    if before.at == now.at:
        return f"Run on {now.at:%d %B %Y, %H:%M} UTC, {now.n_papers:,} papers, which you have seen. {means}"
    which = "the last one you saw" if changes.is_seen else "the first one, because you have not seen any yet"
    first, second = (f"{run.at:%d %B %Y, %H:%M} UTC, {run.n_papers:,} papers" for run in (now, before))
    return f"Run on {first}; compared with the run of {second}, {which}. {means}"


def contest_lines(contest: Contest) -> Iterator[str]:
    """Yield a contest with both quotations as lines of text."""
    yield f"now contested: {contest.subject.rstrip('.')}: {contest.reason}"
    for side in contest.sides:
        yield f"  {readable(side.title)} ({side.year or 'year unknown'}) {side.paper_id}"
        yield f"    {side.quoted}"


def paper_line(paper: RankedPaper) -> str:
    """Describe a paper in one line."""
    status = f", {paper.status}" if paper.status else ""
    return f"{readable(paper.title)} ({paper.year or 'year unknown'}{status}) {paper.paper_id}"


# Writes the changes between the runs of standing questions as a JSON Feed, version 1.1
# (https://www.jsonfeed.org/version/1.1/).

VERSION = "https://jsonfeed.org/version/1.1"
MEDIA_TYPE = "application/feed+json"
MAX_ITEMS = 200
"""Maximum number of items in a feed; the newest are kept."""


def feed(log: StandingLog, corpus: str) -> JsonObject:
    """Return the feed of all standing questions about the corpus called `corpus`: each change between two runs is an
    item, newest first.

    The id of an item follows from its question and its papers, so that it stays the same in later feeds. A feed does
    not depend on what has been seen, and marks nothing as seen.
    """
    items = {item["id"]: item for question in log.questions() for item in reversed([*_items(question, log)])}
    newest = sorted(items.values(), key=lambda item: (item["date_published"], item["id"]), reverse=True)
    return {
        "version": VERSION,
        "title": f"Standing questions about {corpus}",
        "description": "Papers that are new, moved or gone, and findings that are now contested.",
        "items": newest[:MAX_ITEMS],
    }


def _items(question: StandingQuestion, log: StandingLog) -> Iterator[JsonObject]:
    """Yield the items of a question, oldest first."""
    runs = log.runs(question)
    for n, (before, now) in enumerate(pairwise(runs), start=2):
        changes = changes_between(before, now, runs[:n])
        day = changes.now.at.isoformat(timespec="seconds")
        times = {"new": (), "moved": (day,)}  # a paper may move on several days, but be new only once
        for kind, papers in changes.papers.items():
            for each in papers:
                own = (each.departure.value,) if isinstance(each, GonePaper) else times[kind]
                text = f"{paper_line(each.paper)}\n{each.words.capitalize()}."
                yield _item(question, day, kind, (each.paper.paper_id, *own), text, each.paper)
        for contest in changes.contested:
            yield _item(question, day, "contested", contest.key, "\n".join(contest_lines(contest)))
        if changes.levels is not None:
            text = f"Consensus: {changes.levels.before} before, {changes.levels.now} now."
            yield _item(question, day, "consensus", (day,), text)


def _item(
    question: StandingQuestion,
    day: str,
    kind: str,
    key: tuple[str, ...],
    text: str,
    paper: RankedPaper | None = None,
) -> JsonObject:
    names = ":".join(quote(part, safe="") for part in (question.id, kind, *key))
    title = readable(paper.title) if paper else "now contested" if kind == "contested" else "consensus"
    return {
        "id": f"urn:pathfinder:standing:{names}",
        "title": f"{question.name}: {kind if paper else ''}{': ' if paper else ''}{title}",
        "content_text": text,
        "date_published": day,
        "tags": [kind, question.name],
        **({"external_url": paper.url} if paper and paper.url else {}),
    }
