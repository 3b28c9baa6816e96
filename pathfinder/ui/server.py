"""Starts the page, and the API beside it, in one process."""

import sys

import streamlit as st
from streamlit.web.bootstrap import load_config_options

from pathfinder.serving.access import check_address
from pathfinder.serving.beside_page import (
    api_beside_page,
    invite_owner,
    lifespan_of,
    middleware_of,
    page_route,
    routes_of,
    trust_named_proxies,
)
from pathfinder.ui.shared.frame import document, script

SCRIPT = script("app")
"""The script of the page; its theme and options are in `.streamlit` beside it."""


def start(address: str, port: int, *, has_api: bool, opens: bool) -> None:
    """Serve the page until Ctrl-C is pressed, with the API if `has_api`; if `opens`, open it in the browser of this
    machine. It neither asks the network for its address nor counts visits.

    Raises `UsageError` if no server can listen there, or if a setting of the server is mistaken.
    """
    check_address(address, port)
    trust_named_proxies()  # before Streamlit starts its server
    middleware = middleware_of(address, port)
    api = api_beside_page(address, port) if has_api else None
    invite_owner(address, port, opens=opens)
    sys.argv[:] = [SCRIPT]  # Streamlit looks for its options beside the program that was started
    own = {
        "server.address": address,
        "server.port": port,
        "server.headless": True,
        "browser.serverAddress": "localhost",
    }
    load_config_options(own)  # before an option is read: Streamlit warns of those that change after that
    routes = [*routes_of(api), page_route(document(), st.get_option("server.baseUrlPath"))]
    app = st.App(SCRIPT, routes=routes, lifespan=lifespan_of(api), middleware=middleware)
    app.run(config=own)
