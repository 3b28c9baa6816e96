"""Computes the groups and layers of a corpus, once, when it is built.

Groups are the papers on each mission and each concept. Layers without options are computed from the groups, the map and
other parts of the corpus. Anything already computed from the same inputs is kept.
"""

from collections.abc import Iterator

from pathfinder.building.directory import BuildDirectory
from pathfinder.building.progress import Progress, report_each
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile, check_whole, place_part
from pathfinder.corpus.store import Corpus, open_parts
from pathfinder.corpus.thesaurus import open_thesaurus
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.groups import open_paper_groups, write_paper_groups
from pathfinder.landscape.data.landscape import open_landscape
from pathfinder.landscape.data.layer import Layer, UnavailableLayer
from pathfinder.landscape.data.layer_store import StoredLayers, open_stored_layers, write_stored_layers
from pathfinder.landscape.data.map_data import MapData, map_data_of
from pathfinder.landscape.layers.registry import compute_layer, inputs_hash, stored_kinds


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
