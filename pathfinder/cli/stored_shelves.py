"""The shelves of a corpus, for the commands that read them."""

from pathlib import Path
from typing import TYPE_CHECKING

from pathfinder.errors import UsageError
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import Shelf, State

if TYPE_CHECKING:
    from pathfinder.shelves.store import ShelfStore


def store_of(folder: Path) -> "ShelfStore":
    """Return the store of the shelves of the corpus in `folder`."""
    from pathfinder.corpus.manifest import corpus_name
    from pathfinder.shelves.store import ShelfStore
    from pathfinder.user_data import data_folder

    return ShelfStore(data_folder(read_settings()), corpus_name(folder))


def ids_on(folder: Path, name: str) -> tuple[str, ...]:
    """Return the ids of the papers on a shelf that are not out. Raises `UsageError` if there are none."""
    ids = store_of(folder).shelf(name).inside
    if not ids:
        raise UsageError(f"the shelf {name!r} is empty, or all its papers are marked as out: add a paper to it")
    return ids


def line_of(shelf: Shelf) -> str:
    """Describe a shelf in one line: its name, and the number of its papers in each state."""
    counts = ((state, sum(paper.state is state for paper in shelf.papers)) for state in State)
    parts = ", ".join(f"{n} {state}" for state, n in counts if n)
    n = len(shelf.papers)
    return f"{shelf.name}: {n} {'paper' if n == 1 else 'papers'}{f' ({parts})' if parts else ''}"
