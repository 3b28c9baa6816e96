"""Compare: two settings for one question, or two questions, side by side."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.retrieval.explanation import comparison
from pathfinder.retrieval.weighting import describe_weights
from pathfinder.ui import compare
from pathfinder.ui.ask import conversation
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, state

frame.enter("pages/compare.py")

st.title("Compare")
st.caption("If you compare two settings for one question, the search runs once and the papers are ranked twice.")
try:
    pf = resources.pathfinder()
    form = state.form()
    conversation.region(form, pf)
    conversation.within(form, pf)
    forms = compare.compared_forms(form)
    if forms is not None:
        left, right = state.search_sides((forms.left, forms.right), pf)
        names = (forms.left.question, forms.right.question)
        if forms.difference is compare.Difference.SETTINGS:
            names = (describe_weights(forms.left.weighting), describe_weights(forms.right.weighting))
        compare.draw(comparison.compare(left, right), left, right, names)
except PathfinderError as error:
    controls.failure(error)
