"""Words of a field come from its profile: a corpus of another field has none of astronomy's."""

from dataclasses import replace

import pytest

from pathfinder.answering.assessment.fidelity import check_fidelity
from pathfinder.answering.assessment.target_names.kinds import named_target
from pathfinder.answering.assessment.target_names.names_in_papers import names_in
from pathfinder.answering.assessment.values.belonging import Owner
from pathfinder.answering.assessment.values.kinds import field_kinds
from pathfinder.answering.assessment.values.stated_values import values_in
from pathfinder.answering.assessment.values.target import mentions_other, target_quantity
from pathfinder.answering.digest.form import choose_form
from pathfinder.answering.roles import SentenceRole, suitability
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.profile import Names, Owners, Profile, Services, astronomy
from pathfinder.profile.names import OtherSense, Rivals
from pathfinder.profile.profile import Alias, Landmark
from pathfinder.retrieval.authors.author_filter import authors_named
from pathfinder.retrieval.years.in_questions import years_named
from pathfinder.types import DigestForm

BOTANY = replace(
    astronomy(),
    name="botany",
    names=Names(
        measures=("girths?",),
        forms=(("oak", "eiche"),),
        no_names=("dna",),
        things=("oak", "tree"),
        facilities=(("microscope", "herbarium"),),
        events=("blossom",),
        counted=("acorn",),
        lettered=("ring",),
        bigrams=("late wood",),
        data=("herbarium sheets?",),
        no_years=("plots?",),
        no_eras=("oak",),
    ),
    owners=Owners(
        bodies=("giant",),
        parts=("root", "crown"),
        others=("acorn", "leaf"),
        attributes=("fresh",),
        totals=("wood",),
        standpoints=("brook",),
        other_senses=(OtherSense("distance", ("flight",)),),
        rivals=(Rivals("mass", ("root", "crown")),),
    ),
    services=Services(),
    quantities=(),
    designations=(),
    aliases=(
        Alias(in_questions="fairy ring", in_papers="marasmius", mistaken_for="fairy ring|mr"),
        Alias(in_questions="gut flora", in_papers="microbiome", is_wide=True),
    ),
    landmarks=(Landmark(word="ground", in_papers=r"\bsoil\b"),),
)


@pytest.mark.parametrize(
    ("question", "profile", "form"),
    [
        ("What is the redshift of the ring?", None, DigestForm.VALUES),
        ("What is the redshift of the ring?", BOTANY, DigestForm.FINDINGS),
        ("What is the girth of the old oak?", BOTANY, DigestForm.VALUES),
        ("What is the girth of the old oak?", None, DigestForm.FINDINGS),
    ],
)
def test_a_field_says_which_nouns_stand_for_a_number(question: str, profile: Profile | None, form: DigestForm):
    assert choose_form(question, profile=profile).form is form


@pytest.mark.parametrize("scientist", ["astronomer", "botanist?", "microbiologist", "mathematician", "chemist"])
def test_a_question_may_ask_for_the_scientist_of_any_field(scientist: str):
    is_known = not scientist.startswith("botanist")  # no ending that only scientists have
    form = choose_form(f"Which {scientist} described the ring first?").form
    assert (form is DigestForm.FACT) is is_known


def test_a_rewrite_may_use_the_forms_of_a_name_in_its_field():
    original, rewritten = "We saw the Oak [1].", "Wir sahen die Eiche [1]."
    assert check_fidelity(original, rewritten, "German", BOTANY).lost == ()
    assert [change.text for change in check_fidelity(original, rewritten, "German").lost] == ["Oak"]


def test_a_field_says_which_acronyms_name_nothing():
    botany, sky = (named_target("Which surveys map meadows?", profile) for profile in (BOTANY, None))
    assert botany is not None
    assert sky is not None
    assert {"dna", "the"} <= botany.no_names
    assert "agn" not in botany.no_names
    assert {"agn", "the"} <= sky.no_names
    assert "dna" not in sky.no_names


def test_a_field_says_what_its_papers_call_the_same_thing():
    target = target_quantity("How old is the fairy ring?", BOTANY)
    assert target is not None
    assert target.names == ("marasmius",)
    wide = target_quantity("What is the mass of the gut flora?", BOTANY)
    assert wide is not None
    assert (wide.names, wide.wide_names) == ((), ("microbiome",))
    assert mentions_other(wide, "the mr is older")
    assert not mentions_other(target, "the mr is older")
    sky = target_quantity("How old is the fairy ring?")
    assert sky is not None
    assert sky.names == ()


def test_a_landmark_is_asked_for_only_if_nothing_else_is_named():
    alone = target_quantity("What is the temperature of the Ground?", BOTANY)
    assert alone is not None
    assert alone.names == (r"\bsoil\b",)
    beside = target_quantity("How far is the Eagle Nest from the Ground?", BOTANY)
    assert beside is not None
    assert r"\bsoil\b" not in beside.names


