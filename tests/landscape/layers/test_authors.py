import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.data.layer import UnavailableLayer
from pathfinder.landscape.layers.authors import papers_by
from pathfinder.landscape.layers.base import layer, list_layers
from pathfinder.types import Paper
from tests.landscape.planted import map_data, plain, scatter

STOPS = [(0.5, 0.5), (2.0, 2.0), (3.5, 3.5)]


def by(*authors, year=2020, n=1, **fields):
    return [Paper(f"{authors}-{year}-{i}", f"Paper {i}", "", authors=authors, year=year, **fields) for i in range(n)]


@pytest.fixture
def wandering():
    """One author who moves from corner to corner, in an order that is not that of the file, among others."""
    papers = [
        *by("Ada Wanderer", year=2022),
        *by("A. Wanderer", "B. Other", year=2018),
        *by("Wanderer, A.", year=2020),
        *by("Bob Other", n=20),
    ]
    return map_data(papers, np.array([STOPS[2], STOPS[0], STOPS[1], *scatter(20).tolist()], dtype=np.float32))


@pytest.mark.parametrize("names", [";", " ; ", ";".join(["A"] * 21)])
def test_no_name_or_too_many_are_refused(wandering, names):
    with pytest.raises(UsageError, match="name 1 to 20 authors"):
        layer(wandering, f"author:{names}")


def test_an_author_without_papers_is_absent_with_the_way_to_write_a_name(wandering):
    result = layer(wandering, "author:Nobody, N")
    assert isinstance(result, UnavailableLayer)
    assert "family name first" in result.reason


@pytest.mark.parametrize(
    ("name", "name_shown"),
    [
        ("Wanderer", "3 of their papers are from other years"),
        ("Wanderer; Other", "23 of their papers are from other years"),
    ],
)
def test_an_author_whose_papers_are_of_other_years_is_absent_because_of_the_years(wandering, name, name_shown):
    result = layer(wandering, f"author:{name}", years=(1990, 1995))
    assert isinstance(result, UnavailableLayer)
    assert f"no paper here (1990 to 1995) is by {name}, {name_shown}" in result.reason
    assert result.reason.endswith("widen the years")


def test_the_only_paper_of_an_author_is_told_where_it_is_of_another_year():
    own_map = map_data([*by("A. Wanderer", year=None), *by("B. Other", year=2020)], scatter(2))
    assert (
        "1 of their papers is from another year or undated"
        in layer(own_map, "author:Wanderer", years=(2020, 2020)).reason
    )


def test_a_corpus_without_authors_offers_no_paths():
    offers = {offer.slug: offer for offer in list_layers(map_data(plain(3), scatter(3)))}
    assert "lists its authors" in offers["author"].reason


def test_the_path_goes_from_place_to_place_in_the_order_of_the_years(wandering):
    result = layer(wandering, "author:Wanderer, A")
    (path,) = result.lines
    assert path.is_path
    assert path.points.tolist() == [list(stop) for stop in STOPS]
    assert [mark.label for mark in result.marks] == ["2018", "2020", "2022"]
    assert [line[:2] for line in result.table.rows] == [(2018, 1), (2020, 1), (2022, 1)]


def test_a_path_can_be_narrowed_to_years(wandering):
    assert [mark.label for mark in layer(wandering, "author:Wanderer", years=(2020, None)).marks] == ["2020", "2022"]


def test_one_year_is_a_stop_and_no_path(wandering):
    result = layer(wandering, "author:Wanderer", years=(2022, 2022))
    assert (len(result.marks), result.lines) == (1, ())


def test_a_stop_is_at_a_paper_and_never_between_two_groups_of_them():
    places = np.array([[0, 0], [0.1, 0], [0.1, 0.1], [4, 4]], dtype=np.float32)
    (mark,) = layer(map_data(by("A. Wanderer", n=4), places), "author:Wanderer").marks
    assert [mark.x, mark.y] == places[2].tolist()
    assert mark.text.startswith("2020: 4 papers, such as")


@pytest.mark.parametrize(
    ("author", "rows"),
    [
        ("Müller", [0, 1, 2, 3]),
        ("Muller, H", [0, 1]),
        ("Muller, Hans", [0, 1]),
        ("Hans Müller", [0, 1]),
        ("Müller, J-P", [2]),
        ("MÜLLER, ANNA", [3]),
        ("Müller, X", []),
        ("Mull", []),
        ("Sky Collaboration", [5]),
        ("Müller, A; Sky Collaboration", [3, 5]),
        ("van der Marel, R", [6]),
    ],
)
def test_initials_accents_and_order_make_no_difference_and_other_names_do(author, rows):
    papers = [
        *by("Hans Müller"),
        *by("Muller, H."),
        *by("Jean-Paul Müller"),
        *by("Müller, A. B."),
        *by("Hans Müllerson"),
        *by("The Sky Survey", "Sky Collaboration"),
        *by("Roeland van der Marel"),
    ]
    assert papers_by(map_data(papers, scatter(7)), author)[0].tolist() == rows


def test_what_is_not_known_is_noted():
    papers = [*by("A. Wanderer", year=None), *by("A. Wanderer", n_authors=9)]
    notes = layer(map_data(papers, scatter(2)), "author:Wanderer").notes
    assert notes[0] == "1 undated paper is not shown at any stop"
    assert "only the first few authors" in notes[1]
    assert "by name alone" in notes[2]
