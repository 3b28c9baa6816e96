"""Assessment of a search result: its outliers, its shape, and whether the corpus covers the question."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.answering.assessment.relevance import N_BEST, RelevanceModel
from pathfinder.answering.grounding.readings import Readings
from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.index.ports import WordStatistics
from pathfinder.retrieval.authors.author_filter import authors_named
from pathfinder.retrieval.known_items.in_questions import absent_identifiers
from pathfinder.retrieval.known_items.titles import is_keyword
from pathfinder.retrieval.routing.no_question import no_question
from pathfinder.retrieval.stages import StageLog, with_stages
from pathfinder.text.strict_json import from_json, to_json
from pathfinder.types import MAX_TOP_K, Assessment, Floats, Outliers, Rows, SearchResult, Spread

STAGE = "assessment"


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class OutlierCalibration:
    """Cut-offs for k = 1..30 hits, at index k - 1. `None` means that the corpus has too few papers for that k."""

    calibrated: tuple[float | None, ...]
    """Euclidean distance between unit vectors, in [0, 2]; `None` for k = 1, where there are no other hits."""
    paper: tuple[float | None, ...]
    """D95(k) - 0.1, in [-0.1, 1.9]."""
    broad: tuple[float | None, ...]
    """Limit in [0, 2] on the median distance of the hits: a result above it resembles random papers more than
    neighbours.
    """

    def __post_init__(self) -> None:
        for name, low in (("calibrated", 0.0), ("paper", -PUBLISHED_ADJUSTMENT), ("broad", 0.0)):
            cutoffs = getattr(self, name)
            if len(cutoffs) != MAX_TOP_K:
                raise ValueError(f"{name} must have {MAX_TOP_K} cut-offs, got {len(cutoffs)}")
            for cutoff in cutoffs:
                if cutoff is not None and not low <= cutoff <= MAX_DISTANCE:
                    raise ValueError(f"{name} must lie in {low}..{MAX_DISTANCE}, got {cutoff}")

    def to_json(self) -> str:
        return to_json(_ADAPTER, self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "OutlierCalibration":
        """Read the output of `to_json`; raises `CorpusDamaged` for anything else."""
        return from_json(_ADAPTER, text, "the outlier cut-offs")


LEAST_RELEVANCE = 0.25
"""Probability from which a question is answered; below the threshold of the corpus, the answer says a doubt. On
SciFact, where it was not chosen, 99.3% of the questions that a paper answers are answered, against 97.7% at 0.5, and 5%
of those off topic, against 2.5% (benchmarks/README.md, "Abstention").
"""


def assess(
    result: SearchResult, counts: WordStatistics, calibration: OutlierCalibration, relevance: RelevanceModel
) -> SearchResult:
    """Add the assessment to `result` and mark the outliers among its hits; `counts` are the word statistics of the
    corpus. No paper is relevant to what is no question, or to an identifier whose paper is absent.
    """
    log = StageLog()
    with log.stage(STAGE) as stage:
        places = {int(row): place for place, row in enumerate(result.candidates.rows)}
        vectors = result.candidates.vectors[[places[hit.row] for hit in result.hits]]
        outliers = find_outliers(vectors, calibration)
        asks_nothing = no_question(result.request.query) is not None or bool(absent_identifiers(result))
        probability = 0.0 if asks_nothing else relevance.assess(_as_read(result), counts)
        shape = spread(vectors, calibration)
        parts = (("outliers", outliers), ("spread", shape))
        can_be_read = not asks_nothing and result.unread_language is None
        # What was asked for by its identifier, title or keyword is there, however little else is like it; what an
        # author is asked about may not be.
        best = (paper.subjects for paper in islice(result.candidates.papers, N_BEST))
        named = authors_named(result.question)
        is_by_named = named is not None and set(named.names) == set(result.request.authors)
        is_named = bool(result.candidates.named_rows) or any(is_keyword(result.question, each) for each in best)
        is_relevant = can_be_read and (
            probability >= min(relevance.threshold, LEAST_RELEVANCE) or is_named or is_by_named
        )
        is_doubtful = is_relevant and probability < relevance.threshold and not is_named
        stage.ran = ", ".join(["relevance", *(name for name, value in parts if value is not None)])
    flags = outlier_flags(outliers) or (None,) * len(result.hits)
    assessed_result = replace(
        result,
        hits=tuple(replace(hit, outlier=flag) for hit, flag in zip(result.hits, flags, strict=True)),
        assessment=Assessment(probability, is_relevant, shape, outliers, is_doubtful),
    )
    return with_stages(assessed_result, log)


def _as_read(result: SearchResult) -> SearchResult:
    """Return the result with full-text passages added to the abstracts of the best candidates, the only papers whose
    words are compared with the question.
    """
    pool = result.candidates
    if not pool.full_texts:
        return result
    best = zip(pool.rows[:N_BEST].tolist(), islice(pool.papers, N_BEST), strict=True)
    texts = [
        Readings({paper.paper_id: pool.full_texts[row]}).read(paper) if row in pool.full_texts else paper
        for row, paper in best
    ]
    return replace(result, candidates=replace(pool, papers=texts))


# The shape of a result: one cluster, two, or broad (the three shapes of arXiv:2408.01556, figure 4).
#
# The rule works on the unit vectors of the k hits and not on the map, which distorts distances:
#
# 1. Split the hits in two by 2-means. They are two clusters if each side has at least two hits and 30% of all hits, and
#    the mean silhouette width (Rousseeuw 1987, cosine distance) is at least 0.25. Below 0.25 a split has no substantial
#    structure (Kaufman & Rousseeuw 1990, table 4 of chapter 2): neighbours of one paper, and random papers, give values
#    of 0.1 to 0.2. A side with fewer hits is not a second topic but a few outliers.
# 2. Otherwise the result is broad if the median distance from a hit to the centroid of the others is closer to its
#    value for random papers in this corpus than to its value for the neighbours of one paper.
# 3. Otherwise it is one cluster.
#
# The silhouette is scale-free and the corpus sets the scale of distances, so no constant in the rule depends on an
# embedder or a field: random papers in an astronomy corpus have the same mean cosine as close neighbours in a corpus
# of all the sciences.

MIN_HITS = 4
"""Minimum number of hits that can form two groups."""
MIN_SILHOUETTE = 0.25
MIN_SHARE = 0.3
"""Minimum share of the hits in the smaller of two clusters."""
MAX_ROUNDS = 50
"""Maximum number of rounds of 2-means; a few suffice for 30 hits."""


def spread(vectors: NDArray[np.floating], calibration: OutlierCalibration) -> Spread | None:
    """Determine the shape of at most 30 hits with unit `vectors`, shape (k, dimension).

    Returns `None` for fewer than four hits, and for hits that do not form two clusters if the corpus is too small to be
    calibrated.
    """
    k = len(vectors)
    if k < MIN_HITS:
        return None
    if _are_two(np.asarray(vectors, dtype=np.float64)):
        return Spread.TWO_CLUSTERS
    broad = calibration.broad[k - 1]
    if broad is None:
        return None
    return Spread.BROAD if np.median(leave_one_out_distances(vectors)) > broad else Spread.ONE_CLUSTER


def _are_two(vectors: Floats) -> bool:
    sides = split_in_two(vectors)
    smaller = min(sides.sum(), (~sides).sum())
    if smaller < max(2, MIN_SHARE * len(vectors)):
        return False
    return mean_silhouette(vectors, sides) >= MIN_SILHOUETTE


def split_in_two(vectors: Floats) -> NDArray[np.bool_]:
    """Assign each vector to one of two sides by 2-means; returns shape (k,). The iteration starts from the two sides of
    the mean along the principal direction.
    """
    from_mean = vectors - vectors.mean(axis=0)
    principal = np.linalg.eigh(from_mean @ from_mean.T).eigenvectors[:, -1]
    sides: NDArray[np.bool_] = principal > 0
    for _ in range(MAX_ROUNDS):
        if sides.all() or not sides.any():
            break
        near, far = vectors[sides].mean(axis=0), vectors[~sides].mean(axis=0)
        new_sides = np.linalg.norm(vectors - near, axis=1) < np.linalg.norm(vectors - far, axis=1)
        if (new_sides == sides).all():
            break
        sides = new_sides
    return sides


def mean_silhouette(vectors: Floats, sides: NDArray[np.bool_]) -> float:
    """Return the mean of `(b - a) / max(a, b)` over the hits, in [-1, 1].

    a is a hit's mean cosine distance to the others on its side, and b its mean distance to those on the other side;
    each side has at least two hits. Copies of one paper on both sides, where a = b = 0, count as 0.
    """
    apart = 1.0 - vectors @ vectors.T
    np.fill_diagonal(apart, 0.0)
    same = sides[:, None] == sides[None, :]
    a = (apart * same).sum(axis=1) / (same.sum(axis=1) - 1)
    b = (apart * ~same).sum(axis=1) / (~same).sum(axis=1)
    return float(np.mean((b - a) / np.maximum(np.maximum(a, b), 1e-12)))


# Outliers among the hits, judged by the distances between the hits of a healthy result in this corpus.
#
# The statistic is the distance from a hit to the centroid of the other k - 1 hits (arXiv:2408.01556, section 3.4). It
# has two cut-offs, both defined for every k up to 30 and precomputed when a corpus is built:
#
# - `paper`, as published: D95(k) - 0.1, where D95(k) is the 95th percentile of the distances between papers
#   and their k nearest neighbours. It compares a distance to a centroid with distances to papers, so that the constant
#   0.1 fits only one embedder, and the cut-off hardly depends on k.
# - `calibrated`, which is used: the 95th percentile of the statistic itself over healthy neighbourhoods, the k
#   nearest neighbours of random papers. One healthy hit in twenty is flagged, whatever the embedder and k.
#
# The same measurement yields `broad`, with which `spread.py` recognises a broad result: one in which the statistic of
# a typical hit lies more than halfway from its value in neighbourhoods to its value among random papers.

PERCENTILE = 95
PUBLISHED_ADJUSTMENT = 0.1
"""The constant gamma in arXiv:2408.01556."""
SAMPLE_SIZE = 400
"""Number of papers whose neighbourhoods are measured: 400 determine the 95th percentile at k = 10 to about 1%."""
MIN_PAPERS = 20
"""Minimum number of neighbourhoods: with fewer, the 95th percentile is simply the largest value."""
MAX_DISTANCE = 2.0
"""Distance between opposite unit vectors."""
DECIMALS = 6
"""Number of decimals in cut-offs, few enough that the last bits of a matrix product do not affect the file."""

_ADAPTER = TypeAdapter(OutlierCalibration)


def calibrate(vectors: NDArray[np.float32], seed: int) -> OutlierCalibration:
    """Measure the cut-offs of a corpus on the neighbourhoods of up to 400 papers drawn with `seed`.

    `vectors` are the corpus's unit vectors, shape (n, dimension); they may be memory-mapped.
    """
    if len(vectors) < MIN_PAPERS:
        return OutlierCalibration(*3 * [(None,) * MAX_TOP_K])
    rows, largest = drawn_papers(len(vectors), seed), min(MAX_TOP_K, len(vectors) - 1)
    near, apart = nearest_neighbours(vectors, rows, largest)
    lots = np.random.default_rng((seed, 1))
    anywhere = np.array([lots.choice(len(vectors), size=largest, replace=False) for _ in rows])
    healthy, random = _statistics(vectors, near), _statistics(vectors, anywhere)
    cut_offs = [np.percentile(distances, PERCENTILE) for distances in healthy]
    paper = [np.percentile(apart[:, :k], PERCENTILE) - PUBLISHED_ADJUSTMENT for k in range(1, largest + 1)]
    broad = [(_typical(near) + _typical(far)) / 2 for near, far in zip(healthy, random, strict=True)]
    return OutlierCalibration(_by_k([None, *cut_offs]), _by_k(paper), _by_k([None, *broad]))


def drawn_papers(n_papers: int, seed: int) -> Rows:
    """Draw the papers, at most 400, whose neighbourhoods `calibrate` measures; returns their rows, sorted."""
    size = min(SAMPLE_SIZE, n_papers)
    return np.sort(np.random.default_rng(seed).choice(n_papers, size=size, replace=False))


def leave_one_out_distances(vectors: NDArray[np.floating]) -> Floats:
    """Return the distance from each of k unit vectors to the centroid of the others; shape (..., k, dimension) becomes
    (..., k).

    Uses the identity `|P - C_others| = k / (k - 1) * |P - C|`, where C is the centroid of all k; k is at least 2.
    """
    k = vectors.shape[-2]
    if k < 2:
        raise ValueError(f"the centroid of the others needs at least 2 vectors, got {k}")
    exact = np.asarray(vectors, dtype=np.float64)
    distances: Floats = k / (k - 1) * np.linalg.norm(exact - exact.mean(axis=-2, keepdims=True), axis=-1)
    return distances


def find_outliers(vectors: NDArray[np.floating], calibration: OutlierCalibration) -> Outliers | None:
    """Return how far each hit is from the others, together with both cut-offs; `None` for fewer than two hits.

    `vectors` are the unit vectors of at most 30 hits, shape (k, dimension), in the order of the hits.
    """
    k = len(vectors)
    if k < 2:
        return None
    if k > MAX_TOP_K:
        raise ValueError(f"cut-offs exist for at most {MAX_TOP_K} hits, got {k}")
    distances = leave_one_out_distances(vectors)
    return Outliers(tuple(distances.tolist()), calibration.calibrated[k - 1], calibration.paper[k - 1])


def outlier_flags(outliers: Outliers | None) -> tuple[bool, ...] | None:
    """Flag each hit that is an outlier by the calibrated cut-off; `None` if there is no cut-off."""
    if outliers is None or outliers.cutoff_calibrated is None:
        return None
    # Copies of one paper differ only by rounding, and their cut-off is 0.
    farthest = outliers.cutoff_calibrated + 10**-DECIMALS
    return tuple(distance > farthest for distance in outliers.distances)


def _statistics(vectors: NDArray[np.float32], sets: Rows) -> list[Floats]:
    """Return, for k = 2, 3, ..., the statistic of the first k papers in each of `sets`, shape (n_sets, k)."""
    arrays = (np.asarray(vectors[rows], dtype=np.float64) for rows in sets)
    by_set = [[leave_one_out_distances(hits[:k]) for k in range(2, len(hits) + 1)] for hits in arrays]
    return [np.array(distances) for distances in zip(*by_set, strict=True)]


def _typical(distances: Floats) -> float:
    """Return the median, over all sets, of each set's median distance."""
    return float(np.median(np.median(distances, axis=1)))


def _by_k(cutoffs: Sequence[float | np.floating | None]) -> tuple[float | None, ...]:
    rounded_cutoffs = (None if cutoff is None else round(float(cutoff), DECIMALS) for cutoff in cutoffs)
    return (*rounded_cutoffs, *(None,) * (MAX_TOP_K - len(cutoffs)))
