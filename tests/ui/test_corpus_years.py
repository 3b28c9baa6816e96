"""Years of a link beside those of the corpus."""

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.ui.map import map_cache
from pathfinder.ui.map.map_cache import years_here


@pytest.mark.parametrize(
    ("years", "here"),
    [
        (None, None),
        ((2000, 2010), (2000, 2010)),
        ((1000, 2010), (1916, 2010)),
        ((2010, 3000), (2010, 2026)),
        ((1000, 3000), (1916, 2026)),
    ],
)
def test_years_are_those_of_them_that_the_corpus_has(
    pf: Pathfinder, monkeypatch: pytest.MonkeyPatch, years: tuple[int, int] | None, here: tuple[int, int] | None
) -> None:
    monkeypatch.setattr(map_cache, "year_span", lambda _: (1916, 2026))
    assert years_here(pf, years) == (here, ())


@pytest.mark.parametrize(
    ("span", "why"),
    [((1916, 2026), "the papers in this library are from 1916 to 2026"), (None, "no paper in this library has a date")],
)
def test_years_of_which_the_corpus_has_none_are_ignored_with_the_reason(
    pf: Pathfinder, monkeypatch: pytest.MonkeyPatch, span: tuple[int, int] | None, why: str
) -> None:
    monkeypatch.setattr(map_cache, "year_span", lambda _: span)
    assert years_here(pf, (1800, 1850)) == (None, (f"the link's years 1800-1850 were ignored: {why}",))
