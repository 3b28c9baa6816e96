"""Papers of the shelf that a draft never cites, and citations that are not on the shelf or not in the corpus."""

from collections.abc import Sequence

import streamlit as st

from pathfinder.drafts.draft import ReviewDraft
from pathfinder.session import Pathfinder
from pathfinder.session.drafts import papers_of
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.papers.papers import facts
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.stars import stars


def panel(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    """Draw the lists."""
    compared = pf.draft_coverage(draft, shelf)
    n = len(draft.cited)
    st.markdown(
        f"The draft cites **{n} of the {len(shelf.inside)} papers** on the shelf." if n else "It cites no paper yet."
    )
    _papers(pf, shelf, "On the shelf, never cited", compared.uncited)
    _papers(pf, shelf, "Cited, but not on the shelf", compared.off_shelf)
    if lost := [paper_id for paper_id in compared.lost if paper_id not in compared.off_shelf]:
        _papers(pf, shelf, "Cited, but not in the corpus", lost)
    if compared.n_without_citation:
        st.caption(f"Your own sentences that cite no paper: {compared.n_without_citation}.")


def _papers(pf: Pathfinder, shelf: Shelf, heading: str, ids: Sequence[str]) -> None:
    st.markdown(f"##### {heading}: {len(ids)}")
    known = {paper.paper_id: paper for paper in papers_of(pf, ids)}
    for paper_id in ids:
        paper = known.get(paper_id)
        with st.container(border=True, gap="xsmall", key=f"draft-listed-{paper_id}"):
            if paper is None:
                st.markdown(f"**{for_markdown(paper_id)}**")
                st.caption(visit_corpus.describe_missing_paper())
                continue
            st.markdown(f"**[{for_markdown(paper.title)}]({resources.paper_url(paper)})**")
            st.caption(" · ".join(facts(paper)))
            stars.star(paper_id, f"draft-{paper_id}", shelf)
