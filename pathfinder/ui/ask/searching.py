"""Keeps the result on screen, reweights its candidates or runs a new search, depending on what was asked or changed."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.landscape.naming.regions import RegionReport
from pathfinder.models.ports import RemoteModel
from pathfinder.types import ALWAYS_LOCAL, LOCAL_RERANKER, NO_RERANKER, Answer, Exchange, SearchRequest, SearchResult
from pathfinder.types.requests import READ_FROM_QUESTION
from pathfinder.types.settings import SidebarSection, settings_of
from pathfinder.ui import similar
from pathfinder.ui.map import region_panel
from pathfinder.ui.papers import selection
from pathfinder.ui.settings.controls import use
from pathfinder.ui.shared import jobs, state
from pathfinder.ui.shared.address import Form

_N_TOPICS = 3
"""Number of topics of a region that its papers are ranked by, if the question asks what is studied there."""
_LAST_FORM, _FOLLOWS = "searched_for", "follows"


def view(wanted_form: Form, pf: Pathfinder) -> state.ResultView | None:
    """Return the result for `wanted_form`; `None`, with a status line, while the search runs or after it is stopped."""
    before, answering = state.view(), jobs.running_task(jobs.ANSWER)
    if before is not None and before.result.corpus.version != pf.corpus.name.version:
        # An answer that is being written from an earlier version of the corpus is waited for.
        before = before if answering is not None and answering.is_running else None
    searched_form = None  # `wanted_form` with the weights and answer settings on screen, which need no new search
    if before is not None:
        searched_form = wanted_form.with_search(weighting=before.form.weighting)
        searched_form = replace(searched_form, answering=before.form.answering)
    if before is not None and before.form == wanted_form:
        found = before
    elif before is not None and before.form == searched_form:
        found = replace(before, form=wanted_form)
        if wanted_form.weighting != before.form.weighting:  # the same candidates in another order
            result = pf.reweigh(before.result, wanted_form.weighting)
            found = replace(found, result=result, places_before=_places(before.order))
    else:
        searched = _search(wanted_form, pf)
        if searched is None:
            return None
        earlier = _conversation(before, wanted_form.question)
        jobs.forget(*jobs.OF_A_QUESTION)
        is_changed = before is not None and before.form.question == wanted_form.question
        order = before.order if before is not None and is_changed else ()
        found = state.ResultView(wanted_form, searched, _places(order), earlier)
    if (order_of_link := state.order_before()) is not None:  # also after Back, which is no change of its own
        found = replace(found, places_before=_places(order_of_link))
        state.set_order_before(None)
    return state.show(found)


def follow(question: str) -> None:
    """Mark `question` as a follow-up to what is on screen; this takes effect when the question is searched for."""
    st.session_state[_FOLLOWS] = question


OF_READING = (*READ_FROM_QUESTION, "dropped_keywords", "corrects_spelling", "translates", "finds_other_names")
"""Settings of how one question is read."""
_LIMITS = (SidebarSection.FILTERS, SidebarSection.PROPERTIES)
OF_SUBJECT = (
    *("region", "within"),
    *(each.name for each in settings_of(SearchRequest) if each.section in _LIMITS and each.name != "top_k"),
)
"""Settings that limit which papers answer one question and those that follow it up."""


def begin_question(**limits: Any) -> None:
    """Make the question that was asked last the one on the page, limited to `limits`, unless it is there already.

    How one searches stays as it is, and so does what was set before any question. What was chosen for the question
    before goes: how it was read, the papers selected, the paper to which similar ones are listed and, unless this is a
    follow-up to it, what limits the papers and the form of its answer.
    """
    form, text = state.form(), state.asked()
    if text == form.question:
        return
    ends_subject = form.question and st.session_state.get(_FOLLOWS) != text
    ended = OF_READING + OF_SUBJECT if ends_subject else OF_READING
    defaults = {setting.name: setting.default for setting in settings_of(SearchRequest) if setting.name in ended}
    if ends_subject:
        form = replace(form, answering=replace(form.answering, form=None))
    use(replace(form, question=text).with_search(**(defaults | limits)))
    selection.replace(())
    similar.choose_beside(None)


def _places(ids: Iterable[str]) -> dict[str, int]:
    return {paper_id: rank for rank, paper_id in enumerate(ids, start=1)}


def overview(form: Form, pf: Pathfinder) -> RegionReport | None:
    """Return what is studied in the region of the map that is searched, if the question asks for nothing else."""
    if form.search.region is None or not region_panel.asks_for_overview(form.question):
        return None
    return region_panel.report_of(pf, form.search.region)


def _search(wanted_form: Form, pf: Pathfinder) -> SearchResult | None:
    """Return the result of a search; `None` while it runs or after it was stopped."""
    if st.session_state.get(_LAST_FORM) != wanted_form:
        jobs.forget(jobs.SEARCH)
        jobs.begin_question()
    request, report = wanted_form.request(), overview(wanted_form, pf)
    if report is not None and report.keywords:  # no word of the question names a subject
        request = replace(request, query=", ".join(word.text for word in report.keywords[:_N_TOPICS]))
    st.session_state[_LAST_FORM] = wanted_form
    metered_pf = jobs.within_budget(pf, wanted_form.answering.budget)
    asks_embedder = isinstance(pf.embedder, RemoteModel) and pf.embedder.is_remote
    asks_reranker = wanted_form.search.reranker not in (NO_RERANKER, LOCAL_RERANKER, ALWAYS_LOCAL)
    is_remote = asks_embedder or asks_reranker or (wanted_form.search.uses_chat and pf.chat is not None)
    job = jobs.task(jobs.SEARCH, lambda: jobs.once(lambda: metered_pf.search(request)), is_local=not is_remote)
    if not jobs.watch(job, lambda: jobs.stop_line(job, "search", "searching, which waits for a model")):
        return None
    if job.state is jobs.JobState.STOPPED:
        st.info("The search was stopped.")
        st.button("Search again", on_click=jobs.forget, args=(jobs.SEARCH,))
        return None
    # A failed search is repeated on the next request.
    jobs.forget(jobs.SEARCH)
    return job.result()


def _conversation(before: state.ResultView | None, question: str) -> tuple[Exchange, ...]:
    """Return the conversation before `question` if it is a follow-up to what is on screen; empty for a new question."""
    if before is None or st.session_state.pop(_FOLLOWS, None) != question:
        return ()
    answer: Answer | None = jobs.result_of(jobs.ANSWER)
    if answer is None:
        return before.earlier
    return (*before.earlier, Exchange(before.form.question, answer.text, answer.sources))
