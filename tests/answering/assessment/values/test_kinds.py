"""The kinds of quantities: the general ones in code, and those of a field in its profile."""

from typing import get_args

import pytest

from pathfinder.answering.assessment.values.kinds import GENERAL, field_kinds
from pathfinder.answering.assessment.values.stated_values import claimed_values
from pathfinder.answering.assessment.values.target import target_quantity
from pathfinder.answering.digest.values import values_of_papers
from pathfinder.profile import Profile, astronomy, parse_profile
from pathfinder.profile.quantity import Base, GeneralKind
from pathfinder.text.quantities.unit_table import UNITS
from pathfinder.types import Paper

PHARMACY = parse_profile(
    b"""
name = "pharmacy"
title = "Medicines"
icon = ":material/pill:"
examples = ["What is the half-life of caffeine?"]

[field]
names = ["pharmacy"]
adjective = "pharmaceutical"
experts = ["pharmacist"]

[[quantities]]
name = "half-life"
words = ['(?:elimination )?half-li(?:fe|ves)']
dimensions = [{ time = 1 }]
questions = ['how long does .* stay in the blood']

[[quantities]]
name = "dose"
words = ['dos(?:es?|age)']
dimensions = [{ mass = 1 }]
after = "mass"
""",
    "pharmacy.toml",
)
PAPER = Paper("a", "Caffeine in adults", "In adults, caffeine has a half-life of 5.0 hours.", year=2001)
RATE = "The Hubble constant is 73.0 km/s/Mpc."


def names(profile: Profile) -> list[str]:
    return [kind.name for kind in field_kinds(profile).kinds]


def test_a_field_s_quantities_come_before_the_general_ones_or_behind_the_one_that_they_name():
    general = [kind.name for kind in GENERAL]
    mass = general.index("mass") + 1
    assert names(PHARMACY) == ["half-life", *general[:mass], "dose", *general[mass:]]


def test_astronomy_has_its_constants_first_and_the_redshift_behind_the_mass():
    kinds = names(astronomy())
    assert kinds[:3] == ["Hubble constant", "S8", "sigma8"]
    assert kinds[kinds.index("mass") + 1] == "redshift"


@pytest.mark.parametrize(
    "question", ["What is the half-life of caffeine?", "How long does caffeine stay in the blood?"]
)
def test_another_field_asks_for_its_own_quantities(question):
    target = target_quantity(question, PHARMACY)
    assert target is not None
    assert target.kind.name == "half-life"


def test_another_field_reads_its_own_values():
    lines = values_of_papers("What is the half-life of caffeine?", [PAPER], profile=PHARMACY)
    assert lines is not None
    assert [(value.quantity, value.value, value.unit) for value in lines.values] == [("half-life", 5.0, "hours")]
    assert values_of_papers("What is the half-life of caffeine?", [PAPER]) is None


def test_another_field_knows_no_hubble_constant():
    assert target_quantity("What is the Hubble constant?", PHARMACY) is None
    assert [value.quantity for value in claimed_values(RATE)] == ["Hubble constant"]
    assert [value.quantity for value in claimed_values(RATE, profile=PHARMACY)] == ["value"]


def test_a_profile_knows_the_general_kinds_and_the_dimensions_of_units():
    assert get_args(GeneralKind) == tuple(kind.name for kind in GENERAL)
    # Pixels and standard deviations measure no quantity.
    assert set(get_args(Base)) == {dimension for dimension, _ in UNITS.values()} - {"pixels", "sigma"}
