import pytest

from pathfinder.answering.assessment.evidence.parsed_sentences import (
    agrees,
    numbers_in_digits,
    numbers_in_words,
    readable,
)
from pathfinder.answering.assessment.fidelity import check_fidelity
from pathfinder.answering.assessment.values.candidate import comparable, plausible, value_as_text
from pathfinder.answering.assessment.values.stated_values import claimed_values, values_in
from pathfinder.answering.assessment.values.target import QuantityTarget, target_quantity
from pathfinder.text.quantities.written_numbers import Quantity
from pathfinder.types import FactKind, StatedValue


def target(question: str) -> QuantityTarget:
    wish = target_quantity(question)
    assert wish is not None
    return wish


def values(question: str, text: str, title: str = "A paper") -> list[float]:
    return [c.stated_value.value for c in plausible(values_in(target(question), "a", title, text))]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How fast is the universe expanding today?", "Hubble constant"),
        ("What is the value of H0?", "Hubble constant"),
        ("How far away is M101?", "distance"),
        ("What is the velocity dispersion of the gas?", "velocity dispersion"),
        ("How massive is the black hole of NGC 3115?", "mass"),
        ("At what redshift did the expansion turn?", "redshift"),
    ],
)
def test_the_kind_of_quantity_follows_from_the_question(question, kind):
    assert target(question).kind.name == kind


def test_a_question_without_a_quantity_has_no_target():
    assert target_quantity("Why do stars form in clusters?") is None


def test_values_of_today_and_constants_come_newest_first():
    assert target("How fast is the universe expanding today?").puts_newest_first
    assert target("What is the matter density?").puts_newest_first
    assert not target("What is the mass of NGC 3115?").puts_newest_first


def test_only_the_quantity_of_the_question_is_read():
    text = "A mass ratio q = 0.023 +/- 0.006, an orbital period of 3.26 h, and a distance of the binary of 3.9 kpc."
    assert values("What is the orbital period of the binary?", text) == [3.26]
    assert values("How far away is the binary?", text) == [3.9]


def test_a_value_is_read_where_it_has_its_uncertainty():
    text = "We weigh NGC 3115: its mass is 2.6 million Msun. A mass of NGC 3115 of (2.6 +/- 0.2) x 10^6 Msun is found."
    found = values_in(target("How massive is NGC 3115?"), "a", "NGC 3115", text)
    assert [(each.stated_value.value, each.stated_value.plus) for each in found] == [(2.6e6, 2e5)]


def test_a_symbol_tells_plain_numbers_apart():
    text = r"We find $\Omega_{\rm m}=0.22\pm0.02$ and $\sigma_8=0.86\pm0.03$."
    assert values("What is the value of the matter density?", text) == [0.22]


def test_the_mass_of_another_body_is_not_read():
    text = "The white dwarf mass is 0.66 Msun and the donor mass is 0.073 Msun."
    assert values("What is the mass of the white dwarf?", text) == [0.66]


def test_another_planet_of_the_star_is_not_read():
    text = "Planet b of TOI-2015 has a mass of 9.0 M_E. TOI-2015c has a mass of 8.9 M_E."
    assert values("What is the mass of TOI-2015c?", text) == [8.9]


def test_the_value_must_be_of_the_object_in_the_question():
    assert values("What is the mass of NGC 4258?", "The black hole mass is 3.6e8 Msun.", "NGC 4486B") == []


@pytest.mark.parametrize(
    "text",
    [
        "For a Hubble constant of 50 km/s/Mpc ordinary matter makes up a tenth.",
        "We adopt H0 = 70 km/s/Mpc.",
        "Forecasts give H0 = 70 km/s/Mpc.",
        "The dipole has an error of 0.3 km/s/Mpc.",
    ],
)
def test_values_that_are_assumed_or_forecast_or_errors_are_not_stated(text):
    assert values("What is the Hubble constant?", f"We find H0 = 73 km/s/Mpc. {text}") == [73.0]


