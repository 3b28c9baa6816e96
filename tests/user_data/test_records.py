"""What a visitor makes, in their tabs and their browser: no tab loses what another has made."""

import json
import time
from dataclasses import replace

import pytest

from pathfinder.addons.drafts.draft import ReviewDraft
from pathfinder.addons.drafts.store import DRAFTS, DraftStore, draft_text
from pathfinder.addons.feedback.judgements import FEEDBACK, FeedbackStore
from pathfinder.addons.standing.log import STANDING, StandingStore
from pathfinder.errors import StoreError, UsageError
from pathfinder.shelves.shelf import SHELVES, Shelf, ShelfStore
from pathfinder.types import CorpusName
from pathfinder.ui.stars.recent import QUESTIONS, AskedQuestions
from pathfinder.user_data import Kind, records
from pathfinder.user_data.records import Record, Records, parse_records
from tests.addons.standing.made_runs import H0, run_on
from tests.feedback_made import JUDGED
from tests.user_data.visits import MadeVisit

STARS = CorpusName("stars", "0" * 12, 3, "stars-1234abcd")
ID = STARS.ids[0]
DAY = 86_400 * 1_000_000


def now() -> int:
    return time.time_ns() // 1_000


def exchange(kind: Kind, here: MadeVisit, there: MadeVisit) -> None:
    """Let each tab hear of the other's records, as the browser stores them."""
    ours, theirs = (parse_records(tab.records(kind).text, kind, ID) for tab in (here, there))
    here.keep(kind, ours.united(theirs, now()))
    there.keep(kind, theirs.united(ours, now()))


def put(tab: MadeVisit, *paper_ids: str, shelf: str = "h0") -> None:
    ShelfStore(tab, STARS).change(shelf, lambda before: before.add(paper_ids))


def names(tab: MadeVisit) -> list[str]:
    return [shelf.name for shelf in ShelfStore(tab, STARS).shelves()]


def test_two_tabs_lose_nothing_of_each_other_and_end_with_the_same() -> None:
    here, there = MadeVisit(), MadeVisit()
    for tab, name in ((here, "here"), (there, "there")):
        put(tab, "riess", shelf=name)
        AskedQuestions(tab, STARS).add(f"q={name}")
        StandingStore(tab, STARS).change(lambda log: log.add(H0) if not log.questions() else log)
        FeedbackStore(tab).add(replace(JUDGED, code=name))
    for kind in (SHELVES, QUESTIONS, STANDING, FEEDBACK):
        exchange(kind, here, there)
        assert here.records(kind).text == there.records(kind).text
    assert names(here) == names(there) == ["here", "there"]
    assert AskedQuestions(here, STARS).links() == ("q=there", "q=here")
    assert [each.code for each in FeedbackStore(there).judgements()] == ["here", "there"]


def test_of_one_shelf_changed_in_two_tabs_the_later_form_stands_and_the_other_is_not_lost() -> None:
    here = MadeVisit()
    put(here, "riess")
    there = here.tab()
    put(here, "hubble")
    put(there, "planck")
    ours, theirs = here.records(SHELVES), there.records(SHELVES)
    ((name, first, last),) = ours.crossings(theirs)
    assert [*theirs.crossings(ours)] == [(name, first, last)]
    exchange(SHELVES, here, there)
    store = ShelfStore(here, STARS)
    assert store.shelf("h0").paper_ids == ("riess", "planck")
    after = here.records(SHELVES)
    both = SHELVES.united(after.version(last), after.version(first))  # type: ignore[misc, arg-type]
    assert [paper["paper_id"] for paper in json.loads(both)["shelf"]["papers"]] == ["riess", "planck", "hubble"]
    assert [store.undo("h0"), store.undo("h0")] == [Shelf("h0").add(("riess", "hubble")), Shelf("h0").add(("riess",))]


def test_a_change_made_in_the_knowledge_of_the_other_is_simply_the_next_one() -> None:
    here = MadeVisit()
    put(here, "riess")
    there = here.tab()
    put(there, "planck")
    ShelfStore(there, STARS).undo("h0")
    put(there, "hubble")
    assert [*here.records(SHELVES).crossings(there.records(SHELVES))] == []
    exchange(SHELVES, here, there)
    assert ShelfStore(here, STARS).shelf("h0").paper_ids == ("riess", "hubble")


