"""Authors and years, as texts cite papers."""

import re

import pytest

from pathfinder.text.author_names import CITED_YEAR, ET_AL, YEAR_IN_TEXT


@pytest.mark.parametrize("text", ["Riess et al.", "Riess, et al.", "Riess et\nal", "Riess et  al. 2016"])
def test_more_authors_are_written_in_several_ways(text: str) -> None:
    assert re.search(rf"Riess{ET_AL}", text) is not None


@pytest.mark.parametrize("text", ["Riess et alia", "Riesset al.", "Riess and al."])
def test_other_words_are_no_authors(text: str) -> None:
    assert re.search(rf"Riess{ET_AL}", text) is None


@pytest.mark.parametrize(
    ("number", "is_cited", "is_in_text"),
    [
        ("1599", False, False),
        ("1665", True, False),
        ("1799", True, False),
        ("1838", True, True),
        ("2016", True, True),
        ("2100", False, False),
        ("20161", False, False),
    ],
)
def test_a_year_beside_an_author_may_be_older_than_one_elsewhere(number: str, is_cited: bool, is_in_text: bool) -> None:
    assert (re.fullmatch(CITED_YEAR, number) is not None) == is_cited
    assert (re.fullmatch(YEAR_IN_TEXT, number) is not None) == is_in_text
