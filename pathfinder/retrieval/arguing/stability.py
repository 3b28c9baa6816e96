"""How sure a place is: how often a paper stays in the top k when the weights wobble.

In every draw each weight that has a say is shifted by its own uniform amount in [-wobble, +wobble] and clipped to
[0, 1]: the strengths that are on, the reranker's, the match's own (1 in the sum) and, in `balanced`, the dense
side's share of the fused score, where that score still is the fusion of the two sides that the candidates record.
The match alone has nothing to wobble against. The draws are seeded: the same result, the same figures.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.retrieval.arguing.words import LABELS, listed
from pathfinder.retrieval.fusion import DENSE_SHARE, min_max
from pathfinder.retrieval.weighting import EPSILON, factors
from pathfinder.types import RERANK_POOL_SIZE, Candidates, Floats, Preset, Weighting

N_DRAWS = 200
WOBBLE = 0.2
NOTHING_WOBBLES = "Stability is not told: only the match orders these papers, so there is no weight that could wobble."

_AFFINE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """The share of draws in which each candidate is in the top k."""

    shares: Floats
    """In [0, 1], shape (n,), in the candidates' order."""
    top_k: int
    n_draws: int
    wobble: float
    wobbled: tuple[str, ...]
    """What was shifted, as the reader calls it."""

    def words(self, position: int) -> str:
        """Of the candidate at `position`, to go on from "It"."""
        percent = self.percent(position)
        return f"stays in the top {self.top_k} in {percent} of {self.n_draws} draws (weights ±{self.wobble:g})"

    def percent(self, position: int) -> str:
        """The share of the candidate at `position`: 100% and 0% only where they are exact."""
        share = self.shares[position]
        return "over 99%" if 0.995 <= share < 1 else "under 1%" if 0 < share < 0.005 else f"{share:.0%}"

    @property
    def help_words(self) -> str:
        """What the draws were."""
        return f"In every draw, {listed(self.wobbled)} were each shifted by up to ±{self.wobble:g}, within 0 and 1."


def stability(
    candidates: Candidates,
    weighting: Weighting,
    top_k: int,
    *,
    n_draws: int = N_DRAWS,
    wobble: float = WOBBLE,
    seed: int = 0,
) -> Stability | None:
    """How often each candidate is among the best `top_k` of `n_draws` draws; `None` where nothing can wobble."""
    on = factors(candidates, weighting)
    sides = _sides(candidates) if weighting.preset is Preset.BALANCED else None
    reranks = weighting.preset is Preset.PAPER and weighting.rerank > 0 and candidates.rerank is not None
    present = {"match": 1.0} | {LABELS[name]: strength for name, (strength, _) in on.items()}
    present |= {"rerank": weighting.rerank} if reranks else {}
    present |= {"the share of meaning": DENSE_SHARE} if sides is not None else {}
    if len(present) == 1 or not len(candidates):
        return None
    shifts = np.random.default_rng(seed).uniform(-wobble, wobble, (n_draws, len(present)))
    drawn = dict(zip(present, np.clip(np.array([*present.values()]) + shifts, 0.0, 1.0).T[:, :, None], strict=True))
    weights = {LABELS[name]: values for name, (_, values) in on.items()}
    final = _sums(candidates, weights, sides, drawn) if weighting.preset is Preset.BALANCED else None
    if final is None:
        final = _products(candidates, weights, drawn)
    shares = in_top(final, top_k).mean(axis=0)
    return Stability(shares, top_k, n_draws, wobble, tuple(present))


def in_top(final: Floats, top_k: int) -> NDArray[np.bool_]:
    """Which columns are among the best k of each row; equals in their order. Shapes (d, n)."""
    if top_k >= final.shape[1]:
        return np.ones(final.shape, dtype=np.bool_)
    worst_in = -np.partition(-final, top_k - 1, axis=1)[:, top_k - 1 : top_k]
    above, level = final > worst_in, final == worst_in
    room = top_k - above.sum(axis=1, keepdims=True)
    return np.asarray(above | (level & (level.cumsum(axis=1) <= room)))


def _sums(
    candidates: Candidates, weights: dict[str, Floats], sides: tuple[Floats, Floats] | None, drawn: dict[str, Floats]
) -> Floats:
    """Final scores of preset `balanced`, shape (d, n)."""
    fused = candidates.fused
    if sides is not None:
        share = drawn["the share of meaning"]
        fused = share * sides[0] + (1 - share) * sides[1]
        fused = fused / fused.max(axis=1, keepdims=True)
    final: Floats = drawn["match"] * np.log(EPSILON + fused)
    for name, values in weights.items():
        final = final + drawn[name] * np.log(EPSILON + values)
    return final


def _products(candidates: Candidates, weights: dict[str, Floats], drawn: dict[str, Floats]) -> Floats:
    """Final scores of preset `paper`, shape (d, n)."""
    final: Floats = np.where(np.isnan(candidates.dense), candidates.fused, candidates.dense) ** drawn["match"]
    for name, values in weights.items():
        final = final * values ** drawn[name]
    if "rerank" not in drawn or candidates.rerank is None:
        return final
    stands = in_top(final, RERANK_POOL_SIZE) & ~np.isnan(candidates.rerank) & (drawn["rerank"] > 0)
    return np.where(stands, 1.0 + np.nan_to_num(candidates.rerank), final)


def _sides(candidates: Candidates) -> tuple[Floats, Floats] | None:
    """Both sides of the fused score, each in [0, 1]; `None` where it is not the min-max fusion of the two.

    The dense side was stretched from the lowest cosine of the corpus, which the candidates do not hold; but the
    fused score gives it back: dense = (fused / scale - 0.4 sparse) / 0.6, where the nearest paper has 1. It is
    taken only if it then is a straight line over the cosine.
    """
    dense, hit = candidates.dense, candidates.sparse > 0
    if np.isnan(dense).any() or not hit.any() or len(candidates) < 3:
        return None
    sparse = min_max(np.where(hit, candidates.sparse, np.nan), 0.0)
    nearest = int(np.argmax(dense))
    scale = candidates.fused[nearest] / (DENSE_SHARE + (1 - DENSE_SHARE) * sparse[nearest])
    meaning = (candidates.fused / scale - (1 - DENSE_SHARE) * sparse) / DENSE_SHARE
    return (meaning, sparse) if _is_line(dense, meaning) else None


def _is_line(x: Floats, y: Floats) -> bool:
    """Whether y lies in [0, 1] on a rising line over x, but for rounding; where x was clipped at 0 it may lie lower."""
    known = x > 0
    if known.sum() < 3 or np.ptp(x[known]) == 0:
        return False
    slope, height = np.polyfit(x[known], y[known], 1)
    is_straight = np.abs(slope * x[known] + height - y[known]).max() < _AFFINE_TOLERANCE
    return bool(is_straight and slope > 0 and y.min() >= -_AFFINE_TOLERANCE and y.max() <= 1 + _AFFINE_TOLERANCE)
