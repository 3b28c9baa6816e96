"""The API alongside the page, in the page's process: routes and lifespan for Streamlit's ASGI application."""

import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import FastAPI
from starlette.routing import BaseRoute, Route

from pathfinder.errors import UsageError
from pathfinder.serving.access import access_of
from pathfinder.serving.api import api
from pathfinder.serving.call_records import log_of
from pathfinder.serving.errors import PREFIX
from pathfinder.session import Pathfinder
from pathfinder.settings import read_settings

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - where Streamlit listens if it is given no address


def api_beside_page(address: str | None, port: int) -> FastAPI:
    """Return the API of the corpus in the settings, for a page at `address`.

    Raises `UsageError` if the settings name no corpus, or if others reach the page and the API has no keys.
    """
    settings = read_settings()
    if settings.corpus is None:
        raise UsageError("no corpus was given: set PATHFINDER_CORPUS, or start app.py, whose pages can build one")
    allowed = access_of(address or EVERY_ADDRESS, port, settings)
    return api(Pathfinder.open(settings.corpus, settings=settings), allowed, log_of(settings, sys.stderr))


def routes_of(served: FastAPI) -> list[BaseRoute]:
    """Return the routes of the API and of MCP. They still check for themselves who is calling."""
    return [Route(f"{PREFIX}/{{rest:path}}", served), Route("/mcp", served), Route("/metrics", served)]


def lifespan_of(served: FastAPI) -> Callable[[Any], AbstractAsyncContextManager[Any]]:
    """Return the lifespan that keeps MCP's sessions while the page runs."""
    return lambda _: served.router.lifespan_context(served)
