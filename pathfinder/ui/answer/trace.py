"""The Trace tab: the steps as they happen, then the whole trace, which can be saved or continued from any step."""

import html
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pathfinder.answering.grounding.sources import CitationRegistry
from pathfinder.answering.modes.agent.actions import PARAMETERS
from pathfinder.answering.modes.agent.agent import Replay, can_be_edited
from pathfinder.answering.modes.self_feedback import Fate, Stretch, difference
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.operations.export.traces import MAX_CHARACTERS, from_json, to_json
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Ended, ModeName, Paper, Step, StepKind, Trace
from pathfinder.ui.answer import panel as answer_panel
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import jobs
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.state import ResultView


def panel(pf: Pathfinder, view: ResultView, job: answer_panel.AnswerJob) -> None:
    """Show the steps so far while the job runs; then show the whole trace and every version of the text."""
    if not jobs.watch(job, lambda: _so_far(steps_of(job)), every=jobs.SLOW_POLL_SECONDS):
        return
    if job.state is jobs.JobState.STOPPED:
        steps, answering = steps_of(job), (view.answer_inputs or view.form).answering
        run = Trace(view.result.request.query, str(answering.generation), steps, Ended.STOPPED)
        trace_panel(run if steps else None)
        return
    answer = answer_panel.on_screen(view, job)
    go_on = None if pf.chat is None else lambda *edited: _go_on(pf, view, *edited)
    trace_panel(answer, go_on, lambda recorded_trace: pf.replay(recorded_trace, view.result))
    if answer is not None:
        versions_panel(answer)


def _so_far(steps: Sequence[Step]) -> None:
    for place, step in enumerate(steps):
        with st.container(border=True, gap="xsmall"):
            _head(place, step)
            _body(step, (), {})
    if not steps:
        st.caption("No steps yet. An answer written in one go has none.")


def steps_of(job: answer_panel.AnswerJob) -> tuple[Step, ...]:
    """Return the steps so far."""
    return tuple(chunk for chunk in job.chunks if isinstance(chunk, Step))


def _go_on(pf: Pathfinder, view: ResultView, run: Trace, place: int, step: Step) -> None:
    """Answer again from an edited step when a button is pressed. Raises `UsageError` if no run can continue from it."""
    metered_pf = jobs.within_budget(pf, view.form.answering.budget)
    stream = metered_pf.stream_resume(run, view.result, place, step, answer_panel.request_of(view, pf.chat))
    jobs.forget(jobs.ANSWER)
    jobs.task(jobs.ANSWER, lambda: stream)


# Shows the versions of a revised answer, and what changed between them, word by word.


BEFORE, DRAFT = "the previous version", "the draft"
"""What each version may be compared with."""
HOW_TO_READ = "Underlined words were added; struck-out words were removed."
TAGS = {Fate.NEW: "ins", Fate.GONE: "del"}


@st.fragment
def versions_panel(answer: Answer) -> None:
    """Show every version with the point of the critique that led to it, compared with another version chosen by the
    reader; show nothing if there is only one version.
    """
    if len(answer.versions) < 2:
        return
    against = st.segmented_control(
        "Compare each version with", [BEFORE, DRAFT], default=BEFORE, required=True, key="versions-against"
    )
    st.caption(f"{len(answer.versions)} versions. {HOW_TO_READ}")
    last = len(answer.versions) - 1
    for place, version in enumerate(answer.versions):
        old = answer.versions[0 if against == DRAFT else place - 1] if place else None
        stretches = difference(old.text, version.text) if old else (Stretch(Fate.SAME, version.text),)
        counts = {
            words: sum(len(stretch.text.split()) for stretch in stretches if stretch.fate is fate)
            for fate, words in ((Fate.NEW, "added"), (Fate.GONE, "removed"))
        }
        changed = ", ".join(f"{n} {words}" for words, n in counts.items() if n)
        label = f"{for_markdown(version.label)} (words: {changed})" if changed else for_markdown(version.label)
        with st.expander(label, expanded=place == last):
            if version.because:
                st.caption(for_markdown(version.because))
            st.html(difference_html(stretches))


def difference_html(stretches: Sequence[Stretch]) -> str:
    """Write HTML in which no text can become a tag, a link or an image."""
    body = ""
    for stretch in stretches:
        text, tag = html.escape(stretch.text).replace("\n", "<br>"), TAGS.get(stretch.fate)
        body += text if tag is None else f"<{tag}>{text}</{tag}>"
    return f'<div class="changes">{body}</div>'


