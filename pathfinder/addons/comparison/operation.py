"""Papers compared column by column."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from pathfinder.addons.comparison.comparison import ComparisonCell, ComparisonTable, comparison_table
from pathfinder.addons.comparison.writing import COMPARISON_FORMS, cell_text
from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject
from pathfinder.export.records import paper_record
from pathfinder.operations.operation import STRICT, LinkTo, Operation, PaperLine, Result, only
from pathfinder.text.latex.display import readable
from pathfinder.types import SearchResult

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

COLUMNS_HELP = "What to compare, such as 'value of the mass'. Default: sample, method, result, limitation."


class TableOptions(BaseModel):
    """What a table takes besides the settings of a search."""

    model_config = STRICT
    query: str | None = Field(default=None, description="A question; the papers found for it are compared.")
    papers: list[str] = Field(default_factory=list, description="Ids of the papers to compare, in this order.")
    columns: list[str] | None = Field(default=None, description=COLUMNS_HELP, json_schema_extra={"option": "--column"})


class Cell(Result):
    """A cell, with what bears it out."""

    text: str
    quotation: str
    """Sentence of the paper, verbatim; empty if the model's was not found."""
    numbers: list[str]
    verdict: str | None
    """Verdict of the ledger; null for a paper's own words."""
    doubt: str | None
    """Reason to doubt the cell."""


class Row(PaperLine):
    """A paper, with a cell or null for each column."""

    cells: list[Cell | None]


class TableResult(Result):
    """A comparison table."""

    columns: list[str]
    model: str | None
    """Chat model that wrote cells; null if all are sentences of the papers."""
    rows: list[Row]
    notes: list[str]


def _run(pf: "Pathfinder", found: SearchResult | None, options: TableOptions) -> ComparisonTable:
    if (found is None) == (not options.papers):
        raise UsageError(
            "a table compares the papers found for a query, or those with the ids in papers: send query or papers"
        )
    return comparison_table(pf, options.papers if found is None else found, options.columns)


def _write(table: ComparisonTable) -> TableResult:
    rows = [
        Row(**paper_record(row.paper), cells=[None if cell is None else _cell(cell) for cell in row.cells])
        for row in table.rows
    ]
    return TableResult(columns=list(table.columns), model=table.model, rows=rows, notes=list(table.notes))


def _cell(cell: ComparisonCell) -> Cell:
    numbers = list(cell.numbers)
    return Cell(text=cell.text, quotation=cell.quotation, numbers=numbers, verdict=cell.verdict, doubt=cell.doubt)


def _lines(table: ComparisonTable) -> Iterator[str]:
    for row in table.rows:
        yield f"{readable(row.paper.title)} ({row.paper.known_year or 'year unknown'}) {row.paper.paper_id}"
        for name, cell in zip(table.columns, row.cells, strict=True):
            yield f"  {name}: {' '.join(cell_text(cell).split()) or '-'}"


def _brief(record: JsonObject, linked: LinkTo) -> JsonObject:
    """Keep the text of each cell, and the reason to doubt it, if any."""
    rows = [
        {
            **linked(only(row, ("paper_id", "title", "year"))),
            "cells": {
                name: only(cell, ("text", "doubt") if cell["doubt"] else ("text",))
                for name, cell in zip(record["columns"], row["cells"], strict=True)
                if cell is not None
            },
        }
        for row in record["rows"]
    ]
    return {"model": record["model"], "rows": rows, "notes": record["notes"]}


OPERATION = Operation(
    name="table",
    tool="compare_papers",
    help="Compare papers column by column, as the chat model describes them or in their own sentences.",
    options=TableOptions,
    run=_run,
    result=TableResult,
    write=_write,
    lines=_lines,
    notes=lambda table: table.notes,
    brief=_brief,
    forms=COMPARISON_FORMS,
    may_wait=True,
)
