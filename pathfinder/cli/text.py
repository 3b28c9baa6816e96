"""The report of a build as lines of plain text."""

from collections.abc import Iterator

from pathfinder.building import BuildReport


def report_lines(report: BuildReport) -> Iterator[str]:
    """Format the counts of a build."""
    yield f"new: {report.n_new}"
    yield f"already there: {report.n_known}"
    yield f"changed, but the old version was kept: {report.n_changed}"
    why = f" ({report.rejected_path} says why)" if report.n_rejected else ""
    yield f"rejected: {report.n_rejected}{why}"
    if report.renamed:
        first, others = report.renamed[0], len(report.renamed) - 1
        rest = f" and {others:,} more" if others else ""
        yield f"other papers with the id of a paper, stored under ids of their own: {first}{rest}"
    if report.n_merged:
        yield (
            f"merged with papers from other sources: {report.n_merged}; conflicting fields in the corpus: "
            f"{report.n_conflicts} (see `pathfinder merges {report.folder}`)"
        )
    if report.n_left_out:
        yield f"left out, because somebody removed these papers: {report.n_left_out}"
    if report.n_concepts is not None:
        yield f"thesaurus concepts: {report.n_concepts}"
    if report.n_reviews is not None:
        yield f"review articles: {report.n_reviews}"
    if report.n_without_abstract:
        yield f"papers without an abstract: {report.n_without_abstract}"
    yield f"papers in {report.folder}: {report.n_papers}"
