"""The form of a digest depends on the words of the question."""

import pytest

from pathfinder.answering.digest.form import choose_form
from pathfinder.types import DigestForm


@pytest.mark.parametrize(
    ("form", "questions"),
    [
        (
            DigestForm.VALUES,
            [
                "What is the value of the Hubble constant?",
                "How fast is the universe expanding today?",
                "What is the mass of the Milky Way?",
                "In Virgo, what share of the radio flux comes from the halo?",
                "How many planets orbit M dwarfs, and are they rocky?",
                "What is the spin of the black hole?",
                "What is the extinction towards the Galactic centre?",
                "What is the equation of state of dark energy?",
                "What is H0?",
                "What is sigma8?",
                "Hubble constant",
                "age of the universe",
                "distance to the Andromeda galaxy",
                "¿Cuál es el valor de la constante de Hubble?",
                "Quelle est la valeur de la constante de Hubble ?",
                "Wie groß ist die Hubble-Konstante?",
            ],
        ),
        (
            DigestForm.LIST,
            [
                "Which radiative transfer codes treat dust?",
                "What surveys map the sky in radio?",
                "Which surveys measure redshifts of galaxies?",
            ],
        ),
        (
            DigestForm.SIDES,
            [
                "Is dark energy constant?",
                "Do planets form around M dwarfs, and how many?",
                "How much does feedback change the mass of a galaxy?",
                "What are the differences between fast and slow rotators?",
                "In close binaries, does dust reach the inner disc?",
            ],
        ),
        (
            DigestForm.FINDINGS,
            [
                "What about the dust of the disk and its planets?",
                "Why do galaxies stop forming stars?",
                "How do planets form?",
                "What is dark energy?",
                "What is redshift?",
                "redshift",
                "age of stars in dwarf galaxies from spectra",
                "mass function of haloes",
                "What is the structure of the Milky Way?",
                "What do we know about fast radio bursts?",
                "What is a spin glass?",
                "What is the extinction law?",
                "What is known about the interior of Jupiter?",
                "How important is turbulence for star formation?",
                "What would the universe look like without dark matter?",
                "Hubble tension",
                "",
            ],
        ),
        (DigestForm.FACT, ["Who discovered pulsars?", "When was the first exoplanet found?", "Where are magnetars?"]),
        (
            DigestForm.FACT,
            [
                "In what year was Pluto discovered?",
                "By whom was the expansion of the universe found?",
                "At which observatory was Pluto found?",
            ],
        ),
    ],
)
def test_the_form_follows_the_question(form, questions):
    assert [choose_form(question).form for question in questions] == [form] * len(questions)


def test_the_rule_is_named():
    assert choose_form("Is dark energy constant?").reason == "the question can be answered with yes or no"


def test_a_language_that_the_rules_do_not_read_is_named():
    assert choose_form("¿Por qué brillan las estrellas en el cielo?").reason == (
        "the question seems to be in Spanish, a language that the rules do not cover"
    )


def test_a_form_that_the_reader_chose_stands():
    assert choose_form("Is dark energy constant?", DigestForm.LIST) == (DigestForm.LIST, "chosen by the reader")
