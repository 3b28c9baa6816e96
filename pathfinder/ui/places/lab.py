"""Lab: compare settings, measure the search and the answers, and check whether a text says what its sources say."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.retrieval.explanation import comparison
from pathfinder.retrieval.weighting import describe_weights
from pathfinder.session import Pathfinder
from pathfinder.ui import check as check_panel
from pathfinder.ui import compare as compare_panel
from pathfinder.ui import evaluate, evaluate_answers, pages
from pathfinder.ui.ask import conversation
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, state, visit_corpus
from pathfinder.ui.shared.panels import Panel


def compare() -> None:
    """Draw two settings for one question, or two questions, side by side."""
    st.caption("If you compare two settings for one question, the search runs once and the papers are ranked twice.")
    with frame.turn():
        pf = resources.pathfinder()
        form = state.form()
        conversation.region(form, pf)
        conversation.within(form, pf)
        forms = compare_panel.compared_forms(form)
        if forms is not None:
            left, right = state.search_sides((forms.left, forms.right), pf)
            names = (forms.left.question, forms.right.question)
            if forms.difference is compare_panel.Difference.SETTINGS:
                names = (describe_weights(forms.left.weighting), describe_weights(forms.right.weighting))
            compare_panel.draw(comparison.compare(left, right), left, right, names)


def measure() -> None:
    """Draw how well each method ranks this corpus, and how often answers quote the sentence that answers."""
    visit_corpus.write_link()
    pf = resources.whole()
    of_search, of_answers = st.tabs(["Search", "Answers"])
    with of_search:
        search(pf)
    with of_answers:
        answers(pf)


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


def check() -> None:
    """Draw, for each sentence of a pasted text, the source sentence that supports it."""
    visit_corpus.write_link()
    st.markdown(
        "Does each sentence say what its source says? Paste a paragraph and its sources. "
        f"{check_panel.privacy_note()}, and no chat model is used."
    )
    if (pasted_text := check_panel.form()) is not None:
        check_panel.panel(*pasted_text)


pages.draw(
    "lab",
    {
        "compare": Panel(10, "Compare", ":material/compare_arrows:", compare),
        "measure": Panel(20, "Search and answers", ":material/monitoring:", measure, is_whole=True),
        "check": Panel(40, "Check a text", ":material/fact_check:", check),
    },
)
