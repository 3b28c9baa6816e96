"""Similar: choose papers or a text, and get similar papers."""

import streamlit as st

from pathfinder.types import NO_RERANKER, Weighting
from pathfinder.ui import similar
from pathfinder.ui.ask import map_view
from pathfinder.ui.papers import papers
from pathfinder.ui.settings import controls, copied_call
from pathfinder.ui.settings.controls import OWN_WEIGHTS
from pathfinder.ui.shared import frame, resources

with controls.reporting(), frame.turn():
    pf = resources.pathfinder()
    st.title("Similar papers", anchor=False)
    controls.about_corpus(pf)
    controls.notes(*similar.open_link(pf))
    with st.sidebar:
        filters = controls.filters(names=("top_k", "year_from", "year_to"))
        # Without a question, a reranker has nothing to compare the papers with.
        weighting = controls.read_weights(st.session_state.get(OWN_WEIGHTS, Weighting()), NO_RERANKER, pf.corpus)
        st.session_state[OWN_WEIGHTS] = weighting
    left, right = st.columns([11, 9], gap="large")
    with left:
        likeness = similar.chooser(pf)
    view = similar.view(pf, likeness, filters, weighting) if likeness else None
    if view:
        with right:
            map_view.small(pf, view.result)
        controls.advice(view.result)
        controls.badges(view.result.stages, view.result.stage_status)
        controls.notes(*view.result.notes)
        papers.listing(pf, view)
        with st.container(key="chosen-view"):
            papers.chosen_view(pf, view)
        request = view.result.request
        copied_call.panel("similar", similar.call_body(request), view.result.corpus, similar.left_out(request))
