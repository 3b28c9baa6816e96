"""Whether regions that score high as gaps are those that are reviewed, or grow, in the years after.

    python -m benchmarks.gaps TITLES.jsonl.gz REVIEWS.jsonl [--cache DIR] [--json FILE]

TITLES has a line a paper with `title`, `year` and `rank_in_year`, its place by citations within the year, and REVIEWS
a line a review article with `title` and `year`. Of the titles of 1986 to 2015, 100,000 drawn by lot are embedded by
title alone. For each year T of 2005 and 2010 the map is made of the titles until T and nothing later; its regions are
scored exactly as `pathfinder/landscape/gaps/scores.py` scores a corpus of that year; then the titles and reviews of
the five years after are placed on it. What came true:

- reviewed: a review of those five years lies in the region;
- reviewed, within the list's field: the same, over those regions alone that a review had covered before;
- grew: of the titles of the five years after and of the five until T, so many are newer that the region's share
  rose beyond chance (exact hypergeometric test, false discovery rate 5%).

A ranking is judged by how many of its first 20 regions came true, with the probability that 20 random regions do as
well or better, and by the area under its ROC curve (0.5 is chance) with a bootstrap interval of 95% over regions.

What can be used: density, growth, the age of the last review, and citations only as `rank_in_year`, which was counted
when the file was made and so knows citations from after T; the score is told with and without it. Titles are all
that is embedded. The file has at most about 20,000 titles a year, so growth is that of shares.
"""

import argparse
import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.stats import hypergeom, rankdata

from benchmarks.report import machine
from pathfinder.corpus.papers import TABLE_SCHEMA, PaperTable, batch_of
from pathfinder.landscape.density import map_extent
from pathfinder.landscape.gaps.districts import Districts
from pathfinder.landscape.gaps.scores import score
from pathfinder.landscape.grid import grid_over
from pathfinder.landscape.layers.significance import FDR, benjamini_hochberg
from pathfinder.landscape.placing import place_papers
from pathfinder.landscape.projection import project
from pathfinder.landscape.survey import Review, Survey
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Paper

SEED, N_TITLES, FIRST, LAST = 20261121, 100_000, 1986, 2015
CUTS, AHEAD, N_FIRST, N_RESAMPLES = (2005, 2010), 5, 20, 2000

Places = NDArray[np.float32]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Titles:
    """The sample, and what is known of it; row i is the same title everywhere."""

    papers: list[Paper]
    percentiles: Numbers
    """By citations within its year, (0, 1]."""
    vectors: NDArray[np.float32]

    @property
    def years(self) -> NDArray[np.int64]:
        return np.array([paper.year for paper in self.papers])


@dataclass(frozen=True)
class Judged:
    """One ranking against one outcome."""

    n_true: int
    """Of the first 20 regions."""
    chance: float
    """Of as many or more among 20 random ones."""
    auc: float
    low: float
    high: float


