"""The Evaluate page: which questions, which methods; then a table with intervals, and a plot."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.evaluation.bootstrap import Difference, Interval
from pathfinder.evaluation.indexing import Indexed
from pathfinder.evaluation.methods import KNOWN_METHODS, METHODS, NEEDS_CHAT, check_methods, may_cost
from pathfinder.evaluation.metrics import mean_scores
from pathfinder.evaluation.report import FEW_QUESTIONS, CollectionReport
from pathfinder.evaluation.run import compare, evaluate_collection
from pathfinder.evaluation.single_paper import extractive, make_single
from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.figures import MethodBar, evaluation_figure
from pathfinder.ui.controls import notes

DEFAULT_N, MAX_N = 40, 100
"""Questions of a set that is made here: a server for strangers has other things to do."""

MAX_METHODS = 8
_KEY = "evaluation"

OPEN_CORPUS, TYPED = "Made from the open corpus", "A folder on this server"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be evaluated."""

    methods: tuple[str, ...]
    n: int = DEFAULT_N
    seed: int = 0
    folder: Path | None = None
    """Of a collection; `None`: a set that is made from the open corpus."""
    corpus: Path | None = None


def form(pf: Pathfinder, may_read_paths: bool) -> Plan | None:
    """What the reader wants evaluated, once it is sent."""
    source = OPEN_CORPUS
    if may_read_paths:
        source = st.radio("Questions", [OPEN_CORPUS, TYPED], horizontal=True, key="evaluate-source")
    with st.form("evaluate"):
        n, seed, folder, corpus = DEFAULT_N, 0, "", ""
        if source == TYPED:
            folder = st.text_input("Folder with queries.jsonl and qrels", key="evaluate-folder")
            corpus = st.text_input("Documents or corpus, if they lie elsewhere", key="evaluate-corpus")
        else:
            n, seed = _drawn(pf)
        free = [
            name for name in KNOWN_METHODS if may_read_paths or not (name in NEEDS_CHAT or may_cost(name, pf.models))
        ]
        methods = st.multiselect(
            "Methods, each compared with the first one", free, METHODS, key="evaluate-methods", accept_new_options=True
        )
        st.caption("Join some by +, such as rerank+passages: type it and press Enter.")
        is_sent = st.form_submit_button("Evaluate", type="primary")
    if not is_sent:
        return None
    plan = Plan(tuple(methods), n, seed, _path(folder), _path(corpus))
    _check(plan, source)
    paid = [method for method in plan.methods if may_cost(method, pf.models)]
    if paid and not may_read_paths:
        raise UsageError(f"{paid[0]} may cost money and is not run here: set PATHFINDER_EVALUATE_PATHS=1 to allow it")
    check_methods(plan.methods, pf.models)
    return plan


