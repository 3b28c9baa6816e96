"""A shelf file: JSON that holds a whole shelf, for a backup or another reader."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.strict_json import parse_as, to_json

_FORMAT = "pathfinder shelf 1"
_HEAD = 100
_REMEDY = "name a file that `pathfinder shelf export --format json` made"


@dataclass(frozen=True, slots=True)
class ShelfFile:
    """Contents of the file."""

    format: str
    shelf: Shelf


_ADAPTER = TypeAdapter(ShelfFile)


def shelf_text(shelf: Shelf) -> str:
    """Return the contents of a shelf file."""
    return to_json(_ADAPTER, ShelfFile(_FORMAT, shelf))


def is_shelf_file(path: Path) -> bool:
    """Return whether a file begins like a shelf file. Raises `UsageError` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return b'"pathfinder shelf ' in file.read(_HEAD)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name a file of papers") from error


def read_shelf(path: Path) -> Shelf:
    """Read a shelf file. Raises `UsageError` for anything else."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): {_REMEDY}") from error
    return parse_shelf(text, str(path))


def parse_shelf(text: bytes | str, name: str) -> Shelf:
    """Parse the contents of the file called `name`, as `read_shelf` does."""
    try:
        file = parse_as(_ADAPTER, text)
    except (ValueError, UsageError, RecursionError) as error:
        raise UsageError(f"{name} is not the file of a shelf ({error}): {_REMEDY}") from error
    if file.format != _FORMAT:
        raise UsageError(f"{name} has the format {file.format[:40]!r}, not {_FORMAT!r}: {_REMEDY}")
    return file.shelf
