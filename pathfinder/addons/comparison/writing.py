"""Writes a comparison table as JSON, CSV, LaTeX and Markdown."""

from collections.abc import Callable

from pathfinder.addons.comparison.outcome import CellDoubt, ComparisonCell, ComparisonTable
from pathfinder.corpus.links import paper_address
from pathfinder.operations.export.references import authors_in_text
from pathfinder.operations.export.tables import table
from pathfinder.text.latex.display import inert_tex, readable
from pathfinder.text.markdown import in_markdown
from pathfinder.types import Paper

_MARKS = {CellDoubt.NO_QUOTE: "no quotation", CellDoubt.NOT_FOUND: "not found", CellDoubt.CONTRADICTED: "contradicted"}


def comparison_csv(comparison: ComparisonTable) -> str:
    """Write a line for each paper: id, title, year, url, then the text and the quotation of each cell."""
    names = [part for name in comparison.columns for part in (name, f"{name}: quotation")]
    rows = [
        (
            *(row.paper.paper_id, readable(row.paper.title), row.paper.known_year, paper_address(row.paper)),
            *(part for cell in row.cells for part in (_csv_text(cell), readable(cell.quoted) if cell else "")),
        )
        for row in comparison.rows
    ]
    return table(("id", "title", "year", "url", *names), rows)


def comparison_markdown(comparison: ComparisonTable) -> str:
    """Write the table in Markdown, with a row for each paper."""
    lines = [("paper", *comparison.columns)]
    lines += [(byline(row.paper), *map(cell_text, row.cells)) for row in comparison.rows]
    head, *rows = (f"| {' | '.join(map(in_markdown, line))} |" for line in lines)
    return "\n".join((head, f"| {' | '.join(['---'] * (1 + len(comparison.columns)))} |", *rows)) + "\n"


def comparison_latex(comparison: ComparisonTable) -> str:
    """Write the table as a LaTeX `tabularx` environment, which needs the packages tabularx and booktabs."""
    head = " & ".join(("Paper", *map(inert_tex, comparison.columns)))
    rows = [
        " & ".join((inert_tex(byline(row.paper)), *(inert_tex(cell_text(cell)) for cell in row.cells))) + r" \\"
        for row in comparison.rows
    ]
    columns = "l" + "X" * len(comparison.columns)
    return "\n".join(
        (
            rf"\begin{{tabularx}}{{\textwidth}}{{{columns}}}",
            r"\toprule",
            rf"{head} \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabularx}",
            "",
        )
    )


COMPARISON_FORMS: dict[str, Callable[[ComparisonTable], str]] = {
    "csv": comparison_csv,
    "latex": comparison_latex,
    "markdown": comparison_markdown,
}
"""Functions that write a table as text, by the name of the format."""


def cell_text(cell: ComparisonCell | None) -> str:
    """Return the text of a cell, followed by a mark in brackets if there is a reason to doubt it; the mark
    of a criterion is followed by the sentence that shows it. Empty if there is no cell.
    """
    if cell is None:
        return ""
    if cell.mark is not None and cell.quotation:
        return f"{cell.text}: {cell.quoted}"
    return cell.text if cell.doubt is None else f"{cell.text} [{_MARKS[cell.doubt]}]"


def _csv_text(cell: ComparisonCell | None) -> str:
    return cell.text if cell is not None and cell.mark is not None else cell_text(cell)


def byline(paper: Paper) -> str:
    """Name a paper by its authors and year: "Sandage and Tammann 1982", "Riess et al. 2022"."""
    return f"{authors_in_text(paper)} {paper.known_year or 'year unknown'}"
