"""The builds and updates of this server, each in a separate process; they continue when their page is closed."""

import atexit
import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

import streamlit as st

from pathfinder.corpus.manifest import is_corpus
from pathfinder.errors import CorpusError, PathfinderError, UsageError
from pathfinder.operations.child.orders import Child, Order, OrderState, read_order
from pathfinder.settings import read_settings
from pathfinder.sources.single_papers import keepable_id, sources_of
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Hit
from pathfinder.ui.corpus import permissions, uploads
from pathfinder.ui.shared import frame, resources, visit_corpus
from pathfinder.ui.shared.visitors import link_name

MAX_RUNNING = 1
"""Maximum number of builds and updates at a time; each uses every core."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_OWN = "visit-works"


_WORKS: dict[Path, Child] = {}
_LOCK = Lock()


def check_name(name: str) -> str:
    """Return the name of a new corpus. Raises `UsageError` unless it is plain: it becomes the name of a folder."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name[:80]!r} cannot be the name of a library: use up to 40 lower-case letters, digits and hyphens, such "
            "as my-library"
        )
    return name


def begin(
    order: Order, home: Path, keys: Mapping[str, str], *, is_in_sight: bool = True, empties: bool = False
) -> None:
    """Carry out `order` in the background, with `keys` in the environment of its process (`permissions.environment`),
    and begin the page anew, at its top, if the progress is on this page (`is_in_sight`). `empties` says whether the
    fields for files are emptied, because their contents are used up.

    Raises `UsageError` if the server is building something else.
    """
    with _LOCK:
        if not _WORKS:
            atexit.register(stop_all)
        check_free()
        environment = permissions.hidden_in(order, home) | dict(keys)
        file = reminder(order.folder, home) if order.can_resume else None
        _WORKS[order.folder] = Child(order, file, environment, is_private=link_name(order.folder, home) is not None)
    st.session_state[_OWN] = {*st.session_state.get(_OWN, ()), order.folder}
    if empties:
        uploads.begin_afresh()
    if is_in_sight:
        frame.go_to_top()
        st.rerun()


def check_free() -> None:
    """Raise `UsageError` if the server is building something."""
    if sum(child.state is OrderState.RUNNING for child in _WORKS.values()) >= MAX_RUNNING:
        raise UsageError("another library is being built or changed here: wait until it is complete, or stop it")


def all_works(*, is_owner: bool) -> dict[Path, Child]:
    """Return the builds and updates since the app started: the visitor's own, or all of them for the owner."""
    with _LOCK:
        works = dict(_WORKS)
    return {folder: child for folder, child in works.items() if is_owner or _is_own(folder)}


def _is_own(folder: Path) -> bool:
    return folder in st.session_state.get(_OWN, ()) or visit_corpus.is_own(folder)


def resumable(home: Path, *, is_owner: bool) -> dict[Path, Order]:
    """Return the orders that were interrupted when the app ended: the visitor's own, or all of them for the owner."""
    orders = {}
    for path in sorted((home / uploads.ORDERS).glob("*.json")):
        try:
            order = read_order(path.read_bytes())
        except CorpusError:
            continue  # left by another version of Pathfinder
        if order.folder not in _WORKS and (is_owner or _is_own(order.folder)):
            orders[order.folder] = order
    return orders


def forget(folder: Path) -> None:
    """Remove a finished order from the list."""
    with _LOCK:
        _WORKS.pop(folder, None)


def discard(order: Order, home: Path) -> None:
    """Forget an unfinished order, and remove its incomplete corpus; a corpus that can be opened is kept."""
    forget(order.folder)
    reminder(order.folder, home).unlink(missing_ok=True)
    is_new = order.work in ("build", "complete") and not is_corpus(order.folder)
    if is_new and order.folder.is_relative_to(home):
        shutil.rmtree(order.folder, ignore_errors=True)
        shutil.rmtree(uploads.sources_of(order.folder, home), ignore_errors=True)
        with suppress(OSError):  # other corpora are next to it
            order.folder.parent.rmdir()


def reminder(folder: Path, home: Path) -> Path:
    """Return the file that holds the order for the corpus in `folder`; its name is a hash of the path, because corpora
    in different folders may share a name.
    """
    return home / uploads.ORDERS / f"{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}.json"


def stop_all() -> None:
    """End all processes of this app; their orders can be resumed."""
    for child in _WORKS.values():
        child.stop()


# Buttons under a result that add its live papers to the corpus.

_MESSAGE = "live-add"


def add_buttons(hits: Sequence[Hit]) -> None:
    """Offer to add each live paper of `hits`, if the visitor may update the corpus and a source can deliver it."""
    live_hits = [(rank, hit, keepable_id(hit.paper)) for rank, hit in enumerate(hits, start=1) if hit.live]
    if not any(name for _, _, name in live_hits) or not permissions.of_visitor().may("update"):
        return
    with st.expander("Add live papers to the library", type="compact"):
        for rank, hit, name in live_hits:
            if name is not None:
                label = f"{rank}. {for_markdown(hit.paper.title)}"
                st.button(label, key=f"add-{rank}", type="tertiary", icon=":material/add:", on_click=_add, args=(name,))
        if _MESSAGE in st.session_state:
            st.caption(for_markdown(st.session_state[_MESSAGE]))


def _add(name: str) -> None:
    """Fetch and add the paper in the background; Library shows the progress."""
    options = {"sources": sources_of([name]), "open_early": True}
    order = Order("build", resources.whole().corpus.folder, options)
    home, keys = visit_corpus.new_corpora(read_settings()), permissions.environment(permissions.of_visitor())
    try:
        begin(order, home, keys, is_in_sight=False)
    except PathfinderError as error:
        st.session_state[_MESSAGE] = str(error)
    else:
        st.session_state[_MESSAGE] = f"{name} is being added: Library shows the progress"
