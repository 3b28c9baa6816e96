"""Values of the thing that is asked, and of nothing else."""

import pytest

from pathfinder.answering.assessment.values.candidate import plausible
from pathfinder.answering.assessment.values.stated_values import values_in
from pathfinder.answering.assessment.values.target import QuantityTarget, target_quantity


def target(question: str) -> QuantityTarget:
    wish = target_quantity(question)
    assert wish is not None
    return wish


def values_and_owners(question: str, text: str, title: str) -> list[tuple[float, str | None]]:
    candidates = plausible(values_in(target(question), "a", title, text))
    return [(candidate.stated_value.value, candidate.stated_value.of) for candidate in candidates]


MASS_OF_LMC = "What is the mass of the LMC?"
MASS_OF_MILKY_WAY = "What is the mass of the Milky Way?"
AGE_OF_SUN = "How old is the Sun?"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The cluster R136 in the LMC contains stars in excess of 100 Msun.", "Stars of the R136 cluster"),
        ("The evolutionary masses span 12-117 Msun in the LMC.", "Massive stars in the LMC"),
        ("We determined the mass of the Cepheid to be 3.42 Msun.", "A Cepheid binary in the LMC"),
        ("Resolved clumps have masses between 200 and 2500 Msun.", "Clumps in the LMC"),
        ("The enclosed MW mass is 4.4 x 10^11 Msun.", "The LMC and its interaction with the Milky Way"),
    ],
)
def test_the_mass_of_something_in_a_galaxy_is_not_that_of_the_galaxy(text, title):
    assert values_and_owners(MASS_OF_LMC, text, title) == []


@pytest.mark.parametrize(
    "text",
    [
        "We find the mass of the LMC to be 4.7 x 10^10 Msun.",
        "The LMC has a total mass of 4.7 x 10^10 Msun.",
        "The LMC mass is 4.7 x 10^10 Msun.",
        "The best fit gives a mass of 4.7 x 10^10 Msun.",
    ],
)
def test_the_mass_of_the_galaxy_is_read_if_the_sentence_or_the_title_says_so(text):
    assert [value for value, _ in values_and_owners(MASS_OF_LMC, text, "Weighing the LMC")] == [4.7e10]


def test_a_title_about_the_satellites_of_a_galaxy_is_not_about_the_galaxy():
    text = "The best fit gives an infall mass of 1.2 x 10^9 Msun."
    assert values_and_owners(MASS_OF_MILKY_WAY, text, "The satellites of the Milky Way") == []
    assert values_and_owners(MASS_OF_MILKY_WAY, text, "The Milky Way satellite Sextans") == []
    assert values_and_owners(MASS_OF_MILKY_WAY, text, "The mass of the Milky Way") == [(1.2e9, None)]


def test_the_mass_of_a_part_is_marked_with_the_part():
    text = "We measure the total stellar mass of the disk to be 5.3 x 10^10 Msun."
    candidates = values_in(target(MASS_OF_MILKY_WAY), "a", "The mass and structure of the Milky Way", text)
    assert [(c.stated_value.quantity, c.stated_value.of, c.is_part) for c in candidates] == [
        ("total stellar mass", "disk", True)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The turn-off could be read as an age, some five thousand million years.",
        "The supernovae began to blow the bubble 14 million years ago.",
        "The motion leads to stars whose supernovae began to blow the bubble some 14 million years ago.",
        "Stars older than the Sun lived for 8 Gyr.",
    ],
)
def test_the_sun_is_an_object_if_the_question_names_nothing_else(text):
    assert values_and_owners(AGE_OF_SUN, text, "Star formation near the Sun") == []
    assert values_and_owners(AGE_OF_SUN, "The age of the Sun is 4.6 Gyr.", "Stars") == [(4.6, None)]


def test_the_speed_of_light_is_not_that_of_a_nebula():
    text = "Its light was faint. The Andromeda Nebula is coming towards us at about 300 km/s, a speed without equal."
    assert values_and_owners("What is the speed of light?", text, "The Andromeda Nebula") == []