@pytest.mark.parametrize(
    "text",
    [
        "It closed the controversy between values of 50 and 100 km/s/Mpc.",
        "That exceeds the 50 to 55 km/s/Mpc preferred by others.",
        "It hardly moves from the earlier value of 69.8 km/s/Mpc.",
        "This is higher than the rate of 67 km/s/Mpc.",
        "A local rate above 67 km/s/Mpc predicted from the background is found again.",
        "It is consistent with the Planck value of 67.4 +/- 0.5 km/s/Mpc.",
        "Brown et al. (2022) have 74 km/s/Mpc.",
        "Voids reach 50 Mpc if H0 = 100 km/s/Mpc.",
    ],
)
def test_values_of_others_and_earlier_ones_are_not_the_papers_own(text):
    assert values("What is the Hubble constant?", f"We find H0 = 73 km/s/Mpc. {text}") == [73.0]


@pytest.mark.parametrize(
    "text",
    [
        "Compared to earlier work, we find H0 = 73 km/s/Mpc.",
        "Consistent with previous studies, the Hubble constant is 73 km/s/Mpc.",
        "H0 = 73 km/s/Mpc is higher than the Planck value.",
        "We add more supernovae than earlier work and obtain H0 = 73 km/s/Mpc.",
        "We measure the local value of the Hubble constant as 73 km/s/Mpc.",
        "Combined with previous distances the Hubble constant is 73 km/s/Mpc.",
        "The Hubble constant of 73 km/s/Mpc predicted by our model stands.",
    ],
)
def test_a_value_that_is_compared_with_others_is_the_papers_own(text):
    assert values("What is the Hubble constant?", text) == [73.0]


def test_a_constant_of_nature_belongs_to_no_person_or_method():
    text = "The Hubble constant of Adam Riess and of SH0ES Cepheids is 73 km/s/Mpc."
    (candidate,) = values_in(target("What is the Hubble constant?"), "a", "A paper", text)
    assert candidate.stated_value.of is None


def test_a_value_whose_sentence_is_silent_must_lie_near_those_that_name_the_quantity():
    text = "The temperature is 2.7 K. It was once put at 3.5 K. At recombination it stood near 4,000 K."
    assert values("What is the temperature of the background?", f"This is the background. {text}") == [2.7, 3.5]


def test_a_logarithm_of_a_mass_is_compared_as_a_mass():
    text = r"We find log($M_{\rm BH}$/$M_\odot$) = 5.5 $\pm$ 0.37 for the black hole mass."
    (candidate,) = values_in(target("What is the black hole mass?"), "a", "A paper", text)
    assert (candidate.stated_value.unit, candidate.stated_value.value) == ("log M⊙", 5.5)
    assert candidate.size == pytest.approx(10**5.5 * 1.98841e33)


def test_a_text_claims_values_with_the_names_of_their_quantities():
    claims = claimed_values("The mass is 5 Msun, the radius 12 km, and we saw 56 elements in 1998.")
    assert [(claim.quantity, claim.value, claim.unit) for claim in claims] == [
        ("mass", 5.0, "M⊙"),
        ("radius", 12.0, "km"),
    ]


def test_values_are_converted_to_the_commonest_unit():
    text = "A distance of 2 kpc. A distance of 2500 pc. A distance of 3 kpc."
    common = comparable(claimed_values(text))
    # 2500 pc are 2.5 kpc
    assert common.unit == "kpc"
    assert [value.value for value in common.values] == pytest.approx([2.0, 2.5, 3.0])


def test_error_bars_add_the_two_uncertainties_in_quadrature():
    (value,) = comparable(claimed_values("H0 = 70 +/- 3 (stat) +/- 4 (sys) km/s/Mpc")).values
    # sqrt(3^2 + 4^2) = 5
    assert (value.low, value.high) == pytest.approx((65.0, 75.0))


def test_values_of_other_dimensions_are_left_out_of_a_comparison():
    common = comparable(claimed_values("A distance of 2 kpc. A distance of 3 kpc. A mass of 4 Msun."))
    assert [value.unit for value in common.left_out] == ["M⊙"]
    assert comparable([]).values == ()


def test_the_mass_of_the_galaxy_is_not_that_of_its_black_hole():
    question = "What is the mass of the black hole at the centre of the Milky Way?"
    text = "For the Milky Way they give a distance of 8.2 kpc to the centre and a total mass of 5 x 10^10 solar masses."
    assert values(question, text, "The Galaxy in Context") == []


def test_a_named_quantity_wins_over_the_adverb_of_the_question():
    assert target("How large can the tensor-to-scalar ratio be?").kind.name == "tensor-to-scalar ratio"


