"""The API: an answer in JSON for each call, and one format for all errors."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from http import HTTPStatus
from inspect import Parameter, Signature, getdoc
from types import FunctionType
from typing import Annotated, Any, Literal

from anyio import CancelScope
from anyio.to_thread import run_sync
from fastapi import FastAPI, Path, Query
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, create_model
from starlette.concurrency import iterate_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.llm.stopping import ReaderStopped, RecordedStream
from pathfinder.operations import begin, body_of, call, served
from pathfinder.operations.export.plain_json import JsonObject, as_json
from pathfinder.operations.operation import AnyOperation, result_of
from pathfinder.operations.search import FOUND, search_record
from pathfinder.plugins import Registry
from pathfinder.retrieval.request_records import calls_chat
from pathfinder.serving.access import FORWARDING_HEADERS, ServerAccess
from pathfinder.serving.errors import (
    ERRORS,
    PREFIX,
    Error,
    error_record,
    error_response,
    refuse,
    refuse_address,
    refuse_body,
    report_bug,
)
from pathfinder.serving.guard import AT_ONCE, BODY, Door, Guard, HostGuard, Queue, unless_left
from pathfinder.serving.mcp_server import ToolServer, mcp_server
from pathfinder.serving.processes import SearchProcesses, ServedCorpus
from pathfinder.serving.watching import ADDRESS as METRICS
from pathfinder.serving.watching import PAPERS, QUESTION, Tally, Watcher, Watching
from pathfinder.types import AnswerEvent, Note, SearchResult, Step, StepTaken, TextDelta

FEED_TYPES = {"json": "application/feed+json", "atom": "application/atom+xml"}
"""Media types of feeds, by the ending of their addresses."""
FEEDS: Registry[Any] = Registry(
    "pathfinder.feeds",
    FunctionType,
    {},
    "feed",
    fault_of_name=lambda name: None if name.endswith(tuple(FEED_TYPES)) else "its address must end with .json or .atom",
)
"""Functions of an open corpus that return a feed as text; the name is the address under /api/v1."""


def api(
    pf: Pathfinder,
    access: ServerAccess,
    watchers: Sequence[Watcher] = (),
    processes: SearchProcesses | None = None,
) -> FastAPI:
    """Return the API of an open corpus for the callers that `access` admits; each call is answered from the version
    that is in the folder of the corpus at that time. `watchers` are notified of every call.

    All calls but those that may wait a long time for a chat model (`may_wait`, and searches with settings that
    call one) are answered by `processes`, if there are any.
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
    app.add_middleware(HostGuard, access=access)
    # Addresses that are counted individually.
    own = (f"{PREFIX}/{address}" for address in (*served(), *FEEDS, "health"))
    addresses = frozenset({*own, PAPERS, "/mcp", METRICS})
    tally = Tally()
    app.add_middleware(Watching, watchers=(tally.add, *watchers), calls=addresses)
    app.exception_handler(PathfinderError)(refuse)
    app.exception_handler(RequestValidationError)(refuse_body)
    app.exception_handler(HTTPException)(refuse_address)
    app.exception_handler(Exception)(report_bug)
    _add_readings(app, corpus, tally)
    _add_feeds(app, corpus, access)
    _add_calls(app, corpus, processes)
    _add_streams(app, corpus)
    return app


def _add_feeds(app: FastAPI, corpus: ServedCorpus, access: ServerAccess) -> None:
    """Add the feeds. They answer only programs on this machine: nobody else may see what the owner follows."""

    def feed(name: str, request: Request) -> Response:
        if access.is_public or any(header in request.headers for header in FORWARDING_HEADERS):
            message = "this feed belongs to the owner of this server"
            return error_response(HTTPStatus.FORBIDDEN, "owner", message, "call a server on 127.0.0.1, without a proxy")
        text: str = FEEDS.use(name, partial(FEEDS.get(name), corpus.current()))
        return Response(text, media_type=FEED_TYPES[name.rpartition(".")[2]])

    for name, write in zip(FEEDS, FEEDS.all(), strict=True):
        answer = partial(feed, name)
        app.get(f"{PREFIX}/{name}", name=name, description=write.__doc__, response_class=Response)(answer)


def _add_calls(app: FastAPI, corpus: ServedCorpus, processes: SearchProcesses | None) -> None:
    """Add the calls with a single reply; the processes, if there are any, answer all those that do not wait for a chat
    model.
    """
    for address, operation in served().items():
        if operation.streams:
            continue
        answer = _reading(operation, corpus) if operation.is_get else _answering(operation, corpus)
        if processes is not None and not operation.is_get and not operation.may_wait:
            answer = _passing_on(operation, corpus, processes, answer)
        add = app.get if operation.is_get else app.post
        add(
            f"{PREFIX}/{address}",
            name=address,
            description=operation.description,
            responses={200: {"model": operation.model}},
            openapi_extra={"x-costs": operation.costs(corpus.current().policy.budget)},
        )(answer)


