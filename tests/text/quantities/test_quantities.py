"""Numbers and units that two readers once read differently, and the one reading that is right."""

import pytest

from pathfinder.text.languages import known_language
from pathfinder.text.latex.search_text import plain_signs
from pathfinder.text.quantities.quantities import are_same_amount, multiples, quantities
from pathfinder.text.quantities.unit_table import WORD_UNITS
from pathfinder.text.quantities.units import Unit, is_unit, unit_at, with_symbols
from pathfinder.text.quantities.written_numbers import Quantity


def read(text: str, language: str | None = "English") -> tuple[Quantity, ...]:
    return quantities(plain_signs(text), known_language(language) if language else None)


def values(text: str, language: str | None = "English") -> list[float]:
    return [quantity.value for quantity in read(text, language) if not (quantity.is_part or quantity.is_hint)]


def unit(text: str) -> Unit | None:
    return unit_at(text, 0)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two hundred fifty stars", [250.0]),
        ("two hundred and fifty thousand", [250_000.0]),
        ("two thousand five hundred", [2500.0]),
        ("twenty-five", [25.0]),
        ("two dozen", [24.0]),
        ("six triple systems", [6.0, 3.0]),
        ("eleven two-point functions", [11.0, 2.0]),
        ("four five", [4.0, 5.0]),
    ],
)
def test_a_number_in_words_is_read_as_a_whole(text: str, expected: list[float]):
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e=0,0.45,0.9", [0.0, 0.45, 0.9]),
        ("[9.23,9.71,10.21]", [9.23, 9.71, 10.21]),
        ("4959,5007", [4959.0, 5007.0]),
        ("P=0,0005", [0.0005]),
        ("[0,5]", [0.0, 5.0]),
        ("2,170 systems", [2170.0]),
        ("1'400 and 2,100.5", [1400.0, 2100.5]),
    ],
)
def test_a_comma_separates_thousands_or_the_items_of_a_list(text: str, expected: list[float]):
    assert values(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.5 × 1014", [1.5e14]),
        ("3 x 100 pixels", [3.0, 100.0]),
        ("1024 x 1024", [1024.0, 1024.0]),
        ("400×400 regions", [400.0, 400.0]),
        ("10^{12}-10^{13}", [1e12, 1e13]),
        ("10 million", [1e7]),
        ("10M instances", [1e7]),
        ("a 3B V star beside 2 others", [2.0]),
    ],
)
def test_a_power_of_ten_is_not_a_product(text: str, expected: list[float]):
    assert values(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("10^13.5", "English", 10**13.5),
        ("10**-13", "English", 1e-13),
        ("2 × 10^13.", "English", 2e13),
        ("1.234,5", "German", 1234.5),
        ("1 234,5", "French", 1234.5),
        ("73,5", "Spanish", 73.5),
        ("७३.५", "Hindi", 73.5),
        ("1,4 Milliarden", "German", 1.4e9),
        ("138亿", "Chinese", 1.38e10),
        (r"3 \times 10^{-8}", "English", 3e-8),
        ("10⁵", "English", 1e5),
        ("2e33", "English", 2e33),
        ("half", "English", 0.5),
        ("the 1990s", "English", 1990.0),
        ("0.5pixels", "English", 0.5),
    ],
)
def test_a_number_is_read_as_its_language_writes_it(text: str, language: str, value: float):
    (quantity,) = read(text, language)
    assert quantity.values == (pytest.approx(value),)


def test_where_commas_and_points_may_mean_either_both_are_read():
    (quantity,) = read("1.234", "German")
    assert quantity.values == (1234.0, 1.234)


@pytest.mark.parametrize(
    ("text", "other", "are_same"),
    [
        ("13.8 Gyr", "13.8 billion years", True),
        ("5%", "5 per cent", True),
        ("1500 nm", "1.5 μm", True),
        ("5σ", "5 sigma", True),
        ("5 kpc", "5 pc", False),
        ("5 km", "5 km/s", False),
        ("5%", "5", False),
        ("5 K", "5 mag", False),
    ],
)
def test_amounts_are_the_same_in_any_unit_of_their_kind(text: str, other: str, are_same: bool):
    (first,), (second,) = read(text), read(other)
    assert are_same_amount(first, second) is are_same


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("+/-0.1", [0.1]),
        ("0.530+/-0.168", [0.53, 0.168]),
        ("40--70", [40.0, 70.0]),
        ("0.2-0.3", [0.2, 0.3]),
        ("pre-2010", [2010.0]),
        ("NGC-1068", []),
        ("yr-1", []),
        ("w = -1.02", [-1.02]),
    ],
)
def test_a_dash_is_a_sign_only_where_nothing_else_can_be_meant(text: str, expected: list[float]):
    assert values(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    "text", ["1.2.3", "v1.2.3", "2MASS", "3D", "(3) Style", "H_0", r"$H_{0}$", "cm$^{-2}$", "21.510.5"]
)
def test_no_number_is_read_where_none_is_meant(text: str):
    assert read(text) == ()


