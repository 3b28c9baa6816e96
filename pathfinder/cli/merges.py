"""The command `merges`: lists the papers that sources had in common, and undoes merges."""

from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines
from pathfinder.cli.standing import run_after_change
from pathfinder.settings import read_settings

_UNDO = "Make this record a separate paper again; later builds and updates keep it separate."


def merges(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")],
    undo: Annotated[str | None, typer.Option("--undo", metavar="ID", help=_UNDO)] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the records that were merged with papers from other sources, with the reasons and conflicts."""
    from dataclasses import asdict

    from pathfinder.corpus.history.merges import n_conflicts, read_merges

    if undo is not None:
        _undo(folder, undo, as_json=as_json)
        return
    history = read_merges(folder)
    if as_json:
        write_json({"merges": [asdict(merge) for merge in history], "conflicts": n_conflicts(history)})
        return
    for merge in history:
        write_lines([f"{merge.paper_id} <- {merge.merged_id} ({merge.source}, line {merge.line}): {merge.reason}"])
        write_lines(f"    {c.field} differs: {c.value!r}, in the record {c.other!r}" for c in merge.conflicts)
    write_lines([f"merged records: {len(history)}; conflicting fields: {n_conflicts(history)}"])


def _undo(folder: Path, merged_id: str, *, as_json: bool) -> None:
    from dataclasses import asdict

    from pathfinder.building import embedder_for, undo_merge
    from pathfinder.cli.progress import build_progress

    embedder = embedder_for(None, folder, read_settings(), needs_key=False)
    with build_progress() as progress:
        report = undo_merge(folder, merged_id, embedder, progress=progress)
    if as_json:
        write_json(asdict(report))
    else:
        write_lines([f"{report.merged_id} and {report.paper_id} are two papers; papers now: {report.n_papers:,}"])
    run_after_change(folder, as_json=as_json)
