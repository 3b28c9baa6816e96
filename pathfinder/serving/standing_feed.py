"""The JSON Feed of standing questions over the API, for the owner of the server alone."""

from http import HTTPStatus

from fastapi import FastAPI
from fastapi.responses import JSONResponse
from starlette.requests import Request

from pathfinder.serving.access import FORWARDING_HEADERS, ServerAccess
from pathfinder.serving.errors import PREFIX, error_response
from pathfinder.serving.served_corpus import ServedCorpus
from pathfinder.standing.feed import MEDIA_TYPE

ADDRESS = f"{PREFIX}/standing/feed.json"


def add_standing_feed(app: FastAPI, corpus: ServedCorpus, access: ServerAccess) -> None:
    """Add the call. It answers only programs on this machine: others must not see what its owner watches."""

    @app.get(ADDRESS)
    def standing_feed(request: Request) -> JSONResponse:
        """Return what `pathfinder standing feed` writes: changes of standing questions. Nothing is marked as seen."""
        if access.is_public or any(header in request.headers for header in FORWARDING_HEADERS):
            message = "standing questions belong to the owner of this server"
            return error_response(HTTPStatus.FORBIDDEN, "owner", message, "call a server on 127.0.0.1, without a proxy")
        return JSONResponse(corpus.current().standing_feed(), media_type=MEDIA_TYPE)
