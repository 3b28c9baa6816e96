"""The parts of the Screen page: the form, the paper to decide on, and what is known so far."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.addons.screening.decisions import (
    N_PAPERS,
    Screening,
    ScreeningVerdict,
    decided_papers,
    decision_rows,
    decisions_csv,
    fit_model,
    next_papers,
    parse_session,
    pool_of,
    session_text,
    start_screening,
    with_decisions,
)
from pathfinder.addons.screening.figure import prisma_svg, screening_groups, screening_map
from pathfinder.addons.screening.pool import ScreeningPool, WeighingWord, weighing_words
from pathfinder.addons.screening.store import ScreeningStore, take_files
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.figures.map import MAP_CONFIG
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Answer, Paper, SearchRequest
from pathfinder.ui import road
from pathfinder.ui.corpus.uploads import plain_name
from pathfinder.ui.papers.paper_lines import facts, name_of_abstract
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.panels import Panel, WayBack
from pathfinder.ui.shared.state import ResultView, standing
from pathfinder.ui.stars import own_shelves, stars
from pathfinder.user_data import data_folder

# A screening: in the data folder for the owner of this machine, in their browser for all others.

_OPEN = "visit-screening"
"""Name of the screening that is open, by the id of its corpus: another library forgets all else on screen."""
QUESTION, REASON, SHELF = "screening-question", "screening-reason", "screening-shelf"
_REASONS, _OFFERED = "screening-reasons", "screening-offered"
_MAX_REASONS, _MAX_REASON = 12, 80


def _corpus_id() -> str:
    corpus = own_shelves.corpus_of_visit()
    return corpus.ids[0] if corpus else ""


def _open_name() -> str | None:
    name: str | None = st.session_state.get(_OPEN, {}).get(_corpus_id())
    return name


def continue_with(name: str | None) -> None:
    """Open the screening that has this name; `None`: leave the one that is open, which stays stored."""
    st.session_state[_OPEN] = {**st.session_state.get(_OPEN, {}), _corpus_id(): name}


def current() -> Screening | None:
    """Return the screening under way; `None` if there is none."""
    name = _open_name()
    return None if name is None else own_shelves.own(ScreeningStore).screenings().get(name)


def stored(pf: Pathfinder) -> tuple[dict[str, Screening], list[str]]:
    """Return the screenings of the open corpus by their names, the last first, and what is wrong with files of
    earlier versions that hold others.
    """
    problems = list[str]()
    if is_visited_here():
        problems = take_files(data_folder(read_settings()), pf.corpus.name, pf.corpus.papers.paper_ids())
    return own_shelves.own(ScreeningStore).screenings(), problems


def begin(screening: Screening) -> None:
    """Store a new screening, and open it."""
    continue_with(own_shelves.own(ScreeningStore).begin(screening))


def change(changes: Callable[[Screening], Screening | None]) -> bool:
    """Change the open screening when a button is pressed; return whether it could be stored, and say why if not."""

    def changed(before: Screening | None) -> Screening | None:
        if before is None:
            raise UsageError("the screening was deleted in another tab")
        return changes(before)

    return own_shelves.is_stored(lambda: own_shelves.own(ScreeningStore).change(_open_name() or "", changed))


def decide(paper_id: str, verdict: ScreeningVerdict) -> None:
    """Record the visitor's decision on a paper, with the reason that they typed."""
    reason = str(st.session_state.get(REASON) or "").strip() or None
    if change(lambda screening: screening.decide(paper_id, verdict, datetime.now(UTC), reason)):
        st.session_state[REASON] = ""  # the reason was given for this paper only
        st.session_state[_REASONS] = None


def file_name(question: str, suffix: str) -> str:
    """Return a file name made from the words of a question."""
    return f"{plain_name(question) or 'screening'}{suffix}"


MAX_PAPERS = 20_000
MAX_MEGABYTES = 20
ALL_PAPERS = "All papers in the library"
_BUTTONS = (
    (ScreeningVerdict.IN, "In", "i", ":material/check:"),
    (ScreeningVerdict.OUT, "Out", "o", ":material/close:"),
    (ScreeningVerdict.LATER, "Later", "l", ":material/schedule:"),
)
"""Verdict, label, key and icon of each button."""


