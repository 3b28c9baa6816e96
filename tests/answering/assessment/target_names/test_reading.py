from dataclasses import replace

import pytest

from pathfinder.answering.assessment.target_names.kinds import named_target
from pathfinder.answering.assessment.target_names.name_in_text import key_of
from pathfinder.answering.assessment.target_names.names_in_papers import names_in
from pathfinder.profile import astronomy
from pathfinder.profile.profile import Designation, Names


def names(question: str, text: str, title: str = "A paper") -> list[str]:
    target = named_target(question)
    assert target is not None
    return [name.name for name in names_in(target, title, text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The SKIRT code follows photons.", ["SKIRT"]),
        ("We use the radiative transfer code RADMC-3D here.", ["RADMC-3D"]),
        ("Hyperion is a Monte Carlo radiative transfer code.", ["Hyperion"]),
        ("They present a code, MCFOST, which follows light.", ["MCFOST"]),
        ("DIRTY was among the first tools to fit galaxies.", ["DIRTY"]),
        ("Codes such as SKIRT, POLARIS and MCFOST agree.", ["SKIRT", "POLARIS", "MCFOST"]),
        ("We run the package \\texttt{Astropy} on it.", ["Astropy"]),
        ("The code CMBFAST was given away; later the CMBFAST code was used.", ["CMBFAST"]),
        ("Monte Carlo codes and MHD codes are slow.", []),
        ("Fritz Zwicky first shows why the codes fail.", []),
        ("The code was written in April.", []),
    ],
)
def test_names_are_read_where_they_stand_beside_their_noun(text, expected):
    assert names("Which codes are used?", text) == expected


def test_a_title_names_what_its_paper_presents():
    text = "Cloudy does this for a cloud. The code became a reference."
    assert names("Which codes are used?", text, "CLOUDY 90: Numerical Simulation of Plasmas") == ["Cloudy"]


def test_missions_are_found_in_the_catalogue():
    assert names("Which telescopes were used?", "Spectra were taken with JWST and with XMM-Newton.") == [
        "JWST",
        "XMM-Newton",
    ]


def test_objects_are_found_by_their_designations():
    text = "The pulsars PSR J0737-3039 and PSR B1913+16 were timed."
    assert names("Which pulsars were timed?", text) == ["PSR J0737-3039", "PSR B1913+16"]


def test_names_count_in_other_fields_too():
    text = "We train on the ImageNet dataset and on datasets such as MNIST and SQuAD."
    assert names("Which datasets are used?", text) == ["ImageNet", "MNIST", "SQuAD"]


def test_the_other_words_of_the_question_must_fit():
    target = named_target("Which radiative transfer codes are used?")
    assert target is not None
    assert names_in(target, "N-body", "The GADGET code follows particles.") == ()
    (name,) = names_in(target, "Dust", "The SKIRT code solves radiative transfer.")
    assert name.fit == 1.0


@pytest.mark.parametrize("verb", ["treat", "handle", "solve", "compute", "describe"])
def test_what_the_things_do_ends_the_words_that_stand_before_them(verb):
    target = named_target(f"Which codes {verb} radiative transfer?")
    assert target is not None
    assert (target.kind, target.modifiers, len(target.contexts)) == ("code", frozenset(), 1)


@pytest.mark.parametrize("question", ["Why do galaxies merge?", "What is dark matter?", "Who found Pluto?"])
def test_other_questions_ask_for_no_names(question):
    assert named_target(question) is None


def test_spellings_of_a_name_are_the_same_name():
    assert key_of("RADMC-3D") == key_of("RADMC3D") == key_of("Radmc 3D")
    assert key_of("Planck 2018") == key_of("Planck")


@pytest.mark.parametrize(
    ("question", "title", "text", "expected"),
    [
        ("Which gravitational wave events were detected?", "GW151226: Gravitational Waves", "Yes.", ["GW151226"]),
        ("What molecules are interstellar?", "Interstellar H2O", "See ammonia and HCO+.", ["ammonia", "HCO+", "H2O"]),
        ("Which moons have an atmosphere or a ring?", "Titan: an Atmosphere", "Titan has bands.", ["Titan"]),
        ("Which satellites surveyed the sky in X-rays?", "The ROSAT all-sky X-ray catalogue", "It is full.", ["ROSAT"]),
        ("What Python packages are there?", "Astropy: A Python package", "It was sorely needed.", ["Astropy"]),
        ("What Python packages are there?", "yt: An Analysis Toolkit", "It uses Python; yt is free.", ["yt"]),
        ("What Python packages are there?", "Supernovae", "TARDIS was open, written in Python.", ["TARDIS"]),
        ("Which molecules are in interstellar space?", "Interstellar dust", "We use SPH, MCMC and NGC 1068.", []),
    ],
)  # fmt: skip
def test_events_molecules_moons_satellites_and_packages_are_read_from_text_and_title(question, title, text, expected):
    assert sorted(names(question, text, title)) == sorted(expected)


