"""The commands for readers' work: pathfinder data list | backup | restore | move | delete."""

from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines
from pathfinder.errors import UsageError
from pathfinder.settings import read_settings

data = typer.Typer(
    rich_markup_mode=None,
    help="Readers' work (feedback, shelves, standing questions, screenings), in the folder PATHFINDER_DATA: list it, "
    "back it up, move it to another corpus, delete it.",
)


@data.command("list")
def list_(as_json: JsonFlag = False) -> None:
    """Count what is stored, for each corpus id."""
    from pathfinder.user_data import contents

    counts = contents(_folder())
    if as_json:
        write_json({"folder": str(_folder()), "corpora": [{"id": each, "rows": counts[each]} for each in counts]})
        return
    lines = [f"{each}: {', '.join(f'{n} {table}' for table, n in rows.items())}" for each, rows in counts.items()]
    write_lines(lines or [f"{_folder()} contains no readers' work yet"])


@data.command()
def backup(archive: Annotated[Path, typer.Argument(metavar="FILE", help="New zip archive.")]) -> None:
    """Copy everything to one file, even while readers continue to work."""
    from pathfinder.user_data import back_up

    write_lines((f"{archive}: {', '.join(back_up(_folder(), archive))}",))


@data.command("restore")
def restore_(archive: Annotated[Path, typer.Argument(metavar="FILE", help="Archive made by `data backup`.")]) -> None:
    """Unpack a backup into a folder that contains no work yet."""
    from pathfinder.user_data import restore

    write_lines((f"{_folder()}: {', '.join(restore(archive, _folder()))}",))


@data.command()
def move(
    old: Annotated[
        str, typer.Argument(metavar="ID", help="Id that `data list` shows; in older data, the name of the corpus.")
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Id that `pathfinder info` prints for the other corpus.")],
) -> None:
    """Move what is stored for one corpus to another, such as the same corpus built again elsewhere."""
    from pathfinder.user_data import move_corpus

    write_lines((f"{_some(move_corpus(_folder(), old, new), old)} moved",))


@data.command()
def delete(
    corpus: Annotated[
        str | None, typer.Argument(metavar="ID", help="Id of the corpus, as `data list` shows it.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything, including the screening files.")] = False,
) -> None:
    """Delete what is stored for a corpus, or everything. A backup is the only way back."""
    from pathfinder.user_data import delete_all, delete_corpus

    if (corpus is None) != everything:
        raise UsageError("name one of the corpora that `pathfinder data list` shows, or give --all")
    if corpus is None:
        write_lines((f"{delete_all(_folder())} files deleted",))
    else:
        write_lines((f"{_some(delete_corpus(_folder(), corpus), corpus)} deleted",))


def _some(n: int, corpus: str) -> int:
    if n == 0:
        raise UsageError(f"nothing is stored for {corpus!r}: `pathfinder data list` shows what is")
    return n


def _folder() -> Path:
    from pathfinder.user_data import data_folder

    return data_folder(read_settings())
