"""Review: from papers to a text, step by step; every step but the first comes from an add-on."""

from collections.abc import Mapping

import streamlit as st

from pathfinder.text.latex.display import readable
from pathfinder.ui import pages, road
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.panels import Panel

ANOTHER = "Another question"
_FROM = "gather-from"


def gather() -> None:
    """Draw what a review can begin with, and the papers that it then has."""
    visit_corpus.write_link()
    pf = resources.pathfinder()
    first = road.gathered(pf)
    choices = {each.origin: each for each in (*road.beginnings(pf), first)}
    origin = st.radio(
        "Begin with",
        [*choices, ANOTHER],
        [*choices].index(first.origin),
        key=_FROM,
        format_func=lambda each: each[:1].upper() + each[1:],
        on_change=_choose,
        args=(choices,),
    )
    papers = choices.get(str(origin))
    if papers is None:
        question = st.text_input("Question", key="gather-question", placeholder="What should the papers be about?")
        if not question.strip():
            return
        papers = road.about(pf, question.strip(), "your question")
        road.keep(papers)
    if papers.missing_ids:
        st.caption(papers.words)
    n = len(papers.paper_ids)
    road.onward(
        papers,
        {"screen": f"Screen these {n:,}", "table": "Compare them in a table", "tensions": "See where they disagree"},
    )
    rows = pf.corpus.papers.take(pf.corpus.papers.rows_of(papers.paper_ids))
    st.dataframe(
        [
            {"Title": readable(paper.title), "Year": paper.known_year, "Authors": readable("; ".join(paper.authors))}
            for paper in rows
        ],
        column_config={
            "Title": st.column_config.TextColumn(width="large"),
            "Year": st.column_config.NumberColumn(format="%d", width=70),
        },
        hide_index=True,
        placeholder="",
        alt=f"{n} papers",
    )


def _choose(choices: Mapping[str, road.Gathered]) -> None:
    if (papers := choices.get(str(st.session_state[_FROM]))) is not None:
        road.keep(papers)


pages.draw("review", {"gather": Panel(10, "Gather", ":material/inbox:", gather)})
