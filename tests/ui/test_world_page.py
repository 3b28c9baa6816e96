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
