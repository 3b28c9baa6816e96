"""The commands `rollback`, which goes back to the earlier version of a corpus, and `remove`, which removes papers."""

from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines

_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")]


def rollback(folder: _Folder, as_json: JsonFlag = False) -> None:
    """Go back to the version of a corpus before its last build, update or removal; run it again to return."""
    from dataclasses import asdict

    from pathfinder.building import rollback as roll_back

    report = roll_back(folder)
    if as_json:
        write_json(asdict(report))
    else:
        write_lines(
            (
                f"{report.n_papers:,} papers, {report.n_papers_before:,} before",
                f"the other version takes {report.n_bytes:,} bytes on disk until the next build or update",
            )
        )
