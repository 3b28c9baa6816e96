"""The places of the page as Streamlit runs them, without a browser."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.ui.papers.papers import LIST
from pathfinder.ui.shared import own_machine

Open = Callable[..., AppTest]
LIDS = ("which-papers", "to-search", "more-weights", "how", "answer-more", "library")
"""Keys of groups and menus that are drawn only while they are open."""
PLACES = Path(__file__).parents[1] / "pathfinder" / "ui" / "places"


def page_at(address: str, **parameters: str | list[str]) -> AppTest:
    """Return a place opened with these parameters of its address, not yet run, with every group and menu open."""
    page = AppTest.from_file(str(PLACES / f"{address}.py"))
    for lid in LIDS:
        page.session_state[lid] = True
    for name, text in parameters.items():
        page.query_params[name] = text
    return page


def ran(page: AppTest) -> AppTest:
    assert not page.exception, [failure.message for failure in page.exception]
    return page


def bare(text: str) -> str:
    """Markdown without the strokes that escape it."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text).replace("\N{WORD JOINER}", "")


def page_text(page: AppTest) -> str:
    """All text of the page, without the strokes that escape it."""
    parts = [*page.markdown, *page.caption, *page.info, *page.success, *page.warning, *page.error]
    return bare("\n".join(part.value for part in parts))


@pytest.fixture
def at(golden_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens a link to a place, on the golden corpus or another: `at("map", layer=["years"])`."""

    def visit(address: str, corpus: Path = golden_corpus, **parameters: str | list[str]) -> AppTest:
        monkeypatch.setenv("PATHFINDER_CORPUS", str(corpus))
        return ran(page_at(address, **{name.rstrip("_"): text for name, text in parameters.items()}).run())

    return visit


@pytest.fixture
def ask(at: Open) -> Open:
    """Opens a link to the Ask page: `ask(q=..., k="3", from_="1990")`."""
    return partial(at, "ask")


@pytest.fixture
def owner(golden_corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The visitor is the person at this machine, who reads the golden corpus; their files are in this folder."""
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    monkeypatch.setattr(own_machine, "_is_owner", lambda: True)
    return tmp_path


def cards(page: AppTest) -> list[dict[str, Any]]:
    """What the cards of the papers say, best first."""
    lists = [part for part in page.get("bidi_component") if part.key == LIST]
    found: list[dict[str, Any]] = json.loads(lists[0].proto.json)["cards"] if lists else []
    return found


def press(page: AppTest, action: str, rank: int) -> AppTest:
    """Press a button of a card, or choose an action of its menu, as the browser reports it."""
    (listed,) = [part for part in page.get("bidi_component") if part.key == LIST]
    states = page._tree.get_widget_states()
    event = json.dumps([{"event": "press", "value": [action, cards(page)[rank - 1]["id"]]}])
    states.widgets.add(id=f"$$STREAMLIT_INTERNAL_KEY_{listed.proto.id}__events", json_trigger_value=event)
    return page._run(states)


def open_library(page: AppTest) -> str:
    """Return what stands at the top right: the open library, its size and the year."""
    return "\n".join(each.proto.popover.label for each in page.get("popover"))
