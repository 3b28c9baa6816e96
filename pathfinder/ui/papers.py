"""The papers of a result: where each stands, why, and what it says."""

from urllib.parse import urlencode

import streamlit as st

from pathfinder.export.bibtex import bibtex
from pathfinder.export.latex import for_markdown
from pathfinder.export.links import paper_link
from pathfinder.export.tables import hits_csv
from pathfinder.retrieval.arguing.stability import Stability, stability
from pathfinder.types import Answer, Hit, Paper, SearchResult
from pathfinder.ui import waterfall
from pathfinder.ui.passages import excerpt, marked_abstract
from pathfinder.ui.score_bar import score_bar
from pathfinder.ui.state import View

MAX_AUTHORS, MAX_KEYWORDS = 3, 3
MAX_FOUND_BY = 2
"""Questions that are named on a card as those that found its paper."""


def listing(view: View) -> None:
    """Every hit as a card, best first, and the list to take home."""
    hits = view.result.hits
    st.subheader(f"{len(hits)} papers" if len(hits) != 1 else "1 paper", anchor="papers")
    if not hits:
        st.info("No paper was found. Widen the years, drop the filters, or ask with other words.")
        return
    request = view.result.request
    shaken = stability(view.result.candidates, request.weighting, request.top_k)
    for rank, hit in enumerate(hits, start=1):
        with st.container(border=True, key=f"paper-{rank}", gap="xsmall"):
            _card(rank, hit, view, shaken)
            waterfall.why_here(hit, view.result, shaken)
    waterfall.others(view.result)
    _downloads(view.result)


def short_list(view: View) -> None:
    """The papers, a line each, to be seen beside whatever is said of them; each leads to its card."""
    lines = [_line(rank, hit.paper) for rank, hit in enumerate(view.result.hits, start=1)]
    st.markdown("\n".join(lines) if lines else "No paper was found.")


def _line(rank: int, paper: Paper) -> str:
    by = paper.authors[0].partition(",")[0] if paper.authors else "authors unknown"
    facts = (
        f"{by}{' and others' if (paper.n_authors or len(paper.authors)) > 1 else ''}, {paper.year or 'year unknown'}"
    )
    return f"{rank}. :small[[{for_markdown(paper.title)}](#paper-{rank}) :gray[{for_markdown(facts)}]]"


def further(view: View, answer: Answer) -> None:
    """What the answer was made from besides the papers listed, numbered as the answer numbers it."""
    behind = answer.sources[len(view.result.hits) :]
    if not behind:
        return
    st.subheader("Also behind the answer", anchor=False)
    for place, paper in enumerate(behind, start=len(view.result.hits) + 1):
        with st.container(border=True, key=f"paper-{place}", gap="xsmall"):
            st.html(f'<div id="paper-{place}" style="scroll-margin-top:14rem"></div>')
            st.markdown(f"**{place}.** **[{for_markdown(paper.title)}]({paper_link(paper).url})**")
            st.caption(" · ".join((*facts(paper), f"[similar papers]({_similar_link(paper)})")))
            with st.expander("Summary" if paper.is_summary else "Abstract", type="compact"):
                st.markdown(for_markdown(paper.abstract))


def _card(rank: int, hit: Hit, view: View, shaken: Stability | None) -> None:
    paper = hit.paper
    outlier = " :orange-badge[outlier]" if hit.outlier else ""
    st.markdown(
        f"**{rank}.** **[{for_markdown(paper.title)}]({paper_link(paper).url})** {_moved(rank, hit, view)}{outlier}"
        f"{waterfall.sureness(hit, view.result, shaken)}"
    )
    st.caption(" · ".join((*facts(paper), f"[similar papers]({_similar_link(paper)})")))
    # Streamlit gives a container's key as a class and not as an id: this is what the marks of the answer lead to.
    bar = score_bar(hit.score, view.result.request.weighting)
    st.html(f'<div id="paper-{rank}" style="scroll-margin-top:14rem">{bar}</div>')
    if (passage := excerpt(hit)) is not None:
        st.markdown(passage)
    if hit.found_by:
        st.caption(for_markdown(_found_by(hit.found_by)))
    with st.expander("Summary" if paper.is_summary else "Abstract", type="compact"):
        st.markdown(marked_abstract(hit))
        if paper.keywords or paper.subjects:
            st.caption(for_markdown("Keywords: " + ", ".join((*paper.subjects, *paper.keywords))))


def _moved(rank: int, hit: Hit, view: View) -> str:
    """An arrow from the place that the paper had before the weights changed."""
    if not view.places_before:
        return ""
    before = view.places_before.get(hit.paper.paper_id)
    if before is None:
        return ":green-badge[new]"
    if before == rank:
        return ""
    return f":green-badge[▲ {before - rank}]" if before > rank else f":red-badge[▼ {rank - before}]"


def facts(paper: Paper) -> list[str]:
    """Authors, year, journal, citations and a few keywords of a paper, for Markdown."""
    told = [for_markdown(_authors(paper)), "year unknown" if paper.year is None else str(paper.year)]
    if paper.journal:
        told.append(for_markdown(paper.journal))
    told.append(_citations(paper.citation_count))
    keywords = {keyword.casefold(): keyword for keyword in (*paper.subjects, *paper.keywords)}
    return [*told, *(for_markdown(keyword) for keyword in list(keywords.values())[:MAX_KEYWORDS])]


def _similar_link(paper: Paper) -> str:
    """Of the Similar page, from any page beside it."""
    return f"similar?{urlencode({'like': paper.paper_id})}"


def _found_by(questions: tuple[str, ...]) -> str:
    more = len(questions) - MAX_FOUND_BY
    return "Found by: " + " · ".join(questions[:MAX_FOUND_BY]) + (f" · and {more} more" if more > 0 else "")


def _citations(count: int | None) -> str:
    if count is None:
        return "citations unknown"
    return "1 citation" if count == 1 else f"{count:,} citations"


def _authors(paper: Paper) -> str:
    if not paper.authors:
        return "authors unknown"
    named = paper.authors[:MAX_AUTHORS]
    more = max(paper.n_authors or 0, len(paper.authors)) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def _downloads(result: SearchResult) -> None:
    with st.container(horizontal=True):
        st.download_button("CSV", hits_csv(result).encode("utf-8-sig"), "pathfinder.csv", "text/csv", on_click="ignore")
        st.download_button(
            "BibTeX", bibtex([hit.paper for hit in result.hits]), "pathfinder.bib", "text/x-bibtex", on_click="ignore"
        )
