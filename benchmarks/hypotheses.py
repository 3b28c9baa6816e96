"""Backtest of hypotheses: are pairs of concepts that no title combines found together in the following ten years?

    python -m benchmarks.hypotheses TITLES.jsonl.gz [--tune] [--json FILE]

TITLES has one line per paper with `title` and `year`. The protocol, written before the first run:

- A title's keywords are its noun phrases. For a year T, `pathfinder/hypotheses` chooses concepts, associations and
  unlinked pairs exactly as it does for a corpus, from the titles up to T and nothing later; later years do not even
  decide which concepts there are.
- A pair comes true if at least one title from T + 1 to T + 10 has both concepts as terms; "twice" needs at least two.
- A ranking is judged by the share of its first 50, 100 and 500 pairs that come true. In every ranking, a concept occurs
  at most three times, as on the page. Intervals are 95% percentile intervals from 2,000 bootstrap resamples of the
  concepts: each pair is weighted by the product of the numbers of times that its two concepts were drawn.
- The baselines rank all pairs of concepts that share no word and that never occur together in a title: at random (the
  expected share, which is that of all such pairs), by popularity (product of the numbers of titles), and by
  preferential attachment (product of the numbers of associated concepts).
- `--tune` compares candidates for the score at T = 1980 and 1985, whose outcomes end in 1995. The score is chosen
  there, by the mean share of the first 100. Without it, only the score that Pathfinder uses and the baselines are
  judged, at T = 1995, 2000 and 2005, whose outcomes begin in 1996: no choice depends on them.

The file has at most about 20,000 titles a year, the most cited, and titles only: two concepts may have occurred
together in an abstract or in a paper that is not in the file, so pairs that come true may not have been new.
"""

import argparse
import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import csr_array

from benchmarks.report import machine
from pathfinder.addons.hypotheses.concepts import Concepts, choose_concepts
from pathfinder.addons.hypotheses.find import (
    MOST_EACH,
    Associations,
    UnlinkedPairs,
    adamic_adar,
    associations_of,
    rank_pairs,
    unlinked_pairs,
)
from pathfinder.addons.hypotheses.hypothesis import (
    POPULARITY,
    PRODUCT,
    BacktestShare,
    BacktestYear,
    HypothesisBacktest,
)
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.paper_columns import batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.index.terms import KeywordIndex, keyword_index_of
from pathfinder.landscape.statistics.significance import FDR
from pathfinder.operations.export.plain_json import as_json
from pathfinder.text.language.tagged_text import tag_text
from pathfinder.types import Floats, Paper

TUNING_YEARS, TEST_YEARS, AHEAD, LAST = (1980, 1985), (1995, 2000, 2005), 10, 2015
FIRSTS, N_RESAMPLES, SEED = (50, 100, 500), 2_000, 20261127
BATCH = 20_000


@dataclass(frozen=True)
class Titles:
    """Titles with their keywords; row i refers to the same title everywhere."""

    table: PaperTable
    index: KeywordIndex
    years: NDArray[np.int64]


def read_titles(path: Path) -> Titles:
    """Read the titles up to `LAST`, with their noun phrases."""
    extractor = KeywordExtractor.load()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["year"] <= LAST]
    papers = [
        Paper(record["id"], record["title"], "", year=record["year"], keywords=phrases(record["title"], extractor))
        for record in records
    ]
    batches = [batch_of(papers[start : start + BATCH]) for start in range(0, len(papers), BATCH)]
    years = np.array([record["year"] for record in records])
    return Titles(PaperTable(pa.Table.from_batches(batches)), keyword_index_of(papers), years)


def phrases(title: str, extractor: KeywordExtractor) -> tuple[str, ...]:
    """Return the distinct noun phrases of a title."""
    text = tag_text(title, extractor._tagger, extractor._terms)  # noqa: SLF001 - phrases() ranks, and takes longer
    spans = text.noun_phrases()
    return tuple(dict.fromkeys(map(text.text_of, spans)))


