"""Lab: compare settings, check whether a text says what its sources say, and what add-ons measure."""

from dataclasses import replace

import streamlit as st

from pathfinder.retrieval.explanation import comparison
from pathfinder.ui import check as check_panel
from pathfinder.ui import compare as compare_panel
from pathfinder.ui import pages
from pathfinder.ui.ask import conversation
from pathfinder.ui.examples import examples
from pathfinder.ui.settings import steering
from pathfinder.ui.shared import frame, resources, state, visit_corpus
from pathfinder.ui.shared.panels import Panel


def compare() -> None:
    """Draw two settings for one question, or two questions, side by side."""
    with frame.turn():
        pf = resources.pathfinder()
        form = state.form()
        conversation.limits(form, pf)
        if not form.question:
            form = replace(form, question=examples(pf)[0])
        forms = compare_panel.compared_forms(form)
        if forms is not None:
            left, right = state.search_sides(forms, pf)
            names = forms[0].question, forms[1].question
            if names[0] == names[1]:
                names = steering.in_words(forms[0]), steering.in_words(forms[1])
            compare_panel.draw(comparison.compare(left, right), left, right, names)


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
        "check": Panel(40, "Check a text", ":material/fact_check:", check),
    },
)
