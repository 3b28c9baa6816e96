"""Live sources, asked side by side: what they find, what fails, and how long it may take."""

import threading

import pytest
from pydantic import SecretStr

from pathfinder.errors import UsageError
from pathfinder.llm.stopping import ReaderStopped, stop_signal
from pathfinder.settings import Settings
from pathfinder.sources.live.access import LiveAccess, allowed_sources
from pathfinder.sources.live.asking import ask_side_by_side
from pathfinder.types import LiveSource
from tests.sources.hosts.json_hosts import as_json
from tests.sources.hosts.loopback import Reply
from tests.sources.live.live_hosts import ANSWERS, SETTINGS

QUESTION = "What is the dust-to-gas ratio of dwarf galaxies?"
KEYS = {
    "SEMANTIC_SCHOLAR_API_KEY": SecretStr("s2-s3cret"),
    "ADS_API_TOKEN": SecretStr("ads-s3cret"),
    "OPENALEX_API_KEY": SecretStr("oa-s3cret"),
    "web_search_key": SecretStr("web-s3cret"),
}
SECONDS = 5.0


@pytest.fixture
def access_to(tmp_path):
    """`access_to({source: host})` is access to these hosts, with all keys and the clock of the first host."""

    def access(hosts, **fields):
        addresses = {SETTINGS[source]: host.address for source, host in hosts.items()}
        settings = Settings(_env_file=None, cache=tmp_path, **{"live_seconds": SECONDS, **KEYS, **addresses, **fields})
        return LiveAccess(settings, clock=next(iter(hosts.values())).clock)

    return access


@pytest.fixture
def reply_of(serve, access_to):
    """`reply_of(source, answer, ...)` is the reply of one source whose host answers in this way."""

    def reply(source, answer=None, **fields):
        host = serve(answer or ANSWERS[source])
        (only,) = ask_side_by_side(QUESTION, [source], access_to({source: host}, **fields))
        return only, host

    return reply


def test_all_sources_are_asked_and_reply_in_the_order_of_the_request(serve, access_to):
    hosts = {source: serve(answer) for source, answer in ANSWERS.items()}
    replies = ask_side_by_side(QUESTION, [*LiveSource], access_to(hosts))
    assert [(reply.source, [paper.title for paper in reply.papers], reply.n_rejected) for reply in replies] == [
        (LiveSource.SEMANTIC_SCHOLAR, ["Dust 7"], 0),
        (LiveSource.OPENALEX, ["Dust 3"], 1),
        (LiveSource.ARXIV, ["Dust 1 of galaxies", "Dust 2 of galaxies"], 0),
        (LiveSource.ADS, ["Dust 5"], 0),
        (LiveSource.WEB, ["Dust 6", "Dust at home"], 1),
    ]
    assert {reply.problem for reply in replies} == {None}

    telling_words = "all:dust OR all:gas OR all:ratio OR all:dwarf OR all:galaxies"
    assert hosts[LiveSource.ARXIV].requests[0].query["search_query"] == telling_words


def test_a_page_of_the_web_becomes_a_paper_with_the_identifier_in_its_address(reply_of):
    reply, host = reply_of(LiveSource.WEB)
    first, second = reply.papers
    assert (first.arxiv_id, first.abstract, first.is_summary) == ("2601.00006", "Dust was measured.", True)
    assert (second.arxiv_id, second.other_ids) == (None, ("url:https://example.org/home?x=1",))
    assert host.requests[0].query == {"q": QUESTION}


def test_a_web_search_may_have_other_names_for_everything(serve, access_to):
    page = {"name": "Dust 8", "about": {"text": "Dust."}, "link": "https://example.org/8"}
    host = serve(lambda request: as_json({"web": {"pages": [page]}}))
    names = {"parameter": "question", "list": "web.pages", "title": "name", "text": "about.text", "address": "link"}
    own = {"url": f"{host.address}/find?format=json&lang=en", "key_header": "X-Token", **names}
    access = access_to({LiveSource.WEB: host}, **{f"web_search_{name}": value for name, value in own.items()})
    (reply,) = ask_side_by_side(QUESTION, [LiveSource.WEB], access)
    (paper,) = reply.papers
    assert (paper.title, paper.abstract) == ("Dust 8", "Dust.")
    assert host.requests[0].path == "/find"
    assert host.requests[0].query == {"format": "json", "lang": "en", "question": QUESTION}
    assert host.requests[0].headers["x-token"] == "web-s3cret"