def _reading(operation: AnyOperation, corpus: ServedCorpus) -> Callable[..., Any]:
    """Return the function that FastAPI calls for a call by GET: the fields of the body are in the address."""

    body = body_of(operation)

    def read(**given: Any) -> JSONResponse:
        sent = {name: value for name, value in given.items() if value is not None}
        return JSONResponse(unless_left(partial(call, operation))(corpus.current(), body.model_validate(sent)))

    parameters = []
    for name, field in body.model_fields.items():
        place = (Path if field.is_required() else Query)(description=field.description, examples=field.examples)
        kind: Any = Annotated[field.annotation, *field.metadata, place]
        default = Parameter.empty if field.is_required() else None
        parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind))
    vars(read)["__signature__"] = Signature(parameters)
    return read


@asynccontextmanager
async def _running(server: ToolServer, processes: SearchProcesses | None) -> AsyncIterator[None]:
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


def _answering(operation: AnyOperation, corpus: ServedCorpus) -> Callable[..., Any]:
    """Return the function that FastAPI calls, annotated with the type of the body."""

    def answer(request: Request, body: Any) -> JSONResponse:
        _note_question(request, body)
        return JSONResponse(unless_left(partial(call, operation))(corpus.current(), body))

    answer.__annotations__["body"] = body_of(operation)
    return answer


def _passing_on(
    operation: AnyOperation, corpus: ServedCorpus, processes: SearchProcesses, own: Callable[..., Any]
) -> Callable[..., Any]:
    """Return the function that FastAPI calls for a call that is answered by one of the processes, unless it may wait
    for a chat model: then the server answers with `own`, so that every process stays free for other searches.
    """

    async def answer(request: Request, body: Any) -> Response:
        if calls_chat(getattr(request.state, BODY, None)):
            return await run_sync(own, request, body)
        _note_question(request, body)
        return await processes.answer(str(operation.address), body, corpus.version())

    answer.__annotations__["body"] = body_of(operation)
    return answer


def _add_streams(app: FastAPI, corpus: ServedCorpus) -> None:
    """Add the calls that return each event as it comes, as a line of JSON."""
    for address, operation in served().items():
        if operation.streams:
            described = f"{operation.description}\n\n{getdoc(operation_events)}"
            lines = {"model": _event_of(operation), "description": f"Lines of {MEDIA_TYPE}, each of them one of these."}
            costs = {"x-costs": operation.costs(corpus.current().policy.budget)}
            add = app.post(f"{PREFIX}/{address}", description=described, responses={200: lines}, openapi_extra=costs)
            add(_streaming(operation, corpus))


def _event_of(operation: AnyOperation) -> type[BaseModel]:
    """Return the model of a line of the stream."""
    data: Any = FOUND | str | result_of(Step) | operation.model | Error
    return create_model("Event", event=Literal["hits", "text", "step", "note", "done", "error"], data=data)


def _streaming(operation: AnyOperation, corpus: ServedCorpus) -> Callable[..., StreamingResponse]:
    def answer(request: Request, body: Any) -> StreamingResponse:
        _note_question(request, body)
        events = unless_left(partial(operation_events, operation))(corpus.current(), body)
        return StreamingResponse(as_lines(events), media_type=MEDIA_TYPE)

    answer.__annotations__["body"] = body_of(operation)
    return answer


def _note_question(request: Request, body: BaseModel) -> None:
    setattr(request.state, QUESTION, getattr(body, "query", None))


# The stream of an answer: one JSON object per line.

MEDIA_TYPE = "application/x-ndjson"


def operation_events(operation: AnyOperation, pf: Pathfinder, body: BaseModel) -> Generator[JsonObject, None, None]:
    """Search, answer, and yield events: {"event", "data"}.

    The first is `hits` (what `pathfinder search --json` prints), then come `text`, `step` and `note`, and the last is
    `done` (what `pathfinder ask --json` prints) or `error` (code, message and way_out). Raises `UsageError` for a body
    that is not valid, and whatever the search raises; no reply has begun by then, so the caller gets the status of the
    error.
    """
    found, events = begin(operation, pf, body)
    return _events(operation, found, events)


def _events(
    operation: AnyOperation, found: SearchResult | None, events: Generator[AnswerEvent, None, Any]
) -> Generator[JsonObject, None, None]:
    if found is not None:
        yield {"event": "hits", "data": search_record(found)}
    try:
        with RecordedStream(events) as stream:
            for event in stream:
                if isinstance(event, StepTaken):
                    yield {"event": "step", "data": as_json(event.step)}
                elif isinstance(event, Note | TextDelta):
                    yield {"event": "note" if isinstance(event, Note) else "text", "data": event.text}
            yield {"event": "done", "data": operation.write(stream.result)}
    except ReaderStopped:
        return  # the caller has left
    except PathfinderError as error:
        yield {"event": "error", "data": error_record(error)[1]}


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
