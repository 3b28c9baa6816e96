"""The lock of a corpus: one process at a time may change it."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pathfinder.errors import CorpusError

LOCK_NAME = ".lock"


@contextmanager
def lock_corpus(folder: Path) -> Iterator[None]:
    """Keep other processes from changing the corpus in `folder` while the context lasts.

    Raises `CorpusError` if another process is changing it.
    """
    with (folder / LOCK_NAME).open("a") as lock:
        try:
            # The operating system releases the lock when the process ends, however that happens.
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CorpusError(f"another build is writing to {folder}: wait until it ends, then build again") from error
        yield
