"""The command that embeds papers in several processes or on several machines: pathfinder shards."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.options import EmbedderName, Folder, JsonFlag, MaxPapers, Since, Until, window_of
from pathfinder.cli.output import write_json, write_lines, write_notes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pathfinder.corpus.readers import RejectedRow
    from pathfinder.models.ports import Embedder
    from pathfinder.sources import OpenSource
    from pathfinder.types import Paper


_SIZE = "Papers in a shard; a multiple of 128, so that the vectors do not depend on this number."
_WORKERS = "Number of processes, each with its own model."
_RAY = (
    "Run the processes on a Ray cluster: HOST:PORT of its head node, or auto for the cluster running on this machine. "
    "All machines must see the folder of the lake under the same path."
)


def shards(
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE...", help="Sources as for `pathfinder build`.")],
    out: Annotated[Path, typer.Option("--out", metavar="PATH", help="Folder of the lake.")],
    embedder: EmbedderName = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help=_WORKERS)] = 1,
    size: Annotated[int, typer.Option("--size", min=128, help=_SIZE)] = 4096,
    ray: Annotated[str | None, typer.Option("--ray", metavar="ADDRESS", help=_RAY)] = None,
    since: Since = None,
    until: Until = None,
    max_papers: MaxPapers = None,
) -> None:
    """Embed papers shard by shard, in several processes or on several machines, and write them as a lake, from which
    `pathfinder build lake:PATH` fills a corpus. After a stop, the same command makes the missing shards.
    """
    from pathfinder.addons.scale.ray_cluster import RayCluster
    from pathfinder.addons.scale.shards import ProcessPool, embed_lake
    from pathfinder.building.read_sources import access_for
    from pathfinder.cli.progress import build_progress
    from pathfinder.errors import UsageError
    from pathfinder.settings import LOCAL_EMBEDDER, read_settings
    from pathfinder.sources import open_sources

    if size % 128:
        raise UsageError(f"--size must be a multiple of 128, got {size}")
    settings = read_settings()
    load = partial(_embedder, embedder or settings.embedder or LOCAL_EMBEDDER)
    gpus = int(settings.device == "cuda")
    runner = ProcessPool(workers) if ray is None else RayCluster(ray, workers, gpus)
    with build_progress() as progress:
        window, access = window_of(since, until, max_papers), access_for(out, settings, progress)
        opened_sources = open_sources(sources, window, access)
        rejected_rows: list[RejectedRow] = []
        papers = _papers(opened_sources, rejected_rows)
        lake = embed_lake(papers, out, load, progress, runner, size)
    if rejected_rows:
        first = rejected_rows[0]
        write_notes(
            [f"{len(rejected_rows):,} rejected rows, the first on line {first.line} of {first.file}: {first.reason}"]
        )
    write_lines([f"{out}: {lake.n_papers:,} papers in {len(lake.shards):,} shards, embedded with {lake.embedder}"])


def _embedder(name: str) -> "Embedder":
    """Load an embedder with the settings of the machine on which it runs, so that no key is sent to another machine."""
    from pathfinder.models.loading import load_embedder
    from pathfinder.settings import read_settings

    return load_embedder(name, read_settings())


def _papers(sources: "Sequence[OpenSource]", rejected_rows: "list[RejectedRow]") -> "Iterator[Paper]":
    """Yield the papers from the sources; rejected rows are added to `rejected_rows`."""
    from pathfinder.types import Paper

    for source in sources:
        for _, row in source.rows:
            if isinstance(row, Paper):
                yield row
            else:
                rejected_rows.append(row)


# The command for lakes: pathfinder export lake.

export = typer.Typer(rich_markup_mode=None, help="Write a corpus for other programs.")

_OUT = typer.Option("--out", metavar="PATH", help="Folder of the lake, which must be new or empty.")


@export.callback()
def _group() -> None:
    """Write a corpus for other programs."""


@export.command("lake")
def lake(
    folder: Folder,
    out: Annotated[Path, _OUT],
    as_json: JsonFlag = False,
) -> None:
    """Write the papers and vectors of a corpus as Parquet files; `pathfinder build lake:PATH` fills a corpus from
    them without embedding anything again.
    """
    from pathfinder.addons.scale.export import export_lake
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
