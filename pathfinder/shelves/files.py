"""A shelf file: JSON that holds a whole shelf, for a backup or another reader."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.own_files import OwnFile

_FORMAT = "pathfinder shelf 1"
_HEAD = 100


@dataclass(frozen=True, slots=True)
class ShelfFile:
    """Contents of the file."""

    format: str
    shelf: Shelf


_FILE = OwnFile(
    TypeAdapter(ShelfFile), _FORMAT, "shelf", "name a file that `pathfinder shelf export --format json` made"
)


def shelf_text(shelf: Shelf) -> str:
    """Return the contents of a shelf file."""
    return _FILE.text(ShelfFile(_FORMAT, shelf))


def is_shelf_file(path: Path) -> bool:
    """Return whether a file begins like a shelf file. Raises `UsageError` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return b'"pathfinder shelf ' in file.read(_HEAD)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name a file of papers") from error


def read_shelf(path: Path) -> Shelf:
    """Read a shelf file. Raises `UsageError` for anything else."""
    return _FILE.read(path).shelf


def parse_shelf(text: bytes | str, name: str) -> Shelf:
    """Parse the contents of the file called `name`, as `read_shelf` does."""
    return _FILE.parse(text, name).shelf
