"""Shelves with their earlier versions in one text, for a browser's storage."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self

from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.shelves.shelf import Shelf, merge
from pathfinder.text.strict_json import parse_as, to_json

MAX_VERSIONS = 20
"""Maximum number of versions of a shelf that are stored, for undo."""
MAX_CHARACTERS = 4_000_000
"""Maximum length of the text: browsers store about 5 million characters for a site."""
_FORMAT = "pathfinder shelves 1"


@dataclass(frozen=True, slots=True)
class HistoryFile:
    """Contents of the text: the versions of each shelf, oldest first; `None` where there was no shelf."""

    format: str
    shelves: tuple[tuple[Shelf | None, ...], ...]


_ADAPTER = TypeAdapter(HistoryFile)


@dataclass(frozen=True, slots=True)
class ShelfHistories:
    """The shelves of a visitor, as a frozen value: each change returns a new one."""

    versions: Mapping[str, tuple[Shelf | None, ...]] = field(default_factory=dict)
    """The latest versions of each shelf by name, oldest first, at least one of them a shelf; `None` stands for no
    shelf: before its first change, and after it was deleted.
    """

    def shelves(self) -> tuple[Shelf, ...]:
        """Return all shelves, sorted by name."""
        return tuple(shelf for name in sorted(self.versions) if (shelf := self.versions[name][-1]) is not None)

    def change(self, name: str, change: Callable[[Shelf], Shelf]) -> Self:
        """Change a shelf, or an empty one if there is none with this name."""
        before = self.versions.get(name, (None,))
        old = before[-1] or Shelf(name)
        new = change(old)
        return self if new == old else self._with(name, (*before, new))

    def rename(self, name: str, new: str) -> Self:
        """Give a shelf another name. Raises `UsageError` if there is none with this name, or if the new name is taken,
        even by a shelf that was deleted.
        """
        shelf = replace(self._shelf(name), name=new)
        return self if new == name else self._move(name, new, (*self.versions[name], shelf))

    def delete(self, name: str) -> Self:
        """Delete a shelf; `undo` brings it back. Raises `UsageError` if there is none with this name."""
        self._shelf(name)
        return self._with(name, (*self.versions[name], None))

    def can_undo(self, name: str) -> bool:
        """Return whether an earlier version of a shelf is stored. If not, the one stored version need not be the
        shelf's first, because the oldest versions are dropped.
        """
        return len(self.versions.get(name, ())) > 1

    def undo(self, name: str) -> Self:
        """Undo the last change to a shelf, such as its new name or its deletion, or remove the shelf if that was its
        first change. Raises `UsageError` if there is no such shelf, or if its earlier name is taken.
        """
        if name not in self.versions:
            self._shelf(name)
        rest = self.versions[name][:-1]
        if not any(rest):
            return self._without(name)
        earlier = rest[-1]
        if earlier is None or earlier.name == name:
            return self._with(name, rest)
        return self._move(name, earlier.name, rest)

    def _shelf(self, name: str) -> Shelf:
        shelf = self.versions.get(name, (None,))[-1]
        if shelf is None:
            raise UsageError(f"there is no shelf {name!r}: name one that exists")
        return shelf

    def _with(self, name: str, versions: tuple[Shelf | None, ...]) -> Self:
        return type(self)({**self.versions, name: versions[-MAX_VERSIONS:]})

    def _move(self, name: str, new: str, versions: tuple[Shelf | None, ...]) -> Self:
        if new in self.versions:
            raise UsageError(
                f"the name {new!r} is taken, perhaps by a shelf that was deleted: choose another name, or rename that "
                "shelf"
            )
        return type(self)({**self._without(name).versions, new: versions[-MAX_VERSIONS:]})

    def _without(self, name: str) -> Self:
        return type(self)({other: versions for other, versions in self.versions.items() if other != name})

    def unite(self, later: Self) -> Self:
        """Return these shelves together with those in `later`, which were made without knowledge of these."""
        histories = self
        for shelf in later.shelves():
            histories = histories.change(shelf.name, partial(_merge, shelf))
        return histories

    def text(self) -> str:
        """Return the text for `parse_histories`. Raises `UsageError` if it is too long even with a single version of
        each shelf.
        """
        for n_versions in (MAX_VERSIONS, 5, 1):
            recent = tuple(
                versions for name in sorted(self.versions) if any(versions := self.versions[name][-n_versions:])
            )
            text = to_json(_ADAPTER, HistoryFile(_FORMAT, recent))
            if len(text) <= MAX_CHARACTERS:
                return text
        raise UsageError(
            f"your shelves take up {len(text):,} characters, but a browser stores only {MAX_CHARACTERS:,}: download "
            "them as files, and remove some papers"
        )


def _merge(theirs: Shelf, ours: Shelf) -> Shelf:
    return merge(ours, theirs).shelf


def _name(versions: tuple[Shelf | None, ...]) -> str:
    """Return the most recent name of a shelf."""
    return next(shelf.name for shelf in reversed(versions) if shelf is not None)


def parse_histories(text: str) -> ShelfHistories:
    """Parse the text of `ShelfHistories.text`. Raises `UsageError` for anything else."""
    remedy = "delete this site's data in your browser, or open the page in another browser"
    try:
        file = parse_as(_ADAPTER, text[: MAX_CHARACTERS + 1])
    except (ValueError, UsageError, RecursionError) as error:
        raise UsageError(f"the shelves in this browser cannot be read ({error}): {remedy}") from error
    names = {_name(versions): versions for versions in file.shelves if any(versions)}
    if file.format != _FORMAT or len(names) < len(file.shelves):
        raise UsageError(f"the shelves in this browser are not in the format {_FORMAT!r}: {remedy}")
    return ShelfHistories(names)
