"""The registry of ranking factors: Pathfinder's own and those of other packages."""

from operator import attrgetter

from pathfinder.plugins import Registry
from pathfinder.retrieval.factors.factor import RankingFactor
from pathfinder.retrieval.factors.own import OWN_FACTORS
from pathfinder.types.settings import Section, Setting, Strength

GROUP = "pathfinder.ranking_factors"
"""Entry point group through which other packages add factors."""

FACTORS = Registry(
    GROUP, RankingFactor, {factor.name: factor for factor in OWN_FACTORS}, "ranking factor", attrgetter("name")
)
"""All ranking factors, by their names in `Score`."""

MATCH = "match"
"""Name of the part of a score that comes from the search itself."""

_OWN = {factor.name: factor for factor in OWN_FACTORS}


def factor_settings(is_loaded: bool = False) -> tuple[Setting, ...]:
    """List the strengths of all factors as settings.

    Plug-ins are not imported unless `is_loaded`, so that `--help` stays fast; until then only their names are shown.
    """
    if is_loaded:
        return tuple(_setting(factor.name, factor) for factor in FACTORS.all())
    return tuple(_setting(name, _OWN.get(name)) for name in FACTORS.names())


def label_of(name: str) -> str:
    """Return the name, in lower case, by which readers know a factor or the match itself."""
    return name if name == MATCH else FACTORS.get(name).label


def factor_of(setting: str) -> RankingFactor:
    """Return the factor whose strength has the name `setting` in `Weighting`."""
    return next(factor for factor in FACTORS.all() if factor.setting == setting)


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
        option=factor.option or f"--weight-{name.replace('_', '-')}",
        section=Section.WEIGHTS,
        stage="weighting",
    )
