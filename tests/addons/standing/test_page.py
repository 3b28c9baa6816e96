"""What is new as Streamlit runs it, without a browser: what it shows, and that it marks nothing before that."""

import datetime
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.addons.standing import morning_panel
from pathfinder.addons.standing import page as standing_page
from pathfinder.addons.standing.log import StandingStore
from pathfinder.addons.standing.morning import Morning, MorningPaper, Outage
from pathfinder.addons.standing.mornings import OwnMornings, StoredMornings
from pathfinder.addons.standing.question import FailedRun, StandingQuestion
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.types import Paper
from pathfinder.ui.shared.jobs import Job, once
from pathfinder.ui.shared.panels import WayBack
from pathfinder.ui.stars import own_shelves, recent
from pathfinder.ui.stars.recent import PLACE
from tests.addons.standing.made_runs import NOON, day, quoted_paper, run_on, tension
from tests.places import page_at
from tests.ui.test_pages import QUESTION, page_text, ran

RECORD = {"query": QUESTION, "top_k": 4, "warp": 9}
EXPANSION = StandingQuestion("abc123", "H0 *today*", RECORD, NOON)


@pytest.fixture
def store(golden_corpus: Path, owner: Path) -> StandingStore:
    """The standing questions of the owner: one, with a run of an earlier version of the corpus."""
    store = StandingStore(owner, corpus_name(golden_corpus))
    store.change(lambda log: log.add(EXPANSION).add_run(EXPANSION, run_on(0, "ab", "ab")))
    return store


def visit() -> AppTest:
    """The page, once the runs in the background are stored, those too that began when others had ended."""
    page, waited_for = ran(page_at("library", part="watch").run()), []
    while jobs := [job for job in jobs_of(page) if not any(job is other for other in waited_for)]:
        for job in jobs:
            job.wait(60)
        waited_for += jobs
        page = ran(page.run())
    return page


def jobs_of(page: AppTest) -> tuple[Job, ...]:
    return tuple(page.session_state["jobs"].values()) if "jobs" in page.session_state else ()


def test_a_question_of_an_earlier_version_is_run_when_the_page_is_opened(store: StandingStore, pf: Pathfinder) -> None:
    page = visit()
    runs = store.log().runs(EXPANSION)
    assert [run.version for run in runs] == ["version 0", pf.corpus.name.version]
    assert len(runs[-1].papers) == 4
    text = page_text(page)
    assert "Gone: 2" in text
    assert "removed from the library" in text
    assert "warp: 9 (unknown to this version, not used)" in text
    ran(page.run())
    assert store.log().runs(EXPANSION) == runs


def test_nothing_is_marked_before_the_browser_has_reported_it(store: StandingStore) -> None:
    page = visit()
    assert "Gone: 2" in page_text(page)
    assert store.log().seen_at(EXPANSION) is None
    last = store.log().runs(EXPANSION)[-1]
    store.change(lambda log: log.add_run(EXPANSION, replace(last, at=last.at.replace(year=2030))))
    standing_page.mark_seen(EXPANSION, last.at)
    assert store.log().seen_at(EXPANSION) == last.at


