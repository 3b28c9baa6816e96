"""The list shows the papers as a network, too."""

from types import SimpleNamespace

import pytest

from pathfinder.addons.network import panel
from pathfinder.facade import Pathfinder
from pathfinder.ui.papers import selection
from tests.ui.test_pages import Open, page_text, ran


def test_the_papers_are_shown_as_a_network_with_a_list_of_what_lies_between(ask: Open) -> None:
    page = ask(q="What is the value of the Hubble constant?", k="3")
    page.button_group(key="papers-as").set_value("Network")
    ran(page.run())
    assert page.selectbox(key="network-tie").options == ["Likeness"]  # the golden corpus has no references
    text = "\n".join((page_text(page), *(caption.value for caption in page.caption)))
    assert "(a line: similar)" in text
    assert "Papers are linked by likeness\\, and there is no main path" in text
    assert "**Papers that connect the others**" in text
    assert "Download as GraphML" in [button.label for button in page.get("download_button")]
    page.selectbox(key="network-papers").set_value(20)
    ran(page.run())
    assert any(caption.value.startswith("Network of 20 papers") for caption in page.caption)


def test_a_click_on_a_dot_selects_its_paper_for_list_and_map(monkeypatch: pytest.MonkeyPatch) -> None:
    clicked = SimpleNamespace(selection=SimpleNamespace(points=[{"customdata": "riess-2022"}, {"customdata": None}]))
    state = {panel._FIGURE: clicked}
    monkeypatch.setattr(panel.st, "session_state", state)
    panel._select_clicked()
    assert selection.selected_ids() == ("riess-2022",)
    panel._select_clicked()
    assert selection.selected_ids() == ()


def test_a_corpus_without_a_map_has_a_network(ask: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pathfinder, "landscape", None, raising=False)
    page = ask(q="What is the value of the Hubble constant?", k="3")
    page.button_group(key="papers-as").set_value("Network")
    ran(page.run())
    assert any("(a line: similar)" in caption.value for caption in page.caption)
