"""The layer of gaps: active regions of the map that no recent review covers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from pathfinder.landscape.data.layer import WARNING, Column, Heatmap, Layer, Mark, Table, UnavailableLayer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import GAPS_GROUP, LayerKind, Listing
from pathfinder.landscape.statistics.dates import RECENT_YEARS, is_recent_age
from pathfinder.landscape.statistics.districts import NEVER, Districts, Factor, divide, factors_of, too_few_papers
from pathfinder.landscape.statistics.keywords import in_sentence, name_districts
from pathfinder.landscape.statistics.significance import FDR, benjamini_hochberg
from pathfinder.types import Floats

PAPERS_EACH, MOST_DISTRICTS = 60, 150
MOST_LISTED = 40
"""Maximum number of regions in the table; gaps are always listed, whatever their rank."""
NO_FORECAST = (
    "a gap shows what is missing and is not a forecast: in tests for 2005 and 2010, high-ranked regions were "
    "reviewed in the following five years no more often than chance would explain"
)
"""Caution printed below the table; the result that it states is in `benchmarks/MAP.md`."""


@dataclass(frozen=True, slots=True, eq=False)
class DistrictScores:
    """Scores and test results for each district of a map."""

    districts: Districts
    factors: tuple[Factor, ...]
    scores: Floats
    """Mean rank over the known factors, [0, 1]; NaN if none is known."""
    q: Floats
    """Lowest false discovery rate at which a district counts as more active than the whole map, [0, 1]; NaN if not
    tested.
    """
    is_gap: NDArray[np.bool_]
    """True if a district is more active than chance would explain and has no known recent review."""

    @property
    def order(self) -> list[int]:
        """The districts that have a score, the highest score first."""
        known_regions = np.flatnonzero(~np.isnan(self.scores))
        return [int(i) for i in known_regions[np.argsort(-self.scores[known_regions], kind="stable")]]


def score(map_data: MapData) -> DistrictScores:
    """Score every district of the map.

    A district is more active than the whole map if its growth and citations together exceed what chance would explain.
    Fisher's method combines their p values: `-2 sum log p` follows a chi-squared distribution with two degrees of
    freedom per factor. The results are corrected by Benjamini and Hochberg's procedure.
    """
    districts = divide(map_data, PAPERS_EACH, MOST_DISTRICTS)
    factors = factors_of(map_data, districts)
    ranks = np.array([factor.ranks for factor in factors])
    n_known = (~np.isnan(ranks)).sum(axis=0)
    scores = np.where(n_known > 0, np.nansum(ranks, axis=0) / np.maximum(n_known, 1), np.nan)
    q = benjamini_hochberg(_activity(factors, len(districts)))
    is_covered = is_recent_age(factors[-1].values)
    return DistrictScores(districts, factors, scores, q, (np.nan_to_num(q, nan=1.0) <= FDR) & ~is_covered)


def _activity(factors: tuple[Factor, ...], n: int) -> Floats:
    """Combine the p values of the factors tested for each district; NaN if none is known."""
    p_values = [factor.p for factor in factors if factor.p is not None]
    if not p_values:
        return np.full(n, np.nan)
    p = np.clip(np.array(p_values), 1e-300, 1.0)
    n_known = (~np.isnan(p)).sum(axis=0)
    joint_p = chi2.sf(-2 * np.nansum(np.log(p), axis=0), 2 * np.maximum(n_known, 1))
    return np.where(n_known > 0, joint_p, np.nan)


def _list(map_data: MapData) -> Listing:
    reason = too_few_papers(map_data)
    return (GAPS.unavailable(reason) if reason else GAPS.info(),)


def gaps_layer(map_data: MapData) -> Layer | UnavailableLayer:
    """Show the regions that are active and lack a recent review, and rank all regions."""
    if reason := too_few_papers(map_data):
        return GAPS.unavailable(reason)
    regions = score(map_data)
    if all(factor.missing for factor in regions.factors[1:]):
        return GAPS.unavailable("; ".join(factor.missing for factor in regions.factors[1:]))
    ranked_districts = tuple(enumerate(regions.order, start=1))
    numbers = {i for rank, i in ranked_districts if rank <= MOST_LISTED or regions.is_gap[i]}
    names = name_districts(map_data, regions.districts.of, len(regions.districts), numbers)
    return Layer(
        GAPS.slug,
        GAPS.title,
        _describe(regions),
        heatmaps=_heatmaps(map_data, regions),
        marks=tuple(_mark(regions, names[i], i, rank) for rank, i in ranked_districts if regions.is_gap[i]),
        table=Table(
            (
                Column("rank"),
                Column("about", "distinctive keywords"),
                Column("papers"),
                Column("score", "mean rank over the known factors, [0, 1]"),
                *(Column(factor.name, factor.note) for factor in regions.factors),
                Column(
                    "covered",
                    f"when a listed review last covered it; recently means within the last {RECENT_YEARS} years",
                ),
                Column("q", "lowest false discovery rate at which its activity is significant, [0, 1]"),
                Column("gap", "yes: more active than chance would explain, with no known recent review"),
                Column("x", "position of its centre on the map"),
                Column("y", "position of its centre on the map"),
            ),
            tuple(_row(regions, names[i], i, rank) for rank, i in ranked_districts if i in numbers),
        ),
        notes=_notes(regions),
    )


def _describe(regions: DistrictScores) -> str:
    names = ", ".join(factor.name for factor in regions.factors if not factor.missing)
    without = "" if regions.factors[-1].missing else f" and have no review from the last {RECENT_YEARS} years"
    return (
        f"{len(regions.districts)} regions of {regions.districts.sizes.mean():.0f} papers on average, ranked by "
        f"{names}: the score is the mean of a region's ranks, 0 to 1. The map shows those that grow or are cited more "
        "than chance would explain (exact hypergeometric and normal tests, combined by Fisher's method, false "
        f"discovery rate {FDR:.0%}){without}."
    )


def _heatmaps(map_data: MapData, regions: DistrictScores) -> tuple[Heatmap, ...]:
    if not regions.is_gap.any():
        return ()
    is_occupied = map_data.grid.count(map_data.cell_of_paper).ravel() > 0
    is_coloured = is_occupied & regions.is_gap[regions.districts.of_cell]
    values = np.where(is_coloured, regions.scores[regions.districts.of_cell], np.nan)
    shape = map_data.grid.n_rows, map_data.grid.n_columns
    return (Heatmap(map_data.grid, values.reshape(shape), WARNING, "gap", "score 0", "1"),)


def _mark(regions: DistrictScores, name: str, i: int, rank: int) -> Mark:
    values = ", ".join(f"{factor.name} {_format(float(factor.values[i]))}" for factor in regions.factors)
    x, y = regions.districts.middles[i].tolist()
    text = f"{in_sentence(name)}: {int(regions.districts.sizes[i]):,} papers; {values}"
    return Mark(x, y, text, WARNING, "gap", str(rank))


def _format(value: float) -> str:
    if np.isnan(value):
        return "not known"
    return "never" if value == NEVER else f"{value:.3g}"


def _row(regions: DistrictScores, name: str, i: int, rank: int) -> tuple[str | float | int | None, ...]:
    x, y = regions.districts.middles[i].tolist()
    return (
        rank,
        name,
        int(regions.districts.sizes[i]),
        round(float(regions.scores[i]), 3),
        *(_cell(float(factor.values[i])) for factor in regions.factors),
        _coverage(float(regions.factors[-1].values[i])),
        _cell(float(regions.q[i])),
        "yes" if regions.is_gap[i] else "no",
        round(x, 3),
        round(y, 3),
    )


def _cell(value: float) -> float | None:
    return float(f"{value:.3g}") if np.isfinite(value) else None


def _coverage(age: float) -> str | None:
    if np.isnan(age):
        return None
    if age == NEVER:
        return "never"
    return "recently" if is_recent_age(np.array(age)) else "before"


def _notes(regions: DistrictScores) -> tuple[str, ...]:
    n = len(regions.districts)
    notes = [f"{factor.name}: not in the score ({factor.missing})" for factor in regions.factors if factor.missing]
    for factor in regions.factors:
        n_unknown = int(np.isnan(factor.values).sum())
        if n_unknown and not factor.missing:
            notes.append(f"{factor.name}: unknown for {n_unknown} of {n} regions, so their scores leave it out")
    if n_never := int((regions.factors[-1].values == NEVER).sum()):
        notes.append(
            f"no listed review covers {n_never} of {n} regions; they may lie outside the subject of the "
            "list, so their scores leave out the age of their last review"
        )
    if not regions.is_gap.any():
        notes.append("no region without a recent review grows or is cited more than chance would explain")
    return (*notes, NO_FORECAST)


GAPS = LayerKind(
    slug="gaps",
    title="Gaps",
    help="Regions that grow or are cited more than chance would explain but have no recent review.",
    group=GAPS_GROUP,
    order=50,
    inputs=("papers", "landscape", "terms", "reviews"),
    list_layers=_list,
    compute=gaps_layer,
)
