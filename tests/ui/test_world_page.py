"""The page of the world as Streamlit runs it, without a browser."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.test_pages import PAGES, ran, written


@pytest.mark.parametrize(
    ("parameters", "note"),
    [
        ({"paper": "gone"}, "The paper gone of the link is not in this corpus."),
        ({"place": "<b>Nowhere"}, "The place <b>Nowhere of the link is not on this map."),
        ({"paper": "riess-2022"}, None),
        ({}, None),
    ],
)
def test_a_card_that_cannot_be_opened_is_told_of(
    golden_corpus: Path, monkeypatch: pytest.MonkeyPatch, parameters: dict[str, str], note: str | None
) -> None:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    page = AppTest.from_file(str(PAGES / "world.py"), default_timeout=60)
    for name, text in parameters.items():
        page.query_params[name] = text
    said = written(ran(page.run()))
    assert (" of the link is not " in said) == (note is not None)
    assert note is None or note in said


def test_a_ninth_layer_is_refused_with_a_note_and_the_eight_stay(
    golden_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    page = AppTest.from_file(str(PAGES / "world.py"), default_timeout=60)
    eight = [f"author:Riess, A; {name}" for name in "BCDEFGHI"]
    page.query_params["layer"] = eight
    (pills,) = (group for group in ran(page.run()).button_group if group.key == "world-missions")
    page = ran(pills.set_value(["mission:hubble"]).run())
    assert page.query_params["layer"] == eight
    assert "at most 8 layers are drawn at once" in written(page)
    assert page.session_state["world-missions"] == []
