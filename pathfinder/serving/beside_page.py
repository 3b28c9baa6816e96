"""The API alongside the page, in the page's process: routes and lifespan for Streamlit's ASGI application."""

import os
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import BaseRoute, Route

from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import CorpusError, ModelError
from pathfinder.facade import Pathfinder
from pathfinder.serving.access import (
    ServerAccess,
    access_of,
    is_loopback,
    named_hosts,
    why_closed,
)
from pathfinder.serving.api import api
from pathfinder.serving.errors import PREFIX, error_response
from pathfinder.serving.guard import HostGuard
from pathfinder.serving.watching import log_of
from pathfinder.settings import Settings, read_settings
from pathfinder.types import CorpusName
from pathfinder.user_data.database import data_folder
from pathfinder.user_data.owner import open_when_ready, owner_link, print_link

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - where Streamlit listens if it is given no address

_METHODS = ("GET", "POST", "DELETE")
"""Methods with which the API and MCP are called."""

TRUST_VARIABLE = "FORWARDED_ALLOW_IPS"
"""Environment variable in which Streamlit's server finds the proxies that it trusts; if it is not set, the server
trusts loopback.
"""


def invite_owner(address: str, port: int, *, opens: bool) -> None:
    """If the page is on loopback, print the link that makes a browser the owner's, and open it there if `opens`."""
    if is_loopback(address):
        link = owner_link(address, port, data_folder(read_settings()))
        print_link(link)
        if opens:
            open_when_ready(link, address, port)


def trust_named_proxies() -> None:
    """Make Streamlit's server trust only the proxies in the settings. It must not have started yet."""
    os.environ[TRUST_VARIABLE] = ",".join(read_settings().proxies)


def api_beside_page(address: str | None, port: int) -> FastAPI | None:
    """Return the API of the corpus in the settings, for a page at `address`; `None`, with a line on standard error,
    if the settings name no corpus or one that cannot be opened, or if others can reach the page and the API has no
    keys.

    Raises `UsageError` for a key that is not a digest.
    """
    settings = read_settings()
    host = address or EVERY_ADDRESS
    pf = _open(host, settings)
    if isinstance(pf, str):
        sys.stderr.write(f"the page starts without the API: {pf}\n")
        return None
    access = access_of(host, port, settings)
    _ANNOUNCED_APIS[:] = [PageApi(access, partial(corpus_name, pf.corpus.folder))]
    return api(pf, access, log_of(settings, sys.stderr))


def _open(host: str, settings: Settings) -> Pathfinder | str:
    """Open the corpus in the settings for a server at `host`; return the reason if there is none to serve."""
    if settings.corpus is None:
        return "no corpus was given: set PATHFINDER_CORPUS"
    if reason := why_closed(host, settings):
        return reason
    try:
        return Pathfinder.open(settings.corpus, settings=settings)
    except (CorpusError, ModelError) as error:
        return str(error)


def routes_of(api_app: FastAPI | None) -> list[BaseRoute]:
    """Return the routes of the API and of MCP, which still check for themselves who is calling. Without the API, they
    say that there is none, because Streamlit would otherwise answer with its page.
    """
    paths = (f"{PREFIX}/{{rest:path}}", "/mcp", "/metrics")
    return [Route(path, api_app) if api_app else Route(path, _refuse, methods=_METHODS) for path in paths]


def _refuse(request: Request) -> JSONResponse:
    message = f"{request.method} {request.url.path}: this page runs without the API"
    way_out = "its owner can find the reason in the server's standard error output, and start the API: see docs/api.md"
    return error_response(HTTPStatus.NOT_FOUND, "address", message, way_out)


class _Place(StringConvertor):
    """The address of a place, or none: neither a file nor an address of Streamlit's own."""

    regex = r"[^./]*"


register_url_convertor("place", _Place())


def page_route(document: str, base: str) -> Route:
    """Return the route of every place of the page, which sends `document` in place of Streamlit's own. `base` is the
    path of the page, Streamlit's `server.baseUrlPath`.
    """
    return Route(
        "/".join(("", *filter(None, base.split("/")), "{address:place}")),
        lambda _: HTMLResponse(document, headers={"Cache-Control": "no-cache"}),
    )


def middleware_of(address: str | None, port: int) -> list[Middleware]:
    """Return the middleware in front of the page and the API: the check of the Host header. A browser may reach the
    page by the names in the settings, its IP address and those of loopback; any name will do if other machines can
    reach the address and the settings name no host.

    Raises `UsageError` if the settings name something that is not a host.
    """
    access = ServerAccess(address or EVERY_ADDRESS, port, hosts=named_hosts(read_settings()))
    return [Middleware(HostGuard, access=access)] if access.hosts or not access.is_public else []


def lifespan_of(api_app: FastAPI | None) -> Callable[[Any], AbstractAsyncContextManager[Any]] | None:
    """Return the lifespan that keeps MCP's sessions open while the page runs."""
    return (lambda _: api_app.router.lifespan_context(api_app)) if api_app else None


# The API alongside the page, its corpus and who may call it: the pages need these to write the calls that a reader
# can copy.


@dataclass(frozen=True, slots=True)
class PageApi:
    """The API at the address of the page."""

    access: ServerAccess
    corpus: Callable[[], CorpusName]
    """Function that returns the corpus from which calls are now answered, in the version now in its folder. A visitor
    to the page may have another corpus open, or a result from an earlier version on screen.
    """

    def has(self, corpus: CorpusName) -> bool:
        """Return whether the API has this corpus in this version, regardless of the year as of which it is read. The
        API has no corpus if its folder no longer holds one.
        """
        try:
            own = self.corpus()
        except CorpusError:
            return False
        return _version(corpus) == _version(own)


_ANNOUNCED_APIS: list[PageApi] = []
"""The API of this process; empty if it serves none."""


def announced_api() -> PageApi | None:
    """Return the API at the address of the page; `None` if this process serves none."""
    return _ANNOUNCED_APIS[0] if _ANNOUNCED_APIS else None


def _version(corpus: CorpusName) -> str:
    return corpus.version.partition("@")[0]
