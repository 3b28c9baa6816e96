"""Builds the map of a corpus: the positions of its papers, and everything that is drawn only once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.directory import BuildDirectory
from pathfinder.building.fitted_parts import SEED
from pathfinder.building.progress import Progress
from pathfinder.building.tools import Tools
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile, check_whole, place_part
from pathfinder.corpus.store import Corpus, corpus_profile
from pathfinder.errors import CorpusDamaged
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.atlas import KEYWORDS, Atlas, Label
from pathfinder.landscape.data.landscape import Landscape, open_landscape, write_landscape
from pathfinder.landscape.density import densities, grid_over
from pathfinder.landscape.drawing.atlas_files import atlas_of, open_atlas, write_atlas
from pathfinder.landscape.drawing.tiles import square_around
from pathfinder.landscape.drawing.viewport import place_labels
from pathfinder.landscape.naming.clusters import MapCluster, find_clusters, name_by_keywords, name_by_model
from pathfinder.landscape.projection.placing import place_papers
from pathfinder.landscape.projection.projection import MIN_PAPERS, project
from pathfinder.llm.field_words import FieldChat
from pathfinder.models.ports import ChatModel, Vectors

Renaming: TypeAlias = Callable[[Sequence[MapCluster], Sequence[Label], PaperTable], Sequence[Label]]
"""Function that renames the clusters of a map, which are first named after their keywords."""

CROWDING = 2
"""Growth beyond which a new map is advised: the number of papers divided by the number before the build."""
DRAWN_FROM = ("papers", "terms", "landscape")
"""Parts from which an atlas is drawn."""


@dataclass(frozen=True, slots=True)
class MapOptions:
    """Map options of a build."""

    afresh: bool = False
    """True to compute a new layout of the map, so that all positions change; otherwise papers stay where they are."""
    namer: ChatModel | None = None
    """Chat model that names the clusters; with `None` they are named after their keywords."""


def landscape_part(tools: Tools, vectors: Vectors, previous: Corpus | None, options: MapOptions) -> CorpusFile | str:
    """Place the papers on the map; those of `previous` stay where they are. Returns the reason if there is no map."""
    tools.progress.start("mapping", None)
    places = _places(vectors, None if options.afresh else previous)
    tools.progress.finish()
    if previous and not options.afresh and len(vectors) > CROWDING * len(previous.papers) >= CROWDING * MIN_PAPERS:
        tools.progress.say(
            f"{len(vectors):,} papers share a map that was laid out for {len(previous.papers):,}: use --new-map to lay "
            "it out again"
        )
    if places is None:
        return no_map(len(vectors))
    return tools.make_part("landscape", "landscape", lambda path: write_landscape(places, path))


def no_map(n_papers: int) -> str:
    """Return the reason why a corpus of `n_papers` has no map."""
    return f"a map needs at least {MIN_PAPERS} papers, but this corpus has {n_papers}"


def _places(vectors: Vectors, previous: Corpus | None) -> NDArray[np.float32] | None:
    folder = previous.path("landscape") if previous else None
    if folder is None:
        return project(vectors, SEED)
    previous_places = open_landscape(folder).coordinates
    new_places = place_papers(vectors[: len(previous_places)], previous_places, vectors[len(previous_places) :])
    return np.concatenate([previous_places, new_places])


def atlas_part(
    place: BuildDirectory, manifest: Manifest, previous: Corpus | None, progress: Progress, namer: ChatModel | None
) -> CorpusFile | str:
    """Draw the map of the corpus that `manifest` describes; return the reason if there is none."""
    if "landscape" not in manifest.parts:
        return manifest.absent["landscape"]
    progress.start("drawing the map", None)
    staging_folder = place.staging / "atlas"
    chat = FieldChat(namer, corpus_profile(place.corpus, manifest).field) if namer else None
    _draw(place.corpus, manifest, staging_folder, partial(name_by_model, chat=chat, say=progress.say) if chat else None)
    open_atlas(staging_folder)
    part = place_part(staging_folder, "atlas", place.corpus)
    check_whole(place.corpus, part)
    progress.finish()
    if namer is None and (models := _namers(previous)):
        progress.say(
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


def _draw(corpus: Path, manifest: Manifest, folder: Path, rename: Renaming | None) -> None:
    """Draw the map of the corpus that `manifest` describes; the manifest need not be in place yet."""
    paths = {role: corpus / manifest.parts[role].name for role in DRAWN_FROM}
    papers = PaperTable(read_table(paths["papers"]))
    write_atlas(draw(open_landscape(paths["landscape"]), papers, KeywordIndex.open(paths["terms"]), rename), folder)


def draw(landscape: Landscape, papers: PaperTable, index: KeywordIndex, rename: Renaming | None = None) -> Atlas:
    """Draw a map: densities, names and tiles. Row i of `landscape`, `papers` and `index` is the same paper."""
    grid = grid_over(landscape.extent)
    smooth = densities(landscape.coordinates, grid)
    clusters = find_clusters(landscape.coordinates, grid, smooth, index, papers)
    keyword_labels = name_by_keywords(clusters)
    map_labels = rename(clusters, keyword_labels, papers) if rename else keyword_labels
    labels = place_labels(map_labels, square_around(landscape.extent))
    return atlas_of(landscape.coordinates, grid, smooth, labels)
