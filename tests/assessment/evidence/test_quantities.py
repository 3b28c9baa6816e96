"""Numbers, their units, and whether two of them are the same."""

import pytest

from pathfinder.assessment.evidence.parsed_sentences import agrees, names, numbers_in_digits, numbers_in_words, readable
from pathfinder.text.quantities.written_numbers import Quantity


def read_quantities(text: str) -> tuple[Quantity, ...]:
    plain = readable(text)
    return numbers_in_digits(plain, [(name.start, name.end) for name in names(plain)])


def only(text: str) -> Quantity:
    (quantity,) = read_quantities(text)
    return quantity


@pytest.mark.parametrize(
    "text", ["", "no number here", "a 3D model", "GPT-4 and M87*", "NGC 1068", "(3) Style", "2MASS"]
)
def test_what_is_no_quantity_is_none(text: str):
    assert read_quantities(text) == ()


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("12 kpc", "12000 pc"),
        ("1000 m/s", "1 km/s"),
        ("73 km/s/Mpc", "73 km s^-1 Mpc^-1"),
        ("73 km/s/Mpc", r"$73$ km s$^{-1}$ Mpc$^{-1}$"),
        ("54 per cent", "54%"),
        ("0.54 of them", "54%"),
        ("4.3 micron", r"4.3 $\mu$m"),
        ("2 years", "2 yr"),
        ("25 solar masses per year", r"25 M$_\odot$ yr$^{-1}$"),
        ("3 Jupiter masses", "3 MJup"),
        ("90 minutes", "1.5 h"),
    ],
)
def test_the_same_in_another_unit_agrees(first: str, other: str):
    assert agrees(only(first), only(other))
    assert agrees(only(other), only(first))


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("12 Mpc", "12 kpc"),
        ("3 cm", "3 mm"),
        ("8 keV", "8 MeV"),
        ("5%", "0.5"),
        ("10 s", "10 km"),
        ("1.7 ms", "1.7 μs"),
    ],
)
def test_another_unit_or_size_does_not_agree(first: str, other: str):
    assert not agrees(only(first), only(other))


def test_a_rounded_number_agrees_and_one_made_more_precise_does_not():
    # 73 means 72.5 to 73.5; 73.04 means 73.035 to 73.045.
    assert agrees(only("73 km/s"), only("73.04 km/s"))
    assert not agrees(only("73.04 km/s"), only("73 km/s"))
    assert not agrees(only("74 km/s"), only("73.04 km/s"))


def test_about_makes_the_zeros_of_a_round_number_count_for_nothing():
    assert agrees(only("about 1200 K"), only("1170 K"))
    assert not agrees(only("1200 K"), only("1170 K"))


def test_the_first_number_of_a_range_has_the_unit_of_the_second():
    first, second = read_quantities("80 to 120 km/s")
    assert first.unit == second.unit is not None


def test_a_single_digit_without_a_unit_in_the_source_is_not_taken_for_one_with_a_unit():
    assert not agrees(only("2 K"), only("in 2 of them"))
    assert agrees(only("42 K"), only("in 42 of them"))


def test_numbers_in_words_count_for_the_source():
    (three,) = numbers_in_words("it lasted three hours")
    assert agrees(only("3 hours"), three)


def test_as_is_a_second_of_arc_and_a_word():
    assert only("5 mas").unit is not None
    assert only("by 5 as well").unit is None
