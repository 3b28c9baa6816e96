"""Terms written out, each with the rows of its papers: the form used by corpora that earlier versions built, and by the
statistics of the map.
"""

from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pathfinder.errors import CorpusDamaged

TERMS_FILE, STARTS_FILE, ROWS_FILE, HAS_KEYWORDS_FILE = "terms.arrow", "starts.npy", "rows.npy", "has_keywords.npy"
_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class ListedTerms:
    """The sorted terms of a corpus, each with the rows of the papers that have it."""

    terms: pa.LargeStringArray
    """Lemmas joined by spaces, sorted by code point, without duplicates."""
    starts: NDArray[np.int64]
    """Start of each term's rows, followed by the total number of rows, shape (n_terms + 1,)."""
    rows: NDArray[np.int32]
    """Rows of each term's papers, ascending within each term."""
    has_keywords: NDArray[np.bool_]
    """True for papers that have any keyword, shape (n_papers,)."""

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open files that an earlier version wrote, memory-mapped. Raises `CorpusDamaged` if one is missing or
        altered.
        """
        starts = open_array(folder / STARTS_FILE, np.dtype(np.int64))
        rows = open_array(folder / ROWS_FILE, np.dtype(np.int32))
        terms = open_strings(folder / TERMS_FILE, "term", pa.large_string())
        check_starts(folder / STARTS_FILE, starts, len(terms), len(rows))
        return cls(terms, starts, rows, open_array(folder / HAS_KEYWORDS_FILE, np.dtype(np.bool_)))

    @property
    def all_terms(self) -> "ListedTerms":
        """See `TermPapers.all_terms`."""
        return self

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        """See `TermPapers.rows_of_term`."""
        place = place_of(term, self.terms)
        return self.rows[:0] if place is None else self.rows[self.starts[place] : self.starts[place + 1]]


def place_of(text: str, texts: pa.Array) -> int | None:
    """Return the place of `text` among sorted `texts`; `None` if it is not there."""
    place = bisect_left(range(len(texts)), text, key=lambda i: str(texts[i].as_py()))
    return place if place < len(texts) and texts[place].as_py() == text else None


def open_strings(path: Path, column: str, kind: pa.DataType) -> pa.Array:
    """Open a file with one column of strings, memory-mapped. Raises `CorpusDamaged` if it is anything else."""
    try:
        table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    except (OSError, pa.ArrowInvalid) as error:
        raise damage_error(path, str(error)) from error
    if table.schema.names != [column] or table.schema.types != [kind]:
        raise damage_error(path, f"it holds {table.schema.to_string(show_schema_metadata=False)!r}")
    return table[column].chunk(0) if table.num_rows else pa.array([], kind)


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


def damage_error(path: Path, reason: str) -> CorpusDamaged:
    """Name a damaged file, with the reason on one line, and the remedy."""
    on_one_line = " ".join(reason.split())
    return CorpusDamaged(f"{path} is damaged ({on_one_line}): build the corpus again")
