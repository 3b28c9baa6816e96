"""Memory-mapped files from which a search reads scattered places, such as the tokens of 1,000 papers. Each page that a
process reads counts as its memory until the system needs the space, and the system also maps the neighbouring pages. So
the pages of large files are given back to the system after each search. Files that a search reads from end to end are
not opened here.
"""

from mmap import ACCESS_READ, MADV_DONTNEED, mmap
from pathlib import Path
from threading import Lock
from weakref import WeakSet

LARGE_FILE = 250_000_000
"""Minimum size, in bytes, of a file whose pages are given back to the system: those of smaller files take little
memory, and stay in place for later searches.
"""

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
