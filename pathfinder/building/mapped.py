"""The map of a corpus: where the papers lie, and what is drawn of it once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

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
from pathfinder.landscape.atlas import KEYWORDS, Label
from pathfinder.landscape.atlas_files import has_current_atlas, open_atlas, write_atlas
from pathfinder.landscape.grid import grid_over
from pathfinder.landscape.labels import place_labels
from pathfinder.landscape.landscape import Landscape, open_landscape, write_landscape
from pathfinder.landscape.naming import name_by_model
from pathfinder.landscape.parts import Part as MapPart
from pathfinder.landscape.parts import find_parts, name_by_keywords
from pathfinder.landscape.peaks import densities
from pathfinder.landscape.placing import place_papers
from pathfinder.landscape.projection import MIN_PAPERS, project
from pathfinder.landscape.tiles import square_around
from pathfinder.models.ports import ChatModel, Vectors

Renaming: TypeAlias = Callable[[Sequence[MapPart], Sequence[Label], PaperTable], Sequence[Label]]
"""Gives the parts of a map other names than their keywords."""

CROWDED = 2
"""Times as many papers as a map was laid out for make a new one worth thinking of."""
DRAWN_FROM = ("papers", "terms", "landscape")
"""Parts that an atlas is made of; while they stay, it does."""


@dataclass(frozen=True, slots=True)
class MapWish:
    """What a build is to do about the map beside what it always does."""

    afresh: bool = False
    """Lay it out anew, so that places on it get another meaning; else papers stay where they are."""
    namer: ChatModel | None = None
    """Names its parts; `None`: their keywords do."""


def landscape_part(tools: Tools, vectors: Vectors, before: Corpus | None, wish: MapWish) -> Part | str:
    """Where the papers lie; those that lay somewhere in `before` stay there. Or why there is no map."""
    tools.progress.start("mapping", None)
    places = _places(vectors, None if wish.afresh else before)
    tools.progress.finish()
    if before and not wish.afresh and len(vectors) > CROWDED * len(before.papers) >= CROWDED * MIN_PAPERS:
        tools.progress.say(f"{len(vectors):,} papers share a map of {len(before.papers):,}: --new-map lays it out anew")
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


def atlas_part(
    place: Workplace, manifest: Manifest, before: Corpus | None, progress: Progress, namer: ChatModel | None
) -> Part | str:
    """What is drawn of the map that `manifest` names, or was drawn before and still holds; or why there is none."""
    if "landscape" not in manifest.parts:
        return manifest.absent["landscape"]
    if before and namer is None and _still_holds(before, manifest):
        return before.manifest.parts["atlas"]
    progress.start("drawing the map", None)
    staged = place.staging / "atlas"
    _draw(place.corpus, manifest, staged, partial(name_by_model, chat=namer, say=progress.say) if namer else None)
    open_atlas(staged)
    part = place_part(staged, "atlas", place.corpus)
    check_whole(place.corpus, part)
    progress.finish()
    if namer is None and (models := _namers(before)):
        say = f"the map's names by {', '.join(models)} gave way to keywords: build with --name-labels to have it named"
        progress.say(say)
    return part


def _namers(before: Corpus | None) -> tuple[str, ...]:
    """The chat models that named parts of the map as it was, as far as this Pathfinder can read it."""
    folder = before.path("atlas") if before else None
    if folder is None or not has_current_atlas(folder):
        return ()
    return tuple(sorted({label.named_by for label in open_atlas(folder).labels} - {KEYWORDS}))


def _still_holds(before: Corpus, manifest: Manifest) -> bool:
    parts = before.manifest.parts
    folder = before.path("atlas")
    return (
        folder is not None
        and has_current_atlas(folder)
        and all(parts.get(role) == manifest.parts[role] for role in DRAWN_FROM)
    )


def _draw(corpus: Path, manifest: Manifest, folder: Path, rename: Renaming | None) -> None:
    """Draw the map in the corpus of `manifest`, which need not be in place yet."""
    paths = {role: corpus / manifest.parts[role].name for role in DRAWN_FROM}
    papers = PaperTable(read_table(paths["papers"]))
    draw(open_landscape(paths["landscape"]), papers, KeywordIndex.open(paths["terms"]), folder, rename)


def draw(
    landscape: Landscape, papers: PaperTable, index: KeywordIndex, folder: Path, rename: Renaming | None = None
) -> None:
    """Draw a map into `folder`: densities, names and tiles. Row i of the first three is the same paper."""
    grid = grid_over(landscape.extent)
    smooth = densities(landscape.coordinates, grid)
    parts = find_parts(landscape.coordinates, grid, smooth, index, papers)
    by_keywords = name_by_keywords(parts)
    named = rename(parts, by_keywords, papers) if rename else by_keywords
    labels = place_labels(named, square_around(landscape.extent))
    write_atlas(landscape.coordinates, grid, smooth, labels, folder)
