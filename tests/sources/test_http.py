"""Requests to a host: pace, retries, stored pages, limits and errors, on a clock that only sleeping moves."""

import gzip
import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx2
import pytest
from pydantic import SecretStr

from pathfinder.errors import MissingKey, ProviderError, RateLimited, RejectedKey, Unreachable, UnusableReply
from pathfinder.sources.http.host import Credential, Host
from pathfinder.sources.http.pace import Clock, requested_wait
from pathfinder.sources.http.web import FetchReply, Web, WebSurroundings

NOON = 1_795_348_800.0  # 2026-11-22 12:00 UTC
KEY = "s3cret/key+1"
HOST = Host("Papers", "https://papers.example", "PATHFINDER_PAPERS_URL", pace_seconds=3.0)


@dataclass
class Stage:
    """A host that gives the replies of a list, and a clock that only sleeping moves."""

    folder: Path
    replies: list
    time: float = NOON
    sleeps: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    lines: list = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(round(seconds, 3))
        self.time += seconds

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def web(self, **rules) -> Web:
        clock = Clock(lambda: self.time, self.sleep)
        around = WebSurroundings(
            self.folder, "me@example.org", clock, self.lines.append, httpx2.MockTransport(self.answer)
        )
        return Web(replace(HOST, **rules), around)


@pytest.fixture
def stage(tmp_path):
    return lambda *replies: Stage(tmp_path, list(replies))


def no(status, content=b"", **headers):
    return httpx2.Response(status, content=content, headers={name.replace("_", "-"): v for name, v in headers.items()})


def ok(content=b'{"n": 1}', **headers):
    return no(200, content, **headers)


def as_json(fetched: FetchReply):
    return json.loads(fetched.content)


# Pace -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "seconds", "pause"),
    [
        (ok(), 0.0, 3.0),
        (ok(), 1.0, 2.0),
        (ok(), -24 * 3600, 3.0),  # a clock that was a day ahead costs no more
        (ok(backoff="10"), 0.0, 10.0),
    ],
)
def test_requests_of_all_processes_that_share_a_cache_say_who_asks_and_are_a_pause_apart(stage, first, seconds, pause):
    host = stage(first, ok())
    host.web().get("works", {"q": "dust"}, as_json)
    host.time += seconds
    host.web().get("works", {}, as_json)
    assert host.sleeps == [pause]
    agent = host.requests[0].headers["user-agent"]
    assert agent.startswith("pathfinder/")
    assert agent.endswith("(mailto:me@example.org)")


# Retries --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "waits"),
    [
        (no(429, Retry_After="40"), [40.0]),
        (no(429), [5.0]),
        (no(503, Retry_After="Sun, 22 Nov 2026 12:01:00 GMT"), [60.0]),
        (no(503), [5.0]),
        (ok(b"<html>busy</html>"), [5.0]),
        (httpx2.ReadTimeout("slow"), [5.0]),
        (httpx2.ConnectError("refused"), [5.0]),
    ],
)
def test_a_failure_that_may_pass_is_waited_for(stage, failure, waits):
    host = stage(failure, ok())
    assert host.web().get("works", {}, as_json) == {"n": 1}
    assert host.sleeps == waits


def test_waits_double_up_to_a_limit_and_then_the_request_fails(stage):
    host = stage(*[no(503) for _ in range(5)])
    with pytest.raises(Unreachable, match=r"Papers.*HTTP 503") as e:
        host.web(longest_wait_seconds=15.0).get("works", {}, as_json)
    assert e.value.status == 503
    assert host.sleeps == [5.0, 10.0, 15.0, 15.0]
    assert host.lines[0] == "Papers answered HTTP 503: waiting 5 s before attempt 2 of 5"


def test_a_wait_beyond_the_limit_is_an_error_that_says_until_when(stage):
    host = stage(no(429, b'{"error": "daily budget spent"}', Retry_After="43200"))
    with pytest.raises(RateLimited, match=r"2026-11-23 00:00 UTC.*daily budget spent"):
        host.web().get("works", {}, as_json)
    assert host.sleeps == []


def test_a_refusal_for_good_is_not_repeated_although_its_status_says_later(stage):
    def refusal(status, content):
        return "leave out the filter" if b"Plan upgrade" in content else None

    host = stage(no(429, b'{"error": "Plan upgrade required"}'))
    with pytest.raises(ProviderError, match=r"\(HTTP 429\): leave out the filter") as e:
        host.web(refusal=refusal).get("works", {}, as_json)
    assert not isinstance(e.value, RateLimited)
    assert len(host.requests) == 1


