"""LiteLLM's proxy, as its users start it, in a process of its own. Nothing here is ever skipped."""

import http.client
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import browser, free_port, page, serve_app, why_not
from tests.conftest import golden_corpus, no_settings_from_outside, only_loopback, pf

__all__ = ["browser", "golden_corpus", "no_settings_from_outside", "only_loopback", "page", "pf", "serve_app"]

HERE = Path(__file__).parent
LITELLM = HERE.parent / ".venv-wire" / "bin" / "litellm"
START_SECONDS = 120.0
KEY = "sk-proxy"


@pytest.fixture(scope="session")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the proxy, as an SDK takes it."""
    command = [os.environ.get("PATHFINDER_LITELLM", str(LITELLM)), "--config", str(HERE / "proxy.yaml")]
    port, home = free_port(), tmp_path_factory.mktemp("proxy")
    command += ["--host", "127.0.0.1", "--port", str(port), "--telemetry", "False"]
    if not Path(command[0]).is_file():
        pytest.fail(f"there is no proxy at {command[0]}: `make test-wire` installs it")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    # Prices come with the package; the proxy is not to look for newer ones, nor for a .env file.
    environment |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"}
    log = home / "proxy.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=HERE, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        _wait_until_alive(process, port, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture
def tab(page):
    """A tab of a browser, which has to be there."""
    assert why_not() is None
    return page


def _wait_until_alive(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _is_alive(port):
        if process.poll() is not None:
            pytest.fail(f"the proxy ended with status {process.returncode}:\n{log.read_text()}")
        if time.monotonic() > deadline:
            pytest.fail(f"the proxy was not up after {START_SECONDS:g} s:\n{log.read_text()}")
        time.sleep(0.2)


def _is_alive(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health/liveliness")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()
