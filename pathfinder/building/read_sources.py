"""The sources of a build: the settings with which they are read, and their entries in the manifest."""

import datetime
from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path

from pathfinder.building.directory import fetched_folder
from pathfinder.building.progress import Progress
from pathfinder.building.source_paths import path_from_corpus
from pathfinder.corpus.manifest import Manifest, SourceEntry, is_corpus, read_manifest
from pathfinder.settings import Settings, read_settings
from pathfinder.sources import Access, OpenSource


def access_for(out: Path, settings: Settings | None, progress: Progress) -> Access:
    """Return everything that is needed to read the sources of a build into `out` today: settings, folder and
    progress.
    """
    today = datetime.datetime.now(datetime.UTC).date()
    return Access(settings or read_settings(), today, fetched_folder(out), expect=progress.expect, say=progress.say)


def states_of_sources(out: Path) -> dict[str, str]:
    """Return the state in which each source was left by its last reading, if there is a corpus in `out`."""
    entries = read_manifest(out)[0].sources if is_corpus(out) else ()
    return {entry.source: entry.state for entry in entries if entry.state is not None}


def with_sources(
    manifest: Manifest, sources: Sequence[OpenSource], access: Access, out: Path, private: Container[str] = ()
) -> Manifest:
    """Return `manifest`, which belongs to the corpus in `out`, with the sources of this build added after those of
    earlier builds; a source that is read again keeps its place. `private` holds the names of sources with records that
    may not be shared; a source that once had such records stays marked, because the corpus keeps the papers.
    """
    entries = {entry.source: entry for entry in manifest.sources}
    for source in sources:
        previous_entry = entries.get(str(source.spec))
        entries[str(source.spec)] = SourceEntry(
            str(source.spec),
            source.window.since,
            source.window.until,
            source.window.max_papers,
            retrieved=access.today,
            state=source.memory.next or (previous_entry.state if previous_entry else None),
            licence=source.kind.licence,
            may_be_shared=source.kind.may_be_shared
            and str(source.spec) not in private
            and (previous_entry is None or previous_entry.may_be_shared),
            vectors=source.vectors or (previous_entry.vectors if previous_entry else None),
            from_corpus=path_from_corpus(source, out),
            first_name=source.first_name,
        )
    return replace(manifest, sources=tuple(entries.values()))
