"""Backtest of gaps: are regions with a high score reviewed in the following years, or do they grow?

    python -m benchmarks.gaps TITLES.jsonl.gz REVIEWS.jsonl [--cache DIR] [--json FILE]

TITLES has one line per paper with `title`, `year` and `rank_in_year`, its rank by citations within the year, and
REVIEWS one line per review article with `title` and `year`. A random 100,000 of the titles from 1986 to 2015 are
embedded. For T = 2005 and T = 2010, the map is made from the titles up to year T and nothing later; its regions are
scored exactly as `pathfinder/landscape/layers/gaps.py` scores a corpus of that year; then the titles and reviews of the
following five years are placed on it. The outcomes:

- reviewed: a review from those five years lies in the region;
- reviewed, within the field of REVIEWS: the same, but only for regions that a review had covered before;
- grew: the region's share of titles rose more than chance would explain, from the five years up to T to the five years
  after it (exact hypergeometric test, false discovery rate 5%).

A ranking is judged by how many of its first 20 regions have the outcome, with the probability that 20 random regions do
as well or better, and by the area under its ROC curve (0.5 is chance) with a 95% bootstrap interval over regions.

The inputs are density, growth, the age of the last review, and citations, which are known only through `rank_in_year`:
it was computed when the file was made, and so reflects citations from after T as well; the score is reported with and
without citations. Only titles are embedded. The file has at most about 20,000 titles a year, so growth means growth in
a region's share.
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
from pathfinder.corpus.paper_columns import TABLE_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.data.placed_reviews import Review
from pathfinder.landscape.density import grid_over, map_extent
from pathfinder.landscape.layers.gaps import score
from pathfinder.landscape.projection.placing import place_papers
from pathfinder.landscape.projection.projection import project
from pathfinder.landscape.statistics.districts import Districts, nearest_middle
from pathfinder.landscape.statistics.significance import FDR, benjamini_hochberg
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Paper

SEED, N_TITLES, FIRST, LAST = 20261121, 100_000, 1986, 2015
CUTS, AHEAD, N_FIRST, N_RESAMPLES = (2005, 2010), 5, 20, 2000

Places = NDArray[np.float32]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Titles:
    """The sample with its data; row i refers to the same title in every field."""

    papers: list[Paper]
    percentiles: Numbers
    """Percentile by citations within its year, (0, 1]."""
    vectors: NDArray[np.float32]

    @property
    def years(self) -> NDArray[np.int64]:
        return np.array([paper.year for paper in self.papers])


@dataclass(frozen=True)
class Judged:
    """A ranking judged by an outcome."""

    n_true: int
    """Number of regions among the first 20 that have the outcome."""
    chance: float
    """Probability that 20 random regions include as many or more."""
    auc: float
    low: float
    high: float


def read_titles(path: Path, cache: Path) -> Titles:
    """Draw the sample and embed it; vectors are cached in `cache`."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if FIRST <= record["year"] <= LAST]
    sizes = np.bincount([record["year"] for record in records])
    rows = np.sort(np.random.default_rng(SEED).choice(len(records), N_TITLES, replace=False))
    newest = [records[row] for row in rows]
    percentiles = np.array([1 - record["rank_in_year"] / sizes[record["year"]] for record in newest])
    papers = [Paper(record["id"], record["title"], "", year=record["year"]) for record in newest]
    vectors = embed_texts([paper.title for paper in papers], cache / "titles.npy")
    return Titles(papers, percentiles, vectors)


def embed_texts(texts: list[str], path: Path) -> NDArray[np.float32]:
    """Return unit vectors of `texts`, from `path` if they were embedded before."""
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, MiniLM().embed(texts, "document").astype(np.float16), allow_pickle=False)
    vectors = np.load(path, allow_pickle=False).astype(np.float32)
    if len(vectors) != len(texts):
        raise SystemExit(f"{path} has {len(vectors)} vectors for {len(texts)} texts: remove it")
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def map_until(last_year: int, titles: Titles, cache: Path) -> Places:
    """Lay out the titles up to `last_year`, with PCA and UMAP."""
    path = cache / f"places_{last_year}.npy"
    if not path.is_file():
        places = project(titles.vectors[titles.years <= last_year], SEED)
        if places is None:
            raise SystemExit(f"there are too few titles until {last_year} for a map")
        np.save(path, places, allow_pickle=False)
    coordinates: Places = np.load(path, allow_pickle=False)
    return coordinates


def survey_until(last_year: int, titles: Titles, places: Places, reviews: list[Review]) -> MapData:
    """Return everything known at the end of `last_year`."""
    rows = np.flatnonzero(titles.years <= last_year)
    columns = pa.Table.from_batches([batch_of([titles.papers[row] for row in rows])])
    percentiles = pa.array(titles.percentiles[rows], pa.float64())
    table = PaperTable(columns.append_column(TABLE_SCHEMA.field("citation_percentile"), percentiles))
    grid = grid_over(map_extent(places))
    earlier_reviews = tuple(review for review in reviews if review.year is not None and review.year <= last_year)
    return MapData(places, table, grid, grid.cell_of(places), last_year, reviews=earlier_reviews)


