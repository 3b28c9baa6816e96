"""The version of a corpus before its last change, which stays on disk until the next change.

Its manifest is a file that never changes, named in the manifest of the corpus, so going from one version to the other
takes no more than replacing a single file. Parts that both versions have are stored once.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from pathfinder.corpus.manifest import Manifest, manifest_text, parse_manifest, part_names
from pathfinder.corpus.parts import is_part_name, place_part


@dataclass(frozen=True, slots=True)
class EarlierVersion:
    """The version to which a corpus can go back."""

    n_papers: int
    n_bytes: int
    """Bytes on disk that only this version needs."""


def store_manifest(folder: Path, staging: Path, manifest: Manifest) -> str:
    """Store `manifest` in the corpus as the manifest of its earlier version, and return the name of the file."""
    staging_file = staging / "version.json"
    staging_file.write_text(manifest_text(replace(manifest, earlier=None)), encoding="utf-8")
    return place_part(staging_file, "version", folder).name


def earlier_manifest(folder: Path, manifest: Manifest) -> Manifest | None:
    """Return the manifest of the earlier version; `None` if there is none, or if its file was not copied along with the
    corpus.
    """
    if manifest.earlier is None or not is_part_name(manifest.earlier):
        return None
    path = folder / manifest.earlier
    return parse_manifest(path.read_bytes(), path) if path.is_file() else None


def earlier_version(folder: Path, manifest: Manifest) -> EarlierVersion | None:
    """Return the earlier version; `None` if there is none."""
    earlier = earlier_manifest(folder, manifest)
    if earlier is None:
        return None
    needed_names = frozenset(part_names(earlier) - part_names(manifest))
    return EarlierVersion(
        earlier.counts.papers,
        sum(entry.length for part in earlier.parts.values() if part.name in needed_names for entry in part.files),
    )
