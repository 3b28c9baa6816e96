"""A real Milvus server, in a process of its own, and the engine of a single process that Milvus has for tests.

Nothing here is ever skipped. The server listens on all addresses of its machine, so that `make test-engines` gives it a
network of its own, which has nothing but loopback, where the system allows that.
"""

import datetime
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pathfinder.building import build
from pathfinder.index.engines import Collection
from pathfinder.models.minilm import MiniLM
from tests.conftest import no_settings_from_outside, only_loopback, own_data_folder
from tests.golden import LANDMARKS
from tests_engines.milvus_server import MilvusServer

__all__ = ["no_settings_from_outside", "only_loopback", "own_data_folder"]

HERE = Path(__file__).parent
PYTHON = HERE.parent / ".venv-engines" / "bin" / "python"
N_PAPERS = 100
KEYWORD_FIELDS = ("fields", "missions")

Sources = Callable[[int, int], Path]
"""`sources(first, last)` is a file with these landmarks."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusServer]:
    """A Milvus server, which runs."""
    python = Path(os.environ.get("PATHFINDER_MILVUS_PYTHON", str(PYTHON)))
    if not python.is_file():
        pytest.fail(f"there is no {python}: `make test-engines` installs it")
    server = MilvusServer(python, tmp_path_factory.mktemp("milvus"))
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session", params=["server", "lite"])
def uri(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of each engine: the server, and a file of the engine of a single process."""
    if request.param == "lite":
        return str(tmp_path_factory.mktemp("lite") / "milvus.db")
    return str(request.getfixturevalue("server").uri)


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    # Without keywords, for which the server's BM25 has no field, so that it is the server that ranks the words.
    rows = map(json.loads, LANDMARKS.read_text(encoding="utf-8").splitlines())
    lines = [json.dumps({name: row[name] for name in row if name not in KEYWORD_FIELDS}) for row in rows]
    folder = tmp_path_factory.mktemp("sources")

    def written(first: int, last: int) -> Path:
        path = folder / f"{first}-{last}.jsonl"
        path.write_text("\n".join(lines[first:last]), encoding="utf-8")
        return path

    return written


@pytest.fixture(scope="session")
def embedder() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="session")
def embedded(sources: Sources, embedder: MiniLM, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus whose vectors are in a file."""
    return build_corpus(
        sources(0, N_PAPERS), tmp_path_factory.mktemp("embedded") / "corpus", embedder, None, passages=True
    )


@pytest.fixture(scope="session")
def served(uri: str, sources: Sources, embedder: MiniLM, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of the same papers whose vectors are in an engine."""
    folder = tmp_path_factory.mktemp("served") / "corpus"
    return build_corpus(sources(0, N_PAPERS), folder, embedder, Collection("milvus", uri, "landmarks"), passages=True)


def build_corpus(
    source: Path, folder: Path, embedder: MiniLM, collection: Collection | None, *, passages: bool = False
) -> Path:
    day = datetime.date(2025, 1, 1)
    build([source], folder, embedder, snapshot=day, passages=passages, collection=collection)
    return folder
