"""Files of an index, and what to say of a damaged one.

Memory-mapped are those from which a search reads scattered places, such as the tokens of 1,000 papers. Each page that a
process reads counts as its memory until the system needs the space, and the system also maps the neighbouring pages. So
the pages of large files are given back to the system after each search. Files that a search reads from end to end are
not opened so.
"""

from mmap import ACCESS_READ, MADV_DONTNEED, mmap
from pathlib import Path
from threading import Lock
from typing import TypeVar
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import CorpusDamaged

LARGE_FILE = 250_000_000
"""Minimum size, in bytes, of a file whose pages are given back to the system: those of smaller files take little
memory, and stay in place for later searches.
"""

_Scalar = TypeVar("_Scalar", bound=np.generic)
_large: WeakSet[mmap] = WeakSet()
_lock = Lock()


def is_large(n_bytes: int) -> bool:
    """Return whether the pages of a file of `n_bytes` are given back to the system."""
    return n_bytes >= LARGE_FILE


def map_file(path: Path) -> mmap:
    """Map the file at `path`, which is not empty, for reading; arrays over the map keep it open."""
    with path.open("rb") as file:
        content = mmap(file.fileno(), 0, access=ACCESS_READ)
    if is_large(len(content)):
        with _lock:
            _large.add(content)
    return content


def return_pages() -> None:
    """Give the pages of large files back to the system. Pages that are read again come from the system's cache or from
    disk.
    """
    with _lock:
        for content in _large:
            content.madvise(MADV_DONTNEED)


def open_array(path: Path, *dtypes: np.dtype[_Scalar]) -> NDArray[_Scalar]:
    """Open a one-dimensional array of one of `dtypes`, memory-mapped. Raises `CorpusDamaged` for any other array."""
    try:
        array: NDArray[_Scalar] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise damage_error(path, str(error)) from error
    if array.dtype not in dtypes or array.ndim != 1:
        expected_types = " or ".join(map(str, dtypes))
        raise damage_error(path, f"it holds {array.dtype} of {array.ndim} dimensions, not {expected_types} of 1")
    return array


def check_starts(path: Path, starts: NDArray[np.integer], n: int, n_rows: int) -> None:
    """Raise `CorpusDamaged` unless `starts` divides `n_rows` entries among `n` items."""
    if len(starts) != n + 1 or starts[0] != 0 or starts[-1] != n_rows or bool((starts[1:] < starts[:-1]).any()):
        raise damage_error(path, f"it does not divide {n_rows} entries among {n} items")


def check(path: Path, is_right: bool, fault: str) -> None:
    """Raise `CorpusDamaged`, which names the fault, unless a file `is_right`."""
    if not is_right:
        raise damage_error(path, fault)


def damage_error(path: Path, reason: str) -> CorpusDamaged:
    """Name a damaged file, with the reason on one line, and the remedy."""
    return CorpusDamaged(f"{path} is damaged ({' '.join(reason.split())}): build the corpus again")
