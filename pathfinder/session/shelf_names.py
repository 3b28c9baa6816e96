"""Names of shelves, which their review drafts share: a draft is renamed whenever its shelf is."""

from typing import Protocol

from pathfinder.drafts.store import DraftStore
from pathfinder.shelves.shelf import Shelf


class NamedShelves(Protocol):
    """The shelves that a person keeps for a corpus: a `ShelfStore`, or the shelves of a visitor."""

    def rename(self, name: str, new: str) -> Shelf:
        """Rename a shelf, and return it. Raises `UsageError` if the new name is taken."""

    def undo(self, name: str) -> Shelf | None:
        """Undo the last change to a shelf; return the shelf, or `None` if that change had created it."""


def rename_shelf(shelves: NamedShelves, drafts: DraftStore, name: str, new: str) -> Shelf:
    """Rename a shelf, and its draft if it has one, and return the shelf. Raises `UsageError` if there is no shelf
    `name`, or if another shelf or draft already has the new name.
    """
    if new != name:
        drafts.check_free(new)
    shelf = shelves.rename(name, new)
    _follow(drafts, name, shelf)
    return shelf


def undo_shelf(shelves: NamedShelves, drafts: DraftStore, name: str) -> Shelf | None:
    """Undo the last change to a shelf, as `shelves.undo` does; if that restores an earlier name of the shelf, its draft
    gets the same name.
    """
    shelf = shelves.undo(name)
    _follow(drafts, name, shelf)
    return shelf


def _follow(drafts: DraftStore, name: str, shelf: Shelf | None) -> None:
    if shelf is not None and shelf.name != name:
        drafts.rename(name, shelf.name)
