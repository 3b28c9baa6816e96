"""`pathfinder table`: compares papers column by column."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from pathfinder.cli.options import SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_for_question
from pathfinder.types import ComparisonTable, SearchRequest, SearchResult

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

TableForm: TypeAlias = Annotated[
    Literal["csv", "latex", "markdown"] | None,
    typer.Option("--format", help="Write CSV, LaTeX or Markdown instead of a list."),
]
Columns: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="NAME",
        help="Column, such as sample or 'value of the mass'. May be repeated. Default: sample, method, "
        "result, limitation.",
    ),
]


def _table(
    request: SearchRequest,
    folder: Path | None,
    as_json: bool,
    column: list[str] | None,
    form: Literal["csv", "latex", "markdown"] | None,
) -> None:
    """Compare the papers found, column by column, as the chat model describes them or in their own sentences."""
    pf = open_for_question(folder)
    result = pf.search(request)
    write_notes(result.notes)
    write_table(pf, result, column, form, as_json=as_json)


table = SearchCommand(_table, {"column": (Columns, None), "form": (TableForm, None)})


def write_table(
    pf: "Pathfinder",
    papers: SearchResult | Sequence[str],
    columns: Sequence[str] | None,
    form: Literal["csv", "latex", "markdown"] | None,
    *,
    as_json: bool,
) -> None:
    """Make the table for a result, or for papers given by their ids, and write it."""
    from pathfinder.export.comparison import COMPARISON_FORMS, comparison_record

    comparison = pf.comparison_table(papers, columns)
    write_notes(comparison.notes)
    if as_json:
        write_json(comparison_record(comparison))
    elif form is not None:
        typer.echo(COMPARISON_FORMS[form](comparison), nl=False)
    else:
        write_lines(_lines(comparison))


def _lines(comparison: ComparisonTable) -> list[str]:
    from pathfinder.export.comparison import cell_text
    from pathfinder.export.records import year_of
    from pathfinder.text.latex.display import readable

    lines = []
    for row in comparison.rows:
        lines.append(f"{readable(row.paper.title)} ({year_of(row.paper) or 'year unknown'}) {row.paper.paper_id}")
        pairs = zip(comparison.columns, row.cells, strict=True)
        lines += [f"  {name}: {' '.join(cell_text(cell).split()) or '-'}" for name, cell in pairs]
    return lines
