"""Opens LaTeX sources: a single file or a tar archive, gzipped or not. Nothing is ever written to disk."""

import gzip
import io
import tarfile
import zlib
from pathlib import Path, PurePosixPath

from pathfinder.corpus.readers.lines import GZIP_MAGIC
from pathfinder.errors import CorpusError

MAX_BYTES = 128 << 20
"""Limit on the unpacked size of the sources."""
MAX_RATIO = 400
"""Limit on the ratio of unpacked to packed size, not counting the first `FREE_BYTES` that are unpacked; TeX compresses
to a quarter of its size.
"""
FREE_BYTES = 4 << 20
MAX_MEMBERS = 5000
"""Limit on the number of files in an archive."""

_TAR = (slice(257, 262), b"ustar")
_SUFFIXES = (".tex", ".ltx", ".bbl", ".latex")


def is_archive(head: bytes) -> bool:
    """Return whether a file with these first bytes is gzipped or a tar archive."""
    return head.startswith(GZIP_MAGIC) or head[_TAR[0]] == _TAR[1]


def source_files(path: Path) -> dict[str, str]:
    """Return the text of each TeX file, by its name in the archive.

    Raises `CorpusError` with the reason if the sources cannot be read.
    """
    content = path.read_bytes()
    if content.startswith(GZIP_MAGIC):
        content = _unpack(content, path.name)
    if content[_TAR[0]] != _TAR[1]:
        return {f"{path.name.partition('.')[0]}.tex": _decode(content)}
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            return _members(archive, path.name)
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise CorpusError(f"{path.name} is a damaged archive ({error}): fetch it again") from None


def _unpack(content: bytes, name: str) -> bytes:
    limit = min(MAX_BYTES, FREE_BYTES + MAX_RATIO * len(content))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            unpacked_bytes = file.read(limit + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(f"{name} is damaged ({error}): fetch it again") from None
    if len(unpacked_bytes) > limit:
        raise CorpusError(f"{name} unpacks to more than {limit} bytes, the limit for a file of {len(content)} bytes")
    return unpacked_bytes


def _members(archive: tarfile.TarFile, name: str) -> dict[str, str]:
    files: dict[str, str] = {}
    for number, member in enumerate(archive):
        if number >= MAX_MEMBERS:
            raise CorpusError(f"{name} contains more than {MAX_MEMBERS} files, the limit")
        place = PurePosixPath(member.name)
        if place.is_absolute() or ".." in place.parts or "\\" in member.name:
            raise CorpusError(f"{name} contains {member.name!r}, which lies outside the archive")
        if member.isdir():
            continue
        if not member.isreg() or member.issparse():
            raise CorpusError(
                f"{name} contains {member.name!r}, which is a link, a device or a sparse file: only ordinary files are "
                "read"
            )
        file = archive.extractfile(member)
        if file is not None and place.suffix.lower() in _SUFFIXES:
            files[str(place)] = _decode(file.read())
    return files


def _decode(content: bytes) -> str:
    """Return the text of a file, decoded as UTF-8 or, failing that, as Latin 1, in which every byte is valid."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
