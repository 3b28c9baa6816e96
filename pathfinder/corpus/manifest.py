"""The manifest: the one file of a corpus that changes, and says what all the others must be."""

import datetime
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from pathfinder.corpus.parts import REMEDY, Part, sync
from pathfinder.errors import CorpusDamaged, CorpusError

SCHEMA_VERSION = 1
MANIFEST_NAME = "manifest.json"
STAGED_MANIFEST_NAME = ".manifest.json.new"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many papers there are, and of how many something is known."""

    papers: int
    dated: int = 0
    """With a date or at least a year."""
    with_citation_count: int = 0
    with_authors: int = 0
    with_keywords: int = 0
    """With keywords that TextRank found."""
    with_subjects: int = 0
    """With keywords that authors, publishers or curators gave."""
    summaries: int = 0
    """With a summary by someone else in the place of the abstract."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a corpus is made of."""

    schema_version: int
    created_by: str
    """The program and its version."""
    embedder: str
    """`vendor:model`; no other may search this corpus."""
    dimension: int
    keyword_extractor: str
    snapshot: datetime.date | None
    """The day that ages are counted to; `None` when no paper has a date and none was given."""
    counts: Counts
    parts: Mapping[str, Part]
    """By role: "papers", "dense", "sparse", "terms", and more where the corpus has more."""
    absent: Mapping[str, str] = field(default_factory=dict)
    """Roles that this corpus does not have, each with the reason."""


_ADAPTER = TypeAdapter(Manifest)


def read_manifest(folder: Path) -> tuple[Manifest, str]:
    """The manifest of a corpus and the SHA-256 of its file.

    Raises `CorpusError` where there is no corpus or one of another schema, `CorpusDamaged` where the
    manifest is not one.
    """
    content = _read(folder)
    try:
        # Unlike `json`, this parser refuses brackets nested so deep that they would exhaust the stack.
        fields = from_json(content)
    except ValueError as error:
        raise CorpusDamaged(f"{folder / MANIFEST_NAME} is not JSON ({error}): {REMEDY}") from error
    version = fields.get("schema_version") if isinstance(fields, dict) else None
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise CorpusError(
            f"{folder / MANIFEST_NAME} has schema version {version!r}, this Pathfinder reads {SCHEMA_VERSION}: "
            "install the Pathfinder that made it, or build the corpus again from its sources"
        )
    try:
        return _ADAPTER.validate_python(fields), hashlib.sha256(content).hexdigest()
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise CorpusDamaged(f"{folder / MANIFEST_NAME}: {place}: {first['msg']}: {REMEDY}") from error


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Put the manifest in place, whole or not at all."""
    staged = folder / STAGED_MANIFEST_NAME
    content = json.dumps(_ADAPTER.dump_python(manifest, mode="json"), indent=1, ensure_ascii=False)
    staged.write_text(f"{content}\n", encoding="utf-8")
    sync(staged)
    staged.replace(folder / MANIFEST_NAME)
    sync(folder)


def is_corpus(folder: Path) -> bool:
    """Whether `folder` has a manifest, sound or not."""
    return (folder / MANIFEST_NAME).exists()


def part_names(manifest: Manifest) -> frozenset[str]:
    """Names of the files and folders that a manifest needs."""
    return frozenset(part.name for part in manifest.parts.values())


def _read(folder: Path) -> bytes:
    path = folder / MANIFEST_NAME
    if not folder.is_dir():
        raise CorpusError(f"{folder} is no folder: make a corpus with `pathfinder build SOURCE --out {folder}`")
    if not path.is_file():
        raise CorpusError(
            f"{folder} is no corpus, it has no {MANIFEST_NAME}: name another folder, or build one there "
            f"with `pathfinder build SOURCE --out {folder}` (a build that was stopped goes on where it stood)"
        )
    return path.read_bytes()
