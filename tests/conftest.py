"""What holds for every test: no network, no keys, no luck."""

import datetime
import gc
import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import hypothesis
import numpy as np
import pytest
from filelock import FileLock
from hypothesis.internal.conjecture import providers
from numpy.typing import NDArray
from pydantic import AliasChoices
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from xdist.remote import Producer
from xdist.scheduler.loadfile import LoadFileScheduling

from pathfinder.building import build
from pathfinder.building.directory import BuildDirectory
from pathfinder.facade import Pathfinder
from pathfinder.landscape.density import Extent
from pathfinder.landscape.drawing import terrain
from pathfinder.landscape.drawing.terrain import draw_tiles
from pathfinder.models.minilm import MiniLM
from pathfinder.settings import Settings
from tests import golden, guard

BuiltOnce: TypeAlias = Callable[[str, Callable[[Path], None]], Path]

guard.install()

# The same examples in every run, whatever constants the sources hold; a slow machine is no failure.
providers.is_local_module_file = lambda _: False
hypothesis.settings.register_profile("pathfinder", derandomize=True, deadline=None)
hypothesis.settings.load_profile("pathfinder")


class BrowserTestsTogether(LoadFileScheduling):
    """Gives each file to a worker, and all that need a browser to the same one: they share it and its apps, and no two
    browsers are open at a time.
    """

    def _split_scope(self, nodeid: str) -> str:
        return "tests/browser" if nodeid.startswith("tests/browser/") else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """Schedule by files, as the Makefile asks, but for the tests in a browser."""
    return BrowserTestsTogether(config, log) if config.option.dist == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the garbage collector rest while the tests are found, and skip what was made then: it never becomes garbage,
    and each full collection would visit millions of objects.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that need a corpus built first, and leave out the long ones unless `-m soak` asks for them."""
    for item in items:
        if {"built_once", "make"} & set(getattr(item, "fixturenames", ())):  # `make` of tests/building
            item.add_marker("build")
    if "soak" not in config.option.markexpr:
        long = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Say at once what failed and why: a run that is ended from outside never comes to its summary."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\nFAILED {report.nodeid}\n{report.longreprtext[-4000:]}", file=sys.__stderr__, flush=True)


@pytest.fixture(scope="module")
def collector_rests() -> Iterator[None]:
    """No collection during a file of tests: it would visit all nodes of all syntax trees, a few thousand new ones at a
    time, and parsing would take four times as long.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


builds: list[Path] = []
"""Folders in which corpora were built since the last test."""


@pytest.fixture(scope="session", autouse=True)
def noticed_builds() -> Iterator[None]:
    """List each folder in which a build begins."""
    begin = BuildDirectory.__init__

    def notice(directory: BuildDirectory, corpus: Path, staging: Path) -> None:
        builds.append(corpus)
        begin(directory, corpus, staging)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BuildDirectory, "__init__", notice)
        yield


@pytest.fixture(autouse=True)
def builds_are_marked(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that builds a corpus and is not marked so: the quick half has no builds."""
    yield
    folders, builds[:] = list(builds), []
    assert not folders or request.node.get_closest_marker("build"), f"mark this test with `build`: it built {folders}"


def one_tile(coordinates: NDArray[np.float32], extent: Extent) -> list[bytes]:
    """A coarse tile of the whole map in place of all 341, which take two seconds of each build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terrain, "RASTER_ZOOM", 0)
        return [next(draw_tiles(coordinates, extent))] * terrain.N_TILES


@pytest.fixture(scope="session", autouse=True)
def one_tile_is_drawn() -> Iterator[None]:
    """Draw one tile wherever a test builds a corpus; those of `built_once` have all of theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terrain, "draw_tiles", one_tile)
        yield


@pytest.fixture(scope="module")
def all_tiles() -> Iterator[None]:
    """Draw every tile, as outside the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terrain, "draw_tiles", draw_tiles)
        yield


