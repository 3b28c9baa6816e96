"""Gaps: districts of the map that are alive and that no recent review covers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from pathfinder.landscape.gaps.districts import Districts, divide
from pathfinder.landscape.gaps.factors import NEVER, Factor, factors_of
from pathfinder.landscape.gaps.naming import names_of, told, too_few
from pathfinder.landscape.layer import Absent, Cells, Column, Layer, Mark, Table
from pathfinder.landscape.layers.colours import WARNING
from pathfinder.landscape.layers.significance import FDR, benjamini_hochberg
from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats

SLUG, TITLE = "gaps", "Gaps"
PAPERS_EACH, MOST_DISTRICTS = 60, 150
RECENT_YEARS = 10
"""A region with a review no older than this is covered."""
MOST_LISTED = 40
"""Regions in the table; gaps stand in it whatever their rank."""
NO_FORECAST = (
    "a gap says what there is not, and forecasts nothing: as of 2005 and of 2010, regions that stood high here were "
    "not reviewed more often in the five years after than chance explains"
)
"""What `benchmarks/gaps.py` measured."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """What is known of each district of a survey."""

    districts: Districts
    factors: tuple[Factor, ...]
    scores: Floats
    """Mean rank over the factors that are known, [0, 1]; NaN where none is."""
    q: Floats
    """Lowest false discovery rate at which a district counts as livelier than the map, [0, 1]; NaN: not tested."""
    is_gap: NDArray[np.bool_]
    """Livelier than chance, and without a recent review as far as reviews are known."""

    @property
    def order(self) -> list[int]:
        """The districts that have a score, the highest first."""
        known = np.flatnonzero(~np.isnan(self.scores))
        return [int(i) for i in known[np.argsort(-self.scores[known], kind="stable")]]


def score(survey: Survey) -> Scored:
    """Score every district of the map.

    A district is livelier than the map where growth and citations together are more than chance: Fisher's
    `-2 sum log p`, chi-squared with two degrees of freedom a factor, after Benjamini and Hochberg's correction.
    """
    districts = divide(survey, PAPERS_EACH, MOST_DISTRICTS)
    factors = factors_of(survey, districts)
    ranks = np.array([factor.ranks for factor in factors])
    known = (~np.isnan(ranks)).sum(axis=0)
    scores = np.where(known > 0, np.nansum(ranks, axis=0) / np.maximum(known, 1), np.nan)
    q = benjamini_hochberg(_lively(factors, len(districts)))
    age = factors[-1].values
    is_covered = ~np.isnan(age) & (age <= RECENT_YEARS)
    return Scored(districts, factors, scores, q, (np.nan_to_num(q, nan=1.0) <= FDR) & ~is_covered)


def _lively(factors: tuple[Factor, ...], n: int) -> Floats:
    """The p of each district over the factors that are tested; NaN where none is known."""
    tested = [factor.p for factor in factors if factor.p is not None]
    if not tested:
        return np.full(n, np.nan)
    p = np.clip(np.array(tested), 1e-300, 1.0)
    known = (~np.isnan(p)).sum(axis=0)
    joined = chi2.sf(-2 * np.nansum(np.log(p), axis=0), 2 * np.maximum(known, 1))
    return np.where(known > 0, joined, np.nan)


def gaps_layer(survey: Survey) -> Layer | Absent:
    """The regions that are alive and lack a recent review, and the ranking of all."""
    if (lacking := too_few(survey, SLUG, TITLE)) is not None:
        return lacking
    found = score(survey)
    if all(factor.missing for factor in found.factors[1:]):
        return Absent(SLUG, TITLE, "; ".join(factor.missing for factor in found.factors[1:]))
    ranked = tuple(enumerate(found.order, start=1))
    shown = {i for rank, i in ranked if rank <= MOST_LISTED or found.is_gap[i]}
    names = names_of(survey, found.districts.of, len(found.districts), shown)
    return Layer(
        SLUG,
        TITLE,
        _says(found),
        cells=_veil(survey, found),
        marks=tuple(_mark(found, names[i], i, rank) for rank, i in ranked if found.is_gap[i]),
        table=Table(_columns(found), tuple(_row(found, names[i], i, rank) for rank, i in ranked if i in shown)),
        notes=_notes(found),
    )


def _says(found: Scored) -> str:
    counted = ", ".join(factor.name for factor in found.factors if not factor.missing)
    without = "" if found.factors[-1].missing else f" and have no review of the last {RECENT_YEARS} years"
    return (
        f"{len(found.districts)} regions of {found.districts.sizes.mean():.0f} papers on average, ranked by {counted}: "
        f"the score is the mean of their ranks, 0 to 1. Drawn are those that grow or are cited beyond chance (exact "
        f"hypergeometric and normal tests, joined by Fisher's method, false discovery rate {FDR:.0%}){without}."
    )


def _veil(survey: Survey, found: Scored) -> tuple[Cells, ...]:
    if not found.is_gap.any():
        return ()
    occupied = survey.grid.count(survey.cells).ravel() > 0
    shown = occupied & found.is_gap[found.districts.of_cell]
    values = np.where(shown, found.scores[found.districts.of_cell], np.nan)
    shape = survey.grid.n_rows, survey.grid.n_columns
    return (Cells(survey.grid, values.reshape(shape), WARNING, "gap", "score 0", "1"),)


def _mark(found: Scored, name: str, i: int, rank: int) -> Mark:
    counted = ", ".join(f"{factor.name} {_in_words(float(factor.values[i]))}" for factor in found.factors)
    x, y = found.districts.middles[i].tolist()
    text = f"{told(name)}: {int(found.districts.sizes[i]):,} papers; {counted}"
    return Mark(x, y, text, WARNING, "gap", str(rank))


def _in_words(value: float) -> str:
    if np.isnan(value):
        return "not known"
    return "never" if value == NEVER else f"{value:.3g}"


def _columns(found: Scored) -> tuple[Column, ...]:
    return (
        Column("rank"),
        Column("about", "keywords that are frequent there and rare elsewhere"),
        Column("papers"),
        Column("score", "mean of the ranks of the factors that are known, [0, 1]"),
        *(Column(factor.name, factor.note) for factor in found.factors),
        Column("covered", f"by a review of the list: recently is within {RECENT_YEARS} years"),
        Column("q", "lowest false discovery rate at which it is livelier than the whole map, [0, 1]"),
        Column("gap", "whether it is livelier than chance, and no recent review is known"),
        Column("x", "of its middle, on the map"),
        Column("y", "of its middle, on the map"),
    )


def _row(found: Scored, name: str, i: int, rank: int) -> tuple[str | float | int | None, ...]:
    x, y = found.districts.middles[i].tolist()
    return (
        rank,
        name,
        int(found.districts.sizes[i]),
        round(float(found.scores[i]), 3),
        *(_cell(float(factor.values[i])) for factor in found.factors),
        _covered(float(found.factors[-1].values[i])),
        _cell(float(found.q[i])),
        "yes" if found.is_gap[i] else "no",
        round(x, 3),
        round(y, 3),
    )


def _cell(value: float) -> float | None:
    return float(f"{value:.3g}") if np.isfinite(value) else None


def _covered(age: float) -> str | None:
    if np.isnan(age):
        return None
    if age == NEVER:
        return "never"
    return "recently" if age <= RECENT_YEARS else "before"


def _notes(found: Scored) -> tuple[str, ...]:
    notes = [f"{factor.name}: not in the score, for {factor.missing}" for factor in found.factors if factor.missing]
    for factor in found.factors:
        unknown = int(np.isnan(factor.values).sum())
        if unknown and not factor.missing:
            of_all = f"{unknown} of {len(found.districts)} regions"
            notes.append(f"{factor.name}: not known of {of_all}, and not in their score")
    if n_never := int((found.factors[-1].values == NEVER).sum()):
        where = f"no review of the list ever covered {n_never} of {len(found.districts)} regions"
        notes.append(f"{where}; they may lie beyond what it is about, so its age is not in their score")
    if not found.is_gap.any():
        notes.append("no region without a recent review grows or is cited beyond chance")
    return (*notes, NO_FORECAST)
