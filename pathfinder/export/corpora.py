"""A corpus as JSON: everything that its manifest knows."""

from dataclasses import asdict
from typing import TypedDict

from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.parts import Part
from pathfinder.corpus.store import Corpus


class FileRecord(TypedDict):
    """One file of a part."""

    name: str
    bytes: int
    sha256: str


class PartRecord(TypedDict):
    """One part of a corpus, and the size of all its files."""

    name: str
    bytes: int
    files: list[FileRecord]


class CorpusRecord(TypedDict):
    """What a corpus is made of."""

    name: str
    version: str
    """First 12 hex digits of the SHA-256 of the manifest."""
    folder: str
    schema_version: int
    created_by: str
    embedder: str
    dimension: int
    keyword_extractor: str
    snapshot: str | None
    counts: dict[str, int]
    parts: dict[str, PartRecord]
    absent: dict[str, str]
    """Parts that it does not have, with the reason."""
    n_rejected: int
    """Rows of the sources that did not become papers."""
    verified: bool
    """Whether every byte was read, or only each file's length, head and tail."""


def corpus_record(corpus: Corpus, *, n_rejected: int, verified: bool) -> CorpusRecord:
    """A corpus as programs read it."""
    manifest: Manifest = corpus.manifest
    return CorpusRecord(
        name=corpus.name.name,
        version=corpus.name.version,
        folder=str(corpus.folder),
        schema_version=manifest.schema_version,
        created_by=manifest.created_by,
        embedder=manifest.embedder,
        dimension=manifest.dimension,
        keyword_extractor=manifest.keyword_extractor,
        snapshot=manifest.snapshot.isoformat() if manifest.snapshot else None,
        counts=asdict(manifest.counts),
        parts={role: _part_record(part) for role, part in manifest.parts.items()},
        absent=corpus.absent,
        n_rejected=n_rejected,
        verified=verified,
    )


def _part_record(part: Part) -> PartRecord:
    files = [FileRecord(name=entry.name, bytes=entry.length, sha256=entry.sha256) for entry in part.files]
    return PartRecord(name=part.name, bytes=sum(file["bytes"] for file in files), files=files)
