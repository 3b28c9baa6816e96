"""Values of one quantity that are too far apart."""

import csv
import io
import json
from dataclasses import replace
from math import hypot

import pytest

from pathfinder.addons.tensions.operation import COLUMNS, describe_tensions, tensions_csv
from pathfinder.addons.tensions.operation import tensions as operation
from pathfinder.addons.tensions.outcome import LaterSentence, Tension, TensionKind, Tensions, TensionSide
from pathfinder.addons.tensions.tensions import find_tensions, owned_values, statements_of, value_tensions
from pathfinder.answering.assessment.values.candidate import sigma_between
from pathfinder.types import Paper, StatedValue
from tests.cli.conftest import only_line
from tests.ui.test_pages import Open, ran


def stated_value(
    value: float, plus: float, minus: float | None = None, unit: str = "kpc", **systematic: float
) -> StatedValue:
    return StatedValue(
        "p", "distance", value, plus, plus if minus is None else minus, unit, None, None, 0, 1, **systematic
    )


def paper(name: str, abstract: str, year: int | None = 2020) -> Paper:
    return Paper(name, "A study", abstract, year=year)


def tensions(*papers: Paper) -> list[Tension]:
    return list(value_tensions([value for each in papers for value in owned_values(each)])[0])


@pytest.mark.parametrize(
    ("first", "second", "sigma"),
    [
        (stated_value(10.0, 1.0), stated_value(16.0, 2.0), 6.0 / hypot(1.0, 2.0)),
        (stated_value(16.0, 2.0), stated_value(10.0, 1.0), 6.0 / hypot(1.0, 2.0)),
        # Errors that face the other value count, and systematic ones are added in quadrature.
        (stated_value(10.0, plus=3.0, minus=0.1), stated_value(20.0, plus=0.1, minus=4.0), 10.0 / hypot(3.0, 4.0)),
        (stated_value(10.0, 3.0, plus_systematic=4.0), stated_value(20.0, 0.001), 10.0 / hypot(3.0, 4.0, 0.001)),
        # Units are made equal, and other dimensions are not compared.
        (stated_value(10.0, 1.0), stated_value(16_000.0, 2_000.0, unit="pc"), 6.0 / hypot(1.0, 2.0)),
        (stated_value(10.0, 1.0), stated_value(10.0, 1.0, unit="Myr"), None),
    ],
)
def test_the_distance_is_counted_in_standard_deviations_of_the_difference(
    first: StatedValue, second: StatedValue, sigma: float | None
) -> None:
    assert sigma_between(first, second) == (sigma and pytest.approx(sigma))


def test_two_values_of_a_constant_are_a_tension_with_both_sentences_the_earlier_first() -> None:
    local = paper("local", "We measure a Hubble constant of 73.0 ± 1.0 km/s/Mpc with Cepheids.", 2022)
    early = paper("early", "Dust is hard. The Hubble constant is 67.4 ± 0.5 km/s/Mpc in this model.", 2020)
    (tension,) = tensions(local, early)
    assert tension.subject == "Hubble constant"
    assert tension.sigma == pytest.approx(5.6 / hypot(1.0, 0.5))
    assert tension.reason == "5.0 sigma apart"
    assert [side.paper.paper_id for side in tension.sides] == ["early", "local"]
    assert tension.sides[0].quotation == "The Hubble constant is 67.4 ± 0.5 km/s/Mpc in this model."


HUBBLE = "We measure a Hubble constant of 73.0 ± 1.0 km/s/Mpc."
MASS = "The stellar mass of {} is 14.0 ± 0.5 kg."


