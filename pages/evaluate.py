"""Evaluate: measure how well each method ranks this corpus, on questions made from it or on judged ones."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import evaluate
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources

frame.enter("pages/evaluate.py")

st.title("Evaluate")
st.markdown(
    "How well does each way of searching find papers that are known to be relevant? A question set made here uses "
    "sentences copied word for word from abstracts, and the search must find the papers that they come from; this "
    "favours search by words."
)
try:
    pf = resources.pathfinder()
    plan = evaluate.form(pf, resources.may_read_paths())
    report = evaluate.report(plan, pf)
    if report is not None:
        evaluate.results(report)
except PathfinderError as error:
    controls.failure(error)
