"""What the Corpus page offers for the standing questions of a corpus that has changed."""

from pathlib import Path

import streamlit as st

from pathfinder.ui.shared import visit_corpus
from pathfinder.ui.shared.scripts import script
from pathfinder.ui.watch import own_standing
from pathfinder.ui.watch.own_standing import VisitStanding

__all__ = ["VisitStanding", "watch_button"]


def watch_button(folder: Path) -> None:
    """Offer the Watch page, which runs the standing questions of a corpus that has changed."""
    n = own_standing.n_standing(folder)
    words = "Run your standing question" if n == 1 else f"Run your {n:,} standing questions"
    if n and st.button(words, key=f"watch-{folder}", icon=":material/notifications:"):
        if folder != visit_corpus.folder_of_visit():
            visit_corpus.choose(folder)
        st.switch_page(script("library"), query_params={"part": "watch"})
