"""Badges: which stage really ran, read from the record and from nowhere else."""

from collections.abc import Iterable

import streamlit as st

from pathfinder.export.latex import for_markdown
from pathfinder.types import Spread, SearchResult, Stage

SPREAD_HELP = {
    Spread.ONE_CLUSTER: "The papers lie close together: they speak of one thing.",
    Spread.TWO_CLUSTERS: "The papers fall into two groups: the question may have two readings.",
    Spread.BROAD: "The papers lie far apart: the question is broad, or little in this corpus fits it.",
}


def badges(stages: Iterable[Stage]) -> None:
    """One badge a stage, with its name and what ran."""
    with st.container(horizontal=True, gap="small"):
        for stage in stages:
            seconds = "" if stage.seconds is None else f"{stage.seconds * 1000:,.0f} ms"
            st.badge(for_markdown(f"{stage.name}: {stage.ran}"), color="gray", help=seconds or None)


def what_ran(result: SearchResult) -> None:
    """The stages of a search, and how its hits lie together."""
    badges(result.stages)
    if (assessment := result.assessment) is None:
        return
    n_outliers = sum(bool(hit.outlier) for hit in result.hits)
    spread = "too few papers to tell their spread" if assessment.spread is None else f"spread: {assessment.spread.value}"
    flagged = "outliers: not told" if assessment.outliers is None else f"outliers: {n_outliers} of {len(result.hits)}"
    st.caption(
        f"Relevance {assessment.relevance:.0%} · {spread} · {flagged}",
        help=None if assessment.spread is None else SPREAD_HELP[assessment.spread],
    )
