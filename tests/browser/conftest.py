"""A real browser, and the app as its users start it.

Without one every test in this folder is skipped, and pytest's last lines say so; with
PATHFINDER_REQUIRE_BROWSER=1, as in .ci/run, a skipped test here is a failed one.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import playwright
import pytest
from _pytest.runner import runtestprotocol
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Download,
    Locator,
    Page,
    Request,
    WebSocket,
    expect,
    sync_playwright,
)
from playwright.sync_api import (
    TimeoutError as TooLate,
)

from pathfinder.ui.shared.own_machine import COOKIE
from pathfinder.user_data.owner import FILE
from tests.browser.scripted import scripted_answers
from tests.serving import free_port, serving
from tests.wire import Act, Wire

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
REQUIRED = os.environ.get("PATHFINDER_REQUIRE_BROWSER") == "1"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # WebGL without a GPU: the map is drawn with it
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--js-flags=--no-maglev --no-opt",  # no page lives long enough for optimised code to pay
    "--process-per-site",  # the pages of a context share a process, which compiles the scripts of Streamlit once
)
START_SECONDS = 180.0
PATIENCE_MS = 90_000
"""Longest wait for anything on a page: a machine at a third of the usual speed, with two browsers open, needs 30 s."""
OWNER = "the-token-of-the-owner-of-all-these-pages"
"""Written beside the readers' work of every app here, and held by every visitor but those from elsewhere."""
expect.set_options(timeout=PATIENCE_MS)
CLICKS = 9
"""How often a press is tried before it is given up, `PATIENCE_MS` in all."""
WARM_UP_MS = 180_000

T = TypeVar("T")
Ask = Callable[..., str]
Serve = Callable[..., str]
"""`serve_app(corpus, secrets, **environment)` starts the app on a corpus folder, with `secrets` as the text of its
`.streamlit/secrets.toml`, and returns its address."""


