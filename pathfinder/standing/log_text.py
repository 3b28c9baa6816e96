"""The log of standing questions as a single text, which a visitor's browser stores."""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from pathfinder.errors import StoreError, UsageError
from pathfinder.standing.log import EntryKind, LogEntry, StandingLog
from pathfinder.text.strict_json import parse_as

MAX_CHARACTERS = 900_000
"""Maximum length of the text: browsers store about 5 million characters for a site, and shelves may take 4 million."""
_FORMAT = "pathfinder standing 1"
_REMEDY = "delete this site's data in your browser, or open the page in another browser"


@dataclass(frozen=True, slots=True)
class LogFile:
    """Contents of the text."""

    format: str
    entries: tuple[LogEntry, ...]


_ADAPTER = TypeAdapter(LogFile)


def log_text(log: StandingLog) -> str:
    """Return the log as a text that `parse_log` reads. If there is no room for all runs, only the first run of each
    question, the last one seen and the last are kept. Raises `UsageError` if not even these fit.
    """
    text = _text(log)
    if len(text) > MAX_CHARACTERS:
        text = _text(log.without_middle_runs())
    if len(text) <= MAX_CHARACTERS:
        return text
    raise UsageError(
        f"your standing questions take up {len(text):,} characters, but a browser stores only {MAX_CHARACTERS:,}: "
        "remove one"
    )


def _text(log: StandingLog) -> str:
    return _ADAPTER.dump_json(LogFile(_FORMAT, log.entries)).decode()


def parse_log(text: str) -> StandingLog:
    """Parse a text that `log_text` has written. Raises `UsageError` for anything else."""
    try:
        file = parse_as(_ADAPTER, text[: MAX_CHARACTERS + 1])
        log = StandingLog(file.entries)
        questions = {entry.question for entry in log.entries if entry.kind is EntryKind.QUESTION}
        is_whole = file.format == _FORMAT and {entry.question for entry in log.entries} == questions
        if is_whole:
            log.check_questions()
    except (ValueError, StoreError, RecursionError) as error:
        raise UsageError(f"the standing questions in this browser cannot be read ({error}): {_REMEDY}") from error
    if not is_whole:
        raise UsageError(f"the standing questions in this browser are not in the format {_FORMAT!r}: {_REMEDY}")
    return log


def unite(log: StandingLog, later: StandingLog) -> StandingLog:
    """Return `log` with any entries that are only in `later`, a log that was written without knowledge of `log`."""
    keys = {(entry.question, entry.kind, entry.record) for entry in log.entries}
    new = [entry for entry in later.entries if (entry.question, entry.kind, entry.record) not in keys]
    first = max((entry.number for entry in log.entries), default=0) + 1
    return StandingLog((*log.entries, *(replace(entry, number=first + place) for place, entry in enumerate(new))))
