"""The API alongside the page: when it starts, and whom it believes."""

from pathlib import Path

import pytest

from pathfinder.errors import UsageError
from pathfinder.serving import page_api
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.beside_page import (
    TRUSTED,
    api_beside_page,
    configuration,
    lifespan_of,
    routes_of,
    trust_named_proxies,
)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, golden_corpus: Path) -> None:
    monkeypatch.setattr(page_api, "_SERVED", [])
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    monkeypatch.delenv(TRUSTED, raising=False)


def test_the_page_listens_on_loopback_unless_it_is_told_otherwise() -> None:
    places = {"server.address": "127.0.0.1", "server.port": 8501}
    assert places.items() <= configuration([]).items()
    assert configuration(["--host", "0.0.0.0", "--port", "7860"])["server.address"] == "0.0.0.0"


def test_on_loopback_the_api_is_served_at_the_address_of_the_page() -> None:
    served = api_beside_page("127.0.0.1", 8501)
    assert [route.path for route in routes_of(served)] == ["/api/v1/{rest:path}", "/mcp", "/metrics"]  # type: ignore[attr-defined]
    assert page_api.served() == ServerAccess("127.0.0.1", 8501)


@pytest.mark.parametrize("address", [None, "0.0.0.0", "192.0.2.7"])
def test_a_page_that_others_reach_starts_without_the_api_unless_its_owner_opens_it(
    address: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served = api_beside_page(address, 7860)
    assert (served, routes_of(served), lifespan_of(served), page_api.served()) == (None, [], None, None)
    assert "the page starts without the API: " in capsys.readouterr().err
    monkeypatch.setenv("PATHFINDER_OPEN", "true")
    assert api_beside_page(address, 7860) is not None


def test_a_page_without_a_corpus_starts_without_the_api(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PATHFINDER_CORPUS")
    assert api_beside_page("127.0.0.1", 8501) is None
    assert "PATHFINDER_CORPUS" in capsys.readouterr().err


def test_proxies_that_the_server_of_the_page_does_not_know_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHFINDER_PROXIES", "192.0.2.1,192.0.2.2")
    with pytest.raises(UsageError, match=r"python server\.py"):
        api_beside_page("127.0.0.1", 8501)
    monkeypatch.setenv(TRUSTED, "")  # so that the variable is removed after the test
    trust_named_proxies()
    assert api_beside_page("127.0.0.1", 8501) is not None
