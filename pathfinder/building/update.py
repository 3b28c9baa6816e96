"""Brings a corpus up to date with its sources: the manifest lists them and says how far each has been read."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from pathfinder.building.flow import build_from
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.read_sources import (
    LOOKED_UP,
    UNREADABLE,
    FailedSource,
    access_for,
    existing_path_of,
    failure,
    states_of_sources,
)
from pathfinder.building.ready_vectors import ReadyVectors
from pathfinder.building.work import BuildPlan, MapOptions
from pathfinder.corpus.history.retractions import read_retractions
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import Manifest, SourceEntry, read_manifest
from pathfinder.errors import UsageError
from pathfinder.models.ports import Embedder
from pathfinder.settings import Settings
from pathfinder.sources import Access, OpenSource, Window, open_sources


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """The result of an update, in numbers of papers."""

    n_new: int
    n_changed: int
    """Papers that a source now describes differently; those whose text has changed are embedded again."""
    n_withdrawn: int
    """New or changed papers that a source now calls withdrawn."""
    n_retracted: int
    """New or changed papers that a source now calls retracted."""
    n_unchanged: int
    """Papers that were read again and found unchanged."""
    n_rejected: int
    """Records that were rejected, so that no papers were made from them."""
    n_left_out: int
    """Records that were left out, because their papers were once removed from the corpus."""
    n_merged: int
    """Records that were merged, because they describe papers that another source or the corpus already has."""
    n_conflicts: int
    """Fields on which merged records disagree, in the whole corpus."""
    seconds: float
    failed_sources: tuple[FailedSource, ...] = ()
    """Sources that could not be read to the end; the next update reads them again."""


def update(
    folder: Path,
    embedder: Embedder,
    *,
    new_map: bool = False,
    retractions: Path | None = None,
    extractor: KeywordExtractor | None = None,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> UpdateReport:
    """Read each source of the corpus in `folder` again, from where the last reading ended; add new papers, and apply
    changes.

    Papers keep their places on the map unless `new_map` is true. No paper is removed: withdrawn and retracted ones are
    marked. `retractions` is Retraction Watch's CSV file: the papers that it lists are marked, by DOI or PubMed id, now
    and in later updates, until a newer file is read. An update that is stopped leaves the corpus as it was, and the
    next one continues after the last page that was read. A source that cannot be read is reported, and the others are
    updated; if none can be read, its error is raised, and nothing changes. Raises `UsageError` if the manifest lists no
    sources, and the same errors as `build`.
    """
    start, progress = monotonic(), progress or Silent()
    manifest = _manifest_with_sources(folder)
    retraction_list = read_retractions(retractions) if retractions else None
    access = access_for(folder, settings, progress)
    ready = ReadyVectors(embedder)
    entries = [entry for entry in manifest.sources if not entry.dropped]
    if not entries and retraction_list is None:
        if all(entry.source.endswith(f":{LOOKED_UP}") for entry in manifest.sources):
            raise UsageError(
                f"the papers of {folder} were looked up one by one, so it has no source to read again: run "
                f"`pathfinder complete {folder}` to ask hosts what is new about them, or name a list of --retractions"
            )
        raise UsageError(
            f"all sources of {folder} have been dropped, so there is nothing to read: run "
            f"`pathfinder build SOURCE --out {folder}` to add one again"
        )
    opened_sources, unreadable_sources = _open(entries, folder, access, ready)
    plan = BuildPlan(
        options=MapOptions(afresh=new_map), extractor=extractor, retractions=retraction_list, takes_changes=True
    )
    intake = build_from(opened_sources, access, folder, embedder, plan, progress, ready).intake
    return UpdateReport(
        n_new=intake.n_new,
        n_changed=intake.n_changed,
        n_withdrawn=intake.n_by_status["withdrawn"],
        n_retracted=intake.n_by_status["retracted"],
        n_unchanged=intake.n_known,
        n_rejected=len(intake.rejected_rows),
        n_left_out=intake.n_left_out,
        n_merged=len(intake.merges),
        n_conflicts=intake.history.merges.n_conflicts,
        seconds=monotonic() - start,
        failed_sources=(*unreadable_sources, *intake.failed_sources),
    )


def _manifest_with_sources(folder: Path) -> Manifest:
    """Read the manifest of a corpus. Raises `UsageError` if it lists no sources."""
    manifest, _ = read_manifest(folder)
    if not manifest.sources:
        raise UsageError(
            f"the manifest of {folder} lists no sources: run `pathfinder build SOURCE --out {folder}` once more, so "
            "that updates know where to look"
        )
    return manifest


def _open(
    entries: Sequence[SourceEntry], folder: Path, access: Access, ready: ReadyVectors
) -> tuple[list[OpenSource], list[FailedSource]]:
    """Open each source with the same window as when it was last read, and the same column of vectors, if any.

    Returns the opened sources, and those that cannot be opened. If none can, raises the error of the first.
    """
    states = states_of_sources(folder)
    sources: list[OpenSource] = []
    errors: list[tuple[str, Exception]] = []
    for entry in entries:
        window = Window(entry.since, entry.until, entry.max_papers)
        try:
            source = existing_path_of(entry, folder) or entry.source
            sources += open_sources([source], window, ready.reading(access, entry.vectors), states)
        except UNREADABLE as error:
            errors.append((entry.source, error))
    if errors and not sources:
        raise errors[0][1]
    return sources, [failure(source, error) for source, error in errors]
