"""Stability of a rank: how often a paper stays in the top k when the weights are perturbed.

In every draw, each active weight is shifted by an independent random amount, uniform in [-max_shift, +max_shift], and
clipped to [0, 1]. The active weights are the strengths of the factors that are on (including the reranker's), the
weight of the match itself (1 in the sum) and, in the preset `balanced`, the dense share of the fused score, provided
that this score is still the fusion of the two scores stored with the candidates. If only the match counts, there is
nothing to perturb. The random draws are seeded, so a given result always gives the same figures.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.retrieval.factors import label_of
from pathfinder.retrieval.fusion import DENSE_SHARE, min_max
from pathfinder.retrieval.weighting import active_factors, known_first
from pathfinder.text.english import enumeration
from pathfinder.types import RERANK_POOL_SIZE, Candidates, Floats, Preset, Weighting
from pathfinder.types.weighting import EPSILON

N_DRAWS = 200
MAX_SHIFT = 0.2
NOTHING_TO_PERTURB = (
    "Stability is not shown: these papers are ordered by the match alone, so there is no weight to vary."
)

_AFFINE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """Share of random draws in which each candidate is in the top k."""

    shares: Floats
    """Shares in [0, 1], shape (n,), in the order of the candidates."""
    top_k: int
    n_draws: int
    max_shift: float
    perturbed_weights: tuple[str, ...]
    """Labels of the weights that were perturbed."""

    def describe(self, position: int) -> str:
        """Describe the share of the candidate at `position` in a clause that follows "It"."""
        percent = self.percent(position)
        return f"stays in the top {self.top_k} in {percent} of {self.n_draws} draws (weights ±{self.max_shift:g})"

    def percent(self, position: int) -> str:
        """Return the share of the candidate at `position` as a percentage; 100% and 0% are shown only if they are
        exact.
        """
        share = self.shares[position]
        return "over 99%" if 0.995 <= share < 1 else "under 1%" if 0 < share < 0.005 else f"{share:.0%}"

    @property
    def help(self) -> str:
        """Help text that explains the draws."""
        weights = enumeration(self.perturbed_weights)
        return f"In each draw, {weights} each shift by up to ±{self.max_shift:g}, clipped to [0, 1]."


def stability(
    candidates: Candidates,
    weighting: Weighting,
    top_k: int,
    *,
    n_draws: int = N_DRAWS,
    max_shift: float = MAX_SHIFT,
    seed: int = 0,
) -> Stability | None:
    """Return how often each candidate is in the top k in `n_draws` draws; `None` if no weight can be perturbed."""
    on = active_factors(candidates, weighting)
    sides = _fused_sides(candidates) if weighting.preset is Preset.BALANCED else None
    reranks = weighting.preset is Preset.PAPER and weighting.rerank > 0 and candidates.rerank is not None
    present = {"match": 1.0} | {label_of(name): strength for name, (strength, _) in on.items()}
    present |= {label_of("rerank"): weighting.rerank} if reranks else {}
    present |= {"the share of meaning in the match": DENSE_SHARE} if sides is not None else {}
    if len(present) == 1 or not len(candidates):
        return None
    shifts = np.random.default_rng(seed).uniform(-max_shift, max_shift, (n_draws, len(present)))
    draws = dict(zip(present, np.clip(np.array([*present.values()]) + shifts, 0.0, 1.0).T[:, :, None], strict=True))
    weights = {label_of(name): values for name, (_, values) in on.items()}
    final = _balanced_scores(candidates, weights, sides, draws) if weighting.preset is Preset.BALANCED else None
    if final is None:
        final = _paper_scores(candidates, weights, draws)
    shares = in_top(known_first(final, candidates), top_k).mean(axis=0)
    return Stability(shares, top_k, n_draws, max_shift, tuple(present))


def in_top(final: Floats, top_k: int) -> NDArray[np.bool_]:
    """Return a mask of the k best columns of each row, shape (d, n); ties are broken by column order."""
    if top_k >= final.shape[1]:
        return np.ones(final.shape, dtype=np.bool_)
    threshold = -np.partition(-final, top_k - 1, axis=1)[:, top_k - 1 : top_k]
    above, level = final > threshold, final == threshold
    room = top_k - above.sum(axis=1, keepdims=True)
    return np.asarray(above | (level & (level.cumsum(axis=1) <= room)))


def _balanced_scores(
    candidates: Candidates, weights: dict[str, Floats], sides: tuple[Floats, Floats] | None, draws: dict[str, Floats]
) -> Floats:
    """Return the final scores in the preset `balanced`, shape (d, n)."""
    fused = candidates.fused
    if sides is not None:
        share = draws["the share of meaning in the match"]
        fused = share * sides[0] + (1 - share) * sides[1]
        fused = fused / fused.max(axis=1, keepdims=True)
    final: Floats = draws["match"] * np.log(EPSILON + fused)
    for name, values in weights.items():
        final = final + draws[name] * np.log(EPSILON + values)
    return final


def _paper_scores(candidates: Candidates, weights: dict[str, Floats], draws: dict[str, Floats]) -> Floats:
    """Return the final scores in the preset `paper`, shape (d, n)."""
    final: Floats = np.where(np.isnan(candidates.dense), candidates.fused, candidates.dense) ** draws["match"]
    for name, values in weights.items():
        final = final * values ** draws[name]
    if label_of("rerank") not in draws or candidates.rerank is None:
        return final
    is_reranked = in_top(final, RERANK_POOL_SIZE) & ~np.isnan(candidates.rerank) & (draws[label_of("rerank")] > 0)
    return np.where(is_reranked, 1.0 + np.nan_to_num(candidates.rerank), final)


def _fused_sides(candidates: Candidates) -> tuple[Floats, Floats] | None:
    """Return the normalised dense and sparse scores, each in [0, 1]; `None` if they do not reproduce the fused score.

    The dense score was normalised using the lowest cosine in the corpus, which is not stored with the candidates. It is
    therefore recovered from the fused score: dense = (fused / scale - 0.4 sparse) / 0.6, scaled so that the nearest
    paper scores 1. The result is accepted only if it is a linear function of the cosine.
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
    """Return whether y is a rising linear function of x within [0, 1], up to rounding; where x was clipped at 0, y may
    be lower.
    """
    is_known = x > 0
    if is_known.sum() < 3 or np.ptp(x[is_known]) == 0:
        return False
    slope, height = np.polyfit(x[is_known], y[is_known], 1)
    is_straight = np.abs(slope * x[is_known] + height - y[is_known]).max() < _AFFINE_TOLERANCE
    return bool(is_straight and slope > 0 and y.min() >= -_AFFINE_TOLERANCE and y.max() <= 1 + _AFFINE_TOLERANCE)
