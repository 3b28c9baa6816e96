"""Whether the papers agree: the consensus is computed in the background, as of a given year or over time on request."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from pathfinder.answering.assessment.consensus.rule import MIN_COUNTED, StanceCounts
from pathfinder.facade import Pathfinder
from pathfinder.landscape.figures.consensus import describe_history, history_figure
from pathfinder.landscape.figures.plotting import PLOT_CONFIG
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import (
    Answer,
    Consensus,
    ConsensusHistory,
    ConsensusLevel,
    Paper,
    SearchResult,
    Stance,
    StanceLabel,
)
from pathfinder.types.consensus import N_PAPERS
from pathfinder.ui.answer import digest_panel
from pathfinder.ui.shared import jobs, panels, resources
from pathfinder.ui.shared.state import ResultView

Report = TypeVar("Report", Consensus, ConsensusHistory)

_OF = "consensus-of"
_AS_OF, _OVER_TIME = "consensus-of-year", "consensus-by-year"
"""Keys of the options, which outlive their widgets: these are drawn only while the panel is open."""


@dataclass(frozen=True, slots=True)
class _Of:
    """The papers and the last year of a consensus."""

    order: tuple[str, ...]
    as_of: int | None


def agreement(pf: Pathfinder, view: ResultView, answer: Answer) -> None:
    """Draw behind one line whether the papers agree; the two values that the answer names come first."""
    with st.expander("Do the papers agree?", type="compact", key="agreement", on_change="rerun") as lid:
        if lid.open:
            if pf.chat is not None:
                panel(pf, view)
            apart = digest_panel.apart(answer, pf.profile)
            panels.draw("ask.consensus", pf, view.result, [each.paper.paper_id for each in apart[:2]] if apart else [])


def panel(pf: Pathfinder, view: ResultView) -> None:
    """Draw the consensus that the chat model reads from the papers: its progress, and then the result."""
    as_of, over_time = consensus_options()
    consensus = _consensus(pf, view, as_of)
    if consensus is None:
        return
    history = _history(pf, view, consensus, as_of) if over_time else None
    consensus_panel(view.result, consensus, history)
    if st.session_state[_OF].order != view.order:
        st.caption("This consensus is for the papers listed before the weights changed.")
        _again("Recompute for these papers")


def on_screen(view: ResultView) -> Consensus | None:
    """Return the consensus on the papers on screen; `None` if it has not been computed for them."""
    consensus: Consensus | None = jobs.result_of(jobs.CONSENSUS)
    return consensus if consensus is not None and st.session_state[_OF].order == view.order else None


def _consensus(pf: Pathfinder, view: ResultView, as_of: int | None) -> Consensus | None:
    """Return the consensus, computed once for each search and year; `None` until it is ready."""
    if jobs.running_task(jobs.CONSENSUS) is None or st.session_state[_OF].as_of != as_of:
        jobs.forget(jobs.CONSENSUS, jobs.HISTORY)
        st.session_state[_OF] = _Of(view.order, as_of)
    metered_pf = jobs.within_budget(pf, view.form.answering.budget)
    return _report_of(jobs.task(jobs.CONSENSUS, lambda: metered_pf.stream_consensus(view.result, as_of=as_of)))


def _history(pf: Pathfinder, view: ResultView, consensus: Consensus, as_of: int | None) -> ConsensusHistory | None:
    consensus_here = consensus if st.session_state[_OF].order == view.order else None
    metered_pf = jobs.within_budget(pf, view.form.answering.budget)
    return _report_of(
        jobs.task(
            jobs.HISTORY, lambda: metered_pf.stream_consensus_over_time(view.result, known=consensus_here, as_of=as_of)
        )
    )


def _report_of(job: jobs.Job[str, Report]) -> Report | None:
    """Return the result of the job; `None`, with a status line, while it runs or if it failed."""

    def draw() -> None:
        jobs.stop_line(job, "consensus", job.chunks[-1] if job.chunks else "the chat model is reading the papers")

    return jobs.outcome(job, draw, "Stopped. No consensus was computed.", _again)


def _again(label: str) -> None:
    st.button(label, key="consensus-again", on_click=jobs.forget, args=(jobs.CONSENSUS, jobs.HISTORY))


# Consensus panel: the level and its basis, every paper with its quote, and how opinion changed over the years.

RULE = (
    "The score is the number of papers that agree minus the number that disagree, divided by the number of relevant "
    "papers. "
    "Agreement is strong from 0.8, moderate from 0.5 and weak from 0.2; negative scores mean disagreement, on the "
    "same scale. "
    f"With fewer than {MIN_COUNTED} papers, no level is given. The interval comes from 10,000 bootstrap samples of the "
    f"papers."
)
NOT_ENOUGH = "Not enough evidence"


def over_time(history: ConsensusHistory, places: dict[str, int]) -> None:
    """Show when opinion in the field changed, with the figure and every paper that was read for it."""
    st.header("When did the field change its mind?", anchor="consensus-over-time")
    st.markdown(f"**{for_markdown(history.reason)}**")
    if history.years:
        st.plotly_chart(history_figure(history), key="consensus-figure", config=PLOT_CONFIG)
        st.caption(for_markdown(describe_history(history)))
    for note in history.notes:
        st.caption(for_markdown(note))
    with st.expander(f"The {len(history.stances)} papers read", key="consensus-history-papers"):
        groups(history.stances, history.papers, places)


def consensus_options() -> tuple[int | None, bool]:
    """Draw the two options of the panel, and return the last year whose papers are read (`None` for all years), and
    whether more papers are to be read, and the consensus reported year by year; both need a chat model.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        look: dict[str, Any] = {"step": 1, "placeholder": "all years", "key": "consensus-as-of", "width": 160}
        look["help"] = "Searches again up to that year and ignores later papers."
        as_of = st.number_input("As of year", 1, 9999, st.session_state.get(_AS_OF), **look)
        tip = f"Reads the best {N_PAPERS} matches, listed or not; takes a few more calls to the chat model."
        over_time = st.toggle("Over time", st.session_state.get(_OVER_TIME, False), key="consensus-over-time", help=tip)
    st.session_state[_AS_OF], st.session_state[_OVER_TIME] = as_of, over_time
    return None if as_of is None else int(as_of), over_time