def later_together(concepts: Concepts, titles: Titles, last_year: int) -> NDArray[np.int32]:
    """Count the titles from the years after `last_year` that have both concepts, shape (n, n)."""
    is_later = (titles.years > last_year) & (titles.years <= last_year + AHEAD)
    places = {str(term): place for place, term in enumerate(titles.index.terms.to_pylist())}
    columns = []
    for term in concepts.terms:
        column = np.zeros(len(titles.years), dtype=np.bool_)
        place = places[term]
        column[titles.index.rows[titles.index.starts[place] : titles.index.starts[place + 1]]] = True
        columns.append(np.flatnonzero(column & is_later))
    rows = np.concatenate(columns)
    of = np.repeat(np.arange(len(columns)), [len(column) for column in columns])
    has = csr_array((np.ones(len(rows), dtype=np.int32), (rows, of)), shape=(len(titles.years), len(columns)))
    return np.asarray((has.T @ has).toarray())


def open_pairs(associations: Associations) -> UnlinkedPairs:
    """List all pairs that never occur together in a title and that share no word, whether or not they have an
    associated concept in common.
    """
    links = associations.is_associated.astype(np.float32)
    first, second = np.nonzero(np.triu(associations.is_comparable & (associations.together == 0), 1))
    return UnlinkedPairs(associations, first, second, np.rint(links @ links).astype(np.int64)[first, second])


Score = Callable[[UnlinkedPairs], Floats]


def popularity(pairs: UnlinkedPairs) -> Floats:
    """Multiply the number of titles with the first concept by the number with the second."""
    n_of = np.diag(pairs.associations.together).astype(np.float64)
    return np.asarray(n_of[pairs.first] * n_of[pairs.second])


def attachment(pairs: UnlinkedPairs) -> Floats:
    """Multiply the number of concepts associated with the first by the number associated with the second."""
    degrees = pairs.associations.degrees.astype(np.float64)
    return np.asarray(degrees[pairs.first] * degrees[pairs.second])


def significant(score: Score) -> Score:
    """Put last the pairs that share no more concepts than chance would explain."""
    return lambda pairs: np.where(pairs.q <= FDR, score(pairs), score(pairs) - 1e9)


def resource(pairs: UnlinkedPairs) -> Floats:
    """Sum 1 / degree over the shared concepts (resource allocation, Zhou et al. 2009)."""
    links = pairs.associations.is_associated.astype(np.float64)
    return np.asarray(((links / np.maximum(pairs.associations.degrees, 1)) @ links)[pairs.first, pairs.second])


def least_weight(pairs: UnlinkedPairs) -> Floats:
    """Sum log(1 + n) over the shared concepts, where n is the smaller of two numbers: of titles that combine the shared
    concept with the first of the pair, and with the second (after Yetisgen-Yildiz & Pratt 2009).
    """
    together = np.where(pairs.associations.is_associated, pairs.associations.together, 0)
    sums = np.zeros(len(pairs))
    for start in range(0, len(pairs), BATCH):
        part = slice(start, start + BATCH)
        least = np.minimum(together[pairs.first[part]], together[pairs.second[part]])
        sums[part] = np.log1p(least).sum(axis=1)
    return sums


def jaccard(pairs: UnlinkedPairs) -> Floats:
    """Divide the number of shared concepts by the number of those associated with either concept of the pair."""
    degrees = pairs.associations.degrees
    either = degrees[pairs.first] + degrees[pairs.second] - pairs.n_shared
    return np.asarray(pairs.n_shared / np.maximum(either, 1))


def count(pairs: UnlinkedPairs) -> Floats:
    """Count the shared concepts."""
    return pairs.n_shared.astype(np.float64)


def closeness(pairs: UnlinkedPairs) -> Floats:
    """Sum 1 / log(degree) over the shared concepts (Adamic & Adar 2003)."""
    return np.asarray(adamic_adar(pairs.associations)[pairs.first, pairs.second], dtype=np.float64)


def product(pairs: UnlinkedPairs) -> Floats:
    """Score as Pathfinder does: Adamic and Adar's sum times the logarithm of the popularity."""
    return pairs.scores


BASELINES: Mapping[str, Score] = {POPULARITY: popularity, "preferential attachment": attachment}
CANDIDATES: Mapping[str, Score] = {
    "shared concepts": count,
    "Adamic-Adar": closeness,
    "resource allocation": resource,
    "least weight": least_weight,
    "Jaccard": jaccard,
    "least q": lambda pairs: -pairs.q,
    "Adamic-Adar x log popularity": product,
}


