import pytest

from pathfinder.text.quantities.measurements import measurements
from pathfinder.text.quantities.quantities import quantities
from pathfinder.text.quantities.written_numbers import Quantity


def only(text: str) -> Quantity:
    (measured,) = measurements(text)
    return measured


@pytest.mark.parametrize(
    ("text", "value", "plus", "minus"),
    [
        ("H0 = 73.04 +/- 1.04 km/s/Mpc", 73.04, 1.04, 1.04),
        (r"$M=0.85^{+0.16}_{-0.14}\times10^{12}$ M$_\odot$", 0.85e12, 0.16e12, 0.14e12),
        (r"$0.90_{-0.07}^{+0.06}\times 10^{12}\;M_{\odot}$", 0.90e12, 0.06e12, 0.07e12),
        (r"$(4.08^{+0.19}_{-0.33}) \times 10^7$ M$_\odot$", 4.08e7, 0.19e7, 0.33e7),
        ("a period of 0.109765426(44) days", 0.109765426, 44e-9, 44e-9),
        ("M_BH = 1.1(+0.2,-0.1) x 10^9 Msun", 1.1e9, 0.2e9, 0.1e9),
        ("a mass of 8.91+0.38-0.40 M_E", 8.91, 0.38, 0.40),
        ("13.7 +/- 0.2 thousand million years", 13.7e9, 0.2e9, 0.2e9),
        ("an effective temperature of five thousand ± 200 K", 5000.0, 200.0, 200.0),
        ("a mass of 36-4+5 Msun", 36.0, 5.0, 4.0),
        (r"$H_0 = 71.5^{+0.7(1.4)}_{-0.8(1.5)}$ km/s/Mpc", 71.5, 0.7, 0.8),
    ],
)
def test_a_value_has_the_uncertainty_that_is_written_beside_it(text, value, plus, minus):
    measured = only(text)
    assert (measured.value, measured.plus, measured.minus) == pytest.approx((value, plus, minus))
    assert measured.unit is not None


@pytest.mark.parametrize("text", ["falls from 25% to 17%", "2 to 5 per cent of the ice", "10% to 20% of the stars"])
def test_the_second_of_two_percentages_is_no_uncertainty_of_the_first(text: str):
    assert [number.errors for number in measurements(text)] == [(), ()]


@pytest.mark.parametrize(
    "text",
    [
        r"$73.3 \pm 1.4$ (stat) $\pm$ 2.0 (sys) km/s/Mpc",
        "73.3 +/- 2.0 (sys) +/- 1.4 (stat) km/s/Mpc",
        r"$73.3^{+1.4 +2.0}_{-1.4-2.0}$ km/s/Mpc",
    ],
)
def test_statistical_and_systematic_uncertainties_stay_apart(text):
    measured = only(text)
    assert (measured.plus, measured.minus) == (1.4, 1.4)
    assert (measured.plus_systematic, measured.minus_systematic) == (2.0, 2.0)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        (r"$M_\nu<0.12\,\mathrm{eV}$", "upper"),
        ("at most 5 K", "upper"),
        ("more than 20 solar masses", "lower"),
        ("about 600 K", "about"),
        ("600 K", None),
    ],
)
def test_limits_and_approximate_values_are_told_apart(text, limit):
    assert only(text).limit == limit


def test_the_ends_of_a_range_are_limits_and_share_unit_and_power_of_ten():
    low, high = measurements(r"an enclosed mass of $1.19-1.45 \times 10^{11}\ M_\odot$")
    assert (low.value, low.limit) == (1.19e11, "lower")
    assert (high.value, high.limit) == (1.45e11, "upper")
    assert low.unit == high.unit is not None
    assert low.step == high.step == only("(1.19 ± 0.02) × 10^11 Msun").step == pytest.approx(1e9)


def test_numbers_in_a_list_share_the_last_unit():
    assert [measured.written_unit for measured in measurements("black holes of about 36 and 29 solar masses")] == [
        "solar masses",
        "solar masses",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a machine of the 1970s",
        "observed in 2017 and 2018",
        "arXiv:2408.01556, version 1.2, p. 45",
        "the cluster SPT-CL J2215-3537",
        "GJ 9827 d transits",
        "the region IRAS 16475-4609 is young",
        "supernovae 1969L and 1970G",
        "a 3L1S model",
        "detected at 5-sigma",
        "Table 2 and Fig. 3",
        "on 14 September 2015",
    ],
)
def test_years_names_versions_and_pages_are_no_measurements(text):
    assert measurements(text) == ()


def test_a_multiple_of_the_sun_or_a_planet_says_of_which():
    assert only("weighs at least 6.6 times Jupiter").relative_to == "Jupiter"
    assert only("2.6 million Suns").value == 2.6e6