def start_form(pf: Pathfinder) -> None:
    """List the screenings that are stored, and draw the form that starts another."""
    earlier, problems = stored(pf)
    if earlier:
        st.header("Continue with", anchor=False)
        with st.container(horizontal=True):
            for name, screening in earlier.items():
                label = f"{for_markdown(screening.question)} · {screening.progress}"
                st.button(label, key=f"screening-{name}", wrap=True, on_click=continue_with, args=(name,))
    for problem in problems:
        st.caption(for_markdown(f"A screening cannot be continued: {problem}"))
    with st.form("screening-start"):
        hint = "What should the papers be about?"
        question = st.text_input(
            "Question", standing(QUESTION, road.gathered(pf).question), placeholder=hint, key=QUESTION
        )
        shelves = {shelf.name: shelf for shelf in own_shelves.readable_shelves()}
        names = [ALL_PAPERS, *shelves]
        shelf = standing(SHELF, ALL_PAPERS)
        place = names.index(shelf) if shelf in names else 0
        name = st.selectbox("Among", names, place, key=SHELF, help="Papers marked as out on a shelf are skipped.")
        hint = f"{min(N_PAPERS, len(pf.corpus.papers)):,}, or all of a shelf"
        tip = "The top papers in the question's ranking."
        n_papers = st.number_input("Papers to screen", 2, MAX_PAPERS, None, placeholder=hint, help=tip)
        is_sent = st.form_submit_button("Start screening", type="primary")
    if is_sent:
        with st.spinner("Ranking the papers ..."):
            only = road.of_shelf(pf, shelves[name]).paper_ids if name in shelves else None
            begin(start_screening(pf, SearchRequest(question), n_papers, only))
        st.rerun()
    for paper in pf.corpus.papers.take(pf.corpus.papers.rows_of(road.gathered(pf).paper_ids[:1])):
        with st.container(border=True, key="screening-example"):
            st.caption("One of these papers, as you will read it")
            _head(paper)
            _abstract(paper)
    file = st.file_uploader(
        "Or open a screening from a file", type="json", key="screening-upload", max_upload_size=MAX_MEGABYTES
    )
    if file is not None and current() is None:
        screening = parse_session(file.getvalue(), file.name)[1]
        _pool(pf, screening.question, screening.paper_ids, screening)  # fails if it is of another library
        begin(screening)
        st.rerun()


def screen(pf: Pathfinder, screening: Screening) -> None:
    """Draw the next paper with its buttons, and next to it what is known so far."""
    pool = _pool(pf, screening.question, screening.paper_ids, screening)
    model = fit_model(pool, screening)
    left, right = st.columns([13, 7], gap="large")
    with left:
        n, n_read = len(screening.paper_ids), len(screening.relevant())
        n_in = len(screening.with_verdict(ScreeningVerdict.IN))
        n_later = len(screening.with_verdict(ScreeningVerdict.LATER))
        later = f" · {n_later} later, after all others" if n_later else ""
        st.progress(n_read / n, text=f"{n_read:,} of {n:,} read · {n_in} in · {n_read - n_in} out{later}")
        upcoming = next_papers(pool, screening, model)
        if upcoming:
            (row,) = pf.corpus.papers.rows_of(upcoming)
            _paper(screening, pf.corpus.papers[int(row)])
        else:
            st.success("You have decided on every paper.")
            _onward(screening)
        with st.container(horizontal=True):
            if not upcoming:
                _undo_button(screening)
            label = "Close: Ask lists it where you were"
            st.button(label, key="screening-close", on_click=continue_with, args=(None,))
            _delete_button("screening-delete")
        _decided(pf, screening)
    with right:
        if upcoming:
            _estimate(screening)
            _onward(screening)
            _words(weighing_words(pool, model) if model is not None else ())
        _map(pf, screening, upcoming)
        shelf = stars.open_shelf()
        if shelf is not None and screening.decisions:
            label = for_markdown(f"Put the decisions on the shelf “{shelf.name}”")
            shelve: Any = partial(own_shelves.change, shelf.name, lambda before: with_decisions(before, screening))
            st.button(label, "screening-shelve", on_click=shelve, icon=stars.FULL)
        with st.expander("Report"):
            counts = screening.prisma
            svg, words = prisma_svg(counts), f"{counts.screened:,} papers screened, {counts.included:,} included"
            st.image(svg, alt=f"Flow diagram (PRISMA): {words}")
            save("Flow diagram (PRISMA, SVG)", svg, "prisma.svg")
            folder = pf.corpus.folder.resolve()
            name, place = screening.question, folder if is_visited_here() else Path(folder.name)
            with st.container(horizontal=True):
                tip = "Open this file again here, or with `pathfinder screen`."
                save("The screening", session_text(place, screening), file_name(name, ".json"), help=tip)
                decisions = partial(decisions_csv, decision_rows(screening, decided_papers(pf, screening)))
                save("Decisions (CSV)", decisions, file_name(name, ".csv"))


def _delete_button(key: str) -> None:
    def delete() -> None:
        if change(lambda _: None):
            continue_with(None)

    with st.popover("Delete", type="tertiary"):
        st.button("Delete this screening for good", key=key, on_click=delete)


