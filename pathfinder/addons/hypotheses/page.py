"""The Hypotheses page: the form, the progress, and the list with its downloads."""

import json
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from pathfinder.addons.hypotheses.find import stream_hypotheses
from pathfinder.addons.hypotheses.hypothesis import (
    ClauseKind,
    ConceptPlace,
    Hypotheses,
    Hypothesis,
    HypothesisClause,
    LinkingConcept,
    backtest,
    backtest_rows,
    clause_mark,
    describe_backtest,
    describe_hypotheses,
    hypotheses_csv,
    hypotheses_markdown,
)
from pathfinder.addons.hypotheses.operation import hypotheses
from pathfinder.addons.hypotheses.statement import write_hypothesis
from pathfinder.facade import Pathfinder
from pathfinder.landscape.drawing.scene import MapView
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName, Paper, SearchRequest
from pathfinder.ui import road
from pathfinder.ui.map import map_page
from pathfinder.ui.map.map_state import MapState, to_address
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import jobs, resources, visit_corpus
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.frame import go, save
from pathfinder.ui.shared.panels import Panel
from pathfinder.ui.shared.state import keep_form, standing
from pathfinder.ui.stars import own_shelves

# A reader's choices on the Hypotheses page, which stay in the address, and the hypotheses found.

TASK, WRITING = "hypotheses", "hypothesis-statement"
_ORDER, _STATEMENTS, _WRITING = "hypotheses-requested", "hypotheses-written", "hypotheses-writing"
SIZES = (10, 20, 50, 100)

HypothesesJob = jobs.Job[str, Hypotheses]


class HypothesesOrder(NamedTuple):
    """A reader's request for hypotheses."""

    corpus: CorpusName
    question: str
    """Question that the hypotheses are about; empty for none."""
    paper_ids: tuple[str, ...]
    """Papers that the hypotheses are about, in place of the best matches of the question; empty for none."""
    n: int
    words: str = ""
    """How many papers an earlier step handed on, and where they come from, as Markdown; empty if none did."""


def last_order(pf: Pathfinder) -> HypothesesOrder | None:
    """Return the reader's request; `None` if there is none for this library."""
    order: HypothesesOrder | None = st.session_state.get(_ORDER)
    return None if order is None or order.corpus != pf.corpus.name else order


def request(order: HypothesesOrder) -> None:
    """Request hypotheses, and forget earlier ones."""
    jobs.forget(TASK, WRITING)
    st.session_state[_ORDER] = order
    st.session_state[_STATEMENTS] = {}
    st.session_state.pop(_WRITING, None)


def _find(pf: Pathfinder, order: HypothesesOrder) -> Generator[str, None, Hypotheses]:
    about = None
    if order.question and not order.paper_ids:
        yield "searching"
        about = pf.search(SearchRequest(order.question))
    return (yield from stream_hypotheses(pf, about, paper_ids=order.paper_ids, n=order.n))


WHOLE_CORPUS = "The whole library"
DEFAULT_SIZE = 20
_QUESTION, _SHELF, _SIZE = "hypotheses-question", "hypotheses-shelf", "hypotheses-n"
_IN_GAPS = "hypotheses-in-gaps"


