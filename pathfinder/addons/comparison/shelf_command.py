"""`pathfinder shelf table`: the papers on a shelf, compared column by column."""

from typing import Annotated, Literal

import typer

from pathfinder.addons.comparison.operation import COLUMNS_HELP, OPERATION, TableOptions
from pathfinder.cli.operations import write_outcome
from pathfinder.cli.options import Folder, JsonFlag
from pathfinder.cli.settings import open_pathfinder
from pathfinder.cli.shelf import ShelfName
from pathfinder.cli.stored_shelves import ids_on


def table(
    folder: Folder,
    name: ShelfName,
    column: Annotated[
        list[str] | None, typer.Option("--column", metavar="NAME", help=f"{COLUMNS_HELP} May be repeated.")
    ] = None,
    form: Annotated[
        Literal["csv", "latex", "markdown"] | None, typer.Option("--format", help="Write this format instead of text.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare, column by column, the papers on a shelf that are not out."""
    options = TableOptions(papers=list(ids_on(folder, name)), columns=column)
    write_outcome(OPERATION, open_pathfinder(folder), None, options, as_json=as_json, form=form)
