"""Describes in words the part of the map in view, for readers who cannot see it."""

from collections.abc import Iterator

import numpy as np

from pathfinder.landscape.data.atlas import Label
from pathfinder.landscape.data.layer import Heatmap, Layer
from pathfinder.landscape.data.map_data import MapData, describe_paper_count
from pathfinder.landscape.drawing.legend import NOTE
from pathfinder.landscape.drawing.scene import Dot, MapView, Scene
from pathfinder.landscape.drawing.viewport import Viewport, rows_in_view
from pathfinder.landscape.naming.map_lookup import density_at, land_at, nearest_labels, peaks_in_view, scale_at

N_NAMES, N_PEAKS, N_DOTS = 6, 3, 3
"""Maximum number of names, peaks and dots that are listed."""
MIN_DENSITY = 0.01
"""Fraction of the highest density below which the density of a place is not mentioned."""


def summary(scene: Scene, map_data: MapData, viewport: Viewport) -> str:
    """Describe in a few sentences how many papers are in view, the names and densest places, the layers, the papers
    found and the meaning of distance.
    """
    sentences = [
        _describe_extent(scene, map_data, viewport),
        _describe_names(map_data, viewport),
        _describe_peaks(map_data, viewport),
        *(_describe_layer(layer, map_data, viewport) for layer in scene.layers),
        *_describe_dots(scene, viewport),
        NOTE,
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _describe_extent(scene: Scene, map_data: MapData, viewport: Viewport) -> str:
    papers = describe_paper_count(len(map_data.coordinates))
    if viewport.view.zoom == 0:
        sentences = [f"The whole map of {papers}."]
    else:
        n_visible = len(rows_in_view(map_data, viewport))
        sentences = [f"Part of the map, with {n_visible:,} of its {papers}.", _describe_centre(map_data, viewport.view)]
    if scene.years is not None:
        visible = describe_paper_count(len(rows_in_view(map_data, viewport, scene.years)))
        sentences.append(f"{visible} in view from {_describe_years(*scene.years)}.")
    return " ".join(sentences)


def _describe_centre(map_data: MapData, view: MapView) -> str:
    land, near = land_at(map_data, view.x, view.y), nearest_labels(map_data, view.x, view.y, 1)
    share = density_at(map_data, view.x, view.y, scale_at(view.zoom))
    density = f"{share:.0%} of the map's highest density" if share >= MIN_DENSITY else ""
    facts = [land.name, f"near {near[0].text}" if near else "", density]
    return f"At the centre: {', '.join(fact for fact in facts if fact)}."


def _describe_names(map_data: MapData, viewport: Viewport) -> str:
    zoom = viewport.label_zoom
    labels = [label for label in map_data.atlas.labels if label.min_zoom <= zoom and _is_visible(label, viewport)]
    labels.sort(key=lambda label: (-label.n_papers, label.text))
    if not labels:
        return "No names in view."
    names = ", ".join(f"{label.text} ({describe_paper_count(label.n_papers)})" for label in labels[:N_NAMES])
    n_more = len(labels) - N_NAMES
    return f"Names in view: {names}{f', and {n_more} more' if n_more > 0 else ''}."


def _describe_peaks(map_data: MapData, viewport: Viewport) -> str:
    """List the densest places in view, identifying each by the nearest name."""
    near = (nearest_labels(map_data, peak.x, peak.y, 1) for peak in peaks_in_view(map_data, viewport))
    names = list(dict.fromkeys(labels[0].text for labels in near if labels))
    return f"Densest around {', then '.join(names[:N_PEAKS])}." if names else ""


def _is_visible(place: Label | Dot, viewport: Viewport) -> bool:
    return bool(viewport.contains(np.array([[place.x, place.y]]))[0])


def _describe_layer(layer: Layer, map_data: MapData, viewport: Viewport) -> str:
    parts = list(_describe_heatmaps(layer, map_data, viewport))
    for kind in dict.fromkeys(mark.title for mark in layer.marks):
        places = np.array([(mark.x, mark.y) for mark in layer.marks if mark.title == kind])
        n_visible = int(viewport.contains(places).sum())
        parts.append(f"{kind or layer.title}: {n_visible} of {len(places)} in view")
    lines = tuple(dict.fromkeys(line.title for line in layer.lines if line.title))
    if lines:
        parts.append(f"lines for {', '.join(lines[:N_NAMES])}{' and others' if len(lines) > N_NAMES else ''}")
    return f"Layer {layer.title}: {'; '.join(parts) if parts else 'nothing to show'}."


def _subtitle(title: str, layer_title: str) -> str:
    """Remove the layer's own title from the title of one of its parts, and add a colon if any text remains."""
    subtitle = title.removeprefix(layer_title).lstrip(",: ")
    return f"{subtitle}: " if subtitle else ""


def _describe_heatmaps(layer: Layer, map_data: MapData, viewport: Viewport) -> Iterator[str]:
    """Describe each heatmap; mention faint colour, which may be due to chance, only if nothing stronger is in view."""
    is_footprint, is_anything_certain = any(heatmap.may_be_chance for heatmap in layer.heatmaps), False
    nothing = "nothing significant in view" if is_footprint else "nothing in view"
    for heatmap in layer.heatmaps:
        place = _strongest_place(heatmap, map_data, viewport)
        if not heatmap.may_be_chance:
            is_anything_certain = is_anything_certain or place is not None
            yield _subtitle(heatmap.title, layer.title) + (place or nothing)
        elif place and not is_anything_certain:
            yield f"faint colour, which may be due to chance, {place}"


def _strongest_place(heatmap: Heatmap, map_data: MapData, viewport: Viewport) -> str | None:
    """Name the place in view where a heatmap is strongest; `None` if it shows no colour in view."""
    centres = heatmap.grid.centres()
    values = np.nan_to_num(heatmap.values.ravel(), nan=0.0)
    visible = np.where(viewport.contains(centres), values, 0.0)
    if not (visible > 0).any():
        return None
    x, y = centres[int(np.argmax(visible))].tolist()
    near = nearest_labels(map_data, x, y, 1)
    return f"strongest near {near[0].text}" if near else "in view"


def _describe_dots(scene: Scene, viewport: Viewport) -> Iterator[str]:
    visible = [dot for dot in scene.dots if _is_visible(dot, viewport)]
    n_found = sum(dot.rank is not None for dot in scene.dots)
    ranked_dots = sorted((dot for dot in visible if dot.rank is not None), key=lambda dot: dot.rank or 0)
    if n_found:
        verb = "is" if len(ranked_dots) == 1 else "are"
        yield f"{len(ranked_dots)} of {describe_paper_count(n_found)} found {verb} in view."
    for dot in [*ranked_dots[:N_DOTS], *(dot for dot in visible if dot.rank is None)]:
        which = "Chosen" if dot.rank is None else f"Number {dot.rank}"
        year = "" if dot.year is None else f" ({dot.year})"
        live = f", live: {dot.live}" if dot.live else ""
        yield f"{which}: {dot.title}{year}{', an outlier' if dot.outlier else ''}{live}."


def _describe_years(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"