@pytest.mark.parametrize(
    ("status", "words"), [(400, "check the spelling of the source"), (404, "PATHFINDER_PAPERS_URL")]
)
def test_other_refusals_are_not_repeated(stage, status, words):
    host = stage(no(status, b"<h1>Bad\x1b[2J query</h1>"))
    with pytest.raises(ProviderError, match=words) as e:
        host.web().get("works", {}, as_json)
    assert "\x1b" not in str(e.value)
    assert "Bad [2J query" in str(e.value)


def test_after_three_failed_requests_a_host_is_left_alone_for_five_minutes(stage):
    host = stage(*[no(503) for _ in range(3)], ok())
    web = host.web(attempts=1)
    for _ in range(3):
        with pytest.raises(Unreachable, match="failed 1 times"):
            web.get("works", {}, as_json)
    with pytest.raises(Unreachable, match="2026-11-22 12:00 UTC"):
        web.get("works", {}, as_json)
    assert len(host.requests) == 3
    host.time += 301
    assert web.get("works", {}, as_json) == {"n": 1}


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
        ({"x-ratelimit-reset": "90"}, 90.0),
        ({"x-ratelimit-reset": str(int(NOON) + 60)}, 60.0),
        ({"retry-after": "Sun, 22 Nov 2026 11:00:00 GMT"}, 0.0),
        # Our clock is a day behind: the host's own clock counts.
        ({"retry-after": "Mon, 23 Nov 2026 12:00:30 GMT", "date": "Mon, 23 Nov 2026 12:00:00 GMT"}, 30.0),
    ],
)
def test_the_wait_is_read_from_the_headers(headers, wait):
    assert requested_wait(headers, NOON) == wait


# Stored pages, limits, keys -------------------------------------------------------------------------


def test_a_stored_page_costs_no_request_and_no_pause(stage):
    host = stage(ok())
    web = host.web(cache_seconds=3600.0)
    assert [web.get("works", {"q": "dust"}, as_json) for _ in range(2)] == [{"n": 1}, {"n": 1}]
    assert (len(host.requests), host.sleeps) == (1, [])


def test_an_unusable_page_is_not_stored(stage):
    host = stage(ok(b"<html>"), ok())
    web = host.web(cache_seconds=3600.0)
    assert web.get("works", {}, as_json) == {"n": 1}
    assert len(host.requests) == 2


def test_a_page_that_unpacks_beyond_the_limit_is_refused_unread(stage):
    host = stage(ok(gzip.compress(b" " * 1_000_000), content_encoding="gzip"))
    with pytest.raises(UnusableReply, match="sent more than 1000 bytes"):
        host.web(max_bytes=1000).get("works", {}, as_json)


def test_a_redirect_to_another_host_is_refused(stage):
    host = stage(no(302, location="http://127.0.0.1/admin"))
    with pytest.raises(UnusableReply, match=r"redirects to another host \(127\.0\.0\.1\)"):
        host.web().get("works", {}, as_json)


@pytest.mark.parametrize("place", [{"header": "Authorization", "prefix": "Bearer "}, {"parameter": "api_key"}])
def test_a_key_is_sent_and_written_nowhere(stage, caplog, place, tmp_path):
    caplog.set_level("DEBUG")
    echo = json.dumps({"error": f"bad key {KEY}"}).encode()
    host = stage(ok(), no(401, echo))
    web = host.web(credential=Credential("PAPERS_KEY", SecretStr(KEY), **place), cache_seconds=3600.0)
    web.get("works", {}, as_json)
    with pytest.raises(RejectedKey, match=r"check PAPERS_KEY") as e:
        web.get("authors", {}, as_json)
    sent = host.requests[0]
    assert KEY in (sent.headers.get("authorization", "") + sent.url.params.get("api_key", ""))
    written_bytes = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for text in (str(e.value), caplog.text, written_bytes.decode("latin-1")):
        assert "s3cret" not in text


def test_a_host_that_asks_for_a_key_names_its_variable(stage):
    host = stage(no(401))
    with pytest.raises(MissingKey, match="PAPERS_KEY"):
        host.web(credential=Credential("PAPERS_KEY", None, header="X")).get("works", {}, as_json)
