"""The road of a review: the papers that one step hands to the next.

Any step can be the first: it then gets the papers of the question on screen or of the last one, those of the open
shelf, or those of the first example of the field, so that it shows what it does.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import compress, islice

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.retrieval.weighting import weigh
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import SearchRequest, SearchResult
from pathfinder.ui.examples import examples
from pathfinder.ui.shared import frame, panels, state
from pathfinder.ui.shared.resources import BY_CORPUS
from pathfinder.ui.stars import stars
from pathfinder.ui.stars.recent import own_questions, request_in

N_GATHERED = 50
"""Number of papers gathered for a question, the best first."""
_MOST_NEXT = 3
_PAPERS, _STEP = "review-papers", "review-handed-to"


@dataclass(frozen=True, slots=True)
class Gathered:
    """Papers under review."""

    question: str
    """Question that they are about; empty if none was asked."""
    origin: str
    """Where they come from, as Markdown."""
    paper_ids: tuple[str, ...]
    shelf: str = ""
    """Name of the shelf that they are on; empty if they come from elsewhere."""
    missing_ids: tuple[str, ...] = ()
    """Papers that belong to them, but are not in the open library."""

    @property
    def words(self) -> str:
        """How many they are and where they come from, as Markdown."""
        n, n_missing = len(self.paper_ids), len(self.missing_ids)
        words = f"**{counted(n, 'paper')}** from {self.origin}"
        verb = "is" if n_missing == 1 else "are"
        return f"{words} ({n_missing:,} of {n + n_missing:,} {verb} not in this library)" if n_missing else words


def gathered(pf: Pathfinder) -> Gathered:
    """Return the papers in the library that were handed on last, or with which this reader's review would begin."""
    handed: Gathered | None = st.session_state.get(_PAPERS)
    if handed is not None and (here := _in_library(pf, handed)).paper_ids:
        return here
    return next(iter(beginnings(pf)))


def of_shelf(pf: Pathfinder, shelf: Shelf) -> Gathered:
    """Return the papers on a shelf that are not out."""
    return _in_library(pf, Gathered("", f"the shelf “{for_markdown(shelf.name)}”", shelf.inside, shelf.name))


def _in_library(pf: Pathfinder, papers: Gathered) -> Gathered:
    ids = (*papers.paper_ids, *papers.missing_ids)
    is_here = pf.corpus.papers.rows_of(ids) >= 0
    return replace(papers, paper_ids=tuple(compress(ids, is_here)), missing_ids=tuple(compress(ids, ~is_here)))


def beginnings(pf: Pathfinder) -> tuple[Gathered, ...]:
    """Return what a review can begin with, the nearest first; the example of the field is always the last."""
    found = []
    if (view := state.view()) is not None and view.result.corpus == pf.corpus.name and view.result.hits:
        found.append(_of_result(view.result, "your question"))
    else:
        with suppress(PathfinderError):  # the first page says why they cannot be read
            found += [about(pf, request_in(last), "your last question") for last in own_questions().links()[:1]]
    shelf = stars.open_shelf()
    if shelf is not None and len((on_shelf := of_shelf(pf, shelf)).paper_ids) > 1:
        found.append(on_shelf)
    example = examples(pf)[0]
    if all(each.question != example for each in found):
        found.append(about(pf, SearchRequest(example), "an example"))
    return tuple(found)


@st.cache_data(show_spinner="Gathering papers ...", max_entries=16, hash_funcs=BY_CORPUS)
def about(pf: Pathfinder, request: SearchRequest, origin: str) -> Gathered:
    """Gather the papers that match a question best."""
    return _of_result(pf.search(request), origin)


def _of_result(result: SearchResult, origin: str) -> Gathered:
    hits = weigh(result.candidates, result.request.weighting, N_GATHERED)
    where = "" if result.request.region is None else " in a region of the map"
    words = f"{origin}, “{for_markdown(result.request.query)}”{where}"
    return Gathered(result.request.query, words, tuple(hit.paper.paper_id for hit in hits if not hit.live))


def got(pf: Pathfinder) -> Gathered:
    """Say what a step got, with a way to gather other papers, and return it."""
    papers = gathered(pf)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(papers.words, width="content")
        if st.button("Gather others", key="review-others", icon=":material/arrow_back:", type="tertiary"):
            go("gather")
    return papers


def next_steps(order: int) -> dict[str, str]:
    """Return the labels of the first steps after this place in the order that take papers, by their names."""
    found = panels.registry("review.step")
    steps = sorted(zip(found.all(), found, strict=True), key=lambda step: step[0].order)
    later = ((name, step.invitation) for step, name in steps if step.order > order and step.invitation)
    return dict(islice(later, _MOST_NEXT))


def onward(papers: Gathered, steps: Mapping[str, str], begun: Sequence[panels.WayBack] = ()) -> None:
    """Offer to hand `papers` to `steps`, labels by name; what was `begun` with such papers comes first."""
    with st.container(horizontal=True):
        for way in begun:
            if st.button(for_markdown(way.label), key=f"review-{way.label}", icon=way.icon, type="primary", wrap=True):
                way.go()
        for place, (step, label) in enumerate(steps.items(), len(begun)):
            key = f"review-to-{step}"
            if st.button(label, key, type="secondary" if place else "primary", disabled=len(papers.paper_ids) < 2):
                st.session_state[_PAPERS], st.session_state[_STEP] = papers, step
                go(step)


def was_handed(step: str) -> bool:
    """Return whether papers were handed to `step` since the last call for it."""
    if st.session_state.get(_STEP) != step:
        return False
    del st.session_state[_STEP]
    return True


def go(step: str) -> None:
    """Open a step."""
    frame.go("review", step=step)


def keep(papers: Gathered) -> None:
    """Make `papers` those that every step gets."""
    st.session_state[_PAPERS] = papers
