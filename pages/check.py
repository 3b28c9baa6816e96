"""Check: paste a text and its sources, and see, for each sentence, the source sentence that supports it."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import check
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, visit_corpus

frame.enter("pages/check.py")
visit_corpus.write_link()

st.title("Check a text", anchor=False)
st.markdown(
    "Does each sentence say what its source says? Paste a paragraph and its sources. "
    f"{check.privacy_note()}, and no chat model is used."
)
try:
    if (pasted_text := check.form()) is not None:
        check.panel(*pasted_text)
except PathfinderError as error:
    controls.failure(error)
