"""The stream of an answer: one JSON object per line."""

import json
from collections.abc import AsyncIterator, Generator
from contextlib import closing
from typing import TYPE_CHECKING

from anyio import CancelScope
from anyio.to_thread import run_sync
from pydantic import BaseModel
from starlette.concurrency import iterate_in_threadpool

from pathfinder.errors import PathfinderError
from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.export.records import answer_record, search_record
from pathfinder.llm.stopping import ReaderStopped
from pathfinder.serving.errors import error_record
from pathfinder.serving.fields import answer_request_of, request_of
from pathfinder.types import AnswerEvent, AnswerRequest, Done, Note, SearchResult, StepTaken

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

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
