"""Reads a file in a process of its own, with limits on memory and time: what comes from outside may be hostile."""

import resource
import sys
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired

from pydantic import TypeAdapter, ValidationError

from pathfinder.errors import CorpusError, PathfinderError
from pathfinder.fulltext.document import Document
from pathfinder.fulltext.roads import read_document

MAX_MEMORY = 2 << 30
"""Limit on the address space of the process [bytes]."""
MAX_SECONDS = 120
"""Limit on the time that a file may take."""
MAX_REPLY_BYTES = 64 << 20
PROGRAM = (sys.executable, "-P", "-m", "pathfinder.fulltext.child")

_DOCUMENT = TypeAdapter(Document)
_REFUSED = 3
"""Exit status of a process that says on standard error why the file cannot be read."""


def read_apart(path: Path, seconds: float = MAX_SECONDS, program: tuple[str, ...] = PROGRAM) -> Document:
    """Read the full text of a file in another process.

    Raises `CorpusError` with the reason if the file cannot be read, or takes more time or memory than it may.
    """
    if not path.is_file():
        raise CorpusError(f"{path} is not a file")
    with Popen((*program, str(path.resolve())), stdout=PIPE, stderr=PIPE) as process:  # noqa: S603  our own program
        try:
            reply, complaint = process.communicate(timeout=seconds)
        except TimeoutExpired:
            process.kill()
            raise CorpusError(f"{path.name} took more than {seconds:g} s to read, and was left out") from None
    if process.returncode == _REFUSED:
        raise CorpusError(complaint.decode("utf-8", "replace").strip())
    if process.returncode:
        raise CorpusError(
            f"{path.name} could not be read: its reader ended with status {process.returncode}, perhaps because it "
            f"needs more than {MAX_MEMORY >> 20} MB"
        )
    try:
        return _DOCUMENT.validate_json(reply)
    except ValidationError as error:
        raise CorpusError(f"{path.name} could not be read: the reply of its reader is cut short") from error


def main() -> None:
    """Read the file that the arguments name, and write its text as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    path = Path(sys.argv[1])
    try:
        reply = _DOCUMENT.dump_json(read_document(path))
    except (PathfinderError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(_REFUSED)
    except (MemoryError, RecursionError):
        sys.stderr.write(f"{path.name} needs more memory than the {MAX_MEMORY >> 20} MB that its reader may use\n")
        sys.exit(_REFUSED)
    if len(reply) > MAX_REPLY_BYTES:
        sys.stderr.write(f"{path.name} has more than {MAX_REPLY_BYTES >> 20} MB of text\n")
        sys.exit(_REFUSED)
    sys.stdout.buffer.write(reply)


if __name__ == "__main__":
    main()
