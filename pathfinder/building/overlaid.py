"""What lies over the map, counted once when a corpus is built."""

from pathfinder.building.progress import Progress
from pathfinder.building.workplace import Workplace
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.papers import PaperTable, read_table
from pathfinder.corpus.parts import Part, check_whole, place_part
from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import open_thesaurus
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.layers.store import are_current, open_layers, write_layers

COUNTED_FROM = ("papers", "terms", "thesaurus")
"""Parts that the layers are counted from; while they stay, so do the layers."""


def layers_part(place: Workplace, manifest: Manifest, before: Corpus | None, progress: Progress) -> Part:
    """The layers of the corpus that `manifest` names, or those that were counted before and still hold."""
    if before and _still_hold(before, manifest):
        return before.manifest.parts["layers"]
    progress.start("counting layers", None)
    folder, staged = place.corpus, place.staging / "layers"
    thesaurus = manifest.parts.get("thesaurus")
    write_layers(
        PaperTable(read_table(folder / manifest.parts["papers"].name)),
        KeywordIndex.open(folder / manifest.parts["terms"].name),
        open_thesaurus(folder / thesaurus.name) if thesaurus else None,
        staged,
    )
    open_layers(staged, manifest.counts.papers)
    part = place_part(staged, "layers", folder)
    check_whole(folder, part)
    progress.finish()
    return part


def _still_hold(before: Corpus, manifest: Manifest) -> bool:
    folder, parts = before.path("layers"), before.manifest.parts
    is_same = all(parts.get(role) == manifest.parts.get(role) for role in COUNTED_FROM)
    return folder is not None and is_same and are_current(folder)
