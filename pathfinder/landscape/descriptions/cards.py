"""Presents a paper or a place on the map to visitors in plain language: fixed sentences filled with facts, with nothing
made up.
"""

import re
from dataclasses import dataclass

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.landscape.data.atlas import Label
from pathfinder.landscape.data.map_data import MapData, describe_paper_count
from pathfinder.landscape.naming.map_lookup import SCALE_OF_LEVEL, land_at, nearest_labels, nearest_rows
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

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
    lines = [_describe_year(paper), _describe_place(map_data, x, y), _quote(paper), _describe_citations(paper)]
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


def _describe_year(paper: Paper) -> str:
    return "Year of publication unknown." if paper.year is None else f"Published in {paper.year}."


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
    return f"{'In short' if paper.is_summary else 'In its own words'}: “{quote}”"


def _describe_citations(paper: Paper) -> str:
    n = paper.citation_count
    if n is None:
        return ""
    return f"Cited {n:,} {'time' if n == 1 else 'times'}." if n else "Not cited yet."


def _titles(map_data: MapData, rows: list[int]) -> str:
    return "; ".join(_title(map_data.papers[row]) for row in rows)


def _title(paper: Paper) -> str:
    return f"“{readable(paper.title)}”" + ("" if paper.year is None else f" ({paper.year})")
