"""The part of the Library page that says what the papers have, and fetches the rest once the visitor agrees."""

from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.building.ledger import Holding, write_answers
from pathfinder.operations.child.orders import Order, OrderState, write_order
from pathfinder.ui.corpus import complete_panel, works
from tests.tiny_corpus import tiny_corpus

PANEL = """
from pathlib import Path
import streamlit as st
from pathfinder.corpus.store import open_corpus
from pathfinder.ui.corpus import complete_panel
from pathfinder.ui.corpus.permissions import Permissions

class Open:
    corpus = st.session_state["corpus"]

complete_panel.panel(Open, Permissions(st.session_state["owner"], frozenset()), Path(st.session_state["home"]))
"""
PROGRESS = """
from pathlib import Path
from pathfinder.ui.corpus import progress_panel
from pathfinder.ui.corpus.permissions import Permissions

progress_panel.panel(Permissions(True, frozenset()), Path({home!r}))
"""
COVERAGE = {
    "abstract": complete_panel.FieldCoverage(3, {"openalex": 2, "file": 1}, 1, 4, date(2026, 3, 2)),
    "full_text": complete_panel.FieldCoverage(0, {}, 1, 5, unavailable=2),
}


class Corpus:
    def __init__(self, folder: Path) -> None:
        self.folder = folder


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[Order]:
    begun: list[Order] = []
    monkeypatch.setattr(works, "begin", lambda order, *_, **__: begun.append(order))
    monkeypatch.setattr(complete_panel, "_completeness", lambda _pf, _after: COVERAGE)
    monkeypatch.setattr(complete_panel, "_in_place", lambda _pf: {"abstract": "a summary in its place: 5"})
    return begun


def panel(corpus: Path, tmp_path: Path, *, owner: bool = True) -> AppTest:
    page = AppTest.from_string(PANEL)
    page.session_state["corpus"], page.session_state["owner"] = Corpus(corpus), owner
    page.session_state["home"] = str(tmp_path / "home")
    return page.run()


def test_hosts_are_asked_only_once_the_visitor_agrees_and_a_gap_has_a_button(
    tmp_path: Path, orders: list[Order]
) -> None:
    corpus = tiny_corpus(tmp_path, "a")
    page = panel(corpus, tmp_path)
    assert not page.exception
    abstracts = page.get("progress")[0].proto
    assert abstracts.value == 37  # 3 of the 8 papers
    assert (
        "from OpenAlex\\, a file, 02 March 2026 · a summary in its place: 5 · no host has it: 1 · not looked up yet: 4"
        in abstracts.text
    )
    texts = page.get("progress")[1].proto.text
    assert "0 of 8 :gray[no host has it: 1 · could not be had: 2 · not looked up yet: 5" in texts
    assert all(button.disabled for button in page.button)
    page.checkbox(key="complete-consent").check().run()
    page.button(key="complete-full_text").click().run()
    assert orders == [Order("complete", corpus, {"only": ["texts"]})]
    write_answers(corpus, {}, ())  # hosts have been asked: the visitor has agreed before
    page = panel(corpus, tmp_path)
    assert not page.checkbox
    page.button(key="complete").click().run()
    assert orders[-1].options == {"only": ["records", "retractions", "texts"]}


def test_a_visitor_who_may_change_nothing_sees_what_there_is_and_no_button(tmp_path: Path, orders: list[Order]) -> None:
    page = panel(tiny_corpus(tmp_path, "a"), tmp_path, owner=False)
    assert not page.exception
    assert len(page.get("progress")) == 2
    assert not page.button
    assert orders == []


def test_papers_are_added_from_a_folder_or_from_zotero_by_the_owner_alone(tmp_path: Path, orders: list[Order]) -> None:
    corpus = tiny_corpus(tmp_path, "a")
    write_answers(corpus, {}, ())
    pdfs = tmp_path / "pdfs"
    pdfs.mkdir()
    page = panel(corpus, tmp_path)
    assert page.button(key="complete-files").disabled
    page.text_input[0].set_value(str(pdfs)).run()
    page.button(key="complete-files").click().run()
    assert orders[-1].options["files"] == [str(pdfs)]
    panel(corpus, tmp_path).button(key="complete-zotero").click().run()
    assert orders[-1].options["zotero"] is True
    page = panel(corpus, tmp_path)
    page.text_input[0].set_value("pdfs").run()
    page.button(key="complete-files").click().run()
    assert "pdfs" in page.exception[0].message  # the page of which it is part shows it as an error
    assert len(orders) == 2


def test_files_that_were_not_recognised_are_named_as_the_visitor_named_them_with_their_first_lines(
    tmp_path: Path, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tiny_corpus(tmp_path, "a")
    known = {"file": "/up/b.pdf", "paper_id": "p1", "why": None, "first_lines": []}
    unknown = {"file": "/up/scan.pdf", "paper_id": None, "why": "no host knows it", "first_lines": ["Night log"]}
    result = {"files": [known, unknown], "shelves": {"Ices": 2}, "refused": {"Dust": "the shelf cannot be read"}}
    order = Order("complete", corpus, {"files": ["/up/b.pdf", "/up/scan.pdf"]}, names=("b.pdf", "Scan (2).pdf"))
    done = SimpleNamespace(state=OrderState.COMPLETE, result=result, order=order)
    monkeypatch.setattr(works, "all_works", lambda **_: {corpus: done})
    page = AppTest.from_string(PROGRESS.format(home=str(tmp_path)), default_timeout=60).run()
    assert not page.exception
    assert [each.value for each in page.markdown][1:] == [  # after what became of the library
        "**1 of 2 files recognised**",
        "- Scan \\(2\\)\\.pdf: no host knows it\n  - Night log",
        "Shelves from Zotero: Ices \\(2\\)",
        "**Collections of Zotero that did not become shelves**",
        "- Dust: the shelf cannot be read",
    ]
    assert orders == []


def test_what_each_paper_lacks_is_listed_with_the_reason() -> None:
    gone, not_yet = Holding(why="none", is_absent=True), Holding(why="not asked")
    assert [complete_panel.why_missing(each) for each in (gone, not_yet)] == ["no host has it", "not asked"]


def test_an_order_that_was_cut_short_is_resumed_only_while_its_files_are_there(tmp_path: Path) -> None:
    scan = tmp_path / ".uploads" / "f00" / "scan.pdf"
    scan.parent.mkdir(parents=True)
    scan.touch()
    order = Order("build", tmp_path / "papers", {"sources": [str(scan)], "complete": True}, ("Scan (2).pdf",))
    reminder = works.reminder(order.folder, tmp_path)
    reminder.parent.mkdir()
    reminder.write_text(write_order(order), encoding="utf-8")
    page = AppTest.from_string(PROGRESS.format(home=str(tmp_path)), default_timeout=60).run()
    assert [button.label for button in page.button] == ["Resume", "Discard"]
    scan.unlink()
    page.run()
    assert [button.label for button in page.button] == ["Discard"]
    page.button[0].click().run()
    assert not page.button
