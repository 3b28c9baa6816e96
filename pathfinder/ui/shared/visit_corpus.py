"""The corpus that a visitor has open: the server's own, or another that is offered to them."""

import os
from pathlib import Path

import streamlit as st

from pathfinder.corpus.manifest import is_corpus
from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.run_settings import settings_of_run

LINK = "corpus"
"""Parameter of a link to a corpus other than the server's own."""
_CHOSEN, _BUILT, _UNKNOWN = "visit-corpus", "visit-built", "visit-unknown-corpus"
_OF_VISIT = "visit-"
"""Beginning of the keys in the session state that a change of the corpus leaves alone."""


def folder_of_visit() -> Path | None:
    """Return the folder of the corpus that is open for this visitor; `None` if there is none to open."""
    settings, chosen = settings_of_run(), st.session_state.get(_CHOSEN)
    if chosen is None and settings.corpus is not None:
        return settings.corpus
    folders = list(offered().values())
    return chosen if chosen in folders else next(iter(folders), None)


def offered() -> dict[str, Path]:
    """Return the corpora that this visitor may open by their names, the server's own first.

    Corpora that were built on the page are offered to their builder, and to whoever sits at this machine.
    """
    settings = settings_of_run()
    listed = [*filter(None, [settings.corpus]), *settings.corpora]
    home, built = new_corpora(settings), st.session_state.get(_BUILT, ())
    inside = sorted(home.iterdir()) if home.is_dir() else []
    listed += [folder for folder in inside if is_corpus(folder) and (folder in built or is_visited_here())]
    named: dict[str, Path] = {}
    for folder in dict.fromkeys(listed):
        name = folder.resolve().name
        named[name if name not in named else f"{name}-{len(named) + 1}"] = folder
    return named


def new_corpora(settings: Settings) -> Path:
    """Return the folder in which the page builds corpora."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return settings.new_corpora or data / "pathfinder"


def offer(folder: Path) -> None:
    """Offer the corpus in `folder`, which this visitor builds, to them."""
    st.session_state[_BUILT] = (*st.session_state.get(_BUILT, ()), folder)


def is_own(folder: Path) -> bool:
    """Return whether this visitor has built the corpus in `folder`."""
    return folder in st.session_state.get(_BUILT, ())


def choose(folder: Path) -> None:
    """Open the corpus in `folder` for this visitor; everything on screen is about the corpus before, and is forgotten.

    For use by a button, before the page is drawn again.
    """
    for key in [str(key) for key in st.session_state]:
        if not key.startswith(_OF_VISIT):
            del st.session_state[key]
    st.session_state[_CHOSEN] = folder


def begin_run() -> None:
    """Open the corpus that the link names, if it is offered to this visitor; app.py does this before anything else."""
    name = st.query_params.get(LINK)
    if name is None:
        return
    try:
        folder = offered().get(name)
    except UsageError:
        return  # the page that is drawn next reports what is wrong with the settings
    st.session_state[_UNKNOWN] = name if folder is None else None
    if folder is None:
        del st.query_params[LINK]
    elif folder != folder_of_visit():
        choose(folder)


def notes() -> tuple[str, ...]:
    """Return a note if the link names a corpus that is not offered here."""
    name = st.session_state.pop(_UNKNOWN, None)
    return () if name is None else (f"the link's corpus {name[:80]!r} is not offered here, so another one is open",)


def link_parameters() -> dict[str, str]:
    """Return what a link needs in order to open this corpus; nothing for the server's own."""
    folder = st.session_state.get(_CHOSEN)
    if folder is None or folder == settings_of_run().corpus:
        return {}
    name = next((name for name, other in offered().items() if other == folder), None)
    return {} if name is None else {LINK: name}
