import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.answering.citations import check_citations, without_marks
from pathfinder.types import Claim

GIVEN = {1: "one", 2: "two", 3: "three"}


@pytest.mark.parametrize(
    ("reply", "cited"),
    [
        ("Stars form [1].", ("one",)),
        ("Stars form. [1]", ("one",)),
        ("Stars form [1, 2].", ("one", "two")),
        ("Stars form [1][3].", ("one", "three")),
        ("Stars form [1-3].", ("one", "two", "three")),
        ("Stars form [1–2; 3].", ("one", "two", "three")),
        ("Stars form [1 and 2].", ("one", "two")),
        ("Stars form [Source 2].", ("two",)),
        ("Stars form [^2].", ("two",)),
        ("Stars [2] form [1] [2].", ("two", "one")),
        ("Stars form.", ()),
    ],
)
def test_a_mark_becomes_the_papers_that_it_names(reply, cited):
    checked = check_citations(reply, GIVEN)
    (claim,) = checked.claims
    assert claim.citations == cited
    assert "[" not in claim.text
    assert checked.invented == ()


@pytest.mark.parametrize(
    ("reply", "text", "cited", "invented"),
    [
        ("Stars form [7].", "Stars form [7?].", (), (7,)),
        ("Stars form [1, 7].", "Stars form [1, 7?].", ("one",), (7,)),
        ("Stars form [2-5].", "Stars form [2, 3, 4?, 5?].", ("two", "three"), (4, 5)),
        ("Stars form [0].", "Stars form [0?].", (), (0,)),
        ("Stars form [1-2000].", "Stars form [1, 2000?].", ("one",), (2000,)),
    ],
)
def test_an_invented_mark_is_no_citation_and_shown_as_invented(reply, text, cited, invented):
    checked = check_citations(reply, GIVEN)
    assert checked.text == text
    assert checked.invented == invented
    assert checked.claims == (Claim("Stars form.", cited),)


def test_each_sentence_has_its_own_citations():
    checked = check_citations(
        "Stars form [1]. Dust does not. [2] [3] Nothing else.\n\n- A list [2]\n2. Another.", GIVEN
    )
    assert checked.claims == (
        Claim("Stars form.", ("one",)),
        Claim("Dust does not.", ("two", "three")),
        Claim("Nothing else.", ()),
        Claim("A list", ("two",)),
        Claim("Another.", ()),
    )


def test_what_is_no_mark_is_left_alone():
    text = "Lines of [O III] at $[0, 1]$ and [C/Fe] and [] and [1.5]."
    checked = check_citations(text, GIVEN)
    assert checked.text == text
    assert checked.claims == (Claim(text, ()),)


def test_a_number_of_any_length_is_read_without_harm():
    assert check_citations(f"Stars [{'9' * 6000}].", GIVEN).invented == ()


def test_numbers_in_square_brackets_are_put_in_round_ones():
    assert without_marks("As in [3] and [4, 5-7], with [O III].") == "As in (3) and (4, 5-7), with [O III]."


@given(st.text(alphabet="[]123, -.ab\n", max_size=60))
def test_only_given_papers_are_ever_cited(reply):
    checked = check_citations(reply, GIVEN)
    assert {paper for claim in checked.claims for paper in claim.citations} <= set(GIVEN.values())
