"""Plain files of a map: JSON and arrays, read strictly, never unpickled."""

import json
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from pathfinder.corpus.parts import REMEDY
from pathfinder.errors import CorpusDamaged

_Read = TypeVar("_Read")


def write_json(path: Path, content: object) -> None:
    """The same content, the same bytes. Raises `ValueError` for a number that is none: JSON has no word for it."""
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def read_json(path: Path, adapter: TypeAdapter[_Read]) -> _Read:
    """What a file holds, of the kind that `adapter` knows. Raises `CorpusDamaged` for anything else."""
    try:
        return adapter.validate_json(path.read_bytes(), strict=True)
    except OSError as error:
        raise damaged(path, str(error)) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise damaged(path, " ".join(f"{place} {first['msg']}".split())) from error


def write_array(path: Path, array: NDArray[Any]) -> None:
    """The same array, the same bytes."""
    np.save(path, array, allow_pickle=False)


def read_array(path: Path, dtype: type[np.generic], n_dimensions: int) -> NDArray[Any]:
    """An array, memory-mapped. Raises `CorpusDamaged` for anything else."""
    try:
        array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError) as error:
        raise damaged(path, " ".join(str(error).split())) from error
    if array.dtype != dtype or array.ndim != n_dimensions:
        raise damaged(path, f"it holds {array.dtype} of shape {array.shape}")
    return array


def damaged(path: Path, why: str) -> CorpusDamaged:
    """That a file is not what it should be, and what to do about it."""
    return CorpusDamaged(f"{path} cannot be read ({why}): {REMEDY}")
