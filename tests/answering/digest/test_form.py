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
                "What is the spin of Cygnus X-1?",
                "What is H0?",
                "Quelle est la valeur de la constante de Hubble ?",
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
                "Why do galaxies stop forming stars?",
                "How do planets form?",
                "What is dark energy?",
                "What would the universe look like without dark matter?",
                "Hubble tension",
                "How important is magnetic braking?",
                "What do we know about fast radio bursts?",
                "What is the structure of the Milky Way?",
                "",
            ],
        ),
        (
            DigestForm.FACT,
            [
                "Who discovered pulsars?",
                "When was the first exoplanet found?",
                "In what year was Pluto discovered?",
                "Where are magnetars?",
            ],
        ),
    ],
)
def test_the_form_follows_the_question(form, questions):
    assert [choose_form(question).form for question in questions] == [form] * len(questions)


def test_the_rule_is_named():
    assert choose_form("Is dark energy constant?").reason == "the question can be answered with yes or no"


def test_a_form_that_the_reader_chose_stands():
    assert choose_form("Is dark energy constant?", DigestForm.LIST) == (DigestForm.LIST, "chosen by the reader")
