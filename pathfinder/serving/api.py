"""The API: an answer in JSON for each call, and one form for every error."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pathfinder.errors import PathfinderError
from pathfinder.export.plain_json import JsonObject
from pathfinder.serving import calls, fields, overviews
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.answers import MEDIA_TYPE, answer_events, as_lines
from pathfinder.serving.door import Door
from pathfinder.serving.errors import PREFIX, refuse, refuse_address, refuse_body, report_bug
from pathfinder.serving.guard import Guard
from pathfinder.serving.mcp_tools import mcp_server
from pathfinder.serving.metrics import ADDRESS as METRICS
from pathfinder.serving.metrics import Tally
from pathfinder.serving.queue import Queue
from pathfinder.serving.standing_feed import ADDRESS as FEED
from pathfinder.serving.standing_feed import add_standing_feed
from pathfinder.serving.watching import PAPERS, QUESTION, Watcher, Watching
from pathfinder.session.search_cache import SearchCache
from pathfinder.sources.live.access import allowed_sources

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

Call = Callable[["Pathfinder", Any], JsonObject]

CALLS: dict[str, tuple[Call, Callable[[], type[BaseModel]]]] = {
    "search": (calls.search, fields.search_body),
    "reweigh": (calls.reweigh, fields.search_body),
    "similar": (calls.similar, lambda: fields.SimilarBody),
    "consensus": (calls.consensus, fields.consensus_body),
    "table": (overviews.table, fields.table_body),
    "tensions": (overviews.tensions, fields.tensions_body),
    "network": (overviews.network, fields.network_body),
    "timeline": (overviews.timeline, fields.timeline_body),
    "check": (calls.check, lambda: fields.CheckBody),
    "map/region": (calls.map_region, lambda: fields.RegionOfMap),
    "export": (calls.export, lambda: fields.ExportBody),
}
"""Calls that answer once, by address, each with its body."""

ADDRESSES = frozenset(
    {*(f"{PREFIX}/{address}" for address in (*CALLS, "answer", "health")), PAPERS, FEED, "/mcp", METRICS}
)
"""Addresses that are counted individually."""


def api(pf: "Pathfinder", access: ServerAccess, watchers: Sequence[Watcher] = ()) -> FastAPI:
    """Return the API of an open corpus, for the callers that `access` admits; `watchers` are notified of every call."""
    # The pages of FastAPI that draw the description load scripts from another host.
    pf = _for_callers(pf.with_searches(SearchCache()), access)
    server = mcp_server(pf)
    app = FastAPI(
        title="Pathfinder",
        version="1",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        routes=[*server.routes()],
        lifespan=lambda _: server.session_manager.run(),
    )
    app.add_middleware(Queue)
    app.add_middleware(Door, access=access)
    app.add_middleware(Guard, access=access)
    tally = Tally()
    app.add_middleware(Watching, watchers=(tally.add, *watchers), calls=ADDRESSES)
    app.exception_handler(PathfinderError)(refuse)
    app.exception_handler(RequestValidationError)(refuse_body)
    app.exception_handler(HTTPException)(refuse_address)
    app.exception_handler(Exception)(report_bug)
    _add_readings(app, pf, tally)
    add_standing_feed(app, pf, access)
    for address, (call, body) in CALLS.items():
        app.post(f"{PREFIX}/{address}", name=address, description=call.__doc__)(_answering(call, body(), pf))
    _add_answer(app, pf)
    return app


def _for_callers(pf: "Pathfinder", access: ServerAccess) -> "Pathfinder":
    """Return the corpus for callers on other machines: they may query only the live sources named by the owner."""
    if pf.live is None or not access.is_public:
        return pf
    return pf.with_live(replace(pf.live, allowed=allowed_sources(pf.live.settings.live)))


def _add_readings(app: FastAPI, pf: "Pathfinder", tally: Tally) -> None:
    @app.get(METRICS)
    def metrics() -> Response:
        """Count calls by name and status, with their times, for Prometheus."""
        return tally.response()

    @app.get(f"{PREFIX}/health")
    def health() -> dict[str, Any]:
        """Say that the corpus is open, and how many papers it has."""
        return {"status": "ok", "papers": len(pf.corpus.papers)}

    @app.get(f"{PREFIX}/papers/{{paper_id:path}}", description=calls.paper.__doc__)
    def paper(paper_id: str) -> JSONResponse:
        return JSONResponse(calls.paper(pf, paper_id))


def _answering(call: Call, body: type[BaseModel], pf: "Pathfinder") -> Callable[[Request, Any], JSONResponse]:
    """Return the function that FastAPI calls, with the type of its body."""

    def answer(request: Request, body: Any) -> JSONResponse:
        _note_question(request, body)
        return JSONResponse(call(pf, body))

    answer.__annotations__["body"] = body
    return answer


def _add_answer(app: FastAPI, pf: "Pathfinder") -> None:
    def answer(request: Request, body: Any) -> StreamingResponse:
        _note_question(request, body)
        return StreamingResponse(as_lines(answer_events(pf, body)), media_type=MEDIA_TYPE)

    answer.__annotations__["body"] = fields.answer_body()
    app.post(f"{PREFIX}/answer", description=answer_events.__doc__)(answer)


def _note_question(request: Request, body: BaseModel) -> None:
    setattr(request.state, QUESTION, getattr(body, "query", None))
