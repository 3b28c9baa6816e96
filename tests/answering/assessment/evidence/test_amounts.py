"""Numbers in words, ranges, powers, signs, bounds and units: distinguished where they differ, and nowhere else."""

import pytest

from pathfinder.answering.assessment.evidence.ledger import check_text
from pathfinder.answering.assessment.evidence.parsed_sentences import (
    agrees,
    names,
    numbers_in_digits,
    numbers_in_words,
    readable,
)
from pathfinder.text.quantities.written_numbers import Quantity
from pathfinder.text.sentences import LONGEST_SENTENCE
from pathfinder.types import CheckedSentence, Source, Verdict


def check_claim(claim: str, source: str) -> CheckedSentence:
    (sentence,) = check_text(f"{claim} [1].", [Source("1", "", f"{source}.")]).sentences
    return sentence


@pytest.mark.parametrize(
    "number",
    [
        "1" + "0" * 400,
        "about 1" + "0" * 400,
        "1 Da^9 Da^9",
        "1 EeV^9 EeV^9",
        "1e999",
        "10^-9999",
        "10^٣ km",
        "-",
        "10^",
        "1-2-3-4-",
    ],
)
def test_a_number_that_is_none_is_read_and_breaks_nothing(number: str):
    assert check_claim(f"The value is {number}", f"The value is {number}").verdict is not Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        # In words.
        ("Seven planets transit the star", "Three planets transit the star"),
        ("Seven planets transit the star", "3 giant planets transit the star"),
        ("The survey took seven years", "The survey took three years"),
        ("Half of the galaxies host a bar", "A third of the galaxies host a bar"),
        ("Half of the galaxies host a bar", "80% of the galaxies host a bar"),
        ("The rate doubled in a year", "The rate halved in a year"),
        ("The rate doubled in a year", "The rate rose by a factor of ten in a year"),
        ("The jet is twice as long as the disc", "The jet is half as long as the disc"),
        # Ranges.
        ("The masses are 10-30 solar masses", "The masses are 10-80 solar masses"),
        ("We use data of 2010-2015", "We use data of 2010-2023"),
        ("The energy range is 0.5-7.5 keV", "The energy range is 0.5-2.5 keV"),
        ("Between 10-20% of stars are binaries", "Between 10-60% of stars are binaries"),
        ("Between 10%-20% of stars are binaries", "Between 10%-60% of stars are binaries"),
        # Powers.
        ("The halo mass is 10^13.9 solar masses", "The halo mass is 10^13.1 solar masses"),
        (r"The halo mass is $10^{13.9}$ solar masses", r"The halo mass is $10^{13.1}$ solar masses"),
        ("Theory is off by a factor of 10^122", "Theory is off by a factor of 10^120"),
        ("The landscape has 10^500 vacua", "The landscape has 10^400 vacua"),
        ("The flux is 1.5*10**-13 erg/s", "The flux is 1.5*10**-14 erg/s"),
        # Signs.
        ("The slope of the source is -2.3", "The slope of the source is 2.3"),
        ("The slope of the source is +2.3", "The slope of the source is -2.3"),
        ("The coefficient is r = -0.8", "The coefficient is r = 0.8"),
        ("The equation of state has w = 1.03", "The equation of state has w = -1.03"),
        ("The cluster has [Fe/H] = -0.5", "The cluster has [Fe/H] = +0.5"),
        ("The room is at −20 °C", "The room is at 20 °C"),
        # Bounds.
        ("The mass of the companion is > 3 solar masses", "The mass of the companion is < 3 solar masses"),
        ("The mass of the companion is less than 3 solar masses", "The mass of the companion is > 3 solar masses"),
        (r"The mass is $\geq 3$ solar masses", "The mass is ≤3 solar masses"),
        # Units.
        ("The amplitude of the curve is 5 mmag", "The amplitude of the curve is 5 mag"),
        ("The background peaks at 30 nHz", "The background peaks at 30 mHz"),
        ("The abundance of methane is 50 ppm", "The abundance of methane is 50 ppb"),
        ("The wavelength moved by 3 mÅ", "The wavelength moved by 3 Å"),
        ("The force is 7 mN", "The force is 7 kN"),
        ("The exposure lasted half an hour", "The exposure lasted 50 minutes"),
        ("The survey covers 20 square degrees", "The survey covers 30 deg^2"),
    ],
)
def test_another_amount_contradicts_the_source(claim: str, source: str):
    assert check_claim(claim, source).verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Seven planets transit the star", "The star has 7 transiting planets"),
        ("One of the planets transits the star", "Three planets orbit the star, and one transits the star"),
        ("The two-point correlation of galaxies is strong", "The correlation of three galaxies is strong"),
        ("The first planet transits the star", "Three planets transit the star"),
        ("The latter one is a type II supernova", "Two are type II supernovae, the latter a supernova"),
        ("A few planets transit the star", "Three planets transit the star"),
        ("The two planets transit the star", "Three planets orbit, two of which transit the star"),
        ("Nearly half of the galaxies host a bar", "We find that 48% of the galaxies host a bar"),
        ("The rate doubled in a year", "The rate rose by a factor of 2 in a year"),
        ("The rate more than doubled in a year", "The rate rose by a factor of 2.3 in a year"),
        ("Winds reach speeds of 10 to 30 km/s", "Winds reach speeds of 10-30 km/s"),
        ("The survey ended in 2015", "The survey was run in 2010-2015"),
        ("Winds reach speeds of up to 30 km/s", "Winds reach speeds of 10–30 km/s"),
        ("The flux is 3 km s^-1", "The flux is 3 km s-1"),
        ("The galaxy NGC-1068 is active", "The galaxy NGC 1068 is active"),
        ("The survey ran from 2010 to 2015", "The survey ran 2010 - 2015"),
        ("The score changed by -0.7%", "The score changed by \n−\n0.7\n%"),
        ("The brightness fell by 0.3 mag", "The brightness changed by -0.3 mag"),
        ("The companion has at least 3 solar masses", "The companion has ≥3 solar masses"),
        ("The companion has no more than 3 solar masses", "The companion has < 3 solar masses"),
        ("The companion has 3 ± 1 solar masses", "The companion has a mass of 3 +/- 1 solar masses"),
        ("At z~-0.5 the line fades", "At z = -0.5 the line fades"),
        ("The amplitude is 5 mmag", "The amplitude is 0.005 mag"),
        ("The signal peaks at 3 nanohertz", "The signal peaks at 3 nHz"),
        ("The line lies at 7 kiloelectronvolts", "The line lies at 7 keV"),
        ("It spans 3 arc seconds", "It spans 3″"),
        ("The exposure lasted half an hour", "The exposure lasted 30 minutes"),
        ("The survey covers 20 square degrees", "The survey covers 20 deg^2"),
        ("The black hole has 10^6 solar masses", "The black hole has a mass of a million solar masses"),
        ("A share of 50 parts per million is methane", "A share of 50 ppm is methane"),
    ],
)
def test_the_same_amount_in_other_words_does_not(claim: str, source: str):
    assert check_claim(claim, source).verdict in (Verdict.SUPPORTED, Verdict.PARTLY)


