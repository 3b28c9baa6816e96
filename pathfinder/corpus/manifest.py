"""The manifest: the only file of a corpus that changes; it lists all the other files with their hashes.

It holds a checksum of itself, against damage, not against whoever rewrites it: a changed letter could turn a part off
or change the order of papers, and nothing else would show it. What this version does not know is refused by name.
"""

import datetime
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from pathfinder.corpus.parts import CorpusFile, is_part_name, place_part
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged, CorpusError
from pathfinder.text.files import write_file
from pathfinder.text.strict_json import first_fault, parse_json
from pathfinder.types import CorpusName

SCHEMA_VERSION = 1
MANIFEST_NAME = "manifest.json"
COMING = "it is still being made; if no build is running, build again from the same sources"
"""Reason for the absence of a part in a corpus that was opened before it was complete."""
DiskVersion = tuple[int, int]
"""Modification time, in ns, and size, in bytes, of a manifest."""
ROLES = frozenset(
    "papers tokens passages titles dense sparse terms network profile outliers choices merges retractions fulltext "
    "fulltextpassages relevance reranker landscape features thesaurus reviews groups layers atlas".split()
)
"""Roles of all the parts that a corpus can have; `building/graph.py` says from what each is made."""
_CHECKSUM = "checksum"
_GROUPS_OF_0_1 = "layers.json"
"""Name of a file in the part that version 0.1.0 called "layers"."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of papers: the total, and those with each kind of metadata."""

    papers: int
    dated: int = 0
    """Papers with a date or at least a year."""
    with_citation_count: int = 0
    with_authors: int = 0
    with_keywords: int = 0
    """Papers with keywords from TextRank."""
    with_subjects: int = 0
    """Papers with keywords from authors, publishers or curators."""
    summaries: int = 0
    """Papers with a summary by somebody else instead of an abstract."""
    without_abstract: int = 0
    """Papers with only a title."""


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A source from which a corpus was built, with everything that is needed to read it again."""

    source: str
    """The source as it was named for the build: a path, or `scheme:rest`."""
    since: datetime.date | None = None
    until: datetime.date | None = None
    max_papers: int | None = None
    retrieved: datetime.date | None = None
    """Day on which the source was last read to the end."""
    state: str | None = None
    """Position, in the source's own terms, from which the next update continues, so that it reads only new records."""
    licence: str | None = None
    """Licence of its metadata, if it is the same for all records."""
    may_be_shared: bool = True
    """False if a corpus that contains records from this source must stay with whoever built it."""
    vectors: str | None = None
    """Column in its files that holds the vectors of its papers; `None` if the papers were embedded."""
    from_corpus: str | None = None
    """Path of a file or folder relative to the folder of the corpus, so that it is found whatever the working folder
    is; `None` if `source` is an absolute path or not a path, and in older corpora.
    """
    first_name: str | None = None
    """Name of a file or folder before it was moved, which may be part of its papers' ids; `None` if it was never moved.
    """
    dropped: bool = False
    """True if updates leave the source out; its papers stay."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The parts of a corpus, and how it was built."""

    schema_version: int
    created_by: str
    """Program that built the corpus, with its version."""
    embedder: str
    """Embedder as `vendor:model`; this corpus cannot be searched with any other."""
    dimension: int
    keyword_extractor: str
    snapshot: datetime.date | None
    """Day from which ages are counted back; `None` if no paper has a date and no day was specified."""
    counts: Counts
    parts: Mapping[str, CorpusFile]
    """Parts by role: "papers", "dense", "sparse", "terms", and any optional ones."""
    absent: Mapping[str, str] = field(default_factory=dict)
    """Roles missing from this corpus, each with the reason."""
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    """Hash, by role, of everything from which a part was made; see `building/graph.py`. Corpora from version 0.1.0 have
    none.
    """
    precision: str | None = None
    """Kind of numbers, such as "int8", with which the embedder computed the vectors of the papers added last; `None` if
    the embedder uses only one kind, and for corpora from version 0.1.0.
    """
    vector_limit: float | None = None
    """Largest coordinate of the stored vectors of papers, titles and passages if they take one byte per coordinate;
    `None` if they are 16-bit floats, as in all older corpora.
    """
    form_of_tokens: Literal["full", "small"] = "full"
    """Form of the token vectors; "full" in all older corpora."""
    embedder_files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each file of an embedder that was fetched or named by its folder, by its path in that folder; none for
    other embedders. With other files, this corpus cannot be searched.
    """
    sources: tuple[SourceEntry, ...] = ()
    """Sources in the order in which they were first read; older corpora list none."""
    earlier: str | None = None
    """File with the manifest of the version before the last change to a part; `None` if there is none."""
    coming: tuple[str, ...] = ()
    """Roles of the parts that a build still has to make, because the corpus was opened early; `absent` has the reason
    in words.
    """
    checksum: str | None = field(default=None, compare=False)
    """SHA-256 of all the other fields as the file has them; `None` for a manifest that was not read from a file, and
    for corpora from versions 0.1.0 and 0.2.0.
    """


def corpus_id(folder: Path) -> str:
    """Return the id of the corpus in `folder`: its name, and 8 hex digits of the SHA-256 of its absolute path.

    It depends only on the place: a corpus that is deleted and built again keeps its id, and one with the same name
    elsewhere has a different id. It is not part of the corpus, so the same sources make the same bytes anywhere.
    """
    place = folder.resolve()
    return f"{place.name}-{hashlib.sha256(str(place).encode()).hexdigest()[:8]}"


_ADAPTER = TypeAdapter(Manifest)


def corpus_name(folder: Path) -> CorpusName:
    """Return the name of the corpus in `folder`, without opening its parts. Raises `CorpusError` if there is none."""
    return name_of(folder, *read_manifest(folder))


def name_of(folder: Path, manifest: Manifest, manifest_sha256: str) -> CorpusName:
    """Return the name of a corpus whose manifest has been read."""
    return CorpusName(folder.resolve().name, manifest_sha256[:12], manifest.counts.papers, corpus_id(folder))


def version_on_disk(folder: Path) -> DiskVersion:
    """Return the modification time, in ns, and the size, in bytes, of the manifest in `folder`, which change when the
    manifest is replaced; zeros if there is none.
    """
    try:
        status = (folder / MANIFEST_NAME).stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def read_manifest(folder: Path) -> tuple[Manifest, str]:
    """Return the manifest of a corpus and the SHA-256 of its file.

    Raises `CorpusError` if there is no corpus or if it has a different schema, and `CorpusDamaged` if the manifest
    cannot be read.
    """
    path = folder / MANIFEST_NAME
    if not folder.is_dir():
        raise CorpusError(f"{folder} is not a folder: build a corpus with `pathfinder build SOURCE --out {folder}`")
    if not path.is_file():
        raise CorpusError(
            f"{folder} is not a corpus (it has no {MANIFEST_NAME}): name another folder, or build one there "
            f"with `pathfinder build SOURCE --out {folder}` (a stopped build resumes where it left off)"
        )
    content = path.read_bytes()
    return parse_manifest(content, folder / MANIFEST_NAME), hashlib.sha256(content).hexdigest()


def parse_manifest(content: bytes, path: Path) -> Manifest:
    """Read the manifest in a file with this `content`; raises what `read_manifest` raises."""
    try:
        fields = parse_json(content.decode())
    except (ValueError, RecursionError) as error:
        raise CorpusDamaged(f"{path} is not JSON ({error}): {CORPUS_REMEDY}") from error
    fields = fields if isinstance(fields, dict) else {}
    version = fields.get("schema_version")
    if version != SCHEMA_VERSION or isinstance(version, bool):
        given = "no schema version" if version is None else f"schema version {version!r}"
        raise CorpusError(
            f"{path} has {given}, but this version of Pathfinder reads "
            f"{SCHEMA_VERSION}: install the version that made it, or build the corpus again from its sources"
        )
    try:
        manifest = _with_current_roles(_ADAPTER.validate_python(fields, extra="forbid"))
    except ValidationError as error:
        if names := [each["loc"] for each in error.errors() if each["type"] == "unexpected_keyword_argument"]:
            raise _unknown(path, fields, f"{'.'.join(map(str, names[0]))} is no key of a manifest") from error
        raise CorpusDamaged(f"{path}: {first_fault(error)}: {CORPUS_REMEDY}") from error
    if unknown := sorted({*manifest.parts, *manifest.absent, *manifest.coming} - ROLES):
        raise _unknown(path, fields, f"{unknown[0]!r} is no part that a corpus can have")
    if manifest.checksum is not None and manifest.checksum != _checksum(fields):
        raise CorpusDamaged(f"{path} was altered (its content has another checksum): {CORPUS_REMEDY}")
    return manifest


def _unknown(path: Path, fields: Mapping[str, object], fault: str) -> CorpusDamaged:
    """Return the error for what another version may have written: without a part, searches would be other searches."""
    maker = fields.get("created_by") or "a version that it does not name"
    return CorpusDamaged(
        f"{path}: {fault} (it was made by {maker}): if that is a later version, install it; otherwise {CORPUS_REMEDY}"
    )


def _checksum(fields: Mapping[str, object]) -> str:
    """Return the SHA-256 of the fields of a manifest but its checksum, however their file is spaced and sorted."""
    own = {name: value for name, value in fields.items() if name != _CHECKSUM}
    text = json.dumps(own, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _with_current_roles(manifest: Manifest) -> Manifest:
    """Rename the parts of a corpus from version 0.1.0 to their current names.

    In that version, the papers of each mission and concept, now called "groups", were called "layers", and today's
    layers were called "overlays".
    """
    layers = manifest.parts.get("layers")
    holds_groups = layers is not None and f"{layers.name}/{_GROUPS_OF_0_1}" in {entry.name for entry in layers.files}
    if not holds_groups and "overlays" not in (*manifest.parts, *manifest.absent):
        return manifest
    current_roles = {"layers": "groups", "overlays": "layers"}
    parts = {current_roles.get(role, role): part for role, part in manifest.parts.items()}
    absent = {current_roles.get(role, role): reason for role, reason in manifest.absent.items()}
    return replace(manifest, parts=parts, absent=absent)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest in one step, so that it is never left half-written."""
    write_file(folder / MANIFEST_NAME, manifest_text(manifest))


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as the text of its file, with its checksum."""
    fields: dict[str, object] = _ADAPTER.dump_python(manifest, mode="json")
    return f"{json.dumps(fields | {_CHECKSUM: _checksum(fields)}, indent=1, ensure_ascii=False)}\n"


def is_corpus(folder: Path) -> bool:
    """Return whether `folder` has a manifest, valid or not."""
    return (folder / MANIFEST_NAME).exists()


def corpora_at(folder: Path) -> tuple[Path, ...]:
    """Return the corpus in `folder` or, if it holds none itself, those in the folders inside it, sorted by name."""
    if is_corpus(folder) or not folder.is_dir():
        return (folder,) if is_corpus(folder) else ()
    return tuple(filter(is_corpus, sorted(folder.iterdir())))


def part_names(manifest: Manifest) -> frozenset[str]:
    """Return the names of the files and folders that a manifest refers to."""
    return frozenset(part.name for part in manifest.parts.values())


# The version of a corpus before its last change, which stays on disk until the next change.
#
# Its manifest is a file that never changes, named in the manifest of the corpus, so going from one version to the other
# takes no more than replacing a single file. Parts that both versions have are stored once.


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
