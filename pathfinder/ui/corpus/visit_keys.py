"""Keys for sources, typed by a visitor: kept in memory for the visit, and passed to the processes that read the
sources.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pathfinder.operations.child.orders import Order
from pathfinder.sources import SOURCES
from pathfinder.sources.kinds.semantic_scholar import SEMANTIC_SCHOLAR
from pathfinder.ui.corpus.permissions import Permissions
from pathfinder.ui.shared import visitors
from pathfinder.ui.shared.visit_entries import EXPLORERS, source_keys

_HELP = "Kept in memory for this visit; never stored, and never part of a link."


def fields(may: Permissions, sources: Sequence[str], place: str) -> None:
    """Draw a field for each key that `sources` can use and that the server lacks, or reserves for its owner; `place` is
    the prefix of the fields' keys.
    """
    schemes = {source.strip().partition(":")[0] for source in sources}
    keys = source_keys()
    before: dict[str, str] = st.session_state.setdefault("visit-source-keys-before", {})
    hidden_keys = _hidden_keys(may)
    for kind in may.kinds():
        if kind.key and kind.scheme in schemes and (kind.key in hidden_keys or not os.environ.get(kind.key)):
            optional = "" if kind.needs_key else " (optional)"
            name = f"{place}-{kind.key}"
            text = st.text_input(f"{kind.key}{optional}", keys.get(kind.key, ""), type="password", key=name, help=_HELP)
            if before.get(name, "") != text:  # the page may have other fields for this key, still empty
                keys[kind.key], before[name] = text.strip(), text
                st.session_state.pop(EXPLORERS, None)


def environment(may: Permissions, corpus: Path | None = None) -> dict[str, str]:
    """Return the environment variables for a process that reads sources for this visitor: the keys that they typed.

    For visitors who are not at this machine, the server's own keys to private data are blanked, unless the visitor is
    only updating `corpus`, whose sources its owner chose.
    """
    if corpus is not None and not may.may_change(corpus):
        return {}
    own = {variable: key for variable, key in source_keys().items() if key}
    return dict.fromkeys(_hidden_keys(may), "") | own


def hidden_in(order: Order, home: Path) -> dict[str, str]:
    """Return empty values for the server's own keys to private data if the corpus of `order` belongs to a visitor to a
    public page, so that neither a new nor a resumed order reads private data on their behalf. A visitor's corpus is
    completed without the server's key for Semantic Scholar, too, whose records are not for strangers.
    """
    completing = (str(SEMANTIC_SCHOLAR.key),) if order.completes else ()
    return {} if visitors.link_name(order.folder, home) is None else dict.fromkeys((*_private(), *completing), "")


def _hidden_keys(may: Permissions) -> tuple[str, ...]:
    return () if may.is_owner else _private()


def _private() -> tuple[str, ...]:
    return tuple(kind.key for kind in SOURCES.all() if kind.key and kind.key_opens_private)