def test_the_reason_says_which_of_two_bounds_is_which():
    sentence = check_claim("The mass is more than 3 solar masses", "The mass is less than 3 solar masses")
    assert "at least 3 M⊙ in the text, at most 3 M⊙ in the source" in sentence.reasons


FAR = (
    "We study the growth of dust in discs around young stars. The {} rings of the disc were seen by {} in another year"
)


@pytest.mark.parametrize(
    ("claim", "amounts"),
    [
        ("Dust grows in discs around young stars that have nine rings", ("four", "it")),
        ("Dust grows in discs around young stars, as GPT-8 says", ("four", "GPT-4")),
    ],
)
def test_another_count_or_catalogue_number_far_from_the_claim_leaves_it_without_a_source(claim, amounts):
    assert check_claim(claim, FAR.format(*amounts)).verdict is Verdict.NOT_FOUND


def test_another_name_of_the_catalogue_that_the_claim_has_as_well_is_no_rival():
    claim = "Dust grows in discs around young stars, as GPT-4 and GPT-8 say"
    assert check_claim(claim, FAR.format("four", "GPT-4")).verdict is not Verdict.NOT_FOUND


@pytest.mark.parametrize("piece", ["NGC 1 ", "Ab ", "3.5 km ", "x" * 50])
def test_a_long_text_without_a_full_stop_is_checked(piece: str):
    text = (piece * 2000)[: LONGEST_SENTENCE - 10]
    assert check_claim(text, text).verdict in (Verdict.SUPPORTED, Verdict.PARTLY)


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


def test_a_value_behind_a_capitalised_word_is_no_name():
    plain = "the Sun 8.34 ± 0.16 kpc from the centre, Kepler 10 b and HD 189733 in a 3-D model"
    assert [name.text for name in names(plain)] == ["Sun", "Kepler 10 b", "HD 189733"]
    assert [number.text for number in numbers_in_digits(plain, [(name.start, name.end) for name in names(plain)])] == [
        "8.34",
        "0.16 kpc",
    ]
