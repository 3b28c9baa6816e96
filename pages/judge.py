"""Judge: two answers or two rankings side by side, without the names of their makers."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui.blind_studies import panel
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, visit_corpus

frame.enter("pages/judge.py")
visit_corpus.write_link()

st.title("Judge", anchor=False)
st.caption("Which of the two is better? Nothing here says who made which, and the sides are swapped at random.")
try:
    store = panel.studies(resources.whole().corpus.name)
    study = panel.choose(store)
    if study is not None:
        panel.judge(store, *study)
except PathfinderError as error:
    controls.failure(error)
