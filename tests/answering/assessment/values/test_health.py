"""Values in papers on health: shares, ratios with intervals, and pressures, each with what is easily taken for one."""

import pytest

from pathfinder.answering.assessment.values.candidate import sigma_between, value_as_text
from pathfinder.answering.digest.form import choose_form
from pathfinder.answering.digest.values import states_share, values_of_papers
from pathfinder.profile import Profile, parse_profile
from pathfinder.types import DigestForm, Paper


def health(dimensions: str = "{ share = 1 }") -> Profile:
    return parse_profile(
        f"""
name = "health"
title = "Health"
icon = ":material/pill:"
examples = ["How common is gout?"]

[field]
names = ["medicine"]
adjective = "medical"
experts = ["physician"]

[[quantities]]
name = "hazard ratio"
words = ['hazard ratios?']
dimensions = [{{}}]
symbols = 'HR'
is_named = true

[[quantities]]
name = "prevalence"
words = ['prevalence']
dimensions = [{dimensions}]
questions = ['\\bhow common\\b']
is_named = true

[[quantities]]
name = "blood pressure"
words = ['(?:systolic |diastolic )?blood pressure']
dimensions = [{{ pressure = 1 }}]
""".encode(),
        "health.toml",
    )


def values(question: str, abstract: str, title: str = "A survey", profile: Profile | None = None) -> list[str]:
    lines = values_of_papers(question, [Paper("a", title, abstract, year=2001)], profile=profile or health())
    return [value_as_text(value) for value in lines.values] if lines else []


@pytest.mark.parametrize("dimensions", ["{ share = 1 }", "{}"])
@pytest.mark.parametrize(
    ("abstract", "found"),
    [
        ("We studied 1) prevalence of gout, 2) its severity, and 3) its costs in towns.", []),
        ("We studied (1) the prevalence of gout, (2) its severity and (3) its costs.", []),
        ("We studied: 1. prevalence of gout; 2. severity; 3. costs.", []),
        ("We studied (a) the prevalence of gout and i) its costs.", []),
        ("The prevalence of gout was 4.2% (95% CI 3 to 6).", ["4.2 % (95% CI 3 to 6)"]),
        ("The prevalence of gout was 4.2% [95% confidence interval (CI): 3.1%-6.0%].", 1),
        ("The prevalence of gout was 4.2 per cent at a 95 per cent confidence level.", ["4.2 per cent"]),
        ("Prevalence of gout was asked in a survey (N = 1,524, 49.4% male).", []),
        ("Adults with gout (51.3% women) were asked; the response was 70%.", []),
        ("Salt accounts for 50% of gout.", []),
        ("From 72 specific signs of gout, we chose those with a high prevalence.", []),
        ("The prevalence of gout was higher in men (6.1%) than in women (2.0%).", ["6.1 %"]),
    ],
)
def test_a_share_is_read_and_no_mark_level_or_sample_is(dimensions, abstract, found):
    read = values("What is the prevalence of gout?", abstract, profile=health(dimensions))
    assert len(read) == found if isinstance(found, int) else read == found


def test_a_ratio_is_no_percentage():
    assert values("What is the hazard ratio of stroke?", "The hazard ratio of stroke rose to 52% of risk.") == []


def test_a_value_whose_sentence_names_another_endpoint_or_drug_is_not_read():
    question = "What is the hazard ratio of death with alphapril compared with placebo in heart failure?"
    stroke = "Alphapril had fewer strokes than placebo in heart failure (hazard ratio 0.65, 95% CI 0.35 to 1.22)."
    other = "Betapril lowered deaths in heart failure against placebo (hazard ratio 0.70)."
    right = "Alphapril lowered deaths in heart failure against placebo (hazard ratio 0.80)."
    assert values(question, f"{stroke} {other} {right}") == ["0.8"]


def test_a_value_whose_title_alone_names_the_drug_is_shown_with_a_doubt():
    question = "What is the hazard ratio of death with alphapril in heart failure?"
    paper = Paper("a", "Iron in the alphapril trial of heart failure", "Of death, the hazard ratio was 1.52.", year=1)
    lines = values_of_papers(question, [paper], profile=health())
    assert lines is not None
    assert any("alphapril" in note for note in lines.notes[1:])


def test_a_drug_that_the_sentence_abbreviates_is_named_and_raises_no_doubt():
    abstract = "Long lives treatment (LLT) is new. With LLT, the hazard ratio of gout was 0.61 (95% CI 0.5 to 0.7)."
    lines = values_of_papers(
        "What is the hazard ratio of gout with long lives treatment?",
        [Paper("a", "A trial", abstract)],
        profile=health(),
    )
    assert lines is not None
    assert not any("long lives" in note for note in lines.notes)


@pytest.mark.parametrize(
    ("sentence", "states"),
    [
        ("Gout befell 24% to 46% of sailors.", True),
        ("Gout befell many sailors.", False),
        ("Scurvy befell 24% of sailors.", False),
    ],
)
def test_a_sentence_that_states_a_share_of_all_that_the_question_names_may_answer_it(sentence, states):
    assert states_share("How common is gout in sailors?", sentence, health()) is states


@pytest.mark.parametrize("unit", ["mm Hg", "mmHg", "mm-Hg", "kPa"])
def test_a_blood_pressure_is_read_in_its_unit(unit):
    abstract = f"The blood pressure after alphapril was 131 {unit}."
    assert len(values("What is the blood pressure after alphapril?", abstract)) == 1


def test_a_question_for_a_quantity_of_the_profile_asks_for_values_and_one_for_its_change_for_sides():
    profile = health()
    assert choose_form("What is the blood pressure after alphapril?", None, profile).form is DigestForm.VALUES
    assert choose_form("How much does alphapril lower blood pressure?", None, profile).form is DigestForm.SIDES


def test_an_interval_is_no_standard_deviation():
    papers = [Paper(each, "Gout", f"The prevalence of gout was {each}% (95% CI 1 to 9).", year=1) for each in "25"]
    lines = values_of_papers("What is the prevalence of gout?", papers, profile=health())
    assert lines is not None
    assert sigma_between(*lines.values) is None