def read_titles(path: Path, cache: Path) -> Titles:
    """Draw the sample and embed it; vectors are remembered in `cache`."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if FIRST <= record["year"] <= LAST]
    sizes = np.bincount([record["year"] for record in records])
    rows = np.sort(np.random.default_rng(SEED).choice(len(records), N_TITLES, replace=False))
    kept = [records[row] for row in rows]
    percentiles = np.array([1 - record["rank_in_year"] / sizes[record["year"]] for record in kept])
    papers = [Paper(record["id"], record["title"], "", year=record["year"]) for record in kept]
    vectors = embedded([paper.title for paper in papers], cache / "titles.npy")
    return Titles(papers, percentiles, vectors)


def embedded(texts: list[str], path: Path) -> NDArray[np.float32]:
    """Unit vectors of `texts`, from `path` where they were embedded before."""
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, MiniLM().embed(texts, "document").astype(np.float16), allow_pickle=False)
    vectors = np.load(path, allow_pickle=False).astype(np.float32)
    if len(vectors) != len(texts):
        raise SystemExit(f"{path} has {len(vectors)} vectors for {len(texts)} texts: remove it")
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def map_until(cut: int, titles: Titles, cache: Path) -> Places:
    """Where the titles until `cut` lie, by PCA and UMAP."""
    path = cache / f"places_{cut}.npy"
    if not path.is_file():
        places = project(titles.vectors[titles.years <= cut], SEED)
        if places is None:
            raise SystemExit(f"there are too few titles until {cut} for a map")
        np.save(path, places, allow_pickle=False)
    found: Places = np.load(path, allow_pickle=False)
    return found


def survey_until(cut: int, titles: Titles, places: Places, reviews: list[Review]) -> Survey:
    """What was known at the end of the year `cut`."""
    rows = np.flatnonzero(titles.years <= cut)
    columns = pa.Table.from_batches([batch_of([titles.papers[row] for row in rows])])
    percentiles = pa.array(titles.percentiles[rows], pa.float64())
    table = PaperTable(columns.append_column(TABLE_SCHEMA.field("citation_percentile"), percentiles))
    grid = grid_over(map_extent(places))
    known = tuple(review for review in reviews if review.year is not None and review.year <= cut)
    return Survey(places, table, grid, grid.cell_of(places), cut, reviews=known)


def came_true(
    cut: int, titles: Titles, survey: Survey, districts: Districts, reviews: list[Review]
) -> dict[str, NDArray[np.bool_]]:
    """Which regions were reviewed, and which grew, in the five years after `cut`."""
    ahead = (titles.years > cut) & (titles.years <= cut + AHEAD)
    trained = titles.vectors[titles.years <= cut]
    later = districts.at(place_papers(trained, survey.coordinates, titles.vectors[ahead]))
    before = districts.of[survey.papers.years() > cut - AHEAD]
    newer, older = (np.bincount(rows, minlength=len(districts)) for rows in (later, before))
    p = hypergeom.sf(newer - 1, len(later) + len(before), len(later), newer + older)
    new = [review for review in reviews if review.year is not None and cut < review.year <= cut + AHEAD]
    reviewed = np.zeros(len(districts), dtype=np.bool_)
    reviewed[districts.at(np.array([(review.x, review.y) for review in new]))] = True
    return {"reviewed": reviewed, "grew": benjamini_hochberg(p) <= FDR}


def judge(ranking: Numbers, is_true: NDArray[np.bool_]) -> Judged:
    """How well the highest of `ranking` tell what came true; what is not known counts as the lowest."""
    filled = np.nan_to_num(ranking, nan=-np.inf)
    lots = np.random.default_rng(SEED)
    first = np.lexsort((lots.permutation(len(filled)), -filled))[:N_FIRST]
    n_true = int(is_true[first].sum())
    chance = float(hypergeom.sf(n_true - 1, len(is_true), int(is_true.sum()), N_FIRST))
    draws = lots.integers(len(filled), size=(N_RESAMPLES, len(filled)))
    low, high = np.nanquantile([area(filled[draw], is_true[draw]) for draw in draws], [0.025, 0.975])
    return Judged(n_true, chance, area(filled, is_true), float(low), float(high))


def area(ranking: Numbers, is_true: NDArray[np.bool_]) -> float:
    """Under the ROC curve: how often a region that came true ranks above one that did not."""
    n_true, n = int(is_true.sum()), len(is_true)
    if n_true in (0, n):
        return float("nan")
    ranks = rankdata(ranking)
    return float((ranks[is_true].sum() - n_true * (n_true + 1) / 2) / (n_true * (n - n_true)))


def backtest(cut: int, titles: Titles, reviews: list[Review], cache: Path) -> dict[str, dict[str, Judged | str]]:
    """Every ranking against every outcome."""
    places = map_until(cut, titles, cache)
    trained = titles.vectors[titles.years <= cut]
    at = place_papers(trained, places, embedded([review.title for review in reviews], cache / "reviews.npy"))
    placed = [replace(review, x=float(x), y=float(y)) for review, (x, y) in zip(reviews, at, strict=True)]
    survey = survey_until(cut, titles, places, placed)
    found = score(survey)
    ranks = {factor.name: factor.ranks for factor in found.factors}
    without = np.nanmean([ranks[name] for name in ranks if name != "citations"], axis=0)
    rankings: Mapping[str, Numbers] = {
        "gap score": found.scores,
        "gap score without citations": without,
        "called a gap": found.is_gap.astype(np.float64),
        "popularity: papers": found.districts.sizes.astype(np.float64),
        **{f"{name} alone": rank for name, rank in ranks.items()},
    }
    outcomes = came_true(cut, titles, survey, found.districts, placed)
    everywhere = np.ones(len(found.districts), dtype=np.bool_)
    covered = np.isfinite(found.factors[-1].values)
    came = ", ".join(f"{int((is_true & found.is_gap).sum())} {what}" for what, is_true in outcomes.items())
    print(
        f"\n{cut}: {len(places):,} titles in {len(found.districts)} regions; "
        f"{int(found.is_gap.sum())} were called gaps, of which {came}"
    )
    return {
        f"reviewed after {cut}": against(outcomes["reviewed"], rankings, everywhere),
        f"reviewed after {cut}, within the list's field": against(outcomes["reviewed"], rankings, covered),
        f"grew after {cut}": against(outcomes["grew"], rankings, everywhere),
    }


def against(
    is_true: NDArray[np.bool_], rankings: Mapping[str, Numbers], kept: NDArray[np.bool_]
) -> dict[str, Judged | str]:
    """Every ranking of the regions that are `kept` against one outcome, and what random ones would do."""
    told: dict[str, Judged | str] = {name: judge(ranking[kept], is_true[kept]) for name, ranking in rankings.items()}
    n_true, n = int(is_true[kept].sum()), int(kept.sum())
    told[f"random: {n_true} of {n} regions"] = f"{N_FIRST * n_true / n:.1f}"
    return told


def print_table(told: Mapping[str, Mapping[str, Judged | str]]) -> None:
    """As Markdown."""
    for outcome, rankings in told.items():
        print(f"\n| {outcome} | of the first {N_FIRST} | by chance | area | 95% interval |\n|---|---|---|---|---|")
        for name, one in rankings.items():
            if isinstance(one, str):
                print(f"| {name} | {one} | | 0.5 | |")
            else:
                print(f"| {name} | {one.n_true} | {one.chance:.3f} | {one.auc:.3f} | {one.low:.2f} to {one.high:.2f} |")


def main() -> None:
    """Measure the files that the arguments name."""
    parser = argparse.ArgumentParser(description="Do gaps come true?")
    parser.add_argument("titles", type=Path)
    parser.add_argument("reviews", type=Path)
    parser.add_argument("--cache", type=Path, default=Path("build/gaps"))
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    lines = arguments.reviews.read_text(encoding="utf-8").splitlines()
    reviews = [Review(record["title"], int(record["year"]), 0.0, 0.0) for record in map(json.loads, lines)]
    titles = read_titles(arguments.titles, arguments.cache)
    told = {cut: backtest(cut, titles, reviews, arguments.cache) for cut in CUTS}
    for judged in told.values():
        print_table(judged)
    if arguments.json:
        arguments.json.write_text(json.dumps(told, default=vars, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
