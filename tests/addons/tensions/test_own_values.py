"""Values that are a finding of their own paper, and those that it cites or that only stand in a definition."""

import pytest

from pathfinder.addons.tensions.tensions import owned_values, statements_of
from pathfinder.types import Paper


def kinds_and_values(sentence: str) -> list[tuple[str, float]]:
    return [(value.kind.name, value.stated_value.value) for value in owned_values(Paper("p", "T", sentence))]


@pytest.mark.parametrize(
    "sentence",
    [
        "We find a Hubble constant of $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.",
        "Compared to earlier work, we find $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.",
        "The baseline result is H0 = 73.1 +/- 1.0 km/s/Mpc, which is higher than previous values.",
        "The scatter is lower than previously reported, but the fit has H0 = 73.1 +/- 1.0 km/s/Mpc.",
        "We find H0 = 73.1 +/- 1.0 km/s/Mpc, five standard deviations above the Planck prediction.",
        "We use three anchors, add more supernovae than earlier and obtain H0 = 73.1 +/- 1.0 km/s/Mpc.",
        "The errors shrink by more than a factor of two, with H0 = 73.1 +/- 1.0 km/s/Mpc.",
        "The optimum at $a = 0.9$ brings the joint fit to $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.",
    ],
)
def test_a_finding_counts_also_if_it_is_compared_with_others(sentence: str) -> None:
    assert kinds_and_values(sentence) == [("Hubble constant", 73.1)]


@pytest.mark.parametrize(
    "sentence",
    [
        "We assess the tension relative to the value of Brown et al. 2022, $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.",
        "It is anchored to earlier data and their value of $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.",
        "The result is slightly lower than the inferred value of $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.",
    ],
)
def test_a_value_that_is_only_cited_does_not_count(sentence: str) -> None:
    assert kinds_and_values(sentence) == []


def test_a_value_belongs_to_what_is_defined_and_not_to_a_quantity_in_the_definition() -> None:
    names = [
        name
        for name, _ in kinds_and_values(
            r"We find $S_8 \equiv \sigma_8 \sqrt{\Omega_\mathrm{m}/0.3} = 0.789 \pm 0.022$ in all."
        )
    ]
    assert "matter density" not in names


def test_a_value_with_a_symbol_of_its_own_does_not_belong_to_a_quantity_before_a_comma() -> None:
    sentence = r"With the local expansion rate, $H_0$, data, we find $N_{\rm eff} = 3.43 \pm 0.13$."
    assert kinds_and_values(sentence) == []


def test_a_symbol_after_a_comma_is_that_of_the_quantity_if_it_is_its_initial() -> None:
    sentence = "X-ray observations show the rotation period, $P = 261.08 \\pm 0.04$ ms, of the source."
    assert kinds_and_values(sentence) == [("period", 261.08)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It is unclear whether dusty discs around young stars form planets.",
        "The mechanisms that form planets in dusty discs are poorly understood.",
        "We investigate how dusty discs around young stars form planets.",
    ],
)
def test_doubts_and_aims_are_no_statements(sentence: str) -> None:
    assert statements_of(Paper("p", "T", sentence)) == ()
    assert statements_of(Paper("p", "T", "Dusty discs around young stars form planets.")) != ()