def test_a_name_that_only_the_title_has_stands_at_the_first_sentence():
    target = named_target("What Python packages are there?")
    assert target is not None
    (name,) = names_in(target, "Astropy: A Python package", "It was needed. It grew.")
    assert (name.name, name.start, name.end, name.sentence_end) == ("Astropy", 0, 0, len("It was needed."))


def test_the_things_and_the_designations_of_a_field_are_in_its_profile():
    genes = (Designation(("gene", "allele"), r"[A-Z]{3,5}\d"),)
    field = replace(astronomy(), names=Names(things=("gene", "allele")), designations=genes)
    text = "Tumours are more common with an altered BRCA1, and so they are with TP53 at risk."
    target = named_target("Which genes raise the risk of tumours?", field)
    assert target.kind == "object"
    assert [name.name for name in names_in(target, "Tumours", text)] == ["BRCA1"]
    assert named_target("Which pulsars are in binaries?", field).designation is None
    assert named_target("Which pulsars are in binaries?").designation.startswith("PSR")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which stars are variable?", "The δ Scuti stars are variable."),
        ("Which stars are variable?", "The delta Scuti stars are variable, and so are UV Ceti stars."),
        ("Which stars are variable?", "The HD stars are variable."),
        ("Which molecules are in comets?", "The comet C/2025 N1 was bright, and so was HD 20794 in comets."),
        ("Which codes treat light?", "The Transfer code is old; it treats the transfer of light."),
        ("Which codes treat light?", "The CR code treats light."),
        ("Which methods measure distances?", "The Gaia-based method measures distances."),
        ("Which surveys map light?", "The Javalambre Photometric Local survey maps light."),
    ],
)
def test_fragments_of_names_prefixes_of_catalogues_and_ordinary_words_are_no_names(question, text):
    assert names(question, text) == []


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("Which codes are used?", "We present an RHD code and run the SOC code.", ["SOC"]),
        ("Which codes are used?", "It is radiation hydrodynamics (RHD); the RHD code is fast.", []),
        ("Which spectrographs are used?", "The EXtreme PREcision Spectrograph saw it.", []),
        ("Which surveys find fast radio bursts?", "It was built to survey Fast Radio Bursts.", []),
        ("Which surveys are there?", "The Pilot Survey found more than the GLASS survey.", ["GLASS"]),
        ("What molecules are found?", "We see CH$_4$ and H$_2$O, with non-detections of HCN.", ["CH4", "H2O"]),
        ("Which instruments on JWST are used?", "JWST/MIRI saw what HARPS did not.", ["MIRI", "HARPS"]),
        ("Which instruments on JWST are used?", "HARPS saw it first.", []),
    ],
)
def test_types_of_things_ordinary_abbreviations_and_what_was_not_found_are_no_names(question, text, expected):
    assert sorted(names_that_fit(question, text, "A paper")) == sorted(expected)


def test_a_mission_that_the_title_presents_is_read_where_its_sentence_lacks_the_words_after_the_noun():
    text = "XMM-Newton has the wider pupil. It sees X-rays."
    assert names_that_fit("Which telescopes observe X-rays?", text, "XMM-Newton observatory. I") == ["XMM-Newton"]
    assert names_that_fit("Which telescopes observe X-rays?", text, "Wide pupils of XMM-Newton") == []
    assert names_that_fit("Which telescopes imaged distant X-rays?", text, "XMM-Newton observatory. I") == []


def test_words_after_the_noun_may_stand_anywhere_in_a_paper_whose_title_has_the_name():
    text = "SEEDZ simulations reach small scales. Feedback of black holes is part of them."
    question = "Which simulations include black hole feedback?"
    assert names_that_fit(question, text, "Introducing SEEDZ") == ["SEEDZ"]
    assert names_that_fit(question, text, "Clustering in SEEDZ") == ["SEEDZ"]
    assert names_that_fit(question, text, "A paper") == []


def test_a_moon_in_the_title_needs_the_words_after_the_noun_in_its_sentence():
    text = "Io is hot. Other moons have oceans under the ice."
    assert names_that_fit("Which moons have oceans under the ice?", text, "Melting of Io") == []


def names_that_fit(question: str, text: str, title: str) -> list[str]:
    target = named_target(question)
    assert target is not None
    return [name.name for name in names_in(target, title, text) if name.fit > 0.0]


def test_a_name_that_ends_with_its_own_noun_keeps_its_adjective():
    text = "The Habitable Worlds Observatory mission will look for life."
    assert names("Which future missions look for life?", text) == ["Habitable Worlds Observatory"]
