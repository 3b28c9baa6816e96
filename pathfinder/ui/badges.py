"""Badges: which stage really ran, read from the record and from nowhere else."""

from collections.abc import Iterable

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.types import SearchResult, Spread, Stage

MAX_BADGE = 40
"""Characters of a badge that fit in one line of a phone."""

SPREAD_HELP = {
    Spread.ONE_CLUSTER: "The papers lie close together: they speak of one thing.",
    Spread.TWO_CLUSTERS: "The papers fall into two groups: the question may have two readings.",
    Spread.BROAD: "The papers lie far apart: the question is broad, or little in this corpus fits it.",
}


def badges(stages: Iterable[Stage]) -> None:
    """One badge a stage, with its name and what ran, in as few lines as they need."""
    st.markdown(" ".join(_badge(f"{stage.name}: {stage.ran}") for stage in stages))


def _badge(words: str) -> str:
    """Markdown of a badge; Streamlit cuts one that is wider than a phone, so a long one is drawn as marked text."""
    escaped = for_markdown(words)
    return f":gray-badge[{escaped}]" if len(words) <= MAX_BADGE else f":small[:gray-background[:gray[{escaped}]]]"


def what_is_open(pf: Pathfinder) -> None:
    """The corpus and the models of this server, and what a chat model would add."""
    corpus, manifest = pf.corpus.name, pf.corpus.manifest
    snapshot = "undated" if manifest.snapshot is None else f"as of {manifest.snapshot:%d %B %Y}"
    st.subheader("What is open here")
    st.markdown(
        f"- Corpus {for_markdown(corpus.name)}: {corpus.n_papers:,} papers, {snapshot}, version {corpus.version}\n"
        f"- Embedder: {for_markdown(pf.embedder.name)}\n"
        f"- Chat model: {'none' if pf.chat is None else for_markdown(pf.chat.name)}"
    )
    if pf.chat is None:
        st.caption(
            "With a chat model, answers are written out of the papers instead of being picked from them: set "
            "PATHFINDER_CHAT_MODEL (such as openai:gpt-4o-mini) and the provider's key, and start again."
        )


def judgement(result: SearchResult) -> None:
    """How far the papers bear on the question, and how they lie together."""
    st.caption(_judgement(result), help=_help(result))


def _help(result: SearchResult) -> str:
    """What the spread means, and the time that each stage took."""
    seconds = {stage.name: stage.seconds for stage in result.stages if stage.seconds is not None}
    took = f"{sum(seconds.values()) * 1000:,.0f} ms: " + ", ".join(
        f"{name} {taken * 1000:,.0f}" for name, taken in seconds.items()
    )
    spread = None if result.assessment is None else result.assessment.spread
    return for_markdown(took) if spread is None else f"{SPREAD_HELP[spread]}\n\n{for_markdown(took)}"


def _judgement(result: SearchResult) -> str:
    if (assessment := result.assessment) is None:
        return "not judged"
    n_outliers = sum(bool(hit.outlier) for hit in result.hits)
    spread = "too few papers to tell their spread" if assessment.spread is None else assessment.spread.value
    told = any(hit.outlier is not None for hit in result.hits)
    outliers = f"{n_outliers} of {len(result.hits)} are outliers" if told else "outliers cannot be told"
    return f"relevance {assessment.relevance:.0%} · {spread} · {outliers}"