def test_a_drawing_that_fails_marks_nothing(store: StandingStore, monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[object] = []
    monkeypatch.setattr(standing_page, "end_of_changes", lambda *arguments: reports.append(arguments))

    def failing(*_: object) -> None:
        raise UsageError("this cannot be drawn")

    monkeypatch.setattr(standing_page, "draw_changes", failing)
    page = visit()
    assert "this cannot be drawn" in page_text(page)
    assert reports == []
    assert store.log().seen_at(EXPANSION) is None


def test_what_was_seen_stays_on_the_page_until_the_visit_ends_and_can_be_unmarked(store: StandingStore) -> None:
    page = visit()
    last = store.log().runs(EXPANSION)[-1]
    store.change(lambda log: log.mark_seen(EXPANSION, last.at))
    page = ran(page.run())
    assert "Gone: 2" in page_text(page)
    assert "Marked as seen" in page_text(page)
    page = ran(page.button(key="watch-unsee-abc123").click().run())
    assert "Not marked as seen" in page_text(page)
    assert store.log().seen_at(EXPANSION) is None
    store.change(lambda log: log.mark_seen(EXPANSION, last.at))
    assert "Nothing has changed." in [each.value for each in visit().success]


def test_a_contest_shows_what_a_paper_or_a_summary_of_it_says_and_titles_have_no_effect(
    store: StandingStore,
) -> None:
    page = visit()
    last = store.log().runs(EXPANSION)[-1]
    torn_apart, summary = tension("**a**", "b"), replace(quoted_paper("b"), is_summary=True)
    contest = replace(torn_apart, sides=(torn_apart.sides[0], summary))
    torn = replace(last.agreement, contests=(*last.agreement.contests, contest))
    store.change(lambda log: log.add_run(EXPANSION, replace(last, at=last.at.replace(year=2030), agreement=torn)))
    text = page_text(ran(page.run()))
    assert "“**a** says so.”" in text
    assert "b says so. (summary)" in text
    assert "“b says so" not in text


def test_a_run_that_fails_is_said_and_not_tried_again_by_itself(store: StandingStore) -> None:
    broken = replace(EXPANSION, id="def456", name="broken", record={"query": QUESTION, "top_k": 10**6})
    store.change(lambda log: log.remove(EXPANSION.name).add(broken).add_run(broken, run_on(0, "ab", "ab")))
    page = visit()
    assert "top_k must be a whole number" in page_text(page)
    assert "2 papers in its first run · last run failed" in page_text(page)
    failure = store.log().failure(broken)
    ran(page.run())
    assert store.log().failure(broken) == failure


def after_its_runs(page: AppTest) -> AppTest:
    """The page once its runs have ended and are stored, which may be so already."""
    while (job := page.session_state["jobs"].get("standing-runs")) is not None:
        job.wait(60)
        page = ran(page.run())
    return page


def test_a_question_that_is_to_run_again_waits_for_the_runs_before_it(store: StandingStore) -> None:
    page = page_at("library", part="watch")
    page.session_state["jobs"] = {"standing-runs": Job(once(lambda: None))}
    page.session_state["watch-run-again"] = EXPANSION.id
    ran(page.run())
    n = len(store.log().runs(EXPANSION))
    after_its_runs(ran(page.run()))
    assert len(store.log().runs(EXPANSION)) == n + 1


def test_a_question_removed_before_it_ran_again_does_not_hold_up_the_others(store: StandingStore) -> None:
    page = page_at("library", part="watch")
    page.session_state["watch-run-again"] = "of a question that was removed"
    after_its_runs(ran(page.run()))
    assert len(store.log().runs(EXPANSION)) == 2


def test_without_a_question_an_example_can_be_watched(store: StandingStore, pf: Pathfinder) -> None:
    store.change(lambda log: log.remove(EXPANSION.name))
    page = ran(visit().button(key="watch-example").click().run())
    assert "No standing question yet" not in page_text(page)
    assert [question.query for question in store.log().questions()] == [pf.profile.examples[0]]


def test_the_last_question_is_watched_with_the_limits_that_it_had(
    store: StandingStore, golden_corpus: Path, owner: Path
) -> None:
    store.change(lambda log: log.remove(EXPANSION.name))
    recent.AskedQuestions(owner, corpus_name(golden_corpus)).add("q=dust&k=5&region=0,0;1,1")
    page = ran(page_at("library", part="watch").run())
    assert "Region of the map" in page.button(key="watch-example").label
    ran(page.button(key="watch-example").click().run())
    (question,) = store.log().questions()
    assert question.settings.keys() == {"top_k", "region"}


def test_a_question_is_renamed_removed_and_brought_back(store: StandingStore) -> None:
    page = visit()
    page.text_input(key="watch-name-abc123").set_value("Expansion")
    page = ran(page.button(key="watch-rename-abc123").click().run())
    assert [question.name for question in store.log().questions()] == ["Expansion"]
    page = ran(page.button(key="watch-remove-abc123").click().run())
    assert "No standing question yet" in page_text(page)
    ran(page.button(key="watch-undo").click().run())
    assert len(store.log().runs(EXPANSION)) == 2


def test_the_question_on_screen_is_watched_with_its_settings(store: StandingStore, pf: Pathfinder) -> None:
    page = page_at("ask")
    for name, value in (("q", "How old are galaxies?"), ("k", "3"), ("wt", "0.5")):
        page.query_params[name] = value
    page = ran(page.run())
    page = ran(page.button(key="watch-add").click().run())
    question = store.log().question("How old are galaxies?")
    assert question.record == {"query": "How old are galaxies?", "top_k": 3, "weights": {"recency": 0.5}}
    (run,) = store.log().runs(question)
    assert run.version == pf.corpus.name.version
    assert [paper.paper_id for paper in run.papers] == list(page.session_state["view"].order)
    assert store.log().seen_at(question) == run.at  # it is on the screen
    page = ran(page.button(key="watch-add").click().run())
    assert "choose another name" in page_text(page)


def test_a_question_whose_runs_call_the_chat_model_is_first_run_on_the_watch_page(store: StandingStore) -> None:
    page = page_at("ask")
    page.query_params["q"] = "How old are galaxies?"
    page = ran(page.run())
    page.session_state["watch-new-chat"] = True
    page = ran(page.button(key="watch-add").click().run())
    assert "begins when you open What is new" in page.toast[0].value
    question = store.log().question("How old are galaxies?")
    assert question.uses_chat
    assert store.log().runs(question) == ()  # nothing waits for the model while the button is pressed
    visit()
    assert len(store.log().runs(question)) == 1


def test_a_visitor_from_elsewhere_leaves_no_file_and_sees_no_others(
    store: StandingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_shelves, "is_visited_here", lambda: False)
    before = store.log()
    page = page_at("ask")
    page.query_params["q"] = "How old are galaxies?"
    page = ran(ran(page.run()).button(key="watch-add").click().run())
    assert store.log() == before
    assert "No standing question yet" in page_text(visit())


def test_a_comparison_with_another_run_marks_nothing(store: StandingStore) -> None:
    visit()
    last = store.log().runs(EXPANSION)[-1]
    store.change(lambda log: log.add_run(EXPANSION, replace(last, at=last.at.replace(year=2030))))
    page = ran(page_at("library", part="watch").run())
    assert "Gone: 2" in page_text(page)
    page = ran(page.selectbox(key="watch-since-abc123").select_index(1).run())
    assert "Nothing has changed." in [each.value for each in page.success]
    assert "Marked as seen" not in page_text(page)
    assert store.log().seen_at(EXPANSION) is None


def test_the_morning_is_there_once_it_was_asked_for_and_a_dismissal_is_stored(
    store: StandingStore, golden_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(morning_panel, "is_visited_here", lambda: True)
    assert "The morning" not in [each.value for each in visit().header]
    june = datetime.date(2026, 6, 2)
    new = MorningPaper(Paper("new-1", "Clouds *here*", "We observe clouds."), 1.0, "close to one paper", ())
    morning = Morning("Starred", june, june, 1, (new,), (), (Outage("oai:physics:x", "503"),))
    mornings = StoredMornings(tmp_path, corpus_name(golden_corpus))
    mornings.change("Starred", lambda own: OwnMornings(("oai:physics:x",)).with_morning(morning))
    page = visit()
    assert "The morning" in [each.value for each in page.header]
    assert "Close to one paper" in page_text(page)
    assert ["503" in warning.value for warning in page.warning] == [True]
    ran(page.button(key="morning-Not for me-new-1").click().run())
    (mark,) = mornings.read("Starred").marks
    assert (mark.paper.paper_id, mark.is_star) == ("new-1", False)


def ways_back(**address: str) -> list[str]:
    """The ways back on the first page, which runs no question."""
    page = ran(page_at("app", **address).run())
    return [each.label.replace("\\", "") for each in page.button if (each.key or "").startswith("way-")]


def test_the_first_page_says_that_a_library_has_changed_only_if_it_has(store: StandingStore) -> None:
    new = StandingQuestion("def456", "Galaxies", {"query": "How old are galaxies?"}, NOON, uses_chat=True)
    store.change(lambda log: log.add(new))
    assert ways_back() == ["The library has changed: what is new on “H0 *today*”", "Not run yet: “Galaxies”"]


def test_an_icon_makes_no_question_of_an_add_ons_way_back(
    store: StandingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = WayBack(":material/history:", "Elsewhere", lambda: None)
    monkeypatch.setattr(recent.panels, "panels", lambda place: {"made": lambda pf: (way,)} if place == PLACE else {})
    page = ran(page_at("ask").run())
    assert page.button(key="way-0").label == "Elsewhere"
    assert [each for each in page.button if each.key == "forget-questions"] == []


def test_a_question_that_was_never_run_hides_no_other_as_of_a_year(store: StandingStore) -> None:
    new = StandingQuestion("def456", "Galaxies", {"query": "How old are galaxies?"}, NOON, uses_chat=True)
    store.change(lambda log: log.add(new).add_run(EXPANSION, run_on(1, "cab", "abc")))
    assert ways_back(**{"as-of": "2000"}) == ["1 new on “H0 *today*”", "Not run yet: “Galaxies”"]


def test_a_question_that_failed_on_this_version_leads_back_only_to_its_earlier_news(
    store: StandingStore, pf: Pathfinder
) -> None:
    new = StandingQuestion("def456", "Galaxies", {"query": "How old are galaxies?"}, NOON, uses_chat=True)
    failure = FailedRun(day(2), pf.corpus.name.version, "the chat model does not answer")
    store.change(lambda log: log.add(new).add_failure(new, failure).add_failure(EXPANSION, failure))
    assert ways_back() == []
    store.change(lambda log: log.add_run(EXPANSION, run_on(1, "cab", "abc")).add_failure(EXPANSION, failure))
    assert ways_back() == ["1 new on “H0 *today*”"]
