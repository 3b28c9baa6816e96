"""Similar: papers, a text or a place on the map in; then the papers that are like it."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.types import NO_RERANKER
from pathfinder.ui import badges, controls, frame, papers, resources, similar, weights
from pathfinder.ui.form import Form

frame.enter("pages/similar.py")

try:
    pf = resources.pathfinder()
    controls.heading(pf)
    controls.notes(*similar.open_link(pf))
    with st.sidebar:
        limits = similar.limits()
        # What is like something has no question that a reranker could read.
        weighting = weights.read(Form(reranker=NO_RERANKER))
    left, right = st.columns([11, 9], gap="large")
    with left:
        likeness = similar.chooser(pf)
    view = similar.view(pf, likeness, limits, weighting) if likeness else None
    if view:
        left.caption("[papers](#papers) · [map](#map)")
    with right:
        similar.place_map(pf, view.result if view else None)
    if view:
        controls.advice(view.result)
        badges.badges(view.result.stages)
        controls.notes(*view.result.notes)
        papers.listing(view)
except PathfinderError as error:
    controls.failure(error)
