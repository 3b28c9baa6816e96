"""Evaluate page: how well each search method ranks papers, and how often answers quote the sentence that answers."""

import html
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from pathfinder.addons.evaluation.answers import AnswerReport, evaluate_corpus_answers, figure_text
from pathfinder.addons.evaluation.command import answers
from pathfinder.addons.evaluation.judges import open_judge
from pathfinder.addons.evaluation.marked_files import LAYOUT, RUBRIC_LAYOUT, read_marked_questions, read_rubric
from pathfinder.addons.evaluation.multi_paper import make_reference_list_set, reference_lists_of
from pathfinder.addons.evaluation.single_paper import extractive_question_writer, make_single_paper_set
from pathfinder.answering.modes.registry import MODES, mode_name_of, mode_names
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.figures.plotting import BLUE, PLOT_CONFIG, VERMILLION, load_pandas
from pathfinder.operations.evaluate import interval_text
from pathfinder.operations.evaluation.indexing import IndexedDocuments
from pathfinder.operations.evaluation.methods import (
    DEFAULT_METHODS,
    KNOWN_METHODS,
    NEEDS_CHAT,
    check_methods,
    may_be_billed,
)
from pathfinder.operations.evaluation.metrics import Interval, mean_scores
from pathfinder.operations.evaluation.run import FEW_QUESTIONS, CollectionReport, compare, evaluate_collection
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import AnswerRequest, ModeName
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.panels import Panel

DEFAULT_N, MAX_N = 40, 100
"""Default and maximum number of questions in a set made here; the maximum limits the load on public servers."""

MAX_METHODS = 8
_KEY = "evaluation"


class QuestionSource(StrEnum):
    """Origin of the questions in an evaluation."""

    OPEN_CORPUS = "Made from the open library"
    REFERENCES = "Made from reference lists"
    TYPED = "A folder on this server"


def form(pf: Pathfinder, may_read_paths: bool) -> Callable[["Bar"], CollectionReport] | None:
    """Draw the form; once it has been submitted, return the evaluation that it asks for."""
    is_open = {
        QuestionSource.OPEN_CORPUS: True,
        QuestionSource.REFERENCES: pf.corpus.network is not None,
        QuestionSource.TYPED: may_read_paths,
    }
    source, *others = (source for source in QuestionSource if is_open[source])
    if others:
        source = QuestionSource(st.radio("Questions", [source, *others], horizontal=True, key="evaluate-source"))
    with st.form("evaluate"):
        n, seed, folder, corpus = DEFAULT_N, 0, "", ""
        if source is QuestionSource.TYPED:
            folder = st.text_input("Folder with queries.jsonl and qrels", key="evaluate-folder").strip()
            label = "Path of the documents or a library, if they are elsewhere"
            corpus = st.text_input(label, key="evaluate-corpus").strip()
        else:
            n, seed = _sample(pf)
        free = [
            name
            for name in KNOWN_METHODS
            if may_read_paths or not (name in NEEDS_CHAT or may_be_billed(name, pf.models))
        ]
        label, key = "Methods, each compared with the first", "evaluate-methods"
        methods = tuple(st.multiselect(label, free, DEFAULT_METHODS, key=key, accept_new_options=True))
        st.caption("Combine methods with +, such as rerank+passages; type the name and press Enter.")
        is_sent = st.form_submit_button("Evaluate", type="primary")
    if not is_sent:
        return None
    if len(methods) > MAX_METHODS:  # anything can be typed, also what the form does not offer
        raise UsageError(f"{len(methods)} methods are too many for one run here: choose at most {MAX_METHODS}")
    if source is QuestionSource.TYPED and not folder:
        raise UsageError("no folder was given: type the path of one with queries.jsonl and qrels.tsv")
    paid_methods = [method for method in methods if may_be_billed(method, pf.models)]
    if paid_methods and not may_read_paths:
        raise UsageError(
            f"{paid_methods[0]} may cost money and is not run here: set PATHFINDER_EVALUATE_PATHS=1 to allow it"
        )
    check_methods(methods, pf.models)
    if source is not QuestionSource.TYPED:
        return lambda progress: _of_corpus(
            pf, methods, n, seed, progress, asks_reviews=source is QuestionSource.REFERENCES
        )
    documents = Path(corpus) if corpus else None
    return lambda progress: evaluate_collection(
        Path(folder), pf.models, corpus=documents, methods=methods, progress=progress
    )


