"""Changes the list of sources that updates of a corpus read, without reading any."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pathfinder.building.source_paths import path_of
from pathfinder.corpus.lock import lock_corpus
from pathfinder.corpus.manifest import Manifest, SourceEntry, read_manifest, write_manifest
from pathfinder.errors import UsageError
from pathfinder.sources import SOURCES, parse_source
from pathfinder.sources.spec import FILE


def drop_sources(folder: Path, sources: Sequence[str]) -> Manifest:
    """Return the manifest of the corpus in `folder` after excluding these sources from updates.

    The papers stay, and so does the entry of each source, with its licence and whether it may be shared. A build from a
    dropped source adds it to the updates again. Raises `UsageError` for a source that the corpus does not list or that
    has already been dropped.
    """

    def change(entries: tuple[SourceEntry, ...]) -> tuple[SourceEntry, ...]:
        for source in sources:
            entry = _entry_of(entries, source, folder)
            if entry.dropped:
                raise UsageError(f"updates of {folder} already leave out {entry.source!r}: nothing was changed")
            entries = _replace(entries, entry, replace(entry, dropped=True))
        return entries

    return _change(folder, change)


def move_source(folder: Path, old: str, new: Path) -> Manifest:
    """Return the manifest of the corpus in `folder` after moving the entry of the file or folder `old` to `new`, its
    new name or location, from which later updates read.

    Raises `UsageError` if `old` is not a listed file or folder, or if `new` does not exist, is already listed, or is
    not of the same kind.
    """

    def change(entries: tuple[SourceEntry, ...]) -> tuple[SourceEntry, ...]:
        entry = _entry_of(entries, old, folder)
        if path_of(entry, folder) is None:
            raise UsageError(f"{old!r} is not a file or folder, so it cannot be moved: drop it, and build from another")
        _check_new(entries, entry, new, folder)
        from_corpus = None if new.is_absolute() else os.path.relpath(new.resolve(), folder.resolve())
        first_name = entry.first_name or Path(entry.source).name
        new_entry = replace(entry, source=str(new), from_corpus=from_corpus, first_name=first_name)
        return _replace(entries, entry, new_entry)

    return _change(folder, change)


def _change(folder: Path, change: Callable[[tuple[SourceEntry, ...]], tuple[SourceEntry, ...]]) -> Manifest:
    read_manifest(folder)  # so that no lock is left behind where there is no corpus
    with lock_corpus(folder):
        before, _ = read_manifest(folder)
        manifest = replace(before, sources=change(before.sources))
        write_manifest(folder, manifest)
    return manifest


def _entry_of(entries: Sequence[SourceEntry], source: str, folder: Path) -> SourceEntry:
    """Return the entry that names a source in the same words or, for a file, has the same path."""
    for entry in entries:
        if entry.source == source:
            return entry
    if parse_source(source, SOURCES).scheme == FILE:
        for entry in entries:
            if _is_same(path_of(entry, folder), Path(source)):
                return entry
    names = ", ".join(repr(entry.source) for entry in entries) or "none"
    raise UsageError(f"{folder} does not list the source {source!r}: name one of its sources ({names})")


def _check_new(entries: Sequence[SourceEntry], entry: SourceEntry, new: Path, folder: Path) -> None:
    if not new.exists():
        raise UsageError(f"{new} does not exist: name the file or folder that {entry.source!r} has become")
    old = path_of(entry, folder)
    if old is not None and old.exists() and old.is_dir() != new.is_dir():
        raise UsageError(
            f"{old} and {new} must both be files or both be folders: drop the first, and build from the second"
        )
    if any(each is not entry and (each.source == str(new) or _is_same(path_of(each, folder), new)) for each in entries):
        raise UsageError(f"{folder} lists {new} as a source of its own: drop {entry.source!r} instead")


def _replace(entries: Sequence[SourceEntry], before: SourceEntry, after: SourceEntry) -> tuple[SourceEntry, ...]:
    return tuple(after if entry is before else entry for entry in entries)


def _is_same(listed_path: Path | None, path: Path) -> bool:
    return listed_path is not None and listed_path.resolve() == path.resolve()
