"""A comparison table, written as JSON, CSV, LaTeX and Markdown, and as an operation; apart from what fills one, so that
the help of a command does not load that.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pathfinder.errors import UsageError
from pathfinder.export.links import paper_link
from pathfinder.export.plain_json import JsonObject
from pathfinder.export.references import authors_in_text
from pathfinder.export.tables import table
from pathfinder.operations.operation import LinkTo, Operation, Options, Shell, declare, only, result_of
from pathfinder.shelves.shelf import ShelfStore
from pathfinder.text.latex.display import inert_tex, readable
from pathfinder.text.markdown import in_markdown
from pathfinder.types import Call, Paper, SearchResult, StageStatus, Verdict

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


class CellDoubt(StrEnum):
    """Reason to doubt a cell that a chat model wrote."""

    NO_QUOTE = "its quotation is not in the paper"
    NOT_FOUND = "the paper does not say it"
    CONTRADICTED = "the paper contradicts it"


CLOSEST = "no sentence is about it; this one is the closest"


class Mark(StrEnum):
    """Whether a paper meets a criterion."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """The text that was read does not say."""


@dataclass(frozen=True, slots=True)
class ComparisonCell:
    """A cell: words from a paper, or about it, under a column."""

    text: str
    """Words from the chat model, or a value or sentence from the paper."""
    quotation: str
    """Sentence from the paper that supports the cell, verbatim; empty if the chat model's quotation was not found."""
    numbers: tuple[str, ...] = ()
    """Numbers in the quotation with their units, as stated there."""
    verdict: Verdict | None = None
    """Verdict of the ledger on `text`; `None` if the text is the paper's own."""
    place: str = ""
    """Section and page of the quotation in the full text; empty if the title or abstract has it."""
    mark: Mark | None = None
    """Whether the paper meets the criterion of the column, which `quotation` shows; `None` if the column has none."""
    is_inferred: bool = False
    """True if no sentence shows it: all are far from what is left out, and `quotation` is the closest of them."""

    @property
    def quoted(self) -> str:
        """The quotation, followed in brackets by its place if it is from the full text, or by what it does not show."""
        behind = CLOSEST if self.is_inferred else self.place
        return f"{self.quotation} ({behind})" if behind else self.quotation

    @property
    def doubt(self) -> CellDoubt | None:
        """Reason to doubt the cell; `None` if there is none."""
        if self.verdict is None:
            return None
        if self.verdict is Verdict.CONTRADICTED:
            return CellDoubt.CONTRADICTED
        if not self.quotation:
            return CellDoubt.NO_QUOTE
        return CellDoubt.NOT_FOUND if self.verdict is Verdict.NOT_FOUND else None


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A paper in a comparison table."""

    paper: Paper
    cells: tuple[ComparisonCell | None, ...]
    """A cell for each column; `None` if the paper says nothing about it."""

    def holds(self, mark: Mark) -> int:
        """Return how many criteria have this mark."""
        return sum(cell is not None and cell.mark is mark for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """A table with one row for each paper, and columns that the reader names."""

    columns: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    model: str | None = None
    """Chat model that wrote the cells, or some of them; `None` if all are sentences from the papers."""
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    """Calls to the chat model."""
    status: StageStatus | None = None
    """Outcome of filling the cells, with the reason if sentences from the papers replaced a model's words."""
    criteria: tuple[str, ...] = ()
    """Those of the columns that are criteria; the rows that meet most of them come first."""


_MARKS = {CellDoubt.NO_QUOTE: "no quotation", CellDoubt.NOT_FOUND: "not found", CellDoubt.CONTRADICTED: "contradicted"}


def comparison_csv(comparison: ComparisonTable) -> str:
    """Write a line for each paper: id, title, year, url, then the text and the quotation of each cell."""
    names = [part for name in comparison.columns for part in (name, f"{name}: quotation")]
    rows = [
        (
            *(row.paper.paper_id, readable(row.paper.title), row.paper.known_year, paper_link(row.paper).url),
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


CRITERIA_HELP = "Condition to mark as met, failed or unknown, such as 'z > 6' or 'not simulations'."
COLUMNS_HELP = "What to compare, such as 'value of the mass'. Default: sample, method, result, limitation."


class TableOptions(Options):
    """What a table takes besides the settings of a search."""

    papers: list[str] = Field(default_factory=list, description="Ids of the papers to compare, in this order.")
    columns: Annotated[list[str] | None, Shell("--column", COLUMNS_HELP)] = None
    criteria: Annotated[list[str] | None, Shell("--criterion", CRITERIA_HELP)] = None
    reads_criteria: Annotated[
        bool, Shell("--read-criteria", "Mark the conditions in the question, unless criteria are given.")
    ] = False


def _run(pf: "Pathfinder", found: SearchResult | None, options: TableOptions) -> ComparisonTable:
    from pathfinder.addons.comparison.comparison import comparison_table

    if (found is None) == (not options.papers):
        raise UsageError(
            "a table compares the papers found for a query, or those with the ids in papers: send query or papers"
        )
    criteria = None if options.reads_criteria and not options.criteria else options.criteria or ()
    return comparison_table(pf, options.papers if found is None else found, options.columns, criteria)


def _lines(table: ComparisonTable) -> Iterator[str]:
    for row in table.rows:
        yield f"{readable(row.paper.title)} ({row.paper.known_year or 'year unknown'}) {row.paper.paper_id}"
        for name, cell in zip(table.columns, row.cells, strict=True):
            yield f"  {name}: {' '.join(cell_text(cell).split()) or '-'}"


_SHOWN = ("quotation", "place")


def _brief(_: ComparisonTable, record: JsonObject, linked: LinkTo) -> JsonObject:
    """Keep the text of each cell, and the reason to doubt it, if any; for a criterion, the sentence that shows it."""
    rows = [
        {
            **linked(only(row, ("paper_id", "title", "year"))),
            "cells": {
                name: only(cell, ("text", *(("doubt",) if cell["doubt"] else _SHOWN if cell["mark"] else ())))
                for name, cell in zip(record["columns"], row["cells"], strict=True)
                if cell is not None
            },
        }
        for row in record["rows"]
    ]
    return {"model": record["model"], "criteria": record["criteria"], "rows": rows, "notes": record["notes"]}


_CELL = result_of(ComparisonCell, doubt="doubt")
_ROW = result_of(ComparisonRow, cells=[_CELL | None])

OPERATION = Operation(
    name="table",
    address="table",
    tool="compare_papers",
    help="Compare papers column by column, as the chat model describes them or in their own sentences.",
    options=TableOptions,
    needs_question=False,
    run=_run,
    result=result_of(ComparisonTable, "calls status", rows=[_ROW]),
    lines=_lines,
    brief=_brief,
    forms=COMPARISON_FORMS,
    may_wait=True,
)


@declare(
    "shelf table",
    settings=(),
    folder_first=True,
    result=OPERATION.result,
    lines=_lines,
    forms=COMPARISON_FORMS,
)
def table_of_shelf(
    pf: "Pathfinder",
    name: Annotated[str, Shell("SHELF", "Name of the shelf.")],
    column: Annotated[list[str] | None, Field(description=COLUMNS_HELP)] = None,
    criterion: Annotated[list[str] | None, Field(description=CRITERIA_HELP)] = None,
) -> ComparisonTable:
    """Compare, column by column, the papers on a shelf that are not out."""
    papers = [*ShelfStore.of(pf.corpus.folder).inside(name)]
    return _run(pf, None, TableOptions(papers=papers, columns=column, criteria=criterion))
