"""Feedback on the page: thumbs for papers and answers, and what a reader can do with their own."""

import datetime
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import streamlit as st
from pydantic import Field

from pathfinder.addons.feedback.command import export
from pathfinder.addons.feedback.judgements import (
    REMARKS,
    FeedbackStore,
    Judgement,
    Opinion,
    Target,
    Thumb,
    judgement_of,
    new_code,
)
from pathfinder.errors import CorpusError, PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.operations.export.plain_json import as_json
from pathfinder.settings import EnvironmentSettings, installed_version, read_settings
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Claim, CorpusName, SearchResult
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.state import ResultView, kept
from pathfinder.ui.stars import browser_storage
from pathfinder.ui.stars.own_shelves import corpus_of_visit, own
from pathfinder.user_data import Visit, data_folder

if TYPE_CHECKING:
    from pathfinder.addons.feedback.hub_copy import HubCopy

_LOG = logging.getLogger(__name__)

_SEARCH = "feedback-search"
_CODE, _OUTCOME = "feedback-code", "feedback-code-outcome"
COPY_NOTE = " It is copied to a private data set that this server's owner keeps on the Hugging Face Hub."
_THUMBS = (Thumb.DOWN, Thumb.UP)
"""Thumbs in the order in which Streamlit numbers them."""


class FeedbackSettings(EnvironmentSettings):
    """Whether there is feedback, and how long it is kept."""

    feedback: Literal["on", "off"] = "on"
    """Let readers judge papers and answers; the judgements are stored on this machine."""
    feedback_days: int = Field(default=365, ge=1, le=36_500)
    """Number of days after which a judgement is deleted."""
    feedback_data_set: str = ""
    """Private data set on the Hugging Face Hub to which judgements are copied with HF_TOKEN, as `owner/name`."""


def keep_up() -> None:
    """Delete judgements that are too old, and begin to copy the others if they are copied."""
    _server()


def on_paper(result: SearchResult, rank: int, paper_id: str) -> None:
    """Let the reader judge a listed paper."""
    _panel(result, Target.PAPER, f"paper-{rank}", paper_id)


def on_answer(_pf: Pathfinder, view: ResultView, answer: Answer) -> None:
    """Let the reader judge the answer, or one of its sentences."""
    _panel(view.result, Target.ANSWER, "answer", None, answer.claims)


@st.fragment
def _panel(
    result: SearchResult, target: Target, key: str, paper_id: str | None, sentences: tuple[Claim, ...] = ()
) -> None:
    if read_settings(FeedbackSettings).feedback == "off":
        return
    key = f"feedback-{key}-{paper_id}"
    with st.expander("Feedback", key=key, type="compact", icon=":material/thumbs_up_down:", on_change="rerun") as lid:
        if not lid.open:
            return
        browser_storage.synchronise(key)  # no run of the whole page follows what is sent or withdrawn here
        if (judgement := st.session_state.get(f"{key}-sent")) is not None:
            if isinstance(judgement, str):
                st.error(for_markdown(judgement))
            else:
                st.markdown(f"Thank you. Code: `{judgement.code}`")
                st.caption("With this code you can withdraw your feedback later, on the About page.")
            label = "Try again" if isinstance(judgement, str) else "Withdraw"
            st.button(label, key=f"{key}-back", on_click=_withdraw, args=(key,))
            return
        if sentence := _sentence(key, sentences):
            target, paper_id = Target.SENTENCE, next(iter(sentences[sentence - 1].citations), None)
        thumb = st.feedback("thumbs", key=f"{key}-thumb")
        remark = st.pills("Reason", REMARKS[target], key=f"{key}-{target}-reason", format_func=lambda each: each.value)
        with_question = st.checkbox("Store my question too", key=f"{key}-question")
        st.caption("Stored on this server: the list of papers, the settings, the models and the day.")
        if thumb is None:
            return
        opinion = Opinion(target, _THUMBS[thumb], remark, paper_id, sentence, with_question=with_question)
        st.button("Send", key=f"{key}-send", on_click=_send, args=(key, result, opinion))


def _sentence(key: str, sentences: tuple[Claim, ...]) -> int | None:
    """Let the reader choose a sentence; return its number, counted from 1, or `None` for the answer as a whole."""
    if not sentences:
        return None
    labels = ["the whole answer", *(f"{n}. {claim.text}" for n, claim in enumerate(sentences, start=1))]
    number: int = st.selectbox("About", range(len(labels)), key=f"{key}-about", format_func=lambda n: labels[n])
    return number or None