def test_masses_of_an_event_are_those_of_the_things_that_merged_in_it():
    text = "The wave matches two black holes of about 36 and 29 solar masses. GW150914 shows that such pairs exist."
    other = "The holes were lighter than those of GW150914: 14 and 7.5 solar masses."
    question = "What are the masses of GW150914?"
    assert values_and_owners(question, text, "Waves from a merger") == [
        (36.0, "two black holes"),
        (29.0, "two black holes"),
    ]
    assert values_and_owners(question, other, "GW151226: another merger") == []


def test_a_name_directly_before_the_value_owns_it():
    text = "Motivated by the discovery of Gaia BH3, a 33 Msun BH, we search for companions of 5 Msun."
    assert values_and_owners("What is the mass of Gaia BH3?", text, "A search for black holes") == [(33.0, None)]


def test_a_distance_from_the_galactic_centre_is_not_the_distance_to_it():
    question = "What is the distance to the Galactic centre?"
    text = "The star lies at a Galactocentric distance of 22 kpc, and the dip at 13 kpc from the Galactic centre."
    assert values_and_owners(question, text, "A variable star in the Milky Way") == []
    assert (
        values_and_owners(question, "The star had a closest approach to the Galactic centre of 0.4 kpc.", "A fast star")
        == []
    )
    assert values_and_owners(question, "Fitting gives 8.3 kpc to the Galactic centre.", "Masers") == [(8.3, None)]


def test_both_ends_of_a_range_are_read_or_neither():
    text = "The infall mass is low for MW masses from 0.8 x 10^12 to 2 x 10^12 Msun."
    assert values_and_owners(MASS_OF_MILKY_WAY, text, "The mass of the Milky Way") == []


def test_a_class_of_things_may_be_named_anywhere_in_the_paper():
    text = "The field reaches 10^15 gauss. Such magnetars are rare."
    assert [
        value for value, _ in values_and_owners("How strong is the magnetic field of a magnetar?", text, "Bursts")
    ] == [1e15]


@pytest.mark.parametrize(
    "text",
    [
        "The ratio increases, beginning at [Fe/H] = -1.5 dex.",
        "We study ten of them with [Fe/H] < -1.8 dex.",
    ],
)
def test_a_value_at_which_something_happens_is_not_that_of_the_object(text):
    assert values_and_owners("What is the metallicity of the SMC?", text, "The metallicity of the SMC") == []


def test_a_distance_from_the_object_or_a_speed_relative_to_it_is_not_its_own():
    text = "The clusters lie at a distance of 3 kpc from the LMC. The distance of the LMC is 50 kpc."
    assert [value for value, _ in values_and_owners("What is the distance to the LMC?", text, "The LMC")] == [50.0]
    text = "The star passed with an encounter speed of 35 km/s. 3I/ATLAS has a speed of 58 km/s."
    assert [value for value, _ in values_and_owners("How fast is 3I/ATLAS moving?", text, "3I/ATLAS")] == [58.0]


def test_a_telescope_named_after_the_object_does_not_hide_it():
    question, text = (
        "How massive is the black hole in M87?",
        "The image fits a rotating black hole of 6.5 billion Msun.",
    )
    assert values_and_owners(question, text, "First M87 Telescope Results") == [(6.5e9, "rotating black hole")]
    assert values_and_owners(question, "We search for black holes of 1000 Msun.", "Clusters around M87") == []


@pytest.mark.parametrize("title", ["A warm Jupiter", "Hot Jupiters of K dwarfs"])
def test_a_planet_of_the_kind_of_jupiter_is_not_jupiter(title):
    assert values_and_owners("What is the mass of Jupiter?", "We find a mass of 0.85 MJ.", title) == []
    assert values_and_owners("What is the mass of Jupiter?", "We find a mass of 0.99 MJ.", "The mass of Jupiter") == [
        (0.99, None)
    ]
