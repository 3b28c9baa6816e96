"""Offers what is on screen as a link, and as an API call, written with curl and in Python."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pathfinder.operations import body_of, served
from pathfinder.operations.operation import AnyOperation
from pathfinder.serving import beside_page
from pathfinder.serving.errors import PREFIX
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName
from pathfinder.ui.shared.visit_corpus import KEY as VISIT_KEY
from pathfinder.ui.shared.visit_entries import chat_of_visit, live_keys

OWN_SERVER = "http://127.0.0.1:8600"
"""Address of `pathfinder serve` on its default port."""

KEY = "PATHFINDER_KEY"
"""Environment variable from which a copied call reads the caller's key."""

OPEN_HEIGHT = 240
"""Height in pixels of a link and what is said of it, on a phone."""


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

    @property
    def operation(self) -> AnyOperation | None:
        """The operation that answers the call, if one does."""
        return served().get(self.name)

    def as_notebook(self) -> str:
        """Return the same in a notebook, without a server; empty if no operation answers the call."""
        if self.operation is None:
            return ""
        arguments = "".join(f", {name}={value!r}" for name, value in self.body.items())
        return (
            "from pathfinder import Pathfinder\nfrom pathfinder.operations import run\n\n"
            f'result = run(Pathfinder.open("DIR"), "{self.operation.name}"{arguments})\n'
        )

    def as_curl(self) -> str:
        """Return the call as a shell command."""
        key = f' \\\n  -H "Authorization: Bearer ${KEY}"' if self.needs_key else ""
        body = json.dumps(dict(self.body), ensure_ascii=False)
        return f"curl {self.url} -H 'Content-Type: application/json'{key} \\\n  -d {shlex.quote(body)}"

    def as_python(self) -> str:
        """Return the call in Python, using only the standard library."""
        modules = ("json", "os") if self.needs_key else ("json",)
        key = f', "Authorization": f"Bearer {{os.environ[{KEY!r}]}}"' if self.needs_key else ""
        streams = self.operation is not None and self.operation.streams
        parse = "[json.loads(line) for line in reply]" if streams else "json.load(reply)"
        return (
            "".join(f"import {module}\n" for module in modules)
            + "from urllib.request import Request, urlopen\n\n"
            + f"body = {dict(self.body)!r}\n"
            + f'headers = {{"Content-Type": "application/json"{key}}}\n'
            + f'with urlopen(Request("{self.url}", json.dumps(body).encode(), headers)) as reply:\n'
            + f"    result = {parse}\n"
        )


WEIGHTS = "the weights"
"""What no call reproduces either, if a link leaves it out."""


@st.fragment
def panel(
    name: str,
    body: Mapping[str, Any] | None,
    corpus: CorpusName | None,
    left_out: Sequence[str] = (),
    beside: Callable[[], Mapping[str, Any]] = dict,
) -> None:
    """Draw a button that copies a link to this page, and shows it with the call that returns what is on screen, unless
    it has no `body`.

    `corpus` is the corpus that is on screen; `None` if the call gives the same result with every corpus. `left_out` are
    the parts of what is on screen, such as "the weights", that the link does not reproduce. `beside` returns what has
    changed in the address since the page was drawn, such as the view of a map.
    """
    with st.popover("Copy link", icon=":material/link:", type="tertiary", key=f"copy-{name}", on_change="rerun") as lid:
        if not lid.open:  # as high as what it will hold, so that it opens where there is room
            st.space(OPEN_HEIGHT)
            return
        link = page_link(beside())
        st.caption(f"A link to this page{_without(left_out)}")
        _copier()(key=f"copied-{name}", data=link)  # in sight, however long the link is
        st.code(link, language=None, wrap_lines=True)
        if body is None:
            return
        with st.expander("The same as code", type="compact"):
            call = _call(_operation(name, body), body, corpus)
            st.caption(f"From the API{_without([part for part in left_out if part == WEIGHTS])}{_server(call, corpus)}")
            st.code(call.as_curl(), language="bash", wrap_lines=True)
            st.code(call.as_python(), language="python", wrap_lines=True)
            if in_notebook := call.as_notebook():
                st.caption("In a notebook; DIR is the folder of the library")
                st.code(in_notebook, language="python", wrap_lines=True)
            if call.needs_key:
                st.caption(f"`{KEY}` is the key that the owner of this server gave you.")
            has_own = chat_of_visit() is not None or bool(live_keys())
            if has_own and ("query" in call.body or call.name == "table"):
                st.caption("The call uses the server's chat model and keys, not those that you entered here.")


def _operation(name: str, body: Mapping[str, Any]) -> str:
    """Return the name of the call, or of another one with the same question and settings that the reader chooses."""
    others = [each for each, taking in served().items() if body.keys() <= body_of(taking).model_fields.keys()]
    if "query" not in body or name not in others or others == [name]:
        return name
    return st.selectbox("Operation", others, others.index(name), key=f"operation-{name}")


@cache
def _copier() -> ComponentRenderer:
    """Return what copies its text when it is drawn, and says so."""
    script = """export default ({data, parentElement}) => {
      const said = parentElement.querySelector('[role=status]')
      const failed = 'Your browser lets nobody copy for you here: mark the link and copy it.'
      if (!navigator.clipboard) said.textContent = failed
      else navigator.clipboard.writeText(data).then(
        () => { said.textContent = 'The link is copied.' }, () => { said.textContent = failed })
    }"""
    place = '<div role="status" style="min-height: 1.5em"></div>'
    return st.components.v2.component("pathfinder_copy", html=place, js=script)


def _without(parts: Sequence[str]) -> str:
    words = " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
    return f", without {words}" if words else ""


def _server(call: CopiedCall, corpus: CorpusName | None) -> str:
    """Say which server must be running for the call, if it is not this one."""
    if call.server != OWN_SERVER:
        return ""
    if corpus is None:
        return ", while `pathfinder serve` runs"
    api = beside_page.announced_api()
    other = "" if api is None or api.has(corpus) else " The API of this page serves a different library or version."
    return (
        f", while `pathfinder serve --corpus DIR` runs; DIR is the folder of the library {for_markdown(corpus.name)}."
        f"{other}"
    )


def page_link(beside: Mapping[str, Any]) -> str:
    """Return the address of this page with what is on screen, without the key to a visitor's corpora."""
    own = {name: st.query_params.get_all(name) for name in st.query_params if name != VISIT_KEY}
    parameters = {name: value for name, value in {**own, **beside}.items() if value}
    return "?".join(filter(None, [st.context.url, urlencode(parameters, doseq=True)]))


def _call(name: str, body: Mapping[str, Any], corpus: CorpusName | None) -> CopiedCall:
    """Return a call to the API at this page's address or, if there is none with the corpus, to `pathfinder serve`."""
    api = beside_page.announced_api()
    if api is None or st.context.url is None or not (corpus is None or api.has(corpus)):
        return CopiedCall(name, body)
    page = urlsplit(st.context.url)
    if not api.access.accepts(page.netloc):
        return CopiedCall(name, body)
    return CopiedCall(name, body, f"{page.scheme}://{page.netloc}", bool(api.access.digests))
