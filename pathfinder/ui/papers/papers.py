"""Papers of a result: their ranks, the reasons for these ranks, and their text."""

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

import streamlit as st

from pathfinder.export.bibtex import bibtex
from pathfinder.export.tables import hits_csv
from pathfinder.retrieval.explanation.stability import Stability, stability
from pathfinder.retrieval.lookup.indexes import found_by_keywords
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.author_names import parse_name
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Hit, Paper, Passage, SearchResult
from pathfinder.ui.papers import paper_table, selection, waterfall
from pathfinder.ui.papers.citations import citations_panel, citing_sentences_panel
from pathfinder.ui.papers.figures import figures_strip
from pathfinder.ui.papers.full_text import full_text_panel
from pathfinder.ui.papers.waterfall import score_bar
from pathfinder.ui.shared import panels, resources
from pathfinder.ui.shared.state import ResultView
from pathfinder.ui.shared.visit_corpus import link_parameters
from pathfinder.ui.stars import stars

MAX_AUTHORS, MAX_KEYWORDS = 3, 3
MAX_FOUND_BY = 2
"""Maximum number of questions that a card lists as having found the paper."""

MAX_CHARACTERS = 280
"""Maximum number of characters of a passage that the line under the title shows; in the abstract, the whole passage is
highlighted.
"""


def listing(view: ResultView, answer: Answer | None = None) -> None:
    """Draw the hits, best first, as cards to read or as a table to work with, followed by the downloads.

    The table includes findings from `answer`, which is `None` if there is no answer yet.
    """
    hits = view.result.hits
    st.subheader(f"{len(hits)} papers" if len(hits) != 1 else "1 paper", anchor="papers")
    if not hits:
        st.info("No papers were found. Widen the range of years, remove filters, or rephrase the question.")
        return
    figures_strip(view)
    paper_table.switch()
    shown_as = paper_table.shown_as()
    if shown_as == paper_table.TABLE:
        paper_table.table(view, answer)
    elif shown_as == paper_table.CARDS:
        _cards(view)
    else:
        _chosen(hits, panels.panels(paper_table.VIEWS)[shown_as])
    waterfall.others(view.result)
    _downloads(view.result)


def _chosen(hits: Sequence[Hit], draw: Callable[..., None]) -> None:
    """Draw the selected hits, or all hits if none is selected; those that are not in the corpus are left out."""
    selected_hits = selection.selected_hits(hits)
    paper_ids = [hit.paper.paper_id for hit in selected_hits or hits if hit.live is None]
    if selected_hits:
        st.caption("Only the selected papers are shown.")
    if len(paper_ids) < len(selected_hits or hits):
        st.caption("Papers from live sources are left out.")
    draw(resources.pathfinder(), paper_ids)


def _cards(view: ResultView) -> None:
    request = view.result.request
    rank_stability = stability(view.result.candidates, request.weighting, request.top_k)
    shelf = stars.open_shelf()
    for rank, hit in enumerate(view.result.hits, start=1):
        with st.container(border=True, key=f"paper-{rank}", gap="xsmall"):
            _card(rank, hit, view, rank_stability, shelf)
            full_text_panel(hit, view.result.question, view.result.corpus)
            citations_panel(hit, view.result.corpus)
            citing_sentences_panel(hit, view.result.corpus)
            waterfall.why_here(hit, view.result, rank_stability)
            panels.draw("paper", view.result, rank, hit.paper.paper_id)


def short_list(view: ResultView) -> None:
    """List the papers next to the other tabs, one line each, with a link to the paper's card."""
    selected_ids = set(selection.selected_ids())
    lines = [
        _line(rank, hit.paper, _move_mark(rank, hit, view), is_selected=hit.paper.paper_id in selected_ids)
        for rank, hit in enumerate(view.result.hits, start=1)
    ]
    with st.container(key="short-list"):
        st.markdown("\n".join(lines) if lines else "No papers were found.")
        hits = [(rank, hit) for rank, hit in enumerate(view.result.hits, start=1) if not hit.live]
        stars.row({hit.paper.paper_id: str(rank) for rank, hit in hits}, "short-list")


