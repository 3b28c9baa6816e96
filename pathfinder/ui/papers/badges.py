"""Badges for the stages that ran in a search, taken only from the search's record."""

from collections.abc import Iterable

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.models.ports import KeylessEmbedder
from pathfinder.text.latex.display import for_markdown, with_options
from pathfinder.types import Stage, StageOutcome, StageStatus

MAX_BADGE = 40
"""Maximum number of characters in a badge that fits on one line on a phone."""

_WITHOUT_KEY = ", whose key is not set: papers are searched by words alone"


def badges(stages: Iterable[Stage], status: Iterable[StageStatus] = ()) -> None:
    """Draw a badge for each stage that ran, in orange if it did not run as requested."""
    marks = {entry.name: entry.status in (StageOutcome.SUBSTITUTED, StageOutcome.FAILED) for entry in status}
    st.markdown(" ".join(_badge(f"{stage.label}: {stage.ran}", marks.get(stage.name, False)) for stage in stages))


def _badge(words: str, is_fallback: bool) -> str:
    """Return a badge as Markdown. Streamlit truncates badges wider than a phone screen, so a long one is drawn as
    highlighted text instead.
    """
    safe_words = with_options(words)
    colour = "orange" if is_fallback else "gray"
    is_short = len(words) <= MAX_BADGE
    return f":{colour}-badge[{safe_words}]" if is_short else f":small[:{colour}-background[:{colour}[{safe_words}]]]"


def what_is_open(pf: Pathfinder) -> None:
    """Show the corpus and the models available on this server, and what a chat model would add."""
    corpus, manifest = pf.corpus.name, pf.corpus.manifest
    is_keyless = isinstance(pf.embedder, KeylessEmbedder)
    snapshot = "undated" if manifest.snapshot is None else f"as of {manifest.snapshot:%d %B %Y}"
    st.subheader("This server")
    st.markdown(
        f"- Library {for_markdown(corpus.name)}: {corpus.n_papers:,} papers, {snapshot}, version {corpus.version}\n"
        f"- Embedder: {for_markdown(pf.embedder.name)}{_WITHOUT_KEY if is_keyless else ''}\n"
        f"- Chat model: {'none' if pf.chat is None else for_markdown(pf.chat.name)}"
    )
    if pf.chat is None:
        st.caption(
            "With a chat model, answers are written from the papers rather than quoted from them: set "
            "PATHFINDER_CHAT_MODEL (for example to openai:gpt-4o-mini) and the provider's key, then restart Pathfinder."
        )
