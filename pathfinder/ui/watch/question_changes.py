"""The changes in the results of a standing question: which papers are new, moved, gone or now contested."""

from collections.abc import Iterator

import streamlit as st

from pathfinder.standing.changes import ARRIVAL_LABELS, DEPARTURE_LABELS, MOVED_PLACES, Arrival, StandingChanges
from pathfinder.standing.question import StandingQuestion, describe_settings
from pathfinder.standing.records import since_line
from pathfinder.standing.runs import Contest, RankedPaper
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.ui.settings import controls

_MOVED_HELP = (
    f"A paper has moved if its place among the papers on both lists has changed by {MOVED_PLACES} or more. Smaller "
    "shifts are noise, because every paper that is added changes all scores a little."
)


def draw(question: StandingQuestion, changes: StandingChanges) -> None:
    """Draw the question with its settings, the changes, and the whole list."""
    if question.query != question.name:
        st.markdown(for_markdown(question.query))
    if settings := describe_settings(question):
        st.caption(for_markdown(f"Settings: {settings}"))
    st.caption(for_markdown(since_line(changes)))
    controls.notes(*changes.notes)
    if changes.is_first:
        st.markdown("Everything here is new to you:")
        st.markdown("\n".join(_list(changes)))
        return
    if not changes.n_changes:
        st.success("Nothing has changed.", icon=":material/check:")
    _new(changes)
    _moved_papers(changes)
    _gone_papers(changes)
    _contests(changes)
    if changes.levels is not None:
        st.markdown(f"**Consensus**: {changes.levels[0]} before, {changes.levels[1]} now")
    with st.expander(f"The whole list, {len(changes.now.papers)} papers"):
        st.markdown("\n".join(_list(changes)))


def _new(changes: StandingChanges) -> None:
    for arrival in Arrival:
        papers = [new for new in changes.new if new.arrival is arrival]
        if papers:
            _heading("New", len(papers), ARRIVAL_LABELS[arrival])
            st.markdown("\n".join(f"- {_link(new.paper)} :gray[at {new.rank}]" for new in papers))


def _moved_papers(changes: StandingChanges) -> None:
    if changes.moved_papers:
        _heading("Moved", len(changes.moved_papers), "", help=_MOVED_HELP)
        st.markdown(
            "\n".join(
                f"- {_link(each.paper)} :gray[{'up' if each.rank < each.rank_before else 'down'} from "
                f"{each.rank_before} to {each.rank}]"
                for each in changes.moved_papers
            )
        )


def _gone_papers(changes: StandingChanges) -> None:
    if changes.gone_papers:
        _heading("Gone", len(changes.gone_papers), "")
        st.markdown(
            "\n".join(
                f"- {_link(each.paper)} :gray[was at {each.rank_before}; {DEPARTURE_LABELS[each.departure]}]"
                for each in changes.gone_papers
            )
        )


def _contests(changes: StandingChanges) -> None:
    if changes.contests:
        _heading("Now contested", len(changes.contests), "read both sentences first")
        for contest in changes.contests:
            with st.container(border=True, gap="xsmall"):
                st.markdown("\n".join(_contest_lines(contest)))


def _contest_lines(contest: Contest) -> Iterator[str]:
    yield f"**{for_markdown(contest.subject.rstrip('.'))}**: {for_markdown(contest.reason)}\n"
    for side in contest.sides:
        title, quotation = for_markdown(side.title), for_markdown(side.quotation)
        yield f"- {title}, {side.year or 'year unknown'}: “{quotation}”"


def _heading(name: str, n: int, words: str, help: str | None = None) -> None:  # noqa: A002 - as Streamlit calls it
    st.markdown(f"**{name}: {n}**{f' · {words}' if words else ''}", help=help)


def _list(changes: StandingChanges) -> Iterator[str]:
    for rank, paper in enumerate(changes.now.papers, start=1):
        yield f"{rank}. {_link(paper)}"


def _link(paper: RankedPaper) -> str:
    title = for_markdown(readable(paper.title))
    link = f"[{title}]({paper.url})" if paper.url else title
    status = f" :red[{for_markdown(paper.status)}]" if paper.status else ""
    return f"{link}, {paper.year or 'year unknown'}{status}"