@pytest.mark.parametrize(
    "text", [r"We obtain $\Omega_m=0.254$ and $\sigma_8=0.826$.", "We obtain Omega_m = 0.254 and sigma_8 = 0.826."]
)
def test_a_value_with_a_symbol_of_its_own_is_not_that_of_the_symbol_before_and(text):
    target = target_quantity("What is the value of Omega_m?")
    assert target is not None
    assert [value.stated_value.value for value in values_in(target, "paper", "A title", text)] == [0.254]


def test_the_spin_of_a_black_hole_is_a_plain_number_and_no_period():
    text = "The black hole Cygnus X-1 has a spin of 0.95 and turns for 4 years."
    assert values("What is the spin of Cygnus X-1?", text, "Cygnus X-1") == [0.95]


@pytest.mark.parametrize(
    "text",
    ["The data favour f_esc > 0 over f_esc = 0.", "For an escape fraction of 0.9, we find more galaxies."],
)
def test_a_bare_zero_and_a_condition_are_no_results(text):
    assert values("What is the escape fraction?", text, "The escape fraction") == []


def value(number: float, plus: float | None, minus: float | None, limit: str | None = None) -> StatedValue:
    return StatedValue("riess", "H_0", number, plus, minus, "km/s/Mpc", limit, "SH0ES", 6, 20)


def test_uncertainties_and_limits_are_written_as_astronomers_do() -> None:
    assert value_as_text(value(73.04, 1.04, 1.04)) == "73.04 ± 1.04 km/s/Mpc"
    assert value_as_text(value(2.9, 1.9, 0.6)) == "2.9 +1.9 −0.6 km/s/Mpc"
    assert value_as_text(value(0.12, None, None, "upper")) == "< 0.12 km/s/Mpc"
    assert value_as_text(value(2.4e9, 3e7, 3e7)) == "(2.4 ± 0.03) × 10⁹ km/s/Mpc"
    assert value_as_text(value(76.5, 3.5, 3.5, "range")) == "73 to 80 km/s/Mpc"
    assert value_as_text(value(70, None, None, "about")) == "about 70 km/s/Mpc"


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


def test_a_range_is_one_value():
    text = "NGC 42 has an age of 11 to 12 billion years."
    (candidate,) = values_in(target("What is the age of NGC 42?"), "a", "The age of NGC 42", text)
    stated = candidate.stated_value
    assert (stated.value, stated.plus, stated.minus, stated.limit) == (11.5, 0.5, 0.5, "range")
    assert (stated.unit, text[stated.start : stated.end]) == ("Gyr", "11 to 12 billion years")
    (claimed,) = claimed_values("A distance between 7 and 9 kpc.")
    assert (claimed.value, claimed.limit) == (8.0, "range")


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("The distance of NGC 42 is 310,000 parsecs.", 310.0, "kpc"),
        ("The distance of NGC 42 is 2.1 million pc.", 2.1, "Mpc"),
        ("The distance of NGC 42 is 310 parsecs.", 310.0, "parsecs"),
        ("The distance of NGC 42 is 2,100 kpc.", 2100.0, "kpc"),
    ],
)
def test_a_large_number_of_parsecs_has_a_prefix(text, number, unit):
    (candidate,) = values_in(target("How far away is NGC 42?"), "a", "The distance to NGC 42", text)
    assert (candidate.stated_value.value, candidate.stated_value.unit) == (number, unit)


@pytest.mark.parametrize(
    ("sentence", "is_own"),
    [
        ("Holm and Berg obtained about 61 km/s/Mpc.", False),
        ("Holm (1931) and colleagues obtained it; the Distance Project derived 61 km/s/Mpc.", False),
        ("Earlier work had found 61 km/s/Mpc.", False),
        ("The supernovae argue against values of the Hubble constant near 61 km/s/Mpc.", False),
        ("Berg and Lund obtained 61 km/s/Mpc.", True),
        ("At later times we measured a Hubble constant of 61 km/s/Mpc.", True),
        ("Anna Lund, Per Holm, Nils Berg and colleagues obtained 61 km/s/Mpc.", True),
        ("The Ladder Project derived 61 km/s/Mpc.", True),
        ("Earlier work had found supernovae, which give 61 km/s/Mpc.", True),
    ],
)
def test_a_value_that_others_than_the_authors_obtained_is_not_the_papers_own(sentence, is_own):
    asked, title = target("What is the Hubble constant?"), "The Hubble constant from the Ladder Project"
    found = values_in(asked, "a", title, sentence, authors=("Lund, A.",))
    assert bool(found) is is_own


