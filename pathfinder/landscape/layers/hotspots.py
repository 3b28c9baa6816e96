"""Hotspots: topics whose share of the newest papers is more than their share before would make one expect."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.landscape.layer import Absent, Column, Layer, Mark, Offer, Table
from pathfinder.landscape.layers.colours import WARNING
from pathfinder.landscape.layers.dates import SPAN_YEARS, are_recent, date_of
from pathfinder.landscape.layers.growth import GROUP
from pathfinder.landscape.layers.patches import middle
from pathfinder.landscape.layers.significance import FDR, benjamini_hochberg
from pathfinder.landscape.layers.tails import at_least
from pathfinder.landscape.layers.windows import radius_for, window_sums
from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats, Rows

SLUG, TITLE = "hotspots", "Hotspots"
N_PERIODS = 4
"""Of about equally many papers each; the last is compared with those before."""
FEWEST = 10
"""Papers of the span that a topic must have, so that something can be said of its share."""
FEWEST_IN_ALL = 40
LARGEST_SHARE = 0.2
"""Of all papers, beyond which a keyword is no topic."""
MOST_SHOWN = 30
_NOT_DATED = Absent(
    SLUG,
    TITLE,
    f"hotspots take at least {FEWEST_IN_ALL} papers of the last {SPAN_YEARS} years, dated to four different times: "
    "add dated papers",
)


@dataclass(frozen=True, slots=True, eq=False)
class Periods:
    """The last ten years, cut into four periods of about equally many papers."""

    of_paper: NDArray[np.int8]
    """0 to 3, the newest; -1 for a paper of none."""
    begins: tuple[datetime.date, ...]
    """The first day of each."""

    def sizes(self) -> Floats:
        """Papers of each period."""
        return np.bincount(self.of_paper[self.of_paper >= 0], minlength=N_PERIODS).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """A topic and its papers."""

    name: str
    rows: Rows


@dataclass(frozen=True, slots=True, eq=False)
class Hotspot:
    """A topic that is more frequent in the newest period than before, beyond chance."""

    topic: Topic
    shares: tuple[float, ...]
    """Of the papers of each period."""
    expected: float
    """Papers that it would have in the newest period at its share of the three before."""
    n_newest: int
    q: float


def periods(survey: Survey) -> Periods | None:
    """`None` where fewer than 40 papers of the span are dated, or days do not allow four periods."""
    days = survey.papers.published_days()
    recent = are_recent(survey, days)
    if recent.sum() < FEWEST_IN_ALL:
        return None
    cuts = np.quantile(days[recent], np.arange(1, N_PERIODS) / N_PERIODS, method="higher")
    begins = np.unique([days[recent].min(), *cuts])
    if len(begins) < N_PERIODS:
        return None
    of_paper = np.full(len(days), -1, dtype=np.int8)
    of_paper[recent] = np.searchsorted(begins, days[recent], side="right") - 1
    return Periods(of_paper, tuple(map(date_of, begins)))


def topics(survey: Survey) -> Iterator[Topic]:
    """The concepts of the thesaurus; without one, keywords of two or three lemmas that no fifth of the papers has."""
    if survey.thesaurus is not None and survey.concepts is not None:
        labels = survey.thesaurus.concepts.column("label").to_pylist()
        ids = survey.thesaurus.concepts.column("concept_id").to_pylist()
        label_of = dict(zip(ids, labels, strict=True))
        for place, name in enumerate(survey.concepts.names):
            yield Topic(label_of.get(name, name), survey.concepts.rows_at(place))
    elif survey.terms is not None:
        n_papers = np.diff(survey.terms.starts)
        n_spaces = np.array(pc.count_substring(survey.terms.terms, " ").to_pylist())
        most = max(LARGEST_SHARE * len(survey.papers), FEWEST)
        wanted = (n_papers >= FEWEST) & (n_papers <= most) & (n_spaces >= 1) & (n_spaces <= 2)
        for term in np.flatnonzero(wanted):
            rows = survey.terms.rows[survey.terms.starts[term] : survey.terms.starts[term + 1]]
            yield Topic(str(survey.terms.terms[int(term)].as_py()), rows.astype(np.int64))


def hotspots(survey: Survey, parts: Periods) -> tuple[Hotspot, ...]:
    """The topics with more papers in the newest period than expected, the surest first.

    A topic of K papers in the span, of N, has k of the n newest ones: p = P(X >= k), X hypergeometric (N, K, n), and
    q after Benjamini and Hochberg's correction for the number of topics with at least 10 papers.
    """
    sizes, tested, counts = parts.sizes(), [], []
    for topic in topics(survey):
        of = parts.of_paper[topic.rows]
        counted = np.bincount(of[of >= 0], minlength=N_PERIODS)
        if counted.sum() >= FEWEST:
            tested.append(topic)
            counts.append(counted)
    if not tested:
        return ()
    per = np.array(counts, dtype=np.float64)
    # Which of the two is drawn makes no difference: the newest papers, or those of the topic.
    p = at_least(per[:, -1], float(sizes.sum()), float(sizes[-1]), per.sum(axis=1))
    q = benjamini_hochberg(p)
    expected = per[:, :-1].sum(axis=1) / sizes[:-1].sum() * sizes[-1]
    found = [i for i in np.lexsort((np.arange(len(p)), p)) if q[i] <= FDR]
    return tuple(
        Hotspot(tested[i], tuple((per[i] / sizes).tolist()), float(expected[i]), int(per[i, -1]), float(q[i]))
        for i in found
    )


def hotspots_offers(survey: Survey) -> tuple[Offer | Absent, ...]:
    """The one layer, where papers are dated."""
    says = "Topics that are more frequent in the newest papers than they were before, where they are at home."
    return (Offer(SLUG, TITLE, says, GROUP) if periods(survey) else _NOT_DATED,)


def hotspots_layer(survey: Survey) -> Layer | Absent:
    """The topics that heat up, as marks where their newest papers lie most densely."""
    parts = periods(survey)
    if parts is None:
        return _NOT_DATED
    found = hotspots(survey, parts)
    of = f"concepts of the {survey.thesaurus.name}" if survey.concepts and survey.thesaurus else "keywords"
    says = (
        f"The {of} with more papers since {parts.begins[-1].isoformat()} than their share from "
        f"{parts.begins[0].isoformat()} until then makes one expect, beyond chance (exact hypergeometric test over the "
        f"topics with at least {FEWEST} papers, false discovery rate {FDR:.0%})."
    )
    shown = [(spot, *_home(survey, parts, spot)) for spot in found[:MOST_SHOWN]]
    notes = ["no topic is more frequent than chance would have it"] if not found else []
    notes += [f"the {MOST_SHOWN} surest of {len(found)} are shown"] if len(found) > MOST_SHOWN else []
    notes += [] if survey.concepts else ["without a thesaurus, topics are keywords: build with --thesaurus FILE"]
    marks = tuple(_mark(rank, *one) for rank, one in enumerate(shown, start=1))
    return Layer(SLUG, TITLE, says, marks=marks, table=_table(parts, shown), notes=tuple(notes))


def _home(survey: Survey, parts: Periods, spot: Hotspot) -> tuple[float, float]:
    """Where the topic's newest papers lie most densely."""
    newest = spot.topic.rows[parts.of_paper[spot.topic.rows] == N_PERIODS - 1]
    counts = survey.grid.count(survey.cells[newest])
    radius = max(radius_for(survey.grid.count(survey.cells)), 1)
    row, column = divmod(int(window_sums(counts, radius).argmax()), survey.grid.n_columns)
    rows, columns = np.divmod(survey.cells[newest], survey.grid.n_columns)
    near = (np.abs(rows - row) <= radius) & (np.abs(columns - column) <= radius)
    return middle(survey, newest[near])


def _mark(rank: int, spot: Hotspot, x: float, y: float) -> Mark:
    text = f"{spot.topic.name}: {spot.n_newest} new papers, {spot.expected:.1f} expected"
    return Mark(x, y, text, WARNING, "hotspot", str(rank))


def _table(parts: Periods, shown: list[tuple[Hotspot, float, float]]) -> Table:
    shares = tuple(
        Column(f"since {day.isoformat()}", "share of the papers of this period, [0, 1]") for day in parts.begins
    )
    columns = (
        Column("topic"),
        Column("new papers", f"since {parts.begins[-1].isoformat()}"),
        Column("expected", "at its share of the papers before"),
        Column("q", "lowest false discovery rate at which it is found, [0, 1]"),
        *shares,
        Column("x", "where its new papers are densest"),
        Column("y", "where its new papers are densest"),
    )
    return Table(columns, tuple(_line(*one) for one in shown))


def _line(spot: Hotspot, x: float, y: float) -> tuple[str | float | int | None, ...]:
    shares = (round(share, 5) for share in spot.shares)
    return (spot.topic.name, spot.n_newest, round(spot.expected, 1), float(f"{spot.q:.2g}"), *shares, x, y)
