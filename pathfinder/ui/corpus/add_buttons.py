"""Buttons under a result that add its live papers to the corpus."""

from collections.abc import Sequence

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.operations.child.orders import Order
from pathfinder.settings import read_settings
from pathfinder.sources.single_papers import keepable_id, sources_of
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Hit
from pathfinder.ui.corpus import permissions, visit_keys, works
from pathfinder.ui.shared import resources, visit_corpus

_MESSAGE = "live-add"


def add_buttons(hits: Sequence[Hit]) -> None:
    """Offer to add each live paper among `hits` to the corpus, if the visitor may update it and a source can deliver
    the paper.
    """
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
    folder = resources.whole().corpus.folder
    home, keys = visit_corpus.new_corpora(read_settings()), visit_keys.environment(permissions.of_visitor())
    try:
        works.begin(
            Order("build", folder, {"sources": sources_of([name]), "open_early": True}), home, keys, is_in_sight=False
        )
    except PathfinderError as error:
        st.session_state[_MESSAGE] = str(error)
    else:
        st.session_state[_MESSAGE] = f"{name} is being added: Library shows the progress"