NO_LIST = "sent something other than a list of papers, such as a web page"
FAULTS = [
    (as_json({"error": "busy"}, 503), "answered HTTP 503"),
    (as_json({"error": "slow down"}, 429, Retry_After="5"), "was asked too often, or its budget is used up (HTTP 429)"),
    (as_json({"error": "who"}, 401), "does not accept the key (HTTP 401)"),
    (Reply(b"<html>Just a moment</html>", kind="text/html"), NO_LIST),
    (as_json({"results": "none"}), NO_LIST),
    (Reply(b'{"results": [', n_bytes=5), "did not answer (5 s)"),
]


@pytest.mark.parametrize(("fault", "problem"), FAULTS)
def test_a_source_that_fails_is_asked_once_and_says_why(reply_of, fault, problem):
    reply, host = reply_of(LiveSource.OPENALEX, lambda request: fault)
    assert (reply.papers, reply.problem) == ((), problem)
    assert len(host.requests) == 1


@pytest.mark.parametrize("source", LiveSource)
def test_no_key_is_in_a_problem_a_paper_an_address_or_a_stored_page(reply_of, source, tmp_path):
    good, host = reply_of(source)
    bad, _ = reply_of(source, lambda request: as_json({"error": str(request.headers) + str(request.query)}, 403))
    written_bytes = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "s3cret" not in f"{good} {bad} {host.requests[0].path}"
    assert b"s3cret" not in written_bytes
    assert not list(tmp_path.rglob("*.db")), "no page of a live source is stored"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (LiveSource.ADS, "needs your own key: set ADS_API_TOKEN"),
        (LiveSource.WEB, "has no address: set PATHFINDER_WEB_SEARCH_URL"),
    ],
)
def test_what_is_not_set_is_not_asked(reply_of, source, problem):
    missing = {"ADS_API_TOKEN": None} if source is LiveSource.ADS else {"web_search_url": None}
    reply, host = reply_of(source, **missing)
    assert (reply.problem, host.requests) == (problem, [])


def test_a_slow_source_does_not_hold_up_the_others(serve, access_to):
    released = threading.Event()

    def slow(request):
        released.wait(300)
        return as_json({"meta": {}, "results": []})

    hosts = {LiveSource.ARXIV: serve(ANSWERS[LiveSource.ARXIV]), LiveSource.OPENALEX: serve(slow)}
    replies = ask_side_by_side(QUESTION, [*hosts], access_to(hosts, live_seconds=2.0))
    released.set()
    assert [len(reply.papers) for reply in replies] == [2, 0]
    assert replies[1].problem in ("did not answer within 2 s", "did not answer (2 s)")


def test_nobody_waits_for_a_slow_source_once_the_caller_has_left(serve, access_to):
    asked, released = threading.Event(), threading.Event()

    def slow(request):
        asked.set()
        released.wait(300)
        return as_json({"meta": {}, "results": []})

    hosts = {LiveSource.OPENALEX: serve(slow)}
    with stop_signal() as stop:
        threading.Thread(target=lambda: (asked.wait(300), stop.set()), daemon=True).start()
        with pytest.raises(ReaderStopped):
            ask_side_by_side(QUESTION, [*hosts], access_to(hosts, live_seconds=60.0))
    assert not released.is_set()
    released.set()


def test_a_host_that_may_not_be_asked_yet_is_left_out_at_once(serve, access_to):
    host = serve(ANSWERS[LiveSource.ARXIV])
    access = access_to({LiveSource.ARXIV: host}, live_seconds=2.0)
    first, second = (ask_side_by_side(QUESTION, [LiveSource.ARXIV], access)[0] for _ in range(2))
    assert (len(first.papers), second.problem) == (2, "must not be asked again for 3.0 s")
    assert len(host.requests) == 1


def test_a_host_that_fails_three_times_in_a_row_is_left_alone(serve, access_to):
    host = serve(lambda request: as_json({}, 503))
    access = access_to({LiveSource.OPENALEX: host})
    problems = [ask_side_by_side(QUESTION, [LiveSource.OPENALEX], access)[0].problem for _ in range(4)]
    assert problems == ["answered HTTP 503"] * 3 + ["has been failing and will be sent no requests for a few minutes"]
    assert len(host.requests) == 3


def test_a_source_that_is_not_allowed_is_not_asked(serve, access_to):
    host = serve(ANSWERS[LiveSource.ARXIV])
    settings = access_to({LiveSource.ARXIV: host}).settings
    (reply,) = ask_side_by_side(QUESTION, [LiveSource.ARXIV], LiveAccess(settings, allowed_sources("openalex, web")))
    assert reply.problem == "is not allowed by whoever runs this server (PATHFINDER_LIVE)"
    assert host.requests == []
    with pytest.raises(UsageError, match=r"PATHFINDER_LIVE.*arxiv.*arxif"):
        allowed_sources("arxif")
