"""The program that carries out one order; `runner` starts it.

It reads the order from the first line of standard input, and writes messages to standard output. It ends when its
standard input is closed, so that it does not outlive the app. A build that was killed is resumed by giving the same
order again.
"""

import os
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import IO

from pathfinder.building.child.orders import Message, Order, OrderKind, StageProgress, read_order, write_message
from pathfinder.errors import PathfinderError, shortage
from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.models.ports import Embedder

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


def limit_memory(work: OrderKind) -> None:
    """Limit the address space of this process, for good and for every process that it starts: that of a preview to
    `PREVIEW_BYTES`, and that of any work to what the settings allow.
    """
    from pathfinder.settings import read_settings

    gigabytes = read_settings().build_memory_gb
    limits = [] if gigabytes is None else [int(gigabytes * 1e9)]
    limits += [PREVIEW_BYTES] if work is OrderKind.PREVIEW else []
    if limits:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        least = min([*limits, *([] if hard == resource.RLIM_INFINITY else [hard])])
        resource.setrlimit(resource.RLIMIT_AS, (least, least))


def outcome(line: str, messages: "Messages", *, before_work: Callable[[OrderKind], None] = lambda _: None) -> Message:
    """Carry out the order in `line`, and return the last message.

    Args:
        line: order as `write_order` writes it.
        messages: where progress is reported.
        before_work: called with the kind of work before its first file is opened.
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
        """See `building.Progress`."""
        self._stage = StageProgress(stage, 0, total)
        self._write(Message(stage=self._stage))

    def advance(self, n: int) -> None:
        """See `building.Progress`."""
        self._stage = replace(self._stage, n_done=self._stage.n_done + n)
        if self._clock() - self._last >= SECONDS_BETWEEN_MESSAGES:
            self._write(Message(stage=self._stage))

    def expect(self, n: int) -> None:
        """See `building.Progress`."""
        self._stage = replace(self._stage, total=(self._stage.total or 0) + n)

    def finish(self) -> None:
        """See `building.Progress`."""
        self._write(Message(stage=replace(self._stage, is_over=True)))

    def say(self, text: str) -> None:
        """See `building.Progress`."""
        self._write(Message(note=text))

    def _write(self, message: Message) -> None:
        self._last = self._clock()
        self._file.write(write_message(message) + "\n")
        self._file.flush()


def _build(order: Order, embedder: Embedder, messages: Messages) -> object:
    from pathfinder.building import build

    report = build(
        order.sources,
        order.folder,
        embedder,
        thesaurus=order.thesaurus,
        profile=order.profile,
        tokens=order.tokens,
        progress=messages,
        opens_early=True,
        window=order.window,
        vectors=order.vectors,
    )
    if not order.steps:
        return report
    filled = _fill(order, embedder, messages)
    return {**as_json(report), **filled, "n_conflicts": report.n_conflicts + filled["n_conflicts"]}


def _update(order: Order, embedder: Embedder, messages: Messages) -> object:
    from pathfinder.building.update import update
    from pathfinder.settings import read_settings
    from pathfinder.sources.retraction_watch import fetch_retractions

    retraction_list = fetch_retractions(read_settings(), messages.say) if order.reads_retractions else None
    return update(order.folder, embedder, new_map=order.new_map, retractions=retraction_list, progress=messages)


def _rollback(order: Order, _embedder: Embedder, _messages: Messages) -> object:
    from pathfinder.building import rollback

    return rollback(order.folder)


def _remove(order: Order, embedder: Embedder, messages: Messages) -> object:
    from pathfinder.building import remove

    return remove(order.folder, order.paper_ids, embedder, purge=order.purges, progress=messages)


def _undo(order: Order, embedder: Embedder, messages: Messages) -> object:
    from pathfinder.building import undo_merge

    return undo_merge(order.folder, order.paper_ids[0], embedder, progress=messages)


def _re_embed(order: Order, embedder: Embedder, messages: Messages) -> object:
    from pathfinder.building import re_embed

    return re_embed(order.folder, embedder, progress=messages)


def _complete(order: Order, embedder: Embedder, messages: Messages) -> JsonObject:
    from pathfinder.building.filling import guests_of
    from pathfinder.building.paper_files import take_in_files
    from pathfinder.building.zotero_library import SOURCE, take_in_zotero
    from pathfinder.corpus.manifest import is_corpus
    from pathfinder.fulltext.adding import files_in
    from pathfinder.settings import read_settings

    guests = guests_of(read_settings(), messages)
    library = take_in_zotero(order.folder, embedder, guests, messages) if SOURCE in order.sources else None
    files = list(library.files) if library is not None else []
    if paths := [Path(source) for source in order.sources if source != SOURCE]:
        files += take_in_files(order.folder, embedder, guests, files_in(paths), messages)
    shelves, refused = (library.shelves, library.refused) if library is not None else ({}, {})
    of_files = {"files": as_json(files), "shelves": dict(shelves), "refused": dict(refused)}
    return {**_fill(order, embedder, messages), **of_files} if is_corpus(order.folder) else of_files


def _fill(order: Order, embedder: Embedder, messages: Messages) -> JsonObject:
    from pathfinder.building.filling import fill, guests_of
    from pathfinder.settings import read_settings

    report = fill(order.folder, embedder, guests_of(read_settings(), messages), steps=order.steps, progress=messages)
    counts = {"n_filled": sum(report.filled.values()), "n_missing": len(report.missing)}
    rest = {"not_asked": report.not_asked, "seconds": report.seconds}
    return {**counts, "n_conflicts": len(report.conflicts), **rest}


def _add_full_texts(order: Order, messages: Messages) -> JsonObject:
    from pathfinder.building import embedder_for
    from pathfinder.building.full_texts import index_full_texts
    from pathfinder.building.progress import report_each
    from pathfinder.fulltext.adding import add_files, outcomes_record
    from pathfinder.settings import read_settings

    files = tuple(map(Path, order.sources))
    messages.start("full texts", len(files))
    names = dict(zip(files, order.names, strict=True)) if order.names else {}
    paper_id = order.paper_ids[0] if order.paper_ids else None
    outcomes = tuple(report_each(add_files(order.folder, files, paper_id=paper_id, names=names), messages))
    messages.finish()
    index_full_texts(order.folder, embedder_for(None, order.folder, read_settings(), needs_key=True), messages)
    return outcomes_record(outcomes)


_CHANGES = {
    OrderKind.BUILD: _build,
    OrderKind.UPDATE: _update,
    OrderKind.ROLLBACK: _rollback,
    OrderKind.REMOVE: _remove,
    OrderKind.UNDO: _undo,
    OrderKind.RE_EMBED: _re_embed,
    OrderKind.COMPLETE: _complete,
}
"""Functions that change a corpus, by the kind of order; each returns its report."""


def _carry_out(order: Order, messages: Messages) -> JsonObject:
    from pathfinder.building import embedder_for
    from pathfinder.settings import LOCAL_EMBEDDER, read_settings

    if order.work is OrderKind.PREVIEW:
        import datetime

        from pathfinder.export.sources import preview_record
        from pathfinder.settings import read_settings
        from pathfinder.sources import Access
        from pathfinder.sources.preview import preview_sources

        access = Access(read_settings(), datetime.datetime.now(datetime.UTC).date())
        return preview_record(preview_sources(order.sources, order.window, access))
    if order.work is OrderKind.FULL_TEXTS:
        return _add_full_texts(order, messages)
    embeds = order.work is OrderKind.BUILD and bool(order.sources) and order.vectors is None
    name = LOCAL_EMBEDDER if order.work is OrderKind.RE_EMBED else order.embedder
    embedder = embedder_for(name, order.folder, read_settings(), needs_key=embeds)
    report: JsonObject = as_json(_CHANGES[order.work](order, embedder, messages))
    return report


def _end_with_the_app() -> None:
    while sys.stdin.read(1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
