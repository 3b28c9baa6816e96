import pytest

from pathfinder.figures.values import dated_values, values_figure
from pathfinder.types import Paper, StatedValue


def stated_value(
    paper_id: str, value: float, unit: str, plus: float | None = None, limit: str | None = None
) -> StatedValue:
    return StatedValue(paper_id, "distance", value, plus, plus, unit, limit, None, 0, 1)


PAPERS = {
    "a": Paper("a", "One", "", authors=("Doe, J.",), year=2001),
    "b": Paper("b", "<b>Two</b>", "", year=2002),
    "c": Paper("c", "Three", ""),
}
VALUES = [
    stated_value("a", 2.0, "kpc", 0.1),
    stated_value("b", 2500.0, "pc"),
    stated_value("a", 9.0, "kpc", limit="upper"),
]


def test_values_stand_over_the_years_of_their_papers_in_one_unit():
    points, limits = values_figure(dated_values(VALUES, PAPERS)).data
    assert points.x == (2001, 2002)
    assert points.y == pytest.approx((2.0, 2.5))
    assert points.error_y.array == pytest.approx((0.1, 0.0))
    assert (limits.name, limits.y, limits.marker.symbol) == ("upper limit", (9.0,), "triangle-down")


def test_a_title_cannot_bring_markup_into_the_figure():
    points, _ = values_figure(dated_values(VALUES, PAPERS)).data
    assert points.hovertext == ("Doe 2001: 2 ± 0.1 kpc", "&lt;b&gt;Two&lt;/b&gt; 2002: 2500 pc")


def test_a_paper_without_a_year_is_left_out():
    assert values_figure(dated_values([stated_value("c", 1.0, "kpc")], PAPERS)).data == ()
    assert (
        dated_values([stated_value("c", 1.0, "kpc")], PAPERS).describe()
        == "None of these values comes from a paper with a year."
    )


def test_values_over_orders_of_magnitude_have_a_logarithmic_axis():
    assert values_figure(dated_values(VALUES, PAPERS)).layout.yaxis.type is None
    assert values_figure(dated_values([*VALUES, stated_value("b", 500.0, "kpc")], PAPERS)).layout.yaxis.type == "log"
