"""The open corpus of a server, which follows its folder: an update or a removal takes effect with the next call."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from pathfinder.corpus.manifest import DiskVersion, read_manifest, version_on_disk
from pathfinder.retrieval.reranking.local.one_thread import keep_one_thread
from pathfinder.serving.access import ServerAccess
from pathfinder.session.search_cache import SearchCache
from pathfinder.sources.live.access import allowed_sources

if TYPE_CHECKING:
    from pathfinder.models.ports import ChatModel
    from pathfinder.session import Pathfinder

CHECKED_EVERY = 1.0
"""Seconds for which a server relies on what it last saw in the folder of its corpus."""


class ServedCorpus:
    """The corpus that a server has open, shared by its threads. After an update, a removal or a rollback, it is opened
    again; calls that have already begun keep the version with which they began.
    """

    def __init__(self, pf: "Pathfinder", access: ServerAccess, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._access, self._chat, self._clock = pf.corpus.folder, access, pf.chat, clock
        self._lock = Lock()
        self._pf = for_callers(pf, access)
        self._newest_version, self._seen_at = version_on_disk(self._folder), clock()
        # The folder may have been changed since `pf` was opened.
        is_newest = read_manifest(self._folder)[0] == pf.corpus.manifest
        self._open_version = self._newest_version if is_newest else None

    def version(self) -> DiskVersion:
        """Return the version of the corpus in the folder, as it was at most `CHECKED_EVERY` seconds ago."""
        now = self._clock()
        if now - self._seen_at >= CHECKED_EVERY:
            self._newest_version, self._seen_at = version_on_disk(self._folder), now
        return self._newest_version

    def current(self) -> "Pathfinder":
        """Return the corpus, after opening it again if its folder has another version; for use in a thread.

        Raises `CorpusError` or `ModelError` if that version cannot be opened: the earlier one may have papers that were
        removed.
        """
        with self._lock:
            version = self.version()
            if version != self._open_version:
                self._pf = open_for_callers(self._folder, self._access, self._chat)
                self._open_version = version
            return self._pf


def open_for_callers(folder: Path, access: ServerAccess, chat: "ChatModel | None" = None) -> "Pathfinder":
    """Open the corpus in `folder` for many callers, with the server's own settings.

    Raises `CorpusError` or `ModelError` if it cannot be opened.
    """
    from pathfinder.session import Pathfinder
    from pathfinder.settings import read_settings

    return for_callers(Pathfinder.open(folder, settings=read_settings(), chat=chat), access)


def for_callers(pf: "Pathfinder", access: ServerAccess) -> "Pathfinder":
    """Return an open corpus for many callers: repeated searches come from memory, and callers on other machines may
    query only the live sources that the owner has named.
    """
    keep_one_thread()
    pf = pf.with_searches(SearchCache())
    if pf.live is None or not access.is_public:
        return pf
    return pf.with_live(replace(pf.live, allowed_sources=allowed_sources(pf.live.settings.live)))
