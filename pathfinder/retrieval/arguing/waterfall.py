"""Why a paper stands where it does: each factor's exact part in its score, one after the other.

In preset `balanced` the parts add up to the score. In `paper`, which multiplies, they are logarithms and
add up to the logarithm of the score, minus infinity for a product of nothing; a paper that stands where the
reranker put it has that one part.
"""

from dataclasses import dataclass

from pathfinder.retrieval.arguing.words import LABELS
from pathfinder.retrieval.weighting import contributions, strengths_of
from pathfinder.types import Hit, Preset, Score, Weighting


@dataclass(frozen=True, slots=True)
class Step:
    """One factor's part."""

    factor: str
    """Its name in `Score`, or `match`: the search itself."""
    amount: float
    """What it adds."""
    total: float
    """The sum so far, this step included."""
    words: str
    """What it says of the paper, such as "time 0.81 at strength 0.5"."""


@dataclass(frozen=True, slots=True)
class Waterfall:
    """The steps from nothing to the score."""

    steps: tuple[Step, ...]
    is_logarithm: bool
    """Whether the steps add up to the score's logarithm, and not to the score."""

    @property
    def total(self) -> float:
        """The sum of all steps; there is always one."""
        return self.steps[-1].total


def waterfall(hit: Hit, weighting: Weighting) -> Waterfall:
    """Every factor's contribution to the score of `hit`, in the order in which they are put together."""
    steps: list[Step] = []
    total = 0.0
    for part in contributions(hit.score, weighting):
        total += part.amount
        steps.append(Step(part.factor, part.amount, total, _in_words(part.factor, hit, weighting)))
    return Waterfall(tuple(steps), weighting.preset is Preset.PAPER)


def _in_words(factor: str, hit: Hit, weighting: Weighting) -> str:
    score = hit.score
    if factor == "match":
        return _match_in_words(score, weighting)
    if factor == "rerank" and weighting.preset is Preset.PAPER:
        return f"rerank {_shown(score.rerank)}: the reranker's order stands"
    value = getattr(score, factor)
    strength = strengths_of(weighting)[factor]
    unknown = " (not known: the median of the candidates)" if _is_unknown(factor, hit) else ""
    return f"{LABELS[factor]} {_shown(value)}{unknown} at strength {strength:g}"


def _match_in_words(score: Score, weighting: Weighting) -> str:
    if weighting.preset is Preset.PAPER and score.dense is not None:
        return f"match {_shown(score.dense)}: the cosine of question and paper"
    sides = [
        f"meaning {_shown(score.dense)}" if score.dense is not None else "",
        f"words {score.sparse:.1f}" if score.sparse is not None else "",
    ]
    found = " and ".join(side for side in sides if side)
    return f"match {_shown(score.fused)}" + (f": {found}, put together" if found else "")


def _is_unknown(factor: str, hit: Hit) -> bool:
    """Whether the weight is the neutral one, as far as the paper itself tells."""
    paper = hit.paper
    if factor == "recency":
        return paper.published is None
    return factor == "citation" and paper.citation_count is None


def _shown(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
