"""Offers what is on screen as a link, as an API call with curl, and in Python."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from pathfinder.serving import page_api
from pathfinder.serving.errors import PREFIX

OWN_SERVER = "http://127.0.0.1:8600"
"""Address of `pathfinder serve` on its default port."""

KEY = "PATHFINDER_KEY"
"""Environment variable from which a copied call reads the caller's key."""


@dataclass(frozen=True, slots=True)
class CopiedCall:
    """A call to the API, to be copied."""

    name: str
    """Name of the call, such as "search"."""
    body: Mapping[str, Any]
    server: str = OWN_SERVER
    needs_key: bool = False

    @property
    def url(self) -> str:
        """Address of the call."""
        return f"{self.server}{PREFIX}/{self.name}"

    def as_curl(self) -> str:
        """Return the call as a shell command."""
        key = f' \\\n  -H "Authorization: Bearer ${KEY}"' if self.needs_key else ""
        body = json.dumps(dict(self.body), ensure_ascii=False)
        return f"curl {self.url} -H 'Content-Type: application/json'{key} \\\n  -d {shlex.quote(body)}"

    def as_python(self) -> str:
        """Return the call in Python, using only the standard library."""
        modules = ("json", "os") if self.needs_key else ("json",)
        key = f', "Authorization": f"Bearer {{os.environ[{KEY!r}]}}"' if self.needs_key else ""
        parse = "[json.loads(line) for line in reply]" if self.name == "answer" else "json.load(reply)"
        return (
            "".join(f"import {module}\n" for module in modules)
            + "from urllib.request import Request, urlopen\n\n"
            + f"body = {dict(self.body)!r}\n"
            + f'headers = {{"Content-Type": "application/json"{key}}}\n'
            + f'with urlopen(Request("{self.url}", json.dumps(body).encode(), headers)) as reply:\n'
            + f"    result = {parse}\n"
        )


@st.fragment
def panel(name: str, body: Mapping[str, Any]) -> None:
    """Draw a button that shows, for copying, a link to this page and the call that returns what is on screen."""
    label = "Copy as link or code"
    with st.popover(
        label, icon=":material/content_copy:", type="tertiary", key=f"copy-{name}", on_change="rerun"
    ) as lid:
        if not lid.open:
            return
        call = _call(name, body)
        st.caption("A link to this page")
        st.code(page_link(), language=None, wrap_lines=True)
        st.caption("The same from the API" + ("" if page_api.served() else ", while `pathfinder serve` runs"))
        st.code(call.as_curl(), language="bash", wrap_lines=True)
        st.code(call.as_python(), language="python", wrap_lines=True)
        if call.needs_key:
            st.caption(f"`{KEY}` is the key that the owner of this server gave you.")


def page_link() -> str:
    """Return the address of this page with what is on screen."""
    return f"{st.context.url or ''}?{urlencode(st.query_params.to_dict())}"


def _call(name: str, body: Mapping[str, Any]) -> CopiedCall:
    """Return a call to the API at the address of this page, or, if there is none, to `pathfinder serve`."""
    access = page_api.served()
    if access is None or st.context.url is None:
        return CopiedCall(name, body)
    page = urlsplit(st.context.url)
    return CopiedCall(name, body, f"{page.scheme}://{page.netloc}", bool(access.digests))
