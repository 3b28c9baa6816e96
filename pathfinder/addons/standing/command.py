"""The commands for standing questions: pathfinder standing add | list | run | show | feed | rename | remove | undo."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pathfinder.cli.extension_help import ExtensionHelp
from pathfinder.cli.options import JsonFlag, SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.settings import read_settings
from pathfinder.text.files import write_file
from pathfinder.types import SearchRequest

if TYPE_CHECKING:
    from pathfinder.addons.standing.log import StandingStore
    from pathfinder.addons.standing.question import StandingRun
    from pathfinder.addons.standing.runs import RunOutcome

standing = typer.Typer(
    rich_markup_mode=None,
    help="Watch questions: run them whenever their corpus changes, and list what is new, moved, gone or now contested.",
)

_Folder: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")]
_Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="Name of the standing question.")]
_STATEMENT = "Statement on which the stances of papers are guessed in each run, without a chat model."
_SINCE = "Compare with the last run up to this day or time (UTC) instead of the last one seen."
_TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M"]
_USES_CHAT = "Measure the consensus in each run; every run then calls the chat model."
_MARK = "Mark these changes as seen once they are written; otherwise nothing is marked."

OPTIONS = {
    "name": (
        Annotated[str | None, typer.Option("--name", help="Name of the standing question. Default: its text.")],
        None,
    ),
    "statement": (Annotated[str, typer.Option("--statement", metavar="TEXT", help=_STATEMENT)], ""),
    "uses_chat": (Annotated[bool, typer.Option("--consensus", help=_USES_CHAT)], False),
}


def _add(
    request: SearchRequest, folder: Path | None, as_json: bool, name: str | None, statement: str, uses_chat: bool
) -> None:
    """Watch a question with all its search settings, and run it once."""
    from pathfinder.addons.standing.records import describe_count, question_record
    from pathfinder.addons.standing.runs import store_of, watch

    pf = open_pathfinder(folder)
    question = watch(pf, request, name, statement=statement, uses_chat=uses_chat)
    log = store_of(pf).log()
    if as_json:
        write_json(question_record(question, log))
    elif runs := log.runs(question):
        write_lines((f"{question.name}: {describe_count(len(runs[-1].papers), 'paper')}",))
    if (failure := log.failure(question)) is not None:
        write_notes((f"the question is stored, but could not be run: {failure.message}",), "failed")


standing.command("add", cls=ExtensionHelp)(SearchCommand(_add, OPTIONS))


@standing.command("list")
def list_(folder: _Folder, as_json: JsonFlag = False) -> None:
    """List the standing questions of a corpus, with the number of changes not yet seen."""
    from pathfinder.addons.standing.records import describe_changes, question_record

    log = _store(folder).log()
    if as_json:
        write_json({"questions": [question_record(question, log) for question in log.questions()]})
        return
    for question in log.questions():
        failure = log.failure(question)
        news = describe_changes(log.changes(question)) if log.runs(question) else "not run yet"
        write_lines((f"{question.name}: {news}{f'; last run failed: {failure.message}' if failure else ''}",))
    if not log.questions():
        write_lines(("there are no standing questions yet: `pathfinder standing add QUESTION --corpus DIR` adds one",))


@standing.command()
def run(
    folder: _Folder,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Names of the questions. Default: all.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Run standing questions now. Nothing is marked as seen."""
    from pathfinder.addons.standing.records import changes_record
    from pathfinder.addons.standing.runs import run_standing, standing_changes

    pf, store = open_pathfinder(folder), _store(folder)
    names = names or [question.name for question in store.log().questions()]
    outcomes = run_standing(pf, *names) if names else ()
    failures = [_line(store, outcome) for outcome in outcomes if outcome.failure]
    if as_json:
        succeeded = (each.question for each in outcomes if not each.failure)
        runs = [changes_record(question, standing_changes(pf, question.name)) for question in succeeded]
        write_json({"runs": runs, "failed": failures})
    else:
        write_lines(_line(store, outcome) for outcome in outcomes)
    if failures:
        raise typer.Exit(1)


