"""What holds for every test: no network, no keys, no luck."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from pydantic import AliasChoices

from pathfinder.building import build
from pathfinder.explorer import Pathfinder
from pathfinder.models.minilm import MiniLM
from pathfinder.settings import Settings
from tests import golden, guard

guard.install()

# The same examples in every run; a slow machine is no failure.
hypothesis.settings.register_profile("pathfinder", derandomize=True, deadline=None)
hypothesis.settings.load_profile("pathfinder")


@pytest.fixture(autouse=True)
def only_loopback() -> Iterator[None]:
    """Fail a test that tried to leave this machine, also where a library swallowed the refusal."""
    yield
    attempts, guard.attempts[:] = list(guard.attempts), []
    assert not attempts, f"tried to leave this machine: {', '.join(attempts)}"


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the person who runs the tests has set (a key, a corpus) is not seen by them."""
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        names = alias.choices if isinstance(alias, AliasChoices) else [alias or f"PATHFINDER_{name.upper()}"]
        for variable in names:
            monkeypatch.delenv(str(variable), raising=False)
    monkeypatch.delenv("LANGSMITH_TRACING", raising=False)


@pytest.fixture(scope="session")
def golden_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the golden corpus, built once by the real thing."""
    folder = tmp_path_factory.mktemp("golden")
    source = golden.write_golden(folder / "golden.jsonl")
    build([source], folder / "corpus", MiniLM(), snapshot=datetime.date(2025, 1, 1))
    return folder / "corpus"


@pytest.fixture(scope="session")
def landmarks_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the corpus that ships, built once."""
    folder = tmp_path_factory.mktemp("landmarks") / "corpus"
    report = build([golden.LANDMARKS], folder, MiniLM())
    assert (report.n_rejected, report.n_papers) == (0, len(golden.LANDMARKS.read_text(encoding="utf-8").splitlines()))
    return folder


@pytest.fixture(scope="session")
def pf(golden_corpus: Path) -> Pathfinder:
    """The golden corpus, open."""
    return Pathfinder.open(golden_corpus, settings=Settings(_env_file=None))


@pytest.fixture(scope="session")
def other_pf(tmp_path_factory: pytest.TempPathFactory) -> Pathfinder:
    """A corpus as large as the golden one, and none of its papers in it."""
    folder = tmp_path_factory.mktemp("other")
    source = golden.write_other(folder / "other.jsonl")
    build([source], folder / "corpus", MiniLM(), snapshot=datetime.date(2025, 1, 1))
    return Pathfinder.open(folder / "corpus", settings=Settings(_env_file=None))