def _drawn(pf: Pathfinder) -> tuple[int, int]:
    left, right = st.columns(2)
    n_papers = max(1, pf.corpus.name.n_papers)
    # Not every paper has a sentence that can be a question.
    usual = min(DEFAULT_N, max(1, n_papers // 2))
    n = left.number_input("Questions", 1, min(MAX_N, n_papers), usual, key="evaluate-n")
    seed = right.number_input("Seed", 0, 9999, 0, key="evaluate-seed", help="Another seed draws other papers.")
    return n, seed


def _path(text: str) -> Path | None:
    return Path(text.strip()) if text.strip() else None


def _check(plan: Plan, source: str) -> None:
    """Raise `UsageError` for what the form does not offer, too: what is typed may be anything."""
    if len(plan.methods) > MAX_METHODS:
        raise UsageError(f"{len(plan.methods)} methods are too many for one run here: choose at most {MAX_METHODS}")
    if source == TYPED and plan.folder is None:
        raise UsageError("no folder is named: type the path of one that holds queries.jsonl and qrels.tsv")


def report(plan: Plan | None, pf: Pathfinder) -> CollectionReport | None:
    """The report on `plan`; without one the report that is on screen, if any."""
    if plan is not None:
        st.session_state.pop(_KEY, None)
        st.session_state[_KEY] = _evaluated(plan, pf)
    shown: CollectionReport | None = st.session_state.get(_KEY)
    return shown


def _evaluated(plan: Plan, pf: Pathfinder) -> CollectionReport:
    progress = _Bar()
    try:
        if plan.folder is not None:
            return evaluate_collection(
                plan.folder, pf.models, corpus=plan.corpus, methods=plan.methods, progress=progress
            )
        papers = pf.corpus.papers
        made = make_single(papers, extractive(papers, plan.seed), plan.n, plan.seed)
        collection = made.collection(f"{plan.n} sentences of {pf.corpus.name.name}", pf.corpus.folder)
        return compare(collection, Indexed(pf.corpus), pf.models, plan.methods, progress)
    finally:
        progress.clear()


class _Bar:
    """A progress bar on the page."""

    def __init__(self) -> None:
        self._place = st.empty()
        self._stage, self._total, self._done = "", 1, 0

    def start(self, stage: str, total: int | None) -> None:
        """See `building.Progress`."""
        self._stage, self._total, self._done = stage, total or 1, 0
        self._draw()

    def advance(self, n: int) -> None:
        """See `building.Progress`."""
        self._done += n
        self._draw()

    def finish(self) -> None:
        """See `building.Progress`."""
        self._done = self._total
        self._draw()

    def say(self, text: str) -> None:
        """See `building.Progress`."""
        st.info(for_markdown(text))

    def clear(self) -> None:
        """Take it away."""
        self._place.empty()

    def _draw(self) -> None:
        self._place.progress(min(self._done / self._total, 1.0), for_markdown(self._stage))


def results(shown: CollectionReport) -> None:
    """The table and the plot of one measure, and what bounds the figures."""
    st.subheader(for_markdown(f"{shown.collection}: {shown.n_queries} questions"), anchor="results")
    measure = st.selectbox("Measure", [*next(iter(shown.methods.values())).scores], key="evaluate-measure")
    st.dataframe([_row(shown, name, measure) for name in shown.methods], hide_index=True, width="stretch")
    means = {name: mean_scores(method.scores)[measure] for name, method in shown.methods.items()}
    st.plotly_chart(
        evaluation_figure(measure, _bars(shown.intervals, means, measure)), config={"displayModeBar": False}
    )
    st.caption(_reading(shown))
    notes(*shown.notes)
    with st.expander("What really ran"):
        for name, method in shown.methods.items():
            st.markdown(f"**{for_markdown(name)}**: {for_markdown('; '.join(method.ran)) or 'no search'}")


def _row(shown: CollectionReport, name: str, measure: str) -> Mapping[str, str]:
    method = shown.methods[name]
    interval = shown.intervals[name][measure]
    first = name == shown.compared_with
    return {
        "method": name,
        measure: f"{mean_scores(method.scores)[measure]:.3f} {_range(interval)}",
        "difference": "" if first else _difference(shown.differences[name][measure]),
        "p": "" if first else f"{shown.differences[name][measure].p:.2g}",
        "ms a question": f"{1000 * median(method.seconds_each):.0f}",
    }


def _difference(found: Difference) -> str:
    return f"{found.mean:+.3f} [{found.interval.low:+.2f}, {found.interval.high:+.2f}]"


def _range(interval: Interval) -> str:
    return f"[{interval.low:.2f}, {interval.high:.2f}]"


def _bars(intervals: Mapping[str, Mapping[str, Interval]], means: Mapping[str, float], measure: str) -> list[MethodBar]:
    return [
        MethodBar(name, mean, intervals[name][measure].low, intervals[name][measure].high)
        for name, mean in means.items()
    ]


def _reading(shown: CollectionReport) -> str:
    few = f"Fewer than {FEW_QUESTIONS} questions: take the intervals for a guess. "
    return (
        f"{few if shown.n_queries < FEW_QUESTIONS else ''}In brackets: where 95% of the means lie when the questions "
        f"are drawn anew. p: how often chance alone makes a difference from {for_markdown(shown.compared_with)} as "
        "large; it is not corrected for the number of methods."
    )
