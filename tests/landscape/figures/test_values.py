import re
from pathlib import Path

import pytest

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.landscape.figures.values import dated_values, values_figure
from pathfinder.landscape.figures.values_file import values_page, values_png, values_svg, write_values
from pathfinder.types import Answer, Digest, DigestForm, Finding, Paper, StatedValue


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


def test_the_axis_of_a_single_number_begins_at_zero():
    assert values_figure(dated_values(VALUES, PAPERS)).layout.yaxis.rangemode is None
    assert values_figure(dated_values([stated_value("b", 1e8, "K")], PAPERS)).layout.yaxis.rangemode == "tozero"


TWO_PAPERS = (
    Paper("a", "One", "It lies 2.0 +/- 0.5 kpc away.", authors=("Doe, J.",), year=2001),
    Paper("b", "<b>Two</b>", "Less than 9 kpc.", year=2002),
    Paper("c", "Three", "No year, 4 kpc."),
)


def stated(paper_id: str, value: float, plus: float | None = None, limit: str | None = None) -> StatedValue:
    return StatedValue(paper_id, "distance", value, plus, plus, "kpc", limit, None, 0, 1)


def answer(*values: StatedValue) -> Answer:
    findings = tuple(
        Finding(paper.paper_id, paper.abstract, 0, len(paper.abstract))
        for value in values
        for paper in TWO_PAPERS
        if paper.paper_id == value.paper_id
    )
    digest = Digest(DigestForm.VALUES, "", findings, values=values)
    return Answer("How far is <it>?", "", (), False, (), sources=TWO_PAPERS, digest=digest)


ANSWER = answer(stated("a", 2.0, 0.5), stated("b", 9.0, limit="upper"), stated("c", 4.0))


def test_a_drawing_holds_years_error_bars_and_limits_as_described_text() -> None:
    drawing = values_svg(ANSWER)
    assert "<title>Doe 2001: 2 ± 0.5 kpc</title>" in drawing
    assert "<title>&lt;b&gt;Two&lt;/b&gt; 2002: &lt; 9 kpc</title>" in drawing
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", drawing)
    assert {"How far is &lt;it&gt;?", "distance [kpc]", "value", "upper limit", "2001", "2002"} <= set(texts)
    assert any("Left out because of a different unit or an unknown year: 1." in line for line in texts)
    assert drawing == values_svg(ANSWER)


def test_no_mean_is_drawn() -> None:
    assert not re.search(r"mean(?! is computed)|average", values_svg(ANSWER))


def test_error_bars_end_where_the_errors_do() -> None:
    (first, _) = dated_values(ANSWER.digest.values if ANSWER.digest else (), {p.paper_id: p for p in TWO_PAPERS}).values
    assert (first.comparable.low, first.comparable.high) == (2.0 - 0.5, 2.0 + 0.5)


def test_a_page_holds_the_drawing_and_each_value_with_its_sentence() -> None:
    page = values_page(ANSWER)
    assert "<svg" in page
    assert "<td>2 ± 0.5 kpc</td><td>distance</td><td>Doe, 2001</td><td>It lies 2.0 ± 0.5 kpc away.</td>" in page
    assert "year unknown" in page
    assert "<b>" not in page
    assert not re.search(r"(?:src|href)=", page.replace("xmlns:xlink", "").replace('xlink:href="#', ""))


def test_each_suffix_has_its_kind_of_file(tmp_path: Path) -> None:
    assert values_png(ANSWER).startswith(b"\x89PNG")
    write_values(ANSWER, tmp_path / "plot.SVG")
    assert (tmp_path / "plot.SVG").read_text(encoding="utf-8").startswith("<svg")
    with pytest.raises(UsageError, match=r"'plot\.pdf'"):
        write_values(ANSWER, tmp_path / "plot.pdf")


@pytest.mark.parametrize(
    ("empty", "why"),
    [
        (answer(), "it lists no values"),
        (answer(stated("c", 4.0)), "none of its values comes from a paper with a year"),
    ],
)
def test_without_anything_to_draw_there_is_no_file(empty: Answer, why: str, tmp_path: Path) -> None:
    with pytest.raises(PathfinderError, match=why):
        write_values(empty, tmp_path / "plot.svg")
    assert not list(tmp_path.iterdir())
