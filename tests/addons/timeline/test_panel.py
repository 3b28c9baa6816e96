"""The list shows the papers on a timeline, too."""

import pytest

from pathfinder.facade import Pathfinder
from tests.ui.test_pages import Open, ran


def test_the_papers_are_shown_on_a_timeline_too(ask: Open) -> None:
    page = ask(q="What is the value of the Hubble constant?", k="3")
    page.button_group(key="papers-as").set_value("Timeline")
    ran(page.run())
    captions = [caption.value for caption in page.caption]
    assert any("papers from 19" in caption for caption in captions)
    assert not any("adds what they agree on" in caption for caption in captions)  # which needs a chat model
    assert any(part.value.startswith("**First mentions**") for part in page.markdown)


def test_a_corpus_without_a_map_has_a_timeline(ask: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pathfinder, "landscape", None, raising=False)
    page = ask(q="What is the value of the Hubble constant?", k="3")
    page.button_group(key="papers-as").set_value("Timeline")
    ran(page.run())
    assert any("papers from 19" in caption.value for caption in page.caption)