def find_chromium() -> str | None:
    """The browser that PATHFINDER_CHROMIUM names, else the first that is installed."""
    return os.environ.get("PATHFINDER_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def why_not() -> str | None:
    """What is missing for a test in a browser; `None` when nothing is."""
    if find_chromium() is None:
        return f"no browser: none of {', '.join(BROWSERS)} is installed and PATHFINDER_CHROMIUM is not set"
    node = Path(playwright.__file__).parent / "driver" / "node"
    driver = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return f"no browser: playwright's driver does not start: {driver.stderr.strip()}" if driver.returncode else None


def until(seen: Locator, act: Callable[[], object]) -> None:
    """Do `act` until `seen` is there: what is just being drawn again loses a click, a hover, a key or a file."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:
        with suppress(AssertionError, TooLate):
            act()
            expect(seen.first).to_be_visible(timeout=PATIENCE_MS / CLICKS)
        if seen.first.is_visible():
            return
    pytest.fail(f"{seen} was not there, however often it was asked for")


def eventually(page: Page, read: Callable[[], T], is_right: Callable[[T], object]) -> T:
    """What is read as soon as it is right: a place, a picture, or whatever else no locator can wait for."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not is_right(value := read()):
        assert time.monotonic() < deadline, f"still {value!r:.200}"
        page.wait_for_timeout(50)
    return value


def download(button: Locator, ending: str = "") -> Download:
    """Press a button until its file comes: that of a button that is just drawn again is gone, or comes late."""

    def is_ours(file: Download) -> bool:
        return bool(file.suggested_filename.endswith(ending))

    for _ in range(CLICKS):
        with suppress(TooLate):
            with button.page.expect_download(is_ours, timeout=PATIENCE_MS / CLICKS) as saved:
                button.click()
            return saved.value
    pytest.fail(f"{button} gave no file in {CLICKS} tries")


def choose_tab(page: Page, name: str) -> None:
    tab = page.get_by_role("tab", name=name, exact=True)
    until(page.get_by_role("tab", name=name, exact=True, selected=True), tab.click)


def choose_option(page: Page, box: Locator, typed: str, name: str) -> None:
    """Type into a list until an option is there, and choose it: a list that is just being drawn again closes."""
    option = page.get_by_role("option", name=name)
    for _ in range(CLICKS):
        box.click()
        box.fill("")
        box.press_sequentially(typed)
        with suppress(AssertionError, TooLate):
            expect(option).to_be_visible(timeout=PATIENCE_MS / CLICKS)
            option.click(timeout=PATIENCE_MS / CLICKS)
            return
        box.press("Escape")
    pytest.fail(f"the option {name} did not appear in {CLICKS} tries")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and skip each of them by name where they cannot run."""
    reason = why_not()
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("browser")
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))
    items.sort(key=lambda item: not item.path.is_relative_to(HERE))  # those that take longest begin first


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a browser is required, turn every skip in this folder, whatever its reason, into a failure."""
    report = yield
    if REQUIRED and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped, and PATHFINDER_REQUIRE_BROWSER is set: {report.longrepr}"
    return report


MOST_TRIED_AGAIN = 3
"""More failures than these in one run are no bad luck."""
tried_again: list[str] = []


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Try a test in a browser that fails once more, and say so: a busy machine loses a press on what is being drawn
    in more ways than the tests foresee. What is broken fails twice, and of many failures only the first get a try.
    """
    if not isinstance(item, pytest.Function) or "browser" not in item.fixturenames:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed for report in reports) and len(tried_again) < MOST_TRIED_AGAIN:
        tried_again.append(item.nodeid)
        faults = "\n".join(report.longreprtext for report in reports if report.failed)
        print(f"\nTRIED AGAIN {item.nodeid}\n{faults[-4000:]}", file=sys.__stderr__, flush=True)
        item._initrequest()  # fixtures of the test itself are made anew
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for the tests of this folder alone: others would trip over the event loop that runs in this thread
    while it is open.
    """
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def visits(browser: Browser) -> Iterator[BrowserContext]:
    """Where the pages of all tests are opened, one visitor after the other."""
    with visitor(browser, viewport={"width": 1280, "height": 900}, accept_downloads=True) as context:
        become_owner(context)
        yield context


@contextmanager
def visitor(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    """A visitor who shares nothing with those of `page`, as patient as they are."""
    with browser.new_context(**options) as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context


@pytest.fixture
def page(visits: BrowserContext) -> Iterator[Page]:
    """An empty tab of a new visitor; in the end, no script has failed and nothing beyond loopback was asked for."""
    failures: list[str] = []
    origins: set[tuple[str, str | None, int | None]] = set()

    def notice(message: Request | WebSocket) -> None:
        address = urlsplit(message.url)
        origins.add((address.scheme, address.hostname, address.port))

    page = visits.new_page()
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("request", notice)
    page.on("websocket", notice)
    yield page
    forget(visits, {f"http://{host}:{port}" for scheme, host, port in origins if scheme == "http"})
    assert not failures
    assert {host for _, host, _ in origins} <= {"127.0.0.1", None}  # data: and blob: addresses have no host


def become_owner(context: BrowserContext) -> None:
    """Give a browser what the link that the server prints would give it."""
    context.add_cookies([{"name": COOKIE, "value": OWNER, "domain": "127.0.0.1", "path": "/", "sameSite": "Strict"}])


def come_from_elsewhere(context: BrowserContext) -> None:
    """Make a browser that of a visitor from elsewhere, who has not opened the owner's link and comes by a proxy. Not
    every Chromium says so when it opens the connection by which the page is sent.
    """
    context.clear_cookies()
    context.set_extra_http_headers({"X-Forwarded-For": "192.0.2.1"})


def forget(visits: BrowserContext, origins: set[str]) -> None:
    """Leave nothing of a visitor; the first page stays open, and with it the process that has the scripts."""
    visits.set_offline(offline=False)
    visits.set_extra_http_headers({})
    visits.clear_cookies()
    first, *others = visits.pages
    for other in others:
        other.close()
    first.goto("about:blank")
    session = visits.new_cdp_session(first)
    for origin in origins:
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()
    become_owner(visits)  # clearing an origin takes its cookies too


@pytest.fixture(scope="session")
def serve_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Starts the app on a corpus folder, once for each combination of folder, secrets and environment."""
    addresses: dict[tuple[Path, str, tuple[tuple[str, str], ...]], str] = {}
    with ExitStack() as running:

        def serve(corpus: Path, secrets: str = "", **environment: str) -> str:
            key = corpus, secrets, tuple(sorted(environment.items()))
            if key not in addresses:
                home = tmp_path_factory.mktemp("home")
                if secrets:
                    (home / ".streamlit").mkdir()
                    (home / ".streamlit" / "secrets.toml").write_text(secrets, encoding="utf-8")
                addresses[key] = running.enter_context(
                    served_script({"PATHFINDER_CORPUS": str(corpus)} | environment, home)
                )
            return addresses[key]

        yield serve


@pytest.fixture
def app(serve_app: Serve, golden_corpus: Path) -> str:
    """Address of the app on the golden corpus."""
    return serve_app(golden_corpus)


@pytest.fixture(scope="package")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def data(data_folder: Path) -> Path:
    """The folder in which the app at `data_app` stores what its owner makes; there is nothing in it yet."""
    for path in data_folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != FILE:
            path.unlink()
    return data_folder


@pytest.fixture
def data_app(serve_app: Serve, golden_corpus: Path, data: Path) -> str:
    return serve_app(golden_corpus, PATHFINDER_DATA=str(data))


@pytest.fixture(scope="package")
def wire() -> Iterator[Wire]:
    with Wire(scripted_answers()) as wire:
        yield wire


@pytest.fixture(scope="package")
def served(browser: Browser, serve_app: Serve, golden_corpus: Path, wire: Wire) -> Ask:
    """The app with a chat model that does what it is told to: `served(act, corpus)`.

    One app serves all tests, and it remembers replies: each test asks for another number of papers.
    """
    warm_apps: set[str] = set()

    def start(act: Act, corpus: Path = golden_corpus) -> str:
        app = serve_app(
            corpus,
            PATHFINDER_CHAT_MODEL="openai:scripted",
            PATHFINDER_CHAT_BASE_URL=wire.url,
            OPENAI_API_KEY="k",
        )
        if app not in warm_apps:
            warm_up(app)
        wire.plan[:] = [act]
        return app

    def warm_up(app: str) -> None:
        """Ask a first question, which waits until all is loaded, so that no test does."""
        warm_apps.add(app)
        with visitor(browser) as context:
            first = context.new_page()
            wire.plan[:] = [scripted_answers()]
            first.goto(f"{app}/?{urlencode({'q': 'What is the value of the Hubble constant?', 'k': 11})}")
            first.locator('.st-key-answer a[href^="#paper-"]:visible').first.wait_for(timeout=WARM_UP_MS)
            expect(first.locator(".st-key-stop-answer, .st-key-stop-consensus")).to_have_count(0)

    return start


@pytest.fixture
def serve_alone(tmp_path: Path) -> Iterator[Callable[[Path], str]]:
    """Starts the app on a corpus folder, for one test: nobody has opened a page of it."""
    with ExitStack() as running:
        yield lambda corpus: running.enter_context(served_script({"PATHFINDER_CORPUS": str(corpus)}, tmp_path))


@pytest.fixture
def serve_script(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Starts a script of the tests' own, named from the root."""
    with ExitStack() as running:
        yield lambda script: running.enter_context(served_script({"PYTHONPATH": str(ROOT)}, tmp_path, script))


@contextmanager
def served_script(environment: dict[str, str], home: Path, script: str = "app.py") -> Iterator[str]:
    """A script in a process of its own, with a home folder of its own and no key that is not in `environment`."""
    port = free_port()
    if script == "server.py":
        command = [sys.executable, script, f"--port={port}"]
    else:
        command = [sys.executable, "-m", "streamlit", "run", script, "--server.address=127.0.0.1"]
        command += [f"--server.port={port}", "--server.headless=true"]
    threads = {name: os.environ[name] for name in os.environ.keys() & {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}}
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)} | threads | environment
    data = Path(environment.get("PATHFINDER_DATA") or home / ".local" / "share" / "pathfinder")
    data.mkdir(parents=True, exist_ok=True)
    (data / FILE).write_text(OWNER, encoding="ascii")
    health, log = (port, "/_stcore/health"), home / "app.log"
    with serving(command, health, log, cwd=ROOT, environment=environment, start_seconds=START_SECONDS) as address:
        yield address