@pytest.mark.parametrize(
    ("sentence", "other", "subject"),
    [
        (HUBBLE, "We measure a Hubble constant of 71.0 ± 1.5 km/s/Mpc.", None),
        ("The stellar mass of NGC 1068 is 10.0 ± 0.5 kg.", MASS.format("NGC 4258"), None),
        ("The stellar mass of NGC 1068 is 10.0 ± 0.5 kg.", "The total mass of NGC 1068 is 14.0 ± 0.5 kg.", None),
        (
            "The stellar mass of NGC 1068 is 10.0 ± 0.5 kg.",
            "For NGC1068, we find a stellar mass of 14.0 ± 0.5 kg.",
            "mass of NGC 1068",
        ),
        # Words that judge a value do not narrow its quantity.
        (
            "We measure a low stellar mass of 10.0 ± 0.5 kg for NGC 1068.",
            "The robust stellar mass of NGC 1068 is 14.0 ± 0.5 kg.",
            "mass of NGC 1068",
        ),
        # A method before a quantity is not its object.
        (
            "We derive an SBF distance of 17.7 ± 0.4 Mpc for NGC 1052.",
            "We derive an SBF distance of 14.4 ± 0.4 Mpc for NGC 4258.",
            None,
        ),
        # An object may be named with and without its prefix.
        ("We measure a stellar mass of 10.0 ± 0.5 kg for M81.", MASS.format("the galaxy M81"), "mass of M81"),
        (
            "We measure a stellar mass of 10.0 ± 0.5 kg for CL J0356-5337.",
            MASS.format("the SPT-CL J0356-5337"),
            "mass of CL J0356-5337",
        ),
        ("We measure a stellar mass of 10.0 ± 0.5 kg for L1689.", MASS.format("the Abell 1689"), None),
        # Assumed, predicted and limiting values are no measurements.
        (HUBBLE, "Assuming a Hubble constant of 60.0 ± 1.0 km/s/Mpc, the age is high.", None),
        (HUBBLE, "Simulated data give a Hubble constant of 60.0 ± 1.0 km/s/Mpc.", None),
        (HUBBLE, "The Hubble constant is less than 60 km/s/Mpc.", None),
    ],
)
def test_only_measurements_of_one_quantity_of_one_object_are_a_tension(
    sentence: str, other: str, subject: str | None
) -> None:
    found = tensions(paper("first", sentence), paper("second", other))
    assert [tension.subject for tension in found] == ([subject] if subject else [])


def test_values_of_one_paper_are_no_tension() -> None:
    assert tensions(paper("both", f"{HUBBLE} The Hubble constant is 60.0 ± 1.0 km/s/Mpc.")) == []


def test_values_that_are_very_far_apart_belong_to_different_things() -> None:
    near = paper("near", "The stellar mass of NGC 1068 is 10.0 ± 0.5 kg.")
    far = paper("far", "The stellar mass of NGC 1068 is 20.0 ± 0.5 kg.")
    assert sigma_between(*(value.stated_value for each in (near, far) for value in owned_values(each))) > 10
    assert value_tensions([value for each in (near, far) for value in owned_values(each)]) == ((), 1, 1)


# Values that are a finding of their own paper, and those that it cites or that only stand in a definition.


H0 = ("Hubble constant", 73.1)


def kinds_and_values(sentence: str) -> list[tuple[str, float]]:
    return [(value.kind.name, value.stated_value.value) for value in owned_values(Paper("p", "T", sentence))]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        # A finding counts also if it is compared with others.
        ("We find a Hubble constant of $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.", H0),
        ("Compared to earlier work, we find $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.", H0),
        ("The baseline result is H0 = 73.1 +/- 1.0 km/s/Mpc, which is higher than previous values.", H0),
        ("The scatter is lower than previously reported, but the fit has H0 = 73.1 +/- 1.0 km/s/Mpc.", H0),
        ("We find H0 = 73.1 +/- 1.0 km/s/Mpc, five standard deviations above the Planck prediction.", H0),
        ("We use three anchors, add more supernovae than earlier and obtain H0 = 73.1 +/- 1.0 km/s/Mpc.", H0),
        ("The errors shrink by more than a factor of two, with H0 = 73.1 +/- 1.0 km/s/Mpc.", H0),
        ("The optimum at $a = 0.9$ brings the joint fit to $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.", H0),
        # A value that is only cited does not.
        ("We assess the tension relative to the value of Brown et al. 2022, $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.", None),
        ("It is anchored to earlier data and their value of $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.", None),
        ("The result is slightly lower than the inferred value of $H_0 = 73.1 \\pm 1.0$ km/s/Mpc.", None),
        # A symbol after a comma is that of the quantity before it only if it is its initial.
        (r"With the local expansion rate, $H_0$, data, we find $N_{\rm eff} = 3.43 \pm 0.13$.", None),
        (
            "X-ray observations show the rotation period, $P = 261.08 \\pm 0.04$ ms, of the source.",
            ("period", 261.08),
        ),
    ],
)
def test_a_value_counts_that_is_a_finding_of_its_own_paper(sentence: str, found: tuple[str, float] | None) -> None:
    assert kinds_and_values(sentence) == ([found] if found else [])


