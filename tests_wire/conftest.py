"""LiteLLM's proxy, as its users start it, in a process of its own. Nothing here is ever skipped."""

import datetime
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pathfinder.building import build
from pathfinder.models.minilm import MiniLM
from tests.browser.conftest import browser, page, pytest_runtest_protocol, serve_app, visits
from tests.conftest import no_settings_from_outside, only_loopback, own_data_folder
from tests.golden import LANDMARKS
from tests.serving import free_port, serving

__all__ = [
    "browser",
    "no_settings_from_outside",
    "only_loopback",
    "own_data_folder",
    "page",
    "pytest_runtest_protocol",
    "serve_app",
    "visits",
]

HERE = Path(__file__).parent
LITELLM = HERE.parent / ".venv-wire" / "bin" / "litellm"
START_SECONDS = 240.0
KEY = "sk-proxy"
QUESTION = "How do galaxies form and grow?"
N_PAPERS = 40


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
    health, log = (port, "/health/liveliness"), home / "proxy.log"
    with serving(command, health, log, cwd=HERE, environment=environment, start_seconds=START_SECONDS) as address:
        yield f"{address}/v1"


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two corpora on galaxies without a paper in common."""
    lines = [line for line in LANDMARKS.read_text(encoding="utf-8").splitlines() if "galax" in line.lower()]
    first, other = (_build(lines[place::2][:N_PAPERS], tmp_path_factory.mktemp("half")) for place in range(2))
    return first, other


def _build(lines: list[str], folder: Path) -> Path:
    source = folder / "papers.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    build([source], folder / "corpus", MiniLM(), snapshot=datetime.date(2025, 1, 1))
    return folder / "corpus"


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """Keeps a picture of a page under a name, where PATHFINDER_PICTURES names a folder for them."""
    folder = os.environ.get("PATHFINDER_PICTURES")

    def take(page: Page, name: str) -> None:
        if folder:
            page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)

    return take
