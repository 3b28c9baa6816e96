"""Upkeep of the open corpus: an update from its sources, and the merges to review."""

from pathlib import Path

import streamlit as st

from pathfinder.building.child.orders import Order, Work
from pathfinder.corpus.earlier import earlier_version
from pathfinder.corpus.history.merges import read_merges
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import readable
from pathfinder.ui.corpus import works
from pathfinder.ui.corpus.overview import size_text
from pathfinder.ui.corpus.permissions import Permissions
from pathfinder.ui.shared import visit_corpus

NOT_ALLOWED = (
    "Others can reach this page, so it does not update its corpora. Whoever runs it can allow it with "
    "`PATHFINDER_VISITORS_MAY=update`."
)
_MOST_MERGES = 1000


def update_panel(pf: Pathfinder, may: Permissions, home: Path) -> None:
    """Offer an update of the open corpus, and its earlier version. Raises `UsageError` if something is being built."""
    st.markdown(
        "An update reads the sources again: it adds new papers, takes over changes, and marks withdrawn and retracted "
        "papers. Papers keep their places on the map, and none is removed."
    )
    folder = pf.corpus.folder
    if not (may.may("update") or visit_corpus.is_own(folder)):
        st.info(NOT_ALLOWED)
        return
    _update(pf, home)
    _rollback(pf, home)


def _update(pf: Pathfinder, home: Path) -> None:
    sources = pf.corpus.manifest.sources
    if not sources:
        st.info("This corpus lists no sources, so there is nothing to read again: add papers to it under *New*.")
        return
    days = [entry.retrieved for entry in sources if entry.retrieved]
    if days:
        st.caption(f"{len(sources)} {'source' if len(sources) == 1 else 'sources'}, last read on {max(days)}.")
    if st.button("Update", key="update", type="primary", icon=":material/sync:"):
        works.begin(Order(Work.UPDATE, pf.corpus.folder), home)
        st.rerun()


def _rollback(pf: Pathfinder, home: Path) -> None:
    earlier = earlier_version(pf.corpus.folder, pf.corpus.manifest)
    if earlier is None:
        return
    st.subheader("Go back", anchor="back")
    st.markdown(
        f"The version before the last change has {earlier.n_papers:,} papers, and takes {size_text(earlier.n_bytes)} "
        "on disk. Going back twice returns to the current version."
    )
    if st.button("Go back", key="rollback", icon=":material/undo:"):
        works.begin(Order(Work.ROLLBACK, pf.corpus.folder), home)
        st.rerun()


def merges_panel(pf: Pathfinder) -> None:
    """List the merges of the open corpus."""
    merges = read_merges(pf.corpus.folder)
    st.markdown(
        "Records of one paper from several sources become one paper. Each merge is listed here with its reason, so "
        "that you can review it."
    )
    if not merges:
        st.caption("Nothing was merged in this corpus.")
        return
    rows = [
        {
            "Title of the record": readable(merge.title),
            "Merged into": merge.paper_id,
            "Reason": merge.reason,
            "Conflicts": ", ".join(conflict.field for conflict in merge.conflicts),
            "Found by": merge.ground,
            "Source": Path(merge.source).name if "/" in merge.source else merge.source,
            "Line": merge.line,
        }
        for merge in merges[:_MOST_MERGES]
    ]
    st.dataframe(rows, hide_index=True, alt=f"{len(rows)} merges")
    if len(merges) > len(rows):
        st.caption(f"The first {len(rows):,} of {len(merges):,}.")
