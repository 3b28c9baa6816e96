"""Judge: two answers or two rankings side by side, without the names of their makers."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import blind_studies
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, visit_corpus

frame.enter("pages/judge.py")
visit_corpus.write_link()

st.title("Judge", anchor=False)
st.caption("Which of the two is better? Nothing here says who made which, and the sides are swapped at random.")
try:
    store = blind_studies.studies(resources.whole().corpus.name)
    study = blind_studies.choose(store)
    if study is not None:
        blind_studies.judge(store, *study)
except PathfinderError as error:
    controls.failure(error)
