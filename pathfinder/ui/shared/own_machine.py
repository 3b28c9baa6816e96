"""Distinguishes the person at this machine from visitors to a page that others can reach."""

import json
from collections.abc import Mapping

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.serving.access import FORWARDING_HEADERS, is_loopback
from pathfinder.settings import read_settings
from pathfinder.user_data.database import data_folder
from pathfinder.user_data.owner import PARAMETER, is_owner_token, owner_link, print_link

COOKIE = "pathfinder-owner"
_TOKEN = "visit-owner-token"  # noqa: S105 - the name under which the session keeps it
_HERE = "visit-is-here"


def is_own_machine(address: str | None, headers: Mapping[str, str]) -> bool:
    """Return whether `address`, to which the page is bound, is on loopback, and nothing shows that a proxy is used.

    This does not suffice: a proxy on this machine may show nothing.
    """
    host = headers.get("Host", "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    is_direct = is_loopback(name) and not any(header in headers for header in FORWARDING_HEADERS)
    return address is not None and is_loopback(address) and is_direct


def is_visited_here() -> bool:
    """Return whether the visitor to this page is at this machine: they have come directly, and their browser has opened
    the link that the server printed. A run of the page asks ten times, and once for all at its beginning.
    """
    return bool(st.session_state[_HERE]) if _HERE in st.session_state else _is_owner()


def _is_owner() -> bool:
    return is_own_machine(st.get_option("server.address"), st.context.headers) and is_owner_token(
        _token(), data_folder(read_settings())
    )


def begin_run() -> None:
    """Take the owner's token out of the address into this visit and its cookies, before anything else (app.py)."""
    token = st.query_params.get(PARAMETER)
    if token is not None:
        del st.query_params[PARAMETER]
        st.session_state[_TOKEN] = token
    st.session_state.pop(_HERE, None)
    try:
        st.session_state[_HERE] = _is_owner()
        if not is_own_machine(st.get_option("server.address"), st.context.headers):
            return
        if is_visited_here():
            remember(COOKIE, _token())
        else:
            place = str(st.get_option("server.address")), int(st.get_option("server.port"))
            print_link(owner_link(*place, data_folder(read_settings())))
    except PathfinderError:
        return  # the page that is drawn next reports what is wrong with the settings


def _token() -> str:
    """Return the token that the link of this visit or the browser's cookie holds; empty if there is none."""
    return str(st.session_state.get(_TOKEN) or cookie(COOKIE) or "")


# Cookies that the page sets in a visitor's browser, and finds again when it is opened.

KEY = "cookie"
"""Key of the elements that set a cookie; they take no room on the page (`frame.py`)."""
_SECONDS = 365 * 24 * 3600


def cookie(name: str) -> str | None:
    """Return the value of a cookie that the browser sent when the visit began."""
    value = st.context.cookies.get(name)
    return value if isinstance(value, str) else None  # without a browser, as in tests, it is neither


def remember(name: str, value: str) -> None:
    """Set the cookie `name` for this server alone, unless the browser already has it with this value.

    An element of the page does it, drawn in every run of a visit that began without the cookie.
    """
    if cookie(name) == value:
        return
    text = json.dumps(f"{name}={value}; Path=/; Max-Age={_SECONDS}; SameSite=Strict")
    script = f"<script>document.cookie = {text} + (location.protocol === 'https:' ? '; Secure' : '')</script>"
    st.container(key=KEY).html(script, unsafe_allow_javascript=True)
