"""Ranking factors that steer a search by features of the corpus: one for each steer of a weighting.

If a is the activation of the feature in a paper, "more" gives the paper the weight a, and "less" the weight 1 - a: both
are weights in [0, 1] with a strength of at least 0, like those of every other factor, so scores, explanations and
tables do not have to treat them specially. Activations are stored with the candidates, so that steering needs no model
or index.
"""

from functools import lru_cache, partial

from pathfinder.retrieval.factors.factor import RankingFactor
from pathfinder.types import Candidates, Floats, Weighting
from pathfinder.types.steers import factor_name, feature_of

NOT_STORED = "the activations of this feature are not stored with these candidates"


def steering_factors(weighting: Weighting) -> tuple[RankingFactor, ...]:
    """Return a factor for each steer of `weighting`."""
    names = (factor_name(feature, strength) for feature, strength in weighting.steers)
    return tuple(factor for name in names if (factor := steering_factor(name)) is not None)


@lru_cache(maxsize=1024)
def steering_factor(name: str) -> RankingFactor | None:
    """Return the factor called `name`, such as "more:X-ray emission"; `None` if the name is not that of a steer."""
    steer = feature_of(name)
    if steer is None:
        return None
    feature, sign = steer
    words = "that have the feature" if sign > 0 else "that lack the feature"
    return RankingFactor(
        name,
        f"{'more' if sign > 0 else 'less'} {feature}",
        f"Favours papers {words} {feature}.",
        "activation of the feature" if sign > 0 else "1 - activation of the feature",
        partial(_weights, name),
        unmeasured_reason=NOT_STORED,
    )


def _weights(name: str, candidates: Candidates, _: Weighting) -> Floats | None:
    activations = candidates.extra.get(name)
    steer = feature_of(name)
    if activations is not None or steer is None or candidates.activations is None:
        return activations
    activation = candidates.activations.of(steer[0])
    return None if activation is None else activation if steer[1] > 0 else 1.0 - activation