def test_what_was_deleted_does_not_come_back_from_a_tab_that_still_has_it() -> None:
    here = MadeVisit()
    AskedQuestions(here, STARS).add("q=dust")
    there = here.tab()
    AskedQuestions(here, STARS).forget()
    exchange(QUESTIONS, here, there)
    assert AskedQuestions(here, STARS).links() == AskedQuestions(there, STARS).links() == ()
    assert here.records(QUESTIONS).united(Records(), now() + 31 * DAY).by_id == {}


def test_a_question_that_two_sessions_kept_is_forgotten_by_one_press() -> None:
    here, there = MadeVisit(), MadeVisit()
    for tab in (here, there):
        AskedQuestions(tab, STARS).add("q=dust")
    exchange(QUESTIONS, here, there)
    AskedQuestions(here, STARS).forget()
    assert AskedQuestions(here, STARS).links() == ()


def test_of_two_forms_of_one_time_both_tabs_take_the_same() -> None:
    ours, theirs = (Records({1: Record(5, (ID, "h0", text))}) for text in ("a", "b"))
    assert ours.united(theirs, 5).text == theirs.united(ours, 5).text


def test_a_run_of_a_question_that_another_tab_deleted_is_ignored() -> None:
    here = MadeVisit()
    StandingStore(here, STARS).change(lambda log: log.add(H0))
    there = here.tab()
    StandingStore(there, STARS).change(lambda log: log.add_run(H0, run_on(0, "ab", "ab")).remove("H0"))
    rows = [row for row in there.records(STANDING).rows() if row[3] != "question"]
    there.keep(STANDING, Records({int(row[0]): there.records(STANDING).by_id[int(row[0])] for row in rows}))
    log = StandingStore(there, STARS).log()
    assert (len(log.entries), log.questions(), log.last_removed()) == (2, (), None)


def test_earlier_versions_make_room_in_a_browser_and_then_the_change_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tab = MadeVisit()
    store, drafts = ShelfStore(tab, STARS), DraftStore(tab, STARS)
    for n in range(40):
        store.change("h0", lambda shelf, n=n: shelf.add([f"paper-{n}"]))  # type: ignore[misc]
        drafts.change("h0", lambda _, n=n: ReviewDraft(f"T{n}"))  # type: ignore[misc]
    monkeypatch.setattr(records, "ROOM", 20_000)
    put(tab, "last")
    assert len(tab.records(SHELVES).text) < 20_000
    n_undone = 0
    while store.can_undo("h0"):
        store.undo("h0")
        n_undone += 1
    assert 0 < n_undone < 40
    assert len(store.shelf("h0").papers) == 41 - n_undone
    with pytest.raises(UsageError, match="earlier versions have made room"):
        store.undo("h0")
    assert drafts.has_earlier("h0")  # each kind has its own room
    before = tab.records(SHELVES)
    monkeypatch.setattr(records, "MAX_CHARACTERS", len(before.text))
    with pytest.raises(UsageError, match=r"your shelves take up .*download them as files"):
        put(tab, *(f"more-{n}" for n in range(300)))
    assert tab.records(SHELVES) is before


def test_of_the_runs_of_a_question_the_first_and_the_last_stay_when_there_is_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(records, "ROOM", 10)
    store = StandingStore(MadeVisit(), STARS)
    store.change(lambda log: log.add(H0))
    for n in range(5):
        store.change(lambda log, n=n: log.add_run(H0, run_on(n, "ab", "ab")))  # type: ignore[misc]
    assert [run.at.day for run in store.log().runs(H0)] == [1, 5]


def test_the_run_that_was_seen_last_stays_when_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    store = StandingStore(MadeVisit(), STARS)
    store.change(lambda log: log.add(H0))
    for n in range(5):
        store.change(lambda log, n=n: log.add_run(H0, run_on(n, "ab", "ab")))  # type: ignore[misc]
    seen = store.log().runs(H0)[2].at
    monkeypatch.setattr(records, "ROOM", 10)
    store.change(lambda log: log.mark_seen(H0, log.runs(H0)[1].at).mark_seen(H0, seen))
    assert [run.at.day for run in store.log().runs(H0)] == [1, 3, 5]


def test_the_oldest_judgements_make_room_for_later_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    tab = MadeVisit()
    FeedbackStore(tab).add(replace(JUDGED, code="1"))
    monkeypatch.setattr(records, "ROOM", 2 * len(tab.records(FEEDBACK).text))
    for code in "23456":
        FeedbackStore(tab).add(replace(JUDGED, code=code))
    kept = [each.code for each in FeedbackStore(tab).judgements()]
    assert kept
    assert "123456".endswith("".join(kept))