def test_places_count_in_the_text_with_its_latex():
    text = r"We find $H_0 = 67.35\pm0.54$ km s$^{-1}$ Mpc$^{-1}$ here."
    measured = only(text)
    assert text[measured.start : measured.end] == r"67.35\pm0.54$ km s$^{-1}$ Mpc$^{-1}$"
    assert measured.written_unit == "km s⁻¹ Mpc⁻¹"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two hundred fifty thousand years", 250_000.0),
        ("six thousand five hundred light-years", 6_500.0),
        ("twenty-five thousand years", 25_000.0),
        ("one hundred twenty million solar masses", 1.2e8),
        ("half a million years", 500_000.0),
        ("a hundred parsecs", 100.0),
    ],
)
def test_a_number_in_words_is_read_as_the_evidence_reads_it(text, value):
    (measurement,) = measurements(text)
    (quantity,) = quantities(text)
    assert (measurement.value, quantity.value) == (value, value)


def test_several_hundred_is_no_value_and_the_scale_of_a_range_in_words_is_shared():
    assert measurements("It lies several hundred parsecs away.") == ()
    assert [measurement.value for measurement in measurements("2 to three million years")] == [2e6, 3e6]


@pytest.mark.parametrize(
    ("text", "value", "error"),
    [
        ("73.2(13) km/s/Mpc", 73.2, 1.3),
        ("73.2(1.3) km/s/Mpc", 73.2, 1.3),
        ("73.2 km/s/Mpc (± 1.3)", 73.2, 1.3),
        ("73.2 ± 13e-1 km/s/Mpc", 73.2, 1.3),
        ("16 300 ± 100 pc", 16300.0, 100.0),
        ("10 000 000 K", 1e7, None),
        ("12~000 pc", 12000.0, None),
        ("5.4 10^5 Msun", 540000.0, None),
    ],
)
def test_errors_in_brackets_and_spaces_between_thousands_belong_to_the_number(text, value, error):
    (number,) = measurements(f"It is {text}.")
    assert (number.value, number.plus) == (value, error)


def test_a_number_in_brackets_behind_a_space_is_another_value():
    assert [number.value for number in measurements("They lie at 7.2 (5.1) kpc.")] == [7.2, 5.1]


@pytest.mark.parametrize("text", ["1.068 ± 007", "70 ± 1e400 km/s/Mpc", "007", "70 +1e400 -2 km/s"])
def test_a_broken_number_is_no_measurement(text):
    assert measurements(f"It is {text}.") == ()


@pytest.mark.parametrize("text", ["(1+z)^3", "(1+z)3", "(1 + z)**3.0", "M^{0.55 \\pm 0.05}", "\\sigma^4.2±0.3 Msun"])
def test_an_exponent_its_error_and_the_1_of_1_plus_z_are_no_measurements(text):
    assert measurements(f"It grows as ${text}$.") == ()


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("P = 1.12 × 10−5", [(1.12e-5, None, None)]),
        ("(1.04147 ± 0.00062) × 10-2", [(0.0104147, 6.2e-6, 6.2e-6)]),
        ("a mass of 2.74-0.01+0.04M⊙", [(2.74, 0.04, 0.01)]),
        ("10%-15% farther", [(10.0, None, None), (15.0, None, None)]),
        ("(2) The largest of them", []),
        ("a mass of 1.5 × 1014 Msun", [(1.5e14, None, None)]),
        ("a 3 × 1080 pixel image", []),
        ("a magnitude of 10M, or 0.8B", []),
        ("redshifts in [0,2]", []),
        ("x = 2-1+3", [(2.0, None, None), (1.0, None, None), (3.0, None, None)]),
        ("a distance of 41 0-180+160 Mpc", [(41.0, None, None), (160.0, None, None)]),
    ],
)
def test_numbers_are_read_as_archives_write_them_without_superscripts(text, read):
    assert [(each.value, each.plus, each.minus) for each in measurements(text)] == read


def test_a_unit_behind_a_bracket_is_shared_and_one_within_is_not():
    assert [each.written_unit for each in measurements("28 (19) yr")] == ["yr", "yr"]
    assert [each.written_unit for each in measurements("r < 0.22 (95% of them)")] == ["", "%"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a ratio of 0.5 CI (0-1) transitions", [0.5, 0.0, 1.0]),
        ("20 per cent CI and 80 per cent CO", [20.0, 80.0]),
        ("95 per cent CI", []),
        ("a ratio of 0.65 (CI 0.35 to 1.22)", [0.65]),
        ("a ratio (HR 0.65; CI 0.35 to 1.22)", [0.65]),
        ("a ratio of 0.65, confidence interval 0.35 to 1.22", [0.65]),
    ],
)
def test_neutral_carbon_is_no_interval(text, read):
    assert [each.value for each in measurements(text)] == read


@pytest.mark.parametrize(
    ("text", "unit"),
    [("30 cm of water ice", "cm"), ("30 cm H2O", "cm H2O"), ("a 0.1 mm Hg lamp", "mm"), ("140 mm Hg", "mm Hg")],
)
def test_a_depth_of_water_and_the_size_of_a_lamp_are_no_pressures(text, unit):
    assert only(text).written_unit == unit
