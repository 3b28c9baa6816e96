"""The Screen page as Streamlit runs it, without a browser."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.addons.screening import decisions
from pathfinder.addons.screening import page as screen
from pathfinder.addons.screening.decisions import Screening
from pathfinder.addons.screening.store import ScreeningStore
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import StoreError
from pathfinder.shelves.shelf import ShelfStore, State
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.stars import own_shelves, recent
from tests.places import Open, page_at
from tests.ui.test_pages import QUESTION, page_text, ran

Stored = Callable[[], Screening]


@pytest.fixture
def visit(owner: Path, at: Open) -> Open:
    assert owner.is_dir()
    return partial(at, "review", step="screen")


@pytest.fixture
def stored(golden_corpus: Path, tmp_path: Path) -> Stored:
    """Reads the only screening of the person at this machine."""

    def read() -> Screening:
        (screening,) = ScreeningStore(tmp_path, corpus_name(golden_corpus)).screenings().values()
        return screening

    return read


def start_screening(page: AppTest) -> AppTest:
    page.text_input(key=screen.QUESTION).set_value(QUESTION)
    return ran(page.button[0].click().run())


def press(page: AppTest, key: str) -> AppTest:
    return ran(page.button(key=f"screening-{key}").click().run())


def continue_with_the_first(page: AppTest) -> AppTest:
    (button,) = [button for button in page.button if button.label.startswith(for_markdown(QUESTION))]
    return ran(button.click().run())


def test_papers_are_decided_one_by_one_and_the_words_that_weigh_are_shown(visit: Open, stored: Stored) -> None:
    page = start_screening(visit())
    first = page.header[0].value
    page.text_input(key=screen.REASON).set_value("measures it")
    page = press(page, "in")
    assert page.header[0].value != first
    page = press(press(page, "out"), "later")
    assert "Sooner:" in page_text(page)
    assert [(each.verdict.value, each.reason) for each in stored().decisions[:2]] == [
        ("in", "measures it"),
        ("out", None),
    ]
    press(page, "undo")
    assert len(stored().decisions) == 2


def test_the_number_of_relevant_papers_is_said_only_once_it_says_something(visit: Open, stored: Stored) -> None:
    page = press(start_screening(visit()), "in")
    assert "without one that is in" in page_text(page)
    assert "confidence" not in page_text(page)
    for _ in range(20):
        page = press(page, "out")
    estimate = stored().estimate
    assert 0 < 2 * estimate.n_missed_at_most <= estimate.n_unread
    assert "with 95% confidence" in page_text(page)
    assert page.dataframe[0].value.iloc[-1, 0] == "in"


def test_a_decision_that_cannot_be_stored_is_said_and_its_reason_stays(
    visit: Open, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = start_screening(visit())
    page.text_input(key=screen.REASON).set_value("measures it")
    monkeypatch.setattr(decisions.Screening, "decide", fails_as_on_a_full_disk)
    assert "This was not stored" in page_text(press(page, "in"))
    assert page.session_state[screen.REASON] == "measures it"
    assert stored().decisions == ()


def fails_as_on_a_full_disk(*_: object) -> None:
    raise StoreError("no space left on device")


def test_a_screening_goes_on_where_it_was_left(visit: Open) -> None:
    page = press(start_screening(visit()), "in")
    waiting = page.header[0].value
    again = visit()  # as after a reload
    again = continue_with_the_first(again)
    assert again.header[0].value == waiting
    assert "Decide paper by paper" in page_text(press(again, "close"))


def test_decisions_of_two_tabs_are_kept(visit: Open, stored: Stored) -> None:
    first = start_screening(visit())
    second = continue_with_the_first(visit())
    press(first, "in")
    press(second, "later")
    assert [each.verdict.value for each in stored().decisions] == ["in", "later"]


def test_a_screening_whose_papers_are_gone_can_be_left_and_deleted(
    visit: Open, golden_corpus: Path, tmp_path: Path
) -> None:
    store = ScreeningStore(tmp_path, corpus_name(golden_corpus))
    store.begin(Screening(QUESTION, ("a", "b"), 2))
    page = continue_with_the_first(visit())
    assert "which is to be screened: open the earlier corpus" in page_text(page)
    page = press(page, "leave")
    assert "Decide paper by paper" in page_text(page)
    assert "Decide paper by paper" in page_text(press(continue_with_the_first(page), "delete-unread"))
    assert store.screenings() == {}


def test_a_file_of_papers_that_the_library_lacks_is_not_stored(
    visit: Open, golden_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = BytesIO(decisions.session_text(golden_corpus, Screening(QUESTION, ("a", "b"), 2)).encode())
    file.name = "other.json"
    monkeypatch.setattr(screen.st, "file_uploader", lambda *_, **__: file)
    assert "has no paper a, which is to be screened" in page_text(visit())
    assert ScreeningStore(tmp_path, corpus_name(golden_corpus)).screenings() == {}


def test_a_screening_is_deleted_only_when_the_reader_asks(visit: Open, golden_corpus: Path, tmp_path: Path) -> None:
    page = press(press(start_screening(visit()), "in"), "close")
    page = press(continue_with_the_first(page), "delete")
    assert "Decide paper by paper" in page_text(page)
    assert ScreeningStore(tmp_path, corpus_name(golden_corpus)).screenings() == {}


def test_a_visitors_screening_leaves_no_file_and_is_there_after_another_library_and_when_it_was_closed(
    visit: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in (screen, own_shelves):
        monkeypatch.setattr(module, "is_visited_here", lambda: False)
    page = press(start_screening(visit()), "in")
    again = page_at("review", step="screen")
    for name in ("visit-records", "visit-screening"):  # what `visit_corpus.choose` leaves
        again.session_state[name] = page.session_state[name]
    page = continue_with_the_first(press(ran(again.run()), "close"))
    assert "1 of 33 read · 1 in" in page.get("progress")[0].proto.text
    assert not [*tmp_path.iterdir()]


def test_without_a_question_the_page_says_so(visit: Open) -> None:
    page = visit()
    page.text_input(key="screening-question").set_value("")
    assert ran(page.button[0].click().run()).error


@pytest.mark.usefixtures("visit")
def test_a_link_fills_in_the_question() -> None:
    assert ran(page_at("review", step="screen", q=QUESTION).run()).text_input(key=screen.QUESTION).value == QUESTION


def test_only_the_papers_of_a_shelf_that_are_not_out_are_screened_and_decisions_go_back_to_it(
    visit: Open, stored: Stored, golden_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "N_PAPERS", 1)  # limits a ranking, not a shelf
    store = ShelfStore(tmp_path, corpus_name(golden_corpus))
    ids = ("riess-2022", "hubble-1929", "planck-2018-vi")
    store.change("h0", lambda shelf: shelf.add(ids).set_state("hubble-1929", State.OUT))
    page = visit()
    page.selectbox(key=screen.SHELF).set_value("h0")
    page = start_screening(page)
    assert set(stored().paper_ids) == {"riess-2022", "planck-2018-vi"}
    page.text_input(key=screen.REASON).set_value("measures it")
    page = press(press(page, "in"), "later")
    page.session_state["open-shelf"] = "h0"
    press(ran(page.run()), "shelve")
    shelf = store.shelf("h0")
    (decided_paper,) = [paper for paper in shelf.papers if paper.state is State.IN]
    assert decided_paper.why == "measures it"
    assert sorted(paper.state.value for paper in shelf.papers) == ["in", "out", "to read"]


def test_the_map_is_lit_by_decisions(visit: Open, stored: Stored) -> None:
    page = press(press(start_screening(visit()), "in"), "out")
    page.session_state["screening-map"] = True
    page = ran(page.run())
    n = len(stored().paper_ids)
    assert f"1 in, 1 out, 0 later, {n - 3} undecided, 1 next" in [caption.value for caption in page.caption]


def test_a_file_that_cannot_be_read_leaves_the_first_page_and_the_ways_to_the_others(
    visit: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(start_screening(visit()), "in")
    (tmp_path / "screenings").mkdir()
    (tmp_path / "screenings" / "newer.json").write_text("{", encoding="utf-8")
    (tmp_path / recent.QUESTIONS.file).write_text("no questions", encoding="utf-8")
    page = ran(page_at("ask").run())
    assert [button.label for button in page.button if (button.key or "").startswith("way-")] == [
        for_markdown(f"Screening “{QUESTION}”: 1 of 33 read, 1 in")
    ]
    assert "Not everything is listed here" in page_text(page)
    assert "newer.json is not the file of a screening" in page_text(visit())
