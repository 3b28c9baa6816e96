"""Notice about a corpus that was opened before it was complete: which parts are still being made, and whether
the complete one is ready.
"""

from pathlib import Path

import streamlit as st

from pathfinder.corpus.manifest import version_on_disk
from pathfinder.session import Pathfinder

POLL_SECONDS = 3
WORKING = (
    "This corpus is new: it can be searched, but its map is still being made. Until then, a rule learned "
    "from another corpus decides whether this one covers a question."
)
_MAP = "landscape"


def no_map(pf: Pathfinder) -> str:
    """Say why a corpus has no map: it is still being made, or there are too few papers for one."""
    n = len(pf.corpus.papers)
    papers = f"{n:,} {'paper' if n == 1 else 'papers'}"
    if _MAP in pf.corpus.manifest.coming:
        return f"The map of these {papers} is still being made. Meanwhile, they can be searched."
    return f"A corpus of {papers} is too small for a map."


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
    elif st.button("The map is ready: open the whole corpus", key="whole-corpus", icon=":material/map:"):
        st.rerun()
