"""The program that runs one operation as an order says; a `Child` starts it.

It reads the order from the first line of standard input, and writes messages to standard output. It ends when its
standard input is closed, so that it does not outlive the app. A build that was killed is resumed by giving the same
order again.
"""

import json
import os
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import IO, Any

from pydantic import ValidationError

from pathfinder.errors import PathfinderError, UsageError, shortage
from pathfinder.operations import OPERATIONS, tell_of_change
from pathfinder.operations.child.orders import PREVIEW, Message, Order, StageProgress, read_order, write_message
from pathfinder.operations.export.plain_json import JsonObject, as_json
from pathfinder.operations.fields import first_mistake
from pathfinder.settings import read_settings

PREVIEW_BYTES = 6 << 30
"""Limit in bytes on the address space of a preview, which may read a file from a stranger."""
_NO_MEMORY = (
    "the papers do not fit into the memory that this work may use: split the source into parts, or raise the limit "
    "(PATHFINDER_BUILD_MEMORY_GB) if this is your server"
)
SECONDS_BETWEEN_MESSAGES = 0.2
OOM_SCORE = Path("/proc/self/oom_score_adj")
"""File that tells Linux how readily to kill this process when memory runs out."""
NICENESS = 5
"""Niceness of the process, which gives the pages priority over it."""


def main() -> None:
    """Carry out the order on standard input."""
    messages, sys.stdout = sys.stdout, sys.stderr  # libraries may print
    os.nice(NICENESS)
    offer_to_the_killer(OOM_SCORE)
    line = sys.stdin.readline()
    Thread(target=_end_with_the_app, daemon=True).start()
    messages.write(write_message(outcome(line, Messages(messages), before_work=limit_memory)) + "\n")
    messages.flush()


def offer_to_the_killer(path: Path) -> None:
    """Make Linux kill this process rather than the app that started it when memory runs out."""
    with suppress(OSError):  # other systems have no such file
        path.write_text("1000", encoding="ascii")


def limit_memory(work: str) -> None:
    """Limit the address space of this process, for good and for every process that it starts: that of a preview to
    `PREVIEW_BYTES`, and that of any work to what the settings allow.
    """
    gigabytes = read_settings().build_memory_gb
    limits = [] if gigabytes is None else [int(gigabytes * 1e9)]
    limits += [PREVIEW_BYTES] if work == PREVIEW else []
    if limits:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        least = min([*limits, *([] if hard == resource.RLIM_INFINITY else [hard])])
        resource.setrlimit(resource.RLIMIT_AS, (least, least))


def outcome(line: str, messages: "Messages", *, before_work: Callable[[str], None] = lambda _: None) -> Message:
    """Carry out the order in `line`, and return the last message.

    Args:
        line: order as `write_order` writes it.
        messages: where progress is reported.
        before_work: called with the name of the operation before its first file is opened.
    """
    try:
        order = read_order(line)
        before_work(order.work)
        return Message(result=_carry_out(order, messages))
    except PathfinderError as error:
        return Message(error=str(error))
    except (OSError, MemoryError, SystemError, ImportError, RuntimeError) as error:
        if shortage(error) == "memory":
            return Message(error=_NO_MEMORY)
        if not isinstance(error, OSError):
            raise
        place = f"{error.filename}: " if error.filename else ""
        return Message(error=f"{place}{error.strerror or error}: fix this, then resume")


class Messages:
    """Writes the progress of a build as messages, a few each second."""

    def __init__(self, file: IO[str], clock: Callable[[], float] = monotonic) -> None:
        self._file, self._clock = file, clock
        self._stage, self._last = StageProgress(""), 0.0

    def start(self, stage: str, total: int | None) -> None:
        self._stage = StageProgress(stage, 0, total)
        self.send(Message(stage=self._stage))

    def advance(self, n: int) -> None:
        self._stage = replace(self._stage, n_done=self._stage.n_done + n)
        if self._clock() - self._last >= SECONDS_BETWEEN_MESSAGES:
            self.send(Message(stage=self._stage))

    def expect(self, n: int) -> None:
        self._stage = replace(self._stage, total=(self._stage.total or 0) + n)

    def finish(self) -> None:
        self.send(Message(stage=replace(self._stage, is_over=True)))

    def say(self, text: str) -> None:
        self.send(Message(note=text))

    def send(self, message: Message) -> None:
        """Write a message at once."""
        self._last = self._clock()
        self._file.write(write_message(message) + "\n")
        self._file.flush()


def _carry_out(order: Order, messages: Messages) -> JsonObject:
    operation = OPERATIONS.get(order.work)
    try:
        options = operation.options.model_validate_json(json.dumps(order.options))
    except ValidationError as error:
        raise UsageError(first_mistake(error)) from error
    opened: Any = order.folder
    if operation.opens == "corpus":
        from pathfinder.corpus.store import open_corpus

        opened = open_corpus(order.folder)
    outcome = operation.run(opened, messages, options)
    result = operation.brief(outcome, operation.write(outcome), as_json)
    following = None if any(operation.failures(outcome)) else operation.then(options)
    if following is None:
        if operation.changes(options):
            messages.send(Message(result=result))  # it is done, also for whoever presses Stop from here on
            messages.start("telling what listens to changes", None)
            tell_of_change(order.folder)
        return result
    then = _carry_out(Order(following[0], order.folder, dict(following[1])), messages)
    return {**then, **result, "n_conflicts": then["n_conflicts"] + result["n_conflicts"]}


def _end_with_the_app() -> None:
    while sys.stdin.read(1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
