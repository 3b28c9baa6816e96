"""Reads the header of a GGUF file (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): enough to reject a file
that is not a model, or is truncated, before anything is loaded.
"""

import struct
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from pathfinder.errors import ProviderError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
"""Versions with 64-bit lengths; version 1 was replaced in August 2023."""
MAX_COUNT = 1_000_000
"""Maximum plausible number of entries, tensors or dimensions: a larger one means that the file is damaged."""

_STRING, _ARRAY = 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Size in bytes of a value of each type, except strings and arrays."""
_INTEGERS = {4: "<I", 5: "<i", 10: "<Q", 11: "<q"}


@dataclass(frozen=True, slots=True)
class GgufFile:
    """A model file, as described by its header."""

    path: Path
    n_bytes: int
    architecture: str
    """Name of the model's architecture, such as "llama"."""
    context_tokens: int | None
    """Number of tokens that the model was trained to read; `None` if the file does not say."""


class _DamagedHeader(Exception):
    """Raised if the header cannot be read any further."""


def read_gguf(path: Path) -> GgufFile:
    """Read the file's header. Raises `ProviderError` for a file that is missing, truncated, or not a GGUF model."""
    try:
        with path.open("rb") as file:
            n_bytes = path.stat().st_size
            return _read(path, file, n_bytes)
    except FileNotFoundError:
        raise ProviderError(f"there is no model file {path}: check the path in PATHFINDER_CHAT_MODEL") from None
    except IsADirectoryError:
        raise ProviderError(f"{path} is a folder: set PATHFINDER_CHAT_MODEL to the .gguf file inside it") from None
    except OSError as error:
        raise ProviderError(f"the model file {path} cannot be read ({error.strerror}): check its permissions") from None


def _read(path: Path, file: BinaryIO, n_bytes: int) -> GgufFile:
    if file.read(4) != MAGIC:
        raise ProviderError(
            f"{path} is no GGUF file: it does not begin with GGUF; download a model in that format, such as "
            "SmolLM2-135M-Instruct.Q4_1.gguf"
        )
    try:
        version = _number(file, "<I")
        if version not in VERSIONS:
            raise ProviderError(
                f"{path} is in version {version} of GGUF, but only versions 2 and 3 can be read: download it again"
            )
        n_tensors, n_entries = _count(file), _count(file)
        entries = dict(_entry(file) for _ in range(n_entries))
        last = max((_tensor(file) for _ in range(n_tensors)), default=0)
    except _DamagedHeader:
        raise ProviderError(
            f"{path} is cut off or damaged: its {n_bytes:,} bytes end before its list of tensors; download it again"
        ) from None
    if file.tell() + last >= n_bytes:
        raise ProviderError(
            f"{path} is cut off: it has {n_bytes:,} bytes, and its last tensor begins at byte {file.tell() + last:,} "
            "or later; download it again"
        )
    architecture = str(entries.get("general.architecture", "unknown"))
    context = entries.get(f"{architecture}.context_length")
    return GgufFile(path, n_bytes, architecture, context if isinstance(context, int) else None)


def _entry(file: BinaryIO) -> tuple[str, str | int | None]:
    """Read a key and its value, if that is a string or a whole number; any other value is skipped."""
    key = _text(file)
    return key, _value(file, _number(file, "<I"))


def _value(file: BinaryIO, kind: int) -> str | int | None:
    if kind == _STRING:
        return _text(file)
    if kind == _ARRAY:
        inner, n = _number(file, "<I"), _count(file)
        skip = partial(_skip, file, _SIZES[inner] * n) if inner in _SIZES else partial(_skip_values, file, inner, n)
        skip()
        return None
    if kind in _INTEGERS:
        return _number(file, _INTEGERS[kind])
    if kind not in _SIZES:
        raise _DamagedHeader
    _skip(file, _SIZES[kind])
    return None


def _skip_values(file: BinaryIO, kind: int, n: int) -> None:
    for _ in range(n):
        _value(file, kind)


def _tensor(file: BinaryIO) -> int:
    """Read the description of a tensor; return the position of its data, counted from the end of the header."""
    _text(file)
    n_dimensions = _number(file, "<I")
    _skip(file, 8 * min(n_dimensions, MAX_COUNT) + 4)
    return _number(file, "<Q")


def _text(file: BinaryIO) -> str:
    return _bytes(file, _count(file)).decode("utf-8", "replace")


def _count(file: BinaryIO) -> int:
    n = _number(file, "<Q")
    if n > MAX_COUNT:
        raise _DamagedHeader
    return n


def _number(file: BinaryIO, form: str) -> int:
    (number,) = struct.unpack(form, _bytes(file, struct.calcsize(form)))
    return int(number)


def _skip(file: BinaryIO, n: int) -> None:
    file.seek(n, 1)


def _bytes(file: BinaryIO, n: int) -> bytes:
    content = file.read(n)
    if len(content) < n:
        raise _DamagedHeader
    return content