def _sample(pf: Pathfinder) -> tuple[int, int]:
    left, right = st.columns(2)
    n_papers = pf.corpus.name.n_papers
    most = max(1, min(MAX_N, n_papers))
    usual = max(1, min(DEFAULT_N, most, n_papers // 2))  # not every paper has a sentence that can serve as a question
    n = left.number_input("Questions", 1, most, usual, key="evaluate-n")
    seed = right.number_input("Seed", 0, 9999, 0, key="evaluate-seed", help="A different seed draws different papers.")
    return n, seed


def _of_corpus(
    pf: Pathfinder, methods: Sequence[str], n: int, seed: int, progress: "Bar", *, asks_reviews: bool
) -> CollectionReport:
    """Compare methods on questions made from the open corpus: from its reference lists, each answered by several
    papers, or else from sentences.
    """
    papers = pf.corpus.papers
    if asks_reviews:
        question_set = make_reference_list_set(reference_lists_of(pf.corpus), n, seed)
        name = f"{len(question_set.questions)} reviews of {pf.corpus.name.name}"
    else:
        question_set = make_single_paper_set(papers, extractive_question_writer(papers, seed), n, seed)
        name = f"{n} sentences of {pf.corpus.name.name}"
    collection = question_set.collection(name, pf.corpus.folder)
    return compare(collection, IndexedDocuments(pf.corpus), pf.models, methods, progress)


class Bar(AbstractContextManager["Bar"]):
    """A progress bar on the page, which is removed at the end of its block."""

    def __init__(self) -> None:
        self._place = st.empty()
        self._stage, self._total, self._n_done = "", 1, 0

    def start(self, stage: str, total: int | None) -> None:
        self._stage, self._total, self._n_done = stage, total or 1, 0
        self.advance(0)

    def advance(self, n: int) -> None:
        self._n_done += n
        self._place.progress(min(self._n_done / self._total, 1.0), for_markdown(self._stage))

    def expect(self, n: int) -> None:
        self._total += n
        self.advance(0)

    def finish(self) -> None:
        self.advance(self._total - self._n_done)

    def say(self, text: str) -> None:
        st.info(for_markdown(text))

    def __exit__(self, *_: object) -> None:
        self._place.empty()


def draw_comparison(on_screen: CollectionReport) -> None:
    """Show the table and the plot of one measure, and the limitations of the evaluation."""
    st.header(for_markdown(f"{on_screen.collection}: {on_screen.n_queries} questions"), anchor="results")
    measure = st.selectbox(
        "Measure",
        [*next(iter(on_screen.methods.values())).scores],
        key="evaluate-measure",
        format_func=measure_in_words,
        help="Their names: nDCG, MRR, success and recall, each for so many papers.",
    )
    st.dataframe([_row(on_screen, name, measure) for name in on_screen.methods], hide_index=True, width="stretch")
    means = {
        name: (mean_scores(method.scores)[measure], on_screen.intervals[name][measure])
        for name, method in on_screen.methods.items()
    }
    st.plotly_chart(evaluation_figure(measure_in_words(measure), means), config=PLOT_CONFIG)
    warning = f"Fewer than {FEW_QUESTIONS} questions: the intervals are rough guesses. "
    st.caption(
        f"{warning if on_screen.n_queries < FEW_QUESTIONS else ''}In brackets: 95% bootstrap interval of the mean over "
        f"questions. p: probability that chance alone makes a difference from {for_markdown(on_screen.compared_with)} "
        "this large; it is not corrected for the number of methods."
    )
    controls.notes(*on_screen.notes)
    with st.expander("What ran"):
        for name, method in on_screen.methods.items():
            st.markdown(f"**{for_markdown(name)}**: {for_markdown('; '.join(method.ran)) or 'no search'}")


RIGHT_FIRST = "How near the top the right papers stand"
_MEASURES = {
    "ndcg": RIGHT_FIRST,
    "mrr": "How near the top the first right paper stands",
    "success": "A right paper is listed",
    "recall": "Share of the right papers that is found",
}


def measure_in_words(measure: str) -> str:
    """Return what a measure such as "recall@100" says, and of how many papers."""
    name, _, n = measure.partition("@")
    return f"{_MEASURES[name]}, among {n}" if name in _MEASURES else measure


def _row(on_screen: CollectionReport, name: str, measure: str) -> Mapping[str, str]:
    method = on_screen.methods[name]
    interval = on_screen.intervals[name][measure]
    difference = None if name == on_screen.compared_with else on_screen.differences[name][measure]
    return {
        "method": name,
        measure_in_words(measure): f"{mean_scores(method.scores)[measure]:.3f} {interval_text(interval)}",
        "difference": f"{difference.mean:+.3f} {interval_text(difference.interval)}" if difference else "",
        "p": f"{difference.p:.2g}" if difference else "",
        "ms per question": f"{1000 * median(method.seconds_each):.0f}",
    }


# The evaluation as a figure: the score of each method on one measure.


HEIGHT, ROW_HEIGHT = 80, 34
"""Height in pixels of a figure without methods, and the height added for each method."""


def evaluation_figure(measure: str, means: Mapping[str, tuple[float, Interval]]) -> go.Figure:
    """Draw each method's mean as a dot with its interval, the first at the top; a line marks the first one's mean."""
    load_pandas()
    # Plotly interprets a few HTML tags, so the tags in a name are escaped.
    names, x = [html.escape(name, quote=False) for name in means], [mean for mean, _ in means.values()]
    errors: dict[str, Any] = {"type": "data", "symmetric": False, "color": BLUE}
    errors["array"] = [interval.high - mean for mean, interval in means.values()]
    errors["arrayminus"] = [mean - interval.low for mean, interval in means.values()]
    words = [
        f"{name}: {mean:.3f} [{interval.low:.2f}, {interval.high:.2f}]"
        for name, (mean, interval) in zip(names, means.values(), strict=True)
    ]
    marker = {"color": BLUE, "size": 10}
    dots = go.Scatter(x=x, y=names, error_x=errors, mode="markers", marker=marker, hovertext=words, hoverinfo="text")
    figure = go.Figure(dots)
    for first, _ in [*means.values()][:1]:
        figure.add_vline(x=first, line={"color": VERMILLION, "dash": "dot", "width": 1})
    figure.update_layout(
        xaxis={"title": measure, "fixedrange": True},
        yaxis={"autorange": "reversed", "type": "category", "fixedrange": True, "automargin": True},
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        height=HEIGHT + ROW_HEIGHT * len(means),
        showlegend=False,
        dragmode=False,  # on a phone, a swipe scrolls the page
    )
    return figure


# How well answers quote: a form for a file of marked questions, then tables with intervals.

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
    "citation_precision": "Citations that support their sentence",
    "citation_recall": "Sentences with such a citation",
    "citation_f1": "Both of these, as one measure",
    "coverage": "Coverage, rated 1 to 5 by the judge",
    "relevance": "Relevance, rated 1 to 5 by the judge",
    "organisation": "Organisation, rated 1 to 5 by the judge",
    "rubric": "Score on the rubric, 0 to 1",
    "rubric_items": "Score on the items of the rubric, 0 to 1",
}
"""Labels of the measures."""

_ANSWERS_KEY = "answer-evaluation"


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
            key = "evaluate-marked-mode"
            mode = st.selectbox(
                "Answer mode", modes, modes.index(mode), key=key, format_func=lambda name: MODES.get(name).label
            )
            label = "Have the chat model judge coverage, relevance and organisation, one call per question"
            is_judged = st.checkbox(label, key="evaluate-marked-judge")
            tip = f"JSON lines: {for_markdown(RUBRIC_LAYOUT)}. One call per criterion, and one per item with evidence."
            heading = "A rubric that the chat model should also judge by, if you have one"
            rubric_file = st.file_uploader(
                heading, type=["jsonl", "json"], key="evaluate-rubric", max_upload_size=MAX_MEGABYTES, help=tip
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


def draw_answers(name: str, report: AnswerReport) -> None:
    """Show the figures, for all questions and by type of question, with their limitations, and offer them as a file."""
    record = json.dumps(answers.write(report), allow_nan=False, indent=1)
    st.header(for_markdown(f"{name}: {counted(report.n_questions, 'marked question')}"), anchor="answers")
    figures = report.figures()
    measured_names = [each for each in LABELS if each in figures and figures[each].value is not None]
    whole = [
        {"measure": LABELS[each], "mean": figure_text(figures[each]), "name in JSON": each} for each in measured_names
    ]
    st.dataframe(whole, hide_index=True, width="stretch", height="content")
    st.markdown("By type of question")
    columns = {f"{kind} ({part.n_questions})": part.figures() for kind, part in report.by_type.items()}
    parts = [
        {"measure": LABELS[each], **{head: figure_text(own[each]) for head, own in columns.items()}}
        for each in measured_names
    ]
    st.dataframe(parts, hide_index=True, width="stretch", height="content")
    warning = f"Fewer than {FEW_QUESTIONS} questions: the intervals are rough guesses. "
    st.caption(
        f"{warning if report.n_questions < FEW_QUESTIONS else ''}In brackets: 95% bootstrap interval of the mean over "
        "questions; after each type, its number of questions. Not known: the measure applies to no question of this "
        "type."
    )
    controls.notes(*report.notes)
    save("Download as JSON", record, "answers.json", icon=":material/download:")


def draw_page() -> None:
    """Draw both ways to measure."""
    visit_corpus.write_link()
    pf = resources.whole()
    of_search, of_answers = st.tabs(["Search", "Answers"])
    with of_search:
        st.markdown(
            "How well does each search method find papers that are known to be relevant? A question set made here uses "
            "sentences copied word for word from abstracts, and the search must find the papers they come from; this "
            "favours search by words."
        )
        with controls.reporting():
            if (evaluate := form(pf, resources.may_read_paths())) is not None:
                st.session_state.pop(_KEY, None)
                with Bar() as progress:
                    st.session_state[_KEY] = evaluate(progress)
            if _KEY in st.session_state:
                draw_comparison(st.session_state[_KEY])
            elif (check := pf.corpus.reranker_check) is not None:
                st.header("Measured when this library was built", anchor="measured")
                rows = {"Method": ["search", "reranked"], RIGHT_FIRST: [check.fusion, check.reranked]}
                st.bar_chart(rows, x="Method", y=RIGHT_FIRST, horizontal=True, height=140)
                st.caption(
                    f"On {check.n_questions} questions made from titles; standard error of the difference "
                    f"{check.standard_error:.3f}. 1 means that the right paper always comes first. The reranker is "
                    f"{'on' if check.is_on else 'off'} by default here.",
                    help="The measure is nDCG@10.",
                )
    with of_answers, controls.reporting():
        if (named_report := measured(pf, resources.may_read_paths())) is not None:
            st.session_state[_ANSWERS_KEY] = named_report
        if _ANSWERS_KEY in st.session_state:
            draw_answers(*st.session_state[_ANSWERS_KEY])


TRIAL = Panel(20, "Search and answers", ":material/monitoring:", draw_page, is_whole=True)
