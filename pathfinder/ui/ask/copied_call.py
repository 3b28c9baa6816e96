"""Offers the search on screen as a link, as an API call with curl, and in Python."""

import json
import shlex
from urllib.parse import urlencode

import streamlit as st

from pathfinder.retrieval.request_records import record_of_request
from pathfinder.serving.errors import PREFIX
from pathfinder.types import SearchRequest

API = f"http://127.0.0.1:8600{PREFIX}/search"
"""Address at which `pathfinder serve` accepts searches on its default port."""


def panel(request: SearchRequest) -> None:
    """Draw a button that opens the three texts, each with a button that copies it."""
    with st.popover("Copy this search", icon=":material/content_copy:", type="tertiary"):
        st.caption("A link to this page")
        st.code(page_link(), language=None, wrap_lines=True)
        st.caption("The same search through the API, while `pathfinder serve` is running")
        st.code(as_curl(request), language="bash", wrap_lines=True)
        st.code(as_python(request), language="python", wrap_lines=True)


def page_link() -> str:
    """Return the address of this page with the search on screen."""
    return f"{st.context.url or ''}?{urlencode(st.query_params.to_dict())}"


def as_curl(request: SearchRequest) -> str:
    """Return the API call as a shell command."""
    body = json.dumps(record_of_request(request), ensure_ascii=False)
    return f"curl {API} -H 'Content-Type: application/json' \\\n  -d {shlex.quote(body)}"


def as_python(request: SearchRequest) -> str:
    """Return the API call in Python, using only the standard library."""
    return (
        "import json\nfrom urllib.request import Request, urlopen\n\n"
        f"body = {record_of_request(request)!r}\n"
        f'call = Request("{API}", json.dumps(body).encode(), {{"Content-Type": "application/json"}})\n'
        'hits = json.load(urlopen(call))["hits"]\n'
    )
