import pytest

from pathfinder.assessment.fidelity import parse_text
from pathfinder.text.languages import known_language
from pathfinder.text.quantities.quantities import are_same_amount, quantities


def read(text, language="English"):
    return quantities(parse_text(text).plain, known_language(language) if language else None)


@pytest.mark.parametrize(
    "text", ["2MASS", "3C 48"[:2], "the 1st", "M87", "no number", "[1, 2]", "one of them", "v1.2.3"]
)
def test_what_is_no_number_is_none(text):
    assert [quantity for quantity in read(text) if not quantity.is_loose] == []


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("1,234", "English", 1234.0),
        ("10^13.5", "English", 10**13.5),
        ("10**-13", "English", 1e-13),
        ("2 × 10^13.", "English", 2e13),
        ("1.234", "English", 1.234),
        ("1.234,5", "German", 1234.5),
        ("1 234,5", "French", 1234.5),
        ("73,5", "Spanish", 73.5),
        ("७३.५", "Hindi", 73.5),
        ("1.4 million", "English", 1.4e6),
        ("1,4 Milliarden", "German", 1.4e9),
        ("138亿", "Chinese", 1.38e10),
        ("3 × 10^8", "English", 3e8),
        (r"3 \times 10^{-8}", "English", 3e-8),
        ("10⁵", "English", 1e5),
        ("2e33", "English", 2e33),
        ("-0.7", "English", -0.7),
        ("twenty-five", "English", 25.0),
        ("two hundred fifty", "English", 250.0),
        ("half", "English", 0.5),
        ("the 1990s", "English", 1990.0),
        ("0.5pixels", "English", 0.5),
    ],
)
def test_a_number_is_read_as_its_language_writes_it(text, language, value):
    (quantity,) = read(text, language)
    assert quantity.values == (pytest.approx(value),)


def test_where_commas_and_points_may_mean_either_both_are_read():
    (quantity,) = read("1.234", "German")
    assert quantity.values == (1234.0, 1.234)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("13.8 Gyr", "13.8 billion years"),
        ("73 km/s/Mpc", "73 kilometres per second per megaparsec"),
        ("73 km/s/Mpc", r"73 km s$^{-1}$ Mpc$^{-1}$"),
        ("5%", "5 per cent"),
        (r"10 $M_\odot$", "10 solar masses"),
        ("2 kpc", "2,000 pc"),
        ("1500 nm", "1.5 μm"),
        ("5σ", "5 sigma"),
    ],
)
def test_the_same_amount_is_the_same_in_any_unit(text, other):
    (first,), (second,) = read(text), read(other)
    assert first.unit is not None
    assert are_same_amount(first, second)


@pytest.mark.parametrize(
    ("text", "other"),
    [("5 kpc", "5 pc"), ("5 km", "5 km/s"), ("5%", "5"), ("5 K", "5 mag"), ("5", "6")],
)
def test_another_amount_is_another(text, other):
    (first,), (second,) = read(text), read(other)
    assert not are_same_amount(first, second)


def test_numbers_that_share_a_unit_each_have_it():
    assert [quantity.unit is not None for quantity in read("between 67 and 73 km/s, 5 ± 1 kpc, 3-4 K")] == [True] * 6
