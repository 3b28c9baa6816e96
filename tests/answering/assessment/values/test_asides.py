"""Numbers that have the unit of a quantity but are not its value."""

import pytest

from pathfinder.answering.assessment.values.stated_values import claimed_values, values_in
from pathfinder.answering.assessment.values.target import target_quantity


def values(question: str, text: str) -> list[float]:
    target = target_quantity(question)
    assert target is not None
    return [
        candidate.stated_value.value for candidate in values_in(target, "a", "The Hubble constant and galaxies", text)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The mean is 2.5 km/s/Mpc smaller than the SH0ES value.",
        "This is lower than the local value by 3.1 km/s/Mpc.",
        "The Hubble constant differs by 5 km/s/Mpc from that of Planck.",
        "The difference between the two Hubble constants is 6 km/s/Mpc.",
        "The uncertainty of H0 is 1.2 km/s/Mpc.",
        "This reduces the error of H0 to about 0.8 km/s/Mpc.",
        "The model shifts the value of H0 by order ΔH_0 = 0.5 km/s/Mpc.",
        "The difference between the two Hubble constants drops to 3.3 km/s/Mpc.",
        "Thus H0 is known with a precision of 1.1 km/s/Mpc.",
        "The Hubble constant has 1.3 km/s/Mpc statistical uncertainty.",
    ],
)
def test_differences_and_uncertainties_are_not_values(text):
    assert values("What is the Hubble constant?", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Changes of the model lead to H0 = 73.1 km/s/Mpc.",
        "This high-precision measurement gives H0 = 73.1 km/s/Mpc.",
        "A precision of 1% is reached, and the Hubble constant is 73.1 km/s/Mpc.",
        "We obtain a Hubble constant of 73.1 km/s/Mpc, larger than that of Planck.",
        "We find a Hubble constant of 73.1 km/s/Mpc with an uncertainty of 1.2 km/s/Mpc.",
    ],
)
def test_a_value_beside_a_difference_or_an_uncertainty_remains_a_value(text):
    assert values("What is the Hubble constant?", text) == [73.1]


@pytest.mark.parametrize(
    "text",
    [
        "We study galaxies at redshift z < 2.",
        "We use quasars with 0.5 < z < 2.2 and their redshifts.",
        "This holds for redshifts z < 2 and z > 3.",
        "The survey maps the sky out to redshifts of 3.",
        "The redshift evolution follows (1+z)^3 and (1+z)$^{3.2 \\pm 0.4}$.",
    ],
)
def test_bounds_of_what_was_observed_and_exponents_are_not_values(text):
    assert values("What is the redshift of the galaxies?", text) == []


def test_a_limit_that_a_paper_finds_is_a_value():
    assert values("What is the redshift of the galaxies?", "We find z < 0.2 for the redshift of the galaxies.") == [0.2]


@pytest.mark.parametrize(
    ("question", "title", "text"),
    [
        ("How old is the universe?", "A galaxy", "The star exploded when the Universe was only 1 billion years old."),
        (
            "What is the speed of the Sun?",
            "The speed of the Sun",
            "The velocity of the Sun is (U, V) = (-51.25, 18.94) km/s.",
        ),
        (
            "What is the speed of the Sun?",
            "The speed of the Sun",
            r"The velocity of the Sun is $(U, V, W)_\odot = (11.1, 12.24, 7.25)$ km s$^{-1}$.",
        ),
        ("What is the speed of the Sun?", "The speed of the Sun", "The Sun has a velocity vector (3.6, 59.8) km/s."),
        ("What is the radius of Abell 370?", "Abell 370", "The mass of Abell 370 is M(<80 kpc) = 3.9*10^13 Msun."),
    ],
)
def test_an_age_at_another_time_a_component_and_an_argument_are_not_values(question, title, text):
    target = target_quantity(question)
    assert target is not None
    assert values_in(target, "a", title, text) == ()


def test_masses_in_brackets_are_values():
    text = "The masses of the stars are (m_1, m_2) = (0.46, 0.75) Msun."
    target = target_quantity("What is the mass of the stars?")
    assert target is not None
    assert [c.stated_value.value for c in values_in(target, "a", "Stars", text)] == [0.46, 0.75]


def test_a_claimed_difference_or_uncertainty_is_named_as_such():
    text = (
        "The uncertainty of the mass is 1.2 Msun. The distance is 5 kpc larger. The model reaches an accuracy of 0.65."
    )
    claims = [claim.quantity for claim in claimed_values(text)]
    assert claims == ["uncertainty of the mass", "difference of the distance"]
