"""Capsules on the page: a button that saves the question on screen, and a panel that opens a saved one."""

import streamlit as st

from pathfinder.addons.capsules.archive import capsule_of, open_capsule
from pathfinder.addons.capsules.checks import CapsuleCheck, Outcome, RunComparison, check, check_against, compare
from pathfinder.addons.capsules.contents import SUFFIX, Capsule
from pathfinder.facade import Pathfinder
from pathfinder.profile import Profile
from pathfinder.retrieval.explanation.comparison import HOW_TO_READ
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Answer
from pathfinder.ui import consensus as consensus_tab
from pathfinder.ui.answer import digest_panel
from pathfinder.ui.corpus.uploads import plain_name
from pathfinder.ui.shared import jobs, resources
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.state import ResultView
from pathfinder.ui.stars import stars

_MARKS = {Outcome.HOLDS: "✓", Outcome.FAILS: "✗", Outcome.UNCHECKED: "–"}


def save_button(pf: Pathfinder, view: ResultView, answer: Answer) -> None:
    """Offer the question as a capsule, made at a click; a reader with papers on the open shelf can include them."""
    shelf, consensus = stars.open_shelf(), consensus_tab.on_screen(view)
    pf = pf.for_question(calls=jobs.question_calls())
    with st.expander("Save as a file", icon=":material/inventory_2:", type="compact", key="save-as-file"):
        saved = None
        if shelf is not None and shelf.papers:
            label = f"With the shelf {shelf.name} ({counted(len(shelf.papers), 'paper')})"
            tip = (
                "The shelf goes into the capsule with your states, tags and notes. Anyone who opens the capsule can "
                "read them."
            )
            saved = shelf if st.checkbox(for_markdown(label), key="capsule-shelf", help=tip) else None
        save(
            "Save question and answer",
            lambda: capsule_of(pf, view.result, answer=answer, consensus=consensus, shelf=saved),
            f"{plain_name(view.result.request.query) or 'question'}{SUFFIX}",
            mime="application/zip",
            help="A capsule: one file with the question, its settings, all candidates, the papers and the answer. It "
            "opens anywhere, in *Lab* or with `pathfinder capsule open`, without keys or a network.",
        )


def check_panel() -> None:
    """Let the reader open a capsule, and show it. Raises `UsageError` for a file that is not a capsule."""
    st.markdown("Open a capsule, which is a question saved with its answer, and see how much of it still holds.")
    file = st.file_uploader("A capsule", type=SUFFIX.removeprefix("."), key="capsule-file")
    if file is not None:
        panel(open_capsule(file.getvalue(), file.name))


def panel(capsule: Capsule) -> None:
    """Show the answer, the papers and the checks of a capsule."""
    card = capsule.card
    st.header(for_markdown(card.question), anchor=False)
    origin = f"from {card.corpus.name}, version {card.corpus.version}, {card.corpus.n_papers:,} papers"
    st.caption(for_markdown(f"Saved on {card.written_on:%d %B %Y} {origin}, with Pathfinder {card.written_by}."))
    if capsule.altered_files:
        st.error(for_markdown(f"Altered since it was saved: {', '.join(capsule.altered_files)}."))
    answer, papers, shelf, checks, difference, replies = st.tabs(
        ["Answer", "Papers", "Shelf", "Checks", "Compared with this library", "Prompts and replies"]
    )
    pf = resources.pathfinder()
    with answer:
        _answer(capsule.answer, pf.profile)
    with papers:
        hits = capsule.result.hits
        table = {
            "Rank": range(1, len(hits) + 1),
            "Title": [readable(hit.paper.title) for hit in hits],
            "Year": [hit.paper.known_year for hit in hits],
            "Score": [round(hit.score.final, 4) for hit in hits],
            "Id": [hit.paper.paper_id for hit in hits],
        }
        st.dataframe(table, hide_index=True, alt=f"{len(hits)} papers")
    with shelf:
        _shelf(capsule)
    with checks:
        _checks(check(capsule))
        for each in card.left_out:
            st.caption(for_markdown(f"Left out: {each.text} {each.paper_id} ({each.reason})."))
    with difference:
        _checks(check_against(capsule, pf.corpus))
        if st.button("Search again in this library", icon=":material/compare_arrows:"):
            _comparison(compare(capsule.result, pf.search(capsule.result.request)))
    with replies:
        if not capsule.texts:
            st.markdown("No chat model was called.")
        for text in capsule.texts:
            with st.expander(for_markdown(f"{text.purpose}: {text.model}"), type="compact"):
                st.code(text.prompt or "The prompt is left out.", language=None, wrap_lines=True)
                st.code(text.reply or "No reply arrived.", language=None, wrap_lines=True)


def _answer(answer: Answer | None, profile: Profile) -> None:
    if answer is None:
        st.markdown("The capsule has no answer.")
        return
    if answer.digest is not None and answer.digest.findings and not answer.is_written:
        digest_panel.lines(answer, answer.digest, profile)
    else:
        st.markdown(for_markdown(answer.text))
    for n, paper in enumerate(answer.sources, start=1):
        st.caption(for_markdown(f"[{n}] {readable(paper.title)} ({paper.known_year or 'year unknown'})"))


def _shelf(capsule: Capsule) -> None:
    if capsule.shelf is None:
        st.markdown("The capsule has no shelf.")
        return
    st.markdown(for_markdown(capsule.shelf.name))
    titles = {paper.paper_id: readable(paper.title) for paper in capsule.result.candidates.papers}
    papers = capsule.shelf.papers
    table = {
        "Title": [titles.get(paper.paper_id, paper.paper_id) for paper in papers],
        "State": [paper.state.value for paper in papers],
        "Reason": [paper.why for paper in papers],
        "Tags": [", ".join(paper.tags) for paper in papers],
        "Note": [paper.note for paper in papers],
    }
    st.dataframe(table, hide_index=True, alt=f"{len(papers)} papers on the shelf")
    st.caption("To put these papers on one of your shelves, choose the capsule under *Import* in *Library*.")


def _checks(checks: tuple[CapsuleCheck, ...]) -> None:
    for each in checks:
        st.markdown(for_markdown(f"{_MARKS[each.outcome]} {each.name}: {each.outcome}. {each.detail}"))


def _comparison(comparison: RunComparison) -> None:
    for difference in (*comparison.settings, *comparison.models):
        st.markdown(for_markdown(f"{difference.name}: {difference.before}, now {difference.after}"))
    st.markdown(for_markdown(comparison.papers.description), help=HOW_TO_READ)
    changes = [shift for shift in comparison.papers.shifts if shift.left != shift.right]
    rows = [(readable(shift.paper.title), shift.left, shift.right) for shift in changes]
    if rows:
        columns = dict(zip(("Title", "Rank in the capsule", "Rank now"), zip(*rows, strict=True), strict=True))
        st.dataframe(columns, hide_index=True, alt=f"{len(rows)} papers with a different rank")