def test_a_value_belongs_to_what_is_defined_and_not_to_a_quantity_in_the_definition() -> None:
    names = [
        name
        for name, _ in kinds_and_values(
            r"We find $S_8 \equiv \sigma_8 \sqrt{\Omega_\mathrm{m}/0.3} = 0.789 \pm 0.022$ in all."
        )
    ]
    assert "matter density" not in names


@pytest.mark.parametrize(
    "sentence",
    [
        "It is unclear whether dusty discs around young stars form planets.",
        "The mechanisms that form planets in dusty discs are poorly understood.",
        "We investigate how dusty discs around young stars form planets.",
    ],
)
def test_doubts_and_aims_are_no_statements(sentence: str) -> None:
    assert statements_of(Paper("p", "T", sentence)) == ()
    assert statements_of(Paper("p", "T", "Dusty discs around young stars form planets.")) != ()


# Statements of which one denies the other, and what surrounds a tension.


RISES = "The metallicity of these dwarf galaxies increases with stellar mass."
FALLS = "We find that the metallicity of dwarf galaxies decreases with stellar mass."


def test_opposite_directions_of_one_thing_are_a_tension() -> None:
    later = paper("later", "The discrepant metallicity trends of dwarf galaxies with mass are reconciled here.", 2010)
    (tension,) = find_tensions("?", (paper("new", FALLS, 2022), paper("old", RISES, 2001))).tensions
    assert tension.kind is TensionKind.STATEMENTS
    assert [side.quotation for side in tension.sides] == [RISES, FALLS]
    assert tension.reason == '"increases" in one, "decreases" in the other'
    assert tension.sigma is None
    assert set(tension.subject.split(", ")) >= {"metallicity", "dwarf", "galaxies"}
    (undated,) = find_tensions("?", (paper("one", RISES, None), paper("two", FALLS)), (later,)).tensions
    assert undated.later == ()  # without years no paper is later


LONG = "Here, the outer dust emission of old massive elliptical galaxies in nearby rich clusters at low density"


@pytest.mark.parametrize(
    ("says", "denies"),
    [
        (
            "Stellar winds can explain the outflows of massive dwarf galaxies.",
            "Stellar winds cannot explain the outflows of massive dwarf galaxies.",
        ),
        # In the same long sentence, a denial need not reach most words.
        (f"{LONG} is dominated by stellar winds.", f"{LONG} is not dominated by stellar winds."),
    ],
)
def test_a_denial_of_what_the_other_says_is_a_tension(says: str, denies: str) -> None:
    (tension,) = find_tensions("?", (paper("says", says), paper("denies", denies))).tensions
    assert tension.reason == "one denies what the other asserts"


@pytest.mark.parametrize(
    "other",
    [
        "The metallicity of dwarf galaxies also increases with stellar mass in our sample.",
        "The rotation of giant stars decreases with age.",
    ],
)
def test_the_same_statement_and_one_about_something_else_are_none(other: str) -> None:
    assert find_tensions("?", (paper("one", RISES), paper("two", other))).tensions == ()


