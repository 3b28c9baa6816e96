"""The log of calls: one JSON object per line, for programs that collect logs."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TextIO

from pathfinder.serving.watching import QUESTION, FinishedCall, Watcher
from pathfinder.settings import Settings


def log_of(settings: Settings, stream: TextIO) -> tuple[Watcher, ...]:
    """Return the watcher that writes the log requested in the settings to `stream`; none if they request no log."""
    if settings.log == "off":
        return ()
    return (json_log(stream, lambda: datetime.now(UTC), with_questions=settings.keep_questions),)


def json_log(stream: TextIO, now: Callable[[], datetime], *, with_questions: bool) -> Watcher:
    """Return a watcher that writes a line for each call: its time, name, status and duration in seconds, and its
    question if requested. Neither keys nor callers' addresses are written.
    """

    def write(finished_call: FinishedCall) -> None:
        record: dict[str, str | int | float] = {
            "time": now().isoformat(timespec="seconds"),
            "call": finished_call.call,
            "status": finished_call.status,
            "seconds": round(finished_call.seconds, 3),
        }
        if with_questions and finished_call.question is not None:
            record[QUESTION] = finished_call.question
        stream.write(json.dumps(record, ensure_ascii=False) + "\n")
        stream.flush()

    return write
