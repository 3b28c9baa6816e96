"""The API answers what the command line prints, and refuses what a web page or a mistake would send."""

import ast
import io
import json
import shlex
import socket
from collections.abc import Generator
from copy import copy
from pathlib import Path
from typing import Any, get_args

import anyio
import pytest
from starlette.testclient import TestClient

from pathfinder.addons.comparison.comparison import DEFAULT_COLUMNS
from pathfinder.addons.network.operation import TieName
from pathfinder.cli import main
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.models.loading import load_moderator
from pathfinder.operations import body_of
from pathfinder.operations.fields import request_of
from pathfinder.operations.search import OPERATION as SEARCH
from pathfinder.operations.search import search_record
from pathfinder.retrieval.factors import factor_settings
from pathfinder.retrieval.request_records import record_of_request
from pathfinder.serving.access import ServerAccess, access_of, check_address, digest_of
from pathfinder.serving.api import api, as_lines
from pathfinder.serving.guard import MAX_BODY, Queue
from pathfinder.serving.watching import log_of
from pathfinder.settings import Settings
from pathfinder.types import Region, SearchRequest, Tie, Weighting, without_control_characters
from pathfinder.types.settings import settings_of
from pathfinder.ui.settings.copied_call import CopiedCall
from tests.serving import stays

QUESTION = "How old are globular clusters?"


@pytest.fixture
def client(pf: Pathfinder) -> TestClient:
    return TestClient(api(pf, ServerAccess()), base_url="http://127.0.0.1:8600")


def test_health_says_how_many_papers_there_are(client: TestClient, pf: Pathfinder) -> None:
    assert client.get("/api/v1/health").json() == {"status": "ok", "papers": len(pf.corpus.papers)}


def test_a_search_answers_what_the_command_line_prints(
    client: TestClient, pf: Pathfinder, golden_corpus: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["search", QUESTION, "--corpus", str(golden_corpus), "--top-k", "3", "--weight-time", "0.5", "--json"])
        == 0
    )
    printed = json.loads(capsys.readouterr().out)
    sent = {"query": QUESTION, "top_k": 3, "weights": {"recency": 0.5}}
    answer = client.post("/api/v1/search", json=sent).json()
    assert len(answer["hits"]) == 3
    assert {**answer, "seconds": None} == {**printed, "seconds": None}


def test_a_body_has_every_setting_of_a_search() -> None:
    names = {setting.name for part in (SearchRequest, Weighting) for setting in settings_of(part)}
    assert set(body_of(SEARCH).model_fields) == names | {"query", "weights"}


def test_the_defaults_in_the_description_are_those_of_a_search() -> None:
    body = body_of(SEARCH)
    defaults = {name: field.get_default(call_default_factory=True) for name, field in body.model_fields.items()}
    sent = {name: value for name, value in defaults.items() if value is not None}
    assert request_of(body.model_validate(sent | {"query": "q"})) == SearchRequest("q")


def test_the_description_lists_the_errors_that_calls_return(client: TestClient) -> None:
    description = client.get("/api/v1/openapi.json").json()
    refusals = {"400", "401", "403", "408", "413", "415", "421", "429", "500", "502", "503", "default"}
    for calls in description["paths"].values():
        for call in calls.values():
            assert set(call["responses"]) == {"200"} | refusals
            schemas = [call["responses"][status]["content"]["application/json"]["schema"] for status in refusals]
            assert schemas == [{"$ref": "#/components/schemas/Error"}] * len(refusals)
    assert set(client.get("/api/v1/nothing").json()) == set(description["components"]["schemas"]["Error"]["required"])
    assert not {"HTTPValidationError", "ValidationError"} & set(description["components"]["schemas"])


def test_texts_have_the_form_of_a_link() -> None:
    sent = {"query": "q", "own_synonyms": "BH: black hole", "today": "2025-01-01", "extra_keywords": ["dust"]}
    sent_fields = {name: value for name, value in sent.items() if name in body_of(SEARCH).model_fields}
    request = request_of(body_of(SEARCH).model_validate(sent_fields))
    assert request.today is not None
    assert (request.today.isoformat(), request.extra_keywords) == ("2025-01-01", ("dust",))


