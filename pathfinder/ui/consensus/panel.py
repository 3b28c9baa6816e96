"""Consensus panel: the level and its basis, every paper with its quote, and how opinion changed over the years."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from pathfinder.assessment.consensus.local import Guess, describe_without_model
from pathfinder.assessment.consensus.rule import MIN_COUNTED, StanceCounts
from pathfinder.figures.consensus import HISTORY_CONFIG, describe_history, history_figure
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Consensus, ConsensusHistory, ConsensusLevel, Paper, SearchResult, Stance
from pathfinder.types.consensus import N_PAPERS
from pathfinder.ui.consensus.stance_lines import groups, guessed_stances, short_link

RULE = (
    "The score is the number of papers that agree minus the number that disagree, divided by the number of relevant "
    "papers. "
    "Agreement is strong from 0.8, moderate from 0.5 and weak from 0.2; negative scores mean disagreement, on the "
    "same scale. "
    f"With fewer than {MIN_COUNTED} papers, no level is given. The interval comes from 10,000 bootstrap samples of the "
    f"papers."
)
NOT_ENOUGH = "Not enough evidence"

_COLOURS = ("#D55E00", "#E08B45", "#EBBE96", "#999999", "#99C7E0", "#4D9CC9", "#0072B2")
"""Colours from disagreement to agreement, vermillion to blue (Okabe & Ito), distinguishable with any colour vision."""

_ENDS = ("disagree", "agree")


@dataclass(frozen=True, slots=True)
class ConsensusOptions:
    """Options of the panel."""

    as_of: int | None
    """Last year whose papers are read; `None` for all years."""
    over_time: bool
    """True if more papers are to be read, and the consensus reported year by year."""


def options() -> ConsensusOptions:
    """Draw the two options of the panel; both need a chat model."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        as_of = st.number_input(
            "As of year",
            min_value=1,
            max_value=9999,
            value=None,
            step=1,
            placeholder="all years",
            key="consensus-as-of",
            width=160,
            help="Searches again up to that year and ignores later papers.",
        )
        over_time = st.toggle(
            "Over time",
            key="consensus-over-time",
            help=f"Reads the best {N_PAPERS} matches, listed or not; takes a few more calls to the chat model.",
        )
    return ConsensusOptions(None if as_of is None else int(as_of), over_time)


def panel(
    result: SearchResult,
    consensus: Consensus | None,
    history: ConsensusHistory | None = None,
    guess: Callable[[str], Sequence[Guess]] | None = None,
) -> None:
    """Draw the panel; `consensus` is `None` if there is no chat model.

    In that case `guess`, if given, guesses the stances of the hits on a statement that the reader writes. Papers
    are numbered by their rank in `result`; the numbers link to their cards, #paper-n.
    """
    st.subheader("Consensus", anchor="consensus")
    if consensus is None:
        for line in describe_without_model(result):
            st.markdown(for_markdown(line))
        if guess is not None and result.hits:
            guessed_stances(result, guess)
        return
    places = {hit.paper.paper_id: rank for rank, hit in enumerate(result.hits, start=1)}
    _verdict(consensus)
    for note in consensus.notes:
        st.caption(for_markdown(note))
    _sensitivity(consensus, places)
    _listing(consensus.stances, consensus.papers, places)
    if history is not None:
        over_time(history, places)


def over_time(history: ConsensusHistory, places: dict[str, int]) -> None:
    """Show when opinion in the field changed, with the figure and every paper that was read for it."""
    st.subheader("When did the field change its mind?", anchor="consensus-over-time")
    st.markdown(f"**{for_markdown(history.reason)}**")
    if history.years:
        st.plotly_chart(history_figure(history), key="consensus-figure", config=HISTORY_CONFIG)
        st.caption(for_markdown(describe_history(history)))
    for note in history.notes:
        st.caption(for_markdown(note))
    with st.expander(f"The {len(history.stances)} papers read", key="consensus-history-papers"):
        groups(history.stances, history.papers, places)


def _verdict(consensus: Consensus) -> None:
    if consensus.statement:
        st.markdown(f"> {for_markdown(consensus.statement)}")
    counts = StanceCounts.of(consensus.stances)
    until = "" if consensus.as_of is None else f" as of {consensus.as_of}"
    st.markdown(f"### {NOT_ENOUGH if consensus.level is None else consensus.level}{until}", help=RULE)
    if consensus.level is not None and consensus.interval is not None:
        st.html(scale_html(consensus.level, consensus.interval))
    words = f"{counts.supports} for it, {counts.refutes} against it, {counts.mixed} mixed"
    score = "" if consensus.score is None else f" · score {consensus.score:+.2f}"
    st.caption(
        for_markdown(
            f"{words}, of {len(consensus.stances)} papers read by {consensus.model}{score}{_interval(consensus)}"
        )
    )
    if consensus.model_level is not None and consensus.relevance is not None:
        st.markdown(
            f"The model itself says **{consensus.model_level}**, relevance {consensus.relevance:.0%}: "
            f"{for_markdown(consensus.explanation)}"
        )


def _interval(consensus: Consensus) -> str:
    if consensus.interval is None:
        return ""
    high, low = consensus.interval
    return f" · 95% of draws: {high if high is low else f'{high} to {low}'}"


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


def _listing(stances: Sequence[Stance], papers: Sequence[Paper], places: dict[str, int]) -> None:
    if stances:
        with st.container(key="consensus-stances"):
            groups(stances, papers, places)


def scale_html(level: ConsensusLevel, interval: tuple[ConsensusLevel, ConsensusLevel]) -> str:
    """Return the HTML for the scale of levels; it contains only fixed words, so nothing needs escaping."""
    order = list(ConsensusLevel)[::-1]
    low, high = sorted(order.index(end) for end in interval)
    cells = "".join(_cell(place, order[place] is level, low <= place <= high) for place in range(len(order)))
    label = f"{level}; 95% of draws between {order[high]} and {order[low]}"
    ends = "".join(f"<span>{end}</span>" for end in _ENDS)
    return (
        f'<div role="img" aria-label="{label}" style="max-width:28rem;font-size:.75rem">'
        f'<div style="display:flex;gap:3px">{cells}</div>'
        f'<div style="display:flex;justify-content:space-between;opacity:.75">{ends}</div></div>'
    )


def _cell(place: int, is_level: bool, is_inside: bool) -> str:
    border = "currentColor" if is_inside else "transparent"
    height = 16 if is_level else 6
    frame = f"flex:1;display:flex;align-items:center;height:26px;padding-top:3px;border-top:2px solid {border}"
    bar = f"width:100%;height:{height}px;border-radius:3px;background:{_COLOURS[place]}"
    return f'<div style="{frame}"><div style="{bar}"></div></div>'
