"""Named entities of a question, and names that are part of a concept."""

import pytest

from pathfinder.corpus.missions.catalogue import gazetteer_of
from pathfinder.text.language.entities import find_entities
from pathfinder.text.language.lexicon_tagger import LexiconTagger, read_lexicon
from pathfinder.text.language.tagged_text import tag_text


@pytest.fixture(scope="module")
def tagger() -> LexiconTagger:
    return LexiconTagger(read_lexicon())


def names(tagger: LexiconTagger, text: str) -> list[str]:
    parts = tag_text(text, tagger)
    return [parts.text_of((name.start, name.end)) for name in find_entities(parts, gazetteer_of())]


@pytest.mark.parametrize("text", ["", "?", "what is dark matter", "The origin of stars", "I, II and IV", "2020"])
def test_text_without_names_has_no_entities(tagger, text):
    assert names(tagger, text) == []


@pytest.mark.parametrize(
    "name",
    [
        "JWST",
        "Chandra",
        "XMM-Newton",
        "eROSITA",
        "NGC 1068",
        "M87*",
        "WASP-43b",
        "TRAPPIST-1 e",
        "GW170817",
        "SN 1987A",
        "AT2018cow",
        "3C 273",
        "J1030+0524",
        "Enceladus",
        "Large Magellanic Cloud",
        "Crater II",
        "Sgr A*",
        "AGN",
        "MCMC",
        "Gaia DR3",
        "Andromeda galaxy",
        "Zwicky Transient Facility",
    ],
)
def test_a_name_inside_a_question_is_an_entity(tagger, name):
    assert names(tagger, f"What do we learn from {name} about dust?") == [name]


@pytest.mark.parametrize("name", ["jwst", "ngc 1068", "m87*", "gw170817", "milky way", "hubble", "mars", "sgr a*"])
def test_names_of_the_gazetteer_are_found_in_lower_case(tagger, name):
    assert names(tagger, f"what do we learn from {name} about dust") == [name]


@pytest.mark.parametrize(
    "concept",
    [
        "Hubble constant",
        "hubble tension",
        "Kepler problem",
        "Fermi bubbles",
        "Planck mass",
        "Kerr black holes",
        "Seyfert galaxies",
        "BL Lacertae objects",
        "Gaussian process",
        "hot Jupiters",
        "OB stars",
        "Type Ia supernovae",
        "swift changes",
    ],
)
def test_a_name_inside_a_concept_is_no_entity(tagger, concept):
    assert names(tagger, f"What do we learn from {concept} in the dust?") == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hubble images", "Hubble"),
        ("planck data", "planck"),
        ("Kepler light curves", "Kepler"),
        ("Fermi LAT", "Fermi LAT"),
    ],
)
def test_an_ambiguous_name_before_telescope_nouns_is_the_telescope(tagger, text, name):
    assert names(tagger, f"What is in the {text} of dust?") == [name]


def test_capitals_are_ignored_in_text_that_is_all_capitals(tagger):
    assert names(tagger, "WHAT IS THE DUST OF JWST MADE OF?") == ["JWST"]


def test_a_name_is_separable_from_its_phrase_and_an_acronym_is_not(tagger):
    parts = tag_text("JWST spectra and AGN feedback", tagger)
    assert [(name.start, name.end, name.is_separable) for name in find_entities(parts, gazetteer_of())] == [
        (0, 1, True),
        (3, 4, False),
    ]