def _line(rank: int, paper: Paper, move_mark: str, *, is_selected: bool) -> str:
    by = parse_name(paper.authors[0]).last if paper.authors else "authors unknown"
    facts = (
        f"{by}{' and others' if (paper.n_authors or len(paper.authors)) > 1 else ''}, {paper.year or 'year unknown'}"
    )
    mark = ":blue-badge[selected] " if is_selected else ""
    mark += _warning(paper) + " " if paper.warning else ""
    return (
        f"{rank}. :small[{mark}[{for_markdown(paper.title)}](#paper-{rank}) {move_mark} :gray[{for_markdown(facts)}]]"
    )


def further(view: ResultView, answer: Answer) -> None:
    """List the answer's sources that are not among the listed papers, numbered as in the answer."""
    behind = answer.sources[len(view.result.hits) :]
    if not behind:
        return
    st.subheader("Other papers used in the answer", anchor=False)
    shelf = stars.open_shelf()
    for place, paper in enumerate(behind, start=len(view.result.hits) + 1):
        with st.container(border=True, key=f"further-{place}", gap="xsmall"):
            st.html(f'<div id="paper-{place}" style="scroll-margin-top:14rem"></div>')
            st.markdown(f"**{place}.** **[{for_markdown(paper.title)}]({resources.paper_url(paper)})**")
            st.caption(" · ".join((*facts(paper), f"[similar papers]({_similar_link(paper)})")))
            stars.star(paper.paper_id, f"further-{place}", shelf)
            if paper.has_abstract:
                with st.expander("Summary" if paper.is_summary else "Abstract", type="compact"):
                    st.markdown(for_markdown(paper.abstract))


def _card(rank: int, hit: Hit, view: ResultView, rank_stability: Stability | None, shelf: Shelf | None) -> None:
    paper = hit.paper
    marks = "" if paper.has_abstract else " :gray-badge[no abstract]"
    marks += " :orange-badge[outlier]" if hit.outlier else ""
    marks += f" :violet-badge[{for_markdown(hit.live)}]" if hit.live else ""
    st.markdown(
        f"**{rank}.** **[{for_markdown(paper.title)}]({resources.paper_url(paper)})** {_move_mark(rank, hit, view)}"
        f"{marks}{waterfall.sureness(hit, view.result, rank_stability)}"
    )
    similar = (
        () if hit.live else (f"[similar papers]({_similar_link(paper)})",)
    )  # Only papers in the corpus have neighbours.
    st.caption(" · ".join((*facts(paper), *similar)))
    # Streamlit turns a container's key into a class, not an id; the answer's citation marks link to this id.
    bar = score_bar(hit.score, view.result.request.weighting)
    st.html(f'<div id="paper-{rank}" style="scroll-margin-top:14rem">{bar}</div>')
    with st.container(horizontal=True, gap="small"):
        _select_button(rank, paper.paper_id)
        if not hit.live:  # a shelf holds only papers in the corpus
            stars.star(paper.paper_id, f"paper-{rank}", shelf)
    if (passage := excerpt(hit)) is not None:
        st.markdown(passage)
    if by_keywords := found_by_keywords(view.result, paper):
        st.caption(for_markdown("In its keywords: " + ", ".join(by_keywords)))
    if hit.found_by:
        st.caption(for_markdown(_found_by(hit.found_by)))
    if not (paper.has_abstract or paper.keywords or paper.subjects):
        return
    label = "Keywords" if not paper.has_abstract else "Summary" if paper.is_summary else "Abstract"
    with st.expander(label, type="compact"):
        if paper.has_abstract:
            st.markdown(marked_abstract(hit))
        if paper.keywords or paper.subjects:
            st.caption(for_markdown("Keywords: " + ", ".join((*paper.subjects, *paper.keywords))))


def _select_button(rank: int, paper_id: str) -> None:
    is_selected = paper_id in selection.selected_ids()
    st.button(
        "Selected" if is_selected else "Select",
        key=f"select-{rank}",
        on_click=selection.toggle,
        args=(paper_id,),
        type="tertiary",
        icon=":material/check_box:" if is_selected else ":material/check_box_outline_blank:",
    )


