"""Words of a field come from its profile: a corpus of another field has none of astronomy's."""

from dataclasses import replace

import pytest

from pathfinder.answering.digest.form import choose_form
from pathfinder.assessment.fidelity.check import check_fidelity
from pathfinder.assessment.named.kinds import named_target
from pathfinder.assessment.values.target import mentions_other, target_quantity
from pathfinder.profile import Profile, astronomy
from pathfinder.profile.profile import Alias, Landmark, Names
from pathfinder.types import DigestForm

BOTANY = replace(
    astronomy(),
    name="botany",
    names=Names(measures=("girths?",), forms=(("oak", "eiche"),), no_names=("dna",)),
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
