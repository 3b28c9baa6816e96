"""What is said of a question beside its papers: the years that it names, its kind, and how to go on from it."""

from dataclasses import replace

import streamlit as st

from pathfinder.answering.choice import Choice, advised
from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.retrieval.filters import IN_REGION, in_region, with_years_named, years_read
from pathfinder.retrieval.routing.conversation import StandingQuestion, standing_question
from pathfinder.retrieval.routing.jargon import overloaded_terms
from pathfinder.retrieval.routing.table1 import COHERE_RERANKER, Suggestion, apply
from pathfinder.types import LOCAL_RERANKER
from pathfinder.ui import resources, routing, searching, state, tasks, weights
from pathfinder.ui.form import Form
from pathfinder.ui.jobs import Job, State, once
from pathfinder.ui.state import View


def years(form: Form, pf: Pathfinder) -> None:
    """The filter that the question's own words made, as a chip that takes it off and puts it back."""
    named = years_read(replace(form.request(), reads_years=True), pf.corpus.snapshot)
    if named is not None:
        routing.year_chip(named, form.reads_years, lambda is_on: state.change(reads_years=is_on))


def region(form: Form, pf: Pathfinder) -> None:
    """The region of the map that is searched, as a chip that takes it off; nothing where that is the whole map."""
    if form.region is None:
        return
    label = "Only a region of the map, which this corpus does not have"
    if pf.corpus.coordinates is not None:
        is_in, _ = in_region(form.region, pf.corpus)
        label = f"Only a region of the map: {int(is_in.sum()):,} of {len(is_in):,} papers"
    st.button(
        label,
        key="region-of-the-map",
        icon=":material/close:",
        help="Search the whole map",
        on_click=state.change,
        kwargs={"region": None},
    )


def notes(form: Form, pf: Pathfinder, told: tuple[str, ...]) -> tuple[str, ...]:
    """What was `told` of a search, less what the chips of the years and of the region say."""
    _, said_by_chip = with_years_named(form.request(), pf.corpus.snapshot)
    return tuple(note for note in told if note != said_by_chip and not note.endswith(IN_REGION))


def kind(view: View, pf: Pathfinder) -> None:
    """The kind of the question, and the settings that are advised for it."""
    result, reranker = view.result, COHERE_RERANKER if resources.has_cohere_key() else LOCAL_RERANKER
    job = tasks.task(tasks.KIND, lambda: once(lambda: pf.route(result, reranker)), is_local=pf.chat is None)
    if not tasks.watch(job, _being_told, every=tasks.SLOW_POLL_SECONDS):
        return
    if job.state is not State.STOPPED:
        terms = overloaded_terms(view.form.question)
        route = job.result()
        routing.panel(route, result.keywords, terms, lambda suggestion: _use(suggestion, view.form, advised(route)))


def _being_told() -> None:
    st.caption("About your question: the chat model is asked for its kind.")


def _use(suggestion: Suggestion, form: Form, choice: Choice) -> None:
    """Set the page's controls as `suggestion` and `choice` say, before they are drawn again."""
    advised = apply(suggestion, form.request())
    st.session_state["top_k"] = advised.top_k
    st.session_state["imagine"], st.session_state["reranker"] = advised.imagine, advised.reranker
    st.session_state["generation"], st.session_state["specialisation"] = choice.generation, choice.specialisation
    for slider in ("keywords", "recency", "citations"):
        weights.set_strength(slider, getattr(advised.weighting, slider))


def earlier(view: View) -> None:
    """What was asked and answered before, behind a lid; nothing for a question of its own."""
    if not view.earlier:
        return
    n = len(view.earlier)
    with st.expander(f"Earlier in this conversation: {n} {'question' if n == 1 else 'questions'}"):
        for exchange in view.earlier:
            st.markdown(f"**{for_markdown(exchange.question)}**")
            st.markdown(for_markdown(exchange.answer))


def follow_up(pf: Pathfinder) -> None:
    """A box to go on in; what a follow-up becomes is shown before it is searched."""
    routing.follow_up(lambda asked: _standing(pf, asked), _ask)


def _standing(pf: Pathfinder, asked: str) -> StandingQuestion | None:
    """What `asked` is by itself; `None` while the chat model says it. By rules, where the reader will not wait."""
    history = state.history()
    work = once(lambda: pf.follow_up(history, asked))
    job = tasks.task(tasks.FOLLOW_UP, lambda: work, is_local=pf.chat is None)
    if not tasks.watch(job, lambda: _being_read(job)):
        return None
    tasks.forget(tasks.FOLLOW_UP)
    return standing_question(history, asked, None) if job.state is State.STOPPED else job.result()


def _being_read(job: Job[str, StandingQuestion]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Do without", key="stop-follow-up", icon=":material/stop_circle:", on_click=job.stop)
        st.caption(f"The chat model reads your follow-up: {job.seconds:.0f} s", width="stretch")


def _ask(question: str) -> None:
    st.session_state["question"] = question
    searching.follow(question)
