"""A visitor's own feedback, which can be withdrawn by its code, even after the visit, or downloaded."""

import json

import streamlit as st

from pathfinder.errors import StoreError
from pathfinder.export.plain_json import as_json
from pathfinder.feedback import FeedbackStore, Judgement
from pathfinder.settings import read_settings
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.papers.feedback import OWN
from pathfinder.user_data import data_folder

_CODE, _OUTCOME = "feedback-code", "feedback-code-outcome"


def panel() -> None:
    """Draw the field for a code and, if there is feedback from this visit, a download button; draw nothing if feedback
    is off.
    """
    if read_settings().feedback == "off":
        return
    st.subheader("Your feedback", anchor=False)
    with st.form("feedback-withdrawal", border=False):
        st.text_input("Code of the feedback to withdraw", key=_CODE)
        st.form_submit_button("Withdraw", on_click=_withdraw)
    if outcome := st.session_state.pop(_OUTCOME, ""):
        st.info(for_markdown(outcome))
    own: list[Judgement] = st.session_state.get(OWN, [])
    if own:
        text = json.dumps({"judgements": [as_json(each) for each in own]}, ensure_ascii=False, indent=1)
        st.download_button(
            "Feedback of this visit as JSON", text, "feedback.json", "application/json", key="feedback-download"
        )


def _withdraw() -> None:
    code = st.session_state[_CODE].strip()
    try:
        is_gone = FeedbackStore(data_folder(read_settings())).withdraw(code)
    except StoreError as error:
        st.session_state[_OUTCOME] = str(error)
        return
    st.session_state[OWN] = [each for each in st.session_state.get(OWN, []) if each.code != code]
    st.session_state[_OUTCOME] = (
        "It has been withdrawn."
        if is_gone
        else "No feedback has this code: it may already have been withdrawn, or be too old."
    )
