"""The Shelves page and the stars as Streamlit runs them, without a browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.corpus.manifest import corpus_name
from pathfinder.corpus.readers import RejectedRow
from pathfinder.errors import UsageError
from pathfinder.facade.shelves import ShelfIntake
from pathfinder.shelves.shelf import SHELVES, Shelf, ShelfStore, State, merge
from pathfinder.ui.shelves import files
from pathfinder.ui.stars import browser_storage, own_shelves
from pathfinder.ui.stars.own_shelves import VisitRecords
from tests.places import Open, cards, page_at, press
from tests.sources.hosts.json_hosts import item, zotero
from tests.sources.hosts.loopback import LoopbackHost, Reply, running
from tests.ui.test_pages import QUESTION, page_text, ran


@pytest.fixture
def store(golden_corpus: Path, owner: Path) -> ShelfStore:
    """The shelves of the person at this machine, two papers on one of them."""
    store = ShelfStore(owner, corpus_name(golden_corpus))
    store.change("h0", lambda shelf: shelf.add(["riess-2022", "hubble-1929"]))
    return store


@pytest.fixture
def visit(store: ShelfStore) -> Open:
    assert store.shelves()
    return lambda: ran(page_at("library", part="shelves").run())


def by_label(page: AppTest, kind: str, label: str) -> list:  # type: ignore[type-arg]
    return [widget for widget in page.get(kind) if widget.label == label]


def test_a_paper_is_noted_tagged_and_decided_and_undo_takes_each_back(visit: Open, store: ShelfStore) -> None:
    page = visit()
    by_label(page, "text_area", "Note")[0].set_value("see table 5")
    page = ran(page.run())
    by_label(page, "text_input", "Why")[0].set_value("superseded")
    page = ran(page.run())
    paper = store.shelf("h0").paper("riess-2022")
    assert (paper.note, paper.why, paper.state) == ("see table 5", "superseded", State.TO_READ)
    page = ran(page.button(key="shelf-undo").click().run())
    assert by_label(page, "text_input", "Why")[0].value == ""
    page = ran(page.button(key="shelf-undo").click().run())
    assert by_label(page, "text_area", "Note")[0].value == ""
    assert store.shelf("h0").paper("riess-2022").note == ""


def test_a_change_in_another_tab_is_shown_and_not_replaced(visit: Open, store: ShelfStore) -> None:
    page = visit()
    store.change("h0", lambda shelf: shelf.set_note("riess-2022", "from another tab"))
    by_label(page, "text_input", "Why")[0].set_value("on topic")
    page = ran(page.run())
    assert by_label(page, "text_area", "Note")[0].value == "from another tab"
    paper = store.shelf("h0").paper("riess-2022")
    assert (paper.note, paper.why) == ("from another tab", "on topic")


def test_an_empty_shelf_shows_papers_that_it_can_begin_with(visit: Open, store: ShelfStore) -> None:
    page = visit()
    page.text_input(key="shelf-new-name").set_value("dust")
    page = ran(page.button(key="shelf-make").click().run())
    page = ran(page.button(key="star-first").click().run())
    assert len(store.shelf("dust").papers) == 3
    assert "No papers yet" not in page_text(page)


def test_a_new_shelf_is_stored_with_its_first_paper(visit: Open, store: ShelfStore) -> None:
    page = visit()
    page.text_input(key="shelf-new-name").set_value("dust")
    page = ran(page.button(key="shelf-make").click().run())
    assert "No papers yet" in page_text(page)
    assert [shelf.name for shelf in store.shelves()] == ["h0"]
    assert page.session_state["open-shelf"] == "dust"


def test_a_shelf_is_renamed_and_deleted_and_undo_takes_each_back(visit: Open, store: ShelfStore) -> None:
    page = visit()
    page.text_input(key="shelf-new-name").set_value("expansion")
    page = ran(page.button(key="shelf-rename").click().run())
    assert page.session_state["open-shelf"] == "expansion"
    page = ran(page.button(key="shelf-delete").click().run())
    assert "This shelf has been deleted" in page_text(page)
    assert store.shelves() == ()
    page = ran(page.button(key="shelf-undo").click().run())
    assert store.shelf("expansion").paper_ids == ("riess-2022", "hubble-1929")
    page = ran(page.button(key="shelf-undo").click().run())
    assert ([shelf.name for shelf in store.shelves()], page.session_state["open-shelf"]) == (["h0"], "h0")


def test_a_name_that_is_taken_is_refused(visit: Open, store: ShelfStore) -> None:
    store.change("dust", lambda shelf: shelf.add(["riess-2022"]))
    page = visit()
    page.session_state["open-shelf"] = "h0"
    page = ran(page.run())
    page.text_input(key="shelf-new-name").set_value("dust")
    page = ran(page.button(key="shelf-rename").click().run())
    assert "the name 'dust' is taken" in page.error[0].value.replace("\\", "")
    assert [shelf.name for shelf in store.shelves()] == ["dust", "h0"]


def test_a_file_without_a_usable_entry_says_what_is_wrong_with_each(visit: Open) -> None:
    page = visit()
    page.session_state["shelf-part"] = "Import and export"
    rejected = (RejectedRow("papers.bib", 1, "no title", None), RejectedRow("papers.bib", 9, "no title", None))
    intake = ShelfIntake(Shelf("h0"), (), rejected)
    page.session_state["shelf-file-outcome"] = files.ImportOutcome("h0", intake, merge(Shelf("h0"), Shelf("h0")), {})
    page = ran(page.run())
    assert "each entry needs a title" in page.error[0].value
    assert "2 records cannot be read" in [box.label for box in page.expander]
    assert "papers.bib, line 9: no title" in page_text(page).replace("\\", "")


def test_the_missing_are_listed_and_can_be_starred(visit: Open, store: ShelfStore) -> None:
    page = visit()
    page.session_state["shelf-part"] = "What is missing"
    page = ran(page.run())
    missing = next(button for button in page.button if button.key and button.key.startswith("star-missing-"))
    ran(missing.click().run())
    assert len(store.shelf("h0").papers) == 3


def test_only_the_papers_of_a_shelf_are_asked_and_a_chip_says_so(store: ShelfStore) -> None:
    page = page_at("ask")
    page.query_params["q"] = QUESTION
    page.query_params["within"] = ";".join((*store.shelf("h0").paper_ids, "nebulae"))
    page = ran(page.run())
    assert page.button(key="within-papers").label.startswith("Only 2 of")
    assert "1 of the papers to search is not in this corpus" in page_text(page)
    assert {hit.paper.paper_id for hit in page.session_state["view"].result.hits} == {"riess-2022", "hubble-1929"}
    page = ran(page.button(key="within-papers").click().run())
    assert len(page.session_state["view"].result.hits) == 10


def test_the_star_of_a_card_puts_a_paper_on_the_open_shelf_and_takes_it_off(store: ShelfStore) -> None:
    page = page_at("ask")
    page.query_params["q"] = QUESTION
    page = ran(page.run())
    before = store.shelf("h0").paper_ids
    page = ran(press(page, "star", 2))
    assert set(store.shelf("h0").paper_ids) ^ set(before) == {cards(page)[1]["id"]}
    ran(press(page, "star", 2))
    assert set(store.shelf("h0").paper_ids) == set(before)


def test_without_shelves_that_can_be_read_there_are_no_stars(store: ShelfStore) -> None:
    assert isinstance(store.place, Path)
    (store.place / SHELVES.file).write_bytes(b"no database, only text that is long enough for one" * 20)
    page = ran(page_at("library", part="shelves").run())
    assert "cannot be used" in page_text(page)


def test_a_visitor_from_elsewhere_leaves_no_file(store: ShelfStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_shelves, "is_visited_here", lambda: False)
    page = ran(page_at("library", part="shelves").run())
    assert "No papers yet" in page_text(page)
    assert own_shelves.FIRST_NAME not in [shelf.name for shelf in store.shelves()]


def changed_in_two_tabs() -> None:
    """A page whose tab and another one change a shelf at the same time, as `AppTest` runs it."""
    import streamlit as st

    from pathfinder.shelves.shelf import SHELVES, ShelfStore
    from pathfinder.ui.stars import browser_storage
    from pathfinder.ui.stars.own_shelves import VisitRecords, corpus_of_visit
    from tests.user_data.visits import MadeVisit

    corpus = corpus_of_visit()
    assert corpus is not None
    visit = VisitRecords(corpus.ids[0])
    store = ShelfStore(visit, corpus)
    if not store.shelves():
        store.change("both", lambda shelf: shelf.add(["a"]))
        other = MadeVisit({SHELVES.table: visit.records(SHELVES)})
        store.change("both", lambda shelf: shelf.add(["mine"]))
        for name in ("both", "other"):
            ShelfStore(other, corpus).change(name, lambda shelf: shelf.add(["theirs"]))
        browser_storage.take(visit, SHELVES, other.records(SHELVES).text)
    browser_storage.offer_union()
    st.caption("; ".join(f"{shelf.name}: {' '.join(shelf.paper_ids)}" for shelf in store.shelves()))


def test_a_shelf_that_two_tabs_have_changed_is_put_together_when_this_is_asked_for(store: ShelfStore) -> None:
    assert store.shelves()
    page = ran(AppTest.from_function(changed_in_two_tabs).run())
    assert [caption.value for caption in page.caption] == ["both: a theirs; other: theirs"]
    assert "the shelf “both” at the same time" in page.warning[0].value
    page = ran(by_label(page, "button", "Put both together")[0].click().run())
    assert [caption.value for caption in page.caption] == ["both: a theirs mine; other: theirs"]
    assert len(page.warning) == 0


@pytest.mark.parametrize("report", [None, {"text": "{}"}, 1])
def test_a_browser_can_report_nothing_but_a_text(report: object) -> None:
    with pytest.raises(UsageError, match="load the page again"):
        browser_storage.take(VisitRecords("landmarks"), SHELVES, report)


@pytest.fixture
def from_zotero(visit: Open, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Imports from a Zotero on this machine that answers as it is told to."""

    def imported(answer: Callable[..., Reply]) -> AppTest:
        with running(LoopbackHost(answer)) as host:
            monkeypatch.setenv("PATHFINDER_ZOTERO_LOCAL_URL", host.address)
            page = visit()
            page.session_state["shelf-part"] = "Import and export"
            return ran(ran(page.run()).button(key="shelf-zotero").click().run())

    return imported


def test_the_library_of_zotero_on_this_machine_comes_onto_the_shelf(from_zotero, store: ShelfStore) -> None:
    first_item = item(1)
    first_item["data"] = {**first_item["data"], "DOI": "", "extra": "ADS Bibcode: 2020A&A...641A...6P"}  # type: ignore[dict-item]
    page = from_zotero(zotero([first_item, item(2)], is_local=True))
    assert [box.value for box in page.success] == ["1 paper imported, 0 of them already on the shelf."]
    assert "1 not in this library" in [box.label for box in page.expander]
    assert "planck-2018-vi" in store.shelf("h0").paper_ids


def test_a_zotero_that_does_not_answer_is_an_error_with_its_way_out(from_zotero) -> None:
    page = from_zotero(lambda _: Reply(b"Request not allowed", 403, "text/plain"))
    assert len(page.error) == 1
    assert page.success == []
