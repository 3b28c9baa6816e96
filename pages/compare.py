"""Compare: two settings of one question, or two questions, side by side."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.retrieval.arguing.comparison import compare as compared
from pathfinder.retrieval.weighting import in_words
from pathfinder.ui import compare, controls, conversation, frame, resources, state

frame.enter("pages/compare.py")

st.title("Compare")
st.caption("One question under two settings asks no model twice; the same papers are put in another order.")
try:
    pf = resources.pathfinder()
    form = state.form()
    conversation.region(form, pf)
    asked = compare.ask(form)
    if asked is not None:
        left, right = state.searched((asked.left, asked.right), pf)
        names = (asked.left.question, asked.right.question)
        if asked.mode is compare.Mode.SETTINGS:
            names = (in_words(asked.left.weighting), in_words(asked.right.weighting))
        compare.draw(compared(left, right), left, right, names)
except PathfinderError as error:
    controls.failure(error)
