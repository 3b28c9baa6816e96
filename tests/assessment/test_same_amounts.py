"""The evidence check and the check of rewrites agree on whether two sentences state the same amount."""

import pytest

from pathfinder.assessment.evidence.parsed_sentences import agrees, numbers_in_digits, numbers_in_words, readable
from pathfinder.assessment.fidelity import check_fidelity
from pathfinder.text.quantities.written_numbers import Quantity
from pathfinder.types import FactKind

AMOUNTS = {FactKind.NUMBER, FactKind.UNIT}


def amounts(text: str) -> list[Quantity]:
    plain = readable(text)
    return [*numbers_in_digits(plain), *numbers_in_words(plain)]


def evidence_agrees(claim: str, other: str) -> bool:
    return any(agrees(claim_number, other_number) for claim_number in amounts(claim) for other_number in amounts(other))


def rewrite_agrees(text: str, other: str, language: str | None = None) -> bool:
    fidelity = check_fidelity(f"The survey found {text} of dust.", f"The survey found {other} of dust.", language)
    return not {change.kind for change in (*fidelity.lost, *fidelity.added)} & AMOUNTS


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("half an hour", "30 minutes"),
        ("half a degree", "0.5 degrees"),
        ("one and a half hours", "90 minutes"),
        ("two and a half years", "2.5 yr"),
        ("2 square degrees", "2 deg^2"),
        ("20 sq. arcmin", "20 square arcminutes"),
        ("3 atoms per cubic centimetre", "3 atoms per cm^3"),
        ("5 degrees squared", "5 square degrees"),
        ("10^6 solar masses", "a million solar masses"),
        ("a million years", "1 Myr"),
        ("half a million stars", "500,000 stars"),
        ("a thousand stars", "1000 stars"),
        ("half a dozen stars", "6 stars"),
    ],
)
def test_the_same_amount_in_other_words_is_the_same_for_both(text: str, other: str):
    for first, second in ((text, other), (other, text)):
        assert evidence_agrees(first, second)
        assert rewrite_agrees(first, second)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("half an hour", "50 minutes"),
        ("half an hour", "half a day"),
        ("one and a half hours", "30 minutes"),
        ("20 square degrees", "20 degrees"),
        ("2 square degrees", "3 deg^2"),
        ("3 cubic metres", "3 m^2"),
        ("10^6 solar masses", "a billion solar masses"),
        ("half a million stars", "a million stars"),
        ("a thousand stars", "10,000 stars"),
    ],
)
def test_another_amount_is_another_for_both(text: str, other: str):
    for first, second in ((text, other), (other, text)):
        assert not evidence_agrees(first, second)
        assert not rewrite_agrees(first, second)


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("un millón de estrellas", "Spanish"),
        ("un million d'étoiles", "French"),
        ("eine Million Sterne", "German"),
        ("un milione di stelle", "Italian"),
        ("um milhão de estrelas", "Portuguese"),
        ("een miljoen sterren", "Dutch"),
    ],
)
def test_a_million_is_one_in_other_languages(words: str, language: str):
    assert rewrite_agrees("a million stars", words, language)
    assert not rewrite_agrees("a thousand stars", words, language)
