"""The command for lakes: pathfinder export lake."""

from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines

export = typer.Typer(rich_markup_mode=None, help="Write a corpus for other programs.")

_OUT = typer.Option("--out", metavar="PATH", help="Folder of the lake, which must be new or empty.")


@export.callback()
def _group() -> None:
    """Write a corpus for other programs."""


@export.command("lake")
def lake(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")],
    out: Annotated[Path, _OUT],
    as_json: JsonFlag = False,
) -> None:
    """Write the papers and vectors of a corpus as Parquet files; `pathfinder build lake:PATH` fills a corpus from
    them without embedding anything again.
    """
    from pathfinder.building.lake_export import export_lake
    from pathfinder.corpus.store import verify_corpus

    lake_report = export_lake(verify_corpus(folder), out)
    if as_json:
        write_json(
            {
                "lake": str(out),
                "papers": lake_report.n_papers,
                "shards": len(lake_report.shards),
                "embedder": lake_report.embedder,
                "dimension": lake_report.dimension,
            }
        )
    else:
        n_papers, n_shards = lake_report.n_papers, len(lake_report.shards)
        write_lines([f"{out}: {n_papers:,} papers in {n_shards:,} shards, embedded with {lake_report.embedder}"])
