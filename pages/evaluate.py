"""Evaluate: measure how well each method ranks this corpus, and how often answers quote the sentence that answers the
question.
"""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.session import Pathfinder
from pathfinder.ui import evaluate, evaluate_answers
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, visit_corpus

frame.enter("pages/evaluate.py")
visit_corpus.write_link()

st.title("Evaluate")


def search(pf: Pathfinder) -> None:
    """Measure how well each method ranks the papers."""
    st.markdown(
        "How well does each search method find papers that are known to be relevant? A question set made here uses "
        "sentences copied word for word from abstracts, and the search must find the papers they come from; this "
        "favours search by words."
    )
    try:
        report = evaluate.report(evaluate.form(pf, resources.may_read_paths()), pf)
    except PathfinderError as error:
        controls.failure(error)
        return
    if report is not None:
        evaluate.results(report)


def answers(pf: Pathfinder) -> None:
    """Measure how often answers quote the marked sentences."""
    may_read_paths = resources.may_read_paths()
    try:
        results = evaluate_answers.results_of(evaluate_answers.form(pf, may_read_paths), pf, may_read_paths)
    except PathfinderError as error:
        controls.failure(error)
        return
    if results is not None:
        evaluate_answers.draw(results)


try:
    pf = resources.whole()
except PathfinderError as error:
    controls.failure(error)
else:
    of_search, of_answers = st.tabs(["Search", "Answers"])
    with of_search:
        search(pf)
    with of_answers:
        answers(pf)
