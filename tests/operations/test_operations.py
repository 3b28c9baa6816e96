"""A toy operation from another package is a command, a call, a tool, a method in a notebook, and on a page."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from mcp import Client
from pydantic import TypeAdapter, ValidationError
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from pathfinder.cli.operations import OperationCommand
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import ProviderError, Unreachable, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.operations import OPERATIONS, run
from pathfinder.operations.operation import declare
from pathfinder.operations.search import FoundPapers, search_record
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.api import api
from pathfinder.serving.mcp_server import mcp_server
from tests.plugins.conftest import install

__all__ = ["install"]  # a fixture

TOY = """
from typing import NamedTuple
from pydantic import Field
from pathfinder.operations import Operation, Options, result_of
PATHFINDER_API = 1

class Letter(Options):
    letter: str = Field(default="e", description="Letter to count in the titles.")
    name: str | None = Field(default=None, description="Name of the count.")

class Counted(NamedTuple):
    letter: str
    n: int

OPERATION = Operation(
    name="letters", address="letters", tool="count_letters", help="Count a letter in the titles found.", options=Letter,
    run=lambda pf, found, options: Counted(
        options.letter, sum(hit.paper.title.count(options.letter) for hit in found.hits)
    ),
    result=result_of(Counted), lines=lambda counted: [f"{counted.letter}: {counted.n}"],
    brief=lambda counted, record, linked: {"n": counted.n}, forms={"csv": lambda counted: f"{counted.n}\\n"},
)
"""
QUESTION = "How fast does the universe expand?"


@pytest.fixture
def toy(install: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    install("toyletters", TOY, group="pathfinder.operations", letters="toyletters:OPERATION")
    monkeypatch.delitem(vars(OPERATIONS), "_declarations", raising=False)  # the names of plug-ins are read once
    monkeypatch.setattr(OPERATIONS, "_loaded_extensions", {})
    return OPERATIONS.get("letters")


def expected(pf: Pathfinder, letter: str, top_k: int) -> int:
    return sum(hit.paper.title.count(letter) for hit in pf.search(QUESTION, top_k=top_k).hits)


def test_it_runs_in_a_notebook(toy: Any, pf: Pathfinder) -> None:
    assert run(pf, "letters", QUESTION, letter="a", top_k=3) == ("a", expected(pf, "a", 3))
    assert run(pf, "letters", query=QUESTION, letter="a", name="A", top_k=3) == ("a", expected(pf, "a", 3))
    assert pf.letters(QUESTION, letter="a", top_k=3) == ("a", expected(pf, "a", 3))
    assert {"letters", "shelf_add", "timeline", "search"} <= {*dir(pf)}
    assert pf.shelf_list() == ()
    with pytest.raises(AttributeError, match="poems"):
        pf.poems  # noqa: B018  reading it is the test
    with pytest.raises(ValidationError):
        run(pf, "letters", QUESTION, colour="red")
    with pytest.raises(UsageError, match="poems"):
        run(pf, "poems", QUESTION)


def test_a_path_a_date_and_a_state_may_be_text_in_a_notebook(
    pf: Pathfinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    text, papers = tmp_path / "text.json", tmp_path / "papers.bib"
    text.write_text('{"text": "Dust is cold [1].", "sources": [{"id": "1", "text": "Dust is cold."}]}')
    papers.write_text("@article{dust, title={Dust}, year=2019}\n@article{gas, title={Gas}, year=2021}")
    assert run(pf, "check_file", file=str(text)).ledger.precision == 1
    (preview,) = run(pf, "preview", sources=[str(papers)], since="2020-01-01")
    assert [paper.title for paper in preview.papers] == ["Gas"]
    paper_id = pf.search(QUESTION).hits[0].paper.paper_id
    run(pf, "shelf add", name="rates", paper_ids=[paper_id])
    assert run(pf, "shelf state", name="rates", paper_id=paper_id, state="in").shelf.papers[0].state == "in"


def test_only_what_declares_an_address_is_served_and_none_that_changes_a_corpus_or_works_on_a_folder(toy: Any) -> None:
    def count(_: None, file: Path) -> int:
        """Count the lines of a file."""
        return len(file.read_text(encoding="utf-8").splitlines())

    assert declare("count", opens="nothing", lines=str)(count).address is None
    assert {each.opens for each in OPERATIONS.all() if each.address} == {"session"}


def test_it_is_a_command(toy: Any, golden_corpus: Any, pf: Pathfinder, tmp_path: Any) -> None:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(OperationCommand(toy))
    app.command("other")(lambda: None)
    runner = CliRunner()
    assert "--letter" in runner.invoke(app, ["letters", "--help"]).output
    asked = ["letters", QUESTION, "--corpus", str(golden_corpus), "--letter", "o", "--top-k", "4"]
    assert f"o: {expected(pf, 'o', 4)}" in runner.invoke(app, asked).output
    assert json.loads(runner.invoke(app, [*asked, "--json"]).stdout)["n"] == expected(pf, "o", 4)
    out = tmp_path / "letters.csv"
    assert runner.invoke(app, [*asked, "--out", str(out)]).exit_code == 0
    assert out.read_text(encoding="utf-8") == f"{expected(pf, 'o', 4)}\n"
    refused = runner.invoke(app, [*asked, "--out", str(tmp_path / "letters.doc")])
    assert isinstance(refused.exception, UsageError)


def test_it_is_a_call_over_http(toy: Any, pf: Pathfinder) -> None:
    with TestClient(api(pf, ServerAccess()), base_url="http://127.0.0.1") as client:
        reply = client.post("/api/v1/letters", json={"query": QUESTION, "letter": "u", "top_k": 3})
        assert reply.json() == {"letter": "u", "n": expected(pf, "u", 3)}
        assert client.post("/api/v1/letters", json={"query": QUESTION, "colour": "red"}).status_code == 400
        schema = client.get("/api/v1/openapi.json").json()["paths"]["/api/v1/letters"]["post"]["responses"]["200"]
    assert schema["content"]["application/json"]["schema"]["$ref"].endswith("/Counted")


def copied() -> None:
    import streamlit as st

    from pathfinder.ui.settings import copied_call

    st.session_state["copy-search"] = True
    copied_call.panel("search", {"query": "Why?", "top_k": 3}, None)


def test_it_is_code_to_copy_on_a_page(toy: Any) -> None:
    page = AppTest.from_function(copied).run()
    assert "/api/v1/search" in page.code[1].value
    page.selectbox(key="operation-search").set_value("letters").run()
    _, curl, program, notebook = (part.value for part in page.code)
    assert "/api/v1/letters" in curl
    assert "/api/v1/letters" in program
    assert '"letters", query=' in notebook


def test_it_is_a_tool_for_models(toy: Any, pf: Pathfinder) -> None:
    async def ask() -> Any:
        async with Client(mcp_server(pf)) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            return tools, await client.call_tool("count_letters", {"query": QUESTION, "letter": "i"})

    tools, reply = asyncio.run(ask())
    assert set(tools["count_letters"].input_schema["properties"]) == {"query", "letter", "name", "settings", "full"}
    assert tools["count_letters"].input_schema["required"] == ["query"]
    assert reply.structured_content["n"] == expected(pf, "i", 10)


def test_bounds_and_examples_of_a_field_are_in_the_descriptions_for_programs(pf: Pathfinder) -> None:
    call = api(pf, ServerAccess()).openapi()["components"]["schemas"]["TimelineBody"]["properties"]
    tools = {tool.name: tool.input_schema["properties"] for tool in asyncio.run(mcp_server(pf).list_tools())}
    for fields in (call, tools["timeline"]):
        assert (fields["papers"]["minimum"], fields["papers"]["maximum"]) == (2, 500)
        assert fields["query"]["examples"]
    assert tools["get_paper"]["paper_id"]["examples"]


def test_no_range_of_a_number_stands_in_its_description_alone() -> None:
    numbers = [
        field
        for operation in OPERATIONS.all()
        for field in operation.options.model_fields.values()
        if field.annotation in (int, int | None, float, float | None)
    ]
    assert [each for each in numbers if re.search(r"\d to \d", each.description or "") and not each.metadata] == []


def described(schema: Any, schemas: Any) -> bool:
    """Whether a schema names the properties of an object, some of which it describes; or all that it may be do."""
    if "$ref" in schema:
        return described(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if schema.get("properties"):
        return True
    parts = schema.get("anyOf") or [schema[name] for name in ("items", "additionalProperties") if name in schema]
    is_typed = parts and True not in parts
    return bool(is_typed) and all(part == {"type": "null"} or described(part, schemas) for part in parts)


NOT_DESCRIBED = {"standing feed"}
"""It is written in a format of others."""


@pytest.mark.parametrize("name", [name for name in OPERATIONS.names() if name not in NOT_DESCRIBED])
def test_each_operation_describes_its_result(name: str) -> None:
    schema = TypeAdapter(OPERATIONS.get(name).model).json_schema(mode="serialization")
    assert described(schema, schema.get("$defs", {}))


def test_openapi_says_what_each_address_needs_and_may_cost(pf: Pathfinder) -> None:
    paths = api(pf, ServerAccess()).openapi()["paths"]
    assert paths["/api/v1/search"]["post"]["x-costs"] == {"needs": [], "at_most": {}}
    costs = paths["/api/v1/answer"]["post"]["x-costs"]
    assert costs == {"needs": ["chat_if_set"], "at_most": {"calls": 200, "tokens": 100_000, "seconds": 180.0}}


def test_openapi_describes_what_each_address_returns(pf: Pathfinder) -> None:
    description = api(pf, ServerAccess()).openapi()
    schemas = description["components"]["schemas"]
    for operation in OPERATIONS.all():
        if operation.address is not None:
            (call,) = description["paths"][f"/api/v1/{operation.address.replace(':path', '')}"].values()
            (reply,) = call["responses"]["200"]["content"].values()
            assert described(reply["schema"], schemas), operation.name
    assert schemas["Tensions"]["properties"]["n_papers"]["description"] == "Number of papers that were compared."


def test_the_reply_of_a_search_has_the_fields_that_the_description_names(pf: Pathfinder) -> None:
    schema, record = FoundPapers.model_json_schema(mode="serialization"), search_record(pf.search(QUESTION))
    assert set(record) == set(schema["properties"])
    for hit in record["hits"]:
        assert set(hit) == set(schema["$defs"]["Hit"]["properties"])
    FoundPapers.model_validate(record)


def with_chat(pf: Pathfinder, *replies: Any) -> tuple[Pathfinder, ScriptedChat]:
    chat = ScriptedChat(replies)
    return Pathfinder(pf.corpus, pf.embedder, KeywordExtractor.load(), chat), chat


def test_an_answer_whose_rewrite_fails_is_returned_with_a_note(pf: Pathfinder) -> None:
    own, _ = with_chat(pf, "It is 73.", Reply("", error=Unreachable("fake:scripted does not answer: try again")))
    answered = run(own, "ask", QUESTION, audience="student")
    assert ("It is 73" in answered.answer.text, answered.rewrite) == (True, None)
    assert "the answer was not rewritten: fake:scripted does not answer: try again" in answered.notes


def test_a_language_that_is_none_is_refused_before_anything_is_asked(pf: Pathfinder) -> None:
    own, chat = with_chat(pf)
    with pytest.raises(UsageError, match="is not the name of a language"):
        run(own, "ask", QUESTION, language="<b>")
    assert chat.received == []


def test_a_rewrite_without_a_chat_model_is_refused_before_the_answer(
    pf: Pathfinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pathfinder, "stream_events", lambda *_, **__: pytest.fail("the answer was begun"))
    with pytest.raises(ProviderError, match="needs a chat model"):
        run(pf, "ask", QUESTION, audience="student")