def panel(pf: Pathfinder) -> None:
    """Draw the page."""
    shelves = {shelf.name: shelf for shelf in own_shelves.readable_shelves() if shelf.inside}
    if road.was_handed("hypotheses"):
        papers = road.gathered(pf)
        st.session_state[_QUESTION] = papers.question
        st.session_state[_SHELF] = papers.shelf if papers.shelf in shelves else WHOLE_CORPUS
        request(HypothesesOrder(pf.corpus.name, papers.question, papers.paper_ids, DEFAULT_SIZE, papers.words))
    before = last_order(pf)
    question_and_size = ("", DEFAULT_SIZE) if before is None else (before.question, before.n)
    if (linked := st.query_params.get("n", "")).isdecimal() and int(linked) in SIZES:
        question_and_size = st.query_params.get("q", ""), int(linked)
    with st.form("hypotheses-form"):
        hint = "Leave empty for all papers"
        question = st.text_input(
            "About a question or a topic", standing(_QUESTION, question_and_size[0]), key=_QUESTION, placeholder=hint
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            names = [WHOLE_CORPUS, *shelves]
            shelf = standing(_SHELF, WHOLE_CORPUS)
            place = names.index(shelf) if shelf in names else 0
            name = st.selectbox("Among the concepts of", names, place, key=_SHELF, width=280)
            place = SIZES.index(standing(_SIZE, question_and_size[1]))
            n = st.selectbox("Hypotheses", SIZES, place, key=_SIZE, width=140)
            is_sent = st.form_submit_button("Find hypotheses", type="primary", icon=":material/lightbulb:")
    if not is_sent:
        if before is None:
            request(HypothesesOrder(pf.corpus.name, question_and_size[0], (), question_and_size[1]))
    elif question.strip() and name in shelves:
        st.warning("Hypotheses can be about a question or about a shelf, but not both: leave out one of them.")
    else:
        ids = shelves[name].inside if name in shelves else ()
        request(HypothesesOrder(pf.corpus.name, question.strip(), ids, n))
    results = backtest()
    st.caption(for_markdown(describe_backtest(results)))
    with st.expander("How often do hypotheses come true?", icon=":material/history:"):
        alt = "Shares of pairs that came true, by year and ranking"
        st.dataframe(backtest_rows(results), hide_index=True, height="content", alt=alt)
        st.caption(
            "Shares of the top-ranked pairs that occurred together in a title from the following ten years, with 95% "
            "intervals. Measured by `benchmarks/hypotheses.py`; its protocol was written before the first run."
        )
    order = last_order(pf)
    if order is None:
        return
    if order.words:
        st.markdown(order.words)
    job: HypothesesJob = jobs.task(TASK, lambda: _find(pf, order))
    report = jobs.outcome(
        job, lambda: jobs.stop_line(job, "hypotheses", job.chunks[-1] if job.chunks else "starting"), "Stopped."
    )
    if report is not None:
        _draw(pf, report)


def _draw(pf: Pathfinder, report: Hypotheses) -> None:
    by_model: dict[tuple[str, str], Hypothesis] = st.session_state.get(_STATEMENTS, {})
    report = replace(report, hypotheses=tuple(by_model.get(each.concepts, each) for each in report.hypotheses))
    st.markdown(for_markdown(describe_hypotheses(report)))
    for note in report.notes:
        st.caption(for_markdown(f"{note[0].upper()}{note[1:]}."))
    if not report.hypotheses:
        return
    record = json.dumps(hypotheses.write(report), indent=1, ensure_ascii=False)
    with st.container(horizontal=True):
        save("CSV", hypotheses_csv(report), "hypotheses.csv", type="tertiary")
        save("Markdown", hypotheses_markdown(report), "hypotheses.md", type="tertiary")
        save("JSON", record, "hypotheses.json", type="tertiary")
    ranked_hypotheses = tuple(enumerate(report.hypotheses, start=1))
    if any(each.is_in_gap for _, each in ranked_hypotheses) and st.toggle("Only in gaps in the map", key=_IN_GAPS):
        ranked_hypotheses = tuple((rank, each) for rank, each in ranked_hypotheses if each.is_in_gap)
    for rank, each in ranked_hypotheses:
        draw_card(pf, rank, each)


# One hypothesis: its statement, the papers on both sides, and its places on the map.


def draw_card(pf: Pathfinder, rank: int, hypothesis: Hypothesis) -> None:
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
        return for_markdown(f"[{number}: {paper_id}, no longer in the library]")
    return f"[\\[{number}\\]]({resources.paper_url(pf.corpus.papers[int(row)])})"


def _linking(hypothesis: Hypothesis, linking: LinkingConcept) -> Iterator[str]:
    yield f"- **{for_markdown(linking.name)}**"
    for name, n, side in zip(hypothesis.concepts, linking.n_with, linking.papers, strict=True):
        by = "" if side.names_both else " :gray[(both concepts are among the paper's keywords)]"
        yield (
            f"    - with {for_markdown(name)}, {counted(n, 'paper')}, such as {_title(side.paper)}: "
            f":small[{for_markdown(side.paper.quoted(side.quotation))}{by}]"
        )


def _title(paper: Paper) -> str:
    return f"{resources.title_link(paper)}, {paper.known_year or 'year unknown'}"


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
            keep_form(Form(question=f"How are {first} and {second} related?"))
            go("ask")
        place = hypothesis.places[0] if hypothesis.places else None
        if place is not None and st.button("On the map", key=f"hypothesis-map-{rank}", icon=":material/map:"):
            view = MapState(view=MapView(place.x, place.y, map_page.CLOSE_ZOOM), layer=("gaps", "bridges"))
            go("map", **to_address(view))
        if pf.chat is None:
            return
        if st.session_state.get(_WRITING) != hypothesis.concepts:
            label = f"Put into words with {pf.chat.name}"
            if st.button(label, key=f"hypothesis-write-{rank}", icon=":material/edit_note:"):
                jobs.forget(WRITING)
                st.session_state[_WRITING] = hypothesis.concepts
                jobs.task(WRITING, lambda: jobs.once(lambda: write_hypothesis(pf, hypothesis)))
                st.rerun()
            return
        job = jobs.running_task(WRITING)
        if job is None:
            return
        if not jobs.watch(job, lambda: st.caption(f"{job.seconds:.0f} s · writing"), every=jobs.SLOW_POLL_SECONDS):
            return
        jobs.forget(WRITING)
        st.session_state.pop(_WRITING, None)
        with controls.reporting():
            st.session_state.setdefault(_STATEMENTS, {})[hypothesis.concepts] = job.result()
            st.rerun()


def draw() -> None:
    """Draw the page."""
    st.markdown(
        "Pairs of concepts that are never keywords of the same paper in this library, although both appear with the "
        "same other concepts, like fish oil and Raynaud's disease in Swanson's example. A paper that mentions both, "
        "but has neither among its keywords, is not taken into account. Each pair is a place to look, not a finding."
    )
    pf = resources.pathfinder()
    panel(pf)
    order = last_order(pf)  # its papers, if it is about a shelf, have no room in the address
    texts = {} if order is None or order.paper_ids else {"q": order.question, "n": str(order.n)}
    visit_corpus.write_link({name: text for name, text in texts.items() if text})


STEP = Panel(50, "Hypotheses", ":material/lightbulb:", draw, "Find hypotheses")
