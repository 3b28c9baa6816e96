"""Shelves with their earlier versions in one text, for a browser's storage."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Self

from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.shelves.merging import merge
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.strict_json import parse_as, to_json

MAX_VERSIONS = 20
"""Maximum number of versions of a shelf that are stored, for undo."""
MAX_CHARACTERS = 4_000_000
"""Maximum length of the text: browsers store about 5 million characters for a site."""
_FORMAT = "pathfinder shelves 1"


@dataclass(frozen=True, slots=True)
class HistoryFile:
    """Contents of the text: the versions of each shelf, oldest first."""

    format: str
    shelves: tuple[tuple[Shelf, ...], ...]


_ADAPTER = TypeAdapter(HistoryFile)


@dataclass(frozen=True, slots=True)
class ShelfHistories:
    """The shelves of a visitor, as a frozen value: each change returns a new one."""

    versions: Mapping[str, tuple[Shelf, ...]] = field(default_factory=dict)
    """The last versions of each shelf by name, oldest first; never empty."""

    def shelves(self) -> tuple[Shelf, ...]:
        """Return all shelves, by their names."""
        return tuple(self.versions[name][-1] for name in sorted(self.versions))

    def change(self, name: str, change: Callable[[Shelf], Shelf]) -> Self:
        """Change a shelf, or an empty one if there is none with this name."""
        before = self.versions.get(name, ())
        old = before[-1] if before else Shelf(name)
        new = change(old)
        return self if new == old else type(self)({**self.versions, name: (*before, new)[-MAX_VERSIONS:]})

    def can_undo(self, name: str) -> bool:
        """Return whether an earlier version of a shelf is stored; the only one left need not be its first."""
        return len(self.versions.get(name, ())) > 1

    def undo(self, name: str) -> Self:
        """Undo the last change to a shelf, or remove the shelf if that was its first change. Raises `UsageError` if
        there is no such shelf.
        """
        if name not in self.versions:
            raise UsageError(f"there is no shelf {name!r}: name one that exists")
        others = {other: versions for other, versions in self.versions.items() if other != name}
        rest = self.versions[name][:-1]
        return type(self)({**others, name: rest} if rest else others)

    def unite(self, later: Self) -> Self:
        """Return these shelves together with those in `later`, which were made without knowledge of these."""
        united = self
        for shelf in later.shelves():
            united = united.change(shelf.name, partial(_merged, shelf))
        return united

    def text(self) -> str:
        """Return the text for `parse_histories`. Raises `UsageError` if not even the last versions fit."""
        for n_versions in (MAX_VERSIONS, 5, 1):
            recent = tuple(self.versions[name][-n_versions:] for name in sorted(self.versions))
            text = to_json(_ADAPTER, HistoryFile(_FORMAT, recent))
            if len(text) <= MAX_CHARACTERS:
                return text
        raise UsageError(
            f"your shelves take up {len(text):,} characters, but a browser stores only {MAX_CHARACTERS:,}: download "
            "them as files, and remove some papers"
        )


def _merged(theirs: Shelf, ours: Shelf) -> Shelf:
    return merge(ours, theirs).shelf


def parse_histories(text: str) -> ShelfHistories:
    """Parse the text of `ShelfHistories.text`. Raises `UsageError` for anything else."""
    remedy = "delete this site's data in your browser, or open the page in another browser"
    try:
        file = parse_as(_ADAPTER, text[: MAX_CHARACTERS + 1])
    except (ValueError, UsageError, RecursionError) as error:
        raise UsageError(f"the shelves in this browser cannot be read ({error}): {remedy}") from error
    names = {versions[-1].name: versions for versions in file.shelves if versions}
    if file.format != _FORMAT or len(names) < len(file.shelves):
        raise UsageError(f"the shelves in this browser are not in the format {_FORMAT!r}: {remedy}")
    return ShelfHistories(names)
