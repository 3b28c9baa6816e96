"""Frame of every page: its document, its menu, and the turn that a page waits for before it is drawn."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pathfinder.text.english import counted
from pathfinder.ui.shared import jobs, state, visit_corpus

_STREAMLIT = Path(st.__file__).parent / "static"
_STYLES = Path(__file__).with_name("page.css")
_ELEMENTS = ("BidiComponent", "Button", "ButtonGroup", "ChatInput", "Html", "MenuButton", "PageLink")
"""Scripts of Streamlit's that nearly every page needs; it would ask for each when the first such element comes."""
_SETTINGS_CLOSED = """<script>try {
  for (const key of Object.keys(localStorage))
    if (innerWidth < 768 && key.startsWith('stSidebarCollapsed')) delete localStorage[key]
} catch {}</script>"""
"""Streamlit opens the settings as they were left; on a phone, they would cover the page that one comes back to."""
_N_AT_TOP = "times-at-top"


def document() -> str:
    """Return the document that Streamlit sends for every address, with the style sheet of the page and with the scripts
    that it will need. Sent with the elements, they would come after the first picture, and move it.
    """
    html = (_STREAMLIT / "index.html").read_text(encoding="utf-8")
    scripts = [f"static/js/{path.name}" for name in _ELEMENTS for path in _STREAMLIT.glob(f"static/js/{name}.*.js")]
    links = "".join(f'<link rel="modulepreload" crossorigin href="./{script}">' for script in scripts)
    styles = f"<style>{_STYLES.read_text(encoding='utf-8')}</style>"  # in the body: after those of Streamlit
    head, body = html.index("</head>"), html.index("<body>") + len("<body>")
    return f"{html[:head]}{links}{_SETTINGS_CLOSED}{html[head:body]}{styles}{html[body:]}"


def places(pages: Sequence[StreamlitPage]) -> None:
    """Draw the places at the foot of a phone, where Streamlit hides the navigation behind a button."""
    with st.bottom, st.container(key="places", horizontal=True, horizontal_alignment="distribute", gap=None):
        for page in pages:
            if page.visibility == "visible":
                st.page_link(page, width="content")


def is_gone_back() -> bool:
    """Return whether this run was begun by Back or Forward of the browser: what is shown follows the address then."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def begin_at_top(shown: str) -> None:
    """Scroll to the top when `shown`, which names the place and its question, is another than before: Streamlit leaves
    the page as far down as the one before it. The same script makes what is open a step that Back undoes.
    """
    component(Path(__file__).with_name("page.js"))(
        key="top-of-page", data=f"{shown} {st.session_state.get(_N_AT_TOP, 0)}"
    )


def go_to_top() -> None:
    """Scroll to the top in the next run, for what has begun there."""
    st.session_state[_N_AT_TOP] = st.session_state.get(_N_AT_TOP, 0) + 1


@cache
def component(
    script: Path, html: str | None = None, css: str | None = None, *, before: str = "", shadow: bool = True
) -> ComponentRenderer:
    """Register a component of our own, named like its script, after `before`; without `shadow`, page.css holds."""
    name, js = f"pathfinder_{script.stem}", before + script.read_text(encoding="utf-8")
    return st.components.v2.component(name, html=html, css=css, js=js, isolate_styles=shadow)


_MEDIA_TYPES = {
    "bib": "text/x-bibtex",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
"""Media types that Python does not know."""


def save(label: str, data: str | bytes | Callable[[], str | bytes], name: str, **options: Any) -> None:
    """Draw the button that saves a file called `name`, without running the page. A table in it begins with the mark by
    which spreadsheets know UTF-8. `options` are those of Streamlit's button.
    """

    def content() -> bytes:
        made = data() if callable(data) else data
        return made.encode("utf-8-sig" if name.endswith(".csv") else "utf-8") if isinstance(made, str) else made

    kind = {"mime": _MEDIA_TYPES.get(name.rpartition(".")[2]) or guess_type(name)[0]}
    made = content if callable(data) else content()
    st.download_button(label, made, name, on_click="ignore", **kind | options)


@contextmanager
def turn() -> Iterator[DeltaGenerator]:
    """Wait for the turn of a page that searches, and hold it while it is drawn; its visitor is told meanwhile how many
    pages will be drawn before theirs. What was there is gone: this place is empty, and given to the page.
    """
    place = st.empty()

    def tell(n_before: int) -> None:
        place.caption(f"Many visitors at once: {counted(n_before, 'page')} will be drawn before yours.")

    with jobs.TURNS.turn(tell, is_short=state.is_found()):
        yield place


# The scripts that draw the places.

FOLDER = Path(__file__).parents[1] / "places"


def script(address: str) -> str:
    """Return the path of the script of a place, or of a page beside the places, by its address: `ask`.

    The path is absolute: Streamlit looks for others beside the script it was started with, which can be `app.py`.
    """
    return str(FOLDER / f"{address}.py")


def go(address: str, **parameters: Any) -> None:
    """Open a place, or a page beside the places, with these parameters, and the library and year of this visit."""
    st.switch_page(script(address), query_params={**parameters, **visit_corpus.link_parameters()})


# Kiosk: a page on a public screen, with large buttons, no links to other pages and no text input.

KIOSK = "kiosk"
"""Parameter of the address, `kiosk=1`, and key of what the style sheet then makes fit for a public screen."""


def is_kiosk() -> bool:
    """Return whether the address asks for a kiosk, which only the map for the public can be."""
    return st.query_params.get("look") == "public" and st.query_params.get(KIOSK) == "1"
