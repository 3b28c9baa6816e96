"""Notice on a corpus that was opened before it was whole: what is still being made, and when it is there."""

from pathlib import Path

import streamlit as st

from pathfinder.session import Pathfinder
from pathfinder.ui.shared.resources import version_on_disk

POLL_SECONDS = 3
WORKING = (
    "This corpus is new: it can be searched, and its map is still being made. Until then, general rules decide whether "
    "it covers a question."
)


def notice(pf: Pathfinder) -> None:
    """Say what is still being made, and offer the whole corpus once it is there; draw nothing for a whole corpus."""
    if pf.corpus.manifest.coming:
        _watch(pf.corpus.folder, version_on_disk(pf.corpus.folder))


@st.fragment(run_every=POLL_SECONDS)
def _watch(folder: Path, version: tuple[int, int]) -> None:
    if version_on_disk(folder) == version:
        st.caption(WORKING)
    elif st.button("The map is ready: open the whole corpus", key="whole-corpus", icon=":material/map:"):
        st.rerun()