@standing.command()
def show(
    folder: _Folder,
    name: _Name,
    since: Annotated[datetime | None, typer.Option("--since", formats=_TIMES, metavar="TIME", help=_SINCE)] = None,
    mark_seen: Annotated[bool, typer.Option("--mark-seen", help=_MARK)] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show how the last run of a standing question differs from the last one seen."""
    from pathfinder.addons.standing.records import change_lines, changes_record

    if since is not None and mark_seen:
        raise UsageError("--since may hide changes that --mark-seen would mark as seen: leave out one of the two")
    store = _store(folder)
    log = store.log()
    question = log.question(name)
    changes = log.changes(question, _run_at(log.runs(question), since))
    write_notes(changes.notes)
    if (failure := log.failure(question)) is not None:
        write_notes((f"the run of {failure.at:%d %B %Y} failed, so the run before it is shown: {failure.message}",))
    if as_json:
        write_json(changes_record(question, changes))
    else:
        write_lines(change_lines(question, changes))
    if mark_seen:  # after everything has been written: a closed pipe raises an error before this
        store.change(lambda standing_log: standing_log.mark_seen(question, changes.now.at))


def _run_at(runs: "Sequence[StandingRun]", since: datetime | None) -> datetime | None:
    """Return the time of the last run up to `since` (or up to the end of that day, if `since` is midnight); `None`
    without `since`, or if there are no runs yet. Raises `UsageError` if all runs are later.
    """
    if since is None or not runs:
        return None
    until = since + timedelta(days=1) if since.time() == time() else since
    earlier = [run.at for run in runs if run.at <= until.replace(tzinfo=UTC)]
    if not earlier:
        raise UsageError(f"there is no run up to {since.isoformat()}: the first is from {runs[0].at.isoformat()}")
    return earlier[-1]


@standing.command()
def feed(
    folder: _Folder, out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="File to write.")] = None
) -> None:
    """Write the changes between the runs of all standing questions as a JSON Feed. Nothing is marked as seen."""
    from pathfinder.addons.standing.records import feed as feed_of
    from pathfinder.corpus.manifest import corpus_name

    record = feed_of(_store(folder).log(), corpus_name(folder).name)
    if out is None:
        write_json(record)
    else:
        write_file(out, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
        write_lines((f"{out}: {len(record['items'])} items",))


@standing.command()
def rename(
    folder: _Folder, name: _Name, new: Annotated[str, typer.Argument(metavar="NEW", help="New name of the question.")],
    as_json: JsonFlag = False,
) -> None:  # fmt: skip
    """Rename a standing question; it keeps its runs and its feed."""
    _store(folder).change(lambda log: log.rename(name, new))
    _tell(new, f"{name} is now {new}", as_json)


@standing.command()
def remove(folder: _Folder, name: _Name, as_json: JsonFlag = False) -> None:
    """Remove a standing question with its runs; `undo` brings it back until another is removed."""
    _store(folder).change(lambda log: log.remove(name))
    _tell(name, f"{name} has been removed: `pathfinder standing undo {folder}` brings it back", as_json)


@standing.command()
def undo(folder: _Folder, as_json: JsonFlag = False) -> None:
    """Bring back the standing question that was removed last, with its runs."""
    store = _store(folder)
    question = store.log().last_removed()
    store.change(lambda log: log.bring_back())
    name = question.name if question else ""
    _tell(name, f"{name} is back", as_json)


def _tell(name: str, line: str, as_json: bool) -> None:
    write_json({"name": name}) if as_json else write_lines((line,))


def run_again(folder: Path) -> Iterator[str]:
    """Run the standing questions of a corpus that has changed, and yield a line for each, also for one that fails."""
    from pathfinder.addons.standing.runs import stream_standing

    try:
        store = _store(folder)
        if store.log().questions():
            yield from (_line(store, outcome) for outcome in stream_standing(open_pathfinder(folder)))
    except PathfinderError as error:
        yield f"the questions could not be run, and keep their earlier results: {error}"


def _line(store: "StandingStore", outcome: "RunOutcome") -> str:
    from pathfinder.addons.standing.records import describe_changes

    question = outcome.question
    if outcome.failure:
        return f"{question.name}: could not be run, and keeps its earlier result: {outcome.failure.message}"
    return f"{question.name}: {describe_changes(store.log().changes(question))}"


def _store(folder: Path) -> "StandingStore":
    """Return the store of the standing questions of the corpus in `folder`."""
    from pathfinder.addons.standing.log import StandingStore
    from pathfinder.corpus.manifest import corpus_name
    from pathfinder.user_data import data_folder

    return StandingStore(data_folder(read_settings()), corpus_name(folder))