def test_a_text_longer_than_any_browser_stores_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    tab = MadeVisit()
    put(tab, "riess")
    monkeypatch.setattr(records, "MAX_CHARACTERS", len(tab.records(SHELVES).text) // 2 - 1)
    with pytest.raises(UsageError, match="characters"):
        parse_records(tab.records(SHELVES).text, SHELVES, ID)


# As browsers stored them until 0.2.1: some with a line of counts, which two tabs compared.

PAPER = {"paper_id": "riess", "state": "to read", "why": "", "note": "", "tags": []}
SHELF = {"name": "h0", "papers": [PAPER]}
RENAMED = {"name": "expansion", "papers": [PAPER | {"note": "see table 5"}]}
EMPTIED = {"name": "h0", "papers": []}
LOG = [
    {"number": 1, "question": "abc123", "kind": "question", "record": json.dumps({
        "id": "abc123", "name": "H0", "record": {"query": "How fast?"}, "added_at": "2026-01-01T12:00:00Z",
        "statement": "", "uses_chat": False})},
    {"number": 7, "question": "abc123", "kind": "seen", "record": '"2026-01-01T12:00:00Z"'},
]  # fmt: skip
EARLIER = {
    SHELVES: {"format": "pathfinder shelves 1", "shelves": [[None, SHELF, RENAMED, None], [SHELF, EMPTIED]]},
    DRAFTS: {"h0": [draft_text(ReviewDraft("T1"), is_first=True), draft_text(ReviewDraft("T2"))]},
    QUESTIONS: ["q=dust&top_k=5", "What is dust?"],
    STANDING: {"format": "pathfinder standing 1", "entries": LOG},
}  # fmt: skip


@pytest.fixture(params=["", 'clock {"ab12": 3}\n'])
def visit(request: pytest.FixtureRequest) -> MadeVisit:
    """A tab that has read what an earlier version of Pathfinder stored, as another tab has."""
    tab = MadeVisit()
    for kind, stored in EARLIER.items():
        read, again = (parse_records(request.param + json.dumps(stored), kind, ID) for _ in range(2))
        tab.keep(kind, read.united(again, now()))
        assert tab.records(kind) == read
    return tab


def test_shelves_that_a_browser_stored_earlier_are_there_with_their_versions(visit: MadeVisit) -> None:
    store = ShelfStore(visit, STARS)
    assert [shelf.name for shelf in store.shelves()] == ["h0"]
    assert store.undo("expansion").name == "expansion"  # type: ignore[union-attr]
    assert store.shelf("expansion").paper("riess").note == "see table 5"
    assert store.undo("h0") is not None
    assert not store.can_undo("h0")  # what was before it was no longer stored


def test_drafts_questions_and_standing_questions_that_a_browser_stored_earlier_are_there(visit: MadeVisit) -> None:
    drafts, asked = DraftStore(visit, STARS), AskedQuestions(visit, STARS)
    assert drafts.draft("h0") == ReviewDraft("T2")
    assert [drafts.undo("h0"), drafts.undo("h0")] == [ReviewDraft("T1"), None]
    asked.add("q=gas")
    assert asked.links() == ("q=gas", "q=dust&top_k=5", "q=What+is+dust%3F")
    log = StandingStore(visit, STARS).log()
    (question,) = log.questions()
    assert (question.name, log.seen_at(question)) == ("H0", H0.added_at)


@pytest.mark.parametrize("kind", EARLIER, ids=lambda kind: kind.nouns)
@pytest.mark.parametrize(
    "text",
    [
        "", "{", "clock [1]", '{"format": "of another page"}', '{"h0": [1]}', "1", "\ud800",
        '{"format":"pathfinder records 1","records":[[1, 2]]}',
        '{"format":"pathfinder records 1","records":[[1, 2, []]]}',
    ],
)  # fmt: skip
def test_a_browser_can_report_nothing_but_records(kind: Kind, text: str) -> None:
    with pytest.raises(UsageError, match=r"in this browser cannot be read .*: delete this site's data"):
        parse_records(text, kind, ID)


@pytest.mark.parametrize("value", [("",), (ID, "h0", "{}", "more"), (ID, "h0", "{}")])
def test_records_that_are_no_shelves_are_refused_and_the_way_out_is_said(value: tuple[str, ...]) -> None:
    tab = MadeVisit({SHELVES.table: Records({1: Record(0, value)})})
    with pytest.raises(StoreError, match=r"this browser's storage .*: delete this site's data"):
        ShelfStore(tab, STARS).shelves()
