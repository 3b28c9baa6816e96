"""Finds the files and folders that a manifest lists, whatever folder a command is run from."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pathfinder.corpus.manifest import SourceEntry
from pathfinder.errors import CorpusError
from pathfinder.sources import SOURCES, OpenSource, SourceSpec, parse_source
from pathfinder.sources.spec import FILE


def path_from_corpus(source: OpenSource, corpus: Path) -> str | None:
    """Return the path of a file or a folder relative to the folder of the corpus; `None` for any other source, and for
    an absolute path, which is the same from any folder.
    """
    if source.path is None or Path(source.spec.rest).is_absolute():
        return None
    return os.path.relpath(source.path, corpus.resolve())


def path_of(entry: SourceEntry, corpus: Path) -> Path | None:
    """Return where the file or folder of `entry` is, or was; `None` for any other source.

    A relative path starts at the folder of the corpus or, if an earlier version of Pathfinder wrote the manifest, at
    the current folder.
    """
    spec = parse_source(entry.source, SOURCES)
    if spec.scheme != FILE:
        return None
    if entry.from_corpus is None:
        return Path(spec.rest)
    return Path(os.path.normpath(corpus.resolve() / entry.from_corpus))


def existing_path_of(entry: SourceEntry, corpus: Path) -> Path | None:
    """Return the path of the file or folder of `entry`, as `path_of` does. Raises `CorpusError` if it is gone."""
    path = path_of(entry, corpus)
    if path is not None and not path.exists():
        raise CorpusError(
            f"{path} does not exist, but the corpus was built from it as {entry.source!r}: put it back or, if it now "
            f"has another name or location, run `pathfinder sources {corpus} --move {entry.source} NEW` "
            f"(`--drop {entry.source}` ends its updates; its papers stay)"
        )
    return path


def with_listed_names(
    sources: Sequence[OpenSource], entries: Sequence[SourceEntry], corpus: Path
) -> tuple[tuple[OpenSource, ...], tuple[SourceEntry, ...]]:
    """Return sources under the names that they have in the manifest, and the entries of the manifest.

    A file whose path was written differently last time keeps its first name, and another file that happens to have that
    name gets its absolute path. The entry of a file that is gone passes to another file with the same name.
    """
    renamed_sources: list[OpenSource] = []
    for source in sources:
        path = Path(source.spec.rest)
        if source.spec.scheme != FILE:
            renamed_sources.append(source)
            continue
        same = next((entry for entry in entries if _is_at(path_of(entry, corpus), path)), None)
        missing = [entry for entry in entries if _is_gone(path_of(entry, corpus), path.name)]
        if same is None and len(missing) == 1:
            same = replace(missing[0], source=str(path), from_corpus=None)
            entries = tuple(same if entry is missing[0] else entry for entry in entries)
        is_taken = same is None and any(entry.source == str(source.spec) for entry in entries)
        name = same.source if same else str(_plain(path)) if is_taken else str(source.spec)
        first_name = same.first_name if same else None
        spec = SourceSpec(FILE, name)
        renamed_sources.append(replace(source, spec=spec, path=_plain(path), first_name=first_name))
    names = {str(source.spec) for source in renamed_sources}
    is_beside = any(entry.source not in names and path_of(entry, corpus) is not None for entry in entries)
    return tuple(replace(source, beside_unread=is_beside) for source in renamed_sources), tuple(entries)


def _is_at(listed_path: Path | None, path: Path) -> bool:
    return listed_path is not None and _plain(listed_path) == _plain(path)


def _is_gone(listed_path: Path | None, name: str) -> bool:
    return listed_path is not None and listed_path.name == name and not listed_path.exists()


def _plain(path: Path) -> Path:
    """Return an absolute path in which links to folders are resolved; a link to the file itself is kept, because it may
    lead to the newest version.
    """
    return path.absolute().parent.resolve() / path.name
