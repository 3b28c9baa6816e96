"""The timeline of a question, in the map tab."""

import streamlit as st

from pathfinder.addons.timeline.figure import describe_timeline, timeline_figure
from pathfinder.addons.timeline.timeline import timeline_of
from pathfinder.facade import Pathfinder
from pathfinder.landscape.figures.plotting import PLOT_CONFIG
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import SearchResult
from pathfinder.ui.shared import jobs, resources

SIZES = (50, 100, 200, 500)


def panel(pf: Pathfinder, result: SearchResult) -> None:
    """Draw the timeline, with the consensus over time if *Do the papers agree?* has computed it."""
    n_papers = st.selectbox("Best matches, listed or not", SIZES, index=1, key="timeline-papers", width=200)
    timeline = timeline_of(pf, result, n_papers, jobs.result_of(jobs.HISTORY))
    st.plotly_chart(timeline_figure(timeline), key="timeline-figure", config=PLOT_CONFIG)
    st.caption(for_markdown(describe_timeline(timeline)))
    for note in timeline.notes:
        st.caption(for_markdown(f"{note}."))
    if timeline.consensus is None and pf.chat is not None:
        st.caption("*Over time*, under *Do the papers agree?*, adds what they agree on to this timeline.")
    if timeline.first_mentions:
        lines = [
            f"- {mention.paper.year}: {for_markdown(mention.term)} in {resources.title_link(mention.paper)}"
            for mention in timeline.first_mentions
        ]
        st.markdown("\n".join(("**First mentions**", "", *lines)))
