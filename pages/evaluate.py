"""Evaluate: how well each method ranks this corpus, on questions that are made from it, or on judged ones."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import controls, evaluate, frame, resources

frame.enter("pages/evaluate.py")

st.title("Evaluate")
st.markdown(
    "Questions whose papers are known, and how well each way of searching finds them. A set that is made here takes "
    "sentences out of abstracts, word for word, and asks for their papers: that flatters look-up by words."
)
try:
    pf = resources.pathfinder()
    plan = evaluate.form(pf, resources.may_read_paths())
    report = evaluate.report(plan, pf)
    if report is not None:
        evaluate.results(report)
except PathfinderError as error:
    controls.failure(error)
