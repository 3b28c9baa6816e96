"""The layers of a map: what counting them costs, once at the build and each time that one is asked for.

    python -m benchmarks.layers CORPUS [--papers 350000]

CORPUS has its layers, and better its thesaurus and its reviews too: `pathfinder build --thesaurus FILE --reviews FILE`.
More papers than it has are its own over and over: rows, dates, authors and keywords as they are, each copy moved a
little on the map. Seconds of the processor, for a wall clock tells of whoever else is at work.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import pyarrow as pa

from benchmarks.report import Figure, machine, print_figures
from pathfinder.corpus.papers import TABLE_SCHEMA, PaperTable
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.groups import Groups
from pathfinder.landscape.landscape import open_landscape
from pathfinder.landscape.layers.catalogue import catalogue, layer
from pathfinder.landscape.layers.concepts import papers_by_concept
from pathfinder.landscape.layers.surveying import survey_of
from pathfinder.landscape.layers.years import year_counts
from pathfinder.landscape.missions import papers_by_mission
from pathfinder.landscape.survey import Survey

SLUGS = ("growth", "hotspots", "years", "reviews", "topics", "topic:exoplanets", "mission:jwst", "author:Smith, J")
MOVED = 0.01
"""Standard deviation of a copy's way on the map, as a share of its width."""
MOST = {"built": 60.0, "asked": 1.0}
"""Seconds."""


def enlarged(survey: Survey, copies: int) -> Survey:
    """The survey of the same papers `copies` times."""
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
        meaning=None,
    )


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


def measure(survey: Survey) -> list[Figure]:
    """Seconds of what a build counts, and of every layer that is asked for, the second time."""
    named = f"{len(survey.papers):,} papers"
    steps: list[tuple[str, str, Callable[[], object]]] = [
        ("built", "missions", lambda: papers_by_mission(survey.papers))
    ]
    if survey.terms and survey.thesaurus:
        terms, thesaurus = survey.terms, survey.thesaurus
        steps.append(("built", "concepts", lambda: papers_by_concept(terms, thesaurus)))
    steps.append(("asked", "list of layers", lambda: catalogue(survey)))
    steps.append(("asked", "papers by year and cell", lambda: year_counts(survey)))
    steps += [("asked", slug, partial(layer, survey, slug)) for slug in SLUGS]
    figures = []
    for when, what, run in steps:
        if when == "asked":
            run()
        start = process_time()
        run()
        figures.append(Figure(f"{named}, {when}: {what}", process_time() - start, "s", "at most", MOST[when]))
    return figures


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
    print_figures(measure(enlarged(survey, copies) if copies > 1 else survey), given.json)


if __name__ == "__main__":
    main()
