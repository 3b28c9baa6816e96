"""Parts of a corpus: files and folders that never change and whose names contain a hash of their content."""

import hashlib
import re
from dataclasses import dataclass, replace
from pathlib import Path

from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.text.files import sync

END_BYTES = 65_536
"""Number of bytes at the start and at the end of a file that are checked when a corpus is opened."""

PART_LABELS = {
    "dense": "index by meaning",
    "sparse": "index by words",
    "keywords": "search in keywords",
    "terms": "keyword terms",
    "tokens": "token vectors",
    "network": "citation network",
    "outliers": "outlier thresholds",
    "relevance": "relevance model",
    "reranker": "reranker check",
    "landscape": "map",
    "reviews": "review articles",
    "fulltext": "full texts",
    "fulltextpassages": "passages of full texts",
}
"""Names shown to readers, for those roles whose own names readers would not understand."""

_HASH_DIGITS = 16
_PART_NAME = re.compile(r"[a-z]+-[0-9a-f]{16}(\.[a-z0-9]+)?")
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class FileEntry:
    """Expected name, length and hashes of a file."""

    name: str
    """Path relative to the corpus: `papers-0123456789abcdef.arrow`, or a file in a part's folder."""
    length: int
    """Length in bytes."""
    sha256: str
    ends_sha256: str
    """SHA-256 of the first and the last 64 KiB together, or of the whole file if it is shorter."""


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """A file, or a folder of files, that holds one part of a corpus."""

    name: str
    """Role and hash of the content: `papers-0123456789abcdef.arrow`, or `sparse-0123456789abcdef`."""
    files: tuple[FileEntry, ...]

    def __post_init__(self) -> None:
        if not _PART_NAME.fullmatch(self.name):
            raise ValueError(f"no part of a corpus is called {self.name!r}")
        for entry in self.files:
            inside = entry.name.removeprefix(f"{self.name}/")
            if entry.name != self.name and (inside == entry.name or not _FILE_NAME.fullmatch(inside)):
                raise ValueError(f"{entry.name!r} does not lie in the part {self.name!r}")


def is_part_name(name: str) -> bool:
    """Return whether `name` has the form of names given by `place_part`."""
    return _PART_NAME.fullmatch(name) is not None


def place_part(staging_path: Path, role: str, folder: Path) -> CorpusFile:
    """Move a finished file or folder of files into the corpus under a name that contains its hash.

    If a file with that name is already there, it has the same bytes and is left alone, unless it was truncated or
    altered. The content is flushed to disk before the name appears.
    """
    files = sorted(staging_path.iterdir()) if staging_path.is_dir() else [staging_path]
    entries = []
    for path in files:
        length, inside = path.stat().st_size, "" if path == staging_path else path.name
        entries.append(FileEntry(inside, length, file_sha256(path), ends_sha256(path, length)))
    digest = hashlib.sha256("".join(f"{e.name}\0{e.sha256}\0" for e in entries).encode()).hexdigest()
    name = f"{role}-{digest[:_HASH_DIGITS]}{staging_path.suffix if staging_path.is_file() else ''}"
    part = CorpusFile(
        name, tuple(replace(entry, name=f"{name}/{entry.name}" if entry.name else name) for entry in entries)
    )
    try:
        check_whole(folder, part)
    except CorpusDamaged:
        for path in files:
            sync(path)
        target = folder / name
        if target.is_dir():
            for path in files:
                path.replace(target / path.name)
        else:
            staging_path.replace(target)
        sync(folder)
    return part


def check_ends(folder: Path, part: CorpusFile) -> None:
    """Check that each file exists and has the expected length, start and end. Raises `CorpusDamaged`."""
    for entry in part.files:
        path = folder / entry.name
        # Anything but a regular file, such as a pipe, could block for ever.
        length = path.stat().st_size if path.is_file() else None
        if length is None:
            raise CorpusDamaged(f"{path} is missing: {CORPUS_REMEDY}")
        if length != entry.length:
            raise CorpusDamaged(
                f"{path} has {length} bytes, not {entry.length}, so it was truncated or altered: {CORPUS_REMEDY}"
            )
        if ends_sha256(path, length) != entry.ends_sha256:
            raise CorpusDamaged(f"{path} was altered (its start or end differs): {CORPUS_REMEDY}")


def check_whole(folder: Path, part: CorpusFile) -> None:
    """Check every byte of each file against the manifest. Raises `CorpusDamaged`."""
    check_ends(folder, part)
    for entry in part.files:
        path = folder / entry.name
        if file_sha256(path) != entry.sha256:
            raise CorpusDamaged(f"{path} was altered (its SHA-256 differs): {CORPUS_REMEDY}")


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a whole file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def ends_sha256(path: Path, length: int) -> str:
    """Return the SHA-256 of the first and the last `END_BYTES` of a file, or of the whole file if it is shorter."""
    with path.open("rb") as file:
        if length <= 2 * END_BYTES:
            return hashlib.sha256(file.read()).hexdigest()
        head = file.read(END_BYTES)
        file.seek(length - END_BYTES)
        return hashlib.sha256(head + file.read(END_BYTES)).hexdigest()
