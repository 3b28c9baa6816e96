"""The parts of the Judge page: who judges, two sides without their names, the criteria, and the results at the end."""

import datetime
import secrets
from collections.abc import Sequence
from typing import Any

import streamlit as st

from pathfinder.addons.judging.results import CriterionResult, study_result, votes_csv
from pathfinder.addons.judging.study import (
    EXPLANATIONS,
    MOST_CHARACTERS,
    BlindStudy,
    Criterion,
    Exhibit,
    Pick,
    StudyStore,
    Vote,
    vote_of,
)
from pathfinder.settings import read_settings
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import SearchRequest, Weighting
from pathfinder.ui.examples import examples
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.panels import Panel
from pathfinder.user_data import data_folder

HOW_TO_MAKE = "pathfinder judge make DIR STUDY --questions FILE --first hybrid --second default"
_LABELS = {Pick.FIRST: "A", Pick.SAME: "Same", Pick.SECOND: "B"}
_VISITOR, _READER = "judging-visitor", "judging-reader"
_CODE_BYTES = 4
_N_EXAMPLE = 5


def choose(store: StudyStore) -> tuple[BlindStudy, str] | None:
    """Let the reader choose a study and say who they are; `None` until both are known."""
    names = store.names()
    if not names:
        pf = resources.whole()
        question = examples(pf)[0]
        st.header(for_markdown(question), anchor=False)
        result = pf.search(SearchRequest(question, top_k=_N_EXAMPLE))
        sides = (result, pf.reweigh(result, Weighting(recency=1.0)))
        for column, letter, side in zip(st.columns(2, gap="large"), "AB", sides, strict=True):
            with column, st.container(border=True):
                st.markdown(f"**{letter}**")
                _exhibit(Exhibit("", tuple(hit.paper.title for hit in side.hits)))
        st.caption(
            "An example, which nobody counts. Whoever runs this server makes the pairs of a study with this command:"
        )
        st.code(HOW_TO_MAKE, language=None, wrap_lines=True)
        return None
    left, right = st.columns(2)
    name = left.selectbox("Study", names, key="judging-study") if len(names) > 1 else names[0]
    if not is_visited_here():
        reader = st.session_state.setdefault(_VISITOR, f"visitor {secrets.token_hex(_CODE_BYTES)}")
    else:
        reader = right.text_input("Your initials", key=_READER, max_chars=MOST_CHARACTERS)
    return (store.study(name), reader.strip()) if reader.strip() else None


def judge(store: StudyStore, study: BlindStudy, reader: str) -> None:
    """Draw the next pair that the reader has not judged, or the results when no pair is left."""
    votes = store.votes(study.name)
    own = {vote.pair for vote in votes if vote.reader == reader}
    st.progress(len(own) / len(study.pairs), text=f"{len(own)} of {len(study.pairs)} judged")
    upcoming = [pair for pair in range(len(study.pairs)) if pair not in own]
    if upcoming:
        _pair(store, study, reader, upcoming[0])
    else:
        st.success("You have judged every pair. Thank you.")
        if is_visited_here():
            _results(study, votes)
    last = max((vote.pair for vote in votes if vote.reader == reader), default=None)
    if last is not None:

        def undo() -> None:
            store.remove_vote(study.name, reader, last)

        st.button("Judge the last pair again", key="judging-undo", on_click=undo)


def _pair(store: StudyStore, study: BlindStudy, reader: str, pair: int) -> None:
    st.header(for_markdown(study.pairs[pair].question), anchor=False)
    for column, letter, exhibit in zip(st.columns(2, gap="large"), "AB", study.on_screen(reader, pair), strict=True):
        with column, st.container(border=True, key=f"judging-{letter}"):
            st.markdown(f"**{letter}**")
            _exhibit(exhibit)
    picks = dict[Criterion, Pick | None]()
    look: dict[str, Any] = {"format_func": _LABELS.__getitem__, "horizontal": True}
    for each in study.criteria:
        key = f"judging-{each}-{study.name}-{reader}-{pair}"
        picks[each] = st.radio(EXPLANATIONS[each], [*Pick], None, key=key, **look)
    choices = {criterion: pick for criterion, pick in picks.items() if pick is not None}

    def save_vote() -> None:
        today = datetime.datetime.now(datetime.UTC).date()
        store.add_vote(study.name, vote_of(study, reader, pair, choices, today))

    tip = None if len(choices) == len(picks) else "Choose an answer on every line first."
    st.button("Save and continue", "judging-save", tip, save_vote, type="primary", disabled=len(choices) < len(picks))


def _exhibit(exhibit: Exhibit) -> None:
    if exhibit.text:
        st.markdown(for_markdown(exhibit.text))
    st.markdown(
        "\n".join(f"{n}. {for_markdown(paper)}" for n, paper in enumerate(exhibit.papers, start=1)) or "No papers."
    )


def _results(study: BlindStudy, votes: Sequence[Vote]) -> None:
    result = study_result(study, votes)
    if not st.toggle("Show the results", key="judging-results"):
        return
    st.caption(f"{result.summary}. {HOW_TO_READ}")
    st.table([_row(each, study) for each in result.criteria])
    save("Votes as CSV", votes_csv(study, votes).encode(), f"{study.name}.csv")


HOW_TO_READ = (
    "The win rate is the share of pairs that a side wins, not counting ties, with its 95% interval (Wilson). Alpha "
    "(Krippendorff) is 1 if readers agree, and 0 if they agree only as often as they would by chance."
)


def _row(each: CriterionResult, study: BlindStudy) -> dict[str, str]:
    rate = ""
    if each.win_rate is not None and each.interval is not None:
        rate = f"{each.win_rate:.0%} [{each.interval.low:.0%}, {each.interval.high:.0%}]"
    return {
        "Criterion": each.criterion.value,
        for_markdown(study.first): str(each.won_by_first),
        for_markdown(study.second): str(each.won_by_second),
        "Tied": str(each.ties),
        for_markdown(f"{study.second} wins"): rate,
        "Alpha": "" if each.alpha is None else f"{each.alpha:.2f}",
    }


def draw() -> None:
    """Draw the page."""
    visit_corpus.write_link()
    st.caption("Which of the two is better? Nothing here says who made which, and the sides are swapped at random.")
    store = StudyStore(data_folder(read_settings()), resources.whole().corpus.name)
    if (study := choose(store)) is not None:
        judge(store, *study)


TRIAL = Panel(30, "Judge without names", ":material/balance:", draw, is_whole=True)
