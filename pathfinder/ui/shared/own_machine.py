"""Distinguishes the person at this machine from visitors to a page that others can reach."""

from collections.abc import Mapping

import streamlit as st

from pathfinder.serving.access import FORWARDING_HEADERS

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})


def is_own_machine(address: str | None, headers: Mapping[str, str]) -> bool:
    """Return whether `address`, to which the page is bound, is on loopback, and the page is used without a proxy."""
    host = headers.get("Host", "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    is_direct = name in LOOPBACK and not any(header in headers for header in FORWARDING_HEADERS)
    return address in LOOPBACK and is_direct


def is_visited_here() -> bool:
    """Return whether the visitor to this page is at this machine."""
    return is_own_machine(st.get_option("server.address"), st.context.headers)
