"""Similar papers: to one from the list of a question, in its place; on the page Similar, to examples that are chosen by
title or by pasted text.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.retrieval.likeness import describe
from pathfinder.retrieval.request_records import record_of_request
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Likeness, SearchRequest, Weighting
from pathfinder.ui.settings.copied_call import WEIGHTS
from pathfinder.ui.shared import state
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.visit_corpus import write_link

N_MATCHES = 4
"""Number of matching titles offered while the reader types."""

_MORE, _LESS, _VIEW, _BESIDE = (f"similar-{name}" for name in ("more", "less", "view", "beside"))


def open_link(pf: Pathfinder) -> tuple[str, ...]:
    """Read the papers in the address on the first run of a tab; return notes that name those not in this corpus."""
    if _MORE in st.session_state:
        return ()
    notes = []
    for key, name in ((_MORE, "like"), (_LESS, "unlike")):
        ids = list(dict.fromkeys(st.query_params.get_all(name)))
        known_ids = [i for i, row in zip(ids, pf.corpus.papers.rows_of(ids), strict=True) if row >= 0]
        st.session_state[key] = [i for i in known_ids if key == _MORE or i not in st.session_state[_MORE]]
        notes += [f"the link's paper {i!r} is not in this library and was ignored" for i in ids if i not in known_ids]
    return tuple(notes)


def choose(more: tuple[str, ...], less: tuple[str, ...] = ()) -> None:
    """Choose papers for the Similar page, which another page then opens."""
    st.session_state[_MORE], st.session_state[_LESS] = list(more), list(less)


def choose_beside(paper_id: str | None) -> None:
    """Choose the paper to which those in the list of the question that is asked are similar; none with `None`."""
    st.session_state[_BESIDE] = None if paper_id is None else (state.asked(), paper_id)


def in_place_of(pf: Pathfinder, question_view: state.ResultView) -> state.ResultView:
    """Return the papers similar to the one that was chosen from the list of a question, until another question is asked
    or none is chosen; otherwise `question_view`, which is its result.
    """
    question, paper_id = st.session_state.get(_BESIDE) or ("", "")
    if question != question_view.form.question:
        st.session_state[_BESIDE] = None
        return question_view
    request, hits = question_view.result.request, question_view.result.hits
    if not hits or pf.corpus.papers.rows_of([paper_id])[0] < 0:
        return question_view
    filters = {name: getattr(request, name) for name in ("as_of", "year_from", "year_to", "region")}
    return view(pf, Likeness((paper_id,)), {"top_k": len(hits), **filters}, question_view.form.weighting)


def chooser(pf: Pathfinder) -> Likeness | None:
    """Draw the choosers and return the examples; `None` until something has been chosen."""
    st.header("Similar to what?", anchor="like")
    title_words = st.text_input(
        "Find a paper by its title", key="similar-title", placeholder="part of a title, then press Enter"
    )
    rows = pf.corpus.papers.rows_with_title_words(title_words, N_MATCHES)
    if title_words.strip() and not len(rows):
        st.caption("No title contains all of these words.")
    for paper in pf.corpus.papers.take(rows):
        with st.container(gap="small"):
            st.markdown(for_markdown(paper.title) + ("" if paper.year is None else f" ({paper.year})"))
            with st.container(horizontal=True, gap="small"):
                st.button("More like this", key=f"more-{paper.paper_id}", on_click=_add, args=(_MORE, paper.paper_id))
                st.button("Less like this", key=f"less-{paper.paper_id}", on_click=_add, args=(_LESS, paper.paper_id))
    _examples(pf, _MORE, "More like these")
    _examples(pf, _LESS, "Less like these")
    text = st.text_area("Or paste an abstract", key="similar-text", height=120).strip()
    more, less = tuple(st.session_state[_MORE]), tuple(st.session_state[_LESS])
    write_link({name: list(ids) for name, ids in (("like", more), ("unlike", less)) if ids})
    if not (more or text):
        st.caption("Choose a paper, or paste an abstract.")
        return None
    return Likeness(more, less, text or None)


def _add(key: str, paper_id: str) -> None:
    for name in (_MORE, _LESS):
        others = [i for i in st.session_state[name] if i != paper_id]
        st.session_state[name] = [*others, paper_id] if name == key else others


def _examples(pf: Pathfinder, key: str, label: str) -> None:
    """List the papers of one kind, each with a button to remove it; draw nothing if there are none."""
    ids: list[str] = st.session_state[key]
    if not ids:
        return
    titles = {paper.paper_id: readable(paper.title) for paper in pf.corpus.papers.take(pf.corpus.papers.rows_of(ids))}
    widget = f"{key}-{'|'.join(ids)}"
    st.session_state.setdefault(widget, ids)

    def take_out() -> None:
        st.session_state[key] = list(st.session_state[widget])

    st.multiselect(label, ids, key=widget, format_func=titles.__getitem__, on_change=take_out)


def view(pf: Pathfinder, likeness: Likeness, filters: Mapping[str, Any], weighting: Weighting) -> state.ResultView:
    """Return the result: the result on screen, the same candidates reweighted, or a new search."""
    query = describe(likeness, pf.corpus.papers)
    request = SearchRequest(query, **filters, weighting=weighting, likeness=likeness)
    before: tuple[SearchRequest, state.ResultView] | None = st.session_state.get(_VIEW)
    if before is not None and before[1].result.corpus.version != pf.corpus.name.version:
        before = None  # the corpus has been updated since
    if before is not None and before[0] == request:
        return before[1]
    if before is not None and replace(before[0], weighting=weighting) == request:
        places = {hit.paper.paper_id: rank for rank, hit in enumerate(before[1].result.hits, start=1)}
        new_view = state.ResultView(Form(query), pf.reweigh(before[1].result, weighting), places)
    else:
        new_view = state.ResultView(Form(query), pf.search(request), {})
    st.session_state[_VIEW] = request, new_view
    return new_view


def call_body(request: SearchRequest) -> dict[str, Any]:
    """Return the body of the API call that finds the same papers; the body contains no weights."""
    likeness = _likeness(request)
    fields = {
        "papers": list(likeness.more),
        "less": list(likeness.less),
        "text": likeness.text,
        **{name: getattr(request, name) for name in ("top_k", "year_from", "year_to", "as_of")},
        "region": request.region and request.region.text,
    }
    return {name: value for name, value in fields.items() if value}


def left_out(request: SearchRequest) -> list[str]:
    """Return the parts of the search that the link to this page leaves out."""
    likeness, plain = _likeness(request), SearchRequest(request.query)
    filters = ("top_k", "year_from", "year_to")
    parts = {
        "the text": likeness.text is not None,
        "the filters": any(getattr(request, name) != getattr(plain, name) for name in filters),
        WEIGHTS: record_of_request(replace(plain, weighting=request.weighting)) != record_of_request(plain),
    }
    return [part for part, is_used in parts.items() if is_used]


def _likeness(request: SearchRequest) -> Likeness:
    if request.likeness is None:
        raise ValueError("this search has no examples")
    return request.likeness
