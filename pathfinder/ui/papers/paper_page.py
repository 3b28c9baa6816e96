"""A paper's page: a drawer at the right, opened by the paper's title, a row of the table or a key."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import streamlit as st

from pathfinder.fulltext.trails import citing_sentences
from pathfinder.operations.export.bibtex import bibtex
from pathfinder.retrieval.lookup.indexes import found_by_keywords
from pathfinder.settings import Settings
from pathfinder.shelves.shelf import Shelf
from pathfinder.sources.ads_lookup import AdsRecord, look_up
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.http.web import surroundings_of
from pathfinder.sources.live.asking import impatient
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName, Hit, Paper, PaperCitations
from pathfinder.ui.papers import waterfall
from pathfinder.ui.papers.full_text import full_text_panel
from pathfinder.ui.papers.paper_lines import facts, marked_abstract, marks, name_of_abstract
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import panels, resources, visit_corpus
from pathfinder.ui.shared.state import ResultView
from pathfinder.ui.shared.visit_entries import settings_of_visit
from pathfinder.ui.stars import stars

MAX_AUTHORS = 30
MAX_FOUND_BY = 2
"""Maximum number of questions that are listed as having found the paper."""
LONGEST_WAIT = 10.0
"""Maximum time in seconds that the page waits until ADS may be asked again."""
_OPENED = "opened-paper"


def open_paper(paper_id: str, part: str = "") -> None:
    """Open the page of a listed paper when the list is drawn next, with the part named by `part` unfolded."""
    st.session_state[_OPENED] = paper_id, part


def draw_opened(view: ResultView) -> None:
    """Draw the page of the paper that was opened, if one was."""
    paper_id, part = opened()
    for rank, hit in enumerate(view.result.hits, start=1):
        if hit.paper.paper_id == paper_id:
            drawer(hit.paper)(_page)(rank, hit, view, part)


def opened() -> tuple[str, str]:
    """Return the id of the paper that was opened since the last call, and the part to unfold; empty for none."""
    paper_id, part = st.session_state.pop(_OPENED, ("", ""))
    return str(paper_id), str(part)


def drawer(paper: Paper) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return what draws the page of a paper in a drawer."""
    return st.dialog(for_markdown(paper.title), width="medium", position="right", on_dismiss="rerun")


def _page(rank: int, hit: Hit, view: ResultView, part: str) -> None:
    paper, result = hit.paper, view.result
    head(paper, marks(hit), "page", None if hit.live else stars.open_shelf())
    if paper.has_abstract:
        st.markdown(f"**{name_of_abstract(paper)}**")
        st.markdown(marked_abstract(hit, result.question))
    if paper.keywords or paper.subjects:
        each = {keyword.casefold(): keyword for keyword in (*paper.keywords, *paper.subjects)}
        st.caption(for_markdown("Keywords: " + ", ".join(each.values())))
    if by_keywords := found_by_keywords(result, paper):
        st.caption(for_markdown("In its keywords: " + ", ".join(by_keywords)))
    if hit.found_by:
        more = len(hit.found_by) - MAX_FOUND_BY
        questions = " · ".join(hit.found_by[:MAX_FOUND_BY]) + (f" · and {more} more" if more > 0 else "")
        st.caption(for_markdown(f"Found by: {questions}"))
    full_text_panel(hit, result.question, result.corpus)
    citations_panel(hit, result.corpus)
    citing_sentences_panel(hit, result.corpus)
    with st.expander("Why here?", type="compact", key="page-why", on_change="rerun") as lid:
        if lid.open:
            waterfall.reasons(hit, result)
    with st.expander("Reference", type="compact", expanded=part == "reference"):
        st.code(reference(hit), language="latex", wrap_lines=True)
    if resources.is_in_ads():
        with st.expander("ADS record", type="compact", expanded=part == "ADS record"):
            _ads(hit, view)
    panels.draw("paper", result, rank, paper.paper_id)


