"""Seen marks: set once the browser reports that the changes have been on the screen, never before.

What a reader has seen stays on the page until they leave it: the changes shown during a visit are kept in the session.
"""

import datetime
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pathfinder.standing.changes import StandingChanges
from pathfinder.standing.log import StandingLog
from pathfinder.standing.question import StandingQuestion
from pathfinder.ui.watch import own_standing

_CHANGES, _UNSEEN = "watch-changes", "watch-unseen"


def changes_of_visit(log: StandingLog, question: StandingQuestion) -> StandingChanges:
    """Return the changes up to the last run of a question, as they were when this visit first drew them."""
    of_visit: dict[str, StandingChanges] = st.session_state.setdefault(_CHANGES, {})
    changes = log.changes(question)
    if question.id not in of_visit or of_visit[question.id].now.at != changes.now.at:
        of_visit[question.id] = changes
    return of_visit[question.id]


def end_of_changes(log: StandingLog, question: StandingQuestion, changes: StandingChanges) -> None:
    """Draw the component that reports that the changes above it were on the screen, or say that they are marked as
    seen.
    """
    seen_at, run = log.seen_at(question), changes.now.at
    if seen_at is not None and seen_at >= run:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Marked as seen: next time, only what is new since this run is listed.")
            st.button(
                "Mark as not seen",
                key=f"watch-unsee-{question.id}",
                on_click=_unsee,
                args=(question, run),
                type="tertiary",
                icon=":material/visibility_off:",
            )
    elif run in st.session_state.get(_UNSEEN, ()):
        st.caption("Not marked as seen: the next visit lists these changes again.")
    else:
        _component()(
            key=f"watch-shown-{question.id}-{run.isoformat()}",
            data={"run": run.isoformat()},
            on_shown_change=partial(mark_seen, question, run),
        )


def mark_seen(question: StandingQuestion, run: datetime.datetime) -> None:
    """Mark a run as seen, when the browser reports that it was on the screen; later runs stay unseen."""
    own_standing.change(lambda log: log.mark_seen(question, run))


def _unsee(question: StandingQuestion, run: datetime.datetime) -> None:
    if own_standing.change(lambda log: log.unmark_seen(question)):
        st.session_state[_UNSEEN] = (*st.session_state.get(_UNSEEN, ()), run)


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    """Register the component once for all visitors."""
    script = (Path(__file__).parent / "shown.js").read_text(encoding="utf-8")
    return st.components.v2.component("pathfinder_shown", html='<div class="end"></div>', css=STYLES, js=script)


STYLES = ".end { height: 1px; }"
