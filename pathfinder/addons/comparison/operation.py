"""Papers compared column by column."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from pathfinder.addons.comparison.outcome import ComparisonCell, ComparisonRow, ComparisonTable
from pathfinder.addons.comparison.writing import COMPARISON_FORMS, cell_text
from pathfinder.errors import UsageError
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.operation import LinkTo, Need, Operation, Options, PaperIds, Shell, declare, only, result_of
from pathfinder.text.latex.display import readable
from pathfinder.types import SearchResult

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

CRITERIA_HELP = "Condition to mark as met, failed or unknown, such as 'z > 6' or 'not simulations'."
COLUMNS_HELP = "What to compare, such as 'value of the mass'. Default: sample, method, result, limitation."


class TableOptions(Options):
    """What a table takes besides the settings of a search."""

    papers: PaperIds = Field(default_factory=list, description="Ids of the papers to compare, in this order.")
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


def _result() -> Any:
    row = result_of(ComparisonRow, cells=[result_of(ComparisonCell, doubt="doubt") | None])
    return result_of(ComparisonTable, "calls status", rows=[row])


OPERATION = Operation(
    name="table",
    address="table",
    tool="compare_papers",
    help="Compare papers column by column, as the chat model describes them or in their own sentences.",
    options=TableOptions,
    needs_question=False,
    run=_run,
    result=_result,
    lines=_lines,
    brief=_brief,
    forms=COMPARISON_FORMS,
    needs=(Need.CHAT_IF_SET,),
)


@declare(
    "shelf table",
    settings=(),
    folder_first=True,
    result=OPERATION.result,
    needs=OPERATION.needs,
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
    from pathfinder.shelves.shelf import ShelfStore

    papers = [*ShelfStore.of(pf.corpus.folder).inside(name)]
    return _run(pf, None, TableOptions(papers=papers, columns=column, criteria=criterion))
