"""A paper or a place of the map in plain words, for visitors: facts put into fixed sentences, nothing made up."""

import re
from dataclasses import dataclass

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.export.latex import readable
from pathfinder.landscape.atlas import Label
from pathfinder.landscape.chart import Chart, papers_in_words
from pathfinder.landscape.whereabouts import SCALE_OF_LEVEL, land_at, nearest_labels, nearest_rows
from pathfinder.types import Paper

N_NEAR = 3
"""Papers that are named as neighbours."""
N_AROUND = 30
"""Papers that count as the surroundings of a place."""
MOST_LETTERS = 320
"""Of what is quoted from a paper."""
CLOSE = 2.5
"""The zoom at which a card's place is shown."""
_KINDS = {1: "continent", 2: "country", 3: "town"}
_ON = {"sea": "at sea", "coast": "on the coast", "plains": "in the plains", "hills": "in the hills"}
_SENTENCE = re.compile(r"^.{30,}?[.!?](?=\s+[A-Z(])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Card:
    """What is told of a place, and where it is."""

    heading: str
    """As text, like all of it."""
    lines: tuple[str, ...]
    x: float
    y: float
    row: int | None = None
    """Of the paper that it tells of; `None` for a place with a name."""


def paper_card(chart: Chart, row: int) -> Card:
    """The paper of a row: its year, where it lies, its own words and its neighbours."""
    paper = chart.papers[row]
    x, y = chart.coordinates[row].tolist()
    near = [int(other) for other in nearest_rows(chart, x, y, N_NEAR + 1) if other != row][:N_NEAR]
    lines = [_published(paper), _whereabouts(chart, x, y), _own_words(paper), _cited(paper)]
    if near:
        lines.append(f"Its nearest neighbours on the map: {_titles(chart, near)}.")
    return Card(readable(paper.title), tuple(line for line in lines if line), x, y, row)


def place_card(chart: Chart, label: Label) -> Card:
    """A name of the map: how large and how crowded the place is, what is cited most there, what it borders on."""
    rows = nearest_rows(chart, label.x, label.y, min(N_AROUND, label.n_papers))
    lines = [f"A {_KINDS[label.level]} of {papers_in_words(label.n_papers)}.{_rank(chart, label)}"]
    years = chart.years[rows][~np.isnan(chart.years[rows])]
    if len(years):
        lines.append(f"The papers around its middle are from {int(years.min())} to {int(years.max())}.")
    counts = chart.papers.take(rows).citation_counts()
    known = np.flatnonzero(~np.isnan(counts))
    if len(known):
        best = rows[known[np.argsort(-counts[known], kind="stable")[:N_NEAR]]]
        lines.append(f"Cited most around here: {_titles(chart, best.tolist())}.")
    others = [near.text for near in nearest_labels(chart, label.x, label.y, N_NEAR + 1) if near.text != label.text]
    if others:
        lines.append(f"Next to it: {', '.join(others[:N_NEAR])}.")
    return Card(label.text, tuple(lines), label.x, label.y)


def _rank(chart: Chart, label: Label) -> str:
    """How many places of its kind are more crowded, by the heights of their peaks; "" where it is the only one."""
    peaks = [peak for peak in chart.atlas.peaks if peak.scale == SCALE_OF_LEVEL[label.level]]
    if len(peaks) < 2:
        return ""
    own = min(peaks, key=lambda peak: (peak.x - label.x) ** 2 + (peak.y - label.y) ** 2)
    n_higher = sum(peak.height > own.height for peak in peaks)
    if not n_higher:
        return " No other place of its kind on this map is more crowded."
    more = f"{n_higher:,} {'is' if n_higher == 1 else 'are'} more crowded"
    return f" Of the {len(peaks):,} places of its kind on this map, {more}."


def surprise(chart: Chart, seed: int, years: tuple[int, int] | None = None) -> Card:
    """Some paper near some name: every name is as likely as any other, so that small fields are met, too.

    Of `years`, both inclusive, only. Raises `UsageError` where no paper is of these.
    """
    rng = np.random.default_rng(seed)
    labels = chart.atlas.labels
    rows = chart.of_years(years)
    if not len(rows):
        of = "" if years is None else f" of {years[0]} to {years[1]}"
        raise UsageError(f"there is no paper{of} to be surprised by: choose other years, or all")
    if not labels:
        return paper_card(chart, int(rng.choice(rows)))
    label = labels[int(rng.integers(len(labels)))]
    near = nearest_rows(chart, label.x, label.y, N_AROUND, rows)
    return paper_card(chart, int(near[int(rng.integers(len(near)))]))


def _published(paper: Paper) -> str:
    return "Nobody noted when it was published." if paper.year is None else f"Published in {paper.year}."


def _whereabouts(chart: Chart, x: float, y: float) -> str:
    land, near = land_at(chart, x, y), nearest_labels(chart, x, y, 2)
    where = _ON.get(land.name, "in the mountains")
    if not near:
        return f"It lies {where}: {land.says}."
    return f"It lies {where} ({land.says}), near {' and '.join(label.text for label in near)}."


def _own_words(paper: Paper) -> str:
    """The first sentence of what it says of itself, or of its summary."""
    text = " ".join(readable(paper.abstract).split())
    if not text:
        return ""
    found = _SENTENCE.match(text)
    quoted = found[0] if found else text
    if len(quoted) > MOST_LETTERS:
        quoted = quoted[:MOST_LETTERS].rsplit(" ", 1)[0] + " ..."
    return f"{'In short' if paper.is_summary else 'In its own words'}: “{quoted}”"


def _cited(paper: Paper) -> str:
    n = paper.citation_count
    if n is None:
        return ""
    return f"Other papers cite it {n:,} {'time' if n == 1 else 'times'}." if n else "No other paper cites it yet."


def _titles(chart: Chart, rows: list[int]) -> str:
    return "; ".join(_title(chart.papers[row]) for row in rows)


def _title(paper: Paper) -> str:
    return f"“{readable(paper.title)}”" + ("" if paper.year is None else f" ({paper.year})")