@pytest.mark.parametrize(
    ("sent", "part"),
    [
        ({"query": "q", "top_k": 0}, "top_k"),
        ({"query": "q", "top_k": "3"}, "top_k"),
        ({"query": ""}, "question"),
        ({}, "query"),
        ({"query": "q", "colour": "red"}, "colour"),
        ({"query": "q", "fusion": "magic"}, "fusion"),
        ({"query": "q", "reranker": "vendor:model"}, "reranker"),
        ({"query": "q", "weights": {"beauty": 1}}, factor_settings()[0].name),
        ({"query": "q", "weights": {"recency": 2}}, "recency"),
    ],
)
def test_a_value_that_is_not_allowed_is_a_usage_error(client: TestClient, sent: dict[str, object], part: str) -> None:
    answer = client.post("/api/v1/search", json=sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "usage")
    assert part in answer.json()["message"]
    assert answer.json()["way_out"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example:8600"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Origin": "http://127.0.0.1:8600"}, 200),
        ({"Origin": "http://127.0.0.1:3000"}, 403),
        ({"Host": "localhost:8600"}, 200),
        ({"Host": "localhost.:8600"}, 200),
    ],
)
def test_no_web_page_spends_what_a_person_pays_for(client: TestClient, headers: dict[str, str], status: int) -> None:
    sent = {"Content-Type": "application/json"} | headers
    answer = client.post("/api/v1/search", content=json.dumps({"query": QUESTION}), headers=sent)
    assert answer.status_code == status
    assert status == 200 or set(answer.json()) == {"code", "message", "way_out"}


@pytest.mark.parametrize(
    "sent",
    [
        {"today": "x" * 20_000},
        {"region": "\u202e" * 20_000},
        {"weights": {"\x00\u202e": "\x07"}},
        {"steers": {"a\u2066\n" * 9_000: "x"}},
        {"live": "\x1b[31m\u202eabc"},
    ],
)
def test_an_error_quotes_no_value_at_length_and_none_that_acts(client: TestClient, sent: dict[str, object]) -> None:
    answer = client.post("/api/v1/search", json={"query": "dust", **sent})
    assert (answer.status_code, answer.json()["code"]) == (400, "usage")
    assert len(answer.json()["message"]) < 2_100
    assert without_control_characters(answer.json()["message"]) == answer.json()["message"]


def test_a_long_body_is_refused(client: TestClient) -> None:
    assert client.post("/api/v1/search", json={"query": "x" * MAX_BODY}).status_code == 413


def test_an_address_without_a_call_is_an_error_of_the_same_form(client: TestClient) -> None:
    answer = client.get("/api/v1/nothing")
    assert (answer.status_code, set(answer.json())) == (404, {"code", "message", "way_out"})
    assert client.get("/api/v1/search").status_code == 405


