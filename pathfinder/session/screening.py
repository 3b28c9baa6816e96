"""The pool of a screening, taken from an open corpus."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pathfinder.corpus.history.merges import open_list
from pathfinder.errors import UsageError
from pathfinder.retrieval.weighting import final_scores, ranking
from pathfinder.screening.choices import ScreeningVerdict
from pathfinder.screening.decisions import Screening
from pathfinder.screening.pool import FittedModel, ScreeningPool, complete_ranking, fit, make_pool, reading_order
from pathfinder.shelves.shelf import Shelf, State
from pathfinder.types import Rows, SearchRequest

if TYPE_CHECKING:
    from pathfinder.session.pathfinder import Pathfinder


N_PAPERS = 1000
"""Number of papers that are screened by default, counted from the top of a question's ranking."""
_STATES = {ScreeningVerdict.IN: State.IN, ScreeningVerdict.OUT: State.OUT, ScreeningVerdict.LATER: State.TO_READ}


def start_screening(
    pf: "Pathfinder", request: SearchRequest, n_papers: int | None = None, only: Sequence[str] | None = None
) -> Screening:
    """Start a screening of the first `n_papers` of the question's ranking, which contains only papers within the years
    of `request` and, if `only` is given, only papers with these ids. By default, all papers in `only` are screened or,
    without `only`, the first `N_PAPERS`.

    Years and authors that the question names do not act as filters here, so that no paper is left out unseen. Raises
    `UsageError` if fewer than two papers are left, or for an id that is not in the corpus.
    """
    rows = _ranked_rows(pf, request.without_reading())
    ids = pf.corpus.papers.paper_ids()
    if only is not None:
        if missing := min(set(only) - set(ids), default=None):
            raise UsageError(f"{missing} is not among the papers in {pf.corpus.folder}: correct the list")
        rows = rows[np.isin(rows, pf.corpus.papers.rows_of(only))]
    elif n_papers is None:
        n_papers = N_PAPERS
    rows = rows[:n_papers]
    n_merged = len(open_list(pf.corpus.path("merges")))
    names = tuple(ids[row] for row in rows)
    return Screening(request.query, names, len(ids), n_merged)


def _ranked_rows(pf: "Pathfinder", request: SearchRequest) -> Rows:
    """Rank the papers within the years of `request`: first the search's candidates, then the others by their cosine
    with the question.
    """
    result = pf.search(request)
    candidates = result.candidates.rows[ranking(final_scores(result.candidates, request.weighting))]
    years = pf.corpus.papers.years()
    is_admitted = np.ones(len(years), dtype=np.bool_)
    if request.year_from is not None:
        is_admitted &= years >= request.year_from
    if request.year_to is not None:
        is_admitted &= years <= request.year_to
    is_admitted[candidates] = True
    rows = np.flatnonzero(is_admitted)
    vectors, vector = pf.corpus.dense.vectors(rows), pf.embedder.embed([request.query], "query")[0]
    return rows[complete_ranking(np.searchsorted(rows, candidates), vectors, vector)]


def with_decisions(shelf: Shelf, screening: Screening) -> Shelf:
    """Return the shelf with the papers decided on in a screening: in, out or, if put off, to read, each with the
    reason. A paper that is put off keeps its state if that is "read", "in" or "out"; a decision without a reason keeps
    the reason already given for the same state.
    """
    for paper_id, decision in screening.latest().items():
        shelf = shelf.add([paper_id])
        before, state = shelf.paper(paper_id), _STATES[decision.verdict]
        if state is State.TO_READ and before.state is not State.TO_READ:
            continue
        why = decision.reason or (before.why if before.state is state else "")
        shelf = shelf.set_state(paper_id, state, why)
    return shelf


def pool_of(pf: "Pathfinder", screening: Screening) -> ScreeningPool:
    """Return the pool of a screening, row i being paper i of its list.

    Raises `UsageError` if the corpus lacks a paper in the screening.
    """
    corpus_ids = set(pf.corpus.papers.paper_ids())
    if missing := next((name for name in screening.paper_ids if name not in corpus_ids), None):
        way_out = "open the earlier corpus" if pf.year is None else f"it is open as of {pf.year}, so go back to today"
        raise UsageError(f"{pf.corpus.folder} has no paper {missing}, which is to be screened: {way_out}")
    rows = pf.corpus.papers.rows_of(screening.paper_ids)
    texts = [paper.text for paper in pf.corpus.papers.take(rows)]
    vector = pf.embedder.embed([screening.question], "query")[0]
    order = np.arange(len(rows))
    return make_pool(screening.paper_ids, texts, pf.corpus.dense.vectors(rows), screening.question, vector, order)


def fit_model(pool: ScreeningPool, screening: Screening) -> FittedModel | None:
    """Fit the model to the decisions; return `None` until at least one paper is in and one is out."""
    places = {name: row for row, name in enumerate(screening.paper_ids)}
    in_rows, out_rows = (
        np.array([places[name] for name in screening.with_verdict(verdict)], dtype=np.int64)
        for verdict in (ScreeningVerdict.IN, ScreeningVerdict.OUT)
    )
    return fit(pool, in_rows, out_rows, screening.seed) if len(in_rows) and len(out_rows) else None


def next_papers(pool: ScreeningPool, screening: Screening, model: FittedModel | None, n: int = 1) -> tuple[str, ...]:
    """Return the ids of the next `n` papers: the control paper if one is due, then those chosen by the model; papers
    put off come last.
    """
    latest = screening.latest()
    unread = np.array([row for row, name in enumerate(screening.paper_ids) if name not in latest], dtype=np.int64)
    order = reading_order(pool, model, unread, len(screening.with_verdict(ScreeningVerdict.IN)), screening.strategy)
    names = [screening.paper_ids[row] for row in order] + list(screening.with_verdict(ScreeningVerdict.LATER))
    if (control := screening.control_paper()) is not None:
        names = [control, *(name for name in names if name != control)]
    return tuple(names[:n])
