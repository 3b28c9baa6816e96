"""From the settings to the result on screen: the one there, its candidates weighed anew, or what a search finds."""

from dataclasses import replace

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.types import LOCAL_RERANKER, NO_RERANKER, Answer, Exchange, Imagine, SearchResult
from pathfinder.ui import state, tasks
from pathfinder.ui.form import Form
from pathfinder.ui.jobs import Job, State, once
from pathfinder.ui.state import View

_ASKED, _FOLLOWS = "searched_for", "follows"


def view(asked: Form, pf: Pathfinder) -> View | None:
    """The result for `asked`; `None`, and a line that says so, while it is looked for and where that was stopped."""
    before = state.view()
    if before is not None and before.form == asked:
        return before
    if before is not None and before.form == _as_searched(asked, before.form):
        return state.show(_adjusted(before, asked, pf))
    result = _searched(asked, pf)
    if result is None:
        return None
    earlier = _conversation(before, asked.question)
    tasks.forget(*tasks.OF_A_QUESTION)
    return state.show(View(asked, result, {}, earlier))


def follow(question: str) -> None:
    """Take `question`, when it is searched, for one that goes on from what is on screen."""
    st.session_state[_FOLLOWS] = question


def _as_searched(asked: Form, before: Form) -> Form:
    """`asked`, were it weighed and answered as `before`: what is left differs only where another search is needed."""
    return replace(asked, weighting=before.weighting, answering=before.answering)


def _adjusted(before: View, asked: Form, pf: Pathfinder) -> View:
    """The same candidates under other weights, or the same papers to be answered from another way."""
    if asked.weighting == before.form.weighting:
        return replace(before, form=asked)
    places = {paper_id: rank for rank, paper_id in enumerate(before.order, start=1)}
    return replace(before, form=asked, result=pf.reweigh(before.result, asked.weighting), places_before=places)


def _searched(asked: Form, pf: Pathfinder) -> SearchResult | None:
    """What a search found; `None` while it goes on, and where it was stopped."""
    if st.session_state.get(_ASKED) != asked:
        tasks.forget(tasks.SEARCH)
    request = asked.request()
    st.session_state[_ASKED] = asked
    job = tasks.task(tasks.SEARCH, lambda: once(lambda: pf.search(request)), is_local=not _asks_a_model(asked, pf))
    if not tasks.watch(job, lambda: _going_on(job)):
        return None
    if job.state is State.STOPPED:
        st.info("The search was stopped.")
        st.button("Search again", on_click=tasks.forget, args=(tasks.SEARCH,))
        return None
    # A search that failed is made again when it is asked for again.
    tasks.forget(tasks.SEARCH)
    return job.result()


def _going_on(job: Job[str, SearchResult]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Searching, with a model that is asked first: {job.seconds:.0f} s", width="content")
        st.button("Stop", key="stop-search", icon=":material/stop_circle:", on_click=job.stop)


def _asks_a_model(asked: Form, pf: Pathfinder) -> bool:
    """Whether the search waits for anyone but this machine."""
    asks_chat = asked.imagine is Imagine.HYDE or asked.decomposes or asked.depth > 0
    is_remote = pf.embedder.name.startswith("openai:") or asked.reranker not in (NO_RERANKER, LOCAL_RERANKER)
    return is_remote or (asks_chat and pf.chat is not None)


def _conversation(before: View | None, question: str) -> tuple[Exchange, ...]:
    """What went before `question`, where it follows up what is on screen; nothing for a question of its own."""
    if before is None or st.session_state.pop(_FOLLOWS, None) != question:
        return ()
    job = tasks.begun(tasks.ANSWER)
    if job is None or job.state is not State.DONE:
        return before.earlier
    answer: Answer = job.result()
    return (*before.earlier, Exchange(before.form.question, answer.text, answer.sources))
