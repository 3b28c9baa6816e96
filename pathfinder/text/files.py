"""Writes files: whole or not at all, and for their owner alone if they hold readers' work.

A file is written next to the one that it replaces, and takes its name only when it is on disk. If that fails, because
the disk is full or the folder may not be written, the earlier file stays as it was, and nothing is left beside it. A
file in a format of Pathfinder's own is JSON that names its format, so that files in any other format are refused.
"""

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from pydantic import TypeAdapter

from pathfinder.errors import StoreError, UsageError, shortage
from pathfinder.text.strict_json import has_half_characters, parse_as, parse_json, to_json

_UNFINISHED = re.compile(r"\.[0-9a-f]{16}\.new")
_CANNOT_SYNC = (errno.EINVAL, errno.EBADF, errno.EACCES, errno.ENOTSUP)
"""Errors of systems that cannot flush the list of names in a folder."""
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""Permissions of readers' work: only the user who runs Pathfinder may read it, whatever the umask is."""


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Yield the path of an empty file next to `path`, which takes its place once the block has filled it.

    The new file has the permissions of the old one, or those that the umask allows; with `private`, only its owner may
    read it. A link stays, and the file to which it leads is replaced. Raises `StoreError` if the file cannot be
    written; `path` is then as it was.
    """
    target = path.resolve() if path.is_symlink() else path
    unfinished = target.with_name(f".{secrets.token_hex(8)}.new")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE if private else 0o666))
        if not private and target.exists():
            unfinished.chmod(stat.S_IMODE(target.stat().st_mode))
        yield unfinished
        sync(unfinished)
        unfinished.replace(target)
        sync(target.parent)
    except OSError as error:
        if error.filename is not None and Path(os.fsdecode(error.filename)).parent != target.parent:
            raise  # a file that was being read meanwhile
        raise StoreError(
            f"{path} cannot be written ({reason_of(error)}), so nothing was changed: {_way_out(error)}"
        ) from error
    finally:
        with suppress(OSError):
            unfinished.unlink()


def write_file(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file as `replacing` does; text is encoded as UTF-8. What is no file, such as a pipe, is written to."""
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return
    with replacing(path, private=private) as unfinished:
        unfinished.write_bytes(data)


def is_unfinished(name: str) -> bool:
    """Return whether a file with this name is what a process that was killed while writing has left behind."""
    return _UNFINISHED.fullmatch(name) is not None


def remove_unfinished(folder: Path) -> None:
    """Delete what processes that were killed while writing have left in `folder`, which nobody else may be changing."""
    for path in folder.iterdir():
        if is_unfinished(path.name):
            path.unlink()


def sync(path: Path) -> None:
    """Wait until `path` is on disk: the content of a file, or the list of names in a folder if the system can do it."""
    is_folder = path.is_dir()
    try:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        if not is_folder or error.errno not in _CANNOT_SYNC:
            raise


def private_folder(folder: Path) -> Path:
    """Make a folder that only its owner may open, or close an existing one to others; return it.

    A folder that belongs to somebody else, or that many share as they do /tmp, is left as it is.
    """
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    status = folder.stat()
    is_own = status.st_uid == os.geteuid() and not status.st_mode & stat.S_ISVTX
    if is_own and stat.S_IMODE(status.st_mode) & ~PRIVATE_FOLDER:
        folder.chmod(PRIVATE_FOLDER)
    return folder


def private_file(path: Path) -> Path:
    """Make an empty file that only its owner may read, or close an existing one to others; return its path."""
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY, PRIVATE_FILE))
    close_to_others(path)
    return path


def close_to_others(path: Path) -> None:
    """Let only the owner read an existing file; a file that is missing or belongs to somebody else stays as it is."""
    with suppress(FileNotFoundError):
        status = path.stat()
        if status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) & ~PRIVATE_FILE:
            path.chmod(PRIVATE_FILE)


def reason_of(error: OSError) -> str:
    """Return the reason of an error in the words of the system."""
    return error.strerror or " ".join(str(error).split())


def _way_out(error: OSError) -> str:
    if shortage(error) == "disk":
        return "free some space, or name a place on another disk"
    if error.errno == errno.ENOENT:
        return "make its folder first, or name a file in another one"
    return "check its folder, the permissions and the free disk space, or name another place"


class NamedFormat(Protocol):
    """Contents of a file that names its format."""

    @property
    def format(self) -> str:
        """Name of the format, such as "pathfinder shelf 1"."""


Contents = TypeVar("Contents", bound=NamedFormat)


@dataclass(frozen=True, slots=True)
class OwnFile(Generic[Contents]):
    """A file format, and the kind of contents that its files have."""

    adapter: TypeAdapter[Contents]
    format: str
    noun: str
    """Word for the contents of a file, such as "shelf"."""
    remedy: str
    """Advice, at the end of error messages, on what to do about a file that cannot be used."""
    max_characters: int | None = None

    def text(self, contents: Contents) -> str:
        """Return `contents` as the text of a file in this format."""
        return to_json(self.adapter, contents)

    def read(self, path: Path) -> Contents:
        """Read a file in this format. Raises `UsageError` for any other file."""
        try:
            text = path.read_bytes()
        except OSError as error:
            raise UsageError(f"{path} cannot be read ({error.strerror}): {self.remedy}") from error
        return self.parse(text, str(path))

    def parse(self, text: bytes | str, name: str) -> Contents:
        """Parse the text of the file called `name`, as `read` does."""
        if self.max_characters is not None and len(text) > self.max_characters:
            raise UsageError(
                f"{name} has {len(text):,} characters, and a {self.noun} has at most {self.max_characters:,}: "
                f"{self.remedy}"
            )
        try:
            contents = parse_as(self.adapter, text)
            is_broken = has_half_characters(parse_json(text if isinstance(text, str) else text.decode()))
        except (ValueError, UsageError, RecursionError) as error:
            raise UsageError(f"{name} is not the file of a {self.noun} ({error}): {self.remedy}") from error
        if is_broken or contents.format != self.format:
            other = f"the format {contents.format[:40]!r}, not {self.format!r}"
            fault = "half a surrogate pair in it" if is_broken else other
            raise UsageError(f"{name} has {fault}: {self.remedy}")
        return contents
