"""A process that has imported everything, and forks a child for each job, so that hundreds of jobs can be killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json, os, sys
from tests.faults import jobs
print("ready", flush=True)
for line in sys.stdin:
    name, *arguments = json.loads(line)
    pid = os.fork()
    if pid == 0:
        os.setsid()
        getattr(jobs, name)(*arguments)
        os._exit(0)
    print(pid, flush=True)
    print(os.waitpid(pid, 0)[1], flush=True)
"""


class Forks:
    """Starts one job at a time."""

    def __init__(self, process: "subprocess.Popen[str]", log: Path) -> None:
        self._process, self._log = process, log
        self._pid = 0

    def start(self, job: str, *arguments: object) -> None:
        """Start a job: the name of a function in `tests/faults/jobs.py`, and its arguments."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([job, *map(str, arguments)]) + "\n")
        self._process.stdin.flush()
        self._pid = int(self._line())

    def kill(self) -> bool:
        """Kill the job with all its processes; return whether it was still at work."""
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)
        return self._end() == signal.SIGKILL

    def run(self, job: str, *arguments: object) -> float:
        """Run a job to its end; return the seconds. Fails, with what it said, if it has failed."""
        start = time.monotonic()
        self.start(job, *arguments)
        assert self._end() == 0, self._log.read_text()[-3000:]
        return time.monotonic() - start

    def _end(self) -> int:
        return int(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self._log.read_text()[-3000:]
        return line


@contextmanager
def forks(folder: Path) -> Iterator[Forks]:
    """Start the process; what it writes for its own use lies in `folder`."""
    own = {"PATHFINDER_DATA": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    log = folder / "log.txt"
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env=os.environ | own,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        running = Forks(process, log)
        assert running._line() == "ready\n"
        yield running
        assert process.stdin is not None
        process.stdin.close()
