"""Findings that disagree, from the papers in a result, side by side."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import streamlit as st

from pathfinder.addons.tensions.operation import describe_tensions, tensions_csv
from pathfinder.addons.tensions.outcome import Tension, TensionKind, Tensions
from pathfinder.addons.tensions.tensions import find_tensions, tensions_of
from pathfinder.facade import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import SearchResult
from pathfinder.ui import road
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.panels import Panel
from pathfinder.ui.shared.state import kept

SIZES = (10, 30, 60, 100)
_LAST_TENSIONS = "tensions-found"
_CAUTION = "Found by rules, and often wrong: read both sentences."
_HOW = (
    "Pairs of papers whose values in the same unit are 3 to 10 sigma apart, or in which one paper denies a "
    "statement in the other. Of 75 pairs that an earlier form of these rules found and that were read one by one, 18 "
    "were right."
)


@st.fragment
def tensions_panel(pf: Pathfinder, result: SearchResult, first_ids: Collection[str]) -> None:
    """Compare the papers of a result; a pair of those in `first_ids` comes first."""
    n_papers = st.selectbox("Best matches to compare", SIZES, index=1, key="tensions-papers")
    key = (pf.corpus.name, result.request, tuple(hit.row for hit in result.hits), n_papers)
    find = st.spinner("Comparing papers ...")(lambda: tensions_of(pf, result, n_papers))
    tensions = kept(_LAST_TENSIONS, key, find)
    places = {hit.paper.paper_id: rank for rank, hit in enumerate(result.hits, start=1)}
    first = sorted(tensions.tensions, key=lambda each: {side.paper.paper_id for side in each.sides} != set(first_ids))
    _draw(replace(tensions, tensions=tuple(first)), places)
    st.caption(_CAUTION, help=_HOW)


def draw() -> None:
    """Draw the step Tensions of Review."""
    visit_corpus.write_link()
    pf = resources.pathfinder()
    papers = road.got(pf)
    st.caption(_CAUTION, help=_HOW)
    _draw(_among(pf, papers.question, papers.paper_ids), {})
    road.onward(papers, road.next_steps(STEP.order))


STEP = Panel(40, "Tensions", ":material/call_split:", draw, "See where they disagree")


@st.cache_data(show_spinner="Comparing papers ...", max_entries=8, hash_funcs=resources.BY_CORPUS)
def _among(pf: Pathfinder, question: str, paper_ids: tuple[str, ...]) -> Tensions:
    papers = pf.corpus.papers.take(pf.corpus.papers.rows_of(paper_ids[: SIZES[-1]]))
    return find_tensions(question, list(papers), profile=pf.profile)


def _draw(tensions: Tensions, places: Mapping[str, int]) -> None:
    st.markdown(for_markdown(describe_tensions(tensions)))
    for tension in tensions.tensions:
        with st.container(border=True, gap="xsmall"):
            st.markdown("\n".join(_lines(tension, places)))
    if tensions.tensions:
        save("CSV", tensions_csv(tensions), "tensions.csv", type="tertiary")


def _lines(tension: Tension, places: Mapping[str, int]) -> Iterator[str]:
    both = "Both on " if tension.kind is TensionKind.STATEMENTS else ""
    yield f"**{both}{for_markdown(tension.subject)}**: {for_markdown(tension.reason)}\n"
    for side in tension.sides:
        rank = places.get(side.paper.paper_id)
        address = resources.paper_url(side.paper) if rank is None else f"#paper-{rank}"
        link, year = f"[{for_markdown(side.paper.title)}]({address})", side.paper.known_year or "year unknown"
        yield f"- {link}, {year}: {for_markdown(side.paper.quoted(side.quotation))}  "
        if side.method is not None and side.method != side.quotation:
            yield f"  :small[:gray[on the method: {for_markdown(side.paper.quoted(side.method))}]]"
    for each in tension.later:
        later = f"{resources.title_link(each.paper)}, {each.paper.known_year}"
        yield f"- later: {later}: {for_markdown(each.paper.quoted(each.quotation))}"
