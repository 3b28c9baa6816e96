"""Citations to and from a paper within the corpus, on the paper's card; listed once the reader opens the panel."""

from collections.abc import Iterator, Sequence

import streamlit as st

from pathfinder.corpus.network import CitationNetwork
from pathfinder.fulltext.trails import citing_sentences
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName, Hit, Paper, PaperCitations
from pathfinder.ui.shared import resources

MAX_LISTED = 10
"""Maximum number of papers under one heading."""
MAX_CO_CITED = 3


@st.fragment
def citations_panel(hit: Hit, corpus: CorpusName) -> None:
    """List what a paper cites in the corpus of its result, and what cites it there; draw nothing if there is neither,
    or if a different corpus is now open.
    """
    pf = resources.pathfinder()
    network = pf.corpus.network
    if network is None or hit.live or pf.corpus.name != corpus or (label := _label(network, hit.row)) is None:
        return
    with st.expander(label, key=f"citations-{hit.row}", on_change="rerun", type="compact") as lid:
        if lid.open:
            _draw(pf, hit.paper.paper_id)


@st.fragment
def citing_sentences_panel(hit: Hit, corpus: CorpusName) -> None:
    """Quote the sentences in full texts that cite a paper, once the reader opens the panel; draw nothing if no other
    paper has a full text, or if a different corpus is now open.
    """
    pf = resources.pathfinder()
    if hit.live or pf.corpus.name != corpus or not set(pf.full_texts.texts) - {hit.paper.paper_id}:
        return
    with st.expander("Cited in full texts", key=f"cited-{hit.row}", on_change="rerun", type="compact") as lid:
        if not lid.open:
            return
        citing = [*citing_sentences(hit.paper, pf.full_texts, pf.corpus.papers)]
        for each in citing[:MAX_LISTED]:
            by = f"[{for_markdown(each.paper.title)}]({resources.paper_url(each.paper)})"
            st.markdown(f"{for_markdown(f'“{each.sentence}”')} :small[{by}, {for_markdown(each.address)}]")
        if not citing:
            st.caption(f"None of the {len(pf.full_texts.texts)} full texts in this library cites this paper.")
        elif len(citing) > MAX_LISTED:
            st.caption(f"And {len(citing) - MAX_LISTED} more; `pathfinder fulltext cited` lists them all.")


def _label(network: CitationNetwork, row: int) -> str | None:
    n_cited, n_citing = len(network.references.of(row)), len(network.citing.of(row))
    return f"In this library: cites {n_cited:,}, cited by {n_citing:,}" if n_cited or n_citing else None


def _draw(pf: Pathfinder, paper_id: str) -> None:
    st.markdown("\n".join(citation_lines(pf.citations_of(paper_id))))


def citation_lines(citations: PaperCitations) -> Iterator[str]:
    """Yield the references, the citing papers and the closest co-cited papers as Markdown."""
    yield from _paper_lines("Cites", citations.references)
    if n := len(citations.outside):
        works = "1 other work" if n == 1 else f"{n:,} other works"
        yield f"\nThis paper also cites {works} not in the library."
    yield from _paper_lines("Cited by", citations.cited_by)
    yield from _paper_lines("Often cited together with it", [each.paper for each in citations.co_cited[:MAX_CO_CITED]])


def _paper_lines(heading: str, papers: Sequence[Paper]) -> Iterator[str]:
    if not papers:
        return
    yield f"\n**{heading}**\n"
    for paper in papers[:MAX_LISTED]:
        yield f"- [{for_markdown(paper.title)}]({resources.paper_url(paper)}), {paper.known_year or 'year unknown'}"
    if len(papers) > MAX_LISTED:
        yield f"- and {len(papers) - MAX_LISTED:,} more; `pathfinder cites` lists them all"
