"""The JSON Feed of standing questions."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pathfinder.addons.standing.log import StandingLog, feed
from pathfinder.facade import Pathfinder
from pathfinder.serving.access import ServerAccess, digest_of
from pathfinder.serving.api import api
from tests.addons.standing.made_runs import H0, run_on, tension

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
