"""What a visitor makes, shelves first: in the data folder for the owner of this machine, otherwise in their browser."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from pathfinder.corpus.manifest import MANIFEST_NAME, corpus_name
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import Shelf, ShelfStore
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.visit_corpus import folder_of_visit
from pathfinder.user_data import Kind, Records, Visit, data_folder

FIRST_NAME = "Starred"
"""Name of the shelf that the first star creates."""
HERE = "are in a file on this machine; browsers that have opened the owner’s link see them."
_RECORDS, _OPEN = "visit-records", "open-shelf"
Store = TypeVar("Store")


@dataclass(frozen=True, slots=True)
class VisitRecords:
    """What a visitor has made for one corpus, in their session; their browser keeps it (`browser_storage.py`)."""

    corpus: str
    """Id of the corpus."""

    def records(self, kind: Kind) -> Records:
        """Return the records of a kind; none if there are none yet."""
        all_records: dict[tuple[str, str], Records] = st.session_state.get(_RECORDS, {})
        return all_records.get((self.corpus, kind.table), Records())

    def keep(self, kind: Kind, records: Records) -> None:
        """Hold these records in place of those before."""
        st.session_state[_RECORDS] = {**st.session_state.get(_RECORDS, {}), (self.corpus, kind.table): records}


def corpus_of_visit() -> CorpusName | None:
    """Return the name of the open corpus; `None` if none is open. Raises `CorpusError` if it cannot be read."""
    folder = folder_of_visit()
    if folder is None:
        return None
    manifest = folder / MANIFEST_NAME
    return _name_of(folder, manifest.stat().st_mtime_ns if manifest.exists() else 0)


@lru_cache(maxsize=16)
def _name_of(folder: Path, changed_ns: int) -> CorpusName:  # noqa: ARG001 - the name is read again when it has changed
    return corpus_name(folder)


def own(store: Callable[[Path | Visit, CorpusName], Store], corpus: CorpusName | None = None) -> Store:
    """Return a store of what this person makes for a corpus, by default the open one: in the data folder for the owner
    of this machine, in their browser for all others. Raises `UsageError` if no corpus is open.
    """
    if corpus is None and (corpus := corpus_of_visit()) is None:
        raise UsageError("no library is open: open one first")
    return store(data_folder(read_settings()) if is_visited_here() else VisitRecords(corpus.ids[0]), corpus)


def own_shelves() -> ShelfStore:
    """Return the shelves of this visitor and the open corpus. Raises `UsageError` if no corpus is open."""
    return own(ShelfStore)


def readable_shelves() -> tuple[Shelf, ...]:
    """Return this visitor's shelves; none if they cannot be read, which the Shelves page reports."""
    try:
        return own_shelves().shelves()
    except PathfinderError:
        return ()


def open_shelf(shelves: Iterable[Shelf]) -> Shelf:
    """Return the shelf for stars: the one opened last, or else the first; empty if it is not stored yet."""
    by_name = {shelf.name: shelf for shelf in shelves}
    name = str(st.session_state.get(_OPEN, next(iter(by_name), FIRST_NAME)))
    return by_name.get(name) or Shelf(name)


def choose(name: str) -> None:
    """Open a shelf."""
    st.session_state[_OPEN] = name


def storing(name: str, value: object, store: Callable[[Any], object]) -> dict[str, Any]:
    """Return the arguments of a widget that shows `value` and gives each new one to `store`. Its key changes when it
    shows something else, after an undo or a change in another tab, so that the widget starts afresh; otherwise, typed
    text is never replaced.
    """
    number = int(st.session_state.get(f"{name}-number", 0))
    now = st.session_state.get(f"{name}-{number}", value)
    if (sorted(now) if isinstance(now, list) else now) != value:
        number += 1
        st.session_state[f"{name}-number"] = number
    key = f"{name}-{number}"
    return {"key": key, "on_change": lambda: store(st.session_state[key])}


def chooser(name: str, shelf: Shelf, shelves: Iterable[Shelf], open_shelf: Callable[[str], object] = choose) -> None:
    """Draw the choice of the open shelf; `name` begins the key of the widget."""
    names = sorted({shelf.name, *(each.name for each in shelves)})
    st.selectbox("Shelf", names, names.index(shelf.name), width=320, **storing(name, shelf.name, open_shelf))


def where(things: str, way_out: str = "") -> None:
    """Say where this person's `things`, such as shelves, are stored; if in their browser, also the `way_out` of it."""
    if is_visited_here():
        st.caption(f"Your {things} {HERE}")
    else:
        only = "nobody else sees them, and another browser does not have them."
        st.caption(f"Your {things} are stored in this browser only: {only} {way_out}")


def change(name: str, changes: Callable[[Shelf], Shelf]) -> bool:
    """Change a shelf when a widget is used; return whether it could be stored, and say why if not."""
    return is_stored(lambda: own_shelves().change(name, changes))


def is_stored(change: Callable[[], object]) -> bool:
    """Make a change when a widget is used; return whether it could be stored, and say why if not."""
    try:
        change()
    except PathfinderError as error:
        st.error(for_markdown(f"This was not stored: {error}"))
        return False
    return True
