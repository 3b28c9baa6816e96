"""The operations on standing questions, from adding one to bringing it back when it has been removed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import Field

from pathfinder.addons.standing import runs
from pathfinder.addons.standing.changes import GonePaper, MovedPaper, NewlyListed, StandingChanges
from pathfinder.addons.standing.log import (
    StandingLog,
    StandingStore,
    change_lines,
    describe_changes,
    feed,
)
from pathfinder.addons.standing.question import FailedRun, PaperAtRank, StandingQuestion, StandingRun
from pathfinder.cli.open_corpus import open_pathfinder
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.operation import Count, Declarer, Need, Result, Shell, declare, result_of, under
from pathfinder.settings import read_settings
from pathfinder.text.english import counted
from pathfinder.types import SearchRequest
from pathfinder.user_data import data_folder

_STATEMENT = "Statement on which the stances of papers are guessed in each run, without a chat model."
_SINCE = "Compare with the last run up to this day or time (UTC) instead of the last one seen."
_USES_CHAT = "Measure the consensus in each run; every run then calls the chat model."
_MARK = "Mark these changes as seen once they are written; otherwise nothing is marked."
_Name: TypeAlias = Annotated[str, Shell("NAME", "Name of the standing question.")]
_declare: Declarer = partial(declare, settings=(), folder_first=True, opens="folder")


def _store(folder: Path) -> StandingStore:
    return StandingStore(data_folder(read_settings()), corpus_name(folder))


class WatchedQuestion(NamedTuple):
    """A standing question, with what became of its runs."""

    question: StandingQuestion
    runs: tuple[StandingRun, ...]
    seen_run: datetime | None
    """Time of the run that was seen last; `None` if none was."""
    changes: StandingChanges | None
    """Changes that were not seen; `None` before the first run."""
    failed: FailedRun | None
    """The last run, if it failed."""


def _watched(question: StandingQuestion, log: StandingLog) -> WatchedQuestion:
    runs = log.runs(question)
    changes = log.changes(question) if runs else None
    return WatchedQuestion(question, runs, log.seen_at(question), changes, log.failure(question))


_QUESTION: Mapping[str, Any] = {
    "kind": WatchedQuestion,
    "without": "record runs changes failed",
    "flat": "question",
    "question": "question.query",
    "settings": "question.settings",
    "n_runs": (Count, "runs"),
    "last_run": "changes.now.at",
    "n_unseen": "changes.n_changes",
    "failure": "failed.message",
}


def _line(log: StandingLog, outcome: runs.RunOutcome) -> str:
    question = outcome.question
    if isinstance(outcome.run, FailedRun):
        return f"{question.name}: could not be run, and keeps its earlier result: {outcome.run.message}"
    return f"{question.name}: {describe_changes(log.changes(question))}"


def run_again(folder: Path) -> Iterator[str]:
    """Run the standing questions of a corpus that has changed, and yield a line for each, also for one that fails."""
    try:
        store = _store(folder)
        if store.log().questions():
            yield from (_line(store.log(), outcome) for outcome in runs.stream_standing(open_pathfinder(folder)))
    except PathfinderError as error:
        yield f"the questions could not be run, and keep their earlier results: {error}"


@declare(
    "standing add",
    needs=(Need.CHAT_IF_ASKED,),
    searches=False,
    result=lambda: result_of(**_QUESTION, n_papers=(Count, "changes.now.papers")),
    lines=lambda added: [f"{added.question.name}: {counted(len(run.papers), 'paper')}" for run in added.runs[-1:]],
    notes=lambda added: (
        [f"the question is stored, but could not be run: {added.failed.message}"] if added.failed else []
    ),
)
def add(
    pf: Pathfinder,
    found: SearchRequest,
    name: Annotated[str | None, Field(description="Name of the standing question. Default: its text.")] = None,
    statement: Annotated[str, Shell("--statement TEXT", _STATEMENT)] = "",
    uses_chat: Annotated[bool, Shell("--consensus", _USES_CHAT)] = False,
) -> WatchedQuestion:
    """Watch a question with all its search settings, and run it once."""
    question = runs.watch(pf, found, name, statement=statement, uses_chat=uses_chat)
    return _watched(question, runs.store_of(pf).log())


def _list_lines(listed: Sequence[WatchedQuestion]) -> Iterator[str]:
    for each in listed:
        news = describe_changes(each.changes) if each.changes else "not run yet"
        yield f"{each.question.name}: {news}{f'; last run failed: {each.failed.message}' if each.failed else ''}"
    if not listed:
        yield "there are no standing questions yet: `pathfinder standing add QUESTION --corpus DIR` adds one"


@_declare(
    "standing list",
    result=lambda: under("questions", [result_of(**_QUESTION)]),
    lines=_list_lines,
)
def list_questions(folder: Path) -> Sequence[WatchedQuestion]:
    """List the standing questions of a corpus, with the number of changes not yet seen."""
    log = _store(folder).log()
    return [_watched(question, log) for question in log.questions()]


class ShownChanges(NamedTuple):
    """A standing question with its changes, and where they are marked as seen once they are written, if at all."""

    question: StandingQuestion
    changes: StandingChanges
    notes: Sequence[str] = ()
    marked_in: StandingStore | None = None


_RUN: Mapping[str, Any] = {"basis": "agreement.basis", "level": "agreement.level"}
_NOT_IN_RUN = "ids_digest papers agreement absent marked extends notes"
_PAPER: Mapping[str, Any] = {
    "paper": Result,
    "id": "paper.paper_id",
    "title": "paper.title",
    "year": "paper.year",
}
_SCORED = {**_PAPER, "score": "paper.score"}


def _changes() -> Any:
    return result_of(
        ShownChanges,
        "notes marked_in",
        flat="changes",
        name="question.name",
        question="question.query",
        before=result_of(StandingRun, _NOT_IN_RUN, **_RUN),
        now=result_of(StandingRun, _NOT_IN_RUN, **_RUN, papers=([result_of(PaperAtRank, **_SCORED)], "ranked")),
        new=[result_of(NewlyListed, **_SCORED)],
        moved=[result_of(MovedPaper, **_SCORED)],
        gone=[result_of(GonePaper, **_PAPER)],
        levels="changes.levels",
        notes="changes.notes",
    )


class RanQuestions(NamedTuple):
    """Standing questions that were run."""

    runs: list[ShownChanges]
    failed: list[str]
    """A line for each that could not be run."""
    lines: list[str]
    """A line for each."""


@_declare(
    "standing run",
    needs=(Need.CHAT_IF_ASKED,),
    opens="session",
    result=lambda: result_of(RanQuestions, "lines", runs=[_changes()]),
    lines=lambda ran: ran.lines,
    failures=lambda ran: ran.failed,
)
def run(
    pf: Pathfinder,
    names: Annotated[list[str] | None, Shell("NAME...", "Names of the questions. Default: all.")] = None,
) -> RanQuestions:
    """Run standing questions now. Nothing is marked as seen."""
    store = runs.store_of(pf)
    names = names or [question.name for question in store.log().questions()]
    outcomes = runs.run_standing(pf, *names) if names else ()
    log, has_failed = store.log(), [isinstance(each.run, FailedRun) for each in outcomes]
    good = [each.question for each, failed in zip(outcomes, has_failed, strict=True) if not failed]
    lines = [_line(log, each) for each in outcomes]
    changes = [ShownChanges(question, log.changes(question)) for question in good]
    return RanQuestions(changes, [*compress(lines, has_failed)], lines)


def _mark(shown: ShownChanges) -> None:
    if shown.marked_in is not None:
        shown.marked_in.change(lambda log: log.mark_seen(shown.question, shown.changes.now.at))


@_declare(
    "standing show",
    result=_changes,
    lines=lambda shown: change_lines(*shown[:2]),
    once_written=_mark,
)
def show(
    folder: Path,
    name: _Name,
    since: Annotated[str | None, Shell("--since TIME", _SINCE)] = None,
    mark_seen: Annotated[bool, Field(description=_MARK)] = False,
) -> ShownChanges:
    """Show how the last run of a standing question differs from the last one seen."""
    if since is not None and mark_seen:
        raise UsageError("--since may hide changes that --mark-seen would mark as seen: leave out one of the two")
    store = _store(folder)
    log = store.log()
    question = log.question(name)
    changes, notes = log.changes(question, _run_at(log.runs(question), since)), []
    if (failure := log.failure(question)) is not None:
        notes = [f"the run of {failure.at:%d %B %Y} failed, so the run before it is shown: {failure.message}"]
    return ShownChanges(question, changes, (*changes.notes, *notes), store if mark_seen else None)


def _run_at(own_runs: Sequence[StandingRun], since: str | None) -> datetime | None:
    """Return the time of the last run up to `since` (or up to the end of that day, if it has no time); `None` without
    `since`, or if there are no runs yet. Raises `UsageError` if all runs are later, or for a text that is no time.
    """
    if since is None:
        return None
    try:
        until = datetime.fromisoformat(since).replace(tzinfo=UTC)
    except ValueError as error:
        raise UsageError(f"{since!r} is no time: write a day such as 2026-01-31, or 2026-01-31T15:30") from error
    until += timedelta(days=until.time() == time())
    earlier = [run.at for run in own_runs if run.at <= until]
    if own_runs and not earlier:
        raise UsageError(f"there is no run up to {since}: the first is from {own_runs[0].at.isoformat()}")
    return earlier[-1] if earlier else None


@_declare(
    "standing feed",
    lines=lambda record: (json.dumps(record, allow_nan=False, indent=1) + "\n",),
    is_text=True,
    forms={"json": lambda record: json.dumps(record, indent=1, ensure_ascii=False) + "\n"},
)
def write_feed(folder: Path) -> JsonObject:
    """Write the changes between the runs of all standing questions as a JSON Feed. Nothing is marked as seen."""
    return feed(_store(folder).log(), corpus_name(folder).name)


_declare_name: Declarer = partial(_declare, result=lambda: under("name", str))
"""Declares an operation that returns the name of a standing question."""


@_declare_name("standing rename", lines=lambda name: (f"the question is now called {name}",))
def rename(folder: Path, name: _Name, new: Annotated[str, Shell("NEW", "New name of the question.")]) -> str:
    """Rename a standing question; it keeps its runs and its feed."""
    _store(folder).change(lambda log: log.rename(name, new))
    return new


@_declare_name("standing remove", lines=lambda name: (f"{name}: removed; `pathfinder standing undo` brings it back",))
def remove(folder: Path, name: _Name) -> str:
    """Remove a standing question with its runs; `undo` brings it back until another is removed."""
    _store(folder).change(lambda log: log.remove(name))
    return name


@_declare_name("standing undo", lines=lambda name: (f"{name} is back",))
def undo(folder: Path) -> str:
    """Bring back the standing question that was removed last, with its runs."""
    store = _store(folder)
    question = store.log().last_removed()
    store.change(lambda log: log.bring_back())
    return question.name if question else ""
