"""Screen: decide paper by paper what to include and what to exclude, in an order that learns from the decisions."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.screening import panel, state
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, visit_corpus

frame.enter("pages/screen.py")
state.read_link()
visit_corpus.write_link()

st.title("Screen", anchor=False)
try:
    pf = resources.pathfinder()
    screening = state.current()
    if screening is None:
        st.markdown(
            "Decide paper by paper what to include and what to exclude. The order adapts to your decisions, and a "
            "rule estimates how many relevant papers you have not seen."
        )
        panel.start_form(pf)
    else:
        st.caption(for_markdown(f"Question: {screening.question}"))
        panel.screen(pf, screening)
except PathfinderError as error:
    controls.failure(error)
    if state.current() is not None:
        st.button("Leave this screening", key="screening-leave", on_click=state.close)
