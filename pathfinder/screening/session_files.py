"""A screening's file: JSON, replaced as a whole after each decision, so that a crash loses none."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.screening.decisions import Screening
from pathfinder.text.files import write_file
from pathfinder.text.own_files import OwnFile

_FORMAT = "pathfinder screening 1"


@dataclass(frozen=True, slots=True)
class SessionFile:
    """Contents of the file."""

    format: str
    corpus: str
    """Folder of the corpus."""
    screening: Screening


_FILE = OwnFile(
    TypeAdapter(SessionFile), _FORMAT, "screening", "name a file that the Screen page or `pathfinder screen start` made"
)


def create_session(path: Path, corpus: Path, screening: Screening) -> None:
    """Write the file of a new screening. Raises `UsageError` if there is already a file at `path`."""
    if path.exists():
        raise UsageError(f"{path} already exists: name a new file, or continue with `pathfinder screen next {path}`")
    write_session(path, corpus, screening)


def write_session(path: Path, corpus: Path, screening: Screening) -> None:
    """Write a screening's file in place of the earlier one. Raises `StoreError` if it cannot be written; the
    earlier file is then unchanged.
    """
    write_file(path, session_text(corpus, screening), private=True)


def session_text(corpus: Path, screening: Screening) -> str:
    """Return the contents of a screening's file."""
    return _FILE.text(SessionFile(_FORMAT, str(corpus), screening))


def read_session(path: Path) -> tuple[Path, Screening]:
    """Read a screening, and the folder of its corpus, from its file. Raises `UsageError` for any other file."""
    session = _FILE.read(path)
    return Path(session.corpus), session.screening


def parse_session(text: bytes, name: str) -> tuple[Path, Screening]:
    """Parse the contents of the file called `name`, as `read_session` does."""
    session = _FILE.parse(text, name)
    return Path(session.corpus), session.screening
