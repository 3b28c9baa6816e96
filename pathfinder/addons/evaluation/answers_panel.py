"""Evaluation of answers on the Evaluate page: a form for a file of marked questions, then tables with intervals."""

import json
from contextlib import nullcontext
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import streamlit as st

from pathfinder.addons.evaluation import ranking_panel
from pathfinder.addons.evaluation.answers import AnswerReport, evaluate_corpus_answers, figure_text
from pathfinder.addons.evaluation.judges import open_judge
from pathfinder.addons.evaluation.marked_files import (
    LAYOUT,
    RUBRIC_LAYOUT,
    read_marked_questions,
    read_rubric,
)
from pathfinder.addons.evaluation.ranking_panel import MAX_N, Bar
from pathfinder.answering.modes.registry import MODES, mode_name_of, mode_names
from pathfinder.errors import UsageError
from pathfinder.evaluation.run import FEW_QUESTIONS
from pathfinder.facade import Pathfinder
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import AnswerRequest, ModeName
from pathfinder.ui.settings import controls
from pathfinder.ui.settings.controls import notes
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.panels import Panel

MAX_MEGABYTES = 5
"""Maximum size in MB of an uploaded file; 120 marked abstracts fill about a quarter of a megabyte."""


class MarkedFile(StrEnum):
    """Origin of the file of marked questions."""

    UPLOADED = "Uploaded"
    TYPED = "A file on this server"


LABELS = {
    "first_is_gold": "The first line is a marked sentence",
    "any_is_gold": "A marked sentence is among the first four lines",
    "gold_share": "Share of lines from the right paper that are marked",
    "finding_is_gold": "Given the right paper, its best line is marked",
    "paper_quoted": "The right paper is quoted",
    "abstained": "No answer: no paper was relevant enough",
    "lines_shown": "Lines shown",
    "form_accuracy": "The form suits the type of question",
    "citation_precision": "Citation precision",
    "citation_recall": "Citation recall",
    "citation_f1": "Citation F1",
    "coverage": "Coverage, rated 1 to 5 by the judge",
    "relevance": "Relevance, rated 1 to 5 by the judge",
    "organisation": "Organisation, rated 1 to 5 by the judge",
    "rubric": "Score on the rubric, 0 to 1",
    "rubric_items": "Score on the items of the rubric, 0 to 1",
}
"""Labels of the measures."""

_KEY = "answer-evaluation"


