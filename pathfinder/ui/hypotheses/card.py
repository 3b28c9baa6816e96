"""One hypothesis: its statement, the papers on both sides, and its places on the map."""

from collections.abc import Iterator

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.export.hypotheses import clause_mark
from pathfinder.export.records import year_of
from pathfinder.landscape.drawing.scene import MapView
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import ClauseKind, ConceptPlace, Hypothesis, HypothesisClause, LinkingConcept, Paper
from pathfinder.ui.hypotheses import state
from pathfinder.ui.jobs import tasks
from pathfinder.ui.jobs.jobs import Job
from pathfinder.ui.map import map_page
from pathfinder.ui.map.map_state import MapState, to_address
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.visit_corpus import link_parameters


def draw(pf: Pathfinder, rank: int, hypothesis: Hypothesis) -> None:
    """Draw a hypothesis."""
    first, second = map(for_markdown, hypothesis.concepts)
    with st.container(border=True, gap="small"):
        gap = " :orange-badge[in a gap in the map]" if hypothesis.is_in_gap else ""
        st.markdown(f"{rank}\\. **{first} – {second}**{gap}")
        st.markdown(" ".join(_clause(pf, clause) for clause in hypothesis.clauses))
        if hypothesis.model is not None:
            st.caption(for_markdown(f"Written by {hypothesis.model}; the ledger has judged each cited clause."))
        for note in hypothesis.notes:
            st.caption(for_markdown(f"{note}."))
        with st.expander("Papers on both sides"):
            st.markdown("\n".join(line for each in hypothesis.linking for line in _linking(hypothesis, each)))
        if hypothesis.places is not None:
            st.caption(" ".join(_places(hypothesis, hypothesis.places)))
        _buttons(pf, rank, hypothesis)


def _clause(pf: Pathfinder, clause: HypothesisClause) -> str:
    text, mark = for_markdown(clause.text), clause_mark(clause)
    links = "".join(f" {_link(pf, n, paper_id)}" for n, paper_id in enumerate(clause.paper_ids, start=1))
    if mark is None:
        return f"{text}{links}"
    colour = "violet" if clause.kind is ClauseKind.CONJECTURE else "orange"
    return f"{text}{links} :{colour}-badge[{mark}]"


def _link(pf: Pathfinder, number: int, paper_id: str) -> str:
    """Write the number of a paper as a link to it or, if the corpus no longer has the paper, together with its id."""
    (row,) = pf.corpus.papers.rows_of([paper_id])
    if row < 0:
        return for_markdown(f"[{number}: {paper_id}, no longer in the corpus]")
    return f"[\\[{number}\\]]({resources.paper_url(pf.corpus.papers[int(row)])})"


def _linking(hypothesis: Hypothesis, linking: LinkingConcept) -> Iterator[str]:
    yield f"- **{for_markdown(linking.name)}**"
    for name, n, side in zip(hypothesis.concepts, linking.n_with, linking.papers, strict=True):
        papers = "1 paper" if n == 1 else f"{n:,} papers"
        by = "" if side.names_both else " :gray[(both concepts are among the paper's keywords)]"
        yield (
            f"    - with {for_markdown(name)}, {papers}, such as {_title(side.paper)}: "
            f":small[“{for_markdown(side.quotation)}”{by}]"
        )


def _title(paper: Paper) -> str:
    return f"[{for_markdown(paper.title)}]({resources.paper_url(paper)}), {year_of(paper) or 'year unknown'}"


def _places(hypothesis: Hypothesis, places: tuple[ConceptPlace, ConceptPlace]) -> Iterator[str]:
    first, second = (for_markdown(place.region or "a region without distinctive keywords") for place in places)
    shares = [f"{place.n_papers} of {n:,}" for place, n in zip(places, hypothesis.n_papers, strict=True)]
    if (places[0].x, places[0].y) == (places[1].x, places[1].y):
        yield f"The region of the map with the most papers on each concept ({shares[0]} and {shares[1]}): {first}."
    else:
        yield f"The region of the map with the most papers on the first ({shares[0]}): {first};"
        yield f"on the second ({shares[1]}): {second}."
    if hypothesis.bridges:
        titles = "; ".join(map(_title, hypothesis.bridges[:3]))
        yield f"Bridges that mention either concept: {titles}."


def _buttons(pf: Pathfinder, rank: int, hypothesis: Hypothesis) -> None:
    first, second = hypothesis.concepts
    with st.container(horizontal=True):
        if st.button("Ask about both", key=f"hypothesis-ask-{rank}", icon=":material/search:"):
            question = {"q": f"How are {first} and {second} related?"}
            st.switch_page("pages/ask.py", query_params={**question, **link_parameters()})
        if hypothesis.places is not None:
            _map_button(rank, hypothesis.places[0])
        _writing(pf, rank, hypothesis)


def _map_button(rank: int, place: ConceptPlace) -> None:
    if st.button("On the map", key=f"hypothesis-map-{rank}", icon=":material/map:"):
        view = MapState(view=MapView(place.x, place.y, map_page.CLOSE_ZOOM), layer=("gaps", "bridges"))
        st.switch_page("pages/map.py", query_params={**to_address(view), **link_parameters()})


def _writing(pf: Pathfinder, rank: int, hypothesis: Hypothesis) -> None:
    """Offer to let the chat model write the statement, or show that it is at work."""
    if pf.chat is None:
        return
    if state.being_written() != hypothesis.concepts:
        label = f"Put into words with {pf.chat.name}"
        if st.button(label, key=f"hypothesis-write-{rank}", icon=":material/edit_note:"):
            state.write_statement(pf, hypothesis)
            st.rerun()
        return
    job = tasks.running_task(state.WRITING)
    if job is None:
        return
    if tasks.watch(job, lambda: _at_work(job), every=tasks.SLOW_POLL_SECONDS):
        _keep(job)


def _at_work(job: Job[str, Hypothesis]) -> None:
    st.caption(f"{job.seconds:.0f} s · writing")


def _keep(job: Job[str, Hypothesis]) -> None:
    try:
        state.keep_statement(job.result())
    except PathfinderError as error:
        state.stop_writing()
        controls.failure(error)
        return
    st.rerun()
