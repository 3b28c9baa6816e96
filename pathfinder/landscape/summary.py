"""What is in sight on the map, in words, for those who do not see it."""

from collections.abc import Iterator

import numpy as np

from pathfinder.landscape.atlas import Label
from pathfinder.landscape.chart import Chart, papers_in_words
from pathfinder.landscape.frame import Frame
from pathfinder.landscape.layer import Cells, Layer
from pathfinder.landscape.legend import NOTE
from pathfinder.landscape.names_drawn import label_zoom
from pathfinder.landscape.scene import Scene, View
from pathfinder.landscape.whereabouts import crowding_at, land_at, nearest_labels, peaks_in_sight, scale_at

N_NAMES, N_PEAKS, N_DOTS = 6, 3, 3
"""How many are told one by one."""
LEAST_TOLD = 0.01
"""Share of the highest density, below which nothing is said of how crowded a place is."""


def summary(scene: Scene, chart: Chart, frame: Frame) -> str:
    """A few sentences: how much is in sight, its names, where it is most crowded, what the layers show, the papers
    found, what near means.
    """
    sentences = [
        _extent(scene, chart, frame),
        _names(chart, frame),
        _crowded(chart, frame),
        *(_layer(layer, chart, frame) for layer in scene.layers),
        *_found(scene, frame),
        NOTE,
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _extent(scene: Scene, chart: Chart, frame: Frame) -> str:
    n = len(chart.coordinates)
    shown = len(chart.in_sight(frame))
    zoom = frame.view.zoom
    told = (
        f"The whole map of {papers_in_words(n)}."
        if zoom == 0
        else f"A part of the map, with {shown:,} of its {papers_in_words(n)}."
    )
    if zoom > 0:
        told += f" {_middle(chart, frame.view)}"
    if scene.years is not None:
        first, last = scene.years
        of_years = len(chart.in_sight(frame, scene.years))
        told += f" {papers_in_words(of_years)} in sight {'is' if of_years == 1 else 'are'} of {_span(first, last)}."
    return told


def _middle(chart: Chart, view: View) -> str:
    land, near = land_at(chart, view.x, view.y), nearest_labels(chart, view.x, view.y, 1)
    share = crowding_at(chart, view.x, view.y, scale_at(view.zoom))
    crowded = f"{share:.0%} as crowded as the most crowded place of the map" if share >= LEAST_TOLD else ""
    told = [land.name, f"near {near[0].text}" if near else "", crowded]
    return f"In the middle: {', '.join(part for part in told if part)}."


def _names(chart: Chart, frame: Frame) -> str:
    zoom = label_zoom(frame)
    labels = [label for label in chart.atlas.labels if label.min_zoom <= zoom and _is_seen(label, frame)]
    labels.sort(key=lambda label: (-label.n_papers, label.text))
    if not labels:
        return "No name is in sight."
    told = ", ".join(f"{label.text} ({papers_in_words(label.n_papers)})" for label in labels[:N_NAMES])
    more = len(labels) - N_NAMES
    return f"Names in sight: {told}{f', and {more} more' if more > 0 else ''}."


def _crowded(chart: Chart, frame: Frame) -> str:
    """The highest places in sight, each by the nearest name, which stands on it where it has one of its own."""
    near = (nearest_labels(chart, peak.x, peak.y, 1) for peak in peaks_in_sight(chart, frame))
    names = list(dict.fromkeys(labels[0].text for labels in near if labels))
    return f"Most crowded around {', then '.join(names[:N_PEAKS])}." if names else ""


def _is_seen(label: Label, frame: Frame) -> bool:
    return bool(frame.holds(np.array([[label.x, label.y]]))[0])


def _layer(layer: Layer, chart: Chart, frame: Frame) -> str:
    parts = [_named(one.title, layer.title) + _strongest(one, chart, frame) for one in layer.cells]
    kinds = dict.fromkeys(mark.title for mark in layer.marks)
    for kind in kinds:
        places = np.array([(mark.x, mark.y) for mark in layer.marks if mark.title == kind])
        parts.append(f"{int(frame.holds(places).sum())} in sight of {len(places)} marked as {kind or layer.title}")
    lines = tuple(dict.fromkeys(line.title for line in layer.lines if line.title))
    if lines:
        parts.append(f"lines for {', '.join(lines[:N_NAMES])}{' and others' if len(lines) > N_NAMES else ''}")
    return f"Layer {layer.title}: {'; '.join(parts) if parts else 'nothing is marked'}."


def _named(title: str, of_layer: str) -> str:
    """The title of a part of a layer, less the layer's own, and a colon if anything is left."""
    own = title.removeprefix(of_layer).lstrip(",: ")
    return f"{own}: " if own else ""


def _strongest(cells: Cells, chart: Chart, frame: Frame) -> str:
    """Where a veil is thickest among what is in sight."""
    grid = cells.grid
    centres = grid.centres()
    values = np.nan_to_num(cells.values.ravel(), nan=0.0)
    seen = np.where(frame.holds(centres), values, 0.0)
    if not (seen > 0).any():
        return "nothing in sight"
    x, y = centres[int(np.argmax(seen))].tolist()
    near = nearest_labels(chart, x, y, 1)
    return f"strongest near {near[0].text}" if near else "in sight"


def _found(scene: Scene, frame: Frame) -> Iterator[str]:
    if not scene.dots:
        return
    places = np.array([(dot.x, dot.y) for dot in scene.dots])
    seen = [dot for dot, is_in in zip(scene.dots, frame.holds(places), strict=True) if is_in]
    n_found = sum(dot.rank is not None for dot in scene.dots)
    ranked = [dot for dot in seen if dot.rank is not None]
    if n_found:
        yield f"{len(ranked)} of {papers_in_words(n_found)} found {'is' if len(ranked) == 1 else 'are'} in sight."
    for dot in [*sorted(ranked, key=lambda dot: dot.rank or 0)[:N_DOTS], *(dot for dot in seen if dot.rank is None)]:
        which = "Chosen" if dot.rank is None else f"Number {dot.rank}"
        year = "" if dot.year is None else f" ({dot.year})"
        yield f"{which}: {dot.title}{year}{', apart from the others' if dot.outlier else ''}."


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"
