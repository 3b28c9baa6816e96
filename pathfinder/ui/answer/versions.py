"""Shows the versions of a revised answer, and what changed between them, word by word."""

import html
from collections.abc import Sequence
from enum import StrEnum

import streamlit as st

from pathfinder.answering.modes.self_feedback import Fate, Stretch, difference
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Version


class ComparisonBase(StrEnum):
    """The version with which each version is compared."""

    BEFORE = "the previous version"
    DRAFT = "the draft"


HOW_TO_READ = "Underlined words were added; struck-out words were removed."
TAGS = {
    Fate.NEW: ("ins", "background:rgba(46,160,67,.22);text-decoration:underline"),
    Fate.GONE: ("del", "background:rgba(218,54,51,.2);text-decoration:line-through"),
}
"""Styles for changed text on light and dark backgrounds; the underline or strike-through is for readers who cannot
distinguish the colours.
"""


_VERBS = {Fate.NEW: "added", Fate.GONE: "removed"}


@st.fragment
def panel(answer: Answer) -> None:
    """Show every version with the point of the critique that led to it, compared with another version chosen by the
    reader; show nothing if there is only one version.
    """
    if len(answer.versions) < 2:
        return
    against = ComparisonBase(
        st.segmented_control(
            "Compare each version with",
            [*ComparisonBase],
            default=ComparisonBase.BEFORE,
            required=True,
            key="versions-against",
        )
    )
    st.caption(f"{len(answer.versions)} versions. {HOW_TO_READ}")
    last = len(answer.versions) - 1
    for place, version in enumerate(answer.versions):
        old = compared_with(answer.versions, place, against is ComparisonBase.DRAFT)
        stretches = difference(old.text, version.text) if old else (Stretch(Fate.SAME, version.text),)
        with st.expander(f"{for_markdown(version.label)}{_describe_counts(stretches)}", expanded=place == last):
            if version.because:
                st.caption(for_markdown(version.because))
            st.html(difference_html(stretches))


def compared_with(versions: Sequence[Version], place: int, is_draft: bool) -> Version | None:
    """Return the version with which the one at `place` is compared: the draft if `is_draft`, otherwise the previous
    version; `None` for the draft itself.
    """
    if place == 0:
        return None
    return versions[0] if is_draft else versions[place - 1]


def difference_html(stretches: Sequence[Stretch]) -> str:
    """Write HTML in which no text can become a tag, a link or an image."""
    body = "".join(_stretch_html(stretch) for stretch in stretches)
    return f'<div style="white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.6">{body}</div>'


def _stretch_html(stretch: Stretch) -> str:
    text = html.escape(stretch.text)
    if stretch.fate is Fate.SAME:
        return text
    tag, style = TAGS[stretch.fate]
    return f'<{tag} style="{style}">{text}</{tag}>'


def _describe_counts(stretches: Sequence[Stretch]) -> str:
    """Describe the number of changed words, as in " (words: 12 added, 3 removed)"; empty if nothing changed."""
    counts = {fate: sum(len(stretch.text.split()) for stretch in stretches if stretch.fate is fate) for fate in _VERBS}
    parts = [f"{n} {_VERBS[fate]}" for fate, n in counts.items() if n]
    return f" (words: {', '.join(parts)})" if parts else ""
