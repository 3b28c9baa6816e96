"""Programs that serve pages or models, as their users start them: each in a process of its own, on loopback."""

import http.client
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def stays() -> Any:
    """Receive nothing: the caller has sent everything, and waits for the reply."""
    await anyio.sleep_forever()


@contextmanager
def serving(
    command: Sequence[str],
    health: tuple[int, str],
    log: Path,
    *,
    cwd: Path,
    environment: Mapping[str, str],
    start_seconds: float,
) -> Iterator[str]:
    """Run `command` until the block ends; its address, once the port and path `health` answer with 200.

    Fails the test, with what the program has said in `log`, where it ends before or takes longer than `start_seconds`.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=cwd, env=dict(environment), stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        deadline = time.monotonic() + start_seconds
        while not _answers(*health):
            if process.poll() is not None:
                pytest.fail(f"{command[0]} ended with status {process.returncode}:\n{log.read_text()}")
            if time.monotonic() > deadline:
                pytest.fail(f"{command[0]} was not up after {start_seconds:g} s:\n{log.read_text()}")
            time.sleep(0.1)
        yield f"http://127.0.0.1:{health[0]}"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()
