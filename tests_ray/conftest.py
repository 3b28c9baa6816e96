"""A real Ray cluster of one machine, which counts as having four cores: Ray waits for ever with fewer free ones.

Nothing here is ever skipped. Ray listens on all addresses of its machine, so that `make soak` gives it a network of its
own, which has nothing but loopback, where the system allows that.
"""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import no_settings_from_outside, only_loopback, own_data_folder
from tests.serving import free_port

__all__ = ["no_settings_from_outside", "only_loopback", "own_data_folder"]

REPOSITORY = Path(__file__).parents[1]
N_CORES = 4
START_SECONDS = 120.0


@dataclass(frozen=True)
class Cluster:
    """A running cluster, and the environment of whoever uses it."""

    address: str
    environment: dict[str, str]

    def actors(self) -> list[int]:
        """Numbers of the processes that embed."""
        own, pids = f"RAY_TMPDIR={self.environment['RAY_TMPDIR']}".encode(), []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if b"ray::ShardActor" in (process / "cmdline").read_bytes():
                    pids += [int(process.name)] if own in (process / "environ").read_bytes() else []
        return pids

    def kill_an_actor(self) -> None:
        """End a process that embeds as a lack of memory would."""
        os.kill(self.actors()[0], signal.SIGKILL)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    log, port = tmp_path_factory.mktemp("ray") / "ray.log", free_port()
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as short:  # sockets have short paths
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join([*os.environ["PYTHONPATH"].split(os.pathsep), str(REPOSITORY)]),
            "HOME": short,
            "RAY_TMPDIR": short,
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
        }
        command = [
            sys.executable,
            "-m",
            "ray.scripts.scripts",
            "start",
            "--head",
            "--block",
            "--num-cpus",
            str(N_CORES),
        ]
        command += ["--node-ip-address", "127.0.0.1", "--port", str(port), "--object-store-memory", str(200 * 2**20)]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "--include-dashboard", "false"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            wait_until(lambda: "Ray runtime started" in log.read_text() or process.poll() is not None, START_SECONDS)
            assert process.poll() is None, log.read_text()
            yield Cluster(f"127.0.0.1:{port}", environment)
        finally:
            process.terminate()  # which ends all processes of the cluster
            process.wait()


def wait_until(is_so: Callable[[], bool], seconds: float) -> None:
    """Fail the test if `is_so` does not become true."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"not so after {seconds:g} s"
        time.sleep(0.05)
