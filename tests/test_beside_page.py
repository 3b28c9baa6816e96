"""The API alongside the page: when it starts, and whom it believes."""

import os
import runpy
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from pathfinder.cli import main
from pathfinder.corpus.manifest import corpus_name
from pathfinder.serving import beside_page
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.beside_page import (
    TRUST_VARIABLE,
    api_beside_page,
    lifespan_of,
    middleware_of,
    page_route,
    routes_of,
    trust_named_proxies,
)
from pathfinder.ui import server
from pathfinder.ui.shared.frame import document


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, golden_corpus: Path) -> None:
    monkeypatch.setattr(beside_page, "_ANNOUNCED_APIS", [])
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    monkeypatch.delenv(TRUST_VARIABLE, raising=False)


def test_the_page_listens_on_loopback_unless_it_is_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[object, ...]] = []
    monkeypatch.setattr(server, "start", lambda *place, **choices: started.append((*place, choices["opens"])))
    assert main(["app"]) == main(["app", "--host", "0.0.0.0", "--port", "7860", "--no-open"]) == 0
    assert started == [("127.0.0.1", 8501, True), ("0.0.0.0", 7860, False)]


def test_on_loopback_the_api_is_served_at_the_address_of_the_page(golden_corpus: Path) -> None:
    served = api_beside_page("127.0.0.1", 8501)
    assert [route.path for route in routes_of(served)] == ["/api/v1/{rest:path}", "/mcp", "/metrics"]  # type: ignore[attr-defined]
    announced = beside_page.announced_api()
    assert announced is not None
    assert announced.access == ServerAccess("127.0.0.1", 8501)
    assert announced.corpus() == corpus_name(golden_corpus)


@pytest.mark.parametrize("address", [None, "0.0.0.0", "192.0.2.7"])
def test_a_page_that_others_reach_starts_without_the_api_unless_its_owner_opens_it(
    address: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served = api_beside_page(address, 7860)
    assert (served, lifespan_of(served), beside_page.announced_api()) == (None, None, None)
    assert "the page starts without the API: " in capsys.readouterr().err
    monkeypatch.setenv("PATHFINDER_OPEN", "true")
    assert api_beside_page(address, 7860) is not None


def test_a_page_without_a_corpus_starts_without_the_api(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PATHFINDER_CORPUS")
    assert api_beside_page("127.0.0.1", 8501) is None
    assert "PATHFINDER_CORPUS" in capsys.readouterr().err


def test_the_server_of_the_page_believes_the_named_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHFINDER_PROXIES", "192.0.2.1,192.0.2.2")
    monkeypatch.setenv(TRUST_VARIABLE, "")  # so that the variable is removed after the test
    trust_named_proxies()
    assert os.environ[TRUST_VARIABLE] == "192.0.2.1,192.0.2.2"
    monkeypatch.setenv("PATHFINDER_OPEN", "true")
    assert api_beside_page("127.0.0.1", 8501) is not None


def test_a_corpus_that_cannot_be_opened_leaves_the_page_to_start_without_the_api(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(tmp_path / "nowhere"))
    assert (api_beside_page("127.0.0.1", 8501), beside_page.announced_api()) == (None, None)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("the page starts without the API: ")
    assert "nowhere" in line


@pytest.mark.parametrize("path", ["/api/v1/search", "/api/v1/papers/hubble-1929", "/mcp", "/metrics"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_without_the_api_its_addresses_say_so(method: str, path: str) -> None:
    reply = TestClient(Starlette(routes=routes_of(None))).request(method, path)
    assert (reply.status_code, reply.json()["code"]) == (404, "address")
    assert reply.json()["message"] == f"{method} {path}: this page runs without the API"
    assert "docs/api.md" in reply.json()["way_out"]


async def _answer(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("asked")
    await socket.close()


def page(address: str | None, host: str) -> TestClient:
    """A page at `address`, called by the name `host`."""
    routes = [Route("/", lambda _: PlainTextResponse("page")), WebSocketRoute("/_stcore/stream", _answer)]
    return TestClient(Starlette(routes=routes, middleware=middleware_of(address, 8501)), base_url=f"http://{host}")


@pytest.mark.parametrize(
    ("address", "named", "host", "is_served"),
    [
        ("127.0.0.1", "", "127.0.0.1:8501", True),
        ("127.0.0.1", "", "localhost:9000", True),  # a tunnel from another port
        ("127.0.0.1", "", "evil.example:8501", False),
        ("127.0.0.1", "papers.example", "papers.example", True),  # a proxy on this machine
        ("127.0.0.2", "", "127.0.0.2:8501", True),
        ("0.0.0.0", "", "any.example", True),
        (None, "papers.example", "papers.example", True),
        (None, "papers.example", "192.0.2.7:8501", True),
        (None, "papers.example", "evil.example", False),
    ],
)
def test_the_page_and_its_websocket_answer_only_to_names_of_the_server(
    address: str | None, named: str, host: str, is_served: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATHFINDER_HOSTS", named)
    client = page(address, host)
    reply = client.get("/")
    if is_served:
        assert reply.text == "page"
        with client.websocket_connect(f"ws://{host}/_stcore/stream") as socket:
            assert socket.receive_text() == "asked"
        return
    assert (reply.status_code, reply.json()["code"]) == (421, "host")
    with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect(f"ws://{host}/_stcore/stream"):
        pytest.fail("the websocket was opened")
    assert refused.value.code == 1008


@pytest.mark.parametrize("port", ["0", "65536", "-1", "x"])
def test_a_port_that_is_none_is_refused_in_one_line(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["app", f"--port={port}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert port in line


@pytest.mark.parametrize(
    ("setting", "value", "part"),
    [
        ("PATHFINDER_API_KEYS", "abc", "PATHFINDER_API_KEYS holds SHA-256 digests"),
        ("PATHFINDER_HOSTS", "https://papers.example", "got 'https://papers.example'"),
        ("PATHFINDER_CALLS_PER_MINUTE", "0", "calls_per_minute"),
    ],
)
def test_a_mistaken_setting_ends_the_server_with_one_line(
    setting: str,
    value: str,
    part: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(setting, value)
    monkeypatch.setenv(TRUST_VARIABLE, "")  # so that the variable is removed after the test
    monkeypatch.setattr("sys.argv", ["server.py", "--host=0.0.0.0"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path("server.py", run_name="__main__")
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("pathfinder: ")
    assert part in line


def test_every_place_is_sent_with_its_style_sheet_and_files_are_left_to_streamlit() -> None:
    page = TestClient(Starlette(routes=[page_route(document(), "")]))
    for address in ("/", "/map", "/screen?q=dust", "/toy_box2"):
        text = page.get(address).text
        assert text.index(".st-key-places") < text.index('<div id="root">')
    for address in ("/favicon.png", "/static/js/index.js", "/_stcore/health", "/auth/login"):
        assert page.get(address).status_code == 404
    below = TestClient(Starlette(routes=[page_route(document(), "of/mine")]))
    assert [below.get(address).status_code for address in ("/of/mine/", "/of/mine/map", "/map")] == [200, 200, 404]
