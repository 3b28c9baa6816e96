"""Presents a paper or a place on the map to visitors in plain language: fixed sentences filled with facts, with nothing
made up.
"""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pathfinder.errors import UsageError
from pathfinder.landscape.data.landscape import LABEL_LEVELS, SCALES, TILE_PIXELS, Label
from pathfinder.landscape.data.layer import Heatmap, Layer
from pathfinder.landscape.data.map_data import MapData, describe_paper_count
from pathfinder.landscape.density import Grid, Peak
from pathfinder.landscape.drawing.legend import NOTE
from pathfinder.landscape.drawing.palettes import HEIGHT
from pathfinder.landscape.drawing.scene import Dot, MapView, Scene
from pathfinder.landscape.drawing.terrain import BANDS, Band, square_around
from pathfinder.landscape.drawing.viewport import Viewport, rows_in_view
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper, Rows

# Looks up a place on the map: its land, its density, and the names and papers near it.

_ZOOM = 2
"""Zoom of the tiles that supply the heights: fine enough to distinguish a coast from a plain."""
MEDIUM_FROM, FINE_FROM = 1.0, 2.5
"""Zooms from which the medium density scale, and then the fine one, is used."""
SCALE_OF_LEVEL: Mapping[int, str] = MappingProxyType(dict(zip(LABEL_LEVELS, SCALES, strict=True)))
"""The density scale at whose peaks the names of each level are placed."""