def _decided(pf: Pathfinder, screening: Screening) -> None:
    latest = dict(reversed([*screening.latest().items()]))
    if not latest:
        return
    papers, names, key = decided_papers(pf, screening), [*latest], f"screening-decided-{len(screening.decisions)}"

    def decide_again() -> None:
        edited = st.session_state[key]["edited_rows"]  # several, if the reader pasted them
        verdicts = {names[row]: ScreeningVerdict(cells["Decision"]) for row, cells in edited.items()}

        def decided(screening: Screening) -> Screening:
            for name, verdict in verdicts.items():
                before = latest[name]  # whose reason is not one for another verdict
                reason = before.reason if verdict is before.verdict else None
                screening = screening.decide(name, verdict, datetime.now(UTC), reason)
            return screening

        change(decided)

    rows = [{"Decision": latest[name].verdict.value, "Paper": readable(papers[name].title)} for name in names]
    verdicts = st.column_config.SelectboxColumn(options=[*map(str, ScreeningVerdict)], required=True, width=96)
    st.data_editor(
        rows, key=key, on_change=decide_again, column_config={"Decision": verdicts}, disabled=["Paper"],
        hide_index=True, alt="Your decisions, each of which can be changed",
    )  # fmt: skip


def _map(pf: Pathfinder, screening: Screening, upcoming: tuple[str, ...]) -> None:
    if (landscape := pf.landscape) is None:
        return
    with st.expander("On the map", key="screening-map", on_change="rerun") as lid:
        if not lid.open:
            return
        groups = screening_groups(screening, upcoming)
        rows = {name: pf.corpus.papers.rows_of(ids) for name, ids in groups.items()}
        figure = screening_map(landscape, rows)
        st.plotly_chart(figure, key="screening-figure", theme=None, config=MAP_CONFIG, height=320)
        st.caption(", ".join(f"{len(ids):,} {name}" for name, ids in groups.items()))


def _onward(screening: Screening) -> None:
    inside = screening.with_verdict(ScreeningVerdict.IN)
    ids = tuple(inside)
    if len(ids) > 1:
        origin = f"the screening of “{for_markdown(screening.question)}”"
        road.onward(road.Gathered(screening.question, origin, ids), road.next_steps(STEP.order))


@st.cache_resource(show_spinner="Counting the words in the papers ...", max_entries=4, hash_funcs=resources.BY_CORPUS)
def _pool(pf: Pathfinder, question: str, paper_ids: tuple[str, ...], _screening: Screening) -> ScreeningPool:  # noqa: ARG001
    """Make the pool of a screening; it is the same whatever has been decided."""
    return pool_of(pf, _screening)


def _paper(screening: Screening, paper: Paper) -> None:
    with st.container(key="verdicts", horizontal=True, gap="xsmall"):  # above all that would move them
        for verdict, label, key, icon in _BUTTONS:
            st.button(
                label, f"screening-{verdict}", icon=icon, shortcut=key, on_click=decide, args=(paper.paper_id, verdict)
            )
        _undo_button(screening)
    is_control = paper.paper_id == screening.control_paper()
    _head(paper, *[":material/casino: drawn at random, to see what the order misses"][:is_control])
    question, reasons = st.session_state.get(_OFFERED, (None, ()))
    if question == screening.question:

        def take_reason() -> None:
            st.session_state[REASON] = st.session_state[_REASONS] or ""

        st.pills(
            "Reasons", reasons, key=_REASONS, format_func=for_markdown, on_change=take_reason,
            label_visibility="collapsed",
        )  # fmt: skip
    st.text_input("Reason, for the record", key=REASON)
    _abstract(paper)


def _head(paper: Paper, *more: str) -> None:
    st.header(for_markdown(paper.title), anchor=False)
    # No caption, in which a link is too pale.
    st.markdown(f":small[{' · '.join((*facts(paper), f'[open]({resources.paper_url(paper)})', *more))}]")


def _abstract(paper: Paper) -> None:
    if paper.is_summary:
        st.caption(name_of_abstract(paper))
    st.markdown(for_markdown(paper.abstract) if paper.has_abstract else "*No abstract.*")


def _undo_button(screening: Screening) -> None:
    undo: Any = partial(change, Screening.undo)  # which says what could not be stored
    look: dict[str, Any] = {"icon": ":material/undo:", "shortcut": "u", "disabled": not screening.decisions}
    st.button("Undo", "screening-undo", on_click=undo, **look)


