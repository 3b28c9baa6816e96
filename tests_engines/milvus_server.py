"""A Milvus server that a test can kill, start again and hold up."""

import os
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.serving import serving

START_SECONDS = 180.0
HEALTH = (9091, "/healthz")


class MilvusServer:
    """A server with its data in a folder of `home`, at `uri` while it runs."""

    uri = "http://127.0.0.1:19530"

    def __init__(self, python: Path, home: Path) -> None:
        """`python` has the wheel `milvus`."""
        self._home = home
        self._command = [str(python), str(Path(__file__).parent / "serve_milvus.py"), str(home / "data")]
        self._pid_file = home / "data" / "pid"
        self._running = ExitStack()

    def start(self) -> None:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self._home)}
        self._pid_file.unlink(missing_ok=True)
        log = self._home / "milvus.log"
        served = serving(
            self._command, HEALTH, log, cwd=self._home, environment=environment, start_seconds=START_SECONDS
        )
        self._running.enter_context(served)
        # A server that starts again reports its health before it takes requests.
        deadline = time.monotonic() + START_SECONDS
        while not self._pid_file.exists() and time.monotonic() < deadline:
            time.sleep(0.1)

    def stop(self) -> None:
        self._running.close()

    @property
    def pid(self) -> int:
        """Number of the server's process."""
        return int(self._pid_file.read_text())

    def kill(self) -> None:
        """End the server as a power cut would."""
        os.kill(self.pid, signal.SIGKILL)
        self.stop()

    @contextmanager
    def held_up(self) -> Iterator[None]:
        """Let the server answer nothing within the context."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)

    @contextmanager
    def without_room(self) -> Iterator[None]:
        """Let every byte that the server adds to a file be refused within the context, as by a full disk."""
        before = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            yield
        finally:
            if Path(f"/proc/{self.pid}").exists():
                resource.prlimit(self.pid, resource.RLIMIT_FSIZE, before)