def _move_mark(rank: int, hit: Hit, view: ResultView) -> str:
    """Return a badge that shows how many places the paper has moved since the weights were changed, or that it is new
    in the list.
    """
    if not view.places_before:
        return ""
    before = view.places_before.get(hit.paper.paper_id)
    if before is None:
        return ":green-badge[new]"
    if before == rank:
        return ""
    return f":green-badge[▲ {before - rank}]" if before > rank else f":red-badge[▼ {rank - before}]"


def facts(paper: Paper) -> list[str]:
    """List the warning, authors, year, journal, citations and a few keywords of a paper, as Markdown."""
    parts = [_warning(paper)] if paper.warning else []
    parts += [for_markdown(_authors(paper)), "year unknown" if paper.year is None else str(paper.year)]
    if paper.journal:
        parts.append(for_markdown(paper.journal))
    parts.append(_citations(paper.citation_count))
    keywords = {keyword.casefold(): keyword for keyword in (*paper.subjects, *paper.keywords)}
    return [*parts, *(for_markdown(keyword) for keyword in list(keywords.values())[:MAX_KEYWORDS])]


def _warning(paper: Paper) -> str:
    """Return a badge for a paper that was withdrawn or retracted; nothing for any other."""
    return f":red-badge[{for_markdown(paper.warning)}]" if paper.warning else ""


def _similar_link(paper: Paper) -> str:
    """Return a link to the Similar page, relative to any other page."""
    return f"similar?{urlencode({'like': paper.paper_id} | link_parameters())}"


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
    names = paper.authors[:MAX_AUTHORS]
    more = max(paper.n_authors or 0, len(paper.authors)) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _downloads(result: SearchResult) -> None:
    """Offer the selected papers as files, or all papers if none is selected."""
    selection_hits = selection.selected_hits(result.hits)
    with st.container(horizontal=True, vertical_alignment="center"):
        if selection_hits:
            st.markdown(f"{len(selection_hits)} selected", width="content")
            stars.star_all(tuple(hit.paper.paper_id for hit in selection_hits if not hit.live))
        table, papers = (
            hits_csv(result, selection_hits or result.hits),
            [hit.paper for hit in selection_hits or result.hits],
        )
        live = {hit.paper.paper_id: hit.live for hit in selection_hits or result.hits if hit.live}
        st.download_button("CSV", table.encode("utf-8-sig"), "pathfinder.csv", "text/csv", on_click="ignore")
        st.download_button("BibTeX", bibtex(papers, live), "pathfinder.bib", "text/x-bibtex", on_click="ignore")
        if selection_hits:
            st.button("Clear the selection", type="tertiary", on_click=selection.clear)


def excerpt(hit: Hit) -> str | None:
    """Return the best passage as Markdown, cut at the end of a word and never within a formula; `None` if no
    passage is known, or if the best one is the whole abstract.
    """
    if not hit.passages or _is_whole(hit.passages[0], hit.paper.abstract):
        return None
    text = " ".join(hit.paper.abstract[hit.passages[0].start : hit.passages[0].end].split())
    if len(text) > MAX_CHARACTERS:
        text = text[:MAX_CHARACTERS].rsplit(" ", 1)[0]
        if text.count("$") % 2:
            text = text[: text.rindex("$")].rstrip()
        text = f"{text} …"
    return for_markdown(f"“{text}”")


def marked_abstract(hit: Hit) -> str:
    """Return the abstract as Markdown, with the best passage highlighted.

    Only the best passage is highlighted: passages cover the whole abstract, and highlighting all of them would
    highlight nothing.
    """
    abstract = hit.paper.abstract
    if not hit.passages or _is_whole(hit.passages[0], abstract):
        return for_markdown(abstract)
    best = hit.passages[0]
    before, after = for_markdown(abstract[: best.start]), for_markdown(abstract[best.end :])
    highlight = f":blue-background[{for_markdown(abstract[best.start : best.end])}]"
    return " ".join(part for part in (before, highlight, after) if part)


def _is_whole(passage: Passage, abstract: str) -> bool:
    return passage.start == 0 and passage.end >= len(abstract.rstrip())
