"""Papers that are not on a shelf but that its papers cite or resemble."""

import streamlit as st

from pathfinder.session import Pathfinder
from pathfinder.session.shelves import MissingPaper, missing_papers
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.papers.papers import facts
from pathfinder.ui.shared import resources
from pathfinder.ui.stars import stars

N_PAPERS = 10


def panel(pf: Pathfinder, shelf: Shelf) -> None:
    """List the missing papers, each with its ties to the shelf."""
    st.caption(
        "Papers that those on this shelf cite or resemble. Papers that are out are not counted, either as citing or as "
        "resembled."
        if pf.corpus.network is not None
        else "Papers that resemble those on this shelf; this corpus has no citation network."
    )
    for each in missing_papers(pf, shelf, N_PAPERS):
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"**[{for_markdown(each.paper.title)}]({resources.paper_url(each.paper)})**")
            st.caption(" · ".join((_ties(each), *facts(each.paper))))
            stars.star(each.paper.paper_id, f"missing-{each.paper.paper_id}", shelf)


def _ties(missing: MissingPaper) -> str:
    ties = []
    if missing.n_cited_by:
        papers = "1 paper" if missing.n_cited_by == 1 else f"{missing.n_cited_by} papers"
        ties.append(f"**cited by {papers} here**")
    if missing.similar_rank is not None:
        ties.append(f"**likeness: rank {missing.similar_rank}**")
    return ", ".join(ties)