def came_true(
    last_year: int, titles: Titles, map_data: MapData, districts: Districts, reviews: list[Review]
) -> dict[str, NDArray[np.bool_]]:
    """Return which regions were reviewed, and which grew, in the five years after `last_year`."""
    ahead = (titles.years > last_year) & (titles.years <= last_year + AHEAD)
    vectors_until_then = titles.vectors[titles.years <= last_year]
    later = nearest_middle(
        place_papers(vectors_until_then, map_data.coordinates, titles.vectors[ahead]), districts.middles
    )
    before = districts.of[map_data.papers.years() > last_year - AHEAD]
    newer, older = (np.bincount(rows, minlength=len(districts)) for rows in (later, before))
    p = hypergeom.sf(newer - 1, len(later) + len(before), len(later), newer + older)
    new = [review for review in reviews if review.year is not None and last_year < review.year <= last_year + AHEAD]
    is_reviewed = np.zeros(len(districts), dtype=np.bool_)
    is_reviewed[nearest_middle(np.array([(review.x, review.y) for review in new]), districts.middles)] = True
    return {"reviewed": is_reviewed, "grew": benjamini_hochberg(p) <= FDR}


def judge(ranking: Numbers, is_true: NDArray[np.bool_]) -> Judged:
    """Judge how well the highest values of `ranking` predict the outcome; unknown values count as lowest."""
    finite_ranking = np.nan_to_num(ranking, nan=-np.inf)
    lots = np.random.default_rng(SEED)
    first = np.lexsort((lots.permutation(len(finite_ranking)), -finite_ranking))[:N_FIRST]
    n_true = int(is_true[first].sum())
    chance = float(hypergeom.sf(n_true - 1, len(is_true), int(is_true.sum()), N_FIRST))
    draws = lots.integers(len(finite_ranking), size=(N_RESAMPLES, len(finite_ranking)))
    low, high = np.nanquantile([area(finite_ranking[draw], is_true[draw]) for draw in draws], [0.025, 0.975])
    return Judged(n_true, chance, area(finite_ranking, is_true), float(low), float(high))


def area(ranking: Numbers, is_true: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve: how often a region with the outcome ranks above one without it."""
    n_true, n = int(is_true.sum()), len(is_true)
    if n_true in (0, n):
        return float("nan")
    ranks = rankdata(ranking)
    return float((ranks[is_true].sum() - n_true * (n_true + 1) / 2) / (n_true * (n - n_true)))


def backtest(last_year: int, titles: Titles, reviews: list[Review], cache: Path) -> dict[str, dict[str, Judged | str]]:
    """Judge every ranking by each outcome."""
    places = map_until(last_year, titles, cache)
    vectors_until_then = titles.vectors[titles.years <= last_year]
    at = place_papers(
        vectors_until_then, places, embed_texts([review.title for review in reviews], cache / "reviews.npy")
    )
    placed_reviews = [replace(review, x=float(x), y=float(y)) for review, (x, y) in zip(reviews, at, strict=True)]
    map_data = survey_until(last_year, titles, places, placed_reviews)
    scores = score(map_data)
    ranks = {factor.name: factor.ranks for factor in scores.factors}
    without = np.nanmean([ranks[name] for name in ranks if name != "citations"], axis=0)
    rankings: Mapping[str, Numbers] = {
        "gap score": scores.scores,
        "gap score without citations": without,
        "called a gap": scores.is_gap.astype(np.float64),
        "popularity: papers": scores.districts.sizes.astype(np.float64),
        **{f"{name} alone": rank for name, rank in ranks.items()},
    }
    outcomes = came_true(last_year, titles, map_data, scores.districts, placed_reviews)
    everywhere = np.ones(len(scores.districts), dtype=np.bool_)
    is_covered = np.isfinite(scores.factors[-1].values)
    came = ", ".join(f"{int((is_true & scores.is_gap).sum())} {what}" for what, is_true in outcomes.items())
    print(
        f"\n{last_year}: {len(places):,} titles in {len(scores.districts)} regions; "
        f"{int(scores.is_gap.sum())} were called gaps, of which {came}"
    )
    return {
        f"reviewed after {last_year}": against(outcomes["reviewed"], rankings, everywhere),
        f"reviewed after {last_year}, within the list's field": against(outcomes["reviewed"], rankings, is_covered),
        f"grew after {last_year}": against(outcomes["grew"], rankings, everywhere),
    }


def against(
    is_true: NDArray[np.bool_], rankings: Mapping[str, Numbers], is_eligible: NDArray[np.bool_]
) -> dict[str, Judged | str]:
    """Judge every ranking of the `kept` regions by one outcome, and compare it with random rankings."""
    results: dict[str, Judged | str] = {
        name: judge(ranking[is_eligible], is_true[is_eligible]) for name, ranking in rankings.items()
    }
    n_true, n = int(is_true[is_eligible].sum()), int(is_eligible.sum())
    results[f"random: {n_true} of {n} regions"] = f"{N_FIRST * n_true / n:.1f}"
    return results


def print_table(results: Mapping[str, Mapping[str, Judged | str]]) -> None:
    """Print a Markdown table."""
    for outcome, rankings in results.items():
        print(f"\n| {outcome} | of the first {N_FIRST} | by chance | area | 95% interval |\n|---|---|---|---|---|")
        for name, result in rankings.items():
            if isinstance(result, str):
                print(f"| {name} | {result} | | 0.5 | |")
            else:
                print(
                    f"| {name} | {result.n_true} | {result.chance:.3f} | {result.auc:.3f} | "
                    f"{result.low:.2f} to {result.high:.2f} |"
                )


def main() -> None:
    """Run the backtest on the files given as arguments."""
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
    results = {last_year: backtest(last_year, titles, reviews, arguments.cache) for last_year in CUTS}
    for outcomes in results.values():
        print_table(outcomes)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, default=vars, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
