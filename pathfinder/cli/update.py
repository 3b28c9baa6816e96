"""The command `pathfinder update`: brings a corpus up to date with its sources."""

from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines
from pathfinder.settings import read_settings

_RETRACTIONS = "CSV file of Retraction Watch: mark the papers that it lists, now and in later updates."
_NEW_MAP = "Make a new map; links to places on the old map then become meaningless."


def update(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")],
    new_map: Annotated[bool, typer.Option("--new-map", help=_NEW_MAP)] = False,
    retractions: Annotated[Path | None, typer.Option("--retractions", metavar="FILE", help=_RETRACTIONS)] = None,
    as_json: JsonFlag = False,
) -> None:
    """Read the sources of a corpus again: add new papers, take over changes, mark withdrawn and retracted papers."""
    from pathfinder.building import embedder_for
    from pathfinder.building.update import update as update_corpus
    from pathfinder.cli.progress import build_progress

    embedder = embedder_for(None, folder, read_settings())
    with build_progress() as progress:
        report = update_corpus(folder, embedder, new_map=new_map, retractions=retractions, progress=progress)
    counts = {
        "new": report.n_new,
        "changed": report.n_changed,
        "withdrawn": report.n_withdrawn,
        "retracted": report.n_retracted,
        "unchanged": report.n_unchanged,
        "rejected": report.n_rejected,
        "left_out": report.n_left_out,
        "merged": report.n_merged,
        "conflicts": report.n_conflicts,
    }
    if as_json:
        write_json({**counts, "seconds": round(report.seconds, 1)})
    else:
        papers = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items())
        write_lines((f"{papers}, in {report.seconds:.1f} s",))
