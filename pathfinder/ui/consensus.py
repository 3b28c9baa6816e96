"""How far the papers agree: the level and what it rests on, every paper with its sentence, opinion over the years."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from pathfinder.assessment.consensus.history import N_PAPERS
from pathfinder.assessment.consensus.local.scorer import Guess
from pathfinder.assessment.consensus.rule import MIN_COUNTED, Counts
from pathfinder.assessment.consensus.without_model import told_without_model
from pathfinder.export.latex import for_markdown
from pathfinder.figures_consensus import HISTORY_CONFIG, describe_history, history_figure
from pathfinder.types import Consensus, ConsensusHistory, ConsensusLevel, Paper, SearchResult, Stance
from pathfinder.ui import guessed_stances
from pathfinder.ui.level_scale import scale_html
from pathfinder.ui.stance_lines import groups, short_link

RULE = (
    "The score is papers for it less papers against it, divided by all that bear on it. From 0.8 on it is strong "
    "agreement, from 0.5 moderate, from 0.2 weak, and below 0 the same of disagreement; under "
    f"{MIN_COUNTED} papers there is no level. The interval draws the papers anew 10,000 times."
)
NOT_ENOUGH = "Not enough evidence"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the reader wants told."""

    as_of: int | None
    """The last year that is read; `None`: all."""
    over_time: bool
    """Whether more papers are read, and told year by year."""


def ask() -> Asked:
    """The two choices of the panel; neither is worth anything without a chat model."""
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
            help="Searches the years until then again, and reads no later paper.",
        )
        over_time = st.toggle(
            "Over time",
            key="consensus-over-time",
            help=f"Asks about the best {N_PAPERS} matches, listed or not: a few more calls of the chat model.",
        )
    return Asked(None if as_of is None else int(as_of), over_time)


def panel(
    result: SearchResult,
    told: Consensus | None,
    history: ConsensusHistory | None = None,
    guess: Callable[[str], Sequence[Guess]] | None = None,
) -> None:
    """All that is told; `None` for a consensus means that there is no chat model to tell it.

    Then `guess`, where it is given, guesses what the hits say of a statement that the reader writes. The numbers are
    places among the hits of `result` and lead to their cards, #paper-n.
    """
    st.subheader("Consensus", anchor="consensus")
    if told is None:
        for line in told_without_model(result):
            st.markdown(for_markdown(line))
        if guess is not None and result.hits:
            guessed_stances.panel(result, guess)
        return
    places = {hit.paper.paper_id: rank for rank, hit in enumerate(result.hits, start=1)}
    _verdict(told)
    for note in told.notes:
        st.caption(for_markdown(note))
    _sensitivity(told, places)
    _listing(told.stances, told.papers, places)
    if history is not None:
        over_time(history, places)


def over_time(history: ConsensusHistory, places: dict[str, int]) -> None:
    """When the field changed its mind, the figure, and every paper that was read for it."""
    st.subheader("When did the field change its mind?", anchor="consensus-over-time")
    st.markdown(f"**{for_markdown(history.reason)}**")
    if history.years:
        st.plotly_chart(history_figure(history), key="consensus-figure", config=HISTORY_CONFIG)
        st.caption(for_markdown(describe_history(history)))
    for note in history.notes:
        st.caption(for_markdown(note))
    with st.expander(f"The {len(history.stances)} papers that were read for it", key="consensus-history-papers"):
        groups(history.stances, history.papers, places)


def _verdict(told: Consensus) -> None:
    if told.statement:
        st.markdown(f"> {for_markdown(told.statement)}")
    counts = Counts.of(told.stances)
    until = "" if told.as_of is None else f" as of {told.as_of}"
    st.markdown(f"### {NOT_ENOUGH if told.level is None else told.level}{until}", help=RULE)
    if told.level is not None and told.interval is not None:
        st.html(scale_html(told.level, told.interval))
    words = f"{counts.supports} for it, {counts.refutes} against it, {counts.mixed} mixed"
    score = "" if told.score is None else f" · score {told.score:+.2f}"
    st.caption(for_markdown(f"{words}, of {len(told.stances)} papers read by {told.model}{score}{_interval(told)}"))
    if told.model_level is not None and told.relevance is not None:
        st.markdown(
            f"The model itself says **{told.model_level}**, relevance {told.relevance:.0%}: "
            f"{for_markdown(told.explanation)}"
        )


def _interval(told: Consensus) -> str:
    if told.interval is None:
        return ""
    high, low = told.interval
    return f" · 95% of draws: {high if high is low else f'{high} to {low}'}"


def _sensitivity(told: Consensus, places: dict[str, int]) -> None:
    """Which papers the level hangs on, by the level that it would be without each of them."""
    if told.level is None:
        return
    if not told.sensitivity:
        st.caption("No single paper changes the level.")
        return
    papers = {paper.paper_id: paper for paper in told.papers}
    by_level: dict[ConsensusLevel | None, list[str]] = {}
    for one in told.sensitivity:
        by_level.setdefault(one.level, []).append(short_link(papers[one.paper_id], places))
    for level, links in by_level.items():
        any_of = "any one of " if len(links) > 1 else ""
        words = NOT_ENOUGH.lower() if level is None else level
        st.markdown(f":small[Without {any_of}{', '.join(links)}: **{words}**]")


def _listing(stances: Sequence[Stance], papers: Sequence[Paper], places: dict[str, int]) -> None:
    if stances:
        with st.container(key="consensus-stances"):
            groups(stances, papers, places)