def land_at(map_data: MapData, x: float, y: float) -> Band:
    """Return the kind of land at a place; beyond the tiles it is sea."""
    square = square_around(map_data.extent)
    pixels = TILE_PIXELS * 2**_ZOOM
    across = (x - square.left) / (square.right - square.left) * pixels
    down = (square.top - y) / (square.top - square.bottom) * pixels
    if not (0 <= across < pixels and 0 <= down < pixels):
        return BANDS[0]
    column, line = int(across), int(down)
    tile = map_data.atlas.tile(_ZOOM, column // TILE_PIXELS, line // TILE_PIXELS)
    with Image.open(io.BytesIO(tile)) as picture:
        height = float(np.asarray(picture)[line % TILE_PIXELS, column % TILE_PIXELS, HEIGHT]) / 255
    return next(band for band in reversed(BANDS) if height >= band.low)


def scale_at(zoom: float) -> str:
    """Return the density scale that suits a view: the closer the view, the finer the scale."""
    broad, medium, fine = SCALES
    return fine if zoom >= FINE_FROM else medium if zoom >= MEDIUM_FROM else broad


def density_at(map_data: MapData, x: float, y: float, scale: str) -> float:
    """Return the density at a place as a fraction of the highest density at that scale, [0, 1]; 0 beyond the map."""
    extent, density = map_data.extent, map_data.atlas.density[scale]
    if not (extent.left <= x <= extent.right and extent.bottom <= y <= extent.top):
        return 0.0
    cell = Grid(extent, *density.shape).cell_of(np.array([[x, y]], dtype=np.float32))
    return float(density.ravel()[cell[0]])


def peaks_in_view(map_data: MapData, viewport: Viewport) -> tuple[Peak, ...]:
    """Select the peaks of the density in view, at the scale that suits the zoom, highest first."""
    scale = scale_at(viewport.view.zoom)
    peaks = sorted((peak for peak in map_data.atlas.peaks if peak.scale == scale), key=lambda peak: -peak.height)
    places = np.array([(peak.x, peak.y) for peak in peaks]).reshape(-1, 2)
    return tuple(peak for peak, is_visible in zip(peaks, viewport.contains(places), strict=True) if is_visible)


def nearest_labels(map_data: MapData, x: float, y: float, n: int) -> tuple[Label, ...]:
    """Return at most `n` names, nearest first; a name that appears twice on the map counts once."""
    nearest: dict[str, Label] = {}
    for label in sorted(map_data.atlas.labels, key=lambda label: ((label.x - x) ** 2 + (label.y - y) ** 2, label.text)):
        nearest.setdefault(label.text, label)
    return tuple(nearest.values())[:n]


def nearest_rows(map_data: MapData, x: float, y: float, n: int, among: Rows | None = None) -> NDArray[np.int64]:
    """Return the rows of at most `n` papers, nearest first, taken only from `among` if it is given; if two papers are
    equally near, the one with the lower row number comes first.
    """
    rows = np.arange(len(map_data.coordinates)) if among is None else among
    distances = np.sum((np.asarray(map_data.coordinates[rows], dtype=np.float64) - (x, y)) ** 2, axis=1)
    return rows[np.argsort(distances, kind="stable")[:n]]


N_NEIGHBOURS = 3
"""Number of neighbours that a card names."""
N_AROUND = 30
"""Number of papers that count as the surroundings of a place."""
MAX_QUOTE_LENGTH = 320
"""Maximum number of characters quoted from a paper."""
CARD_ZOOM = 2.5
"""The zoom level at which the map shows a card's place."""
_KINDS = {1: ("continent", "continents"), 2: ("country", "countries"), 3: ("town", "towns")}
_WHERE = {"sea": "at sea", "coast": "on the coast", "plains": "in the plains", "hills": "in the hills"}
_SENTENCE = re.compile(r"^.{30,}?[.!?](?=\s+[A-Z(])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Card:
    """A few sentences about a paper or a named place, in plain text, with its position on the map."""

    heading: str
    lines: tuple[str, ...]
    x: float
    y: float
    row: int | None = None
    """The paper that the card is about; `None` for a named place."""


def paper_card(map_data: MapData, row: int) -> Card:
    """Present the paper in this row: its year, its place, a quotation from it and its neighbours."""
    paper = map_data.papers[row]
    x, y = map_data.coordinates[row].tolist()
    near = [int(other) for other in nearest_rows(map_data, x, y, N_NEIGHBOURS + 1) if other != row][:N_NEIGHBOURS]
    lines = [
        "Year of publication unknown." if paper.year is None else f"Published in {paper.year}.",
        _describe_place(map_data, x, y),
        _quote(paper),
        _describe_citations(paper),
    ]
    if near:
        lines.append(f"Its nearest neighbours on the map: {_titles(map_data, near)}.")
    return Card(readable(paper.title), tuple(line for line in lines if line), x, y, row)


def place_card(map_data: MapData, label: Label) -> Card:
    """Present a named place: its size and density, its years, its most cited papers and its neighbours."""
    rows = nearest_rows(map_data, label.x, label.y, min(N_AROUND, label.n_papers))
    lines = [f"A {_KINDS[label.level][0]} of {describe_paper_count(label.n_papers)}.{_describe_rank(map_data, label)}"]
    years = map_data.years[rows][~np.isnan(map_data.years[rows])]
    if len(years):
        lines.append(f"The papers near its centre date from {int(years.min())} to {int(years.max())}.")
    counts = map_data.papers.take(rows).citation_counts()
    known_rows = np.flatnonzero(~np.isnan(counts))
    if len(known_rows):
        most_cited = rows[known_rows[np.argsort(-counts[known_rows], kind="stable")[:N_NEIGHBOURS]]]
        lines.append(f"Most cited there: {_titles(map_data, most_cited.tolist())}.")
    near = nearest_labels(map_data, label.x, label.y, N_NEIGHBOURS + 1)
    neighbours = [other.text for other in near if other.text != label.text]
    if neighbours:
        lines.append(f"Next to it: {', '.join(neighbours[:N_NEIGHBOURS])}.")
    return Card(label.text, tuple(lines), label.x, label.y)


def _describe_rank(map_data: MapData, label: Label) -> str:
    """Describe the rank of a place by the height of its peak, among places of the same level; "" if it is the only
    one.
    """
    kind, kinds = _KINDS[label.level]
    peaks = [peak for peak in map_data.atlas.peaks if peak.scale == SCALE_OF_LEVEL[label.level]]
    if len(peaks) < 2:
        return ""
    own = min(peaks, key=lambda peak: (peak.x - label.x) ** 2 + (peak.y - label.y) ** 2)
    n_higher = sum(peak.height > own.height for peak in peaks)
    if not n_higher:
        return f" No other {kind} on this map is denser."
    return f" {n_higher:,} of the {len(peaks):,} {kinds} on this map {'is' if n_higher == 1 else 'are'} denser."


def surprise_card(map_data: MapData, seed: int, years: tuple[int, int] | None = None) -> Card:
    """Present a random paper near a random name: every name is equally likely, so that small fields also turn up.

    If `years` (first and last, inclusive) are given, only papers from these years are considered. Raises `UsageError`
    if there are no papers to choose from.
    """
    rng = np.random.default_rng(seed)
    labels = map_data.atlas.labels
    rows = map_data.rows_of_years(years)
    if not len(rows):
        span = "" if years is None else f" from {years[0]} to {years[1]}"
        raise UsageError(f"this map has no papers{span} to surprise you with: choose other years, or all years")
    if not labels:
        return paper_card(map_data, int(rng.choice(rows)))
    label = labels[int(rng.integers(len(labels)))]
    near = nearest_rows(map_data, label.x, label.y, N_AROUND, rows)
    return paper_card(map_data, int(near[int(rng.integers(len(near)))]))


def _describe_place(map_data: MapData, x: float, y: float) -> str:
    land, near = land_at(map_data, x, y), nearest_labels(map_data, x, y, 2)
    where = _WHERE.get(land.name, "in the mountains")
    if not near:
        return f"It lies {where}: {land.description}."
    return f"It lies {where} ({land.description}), near {' and '.join(label.text for label in near)}."


def _quote(paper: Paper) -> str:
    """Quote the first sentence of the paper's abstract, or of its summary."""
    text = " ".join(readable(paper.abstract).split())
    if not text:
        return ""
    sentence = _SENTENCE.match(text)
    quote = sentence[0] if sentence else text
    if len(quote) > MAX_QUOTE_LENGTH:
        quote = quote[:MAX_QUOTE_LENGTH].rsplit(" ", 1)[0] + " ..."
    return f"Summary: {quote}" if paper.is_summary else f"In its own words: “{quote}”"


def _describe_citations(paper: Paper) -> str:
    n = paper.citation_count
    if n is None:
        return ""
    return f"Cited {n:,} {'time' if n == 1 else 'times'}." if n else "Not cited yet."


def _titles(map_data: MapData, rows: list[int]) -> str:
    return "; ".join(_title(map_data.papers[row]) for row in rows)


def _title(paper: Paper) -> str:
    return f"“{readable(paper.title)}”" + ("" if paper.year is None else f" ({paper.year})")


# Describes in words the part of the map in view, for readers who cannot see it.

N_NAMES, N_PEAKS, N_DOTS = 6, 3, 3
"""Maximum number of names, peaks and dots that are listed."""
MIN_DENSITY = 0.01
"""Fraction of the highest density below which the density of a place is not mentioned."""


def summary(scene: Scene, map_data: MapData, viewport: Viewport) -> str:
    """Describe in a few sentences how many papers are in view, the names and densest places, the layers, the papers
    found and the meaning of distance.
    """
    near = (nearest_labels(map_data, peak.x, peak.y, 1) for peak in peaks_in_view(map_data, viewport))
    names = list(dict.fromkeys(labels[0].text for labels in near if labels))
    sentences = [
        _describe_extent(scene, map_data, viewport),
        _describe_names(map_data, viewport),
        f"Densest around {', then '.join(names[:N_PEAKS])}." if names else "",
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


def _describe_heatmaps(layer: Layer, map_data: MapData, viewport: Viewport) -> Iterator[str]:
    """Describe each heatmap; mention faint colour, which may be due to chance, only if nothing stronger is in view."""
    is_footprint, is_anything_certain = any(heatmap.may_be_chance for heatmap in layer.heatmaps), False
    nothing = "nothing significant in view" if is_footprint else "nothing in view"
    for heatmap in layer.heatmaps:
        place = _strongest_place(heatmap, map_data, viewport)
        if not heatmap.may_be_chance:
            is_anything_certain = is_anything_certain or place is not None
            subtitle = heatmap.title.removeprefix(layer.title).lstrip(",: ")
            yield (f"{subtitle}: " if subtitle else "") + (place or nothing)
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