def test_a_side_has_its_method_and_a_later_paper_its_word() -> None:
    old = paper("old", f"We use spectra of 40 galaxies. {RISES}", 2001)
    new = paper("new", FALLS, 2005)
    later = paper("later", "The discrepant metallicity trends of dwarf galaxies with mass are reconciled here.", 2010)
    earlier = paper("earlier", "There is a debate about the metallicity of dwarf galaxies and stellar mass.", 1990)
    tensions = find_tensions("?", (old, new), (later, earlier))
    (tension,) = tensions.tensions
    assert tension.sides[0].method == "We use spectra of 40 galaxies."
    assert [each.paper.paper_id for each in tension.later] == ["later"]
    assert (tensions.n_papers, tensions.n_values) == (2, 0)


# Tensions as JSON and CSV.


VALUE = StatedValue("early", "Hubble constant", 67.4, 0.5, 0.5, "km/s/Mpc", None, None, 0, 9)
EARLY = TensionSide(Paper("early", "Early", "", year=2020), "It is 67.4 ± 0.5 km/s/Mpc.", VALUE, "We use maps.")
LATE = TensionSide(Paper("late", "Late", "", year=2022), "=It is 73 ± 1 km/s/Mpc.")
LATER = LaterSentence(Paper("later", "Later", "", year=2023), "Both agree.")
TENSION = Tension(TensionKind.VALUES, "Hubble constant", (EARLY, LATE), "5.0 sigma apart", 5.0, (LATER,))
TENSIONS = Tensions("?", 2, 2, (TENSION,))


def test_the_record_has_both_sides_and_the_later_word() -> None:
    (record,) = operation.write(TENSIONS)["tensions"]
    assert (record["kind"], record["sigma"]) == ("values", 5.0)
    assert [side["paper_id"] for side in record["sides"]] == ["early", "late"]
    assert record["sides"][0]["value"]["value"] == 67.4
    assert record["sides"][1]["value"] is None
    assert record["later"] == [
        {"paper_id": "later", "title": "Later", "year": 2023, "status": None, "quotation": "Both agree."}
    ]


def test_csv_has_a_line_for_each_and_runs_no_formula() -> None:
    head, row = csv.reader(io.StringIO(tensions_csv(TENSIONS)))
    assert tuple(head) == COLUMNS
    assert row[6] == "It is 67.4 ± 0.5 km/s/Mpc."
    assert row[10] == "'=It is 73 ± 1 km/s/Mpc."
    assert row[-1] == "later: Both agree."


def test_pairs_that_are_too_far_apart_are_counted_and_the_reason_is_given() -> None:
    left_out = replace(TENSIONS, n_too_far=2)
    assert operation.write(left_out)["n_too_far"] == 2
    assert "2 further pairs" in describe_tensions(left_out)


# `pathfinder tensions`: findings that disagree.


QUESTION = "How do young galaxies form?"


def test_the_papers_that_were_compared_are_counted(run, corpus):
    line, *_ = run("tensions", QUESTION, "--corpus", corpus).out.splitlines()
    assert line.startswith("3 papers were compared")
    record = json.loads(run("tensions", QUESTION, "--corpus", corpus, "--json").out)
    assert (record["question"], record["n_papers"]) == (QUESTION, 3)


def test_csv_has_a_heading_for_both_sides(run, corpus):
    head, *_ = csv.reader(io.StringIO(run("tensions", QUESTION, "--corpus", corpus, "--format", "csv").out))
    assert head[4:6] == ["first_id", "first_year"]


def test_a_number_that_cannot_be_compared_is_a_usage_error(run, corpus):
    assert "equal to 2, got '1'" in only_line(run("tensions", QUESTION, "--corpus", corpus, "--papers", "1"), 2)


# Where the papers of a question disagree, behind the line under the answer.


def test_papers_are_compared_once_the_panel_is_open(ask: Open) -> None:
    page = ask(q="What is the value of the Hubble constant?", k="5")
    page.session_state["agreement"] = True
    ran(page.run())
    text = [part.value for part in page.markdown]
    assert any("with an uncertainty" in part for part in text)
    tensions = [part for part in text if part.startswith("**Hubble constant**")]
    assert tensions
    assert all("sigma apart" in part and part.count("abstract") + part.count("summary") >= 2 for part in tensions)
