"""An append-only file in which costly results, such as vectors, survive even if a build is stopped.

Each record is `key (16 bytes), length (4), payload, CRC-32 (4)`. Appended records are on disk when `append` returns. An
incomplete record at the end, left by a kill or a power cut, is dropped.
"""

import fcntl
import hashlib
import os
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from pathfinder.errors import CorpusError
from pathfinder.text.files import PRIVATE_FILE

KEY_BYTES = 16
MAX_PAYLOAD_BYTES = 1 << 20
"""Limit on the size of a payload, larger than any vector or list of keywords; a longer record is treated as damaged."""

_MAGIC = b"pathfinder-journal-1\n"
_HEAD = struct.Struct(f"<{KEY_BYTES}sI")
_CHECK = struct.Struct("<I")


def journal_key(*texts: str) -> bytes:
    """Return the key of a result computed from `texts`, such as an embedder's name and an abstract."""
    digest = hashlib.blake2b(digest_size=KEY_BYTES)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.digest()


class Journal:
    """Payloads stored by key. Use it in a `with` statement, and in only one process at a time."""

    def __init__(self, path: Path) -> None:
        """Open the journal at `path`, or start a new one.

        Raises `CorpusError` if another kind of file is there, or if another process has it open.
        """
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE), "r+b")
        # Holds only where each record starts, because a corpus has several records per paper and may be large.
        self._places: dict[bytes, int] = {}
        try:
            # Two processes appending at once would overwrite each other's records.
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise CorpusError(
                    f"{path} is in use by another run: wait until that run ends, or name another folder"
                ) from error
            self._end = self._read(path)
        except CorpusError:
            self._file.close()
            raise
        self._file.truncate(self._end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: bytes) -> bool:
        return key in self._places

    def __getitem__(self, key: bytes) -> bytes:
        self._file.seek(self._places[key])
        _, length = _HEAD.unpack(self._file.read(_HEAD.size))
        return self._file.read(length)

    def append(self, records: Iterable[tuple[bytes, bytes]]) -> None:
        """Append a batch of keys and payloads; they are on disk when this returns."""
        content = bytearray()
        places = {}
        for key, payload in records:
            record = _HEAD.pack(key, len(payload)) + payload
            places[key] = self._end + len(content)
            content += record + _CHECK.pack(zlib.crc32(record))
        self._file.seek(self._end)
        self._file.write(content)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._end += len(content)
        self._places |= places

    def _read(self, path: Path) -> int:
        """Index the records, and return the end of the last complete one."""
        magic = self._file.read(len(_MAGIC))
        if magic != _MAGIC:
            if not _MAGIC.startswith(magic):
                raise CorpusError(
                    f"{path} is not a journal of this version of Pathfinder: remove it, "
                    "and its results will be computed again"
                )
            self._file.seek(0)
            self._file.write(_MAGIC)
            return len(_MAGIC)
        end = len(_MAGIC)
        while len(head := self._file.read(_HEAD.size)) == _HEAD.size:
            key, length = _HEAD.unpack(head)
            content = self._file.read(length + _CHECK.size) if length <= MAX_PAYLOAD_BYTES else b""
            payload, check = content[:length], content[length:]
            if check != _CHECK.pack(zlib.crc32(head + payload)):
                break
            self._places[bytes(key)] = end
            end = self._file.tell()
        return end