# Shows the trace of an answer: every thought, action and observation.

ICONS = {
    StepKind.PLAN: "format_list_numbered",
    StepKind.THOUGHT: "lightbulb",
    StepKind.ACTION: "search",
    StepKind.OBSERVATION: "visibility",
    StepKind.FINDING: "description",
    StepKind.DRAFT: "edit_note",
    StepKind.CRITIQUE: "rate_review",
    StepKind.REVISION: "edit",
    StepKind.NOTICE: "info",
    StepKind.FINAL: "flag",
}
LONG = 600
"""Number of characters above which a step is collapsed."""

Continue = Callable[[Trace, int, Step], None]
"""Continues a trace, as the reader has edited it, from a step, counted from 0. May raise a `UsageError`."""

_OPEN_TRACE = "trace-opened"


def trace_panel(
    answer_or_trace: Answer | Trace | None,
    on_continue: Continue | None = None,
    on_replay: Callable[[Trace], Replay] | None = None,
) -> None:
    """Show the trace of an answer, or one that the reader opens; each step can be edited, and the run continued from
    it.

    `None` means that the answer has no steps, but a trace can still be opened. If `on_continue` or `on_replay` is
    missing, that action is not offered.
    """
    sources = answer_or_trace.sources if isinstance(answer_or_trace, Answer) else ()
    trace = answer_or_trace.trace if isinstance(answer_or_trace, Answer) else answer_or_trace
    # Always in the same place: otherwise the uploader below would be redrawn and lose the file being uploaded.
    with st.container():
        file_trace: Trace | None = st.session_state.get(_OPEN_TRACE)
        if file_trace is not None:
            trace = file_trace
            st.info(for_markdown(f"This trace comes from a file. Its question: {file_trace.question}"))
            st.button("Close the file", key="trace-close", on_click=st.session_state.pop, args=(_OPEN_TRACE, None))
        if fault := st.session_state.get("trace-fault"):
            st.error(for_markdown(fault))
        if trace is not None:
            _whole(trace, sources, on_continue if trace.generation == ModeName.AGENT else None)
            with st.container(horizontal=True):
                save("Save the trace", to_json(trace), "trace.json", key="trace-save", icon=":material/download:")
                if on_replay is not None and trace.generation == ModeName.AGENT:
                    tip = "Repeats each action without a model"
                    if st.button("Replay", key="trace-play", icon=":material/replay:", help=tip):
                        with controls.reporting():
                            if different := on_replay(trace).differences:
                                words = f"The replay differed from the recording: {'; '.join(different)}."
                                st.warning(for_markdown(words))
                            else:
                                st.success("Every step matched the recording.")
    with st.expander("Open a saved trace", type="compact"):
        options: dict[str, Any] = {"label_visibility": "collapsed", "max_upload_size": 5}
        st.file_uploader("A trace file", type="json", key="trace-file", on_change=_read, **options)


def _whole(trace: Trace, sources: Sequence[Paper], on_continue: Continue | None) -> None:
    st.caption(for_markdown(description(trace)))
    shelf = CitationRegistry(trace.question, tuple(sources))
    keys = {paper.paper_id: shelf.key(paper.paper_id) for paper in sources}
    for place, step in enumerate(trace.steps):
        this, may_edit = (hash(trace), place), on_continue is not None and can_be_edited(trace, place)
        is_edited = may_edit and st.session_state.get(_EDITED_STEP) == this
        with st.container(border=True, gap="xsmall", key=f"trace-step-{place}"):
            with st.container(horizontal=True, vertical_alignment="center"):
                _head(place, step)
                if may_edit and not is_edited:
                    key, icon = f"trace-edit-{place}", ":material/edit:"
                    st.button("Edit", key, icon=icon, type="tertiary", on_click=_edit, args=(this,))
            if is_edited and on_continue is not None:
                _form(trace, place, on_continue)
            else:
                _body(step, sources, keys)


def description(trace: Trace) -> str:
    """Describe the run in one line."""
    actions = counted(sum(step.kind is StepKind.ACTION for step in trace.steps), "action")
    seconds = sum(step.seconds or 0.0 for step in trace.steps)
    ending = "it answered" if trace.ended is Ended.ANSWERED else f"ended: {trace.ended.value}"
    branch = "" if trace.branched_at is None else f" · continues from step {trace.branched_at + 1}, which you wrote"
    return f"{trace.generation} · {actions} · {seconds:.1f} s · {ending}{branch}"


