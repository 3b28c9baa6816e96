import pytest

from pathfinder.answering.assessment.values.stated_values import claimed_values
from pathfinder.answering.digest.values import values_of_papers
from pathfinder.text.quantities.written_numbers import with_decimal_points
from pathfinder.types import Paper

FRENCH = "La constante de Hubble vaut 67,4 ± 0,5 km/s/Mpc dans un univers plat, pour 16 659 galaxies."
GERMAN = "Die Masse der Galaxie ist 1,2 +- 0,3 kg, und die Stichprobe hat 16.659 Galaxien mit 1.234,5 Mpc."
ENGLISH = "We observe 16,659 galaxies in the sample of the survey, at 67.4 km/s/Mpc."


@pytest.mark.parametrize(
    ("text", "in_english"),
    [
        (FRENCH, "La constante de Hubble vaut 67.4 ± 0.5 km/s/Mpc dans un univers plat, pour 16,659 galaxies."),
        (GERMAN, "Die Masse der Galaxie ist 1.2 +- 0.3 kg, und die Stichprobe hat 16,659 Galaxien mit 1,234.5 Mpc."),
        (
            "C'est $67{,}4$ pour les 1\u00a0234 étoiles de la carte.",
            "C'est $67.400$ pour les 1,234 étoiles de la carte.",
        ),
    ],
)
def test_the_numbers_of_french_and_german_are_written_as_in_english_and_stay_in_place(
    text: str, in_english: str
) -> None:
    assert with_decimal_points(text) == in_english
    assert len(in_english) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        "H0 = 67,4 km/s/Mpc",  # in no language in particular
        "Dans les champs 1,2,3 de la carte, en 2016, on a vu le ciel.",
        "Die Masse ist 67.4 kg in den 16,659 Galaxien der Stichprobe und der Karte.",  # its decimals have points
        "",
    ],
)
def test_other_numbers_stay_as_they_are(text: str) -> None:
    assert with_decimal_points(text) == text


def test_a_value_has_the_size_that_its_language_gives_it() -> None:
    (mass, distance) = claimed_values(GERMAN)
    assert (mass.value, mass.plus, mass.minus) == (1 + 2 / 10, 3 / 10, 3 / 10)
    assert distance.value == 1234 + 5 / 10
    assert [GERMAN[value.start : value.end] for value in (mass, distance)] == ["1,2 +- 0,3 kg", "1.234,5 Mpc"]
    (rate,) = claimed_values(ENGLISH)
    assert rate.value == 67 + 4 / 10


def test_a_french_abstract_states_a_value_beside_an_english_one() -> None:
    papers = [Paper("fr", "Une mesure", FRENCH, year=2020), Paper("en", "A rate", ENGLISH, year=2010)]
    lines = values_of_papers("What is the Hubble constant?", papers)
    assert lines is not None
    assert [(v.paper_id, v.value, v.plus) for v in lines.values] == [("fr", 67.4, 0.5), ("en", 67.4, None)]
    assert lines.findings[0].sentence == FRENCH


def test_thousands_of_galaxies_are_no_value() -> None:
    papers = [Paper("fr", "Un relevé", "La constante de Hubble, de 16 659 galaxies, est dans la suite.", year=2020)]
    assert values_of_papers("What is the Hubble constant?", papers) is None
