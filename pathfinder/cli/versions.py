"""The commands `rollback`, which goes back to the earlier version of a corpus, and `remove`, which removes papers."""

from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines
from pathfinder.cli.standing import run_after_change
from pathfinder.settings import read_settings

_PURGE = (
    "Delete the earlier version too, so that no trace of the papers is left in the folder; a rollback is then "
    "impossible."
)

_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")]


def rollback(folder: _Folder, as_json: JsonFlag = False) -> None:
    """Go back to the version of a corpus before its last build, update or removal; run it again to undo that."""
    from dataclasses import asdict

    from pathfinder.building import rollback as roll_back

    report = roll_back(folder)
    if as_json:
        write_json(asdict(report))
    else:
        write_lines(
            (
                f"{report.n_papers:,} papers, {report.n_papers_before:,} before",
                f"the other version stays on disk ({report.n_bytes:,} bytes) until the next build or update",
            )
        )
    run_after_change(folder, as_json=as_json)


def remove(
    folder: _Folder,
    paper_ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of the papers to remove.")],
    purge: Annotated[bool, typer.Option("--purge", help=_PURGE)] = False,
    as_json: JsonFlag = False,
) -> None:
    """Remove papers from a corpus, along with everything made from them; later builds and updates leave them out."""
    from dataclasses import asdict

    from pathfinder.building import embedder_for
    from pathfinder.building import remove as remove_papers
    from pathfinder.cli.progress import build_progress

    embedder = embedder_for(None, folder, read_settings(), needs_key=False)
    with build_progress() as progress:
        report = remove_papers(folder, paper_ids, embedder, purge=purge, progress=progress)
    if as_json:
        write_json(asdict(report))
    else:
        n_bytes = f"{report.n_bytes:,}"
        still = f"the earlier version, which still contains them, takes {n_bytes} extra bytes; --purge deletes it"
        write_lines(
            (
                f"removed: {report.n_removed:,}; papers now: {report.n_papers:,}",
                "no trace of them is left in the folder" if purge else still,
            )
        )
    run_after_change(folder, as_json=as_json)
