"""The open corpus of a server."""

from dataclasses import replace
from typing import TYPE_CHECKING

from pathfinder.retrieval.reranking.local.one_thread import keep_one_thread
from pathfinder.serving.access import ServerAccess
from pathfinder.session.search_cache import SearchCache
from pathfinder.sources.live.access import allowed_sources

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder


def for_callers(pf: "Pathfinder", access: ServerAccess) -> "Pathfinder":
    """Return an open corpus for many callers: repeated searches come from memory, and callers on other machines may
    query only the live sources that the owner has named.
    """
    keep_one_thread()
    pf = pf.with_searches(SearchCache())
    if pf.live is None or not access.is_public:
        return pf
    return pf.with_live(replace(pf.live, allowed=allowed_sources(pf.live.settings.live)))
