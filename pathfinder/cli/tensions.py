"""`pathfinder tensions`: lists findings that disagree among the papers found."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from pathfinder.cli.options import SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.types import SearchRequest, Tension, Tensions, without_control_characters

OPTIONS = {
    "n_papers": (
        Annotated[int, typer.Option("--papers", metavar="N", help="Number of best matches to compare, 2 to 100.")],
        30,
    ),
    "form": (Annotated[Literal["csv"] | None, typer.Option("--format", help="Write CSV instead of a list.")], None),
}


def _tensions(
    request: SearchRequest, folder: Path | None, as_json: bool, n_papers: int, form: Literal["csv"] | None
) -> None:
    """List pairs of papers that disagree on a value or a statement, with both sentences."""
    from pathfinder.export.tensions import tensions_csv, tensions_record

    pf = open_pathfinder(folder)
    result = pf.search(request)
    report = pf.tensions(result, n_papers)
    write_notes((*result.notes, *report.notes))
    if as_json:
        write_json(tensions_record(report))
    elif form is not None:
        typer.echo(tensions_csv(report), nl=False)
    else:
        write_lines(map(without_control_characters, _lines(report)))


tensions = SearchCommand(_tensions, OPTIONS)


def _lines(report: Tensions) -> Iterator[str]:
    from pathfinder.export.tensions import describe_tensions

    yield describe_tensions(report)
    for tension in report.tensions:
        yield f"{tension.subject}: {tension.reason}"
        yield from _of_tension(tension)


def _of_tension(tension: Tension) -> Iterator[str]:
    from pathfinder.export.records import year_of

    for side in tension.sides:
        yield f"  {side.paper.title} ({year_of(side.paper) or 'year unknown'}) {side.paper.paper_id}"
        yield f'    "{side.quotation}"'
        if side.method is not None and side.method != side.quotation:
            yield f'    by: "{side.method}"'
    for each in tension.later:
        yield f'  later: {each.paper.paper_id} ({year_of(each.paper)}): "{each.quotation}"'
