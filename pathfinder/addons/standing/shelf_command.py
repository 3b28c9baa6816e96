"""`pathfinder shelf morning`: the papers of the last days that are close to those on a shelf."""

import datetime
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pathfinder.addons.standing.morning import MAX_DAYS
from pathfinder.addons.standing.morning_operation import (
    CATEGORIES_HELP,
    DAYS_HELP,
    OPERATION,
    UNTIL_HELP,
    sources_of,
)
from pathfinder.cli.options import Folder, JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.cli.shelf import ShelfName
from pathfinder.cli.stored_shelves import store_of
from pathfinder.settings import read_settings
from pathfinder.user_data import data_folder

if TYPE_CHECKING:
    from pathfinder.addons.standing.mornings import OwnMornings

_FROM = "Any other source of new papers, such as a file, arxiv:QUERY or oai:SET. May be repeated."
_STAR = "First star this paper of an earlier morning: later ones look for more like it. May be repeated."
_NOT = "First mark this paper of an earlier morning as not for you. May be repeated."


def morning(
    folder: Folder,
    name: ShelfName,
    category: Annotated[
        list[str] | None, typer.Option("--category", metavar="NAME", help=f"{CATEGORIES_HELP} May be repeated.")
    ] = None,
    source: Annotated[list[str] | None, typer.Option("--from", metavar="SOURCE", help=_FROM)] = None,
    days: Annotated[int | None, typer.Option("--days", min=1, max=MAX_DAYS, metavar="N", help=DAYS_HELP)] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DAY", help=UNTIL_HELP)] = None,
    most: Annotated[int, typer.Option("--most", min=1, max=200, metavar="N", help="Number of papers to list.")] = 20,
    star: Annotated[list[str] | None, typer.Option("--star", metavar="PAPER_ID", help=_STAR)] = None,
    not_for_me: Annotated[list[str] | None, typer.Option("--not-for-me", metavar="PAPER_ID", help=_NOT)] = None,
    form: Annotated[
        Literal["markdown", "json-feed", "atom"] | None,
        typer.Option("--format", help="Write this format instead of text."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Rank the papers of the last days by how close they are to a shelf; its sources are stored for the next time."""
    from pathfinder.addons.standing.mornings import StoredMornings, run_morning

    pf, shelf = open_pathfinder(folder), store_of(folder).shelf(name)
    store = StoredMornings(data_folder(read_settings()), pf.corpus.name)
    today = datetime.datetime.now(datetime.UTC).date()
    words = [(paper_id, True) for paper_id in star or ()] + [(paper_id, False) for paper_id in not_for_me or ()]
    if words:

        def with_words(own: "OwnMornings") -> "OwnMornings":
            for paper_id, is_star in words:
                own = own.marked(paper_id, is_star=is_star, on=today)
            return own

        store.change(name, with_words)
    own = store.read(name)
    sources = [*(sources_of(category) if category else ()), *(source or ())] or [*own.sources]
    outcome = run_morning(pf, shelf, store, sources or sources_of(()), days or own.days, until, most)
    write_notes(outcome.notes)
    if as_json:
        write_json(OPERATION.write(outcome))
    elif form is not None:
        typer.echo(OPERATION.forms[form](outcome), nl=False)
    else:
        write_lines(OPERATION.lines(outcome))
    write_notes(OPERATION.failures(outcome), "failed")
    if outcome.outages:
        raise typer.Exit(1)
