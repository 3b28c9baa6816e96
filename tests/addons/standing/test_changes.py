"""Differences between two runs of a standing question."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pathfinder.addons.standing.changes import Arrival, Departure, Levels, changes_between
from pathfinder.addons.standing.log import StandingLog, feed
from pathfinder.addons.standing.question import AgreementBasis, ContestKind, RankedPaper
from pathfinder.facade import Pathfinder
from pathfinder.serving.access import ServerAccess, digest_of
from pathfinder.serving.api import api
from pathfinder.types import ConsensusLevel, StanceLabel
from tests.addons.standing.made_runs import H0, run_on, stances, tension

SUPPORTS, REFUTES = StanceLabel.SUPPORTS, StanceLabel.REFUTES
GUESSED, CONSENSUS = AgreementBasis.GUESSED, AgreementBasis.CONSENSUS


def test_a_paper_that_came_into_the_corpus_is_told_from_one_that_only_came_into_the_list() -> None:
    before = run_on(0, "abc", "abcde")
    now = run_on(1, "faeb", "abcdefg", before)  # f is the sixth row of a corpus that had five; e was the fifth
    new = changes_between(before, now).new
    assert [(each.paper.paper_id, each.rank, each.arrival) for each in new] == [
        ("f", 1, Arrival.ADDED),
        ("e", 3, Arrival.IN_CORPUS),
    ]


def test_after_a_removal_it_is_unknown_where_a_paper_was() -> None:
    before = run_on(0, "abc", "abcde")
    now = run_on(1, "abf", "abdef", before)
    assert [each.arrival for each in changes_between(before, now).new] == [Arrival.UNKNOWN]


def test_after_a_rollback_every_paper_was_in_the_larger_corpus() -> None:
    first = run_on(0, "abd", "abcd")
    larger = run_on(1, "efa", "abcdef", first)
    back = run_on(2, "abd", "abcd", first, larger)
    changes = changes_between(larger, back, (first, larger, back))
    assert [(each.paper.paper_id, each.arrival) for each in changes.new] == [
        ("b", Arrival.IN_CORPUS),
        ("d", Arrival.IN_CORPUS),
    ]
    assert [(each.paper.paper_id, each.departure) for each in changes.gone] == [
        ("e", Departure.REMOVED),
        ("f", Departure.REMOVED),
    ]


def test_a_paper_of_a_live_source_is_never_called_removed() -> None:
    before = run_on(0, "ab", "ab")
    now = run_on(1, "xab", "ab", before)
    assert [each.arrival for each in changes_between(before, now).new] == [Arrival.LIVE]
    gone = changes_between(now, run_on(2, "ab", "ab", before, now)).gone
    assert [each.departure for each in gone] == [Departure.UNLISTED]


@pytest.mark.parametrize(
    ("letters", "moved"),
    [
        ("xyzabcd", []),  # all four are three places lower, and in the same order: new papers pushed them down
        ("bcad", []),  # a is two places lower, b and c one higher: less than three
        ("bcda", [("a", 1, 4)]),
        ("xbcda", [("a", 1, 5)]),
    ],
)
def test_a_paper_has_moved_if_its_place_among_the_papers_of_both_lists_changed_by_three(
    letters: str, moved: list[tuple[str, int, int]]
) -> None:
    before = run_on(0, "abcd", "abcd")
    changes = changes_between(before, run_on(1, letters, "abcdxyz", before))
    assert [(each.paper.paper_id, each.rank_before, each.rank) for each in changes.moved] == moved


def test_a_retracted_paper_is_gone_though_it_is_listed_and_only_once() -> None:
    before = run_on(0, "ab", "ab")
    now = run_on(1, "ab", "ab", before, marked=(("a", "retracted"),))
    (gone,) = changes_between(before, now).gone
    assert (gone.paper.paper_id, gone.departure) == ("a", Departure.RETRACTED)
    marked = RankedPaper("a", "Title of a", 2000, 1.0, 0, status="retracted")
    assert changes_between(replace(now, papers=(marked,)), now).gone == ()


def test_a_paper_that_other_papers_pushed_out_is_still_in_the_corpus() -> None:
    before = run_on(0, "ab", "ab")
    (gone,) = changes_between(before, run_on(1, "ca", "abc", before)).gone
    assert (gone.paper.paper_id, gone.rank_before, gone.departure) == ("b", 2, Departure.UNLISTED)


def test_a_tension_is_newly_contested_until_it_was_there_before() -> None:
    calm = run_on(0, "ab", "ab")
    torn = replace(run_on(1, "ab", "ab", calm), agreement=replace(calm.agreement, contests=(tension("a", "b"),)))
    turned = replace(torn, agreement=replace(calm.agreement, contests=(tension("b", "a"),)))
    assert changes_between(calm, torn).contested == (tension("a", "b"),)
    assert changes_between(torn, turned).contested == ()


def test_tensions_are_not_new_if_none_were_looked_for_before() -> None:
    calm = run_on(0, "ab", "ab")
    unread = replace(calm, agreement=replace(calm.agreement, n_compared=0))
    torn = replace(run_on(1, "ab", "ab", calm), agreement=replace(calm.agreement, contests=(tension("a", "b"),)))
    changes = changes_between(unread, torn)
    assert (changes.contested, changes.n_changes, len(changes.notes)) == ((), 0, 1)


def test_the_first_opposite_stance_is_contested_with_both_quotations() -> None:
    calm = run_on(0, "ab", "ab", agreement=stances(GUESSED, a=SUPPORTS, b=SUPPORTS))
    torn = run_on(1, "acb", "abc", calm, agreement=stances(GUESSED, a=SUPPORTS, c=REFUTES, b=SUPPORTS))
    (contest,) = changes_between(calm, torn).contested
    assert (contest.kind, contest.subject) == (ContestKind.GUESSED_STANCES, "It expands.")
    assert [side.quotation for side in contest.sides] == ["a says so.", "c says so."]
    assert changes_between(torn, torn).contested == ()


def test_stances_by_different_means_are_not_compared_and_that_is_said() -> None:
    calm = run_on(0, "ab", "ab", agreement=stances(GUESSED, a=SUPPORTS))
    torn = run_on(1, "ab", "ab", calm, agreement=stances(CONSENSUS, a=SUPPORTS, b=REFUTES))
    changes = changes_between(calm, torn)
    assert changes.contested == ()
    assert "stances are not compared" in changes.notes[-1]


def test_the_level_of_consensus_has_changed_only_if_it_was_measured_twice() -> None:
    weak = replace(stances(CONSENSUS), level=ConsensusLevel.WEAK_AGREEMENT)
    strong = replace(weak, level=ConsensusLevel.STRONG_AGREEMENT)
    before, now = run_on(0, "a", "a", agreement=weak), run_on(1, "a", "a", agreement=strong)
    changes = changes_between(before, now)
    assert changes.levels == Levels(ConsensusLevel.WEAK_AGREEMENT, ConsensusLevel.STRONG_AGREEMENT)
    assert changes.n_changes == 1
    assert changes_between(run_on(0, "a", "a"), now).levels is None


# The JSON Feed of standing questions.


FIRST = run_on(0, "abz", "abz")
SECOND = run_on(1, "cab", "abzc", FIRST)
LINKED = replace(SECOND, papers=(replace(SECOND.papers[0], url="https://doi.org/10.1/c"), *SECOND.papers[1:]))
TORN = replace(LINKED, agreement=replace(FIRST.agreement, contests=(tension("a", "c"),)))
LOG = StandingLog().add(H0).add_run(H0, FIRST).add_run(H0, TORN)


def test_it_is_a_feed_of_version_1_1() -> None:
    record = json.loads(json.dumps(feed(LOG, "stars")))
    assert record["version"] == "https://jsonfeed.org/version/1.1"
    assert record["title"] == "Standing questions about stars"
    for item in record["items"]:
        assert {"id", "title", "content_text", "date_published", "tags"} <= set(item)
        assert set(item) <= {"id", "title", "content_text", "date_published", "tags", "external_url"}
        assert datetime.datetime.fromisoformat(item["date_published"]) == SECOND.at
    assert [item["tags"][0] for item in record["items"]] == ["new", "gone", "contested"]


def test_the_addresses_of_papers_are_those_of_their_identifiers() -> None:
    new, gone, _ = feed(LOG, "stars")["items"]
    assert new["external_url"] == "https://doi.org/10.1/c"
    assert "external_url" not in gone


def test_a_contest_has_both_quotations() -> None:
    text = feed(LOG, "stars")["items"][-1]["content_text"]
    assert "a says so." in text
    assert "c says so." in text


def test_items_keep_their_ids_and_days_when_more_runs_follow() -> None:
    items = {item["id"]: item for item in feed(LOG, "stars")["items"]}
    third = run_on(2, "dcab", "abzcd", FIRST, SECOND)
    renamed = LOG.add_run(H0, third).mark_seen(H0, third.at).rename("H0", "Expansion")
    later = {item["id"]: item for item in feed(renamed, "stars")["items"]}
    assert len(later) == len(items) + 1
    assert set(items) < set(later)
    assert all(later[each]["date_published"] == items[each]["date_published"] for each in items)


def test_a_paper_that_comes_back_is_no_second_item() -> None:
    third = run_on(2, "abz", "abzc", FIRST, SECOND)
    fourth = run_on(3, "cab", "abzc", FIRST, SECOND, third)
    items = feed(LOG.add_run(H0, third).add_run(H0, fourth), "stars")["items"]
    ids = [item["id"] for item in items]
    assert len(ids) == len(set(ids))
    (came,) = [item for item in items if item["id"].endswith(":new:c")]
    assert came["date_published"].startswith("2026-01-02")


def test_a_question_that_was_run_once_has_no_items_and_a_removed_one_none_at_all() -> None:
    assert feed(StandingLog().add(H0).add_run(H0, FIRST), "stars")["items"] == []
    assert feed(LOG.remove("H0"), "stars")["items"] == []


def test_the_feed_of_standing_questions_is_for_the_owner_alone(
    pf: Pathfinder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    client = TestClient(api(pf, ServerAccess()), base_url="http://127.0.0.1:8600")
    question = pf.watch("How old are globular clusters?", "age", top_k=3)
    (run,) = pf.standing_store.log().runs(question)
    later = replace(run, at=run.at.replace(year=2040), papers=run.papers[1:])
    log = pf.standing_store.change(lambda log: log.add_run(question, later))
    answered = client.get("/api/v1/standing/feed.json")
    assert answered.headers["content-type"] == "application/feed+json"
    assert [item["tags"] for item in answered.json()["items"]] == [["gone", "age"]]
    assert str(tmp_path) not in answered.text
    assert pf.standing_store.log() == log  # nothing is marked as seen
    assert client.get("/api/v1/standing/feed.json", headers={"X-Forwarded-For": "10.0.0.1"}).status_code == 403
    key = "x" * 43
    public = TestClient(api(pf, ServerAccess("0.0.0.0", digests=(digest_of(key),))), base_url="http://stars.example")
    refused = public.get("/api/v1/standing/feed.json", headers={"Authorization": f"Bearer {key}"})
    assert (refused.status_code, refused.json()["code"]) == (403, "owner")
