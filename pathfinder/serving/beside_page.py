"""The API alongside the page, in the page's process: routes and lifespan for Streamlit's ASGI application."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import FastAPI
from starlette.routing import BaseRoute, Route

from pathfinder.errors import UsageError
from pathfinder.serving import page_api
from pathfinder.serving.access import LOOPBACK, access_of, why_closed
from pathfinder.serving.api import api
from pathfinder.serving.call_records import log_of
from pathfinder.serving.errors import PREFIX
from pathfinder.session import Pathfinder
from pathfinder.settings import Settings, read_settings

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - where Streamlit listens if it is given no address

TRUSTED = "FORWARDED_ALLOW_IPS"
"""Environment variable in which Streamlit's server finds the proxies that it trusts; without it, it trusts loopback."""


def configuration(arguments: Sequence[str]) -> dict[str, Any]:
    """Read the options `--host` and `--port`; return Streamlit's own, with which it opens no browser, and does not ask
    the network for its address.
    """
    parser = ArgumentParser("python server.py", description="Start the page and the API in one process.")
    parser.add_argument("--host", metavar="ADDRESS", default=LOOPBACK, help="address to listen on")
    parser.add_argument("--port", metavar="N", type=int, default=8501, help="port to listen on")
    options = parser.parse_args(arguments)
    return {
        "server.address": options.host,
        "server.port": options.port,
        "server.headless": True,
        "browser.serverAddress": "localhost",
    }


def trust_named_proxies() -> None:
    """Let Streamlit's server believe only the proxies in the settings. It must not have started yet."""
    os.environ[TRUSTED] = _named_proxies(read_settings())


def api_beside_page(address: str | None, port: int) -> FastAPI | None:
    """Return the API of the corpus in the settings, for a page at `address`; `None`, with a line on standard error,
    if the settings name no corpus, or if others reach the page and the API has no keys.

    Raises `UsageError` if the settings name proxies and Streamlit's server does not know them.
    """
    settings = read_settings()
    if settings.proxies and os.environ.get(TRUSTED) != _named_proxies(settings):
        raise UsageError(
            "PATHFINDER_PROXIES would have no effect: start the page with `python server.py`, or set "
            f"{TRUSTED} to the same addresses"
        )
    host = address or EVERY_ADDRESS
    if settings.corpus is None:
        reason: str | None = "no corpus was given: set PATHFINDER_CORPUS"
    else:
        reason = why_closed(host, settings)
    if settings.corpus is None or reason:
        sys.stderr.write(f"the page starts without the API: {reason}\n")
        return None
    allowed = access_of(host, port, settings)
    page_api.announce(allowed)
    return api(Pathfinder.open(settings.corpus, settings=settings), allowed, log_of(settings, sys.stderr))


def _named_proxies(settings: Settings) -> str:
    return ",".join(settings.proxies)


def routes_of(served: FastAPI | None) -> list[BaseRoute]:
    """Return the routes of the API and of MCP. They still check for themselves who is calling."""
    return [Route(path, served) for path in (f"{PREFIX}/{{rest:path}}", "/mcp", "/metrics")] if served else []


def lifespan_of(served: FastAPI | None) -> Callable[[Any], AbstractAsyncContextManager[Any]] | None:
    """Return the lifespan that keeps MCP's sessions while the page runs."""
    return (lambda _: served.router.lifespan_context(served)) if served else None