def measured(pf: Pathfinder, may_read_paths: bool) -> tuple[str, AnswerReport] | None:
    """Draw the form; once it has been submitted, return the name of the file of questions, and how the answers do.

    A file on the server can be named, and a chat model can answer or judge, only where visitors may read paths and
    spend money. Raises `UsageError` if no file is given, and `CorpusError` if one has the wrong layout.
    """
    st.markdown(
        "How often do answers quote the sentence that answers the question? Upload questions as JSON lines, with the "
        "sentences that answer them marked in the abstracts of this library: "
        f"{for_markdown(LAYOUT)}. `pathfinder evaluate answers` reads the same file."
    )
    source, path, file = MarkedFile.UPLOADED, "", None
    mode, is_judged, rubric_file = ModeName.EXTRACTIVE.value, False, None
    if may_read_paths:
        chosen_file = st.radio("File of marked questions", [*MarkedFile], horizontal=True, key="evaluate-marked-source")
        source = MarkedFile(chosen_file)
    with st.form("evaluate-answers"):
        if source is MarkedFile.TYPED:
            path = st.text_input("Path of the file", key="evaluate-marked-path").strip()
        else:
            file = st.file_uploader(
                "Marked questions", type=["jsonl", "json"], key="evaluate-marked", max_upload_size=MAX_MEGABYTES
            )
        if may_read_paths and pf.chat is not None:
            modes = list(mode_names())
            mode = st.selectbox(
                "Answer mode",
                modes,
                modes.index(mode),
                key="evaluate-marked-mode",
                format_func=lambda name: MODES.get(name).label,
            )
            is_judged = st.checkbox(
                "Have the chat model judge coverage, relevance and organisation, one call per question",
                key="evaluate-marked-judge",
            )
            rubric_file = st.file_uploader(
                "A rubric that the chat model should also judge by, if you have one",
                type=["jsonl", "json"],
                key="evaluate-rubric",
                max_upload_size=MAX_MEGABYTES,
                help=f"JSON lines: {for_markdown(RUBRIC_LAYOUT)}. One call per criterion, and one per item with "
                "evidence.",
            )
        is_sent = st.form_submit_button("Measure the answers", type="primary")
    if not is_sent:
        return None
    if path:
        name, questions = Path(path).name, read_marked_questions(Path(path))
    elif file is not None:
        name, questions = file.name, read_marked_questions(file.getvalue(), file.name)
    else:
        way_out = "type its path" if source is MarkedFile.TYPED else "upload the marked questions"
        raise UsageError(f"no file was given: {way_out}")
    rubric = read_rubric(rubric_file.getvalue(), rubric_file.name) if rubric_file else None
    # For visitors who may not spend money, only the first questions are answered, and without a chat model.
    asked, own = (questions, pf) if may_read_paths else (questions[:MAX_N], pf.with_chat(None))
    judging = open_judge(own.chat, None) if own.chat and (is_judged or rubric is not None) else nullcontext()
    with Bar() as progress, judging as judge:
        request = AnswerRequest(mode_name_of(mode))
        report = evaluate_corpus_answers(own, asked, request, progress, judge, rubric)
    if len(asked) < len(questions):
        limit = (
            f"only the first {len(asked)} of {len(questions)} questions were measured, the limit for a page that "
            "anyone can open: to measure all, use `pathfinder evaluate answers`, or set PATHFINDER_EVALUATE_PATHS=1"
        )
        report = replace(report, notes=(*report.notes, limit))
    return name, report


def draw(name: str, report: AnswerReport) -> None:
    """Show the figures, for all questions and by type of question, with their limitations, and offer them as a file."""
    record = json.dumps(report.record(), allow_nan=False, indent=1)
    st.subheader(for_markdown(f"{name}: {counted(len(report.scores), 'marked question')}"), anchor="answers")
    figures = report.figures()
    measured_names = [each for each in LABELS if each in figures and figures[each]["value"] is not None]
    whole = [
        {"measure": LABELS[each], "mean": figure_text(figures[each]), "name in JSON": each} for each in measured_names
    ]
    st.dataframe(whole, hide_index=True, width="stretch", height="content")
    st.markdown("By type of question")
    by_type = {kind: report.of_type(kind) for kind in report.kinds()}
    columns = {f"{kind} ({len(part.scores)})": part.figures() for kind, part in by_type.items()}
    parts = [
        {"measure": LABELS[each], **{head: figure_text(own[each]) for head, own in columns.items()}}
        for each in measured_names
    ]
    st.dataframe(parts, hide_index=True, width="stretch", height="content")
    warning = f"Fewer than {FEW_QUESTIONS} questions: the intervals are rough guesses. "
    st.caption(
        f"{warning if len(report.scores) < FEW_QUESTIONS else ''}In brackets: 95% bootstrap interval of the mean over "
        "questions; after each type, its number of questions. Not known: the measure applies to no question of this "
        "type."
    )
    notes(*report.notes)
    save("Download as JSON", record, "answers.json", icon=":material/download:")


def draw_page() -> None:
    """Draw both ways to measure."""
    visit_corpus.write_link()
    pf = resources.whole()
    of_search, of_answers = st.tabs(["Search", "Answers"])
    with of_search:
        ranking_panel.draw(pf)
    with of_answers, controls.reporting():
        if (named_report := measured(pf, resources.may_read_paths())) is not None:
            st.session_state[_KEY] = named_report
        if _KEY in st.session_state:
            draw(*st.session_state[_KEY])


TRIAL = Panel(20, "Search and answers", ":material/monitoring:", draw_page, is_whole=True)
