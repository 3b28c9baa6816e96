"""Reads a file in a separate process, with limits on memory and time, because files from outside may be hostile."""

import resource
import sys
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired

from pydantic import TypeAdapter, ValidationError

from pathfinder.errors import CorpusError, PathfinderError
from pathfinder.fulltext.document import Document
from pathfinder.fulltext.formats import read_document
from pathfinder.fulltext.pdf.page_reader import (
    SECONDS_A_PICTURE,
    PageReader,
    PicturesNeeded,
    is_installed,
    postpone,
    rapid_reader,
)

MAX_MEMORY = 2 << 30
"""Limit on the address space of the process [bytes]."""
MAX_SECONDS = 120
"""Limit on the time for reading a file [seconds]."""
MAX_REPLY_BYTES = 64 << 20
PROGRAM = (sys.executable, "-P", "-m", "pathfinder.fulltext.child")

_DOCUMENT = TypeAdapter(Document)
REFUSAL_STATUS = 3
"""Exit status of a process of ours that has written to standard error why a file cannot be read."""
_PICTURES = 4
"""Exit status of a process that needs more time to recognise pages, and has written their number to standard error."""
_WITH_PICTURES = "--pictures"


def read_apart(path: Path, seconds: float = MAX_SECONDS, program: tuple[str, ...] = PROGRAM) -> Document:
    """Read the full text of a file in another process; pages without text are recognised if `pathfinder[ocr]` is
    installed.

    Raises `CorpusError` with the reason if the file cannot be read, or exceeds the limits on time or memory.
    """
    if not path.is_file():
        raise CorpusError(f"{path} is not a file")
    status, reply, complaint = run_apart((*program, str(path.resolve())), seconds, path.name)
    if status == _PICTURES:
        longer = seconds + SECONDS_A_PICTURE * int(complaint)
        status, reply, complaint = run_apart((*program, str(path.resolve()), _WITH_PICTURES), longer, path.name)
    if status == REFUSAL_STATUS:
        raise CorpusError(complaint.decode("utf-8", "replace").strip())
    if status:
        raise CorpusError(
            f"{path.name} could not be read: its reader ended with status {status}, perhaps because it needs more than "
            f"{MAX_MEMORY >> 20} MB"
        )
    try:
        return _DOCUMENT.validate_json(reply)
    except ValidationError as error:
        raise CorpusError(f"{path.name} could not be read: the reply from its reader was cut short") from error


def run_apart(command: tuple[str, ...], seconds: float, name: str) -> tuple[int, bytes, bytes]:
    """Return the exit status, output and error message of a process that reads the file `name`. Raises `CorpusError` if
    this takes more than `seconds`.
    """
    with Popen(command, stdout=PIPE, stderr=PIPE) as process:  # noqa: S603  our own program
        try:
            reply, complaint = process.communicate(timeout=seconds)
        except TimeoutExpired:
            process.kill()
            raise CorpusError(f"{name} took more than {seconds:g} s to read, and was left out") from None
    return process.returncode, reply, complaint


def limit_memory() -> None:
    """Limit the address space of this process, which reads what may be hostile."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def main() -> None:
    """Read the file named in the arguments, and write its text as JSON."""
    limit_memory()
    path = Path(sys.argv[1])
    try:
        reply = _DOCUMENT.dump_json(read_document(path, _page_reader(_WITH_PICTURES in sys.argv[2:])))
    except PicturesNeeded as needed:
        sys.stderr.write(str(needed.count))
        sys.exit(_PICTURES)
    except (PathfinderError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(REFUSAL_STATUS)
    except (MemoryError, RecursionError):
        sys.stderr.write(f"{path.name} needs more than the {MAX_MEMORY >> 20} MB of memory that its reader may use\n")
        sys.exit(REFUSAL_STATUS)
    if len(reply) > MAX_REPLY_BYTES:
        sys.stderr.write(f"{path.name} has more than {MAX_REPLY_BYTES >> 20} MB of text\n")
        sys.exit(REFUSAL_STATUS)
    sys.stdout.buffer.write(reply)


def _page_reader(has_time: bool) -> PageReader | None:
    if not is_installed():
        return None
    return rapid_reader() if has_time else postpone


if __name__ == "__main__":
    main()