def judge(
    ranking: str, pairs: UnlinkedPairs, scores: Floats, later: NDArray[np.int32], least: int
) -> list[BacktestShare]:
    """Judge a ranking by the pairs that occur together in at least `least` later titles."""
    # Ties are broken at random.
    lots = np.random.default_rng(SEED).permutation(len(scores))
    place = np.empty(len(scores))
    place[np.lexsort((lots, -scores))] = np.arange(len(scores))
    places = np.array(list(islice(rank_pairs(pairs, -place, MOST_EACH), max(FIRSTS))))
    is_true = later[pairs.first[places], pairs.second[places]] >= least
    return [
        BacktestShare(ranking, n, int(is_true[:n].sum()), *interval(pairs, places[:n], is_true[:n])) for n in FIRSTS
    ]


def interval(pairs: UnlinkedPairs, places: NDArray[np.int64], is_true: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the interval of the share of the pairs at `places` that came true, from a bootstrap over concepts."""
    lots, n = np.random.default_rng(SEED), len(pairs.associations.together)
    shares = []
    for _ in range(N_RESAMPLES):
        n_drawn = np.bincount(lots.integers(n, size=n), minlength=n)
        weights = n_drawn[pairs.first[places]] * n_drawn[pairs.second[places]]
        if weights.sum():
            shares.append(float((weights * is_true).sum() / weights.sum()))
    low, high = np.quantile(shares, [0.025, 0.975])
    return float(low), float(high)


def backtest(titles: Titles, last_year: int, scores: Mapping[str, Score]) -> BacktestYear:
    """Judge rankings of the pairs for one year, and print them."""
    is_known = titles.years <= last_year
    concepts = choose_concepts(titles.index, titles.table, is_known)
    associations = associations_of(concepts, int(is_known.sum()))
    everything, unlinked = open_pairs(associations), unlinked_pairs(associations)
    later = later_together(concepts, titles, last_year)
    outcome = later[everything.first, everything.second]
    near = later[unlinked.first, unlinked.second]
    print(
        f"\n{last_year}: {int(is_known.sum()):,} titles, {len(concepts):,} concepts, "
        f"{int(associations.is_associated.sum()) // 2:,} associations, {len(everything):,} unlinked pairs, "
        f"{len(unlinked):,} of them with a shared concept, {int((unlinked.q <= FDR).sum()):,} with more than by chance"
    )
    print("| ranking | " + " | ".join(f"first {n}" for n in FIRSTS) + " | twice, first 100 |\n|---|---|---|---|---|")
    rate, near_rate, twice = float((outcome > 0).mean()), (near > 0).mean(), (outcome > 1).mean()
    print(f"| random unlinked pair | {rate:.2%} | {rate:.2%} | {rate:.2%} | {twice:.2%} |")
    print(f"| random pair with a shared concept | {near_rate:.2%} | | | {(near > 1).mean():.2%} |")
    shares: list[BacktestShare] = []
    for name, score in (*BASELINES.items(), *scores.items()):
        pairs = everything if name in BASELINES else unlinked
        values = score(pairs)
        result = judge(name, pairs, values, later, 1)
        again = judge(name, pairs, values, later, 2)[FIRSTS.index(100)]
        cells = [f"{each.n_true / each.n:.0%} ({each.low:.0%} to {each.high:.0%})" for each in result]
        print(f"| {name} | {' | '.join(cells)} | {again.n_true / again.n:.0%} |", flush=True)
        shares += result
    return BacktestYear(last_year, int(is_known.sum()), len(everything), rate, tuple(shares))


def main() -> None:
    """Run the backtest on the file given as an argument."""
    parser = argparse.ArgumentParser(description="Do hypotheses come true?")
    parser.add_argument("titles", type=Path)
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    titles = read_titles(arguments.titles)
    of_significant = {f"{name}, if significant": significant(score) for name, score in CANDIDATES.items()}
    scores = {**CANDIDATES, **of_significant} if arguments.tune else {PRODUCT: significant(product)}
    years = tuple(backtest(titles, last_year, scores) for last_year in (TUNING_YEARS if arguments.tune else TEST_YEARS))
    first, last = int(titles.years.min()), int(titles.years.max())
    own_backtest = HypothesisBacktest(f"{len(titles.years):,} titles from ADS, {first} to {last}", AHEAD, years)
    if arguments.json:
        arguments.json.write_text(json.dumps(as_json(own_backtest), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