@pytest.fixture(autouse=True)
def only_loopback() -> Iterator[None]:
    """Fail a test that tried to leave this machine, also where a library swallowed the refusal."""
    yield
    attempts, guard.attempts[:] = list(guard.attempts), []
    assert not attempts, f"tried to leave this machine: {', '.join(attempts)}"


FOR_TESTS = {f"PATHFINDER_{name}" for name in ("REQUIRE_BROWSER", "CHROMIUM", "MILVUS_PYTHON", "LITELLM", "PICTURES")}
"""Environment variables that are no settings, but say what tests need, or where it is."""


def variables() -> Iterator[str]:
    """The environment variables that settings come from, also those of add-ons."""
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        names = alias.choices if isinstance(alias, AliasChoices) else [alias or f"PATHFINDER_{name.upper()}"]
        yield from map(str, names)
    yield from (name for name in os.environ if name.startswith("PATHFINDER_") and name not in FOR_TESTS)
    yield "LANGSMITH_TRACING"


# As in the page's own options, which Streamlit's AppTest does not read.
os.environ["STREAMLIT_GLOBAL_DISABLE_WIDGET_STATE_DUPLICATION_WARNING"] = "true"
for make in (AppTest.from_file, AppTest.from_function, AppTest.from_string):  # a slow machine is no failure here either
    make.__func__.__kwdefaults__["default_timeout"] = 300  # type: ignore[attr-defined]

# For each page, Streamlit would read the metadata of all installed packages, of which none brings components.
manifest_scanner.scan_component_manifests = list

VARIABLES = frozenset(variables())


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the person who runs the tests has made is neither seen nor changed by them, or by the processes that they
    start.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.delenv("PATHFINDER_DATA", raising=False)
        yield


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the person who runs the tests has set (a key, a corpus) is not seen by them."""
    for variable in VARIABLES & os.environ.keys():
        monkeypatch.delenv(variable)


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> BuiltOnce:
    """`built_once(name, fill)` is a folder that `fill` has filled, by whichever worker came first."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent  # each worker's own folder lies in the one of the run

    def folder(name: str, fill: Callable[[Path], None]) -> Path:
        place, filled = root / name, root / f"{name}.filled"
        with FileLock(root / f"{name}.lock"):
            if not filled.exists():
                place.mkdir()
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(terrain, "draw_tiles", draw_tiles)
                    fill(place)
                filled.touch()
        return place

    return folder


@pytest.fixture(scope="session")
def golden_corpus(built_once: BuiltOnce) -> Path:
    """The folder of the golden corpus, built once by the real thing."""

    def fill(folder: Path) -> None:
        source = golden.write_golden(folder / "golden.jsonl")
        build([source], folder / "corpus", MiniLM(), snapshot=datetime.date(2025, 1, 1))

    return built_once("golden", fill) / "corpus"


@pytest.fixture(scope="session")
def landmarks_corpus(built_once: BuiltOnce) -> Path:
    """The folder of the corpus that ships, built once."""

    def fill(folder: Path) -> None:
        report = build([golden.DEMO], folder / "corpus", MiniLM())
        n_records = len(golden.DEMO.read_text(encoding="utf-8").splitlines())
        assert (report.n_rejected, report.n_papers) == (0, n_records)

    return built_once("landmarks", fill) / "corpus"


@pytest.fixture(scope="session")
def pf(golden_corpus: Path) -> Pathfinder:
    """The golden corpus, open."""
    return Pathfinder.open(golden_corpus, settings=Settings(_env_file=None))


@pytest.fixture(scope="session")
def other_pf(built_once: BuiltOnce) -> Pathfinder:
    """A corpus as large as the golden one, and none of its papers in it."""

    def fill(folder: Path) -> None:
        source = golden.write_other(folder / "other.jsonl")
        build([source], folder / "corpus", MiniLM(), snapshot=datetime.date(2025, 1, 1))

    return Pathfinder.open(built_once("other", fill) / "corpus", settings=Settings(_env_file=None))


@pytest.fixture
def bare_main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that was drawn in this process has left its script as the main module, which a new process would run."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
