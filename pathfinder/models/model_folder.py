"""Files of a model that somebody else made: read as data, within limits, and never from outside the model's folder."""

import hashlib
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import ModelError
from pathfinder.text.strict_json import parse_json

MB = 1_000_000
MAX_JSON = 4 * MB
"""Maximum size in bytes of a file of settings."""
MAX_TOKENIZER = 100 * MB
"""Maximum size in bytes of tokenizer.json; those of the largest vocabularies, with 262,144 tokens, have 33 MB."""
MAX_WEIGHTS = 8000 * MB
"""Maximum size in bytes of each file of weights."""

Tensors = Mapping[str, NDArray[np.float32]]

_COPY = "take the model's folder from its publisher again, whole (copy links as files, `cp -rL`)"


class ModelFolder:
    """The folder of one model. Files that have been read are in `files`."""

    def __init__(self, path: Path, pinned: Mapping[str, str] | None = None, remedy: str = _COPY) -> None:
        """Read from the folder `path`; if `pinned` has the SHA-256 of files, only files that match are read.

        `remedy` ends the messages of errors.
        """
        self.path, self.remedy = path, remedy
        self.files: dict[str, str] = {}
        """SHA-256 of each file that was read, by its path in the folder."""
        self._pinned = pinned or {}

    def fault(self, name: str, words: str, remedy: str | None = None) -> ModelError:
        """Return the error for the file `name`."""
        return ModelError(f"{self.path / name} {words}: {remedy or self.remedy}")

    def has(self, name: str) -> bool:
        """Return whether there is a file `name`."""
        return (self.path / name).is_file()

    def file(self, name: str, max_bytes: int = MAX_WEIGHTS) -> Path:
        """Return the path of the file `name`, once it has been checked.

        Raises `ModelError` for a file that is missing, too large, outside the folder (whether by its name or by a
        link) or, if there are pinned ones, not among them.
        """
        path = self.path / name
        if not self._pinned and not path.resolve().is_relative_to(self.path.resolve()):
            raise self.fault(name, "leads out of the model's folder, where nothing is read")
        if not path.is_file():
            raise self.fault(name, "is missing")
        if path.stat().st_size > max_bytes:
            raise self.fault(name, f"has {path.stat().st_size:,} bytes, but such a file may have {max_bytes:,}")
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if self._pinned and digest != self._pinned.get(name):
            raise self.fault(
                name,
                f"has SHA-256 {digest}, the publisher's file has {self._pinned.get(name)}: it was altered and is not "
                "used",
            )
        self.files[name] = digest
        return path

    def settings(self, name: str, *, required: bool = False) -> Mapping[str, Any]:
        """Return the JSON object in the file `name`; an empty one if the file is missing and not `required`."""
        if not required and not self.has(name):
            return {}
        value = self.value(name)
        if not isinstance(value, dict):
            raise self.fault(name, "does not hold an object")
        return value

    def value(self, name: str) -> object:
        """Return the JSON value in the file `name`. Raises `ModelError` if it cannot be read."""
        try:
            return parse_json(self.file(name, MAX_JSON).read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise self.fault(name, f"is not JSON ({error})") from error

    def tensors(self, name: str) -> Tensors:
        """Return the tensors of floats, of 32 or 16 bits, in the safetensors file `name`, by name and memory-mapped.

        The file consists of 8 bytes with the little-endian length of the header, a JSON header of that length, and the
        raw tensors. Raises `ModelError` for a file that is not like that.
        """
        path = self.file(name)
        try:
            with path.open("rb") as file:
                (header_length,) = struct.unpack("<Q", file.read(8))
                if header_length > MAX_JSON:
                    raise ValueError(f"a header of {header_length} bytes")
                header = parse_json(file.read(header_length).decode())
            raw = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + header_length)
            return {name: _tensor(raw, entry) for name, entry in header.items() if _TYPES.get(entry.get("dtype"))}  # type: ignore[attr-defined]  # the errors of other values are caught below
        except (ValueError, TypeError, KeyError, AttributeError, struct.error, RecursionError) as error:
            raise self.fault(name, f"is not a file of safetensors ({error})") from error


_TYPES = {"F32": np.float32, "F16": np.float16}


def _tensor(raw: NDArray[np.uint8], entry: Mapping[str, Any]) -> NDArray[np.float32]:
    kind, shape, (start, end) = np.dtype(_TYPES[entry["dtype"]]), entry["shape"], entry["data_offsets"]
    if not 0 <= start <= end <= len(raw) or end - start != kind.itemsize * math.prod(shape):
        raise ValueError(f"a tensor of shape {shape} at {start} to {end} of {len(raw)} bytes")
    return raw[start:end].view(kind).reshape(shape).astype(np.float32, copy=False)
