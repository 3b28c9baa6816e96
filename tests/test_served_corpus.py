"""A server follows the folder of its corpus: what an update or a removal changes is served from the next call on."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from mcp import Client, MCPError
from starlette.testclient import TestClient

from pathfinder.corpus.manifest import MANIFEST_NAME, corpus_name
from pathfinder.errors import CorpusError
from pathfinder.facade import Pathfinder
from pathfinder.serving import beside_page
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.api import api
from pathfinder.serving.beside_page import api_beside_page
from pathfinder.serving.mcp_server import mcp_server
from pathfinder.serving.processes import SearchProcesses, ServedCorpus
from pathfinder.settings import Settings

pytestmark = pytest.mark.usefixtures("bare_main_module")

PAPER = "hubble-1929"
SEARCH = {"query": "velocity and distance of extra-galactic nebulae", "top_k": 20}


@pytest.fixture
def own(tmp_path: Path, golden_corpus: Path) -> Pathfinder:
    """The golden corpus in a folder of its own, open."""
    folder = tmp_path / "corpus"
    shutil.copytree(golden_corpus, folder)
    return Pathfinder.open(folder, settings=Settings(_env_file=None))


@pytest.fixture
def processes(own: Pathfinder) -> Iterator[SearchProcesses]:
    with closing(SearchProcesses(own.corpus.folder, 1, ServerAccess())) as running:
        yield running


def replace(own: Pathfinder, other: Pathfinder) -> None:
    """Put another corpus into the folder."""
    shutil.rmtree(own.corpus.folder)
    shutil.copytree(other.corpus.folder, own.corpus.folder)


def test_no_call_returns_a_paper_that_was_removed(
    own: Pathfinder, other_pf: Pathfinder, processes: SearchProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pathfinder.serving.processes.CHECKED_EVERY", 0.0)

    def is_hit(address: str) -> bool:
        reply = client.post(f"/api/v1/{address}", json=SEARCH).json()
        return PAPER in [hit["paper_id"] for hit in reply["hits"]]

    apps = [api(own, ServerAccess(), processes=each) for each in (processes, None)]
    for app in apps:
        client = TestClient(app, base_url="http://127.0.0.1:8600")
        assert is_hit("search")
        assert client.get(f"/api/v1/papers/{PAPER}").status_code == 200
    replace(own, other_pf)
    for app in apps:
        client = TestClient(app, base_url="http://127.0.0.1:8600")
        assert not is_hit("search")
        assert not is_hit("reweigh")
        refused = client.get(f"/api/v1/papers/{PAPER}")
        assert (refused.status_code, refused.json()["code"]) == (400, "usage")
        assert client.get(f"/api/v1/papers/{other_pf.corpus.papers.paper_ids()[0]}").status_code == 200
    assert own.corpus.papers.rows_of((PAPER,)) >= 0  # a call that has begun reads on


def test_no_tool_and_no_resource_returns_a_paper_that_was_removed(
    own: Pathfinder, other_pf: Pathfinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pathfinder.serving.processes.CHECKED_EVERY", 0.0)

    async def ask() -> None:
        async with Client(mcp_server(own, ServedCorpus(own, ServerAccess()).current)) as client:
            assert not (await client.call_tool("get_paper", {"paper_id": PAPER})).is_error
            await client.read_resource(f"pathfinder://papers/{PAPER}")
            replace(own, other_pf)
            assert (await client.call_tool("get_paper", {"paper_id": PAPER})).is_error
            with pytest.raises(MCPError, match=PAPER):
                await client.read_resource(f"pathfinder://papers/{PAPER}")
            (own.corpus.folder / MANIFEST_NAME).unlink()
            refused = await client.call_tool("get_paper", {"paper_id": "any"})
            assert refused.is_error
            assert str(own.corpus.folder) in str(refused.content)

    anyio.run(ask)


def test_the_folder_is_looked_at_once_a_second_and_a_version_that_cannot_be_opened_is_an_error(own: Pathfinder) -> None:
    time = [100.0]
    corpus = ServedCorpus(own, ServerAccess(), lambda: time[0])
    first = corpus.current()
    manifest = own.corpus.folder / MANIFEST_NAME
    written = manifest.read_bytes()
    manifest.write_bytes(b"{}")
    time[0] = 100.5
    assert corpus.current() is first
    time[0] = 101.0
    with pytest.raises(CorpusError):
        corpus.current()
    manifest.write_bytes(written)
    time[0] = 102.0
    assert len(corpus.current().corpus.papers) == len(first.corpus.papers)


def test_a_folder_that_has_changed_before_the_server_starts_is_read_again(
    own: Pathfinder, other_pf: Pathfinder
) -> None:
    replace(own, other_pf)
    assert ServedCorpus(own, ServerAccess()).current().corpus.papers.rows_of((PAPER,)) < 0


def test_a_call_that_is_copied_after_a_change_goes_to_the_api_which_has_followed(
    own: Pathfinder, other_pf: Pathfinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside_page, "_ANNOUNCED_APIS", [])
    monkeypatch.setenv("PATHFINDER_CORPUS", str(own.corpus.folder))
    assert api_beside_page("127.0.0.1", 8501) is not None
    served = beside_page.announced_api()
    assert served is not None
    before = corpus_name(own.corpus.folder)
    assert served.has(before)
    replace(own, other_pf)
    after = corpus_name(own.corpus.folder)
    assert (served.has(before), served.has(after)) == (False, True)
    shutil.rmtree(own.corpus.folder)
    assert not served.has(after)