def _send(key: str, result: SearchResult, opinion: Opinion) -> None:
    on_screen = (result.corpus, result.request, tuple(hit.row for hit in result.hits))  # another order: another list
    search_id = kept(_SEARCH, on_screen, new_code)
    judgement = judgement_of(result, opinion, search_id=search_id, day=_today(), version=installed_version())
    try:
        if not is_visited_here():
            own(_store).add(judgement)
        try:
            _server().add(judgement)
        except PathfinderError:
            own(_store).withdraw(judgement.code)  # it would be there twice after trying again
            raise
    except PathfinderError as error:
        st.session_state[f"{key}-sent"] = str(error)
        return
    st.session_state[f"{key}-sent"] = judgement


def _withdraw(key: str) -> None:
    judgement = st.session_state.pop(f"{key}-sent")
    if isinstance(judgement, Judgement):
        _withdraw_everywhere(judgement.code)


def own_panel() -> None:
    """Draw the field for a code and, if there is feedback on the open library, a download button: of a visitor's own
    or, for the owner of this machine, of all readers'. Draw nothing if feedback is off.
    """
    if read_settings(FeedbackSettings).feedback == "off":
        return
    st.header("Your feedback", anchor=False)
    kept = "" if is_visited_here() else " Your browser keeps a copy."
    copied = COPY_NOTE if _is_copied() else ""
    st.markdown(
        "Feedback is stored without a name, an address or a time of day, and can be withdrawn with its code. Your "
        f"question is stored only if you tick *Store my question too*.{kept}{copied}"
    )
    with st.form("feedback-withdrawal", border=False):
        st.text_input("Code of the feedback to withdraw", key=_CODE)
        st.form_submit_button("Withdraw", on_click=_withdraw_by_code)
    if outcome := st.session_state.pop(_OUTCOME, ""):
        st.info(for_markdown(outcome))
    try:
        corpus = corpus_of_visit()
    except CorpusError:  # the page says what is wrong with it
        corpus = None
    if corpus and (judgements := own(_store).judgements(corpus.ids)):
        # The codes are their readers'.
        record = export.write(judgements) if is_visited_here() else {"judgements": as_json(judgements)}
        text = json.dumps(record, ensure_ascii=False, indent=1)
        save("Feedback on this library as JSON", text, "feedback.json")


def _withdraw_by_code() -> None:
    code = st.session_state[_CODE].strip()
    try:
        is_gone = _withdraw_everywhere(code)
    except PathfinderError as error:
        st.session_state[_OUTCOME] = str(error)
        return
    st.session_state[_OUTCOME] = (
        "The feedback has been withdrawn."
        if is_gone
        else "No feedback has this code: it may already have been withdrawn, or deleted because of its age."
    )


def _store(place: Path | Visit, _: CorpusName) -> FeedbackStore:
    return FeedbackStore(place)


def _withdraw_everywhere(code: str) -> bool:
    """Delete a judgement from this server and from the reader's browser; return whether there was one."""
    is_gone = _server().withdraw(code)
    is_kept = not is_visited_here() and corpus_of_visit() is not None and own(_store).withdraw(code)
    return is_gone or is_kept


def _server() -> FeedbackStore:
    """Return the judgements of all readers, without those that are too old."""
    settings = read_settings(FeedbackSettings)
    folder = data_folder(read_settings())
    _forget_old(folder, _today() - datetime.timedelta(days=settings.feedback_days))
    if _is_copied() and (key := read_settings().hf_token):
        _hub_copy(settings.feedback_data_set, key.get_secret_value(), settings.feedback_days, folder)
    return FeedbackStore(folder)


@st.cache_resource(show_spinner=False, max_entries=1)
def _forget_old(folder: Path, oldest: datetime.date) -> None:
    """Delete judgements older than `oldest`; this is done when the first page of a day is drawn."""
    FeedbackStore(folder).forget_before(oldest)


def _is_copied() -> bool:
    return bool(read_settings(FeedbackSettings).feedback_data_set) and read_settings().hf_token is not None


@st.cache_resource(show_spinner=False)
def _hub_copy(data_set: str, _key: str, keep_days: int, data: Path) -> "HubCopy | None":
    """Begin copying the judgements, unless that has begun or failed before; the server's log says why it failed."""
    from pathfinder.addons.feedback.hub_copy import HubCopy, hub

    try:
        return HubCopy(data, data_set, hub(_key), keep_days=keep_days)
    except PathfinderError as error:
        _LOG.warning("%s", error)
        return None


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()