def test_exponents_denominators_and_days_of_a_date_are_parts_of_something_larger():
    assert [number.is_part for number in read("r^-2, 17/20, 2019-05-20")] == [True, False, True, False, True, True]


def test_a_multiple_is_read_once_and_its_number_is_part_of_it():
    assert [number.is_part for number in read("1.45x, and 2x")] == [True, True]
    assert [number.value for number in multiples("1.45x, and 2x as")] == [1.45, 2.0]


def test_errors_above_and_below_a_number_are_errors_and_share_its_unit():
    number, upper, lower = read(r"$15.0^{+4.5}_{-4.4}$ $M_{\rm Jup}$")
    assert (upper.value, lower.value) == (4.5, 4.4)
    assert upper.is_error is lower.is_error is True
    assert number.unit == upper.unit == lower.unit == unit("MJup")


@pytest.mark.parametrize(
    "text",
    [
        "12 weeks", "one month", "two decades", "6-month", r"$5\sigma$", r"21 $\mu$m", "500Msun", "30M⊙", "140 Å",
        r"$10^{14}\, M_\odot$", r"3 M$_{\odot}$", "147 bp", "-834 nT", "8.5ME", "14 nmol/L",
        r"200 km\,s$^{-1}$", r"8 $h^{-3}\,\mathrm{Gpc}^{3}$", "10^-4 per year", "0.5 kpc", r"30 $\mathrm{M_J}$",
    ],
)  # fmt: skip
def test_a_unit_is_read_however_it_is_written(text: str):
    (number,) = read(text)
    assert number.unit is not None


def test_words_that_only_hint_at_a_number_take_no_unit():
    (both,) = read("both J and K")
    assert both.is_hint
    assert both.unit is None


def test_as_massive_is_no_second_of_arc():
    assert [number.unit for number in read("half as massive")] == [None]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("km/s/Mpc", "km s^-1 Mpc^-1"),
        ("km/s Mpc^-1", "km s^-1 Mpc^-1"),
        ("erg/s/cm^2", "erg s^-1 cm^-2"),
        ("erg/s cm^2", "erg s^-1 cm^-2"),
        ("km s -1", "km/s"),
        ("m s⁻²", "m/s^2"),
        ("solar masses per year", "M⊙ yr^-1"),
        ("GeV", "giga-electron volts"),
    ],
)
def test_a_product_of_units_is_the_same_in_every_notation(text: str, other: str):
    first, second = unit(text), unit(other)
    assert first is not None
    assert second is not None
    assert first.dimensions == second.dimensions
    assert first.size == pytest.approx(second.size)


@pytest.mark.parametrize(
    ("text", "language", "symbol"),
    [
        ("años luz", "Spanish", "ly"),
        ("millions", "French", None),
        ("Jahre", "German", "yr"),
        ("年", "Chinese", "yr"),
        ("ans", "English", None),
    ],
)
def test_words_for_units_are_read_in_the_language_of_the_text(text: str, language: str, symbol: str | None):
    read_unit, _ = unit_at(text, 0, is_english=language == "English")
    assert read_unit == (unit(symbol) if symbol else None)


def test_a_year_in_a_list_takes_no_unit_from_the_number_behind_it():
    year, length = read("in 2016, 5 km")
    assert year.unit is None
    assert length.unit is not None


def test_numbers_of_a_list_share_the_unit_behind_the_last():
    assert {number.unit for number in read("masses of 0.7, 0.8, and 1 kg")} == {unit("kg")}


def test_a_unit_of_several_words_becomes_its_symbol():
    assert with_symbols("3 solar masses per cent") == "3 M⊙ %"
    assert is_unit("kiloparsec")
    assert not is_unit("galaxy")


def test_shares_and_multiples_are_read_from_words():
    assert [number.value for number in multiples("a third of them doubled by a factor of 3")] == pytest.approx(
        [1 / 3, 2.0, 3.0]
    )


def test_a_list_item_is_numbered_and_counts_nothing():
    assert values("1. Seven stars\n2. Two more") == [7.0, 2.0]


def test_every_word_that_is_called_a_unit_has_a_size():
    assert {word for word in WORD_UNITS if not is_unit(word)} == set()
