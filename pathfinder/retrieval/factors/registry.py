"""The registry of ranking factors: Pathfinder's own, those from other packages, and those that steer a search by
features of the corpus, one for each steer of a weighting.

If a is the activation of the feature in a paper, "more" gives the paper the weight a, and "less" the weight 1 - a: both
are weights in [0, 1] with a strength of at least 0, like those of every other factor, so scores, explanations and
tables do not have to treat them specially. Activations are stored with the candidates, so that steering needs no model
or index.
"""

from dataclasses import fields
from functools import lru_cache, partial
from operator import attrgetter

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.plugins import PluginProblem, Registry
from pathfinder.retrieval.factors.factor import Pool, RankingFactor
from pathfinder.retrieval.factors.own import OWN_FACTORS
from pathfinder.types import Candidates, Floats, Score, SearchRequest, Weighting
from pathfinder.types.setting_kinds import Strength
from pathfinder.types.settings import Setting, SidebarSection
from pathfinder.types.weighting import factor_name, feature_of

GROUP = "pathfinder.ranking_factors"
"""Entry point group through which other packages add factors."""


def _fault_of_name(name: str) -> str | None:
    """Return the reason why a factor from another package may not have this name, which becomes an option, a key in
    links and a part of a score.
    """
    if not name.isidentifier() or name != name.lower():
        return "the name of a ranking factor consists of lower-case letters, digits and underscores"
    parts = {part.name for kind in (SearchRequest, Weighting, Score) for part in fields(kind)}
    options = {option for factor in OWN_FACTORS for option in factor.options.split()}
    links = {factor.link or f"w-{factor.name}" for factor in OWN_FACTORS}
    is_taken = name in parts or f"--weight-{name.replace('_', '-')}" in options or f"w-{name}" in links
    return "Pathfinder itself has a setting, option or score part with that name" if is_taken else None


def factor_registry() -> Registry[RankingFactor]:
    """Return Pathfinder's own factors, and those from the packages currently installed."""
    own = {factor.name: factor for factor in OWN_FACTORS}
    return Registry(GROUP, RankingFactor, own, "ranking factor", attrgetter("name"), _fault_of_name)


FACTORS = factor_registry()
"""All ranking factors, by their names in `Score`."""

MATCH = "match"
"""Name of the part of a score that comes from the search itself."""

_OWN = {factor.name: factor for factor in OWN_FACTORS}


def factor_settings(is_loaded: bool = False) -> tuple[Setting, ...]:
    """List the strengths of all factors as settings.

    Plug-ins are imported only if `is_loaded` is true, so that `--help` stays fast; otherwise only their names are
    shown.
    """
    if is_loaded:
        return tuple(_setting(factor.name, factor) for factor in FACTORS.all())
    return tuple(_setting(name, _OWN.get(name)) for name in FACTORS.names())


def label_of(name: str) -> str:
    """Return the name, in lower case, by which readers know a factor or the match itself."""
    return name if name == MATCH else factor_named(name).label


def factors_of(weighting: Weighting) -> tuple[RankingFactor, ...]:
    """Return every registered factor, followed by one for each feature by which `weighting` steers."""
    return (*FACTORS.all(), *steering_factors(weighting))


def factor_named(name: str) -> RankingFactor:
    """Return the factor with the name `name` in `Score`, which may be that of a steer."""
    return steering_factor(name) or FACTORS.get(name)


def factor_of(setting: str) -> RankingFactor:
    """Return the factor whose strength has the name `setting` in `Weighting`."""
    return steering_factor(setting) or next(factor for factor in FACTORS.all() if factor.setting == setting)


def measure_factor(factor: RankingFactor, pool: Pool) -> Floats | PluginProblem | None:
    """Measure a factor for every candidate, shape (n,); `None` if there is nothing to measure.

    Returns the problem if a plug-in fails or returns values that are not allowed.
    """
    measure = factor.measure
    if measure is None:
        return None
    is_weight = factor.weights is None

    return FACTORS.attempt(factor.name, lambda: _check_values(factor, measure(pool), len(pool.candidates), is_weight))


def weights_of(factor: RankingFactor, candidates: Candidates, weighting: Weighting) -> Floats | PluginProblem | None:
    """Return the weights of the candidates, in [0, 1], shape (n,), NaN where unknown; `None` if the factor was not
    measured.

    Returns the problem if a plug-in fails or returns weights that are not allowed.
    """
    is_left_out = factor.name not in _OWN and factor.measure is not None and candidates.signal(factor.name) is None
    if is_left_out:
        return None
    return FACTORS.attempt(
        factor.name,
        lambda: _check_values(factor, factor.weights_of(candidates, weighting), len(candidates), is_weight=True),
    )


def _check_values(factor: RankingFactor, values: Floats | None, n: int, is_weight: bool) -> Floats | None:
    """Return the values of a factor. Raises `UsageError` if there is not one number for each of `n` candidates, or if
    a plug-in's weights lie outside [0, 1].
    """
    if values is None:
        return None
    if np.shape(values) != (n,):
        raise UsageError(
            f"the ranking factor {factor.name!r} returned an array of shape {np.shape(values)} for {n} candidates: "
            "it must return one value for each"
        )
    if factor.name in _OWN:
        return values
    numbers = np.asarray(values, dtype=np.float64)
    outside = numbers[(numbers < 0.0) | (numbers > 1.0)] if is_weight else numbers[np.isinf(numbers)]
    if len(outside):
        rule = "a weight must lie in [0, 1], or be NaN if unknown" if is_weight else "a value must be finite, or NaN"
        raise UsageError(f"the ranking factor {factor.name!r} gave a paper the value {outside[0]:g}: {rule}")
    return numbers


def _setting(name: str, factor: RankingFactor | None) -> Setting:
    if factor is None:
        factor = RankingFactor(name, name, f"How far {name}, a ranking factor from a plug-in, moves a paper.", "")
    return Setting(
        name=factor.setting,
        kind=Strength(),
        default=factor.default,
        label=factor.label,
        help=factor.help,
        link=factor.link or f"w-{name}",
        option=factor.options,
        section=SidebarSection.WEIGHTS,
        stage="weighting",
    )


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
