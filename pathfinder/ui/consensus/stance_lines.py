"""Papers by stance, each with its quote and a link."""

from collections.abc import Sequence

import streamlit as st

from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper, Stance, StanceLabel
from pathfinder.ui.shared import resources

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
        uncounted = f", {len(of_label) - n_counted} not counted" if n_counted < len(of_label) else ""
        st.markdown(f"**{heading}** · {n_counted}{uncounted}")
        st.markdown("\n".join(_line(stance, paper, places) for stance, paper in sorted(of_label, key=_is_last)))


def _is_last(pair: tuple[Stance, Paper]) -> bool:
    return not pair[0].is_quote_found


def _line(stance: Stance, paper: Paper, places: dict[str, int]) -> str:
    """Return the Markdown of a paper with its quote."""
    year = "year unknown" if stance.year is None else str(stance.year)
    title = f"[{for_markdown(paper.title)}]({resources.paper_url(paper)})"
    place = short_link(paper, places) + " " if paper.paper_id in places else ""
    line = f"- {place}{title} :gray[{year}]"
    if not stance.is_quote_found:
        quote = f"“{for_markdown(stance.quote)}” " if stance.quote else ""
        return f"{line}  \n  :orange[not counted:] {quote}is not in the paper"
    address = f" ({for_markdown(stance.passage.address)})" if stance.passage else ""
    return f"{line}  \n  “{for_markdown(stance.quote)}”{address}" if stance.quote else line


def short_link(paper: Paper, places: dict[str, int]) -> str:
    """Return a Markdown link to a paper: to its card if it is listed, otherwise to the publication."""
    place = places.get(paper.paper_id)
    if place is None:
        return f"[{for_markdown(paper.title)}]({resources.paper_url(paper)})"
    return f"\\[[{place}](#paper-{place})\\]"
