"""The operations that make lakes: of papers embedded in several processes or on several machines, and of a corpus."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import Field

from pathfinder.models.ports import Embedder
from pathfinder.operations.operation import Count, Declarer, Need, Shell, declare, result_of
from pathfinder.operations.sources import EmbedderName, MaxPapers, Since, Until
from pathfinder.settings import LOCAL_EMBEDDER, read_settings
from pathfinder.types import Paper

if TYPE_CHECKING:
    from pathfinder.addons.scale.lake import Lake
    from pathfinder.building import Progress
    from pathfinder.corpus.readers import RejectedRow
    from pathfinder.sources import OpenSource


EXPORT = "Write a corpus for other programs."
_SIZE = "Papers in a shard; a multiple of 128, so that the vectors do not depend on this number."
_RAY = (
    "Run the processes on a Ray cluster: HOST:PORT of its head node, or auto for the cluster running on this machine. "
    "All machines must see the folder of the lake under the same path."
)


class WrittenLake(NamedTuple):
    """A lake of embedded papers, and its folder."""

    out: Path
    lake: "Lake"
    notes: Sequence[str] = ()


_declare: Declarer = partial(
    declare,
    settings=(),
    result=lambda: result_of(
        WrittenLake,
        "out notes",
        lake="out",
        shards=(Count, "lake.shards"),
        papers="lake.n_papers",
        embedder="lake.embedder",
        dimension="lake.dimension",
    ),
    lines=lambda written: [
        f"{written.out}: {written.lake.n_papers:,} papers in {len(written.lake.shards):,} shards, embedded with "
        + written.lake.embedder
    ],
)


@_declare("shards", opens="nothing", needs=(Need.NETWORK,), reports=True)
def shards(
    _: None,
    sources: Annotated[list[str], Shell("SOURCE...", "Sources as for `pathfinder build`.")],
    out: Annotated[Path, Shell("--out PATH", "Folder of the lake.")],
    embedder: EmbedderName = None,
    workers: Annotated[int, Field(ge=1, description="Number of processes, each with its own model.")] = 1,
    size: Annotated[int, Field(ge=128, multiple_of=128, description=_SIZE)] = 4096,
    ray: Annotated[str | None, Shell("--ray ADDRESS", _RAY)] = None,
    since: Since = None,
    until: Until = None,
    max_papers: MaxPapers = None,
    progress: "Progress | None" = None,
) -> WrittenLake:
    """Embed papers shard by shard, in several processes or on several machines, and write them as a lake, from which
    `pathfinder build lake:PATH` fills a corpus. After a stop, the same command makes the missing shards.
    """
    from pathfinder.addons.scale.ray_cluster import RayCluster
    from pathfinder.addons.scale.shards import ProcessPool, embed_lake
    from pathfinder.building import Silent
    from pathfinder.building.read_sources import access_for
    from pathfinder.sources import Window, open_sources

    settings, progress = read_settings(), progress or Silent()
    load = partial(_embedder, embedder or settings.embedder or LOCAL_EMBEDDER)
    gpus = int(settings.device == "cuda")
    runner = ProcessPool(workers) if ray is None else RayCluster(ray, workers, gpus)
    opened_sources = open_sources(sources, Window(since, until, max_papers), access_for(out, settings, progress))
    rejected_rows: list[RejectedRow] = []
    lake = embed_lake(_papers(opened_sources, rejected_rows), out, load, progress, runner, size)
    notes = [
        f"{len(rejected_rows):,} rejected rows, the first on line {first.line} of {first.file}: {first.reason}"
        for first in rejected_rows[:1]
    ]
    return WrittenLake(out, lake, notes)


def _embedder(name: str) -> Embedder:
    """Load an embedder with the settings of the machine on which it runs, so that no key is sent to another machine."""
    from pathfinder.models.loading import load_embedder

    return load_embedder(name, read_settings())


def _papers(sources: "Sequence[OpenSource]", rejected_rows: "list[RejectedRow]") -> Iterator[Paper]:
    """Yield the papers from the sources; rejected rows are added to `rejected_rows`."""
    for source in sources:
        for _, row in source.rows:
            if isinstance(row, Paper):
                yield row
            else:
                rejected_rows.append(row)


@_declare("export lake", folder_first=True, opens="folder")
def lake(
    folder: Path, out: Annotated[Path, Shell("--out PATH", "Folder of the lake, which must be new or empty.")]
) -> WrittenLake:
    """Write the papers and vectors of a corpus as Parquet files; `pathfinder build lake:PATH` fills a corpus from
    them without embedding anything again.
    """
    from pathfinder.addons.scale.shards import export_lake
    from pathfinder.corpus.store import verify_corpus

    return WrittenLake(out, export_lake(verify_corpus(folder), out))
