"""A visitor's shelves: in the data folder for the person at this machine, in their browser for all others."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

import streamlit as st

from pathfinder.corpus.manifest import MANIFEST_NAME, corpus_name
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.session.shelves import OwnShelves
from pathfinder.settings import read_settings
from pathfinder.shelves.histories import ShelfHistories, parse_histories
from pathfinder.shelves.shelf import Shelf
from pathfinder.shelves.store import ShelfStore
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.visit_corpus import folder_of_visit
from pathfinder.user_data import data_folder

FIRST_NAME = "Starred"
"""Name of the shelf that the first star creates."""
_HISTORIES, _OPEN = "visit-shelves", "open-shelf"


class VisitShelves:
    """Shelves in the session, which the browser stores (`browser_storage.py`)."""

    def __init__(self, corpus: str) -> None:
        """`corpus` is the id of the corpus."""
        self.corpus = corpus

    def shelves(self) -> tuple[Shelf, ...]:
        """Return all shelves, by their names."""
        return self.histories().shelves()

    def change(self, name: str, change: Callable[[Shelf], Shelf]) -> Shelf:
        """Change a shelf, or an empty one if none has this name, and return it."""
        after = self.histories().change(name, change)
        self.keep(after)
        return next((shelf for shelf in after.shelves() if shelf.name == name), Shelf(name))

    def rename(self, name: str, new: str) -> Shelf:
        """Rename a shelf to `new`, and return the shelf. Raises `UsageError` if that name is taken."""
        after = self.histories().rename(name, new)
        self.keep(after)
        return next(shelf for shelf in after.shelves() if shelf.name == new)

    def delete(self, name: str) -> None:
        """Delete a shelf; `undo` brings it back."""
        self.keep(self.histories().delete(name))

    def can_undo(self, name: str) -> bool:
        """Return whether the last change to a shelf can be undone without losing anything else."""
        return self.histories().can_undo(name)

    def undo(self, name: str) -> Shelf | None:
        """Undo the last change to a shelf; return the shelf, or `None` if that change had created it."""
        before = self.histories()
        self.keep(before.undo(name))
        return next(iter(before.versions[name][-2:-1]), None)

    def histories(self) -> ShelfHistories:
        """Return the shelves, each with its earlier versions."""
        histories: dict[str, ShelfHistories] = st.session_state.get(_HISTORIES, {})
        return histories.get(self.corpus, ShelfHistories())

    def keep(self, histories: ShelfHistories) -> None:
        """Replace the shelves, and all their earlier versions, with those in `histories`."""
        st.session_state[_HISTORIES] = {**st.session_state.get(_HISTORIES, {}), self.corpus: histories}

    def text(self) -> str:
        """Return all shelves as text for the browser. Raises `UsageError` if not even the latest versions fit."""
        return self.histories().text()

    def take(self, text: str, *, unites: bool) -> None:
        """Take over the shelves that the browser has stored, in place of these or, if `unites`, in addition to them.
        Raises `UsageError` for anything that is not a set of shelves.
        """
        histories = parse_histories(text)
        self.keep(histories.unite(self.histories()) if unites else histories)

    def is_begun(self) -> bool:
        """Return whether this session has had shelves for the corpus."""
        return self.corpus in st.session_state.get(_HISTORIES, {})


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


def own_shelves() -> OwnShelves:
    """Return the shelves of this visitor and the open corpus. Raises `UsageError` if no corpus is open."""
    corpus = corpus_of_visit()
    if corpus is None:
        raise UsageError("no library is open: open one first")
    return ShelfStore(data_folder(read_settings()), corpus) if is_visited_here() else VisitShelves(corpus.ids[0])


def open_shelf(shelves: Iterable[Shelf]) -> Shelf:
    """Return the shelf that stars put papers on: the one opened last, or else the first. If it is not stored yet, it
    is empty.
    """
    by_name = {shelf.name: shelf for shelf in shelves}
    name = str(st.session_state.get(_OPEN, next(iter(by_name), FIRST_NAME)))
    return by_name.get(name) or Shelf(name)


def choose(name: str) -> None:
    """Open a shelf."""
    st.session_state[_OPEN] = name


def begin(name: str) -> bool:
    """Open a new shelf, which is stored with its first paper; return whether it can have this name, and say why if
    not.
    """
    try:
        choose(Shelf(name).name)
    except UsageError as error:
        st.error(for_markdown(str(error)))
        return False
    return True


def widget_key(name: str, value: object) -> str:
    """Return the key of a widget that shows `value`. The key changes when the widget shows something else, after an
    undo or a change in another tab, so that the widget starts afresh; otherwise, typed text is never replaced.
    """
    number = int(st.session_state.get(f"{name}-number", 0))
    now = st.session_state.get(f"{name}-{number}", value)
    if (sorted(now) if isinstance(now, list) else now) != value:
        number += 1
        st.session_state[f"{name}-number"] = number
    return f"{name}-{number}"


def change(name: str, changes: Callable[[Shelf], Shelf]) -> bool:
    """Change a shelf when a widget is used; return whether it could be stored, and say why if not."""
    try:
        own_shelves().change(name, changes)
    except PathfinderError as error:
        st.error(for_markdown(f"This was not stored: {error}"))
        return False
    return True
