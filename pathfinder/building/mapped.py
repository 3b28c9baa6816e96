"""The map of a corpus: where the papers lie, and what is drawn of it once."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.derived import SEED
from pathfinder.building.progress import Progress
from pathfinder.building.tools import Tools
from pathfinder.building.workplace import Workplace
from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.papers import PaperTable, read_table
from pathfinder.corpus.parts import Part, check_whole, place_part
from pathfinder.corpus.store import Corpus
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.atlas_files import has_current_atlas, open_atlas, write_atlas
from pathfinder.landscape.grid import grid_over
from pathfinder.landscape.labels import place_labels
from pathfinder.landscape.landscape import Landscape, open_landscape, write_landscape
from pathfinder.landscape.parts import find_parts, name_by_keywords
from pathfinder.landscape.peaks import densities
from pathfinder.landscape.placing import place_papers
from pathfinder.landscape.projection import MIN_PAPERS, project
from pathfinder.landscape.tiles import square_around
from pathfinder.models.ports import Vectors

DRAWN_FROM = ("papers", "terms", "landscape")
"""Parts that an atlas is made of; while they stay, it does."""


def landscape_part(tools: Tools, vectors: Vectors, before: Corpus | None) -> Part | str:
    """Where the papers lie; those that lay somewhere in `before` stay there. Or why there is no map."""
    tools.progress.start("mapping", None)
    places = _places(vectors, before)
    tools.progress.finish()
    if places is None:
        return f"a map takes at least {MIN_PAPERS} papers, and here are {len(vectors)}"
    return tools.make_part("landscape", "landscape", lambda path: write_landscape(places, path))


def _places(vectors: Vectors, before: Corpus | None) -> NDArray[np.float32] | None:
    folder = before.path("landscape") if before else None
    if folder is None:
        return project(vectors, SEED)
    known = open_landscape(folder).coordinates
    added = place_papers(vectors[: len(known)], known, vectors[len(known) :])
    return np.concatenate([known, added])


def atlas_part(place: Workplace, manifest: Manifest, before: Corpus | None, progress: Progress) -> Part | str:
    """What is drawn of the map that `manifest` names, or was drawn before and still holds; or why there is none."""
    if "landscape" not in manifest.parts:
        return manifest.absent["landscape"]
    if before and _still_holds(before, manifest):
        return before.manifest.parts["atlas"]
    progress.start("drawing the map", None)
    staged = place.staging / "atlas"
    _draw(place.corpus, manifest, staged)
    open_atlas(staged)
    part = place_part(staged, "atlas", place.corpus)
    check_whole(place.corpus, part)
    progress.finish()
    return part


def _still_holds(before: Corpus, manifest: Manifest) -> bool:
    parts = before.manifest.parts
    folder = before.path("atlas")
    return (
        folder is not None
        and has_current_atlas(folder)
        and all(parts.get(role) == manifest.parts[role] for role in DRAWN_FROM)
    )


def _draw(corpus: Path, manifest: Manifest, folder: Path) -> None:
    """Draw the map in the corpus of `manifest`, which need not be in place yet."""
    paths = {role: corpus / manifest.parts[role].name for role in DRAWN_FROM}
    papers = PaperTable(read_table(paths["papers"]))
    draw(open_landscape(paths["landscape"]), papers, KeywordIndex.open(paths["terms"]), folder)


def draw(landscape: Landscape, papers: PaperTable, index: KeywordIndex, folder: Path) -> None:
    """Draw a map into `folder`: densities, names and tiles. Row i of all three is the same paper."""
    grid = grid_over(landscape.extent)
    smooth = densities(landscape.coordinates, grid)
    parts = find_parts(landscape.coordinates, grid, smooth, index, papers)
    labels = place_labels(name_by_keywords(parts), square_around(landscape.extent))
    write_atlas(landscape.coordinates, grid, smooth, labels, folder)
