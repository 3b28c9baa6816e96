"""Papers by what they say, each with its sentence and the way to it."""

from collections.abc import Sequence

import streamlit as st

from pathfinder.export.latex import for_markdown
from pathfinder.export.links import paper_link
from pathfinder.types import Paper, Stance, StanceLabel

HEADINGS = {
    StanceLabel.SUPPORTS: ":blue[For it]",
    StanceLabel.REFUTES: ":orange[Against it]",
    StanceLabel.MIXED: "Mixed",
    StanceLabel.IRRELEVANT: ":gray[Does not bear on it]",
}


def groups(stances: Sequence[Stance], papers: Sequence[Paper], places: dict[str, int]) -> None:
    """The papers of each stance, those whose quote was not found at the end of theirs."""
    both = list(zip(stances, papers, strict=True))
    for label, heading in HEADINGS.items():
        said = [pair for pair in both if pair[0].label is label]
        if not said:
            continue
        n_counted = sum(stance.is_quote_found for stance, _ in said)
        uncounted = f", {len(said) - n_counted} not counted" if n_counted < len(said) else ""
        st.markdown(f"**{heading}** · {n_counted}{uncounted}")
        st.markdown("\n".join(_line(stance, paper, places) for stance, paper in sorted(said, key=_is_last)))


def _is_last(pair: tuple[Stance, Paper]) -> bool:
    return not pair[0].is_quote_found


def _line(stance: Stance, paper: Paper, places: dict[str, int]) -> str:
    """Markdown of a paper with its sentence."""
    year = "year unknown" if stance.year is None else str(stance.year)
    title = f"[{for_markdown(paper.title)}]({paper_link(paper).url})"
    place = short_link(paper, places) + " " if paper.paper_id in places else ""
    line = f"- {place}{title} :gray[{year}]"
    if not stance.is_quote_found:
        said = f"“{for_markdown(stance.quote)}” " if stance.quote else ""
        return f"{line}  \n  :orange[not counted:] {said}does not stand in the paper"
    return f"{line}  \n  “{for_markdown(stance.quote)}”" if stance.quote else line


def short_link(paper: Paper, places: dict[str, int]) -> str:
    """Markdown of the way to a paper: to its card where it is listed, or to where it was published."""
    place = places.get(paper.paper_id)
    if place is None:
        return f"[{for_markdown(paper.title)}]({paper_link(paper).url})"
    return f"\\[[{place}](#paper-{place})\\]"
