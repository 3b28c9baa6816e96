"""Rewriting the answer on the page: the choice of audience and language, the new text, and the facts lost or added."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter

import streamlit as st

from pathfinder.answering.audience import original_of
from pathfinder.facade import Pathfinder
from pathfinder.text.languages import LANGUAGES
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Audience, Change, Rewrite
from pathfinder.ui.answer.panel import link_citations
from pathfinder.ui.shared import jobs
from pathfinder.ui.shared.state import ResultView

TASK = "rewrite"
AUDIENCES: dict[Audience | None, str] = {
    None: "As it is",
    Audience.TEN_YEAR_OLD: "Ten-year-old",
    Audience.STUDENT: "Student",
    Audience.EXPERT: "Expert",
}
OWN_NAMES = tuple(language.own_name for language in LANGUAGES)
"""Languages offered in the list; any other language can be typed."""
SAME = "As it is"

RewriteJob = jobs.Job[str, Rewrite]

_MATHEMATICS = re.compile(r"\$[^$]{1,300}\$|\[[\w?, ;–-]{1,80}\]")
"""Parts kept together, such as a formula or a citation: a colour covers the whole part or none of it."""


def panel(pf: Pathfinder, view: ResultView, answer: Answer) -> None:
    """Show the choice of audience and language, then the new text; nothing after a redirect or without a model."""
    if answer.redirect is not None or not answer.text.strip() or pf.chat is None:
        return
    with st.expander("Rewrite for another audience", icon=":material/translate:", type="compact"):
        order = _requested_rewrite(answer, pf.chat.name)
        if order is not None:
            metered_pf = jobs.within_budget(pf, view.form.answering.budget)
            job: RewriteJob = jobs.task(TASK, lambda: metered_pf.stream_rewrite(answer, order[0], order[1]))
            stopped = "Stopped. The unfinished text is not shown, because it was not compared with the original."
            if (rewrite := jobs.outcome(job, lambda: _words(job), stopped, every=jobs.POLL_SECONDS)) is None:
                return
            if rewrite.original == original_of(answer):
                _whole(rewrite, len(answer.sources))
            else:  # citation numbers change when the papers are reordered
                st.info("The answer has changed. Rewrite it again.")


def _requested_rewrite(answer: Answer, model: str) -> tuple[Audience | None, str | None] | None:
    """Return the rewrite that the reader requested for this answer; `None` if the button has not been pressed."""
    with st.form("rewrite", border=False):
        audience = st.segmented_control(
            "Audience", list(AUDIENCES), format_func=AUDIENCES.__getitem__, default=None, key="rewrite-audience"
        )
        key = "rewrite-language"
        tip = "Choose a language, or type any other."
        language = st.selectbox("Language", [SAME, *OWN_NAMES], key=key, accept_new_options=True, help=tip)
        is_pressed = st.form_submit_button("Rewrite")
    request = (audience, None if language in (None, SAME) else language)
    if is_pressed:
        jobs.forget(TASK)
        st.session_state["rewrite-asked"] = (answer.question, request, model)
    question, before, by = st.session_state.get("rewrite-asked", (None, None, None))
    if (question, by) != (answer.question, model) or before is None:
        return None
    order: tuple[Audience | None, str | None] = before
    return order


def _words(job: RewriteJob) -> None:
    jobs.stop_line(job, "rewrite", "the chat model is writing")
    st.markdown(for_markdown("".join(job.chunks)) + " ▌")


def _whole(rewrite: Rewrite, n_sources: int) -> None:
    link = partial(link_citations, n_sources=n_sources)
    with st.container(key="rewritten"):
        st.markdown(highlight(rewrite.text, rewrite.fidelity.added, "orange", link))
    st.caption(for_markdown(f"{rewrite.ran}, {rewrite.seconds:.1f} s"))
    for note in rewrite.notes:
        st.warning(for_markdown(f"{note}."))
    if rewrite.fidelity.is_faithful and not rewrite.notes:
        st.success("No number, unit, name, negation or citation was lost or added.")
    for note in rewrite.fidelity.not_compared:
        st.caption(for_markdown(f"Not compared: {note}."))
    _change_list("Lost", rewrite.fidelity.lost)
    _change_list("Added", rewrite.fidelity.added)
    if rewrite.fidelity.lost:
        with st.popover("Original, with the lost facts marked"):
            st.markdown(highlight(rewrite.original, rewrite.fidelity.lost, "red", link))


def _change_list(title: str, changes: Sequence[Change]) -> None:
    if not changes:
        return
    lines = [f"**{title}**", ""]
    by_kind = attrgetter("kind")
    for kind, of_kind in groupby(sorted(changes, key=by_kind), key=by_kind):
        facts = (f"**{for_markdown(change.text)}** ({for_markdown(change.reason)})" for change in of_kind)
        lines.append(f"- {kind.value}: {'; '.join(facts)}")
    st.markdown("\n".join(lines))


def highlight(text: str, changes: Sequence[Change], colour: str, set_text: Callable[[str], str]) -> str:
    """Write `text` as Markdown with a background of `colour` behind each of the `changes`. `set_text` converts the text
    between them and within them, piece by piece.
    """
    pieces, position = [], 0
    for start, end in _apart(text, changes):
        pieces.append(_set(text[position:start], set_text))
        pieces.append(f":{colour}-background[{set_text(text[start:end]).strip()}]")
        position = end
    return "".join([*pieces, _set(text[position:], set_text)])


def _set(text: str, set_text: Callable[[str], str]) -> str:
    """Convert `text` with `set_text`, but keep the white space around it, which the conversion would strip."""
    inner = text.strip()
    if not inner:
        return text
    before, after = text[: text.index(inner)], text[text.index(inner) + len(inner) :]
    return f"{before}{set_text(inner)}{after}"


def _apart(text: str, changes: Sequence[Change]) -> list[tuple[int, int]]:
    """Return the spans of `changes` in order, widened to whole formulas; overlapping spans are merged."""
    wholes = [match.span() for match in _MATHEMATICS.finditer(text)]
    apart: list[tuple[int, int]] = []
    for change in sorted(changes, key=lambda change: change.start):
        start, end = change.start, change.end
        for first, last in wholes:
            if first < end and start < last:
                start, end = min(start, first), max(end, last)
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        elif start < end:
            apart.append((start, end))
    return apart
