"""Cookies that the page sets in a visitor's browser, and finds again when it is opened."""

import json

import streamlit as st

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
    st.container(key=KEY).html(
        f"<script>document.cookie = {text} + (location.protocol === 'https:' ? '; Secure' : '')</script>",
        unsafe_allow_javascript=True,
    )
