"""Damaged input of every kind is used or refused with a reason: no traceback, no hang, and nothing written.

Each test takes a share of 500 inputs, and of 10,000 in `make soak`.
"""

import json
import logging
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client
from starlette.testclient import TestClient

from pathfinder.addons.capsules.archive import open_capsule
from pathfinder.addons.capsules.checks import check
from pathfinder.addons.capsules.contents import Capsule
from pathfinder.addons.screening.decisions import parse_session
from pathfinder.answering.assessment.evidence.ledger import read_check_input
from pathfinder.corpus.readers import RejectedRow, read_papers
from pathfinder.errors import CorpusError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.drawing.scene import MapView
from pathfinder.operations.ask import answer_lines, answer_record
from pathfinder.operations.export.traces import from_json
from pathfinder.operations.search import result_lines, search_record
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.api import api
from pathfinder.serving.mcp_server import mcp_server
from pathfinder.types import ModeName
from pathfinder.ui.shared.address import from_parameters, to_parameters
from tests.faults.mutation import STRANGE_TEXTS, Mutator
from tests.faults.samples import (
    BODIES,
    LINK,
    QUESTION,
    TOOL_CALLS,
    mcp_message,
    papers_files,
    screening_file,
    trace_file,
)
from tests.faults.watch import in_time, writes_only_in

SEED = 18
LOG = logging.getLogger(__name__)
"""With `--log-cli-level=INFO`, says how many inputs were used and how many refused."""


def share(n: int) -> pytest.MarkDecorator:
    """Give a test `n` inputs, and twenty times as many in `make soak`."""
    return pytest.mark.parametrize("n", [n, pytest.param(20 * n, marks=pytest.mark.soak)])


