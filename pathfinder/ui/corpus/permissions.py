"""Permissions on the Corpus page: someone at this machine may do everything, others only what its owner allows."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.operations.child.orders import Order
from pathfinder.settings import Permission, read_settings
from pathfinder.sources import SOURCES, SourceKind, Window, parse_source
from pathfinder.sources.kinds.semantic_scholar import SEMANTIC_SCHOLAR
from pathfinder.sources.spec import FILE
from pathfinder.ui.shared import visit_corpus, visitors
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.visit_entries import EXPLORERS, source_keys

VISITOR_PAPERS = 5000
"""Maximum number of papers that a visitor to a public page may read from each source."""
VISITOR_SOURCES = 10
"""Maximum number of sources that a visitor to a public page may read for one corpus."""


def allowed_by(permissions: str) -> str:
    """Tell whoever runs the page how to let visitors do what this one may not."""
    return f"To let visitors do this, start the page with PATHFINDER_VISITORS_MAY={permissions}"


@dataclass(frozen=True, slots=True)
class Permissions:
    """Permissions of a visitor."""

    is_owner: bool
    """True for someone at this machine, who may also use paths, private libraries and any number of papers."""
    granted_permissions: frozenset[Permission]

    def may(self, permission: Permission) -> bool:
        """Return whether the visitor has a permission."""
        return self.is_owner or permission in self.granted_permissions

    @property
    def may_build(self) -> bool:
        """True if the visitor may build a corpus, whether from files or from sources."""
        return self.may("files") or self.may("sources")

    def may_change(self, folder: Path) -> bool:
        """Return whether the visitor may add or remove papers in `folder`, or roll its corpus back."""
        return self.is_owner or (self.may_build and visit_corpus.is_own(folder))

    def kinds(self) -> tuple[SourceKind, ...]:
        """Return the kinds of sources that the visitor may read."""
        return tuple(kind for kind in SOURCES.all() if self.is_owner or (kind.scheme != FILE and kind.may_be_shared))

    def check(self, sources: Sequence[str]) -> None:
        """Raise `UsageError` if one of `sources`, as typed, is not allowed."""
        if not self.may("sources"):
            raise UsageError(
                "building from sources is not allowed on this page: whoever runs this page can allow it with "
                "PATHFINDER_VISITORS_MAY=sources"
            )
        if len(sources) > VISITOR_SOURCES and not self.is_owner:
            raise UsageError(
                f"{len(sources)} sources are too many for a page that others can reach: name at most {VISITOR_SOURCES}"
            )
        schemes = {kind.scheme for kind in self.kinds()}
        for source in sources:
            spec = parse_source(source, SOURCES)
            if spec.scheme == FILE and FILE not in schemes:
                beginnings = ", ".join(f"{name}:" for name in sorted(schemes))
                raise UsageError(
                    f"{source!r} must begin with one of {beginnings}; only someone at this machine can use "
                    "paths: upload the file instead"
                )
            if spec.scheme not in schemes:
                raise UsageError(
                    f"{source!r} may be private, so only someone at this machine can read it: export it to a file, "
                    "and upload that file instead"
                )

    def limit(self, window: Window) -> Window:
        """Return `window`, limited to the number of papers that the visitor may read."""
        if self.is_owner:
            return window
        return replace(window, max_papers=min(window.max_papers or VISITOR_PAPERS, VISITOR_PAPERS))


def of_visitor() -> Permissions:
    """Return the permissions of the visitor who is looking at the page."""
    return Permissions(is_visited_here(), read_settings().visitors_may)


# Keys for sources, typed by a visitor: kept in memory for the visit, and passed to the processes that read the sources.

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
