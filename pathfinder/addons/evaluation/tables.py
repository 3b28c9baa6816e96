"""Plain-text tables of what the commands measure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pathfinder.addons.evaluation.answers import BY_RUBRIC, JUDGED_MEASURES, MEASURES
from pathfinder.addons.evaluation.judged import JudgedRecord
from pathfinder.addons.evaluation.passage_answers import MEASURES as PASSAGE_MEASURES
from pathfinder.addons.evaluation.providers.comparison import ComparisonRecord
from pathfinder.addons.evaluation.sweep import SweepRecord
from pathfinder.cli.evaluate import CELL, difference_text, interval_text


def answer_quality_lines(record: Mapping[str, Any]) -> Iterator[str]:
    """Format one line per measure, for all questions and for each type of question."""
    groups = {"all": record, **record["by_type"]}
    yield f"{record['n_questions']} marked questions"
    headings = [f"{name} (n {group['n_questions']})" for name, group in groups.items()]
    yield " " * CELL + "".join(f"{heading:>{CELL}}" for heading in headings)
    for measure in (*MEASURES, *(name for name in (*JUDGED_MEASURES, *BY_RUBRIC) if name in record)):
        if record[measure]["value"] is not None:
            yield f"{measure:{CELL}}" + "".join(f"{_figure(group[measure]):>{CELL}}" for group in groups.values())


def passage_answer_lines(record: Mapping[str, Any]) -> Iterator[str]:
    """Format one line per measure that applies to any of the questions."""
    yield f"{record['n_questions']} questions"
    yield from (
        f"{name:{CELL}}{_figure(record[name]):>{CELL}}"
        for name in PASSAGE_MEASURES
        if record[name]["value"] is not None
    )


def _figure(figure: Mapping[str, float | None]) -> str:
    value, low, high = (figure[name] for name in ("value", "low", "high"))
    return "not known" if value is None or low is None or high is None else f"{value:.3f} {interval_text(low, high)}"


def sweep_lines(record: SweepRecord, measures: Sequence[str]) -> Iterator[str]:
    """Format one line per value; the value in use and the best one for these questions are marked."""
    yield f"{record['collection']}: {record['n_queries']} judged questions; {record['parameter']}"
    yield f"{'':8}" + "".join(f"{measure:>{CELL}}" for measure in measures)
    for name, figures in record["methods"].items():
        cells = [f"{figures[measure]:.3f} {interval_text(*record['intervals'][name][measure])}" for measure in measures]
        mark = " *" if name == record["compared_with"] else ""
        yield f"{name + mark:8}" + "".join(f"{cell:>{CELL}}" for cell in cells)
    yield "* in use"
    for measure in measures:
        best = record["best"][measure]
        if best != record["in_use"]:
            against = difference_text(record["differences"][f"{best:.1f}"][measure])
            yield f"best {measure} at {best:.1f}: {against} (chosen on these questions: expect less gain on others)"


def judged_lines(record: JudgedRecord) -> Iterator[str]:
    """Format one line per method, with the number of questions behind each measure, followed by the judge's costs."""
    yield f"{record['n_questions']} questions, top {record['top_k']}, judged by {record['judge']}"
    width = max(map(len, record["methods"])) + 2
    for place, (name, figures) in enumerate(record["methods"].items()):
        if place == 0:
            yield " " * width + "".join(f"{measure:>{CELL}}" for measure in figures)
        n_judged = record["counted"][name]
        cells = [_mean_text(value, n_judged[measure]) for measure, value in figures.items()]
        yield f"{name:{width}}" + "".join(f"{cell:>{CELL}}" for cell in cells)
    yield _cost_line(record["cost"])


def provider_lines(record: ComparisonRecord) -> Iterator[str]:
    """Format one line per provider, then the costs of the judge and, if it uses a chat model, of Pathfinder's own
    search.
    """
    yield f"{record['n_questions']} questions, top {record['top_k']}, judged by {record['judge']}"
    width = max(map(len, record["providers"])) + 2
    heads = ("context relevancy", "context precision", "results", "without text", "failed searches")
    yield " " * width + "".join(f"{head:>{CELL}}" for head in heads)
    for name, line in record["providers"].items():
        cells = (
            _mean_text(line["context_relevancy"], line["n_relevancy"]),
            _mean_text(line["context_precision"], line["n_precision"]),
            str(line["results"]),
            str(line["results_without_text"]),
            f"{line['failed_searches']} of {line['searches']}",
        )
        yield f"{name:{width}}" + "".join(f"{cell:>{CELL}}" for cell in cells)
    yield _cost_line(record["cost"])


def _mean_text(value: float | None, n: int) -> str:
    return "-" if value is None else f"{value:.3f} (n {n})"


def _cost_line(cost: Mapping[str, int]) -> str:
    return (
        f"the judge: {cost['calls']} calls, {cost['kept_from_before']} kept from before, {cost['by_rule']} by rule, "
        f"{cost['failures']} failed; about {cost['tokens_in_about']} tokens in and {cost['tokens_out_about']} out"
    )
