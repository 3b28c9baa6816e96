"""Review: from papers to a text, step by step; every step but the first comes from an add-on."""

from dataclasses import replace

import streamlit as st

from pathfinder.types import SearchRequest
from pathfinder.ui import pages, road
from pathfinder.ui.papers import paper_table
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.panels import Panel
from pathfinder.ui.stars import recent, stars

ANOTHER = "Another question"
_SIZES = (10, 25)
"""Numbers of papers that may be handed on in place of all."""
_FROM = "gather-from"


def gather() -> None:
    """Draw what a review can begin with, and the papers that it then has."""
    visit_corpus.write_link()
    pf = resources.pathfinder()
    first = road.gathered(pf)
    choices = {each.origin: each for each in (first, *road.beginnings(pf))}

    def choose() -> None:
        if (chosen := choices.get(str(st.session_state[_FROM]))) is not None:
            road.keep(chosen)

    labels = {each: each[:1].upper() + each[1:] for each in (*choices, ANOTHER)}
    at = [*choices].index(first.origin)
    origin = st.radio("Begin with", [*labels], at, key=_FROM, format_func=labels.__getitem__, on_change=choose)
    papers = choices.get(str(origin))
    if papers is None:
        question = st.text_input("Question", key="gather-question", placeholder="What should the papers be about?")
        if not question.strip():
            return
        papers = road.about(pf, SearchRequest(question.strip()), "your question")
        road.keep(papers)
    if papers.missing_ids:
        st.caption(papers.words)
    if sizes := [each for each in _SIZES if each < (n := len(papers.paper_ids))]:
        n = st.segmented_control("How many, the best first", [*sizes, n], default=n, key=f"gather-n-{n}", required=True)
        papers = replace(papers, paper_ids=papers.paper_ids[:n])
    begun = [way for way in recent.ways_back(pf, []) if papers.question and way.question == papers.question]
    road.onward(papers, road.next_steps(GATHER.order), begun[:1])
    rows = list(pf.corpus.papers.take(pf.corpus.papers.rows_of(papers.paper_ids)))
    about = [paper_table.row(paper) for paper in rows]
    paper_table.table("gather-table", papers.paper_ids, about, stars.open_shelf(), alt=f"{n} papers")
    paper_table.draw_opened(rows)


GATHER = Panel(10, "Gather", ":material/inbox:", gather)
pages.draw("review", {"gather": GATHER})
