"""Builds the map of a corpus: the positions of its papers, and everything that is drawn only once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.fitted_parts import SEED
from pathfinder.building.progress import report_each
from pathfinder.building.work import Work
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import Corpus, corpus_profile
from pathfinder.corpus.thesaurus import open_thesaurus
from pathfinder.errors import CorpusDamaged, UsageError
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.groups import are_current, open_paper_groups, write_paper_groups
from pathfinder.landscape.data.landscape import KEYWORDS, Atlas, Label, Landscape, open_landscape, write_landscape
from pathfinder.landscape.data.layer import Layer, UnavailableLayer
from pathfinder.landscape.data.layer_store import open_stored_layers, write_stored_layers
from pathfinder.landscape.data.map_data import map_data_of
from pathfinder.landscape.density import densities, grid_over
from pathfinder.landscape.drawing.terrain import atlas_of, open_atlas, square_around, write_atlas
from pathfinder.landscape.drawing.viewport import place_labels
from pathfinder.landscape.layers.base import compute_layer, inputs_hash, stored_kinds
from pathfinder.landscape.naming.clusters import MapCluster, find_clusters, name_by_keywords, name_by_model
from pathfinder.landscape.projection.projection import (
    MIN_PAPERS,
    N_NEIGHBOURS,
    Drift,
    measure_drift,
    place_papers,
    project,
)
from pathfinder.llm.chat import Chat

Renaming: TypeAlias = Callable[[Sequence[MapCluster], Sequence[Label], PaperTable], Sequence[Label]]
"""Function that renames the clusters of a map, which are first named after their keywords."""

CROWDING = 2
"""Growth beyond which a new map is advised: the number of papers divided by the number before the build."""


def landscape_part(work: Work) -> CorpusFile | str:
    """Place the papers on the map; those of the previous corpus stay where they are. Returns the reason if there is no
    map.
    """
    vectors, previous = work.vectors, None if work.plan.options.afresh else work.previous
    folder = previous.path("landscape") if previous else None
    places: NDArray[np.float32] | None
    with work.stage("mapping"):
        if folder is None:
            places = project(vectors, SEED)
        else:
            previous_places = open_landscape(folder).coordinates
            n_known = len(previous_places)
            new_places = place_papers(vectors[:n_known], previous_places, vectors[n_known:])
            places = np.concatenate([previous_places, new_places])
    if previous and len(vectors) > CROWDING * len(previous.papers) >= CROWDING * MIN_PAPERS:
        work.progress.say(
            f"{len(vectors):,} papers share a map that was laid out for {len(previous.papers):,}: use --new-map to lay "
            "it out again"
        )
    if places is None:
        return no_map(len(vectors))
    return work.make_part("landscape", "landscape", lambda path: write_landscape(places, path))


def no_map(n_papers: int) -> str:
    """Return the reason why a corpus of `n_papers` has no map."""
    return f"a map needs at least {MIN_PAPERS} papers, but this corpus has {n_papers}"


def atlas_part(work: Work) -> CorpusFile | str:
    """Draw the map of the corpus made so far; return the reason if there is none."""
    if "landscape" not in work.manifest.parts:
        return work.manifest.absent["landscape"]
    rename: Renaming | None = None
    if (namer := work.plan.options.namer) is not None:
        chat = replace(Chat.of(namer), terms=corpus_profile(work.place.corpus, work.manifest).field)
        rename = partial(name_by_model, chat=chat, say=work.progress.say)

    def write(folder: Path) -> None:
        landscape, index = open_landscape(work.path("landscape")), KeywordIndex.open(work.path("terms"))
        write_atlas(draw(landscape, work.papers, index, rename), folder)
        open_atlas(folder)

    with work.stage("drawing the map"):
        part = work.make_part("atlas", "atlas", write)
    if namer is None and (models := _namers(work.previous)):
        work.progress.say(
            f"keywords have replaced the names chosen by {', '.join(models)}: "
            "build with --name-labels to name the map again"
        )
    return part


def _namers(previous: Corpus | None) -> tuple[str, ...]:
    """List the chat models that named clusters of the previous map, if this version of Pathfinder can read it."""
    folder = previous.path("atlas") if previous else None
    if folder is None:
        return ()
    try:
        labels = open_atlas(folder).labels
    except CorpusDamaged:
        # The atlas is damaged or from another version, but it is being replaced, so no warning is needed.
        return ()
    return tuple(sorted({label.named_by for label in labels} - {KEYWORDS}))


def draw(landscape: Landscape, papers: PaperTable, index: KeywordIndex, rename: Renaming | None = None) -> Atlas:
    """Draw a map: densities, names and tiles. Row i of `landscape`, `papers` and `index` is the same paper."""
    grid = grid_over(landscape.extent)
    smooth = densities(landscape.coordinates, grid)
    clusters = find_clusters(landscape.coordinates, grid, smooth, index, papers)
    keyword_labels = name_by_keywords(clusters)
    map_labels = rename(clusters, keyword_labels, papers) if rename else keyword_labels
    labels = place_labels(map_labels, square_around(landscape.extent))
    return atlas_of(landscape.coordinates, grid, smooth, labels)


# Computes the groups and layers of a corpus, once, when it is built.
#
# Groups are the papers on each mission and each concept. Layers without options are computed from the groups, the map
# and other parts of the corpus. Anything already computed from the same inputs is kept.


def groups_are_current(corpus: Corpus | None) -> bool:
    """Return whether a corpus has groups that were found by the rules of this version."""
    folder = corpus.path("groups") if corpus else None
    return folder is not None and are_current(folder)


def groups_part(work: Work) -> CorpusFile:
    """Find the papers on each mission and concept in the corpus made so far."""

    def write(folder: Path) -> None:
        thesaurus = open_thesaurus(work.path("thesaurus")) if "thesaurus" in work.manifest.parts else None
        write_paper_groups(work.papers, KeywordIndex.open(work.path("terms")), thesaurus, folder)
        open_paper_groups(folder, work.manifest.counts.papers)

    with work.stage("grouping papers by what they are about"):
        return work.make_part("groups", "groups", write)


def layers_part(work: Work) -> CorpusFile | str:
    """Compute the layers without options for the corpus made so far.

    A layer of the previous corpus is kept while its inputs are the same. Returns the reason if there are no layers.
    """
    if "landscape" not in work.manifest.parts:
        return work.manifest.absent["landscape"]
    map_data = map_data_of(work.corpus, open_landscape(work.path("landscape")))
    inputs = {kind.slug: inputs_hash(kind, map_data) for kind in stored_kinds()}
    folder = work.previous.path("layers") if work.previous else None
    stored_layers = open_stored_layers(folder) if folder else None
    if work.previous and stored_layers and stored_layers.inputs == inputs:
        return work.previous.manifest.parts["layers"]

    def layers() -> Iterator[Layer | UnavailableLayer]:
        for kind in stored_kinds():
            if stored_layers and stored_layers.inputs.get(kind.slug) == inputs[kind.slug]:
                yield stored_layers.read(kind.slug)
            else:
                yield compute_layer(kind, map_data)

    with work.stage("computing layers", len(inputs)):
        all_layers = tuple(report_each(layers(), work.progress))
        return work.make_part("layers", "layers", lambda path: write_stored_layers(all_layers, inputs, path))


# Measures how far a map has drifted since papers were added to its corpus, and says whether a new map is advisable.

WORTH_A_NEW_MAP = 0.02
"""Gain in the share of neighbours kept, over that of this map, above which a new map is advised."""


def map_drift(corpus: Corpus) -> Drift:
    """Lay out a fresh map of `corpus` and compare it with the existing one; this takes as long as the layout did in the
    build.

    Raises `UsageError` for a corpus without a map, or with too few papers to compare.
    """
    folder = corpus.path("landscape")
    if folder is None:
        raise UsageError(f"{corpus.folder} has no map to compare: {corpus.absent['landscape']}")
    if len(corpus.papers) <= N_NEIGHBOURS:
        raise UsageError(
            f"measuring drift needs more than {N_NEIGHBOURS} papers, but this corpus has {len(corpus.papers)}: add more"
        )
    vectors = corpus.dense.vectors(np.arange(len(corpus.papers), dtype=np.int64))
    return measure_drift(vectors, open_landscape(folder).coordinates, SEED)


def drift_lines(drift: Drift) -> Iterator[str]:
    """Yield the lines that describe a drift."""
    yield (
        f"drift from a fresh map: median {drift.median:.1%} of the map's longer side, "
        f"nine papers in ten within {drift.ninth_decile:.1%}"
    )
    yield (
        f"nearest neighbours that are also neighbours on the map: {drift.neighbours_kept:.1%} here, "
        f"{drift.neighbours_kept_afresh:.1%} on a fresh map"
    )
    if drift.neighbours_kept_afresh - drift.neighbours_kept > WORTH_A_NEW_MAP:
        yield "a new map (build --new-map) would be better, but would break links to places on this one"