def consensus_panel(result: SearchResult, consensus: Consensus, history: ConsensusHistory | None = None) -> None:
    """Draw the panel. Papers are numbered by their rank in `result`; the numbers link to their cards, #paper-n."""
    st.header("Consensus", anchor="consensus")
    places = {hit.paper.paper_id: rank for rank, hit in enumerate(result.hits, start=1)}
    _verdict(consensus)
    for note in consensus.notes:
        st.caption(for_markdown(note))
    _sensitivity(consensus, places)
    if consensus.stances:
        with st.container(key="consensus-stances"):
            groups(consensus.stances, consensus.papers, places)
    if history is not None:
        over_time(history, places)


def _verdict(consensus: Consensus) -> None:
    if consensus.statement:
        st.markdown(f"> {for_markdown(consensus.statement)}")
    counts = StanceCounts.of(consensus.stances)
    until = "" if consensus.as_of is None else f" as of {consensus.as_of}"
    st.markdown(f"### {NOT_ENOUGH if consensus.level is None else consensus.level}{until}", help=RULE)
    if consensus.level is not None and consensus.interval is not None:
        order = list(ConsensusLevel)[::-1]
        interval = sorted(consensus.interval, key=order.index)
        st.select_slider("95% of draws", order, interval, format_func=str, disabled=True, key="consensus-interval")
    words = f"{counts.supports} for it, {counts.refutes} against it, {counts.mixed} mixed"
    score = "" if consensus.score is None else f" · score {consensus.score:+.2f}"
    st.caption(for_markdown(f"{words}, of {len(consensus.stances)} papers read by {consensus.model}{score}"))
    if consensus.model_level is not None and consensus.relevance is not None:
        st.markdown(
            f"The model itself says **{consensus.model_level}**, relevance {consensus.relevance:.0%}: "
            f"{for_markdown(consensus.explanation)}"
        )


def _sensitivity(consensus: Consensus, places: dict[str, int]) -> None:
    """List the papers on which the level depends, each with the level that would result without it."""
    if consensus.level is None:
        return
    if not consensus.sensitivity:
        st.caption("No single paper changes the level.")
        return
    papers = {paper.paper_id: paper for paper in consensus.papers}
    by_level: dict[ConsensusLevel | None, list[str]] = {}
    for change in consensus.sensitivity:
        by_level.setdefault(change.level, []).append(short_link(papers[change.paper_id], places))
    for level, links in by_level.items():
        any_of = "any one of " if len(links) > 1 else ""
        words = NOT_ENOUGH.lower() if level is None else level
        st.markdown(f":small[Without {any_of}{', '.join(links)}: **{words}**]")


# Papers by stance, each with its quote and a link.

HEADINGS = {
    StanceLabel.SUPPORTS: ":blue[For it]",
    StanceLabel.REFUTES: ":orange[Against it]",
    StanceLabel.MIXED: "Mixed",
    StanceLabel.IRRELEVANT: ":gray[Not relevant]",
}


def groups(stances: Sequence[Stance], papers: Sequence[Paper], places: dict[str, int]) -> None:
    """List the papers of each stance; those whose quote could not be found in the text come last."""
    both = list(zip(stances, papers, strict=True))
    for label, heading in HEADINGS.items():
        of_label = [pair for pair in both if pair[0].label is label]
        if not of_label:
            continue
        n_counted = sum(stance.is_quote_found for stance, _ in of_label)
        rest = f", {len(of_label) - n_counted} not counted" if n_counted < len(of_label) else ""
        st.markdown(f"**{heading}** · {n_counted}{rest}")
        of_label.sort(key=lambda pair: not pair[0].is_quote_found)
        st.markdown("\n".join(_line(stance, paper, places) for stance, paper in of_label))


def _line(stance: Stance, paper: Paper, places: dict[str, int]) -> str:
    year = "year unknown" if stance.year is None else str(stance.year)
    place = short_link(paper, places) + " " if paper.paper_id in places else ""
    line = f"- {place}{resources.title_link(paper)} :gray[{year}]"
    if not stance.is_quote_found:
        quote = f"“{for_markdown(stance.quote)}” " if stance.quote else ""
        return f"{line}  \n  :orange[not counted:] {quote}is not in the paper"
    quoted = paper.quoted(stance.quote, stance.passage.address if stance.passage else None)
    return f"{line}  \n  {for_markdown(quoted)}" if stance.quote else line


def short_link(paper: Paper, places: dict[str, int]) -> str:
    """Return a Markdown link to a paper: to its card if it is listed, otherwise to the publication."""
    place = places.get(paper.paper_id)
    if place is None:
        return resources.title_link(paper)
    return f"\\[[{place}](#paper-{place})\\]"