def head(paper: Paper, marks: Iterable[tuple[str, str]], key: str, shelf: Shelf | None) -> None:
    """Draw the authors, what is known, the `marks`, the star (none without a `shelf`) and the way to the record."""
    authors = ", ".join(paper.authors[:MAX_AUTHORS]) or "authors unknown"
    n = paper.n_all_authors
    n_more = 0 if n is None else n - len(paper.authors[:MAX_AUTHORS])
    st.markdown(for_markdown(authors) + (", et al." if n is None else f" and {n_more:,} more" if n_more > 0 else ""))
    known = [for_markdown(paper.journal)] if paper.journal else []
    known += ["year unknown" if paper.year is None else str(paper.year)]
    known += [f"{paper.citation_count:,} citations"] if paper.citation_count is not None else []
    st.caption(" · ".join((*known, *(f":{colour}-badge[{for_markdown(words)}]" for colour, words in marks))))
    with st.container(horizontal=True, vertical_alignment="center"):
        stars.star(paper.paper_id, key, shelf)
        st.link_button("Open the record", resources.paper_url(paper), icon=":material/open_in_new:", type="tertiary")


def brief(paper: Paper | None, paper_id: str, *ties: str) -> None:
    """Name a paper as a link, with what is known of it after its `ties` to others; say so if the corpus lacks it."""
    if paper is not None:
        st.markdown(f"**{resources.title_link(paper)}**")
        st.caption(" · ".join((*ties, *facts(paper))))
    else:
        st.markdown(f"**{for_markdown(paper_id)}**")
        year = visit_corpus.year()
        where = "no longer in the library" if year is None else f"not in the library of {year}"
        st.caption(f"This paper is {where}.")


def reference(hit: Hit) -> str:
    """Return a paper as BibTeX."""
    return bibtex([hit.paper], {hit.paper.paper_id: hit.live} if hit.live else {})


def _ads(hit: Hit, view: ResultView) -> None:
    """Offer to look the paper up in ADS, for a reader with a token; nothing is stored. A corpus that is read as of a
    given year offers no look-up, because ADS knows only today's citations.
    """
    settings = settings_of_visit()
    if view.result.request.as_of is not None:
        st.caption("The library is read as of an earlier year, and ADS knows only today's citations.")
    elif settings.ads_api_token is None:
        st.caption(
            "To look the paper up in NASA ADS, enter a token on *Ask*, under *How to search and answer*, *Your own "
            "keys for live sources*."
        )
    elif st.button("Look it up", key="ads-look-up", icon=":material/search:"):
        with controls.reporting():
            record = looked_up(hit.paper, settings)
            if record is None:
                st.caption("ADS does not have this paper.")
                return
            n_cited = "unknown" if record.citation_count is None else f"{record.citation_count:,}"
            st.markdown(
                f"{for_markdown(record.bibcode)} · citations now: {n_cited} · references: {len(record.references):,}"
            )


def looked_up(paper: Paper, settings: Settings, clock: Clock | None = None) -> AdsRecord | None:
    """Return what ADS knows of a paper; `None` if it lacks it. Raises a `ProviderError` if it does not answer."""
    clock = clock or Clock()
    around = surroundings_of(settings, impatient(clock, clock.now() + LONGEST_WAIT), lambda _: None)
    return look_up([paper], settings, around).get(paper.paper_id)


# Citations to and from a paper within the corpus, listed once the reader opens the panel.

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
    if network is None or hit.live or pf.corpus.name != corpus:
        return
    n_cited, n_citing = len(network.references.of(hit.row)), len(network.citing.of(hit.row))
    label = f"In this library: cites {n_cited:,}, cited by {n_citing:,}"
    if not n_cited and not n_citing:
        return
    with st.expander(label, key=f"citations-{hit.row}", on_change="rerun", type="compact") as lid:
        if lid.open:
            st.markdown("\n".join(citation_lines(pf.citations_of(hit.paper.paper_id))))


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
            by = resources.title_link(each.paper)
            st.markdown(f"{for_markdown(f'“{each.sentence}”')} :small[{by}, {for_markdown(each.address)}]")
        if not citing:
            st.caption(f"None of the {len(pf.full_texts.texts)} full texts in this library cites this paper.")
        elif len(citing) > MAX_LISTED:
            st.caption(f"And {len(citing) - MAX_LISTED} more; `pathfinder fulltext cited` lists them all.")


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
        yield f"- {resources.title_link(paper)}, {paper.known_year or 'year unknown'}"
    if len(papers) > MAX_LISTED:
        yield f"- and {len(papers) - MAX_LISTED:,} more; `pathfinder cites` lists them all"