def _head(place: int, step: Step) -> None:
    facts = [
        "" if step.seconds is None else f"{step.seconds:.1f} s",
        "your own search" if place == 0 and step.kind is StepKind.ACTION else "",
        "written by you" if step.is_edited else "",
    ]
    details = "".join(f" · {for_markdown(fact)}" for fact in facts if fact)
    st.markdown(
        f":material/{ICONS[step.kind]}: **{place + 1}. {step.kind.value.capitalize()}**{details}", width="stretch"
    )


def _body(step: Step, sources: Sequence[Paper], keys: dict[str, str]) -> None:
    if len(step.text) > LONG:
        first, _, rest = step.text.partition("\n")
        st.markdown(for_markdown(first[:LONG]))
        with st.expander("As shown to the model" if step.kind is StepKind.OBSERVATION else "In full"):
            st.markdown(_lines(rest if len(first) <= LONG else step.text))
    elif step.text:
        st.markdown(_lines(step.text))
    if step.paper_ids:
        # Their numbers, with links, and the keys by which the model refers to them.
        places = {paper.paper_id: n for n, paper in enumerate(sources, start=1)}
        known = {paper_id: for_markdown(f" ({key})") for paper_id, key in keys.items()}
        names = [
            f"[{places[each]}](#paper-{places[each]}){known.get(each, '')}" if each in places else for_markdown(each)
            for each in step.paper_ids
        ]
        st.caption(f"Papers: {', '.join(names)}")


def _lines(text: str) -> str:
    """Write text as Markdown that keeps its line breaks."""
    return for_markdown(text).replace("\n", "  \n")


def _read() -> None:
    upload = st.session_state["trace-file"]
    st.session_state.pop("trace-fault", None)
    st.session_state.pop(_OPEN_TRACE, None)
    if upload is None:
        return
    try:
        st.session_state[_OPEN_TRACE] = from_json(upload.read(MAX_CHARACTERS + 1))
    except UsageError as error:
        st.session_state["trace-fault"] = str(error)


# Lets the reader edit one step of a trace, from which the run then continues.

_EDITED_STEP = "trace-edited"
"""Session-state key of the trace and step being edited."""

LABELS = {
    "query": "What to search for",
    "year_from": "From year",
    "year_to": "To year",
    "top_k": "How many papers",
    "key": "Key of the paper to read",
}
NUMBERS = ("year_from", "year_to", "top_k")


def _form(trace: Trace, place: int, on_continue: Continue) -> None:
    """Show input fields for the step, for an action one for each argument of its tool, of which those left empty are
    omitted; the form's button continues the run from the edited step.
    """
    step, is_action = trace.steps[place], trace.steps[place].kind is StepKind.ACTION
    tool = step.tool if step.tool in PARAMETERS else "search"
    values = {name: str(value) for name, value in step.arguments if value is not None}
    with st.form(f"trace-form-{place}", border=False):
        if is_action:
            fields = {
                name: st.text_input(LABELS[name], values.get(name, ""), key=f"trace-{name}-{place}").strip()
                for name in PARAMETERS[tool]
            }
        else:
            label = f"What the model should {'think' if step.kind is StepKind.THOUGHT else 'have observed'}"
            text = st.text_area(label, step.text, key=f"trace-text-{place}", height=200, max_chars=20_000)
        with st.container(horizontal=True):
            goes_on = st.form_submit_button("Continue from here", icon=":material/play_arrow:", type="primary")
            st.form_submit_button("Cancel", on_click=_edit)
    if not goes_on:
        return
    with controls.reporting():
        if is_action:
            arguments = tuple((name, _value(name, field)) for name, field in fields.items() if field)
            edited_step = replace(step, tool=tool, arguments=arguments)
        else:
            edited_step = replace(step, text=text)
        on_continue(trace, place, edited_step)
        st.session_state.pop(_OPEN_TRACE, None)  # a new trace replaces that of the file
        _edit()
        st.rerun()


def _value(name: str, text: str) -> str | int:
    if name not in NUMBERS:
        return text
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UsageError(f"{LABELS[name].lower()} must be a whole number, got {text!r}")
    return int(text)


def _edit(trace_and_place: tuple[int, int] | None = None) -> None:
    st.session_state[_EDITED_STEP] = trace_and_place
