"""Measures the cost of a map's layers when they are computed in the build, read from the corpus, or computed on each
request.

    python -m benchmarks.layers CORPUS [--papers 350000]

CORPUS must have layers, and preferably a thesaurus and reviews too: `pathfinder build --thesaurus FILE --reviews FILE`.
Papers beyond its own are repetitions: each copy keeps the data of the original, such as dates, authors and keywords,
and is moved a little on the map and in meaning. Times are CPU seconds, because wall-clock time depends on other
processes.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import pyarrow as pa

from benchmarks.landscape import repeat_vectors
from benchmarks.report import Figure, machine, print_figures
from pathfinder.corpus.paper_columns import TABLE_SCHEMA
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.listed_terms import ListedTerms
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.canvas.scene_record import history_record
from pathfinder.landscape.data.groups import Groups, papers_by_concept, papers_by_mission
from pathfinder.landscape.data.landscape import open_landscape
from pathfinder.landscape.data.layer import Layer, UnavailableLayer
from pathfinder.landscape.data.layer_store import open_stored_layers, write_stored_layers
from pathfinder.landscape.data.map_data import MapData, map_data_of
from pathfinder.landscape.layers.registry import compute_layers, inputs_hash, layer, list_layers, stored_kinds

SLUGS = ("topic:exoplanets", "mission:jwst", "author:Smith, J")
LEAST_MOVE = 0.01
"""Standard deviation of a copy's shift on the map, as a share of the map's width."""
MOST = {"built": 60.0, "all built": 20.0, "read": 0.1, "asked": 1.0}
"""Maximum number of seconds for each figure."""


def enlarge(map_data: MapData, copies: int, folder: Path) -> MapData:
    """Repeat the papers of the map `copies` times, with an index of their vectors in `folder`."""
    n = len(map_data.papers)
    table = pa.table([map_data.papers.column(field.name) for field in TABLE_SCHEMA], schema=TABLE_SCHEMA)
    width = map_data.grid.extent.right - map_data.grid.extent.left
    moves = np.random.default_rng(0).normal(scale=LEAST_MOVE * width, size=(copies * n, 2))
    places = (np.tile(map_data.coordinates, (copies, 1)) + moves).astype(np.float32)
    return replace(
        map_data,
        coordinates=places,
        papers=PaperTable(pa.concat_tables([table] * copies).combine_chunks()),
        cell_of_paper=map_data.grid.cell_of(places),
        terms=_tiled_terms(map_data.terms, copies, n) if map_data.terms else None,
        missions=_tile(map_data.missions, copies, n) if map_data.missions else None,
        concepts=_tile(map_data.concepts, copies, n) if map_data.concepts else None,
        dense=_index(map_data, copies * n, folder / "dense.faiss"),
        stored_layers=None,
    )


def _index(map_data: MapData, n: int, path: Path) -> DenseIndex | None:
    if map_data.dense is None:
        return None
    vectors = repeat_vectors(map_data.dense.vectors(np.arange(len(map_data.papers))), n)
    write_dense([vectors], vectors.shape[1], path)
    return DenseIndex.open(path)


def _tile(groups: Groups, copies: int, n: int) -> Groups:
    return Groups.of(
        {
            name: np.concatenate([groups.rows_at(at) + i * n for i in range(copies)])
            for at, name in enumerate(groups.names)
        }
    )


def _tiled_terms(terms: KeywordIndex, copies: int, n: int) -> KeywordIndex:
    parts = np.split(terms.rows, terms.starts[1:-1])
    shifts = (np.arange(copies, dtype=np.int32) * n)[:, None]
    rows = np.concatenate([(part[None, :] + shifts).ravel() for part in parts]).astype(np.int32)
    return KeywordIndex(ListedTerms(terms.terms, terms.starts * copies, rows, np.tile(terms.has_keywords, copies)))


def measure(map_data: MapData, folder: Path) -> list[Figure]:
    """Measure the time in seconds to compute the layers in a build, to read them, and to compute others on request; the
    last two are done once before they are measured.
    """
    size_label = f"{len(map_data.papers):,} papers"
    timed_layers = list(_count(map_data))
    computed_layers, in_all = (
        [computed_layer for computed_layer, _ in timed_layers],
        sum(seconds for _, seconds in timed_layers),
    )
    layer_times = [*_groups(map_data), *((computed_layer.slug, seconds) for computed_layer, seconds in timed_layers)]
    figures = [
        Figure(f"{size_label}, built: {what}", seconds, "s", "at most", MOST["built"]) for what, seconds in layer_times
    ]
    figures.append(Figure(f"{size_label}, built: all that are kept", in_all, "s", "at most", MOST["all built"]))
    hashes = {kind.slug: inputs_hash(kind, map_data) for kind in stored_kinds()}
    write_stored_layers(computed_layers, hashes, folder / "layers")
    keeping = replace(map_data, stored_layers=open_stored_layers(folder / "layers"))
    steps: list[tuple[str, str, Callable[[], object]]] = [
        ("read", computed_layer.slug, partial(layer, keeping, computed_layer.slug))
        for computed_layer in computed_layers
    ]
    years = map_data.papers.years()
    steps.append(("asked", "list of layers", partial(list_layers, map_data)))
    steps.append(
        ("asked", "papers by year and cell", lambda: history_record(map_data.coordinates, years, map_data.grid))
    )
    steps += [("asked", slug, partial(layer, map_data, slug)) for slug in SLUGS]
    for when, what, run in steps:
        run()
        figures.append(Figure(f"{size_label}, {when}: {what}", _seconds(run), "s", "at most", MOST[when]))
    return figures


def _groups(map_data: MapData) -> Iterator[tuple[str, float]]:
    yield "missions", _seconds(lambda: papers_by_mission(map_data.papers))
    if map_data.terms and map_data.thesaurus:
        terms, thesaurus = map_data.terms, map_data.thesaurus
        yield "concepts", _seconds(lambda: papers_by_concept(terms, thesaurus))


def _count(map_data: MapData) -> Iterator[tuple[Layer | UnavailableLayer, float]]:
    layers, start = compute_layers(map_data), process_time()
    for computed_layer in layers:
        yield computed_layer, process_time() - start
        start = process_time()


def _seconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start


def _survey(corpus: Corpus) -> MapData:
    folder = corpus.path("landscape")
    if folder is None:
        raise SystemExit("this corpus has no map: name a larger one")
    return map_data_of(corpus, open_landscape(folder))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the corpus named in the arguments."""
    parser = argparse.ArgumentParser(description="What the layers of a map cost.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--papers", type=int)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    print(machine())
    map_data = _survey(open_corpus(options.corpus))
    copies = max(1, round((options.papers or 0) / len(map_data.papers)))
    with TemporaryDirectory() as folder:
        larger = enlarge(map_data, copies, Path(folder)) if copies > 1 else map_data
        print_figures(measure(larger, Path(folder)), options.json)


if __name__ == "__main__":
    main()
