"""The answer told anew: for whom, in which language, the new text, and what it lost or added."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from pathfinder.answering.audience import original_of
from pathfinder.errors import PathfinderError
from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.types import Answer, Audience, Change, Rewrite
from pathfinder.ui import controls, tasks
from pathfinder.ui.answers import linked
from pathfinder.ui.changes import marked
from pathfinder.ui.jobs import Job, State

TASK = "rewrite"
AUDIENCES: dict[Audience | None, str] = {
    None: "As it is",
    Audience.TEN_YEAR_OLD: "Ten-year-old",
    Audience.STUDENT: "Student",
    Audience.EXPERT: "Expert",
}
LANGUAGES = ("English", "Español", "हिन्दी", "Français", "中文", "Deutsch", "Italiano", "Português", "Nederlands")
"""To choose from; any other can be typed."""
SAME = "As it is"

RewriteJob = Job[str, Rewrite]


def panel(pf: Pathfinder, answer: Answer) -> None:
    """For whom and in which language, and then the new text; nothing for a question that was led elsewhere."""
    if answer.redirect is not None or not answer.text.strip():
        return
    with st.expander("Tell it differently", icon=":material/translate:"):
        if pf.chat is None:
            st.caption("For a ten-year-old, a student or an expert, in any language: this takes a chat model.")
            return
        wanted = _asked(answer, pf.chat.name)
        if wanted is not None:
            job = tasks.task(TASK, lambda: pf.stream_rewrite(answer, wanted[0], wanted[1]))
            _shown(job, answer)


def _asked(answer: Answer, model: str) -> tuple[Audience | None, str | None] | None:
    """What the reader asked for of this very answer; `None` before the button was pressed."""
    with st.form("rewrite", border=False):
        audience = st.segmented_control(
            "For", list(AUDIENCES), format_func=AUDIENCES.__getitem__, default=None, key="rewrite-audience"
        )
        language = st.selectbox(
            "In", [SAME, *LANGUAGES], key="rewrite-language", accept_new_options=True, help="Type any other language."
        )
        is_pressed = st.form_submit_button("Tell it")
    asked = (audience, None if language in (None, SAME) else language)
    if is_pressed:
        tasks.forget(TASK)
        st.session_state["rewrite-asked"] = (answer.question, asked, model)
    question, before, by = st.session_state.get("rewrite-asked", (None, None, None))
    if (question, by) != (answer.question, model) or before is None:
        return None
    told: tuple[Audience | None, str | None] = before
    return told


def _shown(job: RewriteJob, answer: Answer) -> None:
    if not tasks.watch(job, lambda: _words(job)):
        return
    if job.state is State.STOPPED:
        st.info("You stopped it: nothing is shown, because nothing was compared.")
        return
    try:
        told = job.result()
    except PathfinderError as error:
        controls.failure(error)
        return
    if told.original != original_of(answer):  # its numbers follow the papers to their places
        st.info("The answer has changed since: tell it anew.")
        return
    _whole(told, len(answer.sources))


def _words(job: RewriteJob) -> None:
    """The words so far, as text, and the way to stop them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", key="stop-rewrite", icon=":material/stop_circle:", on_click=job.stop)
        st.caption(for_markdown(f"{job.seconds:.0f} s · the chat model writes"), width="stretch")
    st.markdown(for_markdown("".join(job.pieces)) + " ▌")


def _whole(told: Rewrite, n_sources: int) -> None:
    with st.container(key="rewritten"):
        st.markdown(marked(told.text, told.fidelity.added, "orange", lambda text: linked(text, n_sources)))
    st.caption(for_markdown(f"{told.ran}, {told.seconds:.1f} s"))
    for note in told.notes:
        st.warning(for_markdown(f"{note}."))
    if told.fidelity.is_faithful and not told.notes:
        st.success("Of all that is compared (numbers, units, names, negations, citations), nothing was lost or added.")
    for note in told.fidelity.not_compared:
        st.caption(for_markdown(f"Not compared: {note}."))
    _listed("Lost on the way", told.fidelity.lost)
    _listed("Added on the way", told.fidelity.added)
    if told.fidelity.lost:
        with st.popover("The original, with what was lost"):
            st.markdown(marked(told.original, told.fidelity.lost, "red", lambda text: linked(text, n_sources)))


def _listed(title: str, changes: Sequence[Change]) -> None:
    if not changes:
        return
    lines = [
        f"- {kind.value}: {'; '.join(_told(change) for change in of_kind)}"
        for kind, of_kind in groupby(sorted(changes, key=lambda change: change.kind), key=lambda change: change.kind)
    ]
    st.markdown("\n".join([f"**{title}**", "", *lines]))


def _told(change: Change) -> str:
    return f"**{for_markdown(change.text)}** ({for_markdown(change.reason)})"
