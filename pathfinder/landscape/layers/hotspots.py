"""The layer of hotspots: topics with more of the newest papers than their earlier share predicts."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.stats import hypergeom

from pathfinder.landscape.data.layer import WARNING, Column, Layer, Mark, Table, UnavailableLayer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import TIME_GROUP, LayerKind, Listing
from pathfinder.landscape.statistics.dates import RECENT_YEARS, are_recent, date_of
from pathfinder.landscape.statistics.significance import FDR, benjamini_hochberg, middle, radius_for, window_sums
from pathfinder.types import Floats, Rows

N_PERIODS = 4
"""Number of periods, with about the same number of papers in each; the last is compared with the earlier ones."""
MIN_TOPIC_PAPERS = 10
"""Minimum number of recent papers that a topic must have for its share to be tested."""
MIN_PAPERS = 40
LARGEST_SHARE = 0.2
"""Share of all papers above which a keyword does not count as a topic."""
MOST_SHOWN = 30


@dataclass(frozen=True, slots=True, eq=False)
class Periods:
    """The last ten years, divided into four periods with about the same number of papers in each."""

    of_paper: NDArray[np.int8]
    """Period of each paper, 0 to 3 (the newest); -1 for a paper outside all periods."""
    begins: tuple[datetime.date, ...]
    """The first day of each period."""

    def sizes(self) -> Floats:
        """Count the papers from each period."""
        return np.bincount(self.of_paper[self.of_paper >= 0], minlength=N_PERIODS).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """A topic and its papers."""

    name: str
    rows: Rows


@dataclass(frozen=True, slots=True, eq=False)
class Hotspot:
    """A topic that is more frequent in the newest period than before, by more than chance would explain."""

    topic: Topic
    shares: tuple[float, ...]
    """Its share of the papers in each period."""
    expected_count: float
    """Number of its papers expected in the newest period, given its share in the three earlier periods."""
    n_newest: int
    q: float


def periods(map_data: MapData) -> Periods | None:
    """Divide the recent papers into periods; `None` if fewer than 40 are dated, or if they have too few distinct dates
    for four periods.
    """
    days = map_data.papers.published_days()
    recent = are_recent(map_data, days)
    if recent.sum() < MIN_PAPERS:
        return None
    cuts = np.quantile(days[recent], np.arange(1, N_PERIODS) / N_PERIODS, method="higher")
    begins = np.unique([days[recent].min(), *cuts])
    if len(begins) < N_PERIODS:
        return None
    of_paper = np.full(len(days), -1, dtype=np.int8)
    of_paper[recent] = np.searchsorted(begins, days[recent], side="right") - 1
    return Periods(of_paper, tuple(map(date_of, begins)))


def topics(map_data: MapData) -> Iterator[Topic]:
    """Iterate over the concepts of the thesaurus or, without one, over keywords of two or three lemmas.

    A keyword found in more than a fifth of the papers does not count as a topic.
    """
    if map_data.thesaurus is not None and map_data.concepts is not None:
        labels = map_data.thesaurus.concepts.column("label").to_pylist()
        ids = map_data.thesaurus.concepts.column("concept_id").to_pylist()
        label_of = dict(zip(ids, labels, strict=True))
        for place, name in enumerate(map_data.concepts.names):
            yield Topic(label_of.get(name, name), map_data.concepts.rows_at(place))
    elif map_data.terms is not None:
        n_papers = np.diff(map_data.terms.starts)
        n_spaces = np.array(pc.count_substring(map_data.terms.terms, " ").to_pylist())
        most = max(LARGEST_SHARE * len(map_data.papers), MIN_TOPIC_PAPERS)
        is_topic = (n_papers >= MIN_TOPIC_PAPERS) & (n_papers <= most) & (n_spaces >= 1) & (n_spaces <= 2)
        for term in np.flatnonzero(is_topic):
            rows = map_data.terms.rows[map_data.terms.starts[term] : map_data.terms.starts[term + 1]]
            yield Topic(str(map_data.terms.terms[int(term)].as_py()), rows.astype(np.int64))


def hotspots(map_data: MapData, parts: Periods) -> tuple[Hotspot, ...]:
    """Find the topics that have more papers in the newest period than expected, the most significant first.

    If a topic has K of the N papers in all periods together, and k of the n papers in the newest period, then p = P(X
    >= k), X hypergeometric (N, K, n), and q follows from Benjamini and Hochberg's correction for the number of topics
    with at least 10 papers.
    """
    sizes, tested_topics, counts = parts.sizes(), [], []
    for topic in topics(map_data):
        periods_of = parts.of_paper[topic.rows]
        per_period = np.bincount(periods_of[periods_of >= 0], minlength=N_PERIODS)
        if per_period.sum() >= MIN_TOPIC_PAPERS:
            tested_topics.append(topic)
            counts.append(per_period)
    if not tested_topics:
        return ()
    per = np.array(counts, dtype=np.float64)
    # The test is symmetric: either the newest papers or the topic's papers can be regarded as the draws.
    p = hypergeom.sf(per[:, -1] - 1, sizes.sum(), sizes[-1], per.sum(axis=1))
    q = benjamini_hochberg(p)
    expected_counts = per[:, :-1].sum(axis=1) / sizes[:-1].sum() * sizes[-1]
    significant = [i for i in np.lexsort((np.arange(len(p)), p)) if q[i] <= FDR]
    return tuple(
        Hotspot(
            tested_topics[i], tuple((per[i] / sizes).tolist()), float(expected_counts[i]), int(per[i, -1]), float(q[i])
        )
        for i in significant
    )


def _list(map_data: MapData) -> Listing:
    return (HOTSPOTS.info() if periods(map_data) else _WITHOUT_DATES,)


def hotspots_layer(map_data: MapData) -> Layer | UnavailableLayer:
    """Mark the topics that are becoming more frequent, each at the place where its newest papers are densest."""
    parts = periods(map_data)
    if parts is None:
        return _WITHOUT_DATES
    spots = hotspots(map_data, parts)
    placed_spots = [(spot, *_densest_place(map_data, parts, spot)) for spot in spots[:MOST_SHOWN]]
    marks = tuple(_mark(rank, *entry) for rank, entry in enumerate(placed_spots, start=1))
    has_concepts = map_data.concepts and map_data.thesaurus
    of = f"Concepts of the {map_data.thesaurus.name}" if has_concepts and map_data.thesaurus else "Keywords"
    n_spots = len(spots)
    notes = [] if n_spots else ["no topic has become more frequent by more than chance would explain"]
    notes += [f"the {MOST_SHOWN} most significant of {n_spots} are shown"] if n_spots > MOST_SHOWN else []
    notes += [] if map_data.concepts else ["without a thesaurus, topics are keywords: build with --thesaurus FILE"]
    shares = tuple(
        Column(f"since {day.isoformat()}", "share of the papers in this period, [0, 1]") for day in parts.begins
    )
    columns = (
        Column("topic"),
        Column("new papers", f"since {parts.begins[-1].isoformat()}"),
        Column("expected", "number of new papers expected from its share of the earlier ones"),
        Column("q", "lowest false discovery rate at which it is significant, [0, 1]"),
        *shares,
        Column("x", "where its new papers are densest"),
        Column("y", "where its new papers are densest"),
    )
    return Layer(
        HOTSPOTS.slug,
        HOTSPOTS.title,
        (
            f"{of} with significantly more papers since {parts.begins[-1].isoformat()} than their share from "
            f"{parts.begins[0].isoformat()} until then predicts (exact hypergeometric test over the topics with at "
            f"least {MIN_TOPIC_PAPERS} papers, false discovery rate {FDR:.0%})."
        ),
        marks=marks,
        table=Table(columns, tuple(_row(*entry) for entry in placed_spots)),
        notes=tuple(notes),
    )


def _densest_place(map_data: MapData, parts: Periods, spot: Hotspot) -> tuple[float, float]:
    """Find the place where the topic's newest papers are densest."""
    newest = spot.topic.rows[parts.of_paper[spot.topic.rows] == N_PERIODS - 1]
    counts = map_data.grid.count(map_data.cell_of_paper[newest])
    radius = max(radius_for(map_data.grid.count(map_data.cell_of_paper)), 1)
    row, column = divmod(int(window_sums(counts, radius).argmax()), map_data.grid.n_columns)
    rows, columns = np.divmod(map_data.cell_of_paper[newest], map_data.grid.n_columns)
    near = (np.abs(rows - row) <= radius) & (np.abs(columns - column) <= radius)
    return middle(map_data, newest[near])


def _mark(rank: int, spot: Hotspot, x: float, y: float) -> Mark:
    text = f"{spot.topic.name}: {spot.n_newest} new papers, {spot.expected_count:.1f} expected"
    return Mark(x, y, text, WARNING, "hotspot", str(rank))


def _row(spot: Hotspot, x: float, y: float) -> tuple[str | float | int | None, ...]:
    shares = (round(share, 5) for share in spot.shares)
    return (spot.topic.name, spot.n_newest, round(spot.expected_count, 1), float(f"{spot.q:.2g}"), *shares, x, y)


HOTSPOTS = LayerKind(
    slug="hotspots",
    title="Hotspots",
    help="Topics that have become more frequent, marked where their newest papers are densest.",
    group=TIME_GROUP,
    order=20,
    inputs=("papers", "landscape", "terms", "thesaurus", "groups"),
    list_layers=_list,
    compute=hotspots_layer,
)
_WITHOUT_DATES = HOTSPOTS.unavailable(
    f"hotspots need at least {MIN_PAPERS} papers from the last {RECENT_YEARS} years "
    "with at least four different dates: add dated papers"
)