def _estimate(screening: Screening) -> None:
    """Say when to stop, and how many papers belong in, once half of those that are not read yet can be ruled out; the
    control sample speaks once its interval is narrower than half of the pool.
    """
    st.header("When to stop", anchor=False)
    estimate, promise, control = screening.estimate, screening.promise, screening.control
    n, n_in = len(screening.paper_ids), estimate.n_in
    if screening.may_stop:
        st.success(f"You may stop: of those in the pool, at least {promise.recall:.0%} are found.")
    elif n_in:
        st.markdown(f"You may stop after **{counted(screening.papers_to_go, 'more paper')}** without one that is in.")
    else:
        st.markdown("Once a paper is in, this says when you may stop.")
    if n_in and 2 * estimate.n_missed_at_most <= estimate.n_unread:
        st.markdown(
            f"About **{n_in + estimate.n_missed:,}** belong in (at most {n_in + estimate.n_missed_at_most:,}, with "
            f"{promise.confidence:.0%} confidence), and **{n_in:,}** {'is' if n_in == 1 else 'are'} found."
        )
    if control.n and estimate.n_unread and control.relevant_at_most - control.relevant_at_least < n / 2:
        st.caption(
            f"{control.n_in} of {control.n} papers drawn at random are in: of all {n:,}, "
            f"{control.relevant_at_least:.0f} to {control.relevant_at_most:.0f} are (95% interval)."
        )
    st.caption(f"{screening.prisma.not_in_pool:,} papers of the library are not among these {n:,}.")


def _words(words: tuple[WeighingWord, ...]) -> None:
    if not words:
        st.caption("The order is the question's, until one paper is in and one is out.")
        return
    st.header("What decides the order", anchor=False)
    for name, colour, sign in (("Sooner", "green", 1), ("Later", "gray", -1)):
        badges = " ".join(f":{colour}-badge[{for_markdown(word.word)}]" for word in words if word.weight * sign > 0)
        st.markdown(f"{name}: {badges}")


def _take(pf: Pathfinder, papers: road.Gathered) -> None:
    """Screen papers from an earlier step, or go on if that was begun before; an open screening stays stored."""
    same = (
        name
        for name, each in stored(pf)[0].items()
        if papers.question in ("", each.question) and set(papers.paper_ids) == set(each.paper_ids)
    )
    if name := next(same, None):
        continue_with(name)
    elif papers.question:
        with st.spinner("Ranking the papers ..."):
            begin(start_screening(pf, SearchRequest(papers.question), None, papers.paper_ids))
    else:
        continue_with(None)
        st.session_state[SHELF] = papers.shelf
    st.rerun()


def draw() -> None:
    """Draw the page."""
    # A link (`screen?q=...`) puts its question into the form; its reasons (`reason=...`) are offered in the screening.
    question = st.query_params.get("q", "").strip()
    if question:
        st.session_state[QUESTION] = question
    if reasons := st.query_params.get_all("reason"):
        offered = dict.fromkeys(reason[:_MAX_REASON] for reason in reasons[:_MAX_REASONS])
        st.session_state[_OFFERED] = question, tuple(offered)
    visit_corpus.write_link()
    try:
        pf = resources.pathfinder()
        if road.was_handed("screen"):
            _take(pf, road.gathered(pf))
        if (under_way := current()) is None:
            st.markdown(
                "Decide paper by paper what to include and what to exclude. The order adapts to your decisions, and a "
                "rule estimates how many relevant papers you have not seen."
            )
            start_form(pf)
        else:
            st.caption(for_markdown(f"Question: {under_way.question}"))
            screen(pf, under_way)
    except PathfinderError:
        if _open_name() is not None:
            with st.container(horizontal=True):
                st.button("Leave this screening", key="screening-leave", on_click=continue_with, args=(None,))
                _delete_button("screening-delete-unread")
        raise


STEP = Panel(20, "Screen", ":material/rule:", draw, "Start screening")


def ways_back(pf: Pathfinder) -> tuple[WayBack, ...]:
    """Return the ways back to the screenings, the last first."""

    def go(name: str) -> None:
        continue_with(name)
        road.go("screen")

    return tuple(
        WayBack(":material/rule:", f"Screening “{each.question}”: {each.progress}", partial(go, name), each.question)
        for name, each in stored(pf)[0].items()
    )


def screen_button(_pf: Pathfinder, view: ResultView, _answer: Answer) -> None:
    """Offer to screen the papers on screen for their question."""
    question, ids = view.form.question, tuple(hit.paper.paper_id for hit in view.result.hits if not hit.live)
    papers = road.Gathered(question, f"your question, “{for_markdown(question)}”", ids)
    if len(ids) > 1:
        road.onward(papers, {"screen": f"Screen these {len(ids):,} papers"})


def shelf_button(_pf: Pathfinder, shelf: Shelf, inside: Sequence[str], help_line: str) -> None:
    """Offer to screen the papers on a shelf."""
    if st.button("Screen this shelf", icon=":material/rule:", disabled=len(inside) < 2, help=help_line):
        st.session_state[SHELF] = shelf.name
        road.go("screen")