def examples(n: int) -> Callable[[Any], Any]:
    return settings(max_examples=n, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def encode(record: object) -> bytes:
    """Write a record as every page and program gets it; a text that cannot be encoded fails."""
    return json.dumps(record, ensure_ascii=False).encode()


UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Tally(Counter[str]):
    """Inputs by what became of them."""

    def count(self, use: Callable[[], None], *refusals: type[Exception]) -> None:
        """Use an input; a refusal is counted, too, if its reason is one line that can be printed anywhere."""
        reason = refusal(use, *refusals)
        assert reason is None or not UNPRINTABLE.search(reason), reason
        self["used" if reason is None else "refused"] += 1


def refusal(use: Callable[[], None], *refusals: type[Exception]) -> str | None:
    """Return why an input is refused; `None` if it is used."""
    try:
        with in_time():
            use()
    except refusals as error:
        return str(error)
    return None


def damaged_texts(text: str) -> st.SearchStrategy[str]:
    """Texts of any kind, and copies of `text` that a mutator has damaged."""
    seeds = st.integers(0, 2**32)
    return st.one_of(st.text(max_size=300), st.sampled_from(STRANGE_TEXTS), seeds.map(lambda n: Mutator(n).text(text)))


@share(60)
def test_any_question_is_answered_or_refused(pf: Pathfinder, tmp_path: Path, n: int) -> None:
    tally = Tally()

    def answer(question: str) -> None:
        result = pf.search(question, top_k=3)
        encode(answer_record(result, pf.answer(result, generation=ModeName.EXTRACTIVE)))

    @examples(n)
    @given(damaged_texts(QUESTION))
    def each(question: str) -> None:
        with writes_only_in(tmp_path):
            tally.count(lambda: answer(question), UsageError)

    each()
    LOG.info("questions: %s", tally)
    assert tally.total() >= n


@share(90)
def test_any_link_opens_and_can_be_shared_again(tmp_path: Path, n: int) -> None:
    names = st.one_of(st.sampled_from(sorted(LINK)), st.text(max_size=9))
    texts = st.one_of(*(damaged_texts(text) for text in LINK.values()))
    in_one_place = st.builds(lambda name, text: LINK | {name: text}, names, texts)

    tally = Counter[str]()

    @examples(n)
    @given(st.one_of(in_one_place, st.dictionaries(names, texts, max_size=8)))
    def each(link: dict[str, str]) -> None:
        with in_time(), writes_only_in(tmp_path):
            form, notes = from_parameters(link)
            shared, left_out = to_parameters(form)
            assert left_out or from_parameters(shared) == (form, ())
            assert refusal(lambda: MapView.read(link.get("region", "")) and None, UsageError) != ""
        tally["with notes" if notes else "without"] += 1

    each()
    LOG.info("links: %s", tally)
    assert tally.total() >= n


@pytest.fixture(scope="module")
def client(pf: Pathfinder) -> Iterator[TestClient]:
    with TestClient(api(pf, ServerAccess()), base_url="http://127.0.0.1:8600", raise_server_exceptions=False) as client:
        yield client


def is_refusal(reply: Any) -> bool:
    return 400 <= reply.status_code < 500 and set(reply.json()) == {"code", "message", "way_out"}


@share(110)
def test_any_call_of_the_api_is_answered_or_refused(client: TestClient, tmp_path: Path, n: int) -> None:
    mutator, tally = Mutator(SEED), Counter[str]()
    for _ in range(n):
        address = mutator.choice(sorted(BODIES))
        body = mutator.body(BODIES[address])
        with in_time(), writes_only_in(tmp_path):
            reply = client.post(f"/api/v1/{address}", content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code == 200 or is_refusal(reply), (address, body, reply.text)
        tally["answered" if reply.status_code == 200 else "refused"] += 1
        if reply.status_code == 200 and address == "answer":
            assert json.loads(reply.text.splitlines()[-1])["event"] == "done", body
    LOG.info("calls of the API: %s", tally)
    assert min(tally["answered"], tally["refused"]) > n / 20


@share(20)
def test_any_address_and_any_header_is_answered_or_refused(client: TestClient, tmp_path: Path, n: int) -> None:
    mutator, body, tally = Mutator(SEED), encode(BODIES["search"]), Counter[str]()
    for _ in range(n):
        name = mutator.choice(["Content-Type", "Host", "Origin", "Accept", "Content-Length", "Authorization"])
        header = {name: mutator.text("application/json").encode("latin-1", "replace").translate(None, b"\r\n\0")}
        path = mutator.text("hubble-1929").encode(errors="replace").hex("%")
        with in_time(), writes_only_in(tmp_path):
            sent = client.post("/api/v1/search", content=body, headers={"Content-Type": "application/json"} | header)
            page = client.get(f"/api/v1/papers/{'%' if path else ''}{path}")
        for reply in (sent, page):
            assert reply.status_code == 200 or is_refusal(reply), (header, path, reply.text)
            tally["answered" if reply.status_code == 200 else "refused"] += 1
    LOG.info("addresses and headers: %s", tally)
    assert min(tally["answered"], tally["refused"]) > n / 10


@share(60)
def test_any_call_of_a_tool_is_answered_or_refused(pf: Pathfinder, tmp_path: Path, n: int) -> None:
    mutator, tally = Mutator(SEED), Counter[str]()

    async def call_all() -> None:
        async with Client(mcp_server(pf)) as client:
            for _ in range(n):
                await call(client)

    async def call(client: Client) -> None:
        tool = mutator.choice(sorted(TOOL_CALLS))
        arguments = mutator.value(TOOL_CALLS[tool])
        arguments = arguments if isinstance(arguments, dict) else {"query": arguments}
        with in_time(), writes_only_in(tmp_path):
            try:
                result = await client.call_tool(tool, arguments)
            except ValueError:  # the SDK's client does not send half of a pair of surrogates
                tally["not sent"] += 1
                return
        text = result.content[0].text
        encode(text)
        assert all(word not in text for word in ("Traceback", "this is a bug", "pydantic")), (tool, arguments, text)
        tally["refused" if result.is_error else "answered"] += 1

    anyio.run(call_all)
    LOG.info("calls of tools: %s", tally)
    assert tally["answered"] > n / 20


@share(20)
def test_any_message_to_mcp_over_http_is_answered_or_refused(client: TestClient, tmp_path: Path, n: int) -> None:
    mutator, tally = Mutator(SEED), Counter[str]()
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    for _ in range(n):
        message = mcp_message(mutator.choice(sorted(TOOL_CALLS)))
        message["method"] = mutator.choice(("tools/call", "tools/list", "resources/read", "prompts/get", "ping"))
        body = mutator.body(message)
        with in_time(), writes_only_in(tmp_path):
            reply = client.post("/mcp", content=body, headers=headers)
        assert reply.status_code < 500, body
        assert all(word not in reply.text for word in ("Traceback", "this is a bug")), (body, reply.text)
        tally["answered" if reply.status_code == 200 else "refused"] += 1
    LOG.info("messages to MCP: %s", tally)
    assert min(tally["answered"], tally["refused"]) > n / 10


def use_file(name: str, path: Path, content: bytes) -> None:
    """Read a file as Pathfinder would, and use all that is in it."""
    if name == "trace.json":
        encode([step.text for step in from_json(content).steps])
    elif name == "screening.json":
        encode(repr(parse_session(content, name)))
    elif name == "check.json":
        encode(repr(read_check_input(content, name)))
    else:
        for row in read_papers(path):
            encode(row.reason if isinstance(row, RejectedRow) else [row.paper_id, row.title, row.abstract, row.authors])


@share(100)
def test_any_file_is_read_or_refused(tmp_path: Path, n: int) -> None:
    sessions = {"trace.json": trace_file(), "screening.json": screening_file()}
    files = papers_files() | sessions | {"check.json": encode(BODIES["check"])}
    mutator, tally = Mutator(SEED), Tally()
    for _ in range(n):
        name = mutator.choice(sorted(files))
        is_json = name.endswith(".json") and mutator.luck.random() < 0.5
        content = mutator.body(json.loads(files[name])) if is_json else mutator.content(files[name])
        (tmp_path / name).write_bytes(content)
        with writes_only_in(tmp_path / "nothing"):
            tally.count(partial(use_file, name, tmp_path / name, content), CorpusError, UsageError)
    LOG.info("files: %s", tally)
    assert min(tally["used"], tally["refused"]) > n / 20


METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def damaged_capsule(files: dict[str, bytes], mutator: Mutator) -> bytes:
    """Damage a file in a capsule, or the bytes of the capsule, packed by any of the methods of zip files."""
    chance, name = mutator.luck.random(), mutator.choice(sorted(files))
    if chance < 0.5 and name.endswith(".json"):
        files = {**files, name: json.dumps(mutator.value(json.loads(files[name]))).encode()}
    elif chance < 0.7:
        files = {**files, name: mutator.content(files[name])}
    sink = BytesIO()
    with zipfile.ZipFile(sink, "w", mutator.choice(METHODS)) as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return sink.getvalue() if chance < 0.7 else mutator.content(sink.getvalue())


@share(60)
def test_any_capsule_is_opened_or_refused(pf: Pathfinder, tmp_path: Path, n: int) -> None:
    result = pf.search(QUESTION, top_k=4, passages=True)
    with zipfile.ZipFile(BytesIO(pf.capsule(result, answer=pf.answer(result)))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    mutator, tally = Mutator(SEED), Tally()
    for _ in range(n):
        packed, capsules = damaged_capsule(files, mutator), list[Capsule]()
        with writes_only_in(tmp_path):
            tally.count(
                lambda packed=packed, capsules=capsules: capsules.append(open_capsule(packed, "x.pfz")), UsageError
            )
            for capsule in capsules:
                with in_time():
                    show(capsule)
    LOG.info("capsules: %s", tally)
    assert min(tally["used"], tally["refused"]) > n / 50


def show(capsule: Capsule) -> None:
    """Use all that is in a capsule."""
    assert [*check(capsule), *result_lines(capsule.result)]
    encode(search_record(capsule.result))
    if capsule.answer is not None:
        assert [*answer_lines(capsule.result, capsule.answer)]
