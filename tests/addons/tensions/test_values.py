"""Values of one quantity that are too far apart."""

from math import hypot

import pytest

from pathfinder.addons.tensions.tensions import Tension, owned_values, value_tensions
from pathfinder.assessment.values.candidate import sigma_between
from pathfinder.types import Paper, StatedValue


def stated_value(
    value: float, plus: float, minus: float | None = None, unit: str = "kpc", **systematic: float
) -> StatedValue:
    return StatedValue(
        "p", "distance", value, plus, plus if minus is None else minus, unit, None, None, 0, 1, **systematic
    )


def paper(name: str, abstract: str, year: int = 2020, title: str = "A study") -> Paper:
    return Paper(name, title, abstract, year=year)


def tensions(*papers: Paper) -> list[Tension]:
    return list(value_tensions([value for each in papers for value in owned_values(each)])[0])


def test_the_distance_is_counted_in_standard_deviations_of_the_difference() -> None:
    assert sigma_between(stated_value(10.0, 1.0), stated_value(16.0, 2.0)) == pytest.approx(6.0 / hypot(1.0, 2.0))
    assert sigma_between(stated_value(16.0, 2.0), stated_value(10.0, 1.0)) == pytest.approx(6.0 / hypot(1.0, 2.0))


def test_errors_that_face_the_other_value_count() -> None:
    low, high = stated_value(10.0, plus=3.0, minus=0.1), stated_value(20.0, plus=0.1, minus=4.0)
    assert sigma_between(low, high) == pytest.approx(10.0 / hypot(3.0, 4.0))


def test_systematic_errors_are_added_in_quadrature() -> None:
    low = stated_value(10.0, 3.0, plus_systematic=4.0)
    assert sigma_between(low, stated_value(20.0, 0.001)) == pytest.approx(10.0 / hypot(hypot(3.0, 4.0), 0.001))


def test_units_are_made_equal_and_other_dimensions_are_not_compared() -> None:
    assert sigma_between(stated_value(10.0, 1.0), stated_value(16_000.0, 2_000.0, unit="pc")) == pytest.approx(
        6.0 / hypot(1.0, 2.0)
    )
    assert sigma_between(stated_value(10.0, 1.0), stated_value(10.0, 1.0, unit="Myr")) is None


def test_two_values_of_a_constant_are_a_tension_with_both_sentences_the_earlier_first() -> None:
    local = paper("local", "We measure a Hubble constant of 73.0 ± 1.0 km/s/Mpc with Cepheids.", 2022)
    early = paper("early", "Dust is hard. The Hubble constant is 67.4 ± 0.5 km/s/Mpc in this model.", 2020)
    (tension,) = tensions(local, early)
    assert tension.subject == "Hubble constant"
    assert tension.sigma == pytest.approx(5.6 / hypot(1.0, 0.5))
    assert tension.reason == "5.0 sigma apart"
    assert [side.paper.paper_id for side in tension.sides] == ["early", "local"]
    assert tension.sides[0].quotation == "The Hubble constant is 67.4 ± 0.5 km/s/Mpc in this model."


def test_values_that_agree_and_values_of_one_paper_are_none() -> None:
    own = paper("one", "We measure a Hubble constant of 73.0 ± 1.0 km/s/Mpc.")
    near = paper("near", "We measure a Hubble constant of 71.0 ± 1.5 km/s/Mpc.")
    both = paper("both", "The Hubble constant is 73.0 ± 1.0 km/s/Mpc. The Hubble constant is 60.0 ± 1.0 km/s/Mpc.")
    assert tensions(own, near) == tensions(both) == []


def test_a_mass_needs_the_same_object_and_the_same_qualifiers() -> None:
    first = paper("first", "The stellar mass of NGC 1068 is 10.0 ± 0.5 kg.")
    other = paper("other", "The stellar mass of NGC 4258 is 14.0 ± 0.5 kg.")
    halo = paper("halo", "The total mass of NGC 1068 is 14.0 ± 0.5 kg.")
    same = paper("same", "For NGC1068, we find a stellar mass of 14.0 ± 0.5 kg.")
    assert tensions(first, other) == tensions(first, halo) == []
    (tension,) = tensions(first, same)
    assert tension.subject == "mass of NGC 1068"


def test_words_that_judge_a_value_do_not_narrow_its_quantity() -> None:
    first = paper("first", "We measure a low stellar mass of 10.0 ± 0.5 kg for NGC 1068.")
    second = paper("second", "The robust stellar mass of NGC 1068 is 14.0 ± 0.5 kg.")
    (tension,) = tensions(first, second)
    assert tension.subject == "mass of NGC 1068"


def test_a_method_before_a_quantity_is_not_its_object() -> None:
    first = paper("first", "We derive an SBF distance of 17.7 ± 0.4 Mpc for NGC 1052.")
    second = paper("second", "We derive an SBF distance of 14.4 ± 0.4 Mpc for NGC 4258.")
    assert tensions(first, second) == []


@pytest.mark.parametrize(
    ("longer", "shorter", "is_same"),
    [
        ("galaxy M81", "M81", True),
        ("SPT-CL J0356-5337", "CL J0356-5337", True),
        ("Abell 1689", "L1689", False),
        ("NGC 1068", "NGC 4258", False),
    ],
)
def test_an_object_may_be_named_with_and_without_its_prefix(longer: str, shorter: str, is_same: bool) -> None:
    first = paper("first", f"We measure a stellar mass of 10.0 ± 0.5 kg for {shorter}.")
    second = paper("second", f"The stellar mass of the {longer} is 14.0 ± 0.5 kg.")
    assert bool(tensions(first, second)) == is_same


def test_values_that_are_very_far_apart_belong_to_different_things() -> None:
    near = paper("near", "The stellar mass of NGC 1068 is 10.0 ± 0.5 kg.")
    far = paper("far", "The stellar mass of NGC 1068 is 20.0 ± 0.5 kg.")
    assert sigma_between(*(value.stated_value for each in (near, far) for value in owned_values(each))) > 10
    assert value_tensions([value for each in (near, far) for value in owned_values(each)]) == ((), 1)


def test_assumed_predicted_and_limiting_values_are_no_measurements() -> None:
    measuring_paper = paper("measured", "We measure a Hubble constant of 73.0 ± 1.0 km/s/Mpc.")
    for sentence in (
        "Assuming a Hubble constant of 60.0 ± 1.0 km/s/Mpc, the age is high.",
        "Simulated data give a Hubble constant of 60.0 ± 1.0 km/s/Mpc.",
        "The Hubble constant is less than 60 km/s/Mpc.",
    ):
        assert tensions(measuring_paper, paper("other", sentence)) == []
