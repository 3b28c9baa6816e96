"""Objects that are opened once and shared by all readers; they never change after creation."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.corpus.links import paper_link
from pathfinder.corpus.manifest import DiskVersion, read_manifest, version_on_disk
from pathfinder.corpus.store import corpus_profile
from pathfinder.errors import CorpusError, ModelError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.facade.open_corpus import SearchCache
from pathfinder.models.loading import load_embedder
from pathfinder.models.ports import Embedder
from pathfinder.profile import Profile, astronomy
from pathfinder.profile.profile import Bibliography
from pathfinder.retrieval.reranking.local.one_thread import keep_one_thread
from pathfinder.settings import LOCAL_EMBEDDER, read_settings
from pathfinder.sources.live.access import LiveAccess, allowed_sources
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import LiveSource, Paper
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.visit_corpus import folder_of_visit, year
from pathfinder.ui.shared.visit_entries import live_keys, of_visit

BY_CORPUS: dict[str | type[Any], Callable[[Any], Any]] = {Pathfinder: lambda pf: pf.corpus.name.version}
"""How caches that all readers share tell one open corpus from another."""
MAX_OPEN = 4
"""Number of corpora kept open, with those since replaced, which somebody may still be reading."""


def pathfinder() -> Pathfinder:
    """Return Pathfinder with this visitor's corpus, as of the year that they have chosen, and with the visitor's own
    chat model if one was entered.

    Raises `CorpusError` if no corpus is configured or the corpus cannot be opened, and `UsageError` if that year is
    before the corpus's first paper.
    """
    return _of_year(year())


def whole() -> Pathfinder:
    """Return the same Pathfinder with the whole corpus, whatever year the visitor has chosen."""
    return _of_year(None)


def _of_year(last: int | None) -> Pathfinder:
    folder = folder_of_visit()
    if folder is None:
        raise CorpusError(
            "no library is open: start with `pathfinder app --corpus DIR` (or `make app`, from a checkout), or "
            "build one in Library"
        )
    version = folder, version_on_disk(folder), _allowed_sources()
    pf = _open_version(*version)
    with st.spinner(f"Opening the library as of {last} ...") if last is not None else nullcontext():
        return of_visit(pf.as_of(last))  # the session caches the last few years requested


def profile() -> Profile:
    """Return the profile of the visitor's corpus, or the profile for astronomy if no corpus can be opened.

    No error is raised, because the page that is drawn next reports what is wrong with the corpus or the settings.
    """
    try:
        folder = folder_of_visit()
        return astronomy() if folder is None else _profile(folder, version_on_disk(folder))
    except (CorpusError, UsageError):
        return astronomy()


def paper_url(paper: Paper) -> str:
    """Return the address of a paper, or of a search for it in a service suited to the field of this corpus."""
    return paper_link(paper, profile().services.bibliography).url


def title_link(paper: Paper) -> str:
    """Return the title of a paper as a link to it, in Markdown."""
    return f"[{for_markdown(paper.title)}]({paper_url(paper)})"


def is_in_ads() -> bool:
    """Return whether the field of this corpus is one whose papers ADS covers."""
    return profile().services.bibliography is Bibliography.ADS


@st.cache_resource(show_spinner=False, max_entries=MAX_OPEN)
def _profile(folder: Path, version: DiskVersion) -> Profile:  # noqa: ARG001  a new manifest is read again
    manifest, _ = read_manifest(folder)
    return corpus_profile(folder, manifest)


def may_read_paths() -> bool:
    """Return whether visitors to this server may read any path and run methods that cost money."""
    return read_settings().evaluate_paths


@st.cache_resource(show_spinner="Opening the library ...", max_entries=MAX_OPEN)
def _open_version(folder: Path, version: DiskVersion, live: tuple[LiveSource, ...]) -> Pathfinder:  # noqa: ARG001
    # A corpus with a new manifest, hence another version, is opened again.
    settings = read_settings()
    access = LiveAccess(settings, frozenset(live))
    keep_one_thread()
    return Pathfinder.open(folder, settings=settings).with_searches(SearchCache()).with_live(access)


def live_sources() -> tuple[LiveSource, ...]:
    """Return the live sources that this visitor may switch on: all of them for someone at this machine; for others,
    those in the setting `live` of this server and those for which they have entered their own key.

    Raises `UsageError` for an unknown name in that setting.
    """
    sources = {*_allowed_sources(), *live_keys()}
    return tuple(source for source in LiveSource if source in sources)


def _allowed_sources() -> tuple[LiveSource, ...]:
    sources = frozenset(LiveSource) if is_visited_here() else allowed_sources(read_settings().live)
    return tuple(source for source in LiveSource if source in sources)


@st.cache_resource(show_spinner="Loading the embedder ...")
def local_embedder() -> Embedder | None:
    """Return the embedder that ships with Pathfinder; `None` if it is not installed: only words are compared then."""
    try:
        return load_embedder(LOCAL_EMBEDDER, read_settings())
    except ModelError:
        return None


# Notice about a corpus that was opened before it was complete: which parts are still being made, and whether the
# complete one is ready.

POLL_SECONDS = 3
WORKING = (
    "This library is new: it can be searched, but its map is still being made. Until then, a rule learned "
    "from another library decides whether this one covers a question."
)


def no_map(pf: Pathfinder) -> str:
    """Say why a corpus has no map: it is still being made, or there are too few papers for one."""
    papers = counted(len(pf.corpus.papers), "paper")
    if "landscape" in pf.corpus.manifest.coming:
        return f"The map of these {papers} is still being made. Meanwhile, they can be searched."
    return f"A library of {papers} is too small for a map."


def notice(pf: Pathfinder) -> None:
    """Say which parts are still being made, and offer the complete corpus once it is ready; draw nothing if the open
    corpus is already complete.
    """
    if pf.corpus.manifest.coming:
        _watch(pf.corpus.folder, version_on_disk(pf.corpus.folder))


@st.fragment(run_every=POLL_SECONDS)
def _watch(folder: Path, version: tuple[int, int]) -> None:
    if version_on_disk(folder) == version:
        st.caption(WORKING)
    elif st.button("The map is ready: open the whole library", key="whole-corpus", icon=":material/map:"):
        st.rerun()
