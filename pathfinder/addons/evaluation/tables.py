"""Plain-text tables of what the operations measure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pathfinder.addons.evaluation.answers import (
    BY_RUBRIC,
    JUDGED_MEASURES,
    MEASURES,
    AnswerReport,
    figure_text,
)
from pathfinder.addons.evaluation.judged import JudgedReport, Mean
from pathfinder.addons.evaluation.judges import Cost
from pathfinder.addons.evaluation.passage_answers import MEASURES as PASSAGE_MEASURES
from pathfinder.addons.evaluation.passage_answers import PassageReport
from pathfinder.addons.evaluation.providers.comparison import ComparisonReport
from pathfinder.addons.evaluation.sweep import DEFAULTS, PARAMETERS, SweepReport
from pathfinder.operations.evaluate import CELL, cells, difference_text


def answer_lines(report: AnswerReport | PassageReport) -> Iterator[str]:
    """Format one line per measure that applies to any of the questions; for marked questions, also for each type of
    question.
    """
    record: Mapping[str, Any] = report.record()
    measures: Sequence[str]
    n = record["n_questions"]
    if isinstance(report, PassageReport):
        yield f"{n} questions"
        measures, groups = PASSAGE_MEASURES, {"": record}
    else:
        measures, groups = (*MEASURES, *JUDGED_MEASURES, *BY_RUBRIC), {"all": record, **record["by_type"]}
        yield f"{n} marked questions"
        headings = [f"{name} (n {group['n_questions']})" for name, group in groups.items()]
        yield " " * CELL + "".join(f"{heading:>{CELL}}" for heading in headings)
    for measure in measures:
        if measure in record and record[measure]["value"] is not None:
            yield f"{measure:{CELL}}" + "".join(f"{figure_text(group[measure]):>{CELL}}" for group in groups.values())


def sweep_lines(swept: SweepReport, measures: Sequence[str]) -> Iterator[str]:
    """Format one line per value; the value in use and the best one for these questions are marked."""
    report = swept.report
    yield f"{report.collection}: {report.n_queries} judged questions; {PARAMETERS[swept.over]}"
    yield f"{'':8}" + "".join(f"{measure:>{CELL}}" for measure in measures)
    for name in report.methods:
        mark = " *" if name == report.compared_with else ""
        yield f"{name + mark:8}{cells(report, name, measures)}"
    yield "* in use"
    for measure in measures:
        best = swept.best(measure)
        if best != DEFAULTS[swept.over]:
            against = difference_text(report.differences[f"{best:.1f}"][measure])
            yield f"best {measure} at {best:.1f}: {against} (chosen on these questions: expect less gain on others)"


def judged_lines(report: JudgedReport) -> Iterator[str]:
    """Format one line per method, with the number of questions behind each measure, followed by the judge's costs."""
    yield f"{report.n_questions} questions, top {report.top_k}, judged by {report.judge}"
    width = max(map(len, report.methods)) + 2
    yield " " * width + "".join(f"{measure:>{CELL}}" for measure in next(iter(report.methods.values())))
    for name, means in report.methods.items():
        yield f"{name:{width}}" + "".join(f"{_mean_text(mean):>{CELL}}" for mean in means.values())
    yield _cost_line(report.cost)


def provider_lines(report: ComparisonReport) -> Iterator[str]:
    """Format one line per provider, then the costs of the judge and, if it uses a chat model, of Pathfinder's own
    search.
    """
    yield f"{report.n_questions} questions, top {report.top_k}, judged by {report.judge}"
    width = max(map(len, report.providers)) + 2
    heads = ("context relevancy", "context precision", "results", "without text", "failed searches")
    yield " " * width + "".join(f"{head:>{CELL}}" for head in heads)
    for name, each in report.providers.items():
        counts = (str(each.n_results), str(each.n_without_text), f"{each.n_failed} of {each.n_searches}")
        texts = (_mean_text(each.relevancy), _mean_text(each.precision), *counts)
        yield f"{name:{width}}" + "".join(f"{text:>{CELL}}" for text in texts)
    yield _cost_line(report.cost)


def _mean_text(mean: Mean) -> str:
    return "-" if mean.value is None else f"{mean.value:.3f} (n {mean.n})"


def _cost_line(cost: Cost) -> str:
    return (
        f"the judge: {cost.n_calls} calls, {cost.n_cached} kept from before, {cost.n_by_rule} by rule, "
        f"{cost.n_failures} failed; about {cost.tokens_in} tokens in and {cost.tokens_out} out"
    )
