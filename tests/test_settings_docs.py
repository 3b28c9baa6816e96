"""The tables of settings and ranking factors in the docs, as they are declared."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pathfinder.answering.settings import AnswerSettings
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


DOCS = Path(__file__).parents[1] / "docs"
ANSWERS = "\n".join((*settings_rows(settings_of(AnswerSettings)), ""))


@pytest.mark.parametrize(
    ("name", "tables"), [("search_settings.md", settings_table()), ("answer_settings.md", ANSWERS)]
)
def test_the_docs_have_the_table_of_settings_as_it_is_declared(name: str, tables: str):
    written = (DOCS / name).read_text(encoding="utf-8")
    assert written.endswith(tables), f"replace the tables of docs/{name} by\n\n{tables}"
