"""Ablation of the search: writes the tables of RETRIEVAL.md between two markers, leaving the text around them
unchanged.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from pathfinder.operations.evaluation.run import CollectionReport

ABLATION = (
    "hybrid",
    *("default", "tfidf", "bm25", "dense", "rrf"),
    *("rerank", "passages", "titles", "feedback", "years", "expand", "decompose", "recursive"),
    *("keywords", "recency", "citations", "title", "position", "coverage", "diversity", "paper"),
    *("rerank+passages", "rerank+titles", "rerank+passages+titles", "rerank+feedback"),
)
"""Fusion alone, fusion with each stage that needs no key, and the reranker with some of these stages."""

MEASURES = {"astro_single_paper": ("success@10", "mrr@10"), "scifact": ("ndcg@10", "recall@100")}
OTHER_MEASURES = ("ndcg@10", "recall@100")

BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"


def write_tables(reports: Mapping[str, CollectionReport], machine: str, path: Path) -> None:
    """Put the tables between the markers in the file at `path`, which is created if missing."""
    text = path.read_text(encoding="utf-8") if path.exists() else f"# Effect of each stage\n\n{BEGIN}\n{END}\n"
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{path} has no {BEGIN} and {END}: write both where the tables belong")
    tables = "\n".join(table_lines(reports, machine))
    path.write_text(f"{before}{BEGIN}\n{tables}\n{END}{after}", encoding="utf-8")


def table_lines(reports: Mapping[str, CollectionReport], machine: str) -> Iterator[str]:
    """Yield, line by line, a table for each collection that compares every method with the first, then its notes."""
    yield f"{machine}."
    yield ""
    for name, report in reports.items():
        measures = MEASURES.get(name, OTHER_MEASURES)
        yield f"## {name}, {report.n_queries} questions"
        yield ""
        yield "| method | " + " | ".join(f"{m} | difference | p" for m in measures) + " | better / worse | ms |"
        yield "|---" * (3 * len(measures) + 3) + "|"
        for method in report.methods:
            yield _row(report, method, measures)
        yield ""
        yield from (f"- {note}" for note in report.notes)
        yield ""


def _row(report: CollectionReport, method: str, measures: tuple[str, ...]) -> str:
    cells = [method]
    for measure in measures:
        interval = report.intervals[method][measure]
        cells.append(f"{report.methods[method].values(measure).mean():.3f} [{interval.low:.2f}, {interval.high:.2f}]")
        cells += ["", ""] if method == report.compared_with else _compare(report, method, measure)
    milliseconds = 1000 * median(report.methods[method].seconds_each)
    return "| " + " | ".join([*cells, _counts(report, method, measures[0]), f"{milliseconds:.0f}"]) + " |"


def _compare(report: CollectionReport, method: str, measure: str) -> list[str]:
    """Return the difference, in bold if chance would produce it less than one time in twenty, and its p value."""
    difference = report.differences[method][measure]
    text = f"{difference.mean:+.3f} [{difference.interval.low:+.3f}, {difference.interval.high:+.3f}]"
    return [f"**{text}**" if difference.p < 0.05 else text, f"{difference.p:.2g}"]


def _counts(report: CollectionReport, method: str, measure: str) -> str:
    if method == report.compared_with:
        return ""
    difference = report.differences[method][measure]
    return f"{difference.n_better} / {difference.n_worse}"
