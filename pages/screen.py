"""Screen: decide paper by paper what to include and what to exclude, in an order that learns from the decisions."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui import screening
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, visit_corpus

frame.enter("pages/screen.py")
screening.read_link()
visit_corpus.write_link()

st.title("Screen", anchor=False)
try:
    pf = resources.pathfinder()
    under_way = screening.current()
    if under_way is None:
        st.markdown(
            "Decide paper by paper what to include and what to exclude. The order adapts to your decisions, and a "
            "rule estimates how many relevant papers you have not seen."
        )
        screening.start_form(pf)
    else:
        st.caption(for_markdown(f"Question: {under_way.question}"))
        screening.screen(pf, under_way)
except PathfinderError as error:
    controls.failure(error)
    if screening.current() is not None:
        st.button("Leave this screening", key="screening-leave", on_click=screening.close)
