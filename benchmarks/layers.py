"""The layers of a map: what they cost, counted once at the build, read, and counted each time that one is asked for.

    python -m benchmarks.layers CORPUS [--papers 350000]

CORPUS has its layers, and better its thesaurus and its reviews too: `pathfinder build --thesaurus FILE --reviews FILE`.
More papers than it has are its own over and over: rows, dates, authors and keywords as they are, each copy moved a
little on the map and in meaning. Seconds of the processor, for a wall clock tells of whoever else is at work.
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

from benchmarks.landscape import repeated
from benchmarks.report import Figure, machine, print_figures
from pathfinder.corpus.papers import TABLE_SCHEMA, PaperTable
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.groups import Groups
from pathfinder.landscape.kept import open_kept, write_kept
from pathfinder.landscape.landscape import open_landscape
from pathfinder.landscape.layer import Absent, Layer
from pathfinder.landscape.layers.catalogue import catalogue, layer, whole_layers
from pathfinder.landscape.layers.concepts import papers_by_concept
from pathfinder.landscape.layers.surveying import survey_of
from pathfinder.landscape.missions import papers_by_mission
from pathfinder.landscape.scene_record import history_record
from pathfinder.landscape.survey import Survey

SLUGS = ("topic:exoplanets", "mission:jwst", "author:Smith, J")
MOVED = 0.01
"""Standard deviation of a copy's way on the map, as a share of its width."""
MOST = {"built": 60.0, "all built": 20.0, "read": 0.1, "asked": 1.0}
"""Seconds."""


def enlarged(survey: Survey, copies: int, folder: Path) -> Survey:
    """The survey of the same papers `copies` times, with an index of their vectors in `folder`."""
    n = len(survey.papers)
    table = pa.table([survey.papers.column(field.name) for field in TABLE_SCHEMA], schema=TABLE_SCHEMA)
    width = survey.grid.extent.right - survey.grid.extent.left
    moves = np.random.default_rng(0).normal(scale=MOVED * width, size=(copies * n, 2))
    places = (np.tile(survey.coordinates, (copies, 1)) + moves).astype(np.float32)
    return replace(
        survey,
        coordinates=places,
        papers=PaperTable(pa.concat_tables([table] * copies).combine_chunks()),
        cells=survey.grid.cell_of(places),
        terms=_tiled_terms(survey.terms, copies, n) if survey.terms else None,
        missions=_tiled(survey.missions, copies, n) if survey.missions else None,
        concepts=_tiled(survey.concepts, copies, n) if survey.concepts else None,
        meaning=_index(survey, copies * n, folder / "dense.faiss"),
        kept=None,
    )


def _index(survey: Survey, n: int, path: Path) -> DenseIndex | None:
    if survey.meaning is None:
        return None
    vectors = repeated(survey.meaning.vectors(np.arange(len(survey.papers))), n)
    write_dense([vectors], vectors.shape[1], path)
    return DenseIndex.open(path)


def _tiled(groups: Groups, copies: int, n: int) -> Groups:
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
    return KeywordIndex(terms.terms, terms.starts * copies, rows, np.tile(terms.has_keywords, copies))


def measure(survey: Survey, folder: Path) -> list[Figure]:
    """Seconds of what a build counts, of reading it, and of what is asked for, the second time."""
    named = f"{len(survey.papers):,} papers"
    counted = list(_counted(survey))
    kept, in_all = [one for one, _ in counted], sum(seconds for _, seconds in counted)
    built = [*_groups(survey), *((one.slug, seconds) for one, seconds in counted)]
    figures = [Figure(f"{named}, built: {what}", seconds, "s", "at most", MOST["built"]) for what, seconds in built]
    figures.append(Figure(f"{named}, built: all that are kept", in_all, "s", "at most", MOST["all built"]))
    write_kept(kept, folder / "overlays")
    keeping = replace(survey, kept=open_kept(folder / "overlays"))
    steps: list[tuple[str, str, Callable[[], object]]] = [
        ("read", one.slug, partial(layer, keeping, one.slug)) for one in kept
    ]
    years = survey.papers.years()
    steps.append(("asked", "list of layers", partial(catalogue, survey)))
    steps.append(("asked", "papers by year and cell", lambda: history_record(survey.coordinates, years, survey.grid)))
    steps += [("asked", slug, partial(layer, survey, slug)) for slug in SLUGS]
    for when, what, run in steps:
        run()
        figures.append(Figure(f"{named}, {when}: {what}", _seconds(run), "s", "at most", MOST[when]))
    return figures


def _groups(survey: Survey) -> Iterator[tuple[str, float]]:
    yield "missions", _seconds(lambda: papers_by_mission(survey.papers))
    if survey.terms and survey.thesaurus:
        terms, thesaurus = survey.terms, survey.thesaurus
        yield "concepts", _seconds(lambda: papers_by_concept(terms, thesaurus))


def _counted(survey: Survey) -> Iterator[tuple[Layer | Absent, float]]:
    layers, start = whole_layers(survey), process_time()
    for one in layers:
        yield one, process_time() - start
        start = process_time()


def _seconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start


def _survey(corpus: Corpus) -> Survey:
    folder = corpus.path("landscape")
    if folder is None:
        raise SystemExit("this corpus has no map: name a larger one")
    return survey_of(corpus, open_landscape(folder))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the corpus that the arguments name."""
    parser = argparse.ArgumentParser(description="What the layers of a map cost.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--papers", type=int)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    print(machine())
    survey = _survey(open_corpus(given.corpus))
    copies = max(1, round((given.papers or 0) / len(survey.papers)))
    with TemporaryDirectory() as folder:
        larger = enlarged(survey, copies, Path(folder)) if copies > 1 else survey
        print_figures(measure(larger, Path(folder)), given.json)


if __name__ == "__main__":
    main()
