"""Plain files of a map: JSON and arrays, never unpickled."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged


def write_json(path: Path, content: object) -> None:
    """Write JSON; the same content always gives the same bytes. Raises `ValueError` for NaN and infinity, which JSON
    cannot express.
    """
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array; the same array always gives the same bytes."""
    np.save(path, array, allow_pickle=False)


def read_array(path: Path, dtype: type[np.generic], n_dimensions: int) -> NDArray[Any]:
    """Open an array, memory-mapped. Raises `CorpusDamaged` if the file is anything else."""
    try:
        array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError) as error:
        raise damage_error(path, " ".join(str(error).split())) from error
    if array.dtype != dtype or array.ndim != n_dimensions:
        raise damage_error(path, f"it holds {array.dtype} of shape {array.shape}")
    return array


def damage_error(path: Path, reason: str) -> CorpusDamaged:
    """Make the error for a damaged file; it says how to fix the damage."""
    return CorpusDamaged(f"{path} cannot be read ({reason}): {CORPUS_REMEDY}")
