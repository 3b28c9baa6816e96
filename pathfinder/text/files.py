"""Writes files: whole or not at all, and for their owner alone if they hold readers' work.

A file is written next to the one that it replaces, and takes its name only when it is on disk. If that fails, because
the disk is full or the folder may not be written, the earlier file stays as it was, and nothing is left beside it.
"""

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pathfinder.errors import StoreError, shortage

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
