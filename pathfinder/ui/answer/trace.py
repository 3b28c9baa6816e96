"""Shows the trace of an answer: every thought, action and observation."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from pathfinder.answering.modes.agent.agent import Replay, can_be_edited
from pathfinder.errors import UsageError
from pathfinder.export.traces import MAX_CHARACTERS, from_json, to_json
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Ended, Generation, Paper, Step, StepKind, Trace
from pathfinder.ui.answer import trace_editor
from pathfinder.ui.stars import stars

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
"""Continues a trace, as edited by the reader, from the step at a given position (counted from 0). May raise a
`UsageError`.
"""

_OPEN_TRACE, _REPLAY = "trace-opened", "trace-played"


def panel(
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
        _draw_trace(trace, sources, on_continue, on_replay)
    with st.expander("Open a saved trace", type="compact"):
        _open()


def _draw_trace(
    trace: Trace | None,
    sources: Sequence[Paper],
    on_continue: Continue | None,
    on_replay: Callable[[Trace], Replay] | None,
) -> None:
    """Show the trace from the file that the reader opened, if any; otherwise show `trace`."""
    if (file_trace := _trace_of_file()) is not None:
        trace = file_trace
        st.info(for_markdown(f"This trace comes from a file. Its question: {file_trace.question}"))
        st.button("Close the file", key="trace-close", on_click=_forget)
    if trace is None:
        st.caption("This answer was written in one go: there are no steps to show.")
    else:
        seen_ids = {paper_id for step in trace.steps for paper_id in step.paper_ids}
        numbered_ids = [(str(n), paper.paper_id) for n, paper in enumerate(sources, start=1)]
        stars.row({paper_id: n for n, paper_id in numbered_ids if paper_id in seen_ids}, "trace")
        _whole(trace, sources, on_continue if trace.generation == Generation.AGENT else None)
        with st.container(horizontal=True):
            _save(trace)
            if on_replay is not None and trace.generation == Generation.AGENT:
                _replay(trace, on_replay)


def listing(steps: Sequence[Step], sources: Sequence[Paper] = ()) -> None:
    """Show the steps one below the other, as they arrive."""
    for place, step in enumerate(steps):
        with st.container(border=True, gap="xsmall"):
            _head(place, step)
            _body(step, sources, {})


def _whole(trace: Trace, sources: Sequence[Paper], on_continue: Continue | None) -> None:
    st.caption(for_markdown(description(trace)))
    shelf = CitationRegistry(trace.question, tuple(sources))
    keys = {paper.paper_id: shelf.key(paper.paper_id) for paper in sources}
    for place, step in enumerate(trace.steps):
        with st.container(border=True, gap="xsmall", key=f"trace-step-{place}"):
            with st.container(horizontal=True, vertical_alignment="center"):
                _head(place, step)
                is_edited = on_continue is not None and can_be_edited(trace, place) and trace_editor.asks(trace, place)
            if is_edited and on_continue is not None:
                trace_editor.form(trace, place, partial(_go_on, on_continue))
            else:
                _body(step, sources, keys)


def _go_on(on_continue: Continue, trace: Trace, place: int, step: Step) -> None:
    """Continue the run and close the opened file, since a new trace will replace it."""
    on_continue(trace, place, step)
    _forget()


def description(trace: Trace) -> str:
    """Describe the run in one line."""
    n_actions = sum(step.kind is StepKind.ACTION for step in trace.steps)
    actions = "1 action" if n_actions == 1 else f"{n_actions} actions"
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
        st.caption(_papers(step, sources, keys))


def _lines(text: str) -> str:
    """Write text as Markdown that keeps its line breaks."""
    return for_markdown(text).replace("\n", "  \n")


def _papers(step: Step, sources: Sequence[Paper], keys: dict[str, str]) -> str:
    """List the papers found by the step: their numbers, with links, and the keys by which the model refers to them."""
    places = {paper.paper_id: n for n, paper in enumerate(sources, start=1)}
    names = [
        f"[{places[paper_id]}](#paper-{places[paper_id]}) {for_markdown(_known_as(keys.get(paper_id)))}".strip()
        if paper_id in places
        else for_markdown(paper_id)
        for paper_id in step.paper_ids
    ]
    return f"Papers: {', '.join(names)}"


def _known_as(key: str | None) -> str:
    return "" if key is None else f"({key})"


def _save(trace: Trace) -> None:
    st.download_button(
        "Save the trace",
        to_json(trace),
        "trace.json",
        "application/json",
        key="trace-save",
        icon=":material/download:",
        on_click="ignore",
    )


def _replay(trace: Trace, on_replay: Callable[[Trace], Replay]) -> None:
    help_line = "Repeats each action without a model"
    if st.button("Replay", key="trace-play", icon=":material/replay:", help=help_line):
        try:
            replay = on_replay(trace)
        except UsageError as error:
            st.error(for_markdown(str(error)))
            return
        if replay.differences:
            st.warning(for_markdown(f"The replay differed from the recording: {'; '.join(replay.differences)}."))
        else:
            st.success("Every step matched the recording.")


def _open() -> None:
    st.file_uploader(
        "A trace file", type="json", key="trace-file", on_change=_read, label_visibility="collapsed", max_upload_size=5
    )
    if fault := st.session_state.get("trace-fault"):
        st.error(for_markdown(fault))


def _read() -> None:
    """Store the trace from the file just chosen, or the error if it cannot be read."""
    upload = st.session_state["trace-file"]
    st.session_state.pop("trace-fault", None)
    st.session_state.pop(_OPEN_TRACE, None)
    if upload is None:
        return
    try:
        st.session_state[_OPEN_TRACE] = from_json(upload.read(MAX_CHARACTERS + 1))
    except UsageError as error:
        st.session_state["trace-fault"] = str(error)


def _trace_of_file() -> Trace | None:
    trace: Trace | None = st.session_state.get(_OPEN_TRACE)
    return trace


def _forget() -> None:
    st.session_state.pop(_OPEN_TRACE, None)
