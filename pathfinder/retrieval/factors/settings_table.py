"""The tables of search settings and ranking factors, for the docs."""

from collections.abc import Iterator

from pathfinder.retrieval.factors.own import OWN_FACTORS
from pathfinder.retrieval.factors.registry import factor_settings
from pathfinder.types import SearchRequest, Weighting
from pathfinder.types.settings import Setting, settings_of


def settings_table() -> str:
    """Return all search settings and all of Pathfinder's own ranking factors as Markdown."""
    own = {factor.setting for factor in OWN_FACTORS}
    factors = tuple(setting for setting in factor_settings() if setting.name in own)
    settings = (*settings_of(SearchRequest), *settings_of(Weighting), *factors)
    return "\n".join((*settings_rows(settings), "", *_factors(), ""))


def settings_rows(settings: tuple[Setting, ...]) -> Iterator[str]:
    """Yield the rows of a Markdown table of `settings`."""
    yield "| setting | on the page | command line | in a link | values | default | what it does |"
    yield "|---|---|---|---|---|---|---|"
    for setting in settings:
        cells = (
            f"`{setting.name}`",
            setting.label[0].upper() + setting.label[1:] if setting.section else "",
            ", ".join(f"`{name}`" for name in setting.option.split()) if setting.option else "",
            f"`{setting.link}`" if setting.link else "",
            setting.kind.values,
            setting.kind.write(setting.default),
            setting.help,
        )
        yield f"| {' | '.join(cells)} |"


def _factors() -> Iterator[str]:
    yield "| ranking factor | weight of a paper |"
    yield "|---|---|"
    yield from (f"| {factor.label} (`{factor.name}`) | {factor.formula} |" for factor in OWN_FACTORS)
