"""Builds the map of a corpus: the positions of its papers, and everything that is drawn only once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.directory import BuildDirectory
from pathfinder.building.fitted_parts import SEED
from pathfinder.building.progress import Progress, report_each
from pathfinder.building.tools import Tools
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile, check_whole, place_part
from pathfinder.corpus.store import Corpus, corpus_profile, open_parts
from pathfinder.corpus.thesaurus import open_thesaurus
from pathfinder.errors import CorpusDamaged, UsageError
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.groups import open_paper_groups, write_paper_groups
from pathfinder.landscape.data.landscape import KEYWORDS, Atlas, Label, Landscape, open_landscape, write_landscape
from pathfinder.landscape.data.layer import Layer, UnavailableLayer
from pathfinder.landscape.data.layer_store import StoredLayers, open_stored_layers, write_stored_layers
from pathfinder.landscape.data.map_data import MapData, map_data_of
from pathfinder.landscape.density import densities, grid_over
from pathfinder.landscape.drawing.terrain import atlas_of, open_atlas, square_around, write_atlas
from pathfinder.landscape.drawing.viewport import place_labels
from pathfinder.landscape.layers.base import compute_layer, inputs_hash, stored_kinds
from pathfinder.landscape.naming.clusters import MapCluster, find_clusters, name_by_keywords, name_by_model
from pathfinder.landscape.projection.placing import place_papers
from pathfinder.landscape.projection.projection import MIN_PAPERS, N_NEIGHBOURS, Drift, measure_drift, project
from pathfinder.llm.chat import Chat
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
    chat = replace(Chat.of(namer), terms=corpus_profile(place.corpus, manifest).field) if namer else None
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


# Computes the groups and layers of a corpus, once, when it is built.
#
# Groups are the papers on each mission and each concept. Layers without options are computed from the groups, the map
# and other parts of the corpus. Anything already computed from the same inputs is kept.


def groups_part(place: BuildDirectory, manifest: Manifest, progress: Progress) -> CorpusFile:
    """Find the papers on each mission and concept in the corpus described by `manifest`."""
    progress.start("looking for missions and concepts", None)
    folder, staging_folder = place.corpus, place.staging / "groups"
    thesaurus = manifest.parts.get("thesaurus")
    write_paper_groups(
        PaperTable(read_table(folder / manifest.parts["papers"].name)),
        KeywordIndex.open(folder / manifest.parts["terms"].name),
        open_thesaurus(folder / thesaurus.name) if thesaurus else None,
        staging_folder,
    )
    open_paper_groups(staging_folder, manifest.counts.papers)
    part = place_part(staging_folder, "groups", folder)
    check_whole(folder, part)
    progress.finish()
    return part


def layers_part(
    place: BuildDirectory, manifest: Manifest, previous: Corpus | None, progress: Progress
) -> CorpusFile | str:
    """Compute the layers without options for the corpus that `manifest` describes; the manifest need not be in place
    yet.

    A layer of `previous` is kept while its inputs are the same. Returns the reason if there are no layers.
    """
    if "landscape" not in manifest.parts:
        return manifest.absent["landscape"]
    folder, staging_folder = place.corpus, place.staging / "layers"
    landscape = open_landscape(folder / manifest.parts["landscape"].name)
    map_data = map_data_of(open_parts(folder, manifest, ""), landscape)
    inputs = {kind.slug: inputs_hash(kind, map_data) for kind in stored_kinds()}
    stored_layers = _previously_stored(previous)
    if previous and stored_layers and stored_layers.inputs == inputs:
        return previous.manifest.parts["layers"]
    progress.start("computing layers", len(inputs))
    write_stored_layers(tuple(report_each(_layers(map_data, inputs, stored_layers), progress)), inputs, staging_folder)
    part = place_part(staging_folder, "layers", folder)
    check_whole(folder, part)
    progress.finish()
    return part


def _layers(
    map_data: MapData, inputs: dict[str, str], stored_layers: StoredLayers | None
) -> Iterator[Layer | UnavailableLayer]:
    """Read the stored layers whose inputs are the same, and compute the others."""
    for kind in stored_kinds():
        if stored_layers and stored_layers.inputs.get(kind.slug) == inputs[kind.slug]:
            yield stored_layers.read(kind.slug)
        else:
            yield compute_layer(kind, map_data)


def _previously_stored(previous: Corpus | None) -> StoredLayers | None:
    folder = previous.path("layers") if previous else None
    return open_stored_layers(folder) if folder else None


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
