"""Named groups of papers, which may overlap, as plain arrays: papers by mission, papers by concept."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.text.strict_json import read_json
from pathfinder.types import Rows

_NAMES = TypeAdapter(tuple[str, ...])


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The rows of each group, one group after another."""

    names: tuple[str, ...]
    ends: NDArray[np.int64]
    """The position in `rows` at which each group ends, exclusive."""
    rows: NDArray[np.int32]
    """Rows of papers in the corpus, ascending within each group."""

    @classmethod
    def of(cls, members: Mapping[str, Sequence[int] | Rows]) -> "Groups":
        """Make groups from the rows of each, in the order of `members`."""
        parts = [np.unique(np.asarray(rows, dtype=np.int32)) for rows in members.values()]
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        return cls(tuple(members), ends, np.concatenate([np.empty(0, dtype=np.int32), *parts]))

    def rows_of(self, name: str) -> Rows:
        """Return the rows of one group; an empty array if the name is unknown."""
        if name not in self.names:
            return np.empty(0, dtype=np.int64)
        return self.rows_at(self.names.index(name))

    def rows_at(self, place: int) -> Rows:
        """Return the rows of the group at `place`."""
        start = int(self.ends[place - 1]) if place else 0
        return self.rows[start : int(self.ends[place])].astype(np.int64)

    def sizes(self) -> NDArray[np.int64]:
        """Count the papers in each group."""
        return np.diff(self.ends, prepend=0)


def write_groups(groups: Groups, folder: Path, stem: str) -> None:
    """Write three files whose names begin with `stem`; the same groups always produce the same bytes."""
    names = json.dumps(groups.names, ensure_ascii=False, indent=0)
    (folder / f"{stem}_names.json").write_text(names + "\n", encoding="utf-8")
    np.save(folder / f"{stem}_ends.npy", groups.ends, allow_pickle=False)
    np.save(folder / f"{stem}_rows.npy", groups.rows, allow_pickle=False)


def open_groups(folder: Path, stem: str, n_papers: int) -> Groups:
    """Open the groups written by `write_groups`, memory-mapped. Raises `CorpusDamaged` for anything else."""
    path = folder / f"{stem}_names.json"
    names = read_json(_NAMES, path)
    try:
        ends = np.load(folder / f"{stem}_ends.npy", mmap_mode="r", allow_pickle=False)
        rows = np.load(folder / f"{stem}_rows.npy", mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise CorpusDamaged(
            f"the arrays next to {path} cannot be read ({' '.join(str(error).split())}): {CORPUS_REMEDY}"
        ) from error
    fits = (ends.dtype, rows.dtype, ends.ndim, rows.ndim) == (np.int64, np.int32, 1, 1)
    fits = fits and len(ends) == len(names) and bool((np.diff(ends, prepend=0) >= 0).all())
    fits = fits and len(rows) == (ends[-1] if len(ends) else 0)
    if not fits or (len(rows) and not (rows.min() >= 0 and rows.max() < n_papers)):
        raise CorpusDamaged(f"{path} and the files next to it are not the groups of {n_papers} papers: {CORPUS_REMEDY}")
    return Groups(names, ends, rows)
