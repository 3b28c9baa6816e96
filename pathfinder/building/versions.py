"""Puts a version of a corpus in place, and goes back to the previous one.

A corpus keeps two versions: its manifest, and the manifest from before the last change to a part. Whenever a build, an
update, a removal or a rollback is stopped, the folder holds one version or the other.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from pathfinder.building.directory import BuildDirectory, clear_away, open_build_directory
from pathfinder.corpus.manifest import (
    Manifest,
    earlier_manifest,
    earlier_version,
    part_names,
    read_manifest,
    store_manifest,
    write_manifest,
)
from pathfinder.corpus.store import FULL_TEXT_ROLES, FULL_TEXTS, verify_parts
from pathfinder.errors import UsageError
from pathfinder.fulltext import store as full_texts


@dataclass(frozen=True, slots=True)
class RollbackReport:
    """The result of a rollback."""

    n_papers: int
    """Number of papers now in the corpus."""
    n_papers_before: int
    n_bytes: int
    """Bytes on disk that only the version from before the rollback needs; a second rollback returns to that version."""


def rollback(folder: Path) -> RollbackReport:
    """Take the corpus in `folder` back to its version from before its last build, update or removal.

    The state of the sources goes back too, so that the next update reads again what the corpus loses in the rollback;
    full texts stay. The version that was current takes the place of the earlier one: a second rollback returns to it.
    Every byte is checked first. Raises `UsageError` if there is no earlier version, and `CorpusDamaged` if any part of
    it has been altered.
    """
    read_manifest(folder)  # so that no folder is created where there is no corpus
    with open_build_directory(folder) as place:
        manifest, _ = read_manifest(folder)
        earlier = earlier_manifest(folder, manifest)
        if earlier is None:
            raise UsageError(
                f"{folder} has no earlier version: every build, update or removal that changes a part stores one"
            )
        verify_parts(folder, earlier, "")
        # Full texts belong to no version; their index stays only if the embedder is the same.
        roles = FULL_TEXT_ROLES if manifest.embedder == earlier.embedder else (FULL_TEXTS,)
        others = {role: part for role, part in earlier.parts.items() if role not in roles}
        texts = {role: part for role, part in manifest.parts.items() if role in roles}
        put_in_place(place, replace(earlier, parts={**others, **texts}), manifest)
        place.forget_fetched()
    size = earlier_version(folder, read_manifest(folder)[0])
    return RollbackReport(earlier.counts.papers, manifest.counts.papers, size.n_bytes if size else 0)


def forget_earlier(place: BuildDirectory) -> None:
    """Delete the earlier version of the corpus, so that nothing remains of it on disk."""
    manifest = replace(read_manifest(place.corpus)[0], earlier=None)
    write_manifest(place.corpus, manifest)
    clear_away(place.corpus, part_names(manifest))
    full_texts.sweep(place.corpus, manifest)


def put_in_place(
    place: BuildDirectory, manifest: Manifest, previous: Manifest | None, others: frozenset[str] = frozenset()
) -> Manifest:
    """Replace the manifest of the corpus, keep `previous` as its earlier version, and remove the files that neither
    needs, apart from `others`. Returns the manifest as written.

    If only the notes on sources changed, the earlier version stays the same.
    """
    folder = place.corpus
    if previous is None or previous.coming:
        earlier = None
    elif previous.parts == manifest.parts:
        earlier = previous.earlier
    else:
        earlier = store_manifest(folder, place.staging, previous)
    manifest = replace(manifest, earlier=earlier)
    before = earlier_manifest(folder, manifest)
    write_manifest(folder, manifest)
    still_open = part_names(previous) if previous else frozenset()
    needed_names = part_names(manifest) | still_open | (part_names(before) if before else frozenset()) | others
    clear_away(folder, needed_names | ({earlier} if earlier else frozenset()))
    return full_texts.sweep(folder, manifest, previous)
