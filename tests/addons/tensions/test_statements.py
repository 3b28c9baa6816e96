"""Statements of which one denies the other, and what surrounds a tension."""

import pytest

from pathfinder.addons.tensions.tensions import TensionKind, find_tensions
from pathfinder.types import Paper

RISES = "The metallicity of these dwarf galaxies increases with stellar mass."
FALLS = "We find that the metallicity of dwarf galaxies decreases with stellar mass."


def paper(name: str, abstract: str, year: int | None = 2020) -> Paper:
    return Paper(name, "A study", abstract, year=year)


def test_opposite_directions_of_one_thing_are_a_tension() -> None:
    (tension,) = find_tensions("?", (paper("new", FALLS, 2022), paper("old", RISES, 2001))).tensions
    assert tension.kind is TensionKind.STATEMENTS
    assert [side.quotation for side in tension.sides] == [RISES, FALLS]
    assert tension.reason == '"increases" in one, "decreases" in the other'
    assert tension.sigma is None
    assert set(tension.subject.split()) >= {"metallicity", "dwarf", "galaxies"}


def test_a_denial_of_what_the_other_says_is_a_tension() -> None:
    says = paper("says", "Stellar winds can explain the outflows of massive dwarf galaxies.")
    denies = paper("denies", "Stellar winds cannot explain the outflows of massive dwarf galaxies.")
    (tension,) = find_tensions("?", (says, denies)).tensions
    assert tension.reason == "one denies what the other asserts"


def test_in_the_same_long_sentence_a_denial_need_not_reach_most_words() -> None:
    before = "the outer dust emission of old massive elliptical galaxies in nearby rich clusters at low density"
    says = paper("says", f"Here, {before} is dominated by stellar winds.")
    denies = paper("denies", f"Here, {before} is not dominated by stellar winds.")
    (tension,) = find_tensions("?", (says, denies)).tensions
    assert tension.reason == "one denies what the other asserts"


@pytest.mark.parametrize(
    "other",
    [
        "The metallicity of dwarf galaxies also increases with stellar mass in our sample.",
        "The rotation of giant stars decreases with age.",
    ],
)
def test_the_same_statement_and_one_about_something_else_are_none(other: str) -> None:
    assert find_tensions("?", (paper("one", RISES), paper("two", other))).tensions == ()


def test_a_side_has_its_method_and_a_later_paper_its_word() -> None:
    old = paper("old", f"We use spectra of 40 galaxies. {RISES}", 2001)
    new = paper("new", FALLS, 2005)
    later = paper("later", "The discrepant metallicity trends of dwarf galaxies with mass are reconciled here.", 2010)
    earlier = paper("earlier", "There is a debate about the metallicity of dwarf galaxies and stellar mass.", 1990)
    tensions = find_tensions("?", (old, new), (later, earlier))
    (tension,) = tensions.tensions
    assert tension.sides[0].method == "We use spectra of 40 galaxies."
    assert [each.paper.paper_id for each in tension.later] == ["later"]
    assert (tensions.n_papers, tensions.n_values) == (2, 0)


def test_without_years_no_paper_is_later() -> None:
    later = paper("later", "The discrepant metallicity trends of dwarf galaxies with mass are reconciled here.", 2010)
    (tension,) = find_tensions("?", (paper("one", RISES, None), paper("two", FALLS)), (later,)).tensions
    assert tension.later == ()