def test_names_are_nobody_elses_where_the_authors_are_not_known():
    assert values_in(target("What is the Hubble constant?"), "a", "H0", "Holm and Berg obtained 61 km/s/Mpc.")


def test_a_value_just_beside_a_number_is_no_limit():
    (candidate,) = values_in(target("What is H0?"), "a", "H0", "The Hubble constant is somewhat below 61 km/s/Mpc.")
    assert candidate.stated_value.limit == "about"


def test_each_value_of_a_list_belongs_to_what_stands_before_the_list():
    text = "NGC 42 merged from two black holes of 41 and 23 solar masses, which left a black hole of 60 solar masses."
    assert values("How heavy are the black holes in NGC 42?", text, "A merger in NGC 42") == [41.0, 23.0, 60.0]


def test_a_designated_thing_may_be_one_of_the_kind_that_its_sentence_names():
    text = "We measure a mass of 1.6 solar masses for PSR J0042+1042, {}."
    asked, title = "How massive is a neutron star?", "A neutron star in a wide orbit"
    assert values(asked, text.format("a neutron star beside a giant"), title) == [1.6]
    assert values(asked, text.format("the companion of a giant"), title) == []


def test_statistical_and_systematic_errors_with_abbreviations_in_brackets_are_read():
    text = "The star lies towards NGC 42. Its distance is 812 ± 3 (stat.) ± 5 (sys.) pc."
    (candidate,) = values_in(target("How far away is NGC 42?"), "a", "The distance to NGC 42", text)
    stated = candidate.stated_value
    assert (stated.value, stated.plus, stated.plus_systematic, stated.unit) == (812.0, 3.0, 5.0, "pc")


@pytest.mark.parametrize(
    ("text", "is_later"),
    [
        ("NGC 42 has a mass of 5 solar masses.", False),
        ("We now find that NGC 42 has a mass of 5 solar masses.", False),
        ("The mass of NGC 42 is now put at 5 solar masses.", True),
        ("Orbits have since shown that NGC 42 has a mass of 5 solar masses.", True),
        ("Others later raised the mass of NGC 42 to 5 solar masses.", True),
    ],
)
def test_a_value_that_became_known_after_the_paper_is_marked_in_a_summary_alone(text, is_later):
    asked = target("What is the mass of NGC 42?")
    (candidate,) = values_in(asked, "a", "The mass of NGC 42", text, is_summary=True)
    assert candidate.stated_value.is_later is is_later
    (candidate,) = values_in(asked, "a", "The mass of NGC 42", text)  # an abstract ends with its paper
    assert not candidate.stated_value.is_later


def test_the_mass_of_a_satellite_is_not_that_of_its_galaxy():
    text = "We found the faintest known satellite of the Milky Way with a stellar mass of 16 solar masses."
    assert values("What is the mass of the Milky Way?", text, "A faint satellite of the Milky Way") == []


def test_a_distance_beyond_an_object_is_not_its_own():
    text = "The stream extends on the far side of the Galactic centre, about 25 kpc from the Sun."
    assert values("What is the distance to the Galactic Center?", text, "A stream of stars") == []
    text = "We follow the black hole in the Galactic Center. Its orbit gives a distance of 8.1 kpc."
    assert values("What is the distance to the Galactic Center?", text, "The black hole in the Galactic Center") == [
        8.1
    ]


def test_a_total_is_no_value_of_a_kind_of_thing():
    text = "The total mass of the system is 2.7 solar masses, and the first star has a mass of 1.4 solar masses."
    assert values("What is the mass of a neutron star?", text, "A pair of neutron stars") == [1.4]


def test_a_value_behind_a_comma_and_with_is_not_of_the_words_before_the_comma():
    text = "Radio waves from Venus, with a brightness temperature of 600 K, were seen with a dish."
    assert values("How hot is Venus?", text, "Observations of Venus at 4 cm") == [600.0]
