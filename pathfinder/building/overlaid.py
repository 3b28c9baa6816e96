"""What lies over the map, counted once when a corpus is built: who names what, and layers with nothing to choose."""

from pathfinder.building.progress import Progress, counted
from pathfinder.building.workplace import Workplace
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.papers import PaperTable, read_table
from pathfinder.corpus.parts import Part, check_whole, place_part
from pathfinder.corpus.store import Corpus, open_parts
from pathfinder.corpus.thesaurus import open_thesaurus
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.kept import open_kept, write_kept
from pathfinder.landscape.landscape import open_landscape
from pathfinder.landscape.layers.catalogue import N_WHOLE, whole_layers
from pathfinder.landscape.layers.store import are_current, open_layers, write_layers
from pathfinder.landscape.layers.surveying import survey_of

GROUPED_FROM = ("papers", "terms", "thesaurus")
"""Parts that missions and concepts are looked for in; while they stay, so do the groups of their papers."""
COUNTED_FROM = (*GROUPED_FROM, "dense", "landscape", "reviews", "layers")
"""Parts that the layers are counted from."""


def layers_part(place: Workplace, manifest: Manifest, before: Corpus | None, progress: Progress) -> Part:
    """The papers of each mission and concept in the corpus that `manifest` names; what still holds is kept."""
    if before and _groups_still_hold(before, manifest):
        return before.manifest.parts["layers"]
    progress.start("looking for missions and concepts", None)
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


def overlays_part(place: Workplace, manifest: Manifest, before: Corpus | None, progress: Progress) -> Part | str:
    """The layers that nothing is chosen for, counted of the corpus that `manifest` names, which need not be in place.

    Those that were counted before and still hold are kept. Or why there are none.
    """
    if "landscape" not in manifest.parts:
        return manifest.absent["landscape"]
    if before and _layers_still_hold(before, manifest):
        return before.manifest.parts["overlays"]
    progress.start("counting layers", N_WHOLE)
    folder, staged = place.corpus, place.staging / "overlays"
    survey = survey_of(open_parts(folder, manifest, ""), open_landscape(folder / manifest.parts["landscape"].name))
    write_kept(tuple(counted(whole_layers(survey), progress)), staged)
    part = place_part(staged, "overlays", folder)
    check_whole(folder, part)
    progress.finish()
    return part


def _groups_still_hold(before: Corpus, manifest: Manifest) -> bool:
    folder = before.path("layers")
    return folder is not None and _are_the_same(GROUPED_FROM, before, manifest) and are_current(folder)


def _layers_still_hold(before: Corpus, manifest: Manifest) -> bool:
    folder, now, then = before.path("overlays"), manifest.snapshot, before.snapshot
    return (
        folder is not None
        and _are_the_same(COUNTED_FROM, before, manifest)
        # Layers count years back from the snapshot's, and tell why there are no reviews.
        and (now and now.year) == (then and then.year)
        and manifest.absent.get("reviews") == before.manifest.absent.get("reviews")
        and open_kept(folder) is not None
    )


def _are_the_same(roles: tuple[str, ...], before: Corpus, manifest: Manifest) -> bool:
    return all(before.manifest.parts.get(role) == manifest.parts.get(role) for role in roles)
