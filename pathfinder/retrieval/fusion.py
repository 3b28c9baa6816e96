"""Fusion: one score from dense (meaning) and sparse (words) retrieval."""

import numpy as np

from pathfinder.types import Floats, Fusion

DENSE_SHARE = 0.6
"""Weight of the dense score; the weight of the sparse score is 1 minus this value."""

WORST_HIT = 0.01
"""Min-max score of the worst hit, above 0 so that it ranks above papers that were not found."""

RRF_CONSTANT = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke & Büttcher 2009, doi:10.1145/1571941.1572114)."""


def min_max(scores: Floats, low: float) -> Floats:
    """Scale `scores` so that `low` becomes 0.01 and the best score 1; equal scores all become 1; NaN, a miss, becomes
    0.

    `low` is the lowest score in the whole corpus, not in the list: a list is cut off where its scores are close
    together, and stretching the remaining range would let a small difference in meaning outweigh a matching rare word.
    """
    hits = ~np.isnan(scores)
    span = (scores[hits].max() if hits.any() else low) - low
    share = (scores - low) / span if span > 0 else np.ones_like(scores)
    return np.where(hits, WORST_HIT + (1 - WORST_HIT) * share, 0.0)


def reciprocal_ranks(scores: Floats) -> Floats:
    """Return `1 / (60 + rank)`, with ranks counted from 1, best first; NaN, a miss, becomes 0."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(np.isnan(scores), 0.0, 1.0 / (RRF_CONSTANT + ranks))


def fuse(
    dense: Floats,
    sparse: Floats,
    lowest_cosine: float,
    fusion: Fusion = Fusion.MIN_MAX,
    dense_share: float = DENSE_SHARE,
) -> Floats:
    """Return the fused score of each paper, scaled so that the best score is 1; all arrays have shape (n,).

    `dense` holds cosines and `sparse` BM25 scores, NaN where that side did not find the paper; `lowest_cosine` is the
    lowest in the corpus, and BM25's lowest is 0. Min-max fusion adds the two scores with the weights `dense_share`, in
    [0, 1] and 0.6 by default, and `1 - dense_share`; reciprocal rank fusion uses the plain sum. If one side found
    nothing, the other gets the full weight.
    """
    if fusion is Fusion.MIN_MAX:
        parts, shares = (min_max(dense, lowest_cosine), min_max(sparse, 0.0)), (dense_share, 1 - dense_share)
    else:
        parts, shares = (reciprocal_ranks(dense), reciprocal_ranks(sparse)), (1.0, 1.0)
    fused = np.sum([share * part for share, part in zip(shares, parts, strict=True)], axis=0)
    best = fused.max(initial=0.0)
    return np.asarray(fused / best if best > 0 else fused)
