"""The API: an answer in JSON for each call, and one format for all errors."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, closing
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from anyio import CancelScope
from anyio.to_thread import run_sync
from fastapi import FastAPI, Query
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel
from starlette.concurrency import iterate_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pathfinder.errors import PathfinderError
from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.llm.stopping import ReaderStopped
from pathfinder.operations import OPERATIONS
from pathfinder.operations.ask import answer_record
from pathfinder.operations.fields import answer_request_of, request_of
from pathfinder.operations.search import search_record
from pathfinder.retrieval.request_records import calls_chat
from pathfinder.serving import calls
from pathfinder.serving.access import FORWARDING_HEADERS, ServerAccess
from pathfinder.serving.calls import Call, may_wait
from pathfinder.serving.errors import (
    ERRORS,
    PREFIX,
    error_record,
    error_response,
    refuse,
    refuse_address,
    refuse_body,
    report_bug,
)
from pathfinder.serving.guard import AT_ONCE, BODY, Door, Guard, Queue, unless_left
from pathfinder.serving.mcp_tools import mcp_server
from pathfinder.serving.processes import ServedCorpus
from pathfinder.serving.watching import ADDRESS as METRICS
from pathfinder.serving.watching import PAPERS, QUESTION, Tally, Watcher, Watching
from pathfinder.standing.records import MEDIA_TYPE as JSON_FEED
from pathfinder.types import AnswerEvent, AnswerRequest, Done, Note, SearchResult, StepTaken

if TYPE_CHECKING:
    from pathfinder.serving.mcp_server import ToolServer
    from pathfinder.serving.processes import SearchProcesses
    from pathfinder.session import Pathfinder


FEED = f"{PREFIX}/standing/feed.json"


def api(
    pf: "Pathfinder",
    access: ServerAccess,
    watchers: Sequence[Watcher] = (),
    processes: "SearchProcesses | None" = None,
) -> FastAPI:
    """Return the API of an open corpus for the callers that `access` admits; each call is answered from the version
    that is in the folder of the corpus at that time. `watchers` are notified of every call.

    All calls but those that may wait a long time for a chat model (`may_wait`, and searches with settings that call
    one) are answered by `processes`, if there are any.
    """
    corpus = ServedCorpus(pf, access)
    server = mcp_server(pf, corpus.current)
    # FastAPI's own documentation pages load scripts from another host.
    app = FastAPI(
        title="Pathfinder",
        version="1",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=ERRORS,
        routes=[*server.routes()],
        lifespan=lambda _: _running(server, processes),
    )
    app.add_middleware(Queue, others_at_once=AT_ONCE if processes is None else 2 * len(processes))
    app.add_middleware(Door, access=access)
    app.add_middleware(Guard, access=access)
    # Addresses that are counted individually.
    own = (f"{PREFIX}/{address}" for address in (*calls.calls(), "answer", "features", "health"))
    addresses = frozenset({*own, PAPERS, FEED, "/mcp", METRICS})
    tally = Tally()
    app.add_middleware(Watching, watchers=(tally.add, *watchers), calls=addresses)
    app.exception_handler(PathfinderError)(refuse)
    app.exception_handler(RequestValidationError)(refuse_body)
    app.exception_handler(HTTPException)(refuse_address)
    app.exception_handler(Exception)(report_bug)
    _add_readings(app, corpus, tally)
    _add_feed(app, corpus, access)
    _add_calls(app, corpus, processes)
    _add_answer(app, corpus)
    return app


def _add_feed(app: FastAPI, corpus: ServedCorpus, access: ServerAccess) -> None:
    """Add the JSON Feed of standing questions. It answers only programs on this machine: nobody else may see what the
    owner watches.
    """

    @app.get(FEED)
    def standing_feed(request: Request) -> JSONResponse:
        """Return what `pathfinder standing feed` writes: the changes between runs. Nothing is marked as seen."""
        if access.is_public or any(header in request.headers for header in FORWARDING_HEADERS):
            message = "standing questions belong to the owner of this server"
            return error_response(HTTPStatus.FORBIDDEN, "owner", message, "call a server on 127.0.0.1, without a proxy")
        return JSONResponse(corpus.current().standing_feed(), media_type=JSON_FEED)


def _add_calls(app: FastAPI, corpus: ServedCorpus, processes: "SearchProcesses | None") -> None:
    """Add the calls with a single reply; the processes, if there are any, answer all those that do not wait for a chat
    model.
    """
    for address, (call, body) in calls.calls().items():
        described: dict[int | str, dict[str, Any]] = {}
        help_text = call.__doc__
        if address in OPERATIONS:
            operation = OPERATIONS.get(address)
            described, help_text = {200: {"model": operation.result}} if operation.result else {}, operation.help
        post = app.post(f"{PREFIX}/{address}", name=address, description=help_text, responses=described)
        answer = _answering(call, body(), corpus)
        if processes is None or address in may_wait():
            post(answer)
        else:
            post(_passing_on(address, body(), corpus, processes, answer))


@asynccontextmanager
async def _running(server: "ToolServer", processes: "SearchProcesses | None") -> AsyncIterator[None]:
    """Keep MCP and the processes running while the server runs."""
    async with server.session_manager.run():
        if processes is None:
            yield
            return
        with closing(processes):
            watching = asyncio.create_task(processes.watch())
            try:
                yield
            finally:
                watching.cancel()


def _add_readings(app: FastAPI, corpus: ServedCorpus, tally: Tally) -> None:
    @app.get(METRICS)
    async def metrics() -> Response:
        """Count calls by name and status, with their times, for Prometheus."""
        return tally.response()

    @app.get(f"{PREFIX}/health")
    def health() -> dict[str, Any]:
        """Say that the corpus is open, and how many papers it has."""
        return {"status": "ok", "papers": len(corpus.current().corpus.papers)}

    @app.get(f"{PREFIX}/papers/{{paper_id:path}}", description=calls.paper.__doc__)
    def paper(paper_id: str, as_of: Annotated[int | None, Query(description=calls.AS_OF)] = None) -> JSONResponse:
        return JSONResponse(calls.paper(corpus.current(), paper_id, as_of))

    @app.get(f"{PREFIX}/features", description=calls.features.__doc__)
    def features() -> JSONResponse:
        return JSONResponse(calls.features(corpus.current()))


def _answering(call: Call, body: type[BaseModel], corpus: ServedCorpus) -> Callable[[Request, Any], JSONResponse]:
    """Return the function that FastAPI calls, annotated with the type of the body."""

    def answer(request: Request, body: Any) -> JSONResponse:
        _note_question(request, body)
        return JSONResponse(unless_left(call)(corpus.current(), body))

    answer.__annotations__["body"] = body
    return answer


def _passing_on(
    address: str,
    body: type[BaseModel],
    corpus: ServedCorpus,
    processes: "SearchProcesses",
    own: Callable[[Request, Any], Response],
) -> Callable[[Request, Any], Awaitable[Response]]:
    """Return the function that FastAPI calls for a call that is answered by one of the processes, unless it may wait
    for a chat model: then the server answers with `own`, so that every process stays free for other searches.
    """

    async def answer(request: Request, body: Any) -> Response:
        if calls_chat(getattr(request.state, BODY, None)):
            return await run_sync(own, request, body)
        _note_question(request, body)
        return await processes.answer(address, body, corpus.version())

    answer.__annotations__["body"] = body
    return answer


def _add_answer(app: FastAPI, corpus: ServedCorpus) -> None:
    def answer(request: Request, body: Any) -> StreamingResponse:
        _note_question(request, body)
        return StreamingResponse(as_lines(unless_left(answer_events)(corpus.current(), body)), media_type=MEDIA_TYPE)

    answer.__annotations__["body"] = calls.answer_body()
    app.post(f"{PREFIX}/answer", description=answer_events.__doc__)(answer)


def _note_question(request: Request, body: BaseModel) -> None:
    setattr(request.state, QUESTION, getattr(body, "query", None))


# The stream of an answer: one JSON object per line.

MEDIA_TYPE = "application/x-ndjson"


def answer_events(pf: "Pathfinder", body: BaseModel) -> Generator[JsonObject, None, None]:
    """Search, answer, and yield events: {"event", "data"}.

    The first is `hits` (what `pathfinder search --json` prints), then come `text`, `step` and `note`, and the last is
    `done` (what `pathfinder ask --json` prints) or `error` (code, message and way_out). Raises `UsageError` for a body
    that is not valid, and whatever the search raises; no reply has begun by then, so the caller gets the status of the
    error.
    """
    search, request = request_of(body), answer_request_of(body)
    session = pf.for_question(request.budget)
    return _events(session, session.search(search), request)


def _events(pf: "Pathfinder", result: SearchResult, request: AnswerRequest) -> Generator[JsonObject, None, None]:
    yield {"event": "hits", "data": search_record(result)}
    try:
        with closing(pf.stream_events(result, request)) as events:
            for event in events:
                yield _record(event, result)
    except ReaderStopped:
        return  # the caller has left
    except PathfinderError as error:
        yield {"event": "error", "data": error_record(error)[1]}


def _record(event: AnswerEvent, result: SearchResult) -> JsonObject:
    if isinstance(event, Done):
        return {"event": "done", "data": answer_record(result, event.answer)}
    if isinstance(event, StepTaken):
        return {"event": "step", "data": as_json(event.step)}
    return {"event": "note" if isinstance(event, Note) else "text", "data": event.text}


async def as_lines(events: Generator[JsonObject, None, None]) -> AsyncIterator[str]:
    """Yield each event as a line of JSON. If the caller leaves, the answer stops at once, and so does its call to the
    chat model.
    """
    try:
        async for event in iterate_in_threadpool(events):
            yield json.dumps(event, ensure_ascii=False) + "\n"
    finally:
        with CancelScope(shield=True):
            await run_sync(events.close)