@pytest.mark.parametrize(
    ("question", "sentence", "values"),
    [
        ("What is the mass of Bowthorpe Oak?", "The Bowthorpe Oak has a mass of 4000 kg.", [4000.0]),
        ("What is the mass of Bowthorpe Oak?", "For Bowthorpe Oak, the mass of an acorn is 12 g.", []),
        ("What is the root mass of Bowthorpe Oak?", "Bowthorpe Oak has a crown mass of 300 kg.", []),
    ],
)
def test_a_field_says_what_its_values_belong_to(question: str, sentence: str, values: list[float]):
    target = target_quantity(question, BOTANY)
    assert target is not None
    assert [each.stated_value.value for each in values_in(target, "a", "Bowthorpe Oak", sentence)] == values


def test_the_nouns_of_the_sky_are_no_nouns_of_another_field():
    botany, sky = (target_quantity("How old is the tree?", profile) for profile in (BOTANY, None))
    assert botany is not None
    assert sky is not None
    assert botany.kinds.nouns.anaphor.fullmatch("the giant")
    assert not botany.kinds.nouns.anaphor.fullmatch("the galaxy")
    assert sky.kinds.nouns.anaphor.fullmatch("the galaxy")
    assert botany.kinds.nouns.part.search("its crown")
    assert not botany.kinds.nouns.part.search("its bulge")


def test_a_field_names_its_facilities():
    text = "We use the Abbe Microscope. The Gaia telescope stands elsewhere."
    target = named_target("Which microscopes are used?", BOTANY)
    assert target is not None
    assert (target.kind, target.has_missions) == ("microscope", False)
    assert [name.name for name in names_in(target, "A paper", text)] == ["Abbe Microscope"]


def test_a_field_says_which_events_have_a_year():
    question = "What was seen during the 2019 cherry blossom?"
    assert years_named(question, None, BOTANY) is not None
    assert years_named("How does a tree grow in 1900 acorns?", None, BOTANY) is None
    assert years_named("What has been found since Kepler?", None, BOTANY) is None
    assert years_named("What has been found since Kepler?", None) is None
    assert years_named("What has been found since the Kepler mission?", None) is not None


def test_a_person_who_shares_a_name_with_a_mission_is_an_author_in_another_field():
    question = "What did Kepler find about snowflakes?"
    assert authors_named(question) is None
    named = authors_named(question, BOTANY)
    assert named is not None
    assert named.names == ("Kepler",)


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        ("Bowthorpe Oak lies at a distance of 5 km from the brook.", [5.0]),
        ("Bowthorpe Oak lies at a distance of 5 km from the Sun.", []),
        ("Bowthorpe Oak has a flight distance of 7 km.", []),
    ],
)
def test_a_field_says_from_where_and_in_which_sense_distances_are_measured(sentence: str, values: list[float]):
    target = target_quantity("What is the distance to Bowthorpe Oak?", BOTANY)
    assert target is not None
    assert [each.stated_value.value for each in values_in(target, "a", "Bowthorpe Oak", sentence)] == values


@pytest.mark.parametrize(
    ("words", "name"),
    [("the fresh crown of", "crown"), ("the wood total", "wood total"), ("the stellar total", "stellar")],
)
def test_a_field_says_which_adjectives_belong_to_the_name_of_an_owner(words: str, name: str):
    assert Owner(words).for_readers(field_kinds(BOTANY).nouns) == name


def test_a_field_says_to_which_nouns_a_letter_belongs():
    extractor = KeywordExtractor.load(model="no_such_model", profile=BOTANY)
    assert {keyword.text for keyword in extractor.question_keywords("Are K rings older than M dwarfs?")} == {
        "K rings",
        "dwarfs",
    }


@pytest.mark.parametrize(
    ("profile", "keywords"), [(BOTANY, {"late wood", "sequence"}), (None, {"wood", "main sequence"})]
)
def test_a_field_says_which_two_words_are_a_term(profile: Profile | None, keywords: set[str]):
    extractor = KeywordExtractor.load(model="no_such_model", profile=profile)
    question = "Does the late wood resemble the main sequence?"
    assert {keyword.text for keyword in extractor.question_keywords(question)} == keywords


@pytest.mark.parametrize(
    ("question", "is_of_botany", "is_of_astronomy"),
    [
        ("What grows in plots from 1950 to 1990?", False, True),
        ("What is seen at multipoles from 1950 to 1990?", True, False),
        ("What is seen at wavelengths from 1950 to 1990?", False, False),
    ],
)
def test_a_field_says_before_which_numbers_no_year_stands(question: str, is_of_botany: bool, is_of_astronomy: bool):
    assert (years_named(question, None, BOTANY) is not None) is is_of_botany
    assert (years_named(question, None) is not None) is is_of_astronomy


def test_a_field_says_what_its_samples_consist_of():
    botany, sky = ((SentenceRole.SAMPLE, profile.names.data) for profile in (BOTANY, astronomy()))
    sheets, curves = "They keep herbarium sheets.", "They keep light curves."
    assert suitability(botany[0], sheets, 0.0, botany[1]) == suitability(sky[0], curves, 0.0, sky[1]) > 0.0
    assert suitability(botany[0], curves, 0.0, botany[1]) == suitability(sky[0], sheets, 0.0, sky[1]) == 0.0