def printed_by(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main([*arguments, "--json"]) == 0
    printed: dict[str, object] = json.loads(capsys.readouterr().out)
    return printed


def without_times(record: object) -> object:
    """The same record without what a clock says."""
    if isinstance(record, dict):
        return {key: None if key == "seconds" else without_times(value) for key, value in record.items()}
    return [without_times(item) for item in record] if isinstance(record, list) else record


def test_papers_are_compared_by_their_ids(client: TestClient) -> None:
    answer = client.post("/api/v1/table", json={"papers": ["riess-2022", "hubble-1929"]}).json()
    assert [row["paper_id"] for row in answer["rows"]] == ["riess-2022", "hubble-1929"]
    assert answer["columns"] == list(DEFAULT_COLUMNS)


@pytest.mark.parametrize(
    ("call", "sent", "part"),
    [
        ("table", {}, "send query or papers"),
        ("table", {"query": QUESTION, "papers": ["hubble-1929"]}, "send query or papers"),
        ("table", {"papers": ["nobody-1900"]}, "nobody-1900"),
        ("network", {"query": QUESTION, "by": "friendship"}, "by"),
    ],
)
def test_an_overview_that_cannot_be_made_is_a_usage_error(
    client: TestClient, call: str, sent: dict[str, object], part: str
) -> None:
    answer = client.post(f"/api/v1/{call}", json=sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "usage")
    assert part in answer.json()["message"]


def test_ties_are_named_in_the_description_as_everywhere() -> None:
    assert get_args(TieName) == tuple(map(str, Tie))


def test_a_search_is_weighed_again_without_being_repeated(client: TestClient, pf: Pathfinder) -> None:
    plain = client.post("/api/v1/search", json={"query": QUESTION}).json()
    weighed = client.post("/api/v1/reweigh", json={"query": QUESTION, "weights": {"recency": 1.0}}).json()
    expected = search_record(pf.search(QUESTION, weighting=Weighting().with_strength("recency", 1.0)))
    assert [hit["paper_id"] for hit in weighed["hits"]] == [hit["paper_id"] for hit in expected["hits"]]
    assert [hit["paper_id"] for hit in weighed["hits"]] != [hit["paper_id"] for hit in plain["hits"]]
    assert "dense" in plain["seconds"]
    assert set(weighed["seconds"]) == {"memory", "weighting", "assessment", "total"}


def test_a_paper_has_its_abstract_its_links_and_its_citations(client: TestClient, pf: Pathfinder) -> None:
    first_paper = pf.corpus.papers[0]
    answer = client.get(f"/api/v1/papers/{first_paper.paper_id}").json()
    assert (answer["paper_id"], answer["title"], answer["abstract"]) == (
        first_paper.paper_id,
        first_paper.title,
        first_paper.abstract,
    )
    unknown = client.get("/api/v1/papers/arxiv/0000.00000")
    assert (unknown.status_code, unknown.json()["code"]) == (400, "usage")
    assert "arxiv/0000.00000" in unknown.json()["message"]


def test_a_paper_and_an_export_as_of_a_year_refuse_a_later_paper_by_its_id(client: TestClient, pf: Pathfinder) -> None:
    paper = client.get("/api/v1/papers/hubble-1929?as_of=1990").json()
    cited_by = pf.as_of(1990).citations_of("hubble-1929").cited_by if pf.corpus.network else ()
    assert paper["citation_count"] == (len(cited_by) if pf.corpus.network else None)
    exported = client.post("/api/v1/export", json={"papers": ["hubble-1929"], "as_of": 1990})
    assert exported.json()["text"].startswith("@")
    for refused in (
        client.get("/api/v1/papers/riess-2022?as_of=1990"),
        client.post("/api/v1/export", json={"papers": ["hubble-1929", "riess-2022"], "as_of": 1990}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (400, "usage")
        assert "the paper 'riess-2022' is dated after 1990" in refused.json()["message"]
    for value in ("soon", "0"):
        wrong = client.get(f"/api/v1/papers/hubble-1929?as_of={value}")
        assert (wrong.status_code, wrong.json()["message"].split(":")[0]) == (400, "as_of")


def test_a_region_counts_its_papers(client: TestClient, pf: Pathfinder) -> None:
    everywhere = "-1e6,-1e6;1e6,-1e6;1e6,1e6;-1e6,1e6"
    answer = client.post("/api/v1/map/region", json={"region": everywhere}).json()
    assert answer["n_papers"] == answer["n_anywhere"] == len(pf.corpus.papers)
    assert client.post("/api/v1/map/region", json={"region": "here"}).status_code == 400


def test_calls_as_of_a_year_know_no_later_paper(client: TestClient, pf: Pathfinder) -> None:
    everywhere = "-1e6,-1e6;1e6,-1e6;1e6,1e6;-1e6,1e6"
    then = len(pf.as_of(1990).corpus.papers)
    region = client.post("/api/v1/map/region", json={"region": everywhere, "as_of": 1990}).json()
    assert region["n_papers"] == region["n_anywhere"] == then
    for call, body in (("search", {"query": "galaxies"}), ("similar", {"text": "galaxies"})):
        answered = client.post(f"/api/v1/{call}", json={**body, "as_of": 1990}).json()
        assert answered["filters"]["as_of"] == 1990
        assert answered["stages"]["as of"].startswith(f"1990: {then} of {len(pf.corpus.papers)} papers")
        assert max(hit["year"] for hit in answered["hits"]) <= 1990
    refused = client.post("/api/v1/search", json={"query": "galaxies", "as_of": 1500})
    assert (refused.status_code, "the first paper in" in refused.json()["message"]) == (400, True)


def test_papers_are_exported_in_their_order(client: TestClient, pf: Pathfinder) -> None:
    ids = [pf.corpus.papers[row].paper_id for row in (2, 0)]
    answer = client.post("/api/v1/export", json={"papers": ids, "format": "csv"}).json()
    assert [line.split(",")[0] for line in answer["text"].splitlines()[1:]] == ids
    assert client.post("/api/v1/export", json={"papers": ids}).json()["text"].startswith("@")


def events_of(client: TestClient, body: dict[str, object]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in client.post("/api/v1/answer", json=body).text.splitlines()]


def test_an_answer_comes_as_hits_and_then_as_the_events_of_the_core(
    client: TestClient, golden_corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = events_of(client, {"query": QUESTION, "generation": "extractive", "top_k": 3})
    names = [event["event"] for event in events]
    assert (names[0], names[-1], names.count("hits"), names.count("done")) == ("hits", "done", 1, 1)
    assert set(names) <= {"hits", "text", "step", "note", "done"}
    arguments = ("--corpus", str(golden_corpus), "--mode", "extractive", "--top-k", "3")
    assert without_times(events[-1]["data"]) == without_times(printed_by(capsys, "ask", QUESTION, *arguments))


@pytest.mark.parametrize(
    ("sent", "part"),
    [
        ({"generation": "magic"}, "magic"),
        ({"steps": 10_000}, "steps"),
        ({"form": "sonnet"}, "form"),
        ({"as_of": 1500}, "1500"),  # the search refuses it
    ],
)
def test_an_answer_that_cannot_be_given_is_refused_before_it_begins(
    client: TestClient, sent: dict[str, object], part: str
) -> None:
    answer = client.post("/api/v1/answer", json={"query": QUESTION} | sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "usage")
    assert part in answer.json()["message"]


def test_a_moderated_question_is_refused_before_its_answer_begins(pf: Pathfinder, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("globular\n", encoding="utf-8")
    moderated = copy(pf)
    moderated.moderator = load_moderator(Settings(moderation="words", moderation_words=tmp_path / "words.txt"))
    client = TestClient(api(moderated, ServerAccess()), base_url="http://127.0.0.1:8600")
    refusals = [client.post(f"/api/v1/{address}", json={"query": QUESTION}) for address in ("search", "answer")]
    assert [reply.status_code for reply in refusals] == [400, 400]
    assert refusals[0].json() == refusals[1].json()


def test_an_answer_stops_when_its_caller_leaves() -> None:
    closed = []

    def endless() -> Generator[dict[str, object], None, None]:
        try:
            while True:
                yield {"event": "text", "data": "word"}
        finally:
            closed.append(True)

    async def read_two() -> None:
        lines = as_lines(endless())
        assert [await anext(lines), await anext(lines)] == ['{"event": "text", "data": "word"}\n'] * 2
        await lines.aclose()  # what the server does when the connection ends

    anyio.run(read_two)
    assert closed == [True]


def test_a_call_behind_too_many_others_is_refused_at_once() -> None:
    async def slow(scope: object, receive: object, send: object) -> None:
        await release.wait()

    statuses: list[tuple[int, str]] = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append((message["status"], dict(message["headers"])[b"retry-after"].decode()))

    async def call() -> None:
        await queue({"type": "http", "path": "/api/v1/search", "method": "POST"}, stays, send)

    async def four_calls() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(4):  # one at work, two waiting, one too many
                group.start_soon(call)
                await anyio.sleep(0)
            await anyio.wait_all_tasks_blocked()
            assert statuses == [(503, "2")]
            release.set()

    release = anyio.Event()
    queue = Queue(slow, at_once=1, most_waiting=2)  # type: ignore[arg-type]
    anyio.run(four_calls)


KEY = "not-a-key-that-anybody-would-guess"
DIGEST = digest_of(KEY)
PUBLIC = ServerAccess("0.0.0.0", digests=(DIGEST,), per_minute=2)


def public(pf: Pathfinder, access: ServerAccess) -> TestClient:
    return TestClient(api(pf, access), base_url="https://papers.example")


@pytest.mark.parametrize(
    ("header", "status"),
    [(f"Bearer {KEY}", 200), (f"bearer {KEY}", 200), (f"Basic {KEY}", 401), (f"Bearer {DIGEST}", 401), (None, 401)],
)
def test_other_machines_need_a_key(pf: Pathfinder, header: str | None, status: int) -> None:
    headers = {"Authorization": header} if header else {}
    reply = public(pf, PUBLIC).post("/api/v1/search", json={"query": QUESTION}, headers=headers)
    assert reply.status_code == status
    assert status == 200 or (reply.json()["code"], reply.headers["WWW-Authenticate"]) == ("key", "Bearer")


def test_whoever_calls_too_often_is_told_when_to_come_back(pf: Pathfinder) -> None:
    client, headers = public(pf, PUBLIC), {"Authorization": f"Bearer {KEY}"}
    replies = [client.get("/api/v1/papers/hubble-1929", headers=headers) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert 1 <= int(replies[-1].headers["Retry-After"]) <= 60
    assert client.get("/api/v1/health").status_code == 200


def test_a_page_of_another_host_cannot_call_a_public_server(pf: Pathfinder) -> None:
    client = public(pf, ServerAccess("0.0.0.0", hosts=("papers.example",)))
    for origin, status in (("https://evil.example", 403), ("https://papers.example", 200)):
        reply = client.post("/api/v1/search", json={"query": QUESTION}, headers={"Origin": origin})
        assert reply.status_code == status


@pytest.mark.parametrize(
    ("host", "without_keys", "with_keys", "with_a_name"),
    [
        ("evil.example", False, True, False),
        ("papers.example", False, True, True),
        ("papers.example:8443", False, True, True),
        ("Papers.example.:443", False, True, True),
        ("192.0.2.7:8600", True, True, True),
        ("[2001:db8::7]:8600", True, True, True),
        ("localhost", True, True, True),
        ("", False, True, False),
    ],
)
def test_a_server_without_keys_answers_only_to_its_own_names(
    host: str, without_keys: bool, with_keys: bool, with_a_name: bool
) -> None:
    named = access_of("0.0.0.0", 8600, Settings(open=True, hosts=("Papers.example",)))
    assert ServerAccess("0.0.0.0").accepts(host) == without_keys
    assert PUBLIC.accepts(host) == with_keys
    assert named.accepts(host) == with_a_name


def test_a_host_that_is_refused_is_named_with_the_way_out(pf: Pathfinder) -> None:
    reply = public(pf, ServerAccess("0.0.0.0")).get("/api/v1/papers/hubble-1929")
    assert (reply.status_code, reply.json()["code"]) == (421, "host")
    assert "'papers.example'" in reply.json()["message"]
    assert "PATHFINDER_HOSTS" in reply.json()["way_out"]


@pytest.mark.parametrize(
    ("origin", "host", "is_own"),
    [
        ("https://papers.example", "papers.example:443", True),
        ("https://papers.example:443", "papers.example", True),
        ("http://papers.example", "papers.example:80", True),
        ("https://papers.example.", "Papers.example", True),
        ("https://papers.example", "papers.example:80", False),
        ("https://papers.example:8443", "papers.example", False),
        ("ftp://papers.example", "papers.example", False),
        ("null", "papers.example", False),
    ],
)
def test_the_port_of_the_scheme_and_a_final_dot_make_no_other_host(origin: str, host: str, is_own: bool) -> None:
    assert ServerAccess("0.0.0.0").is_own_origin(origin, host) == is_own


@pytest.mark.parametrize(
    "name", ["https://papers.example", "papers.example/", "papers.example:8443", "*.example", "a b", "."]
)
def test_a_host_in_the_settings_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="PATHFINDER_HOSTS"):
        access_of("0.0.0.0", 8600, Settings(open=True, hosts=("papers.example", name)))


@pytest.mark.parametrize("host", ["192.0.2.7", "no address", "::2"])
def test_a_server_starts_at_no_address_of_another_machine(host: str) -> None:
    with pytest.raises(UsageError, match=rf"{host}.*8600"):
        check_address(host, 8600)


def test_a_server_starts_at_no_port_that_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(UsageError, match=r"^cannot listen at 127\.0\.0\.1"):
            check_address("127.0.0.1", other.getsockname()[1])


def test_a_server_answers_at_the_address_of_loopback_that_it_was_given() -> None:
    second = access_of("127.0.0.2", 8600, Settings())
    assert second.accepts("127.0.0.2:8600")
    assert second.is_own_origin("http://127.0.0.2:8600", "127.0.0.2:8600")
    assert not second.accepts("evil.example:8600")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_loopback_needs_no_key(host: str) -> None:
    assert access_of(host, 8600, Settings(api_keys=(DIGEST,))) == ServerAccess(host, 8600)


def test_behind_a_named_proxy_loopback_needs_a_key_too_and_calls_are_counted(pf: Pathfinder) -> None:
    proxied = Settings(api_keys=(DIGEST,), proxies=("127.0.0.1",), calls_per_minute=2)
    client = TestClient(api(pf, access_of("127.0.0.1", 8600, proxied)), base_url="https://papers.example")
    paper, headers = "/api/v1/papers/hubble-1929", {"Authorization": f"Bearer {KEY}"}
    assert client.get(paper).status_code == 401
    assert [client.get(paper, headers=headers).status_code for _ in range(3)] == [200, 200, 429]
    with pytest.raises(UsageError, match=r"PATHFINDER_PROXIES.*PATHFINDER_API_KEYS"):
        access_of("127.0.0.1", 8600, Settings(proxies=("127.0.0.1",)))


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::", "papers.example"])
def test_nothing_public_starts_without_keys_or_the_wish_to_be_open(host: str) -> None:
    with pytest.raises(UsageError, match=r"--new-key.* PATHFINDER_OPEN=true"):
        access_of(host, 8600, Settings())
    assert access_of(host, 8600, Settings(open=True)).digests == ()
    assert access_of(host, 8600, Settings(api_keys=(DIGEST,), open=True)).digests == (DIGEST,)


def test_a_proxy_that_is_no_address_is_refused() -> None:
    with pytest.raises(UsageError, match=r"PATHFINDER_PROXIES .* got 'banana'"):
        access_of("127.0.0.1", 8600, Settings(proxies=("banana",), open=True))
    assert access_of("127.0.0.1", 8600, Settings(proxies=("10.0.0.0/8", "::1"), open=True)).is_public


def test_a_key_in_the_place_of_its_digest_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError, match="digests") as refused:
        access_of("0.0.0.0", 8600, Settings(api_keys=(KEY,)))
    assert KEY not in str(refused.value)


def test_a_new_key_is_printed_with_its_digest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--new-key"]) == 0
    key, digest = (line.rpartition(" ")[2] for line in capsys.readouterr().out.splitlines())
    assert access_of("0.0.0.0", 1, Settings(api_keys=(digest,))).key_of(key) == digest[:12]


@pytest.mark.parametrize(
    "request_made",
    [
        SearchRequest("q"),
        SearchRequest('it\'s "quoted"', top_k=3, year_from=1990, authors=("^Riess, A",), needs_abstract=True),
        SearchRequest("q", extra_keywords=("dust", "ice"), reranker="off"),
        SearchRequest("q", region=Region.read("0,0;1,0;1,1")),
        SearchRequest("q", weighting=Weighting().with_strength("recency", 0.5).with_strength("citations", 1.0)),
    ],
)
def test_a_search_is_written_as_the_body_that_makes_it(request_made: SearchRequest) -> None:
    body = json.loads(json.dumps(record_of_request(request_made)))
    assert request_of(body_of(SEARCH).model_validate(body)) == request_made


def test_a_copied_call_is_a_command_and_a_program(client: TestClient) -> None:
    copied = CopiedCall("search", record_of_request(SearchRequest("Hubble's constant", top_k=2)))
    words = shlex.split(copied.as_curl())
    assert words[:3] == ["curl", "http://127.0.0.1:8600/api/v1/search", "-H"]
    reply = client.post("/api/v1/search", content=words[-1], headers={"Content-Type": words[3][14:]})
    assert len(reply.json()["hits"]) == 2
    program = ast.parse(copied.as_python())
    body = next(node.value for node in program.body if isinstance(node, ast.Assign))
    assert ast.literal_eval(body) == json.loads(words[-1])


def test_a_copied_call_runs_in_a_notebook_too(pf: Pathfinder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pathfinder, "open", lambda _: pf)
    request = SearchRequest("Hubble's constant", top_k=2, weighting=Weighting().with_strength("recency", 1.0))
    made: dict[str, Any] = {}
    exec(CopiedCall("tensions", record_of_request(request) | {"papers": 12}).as_notebook(), made)
    assert made["result"] == pf.tensions(pf.search(request), 12)


def test_a_copied_call_to_a_public_server_reads_the_key_of_its_caller() -> None:
    copied = CopiedCall("answer", {"query": "q"}, "https://papers.example", needs_key=True)
    assert "https://papers.example/api/v1/answer" in copied.as_curl()
    assert '"Authorization: Bearer $PATHFINDER_KEY"' in copied.as_curl()
    assert "os.environ['PATHFINDER_KEY']" in copied.as_python()
    compile(copied.as_python(), "copied", "exec")


def test_calls_are_counted_without_what_they_say(pf: Pathfinder) -> None:
    client = TestClient(api(pf, ServerAccess()), base_url="http://127.0.0.1:8600")
    client.post("/api/v1/search", json={"query": "a secret question"})
    client.get("/api/v1/papers/hubble-1929")
    client.get("/api/v1/papers/nope")
    client.get("/api/v1/made-up-name")
    counts = client.get("/metrics").text
    for call, status, n in (("search", 200, 1), ("papers", 200, 1), ("papers", 400, 1), ("other", 404, 1)):
        assert f'pathfinder_calls_total{{call="{call}",status="{status}"}} {n}.0' in counts
    assert not any(word in counts for word in ("secret", "hubble", "nope", "made-up"))


@pytest.mark.parametrize(("with_questions", "question"), [(False, {}), (True, {"question": "How old is M4?"})])
def test_the_log_says_what_was_called_but_no_question_unless_asked_to(
    pf: Pathfinder, with_questions: bool, question: dict[str, str]
) -> None:
    lines = io.StringIO()
    settings = Settings(log="json", keep_questions=with_questions)
    client = TestClient(api(pf, ServerAccess(), log_of(settings, lines)), base_url="http://127.0.0.1:8600")
    client.post("/api/v1/search", json={"query": "How old is M4?"})
    client.get("/api/v1/papers/hubble-1929")
    client.post("/api/v1/search", json={"query": ""})
    searched, looked_up, refused = (json.loads(line) for line in lines.getvalue().splitlines())
    assert {name: searched[name] for name in ("call", "status")} == {"call": "search", "status": 200}
    assert {name: value for name, value in searched.items() if name not in ("time", "seconds", "call", "status")} == (
        question
    )
    assert (looked_up["call"], looked_up["status"], set(looked_up)) == (
        "papers",
        200,
        {"time", "call", "status", "seconds"},
    )
    assert (refused["call"], refused["status"]) == ("search", 400)


def test_no_log_is_written_unless_asked_for() -> None:
    assert log_of(Settings(), io.StringIO()) == ()


def test_the_counts_of_a_public_server_need_a_key(pf: Pathfinder) -> None:
    client = public(pf, PUBLIC)
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": f"Bearer {KEY}"}).status_code == 200
