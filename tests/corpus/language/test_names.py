"""Names in a question, and names that have become part of a concept."""

import pytest

from pathfinder.corpus.language.names import names_in
from pathfinder.corpus.language.tagged import tagged
from pathfinder.corpus.language.tagging import LexiconTagger, read_lexicon


@pytest.fixture(scope="module")
def tagger() -> LexiconTagger:
    return LexiconTagger(read_lexicon())


def names(tagger: LexiconTagger, text: str) -> list[str]:
    parts = tagged(text, tagger)
    return [parts.text_of((name.start, name.end)) for name in names_in(parts)]


@pytest.mark.parametrize("text", ["", "?", "what is dark matter", "The origin of stars", "I, II and IV", "2020"])
def test_where_there_is_no_name_none_is_found(tagger, text):
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
def test_a_name_is_found_in_the_middle_of_a_question(tagger, name):
    assert names(tagger, f"What do we learn from {name} about dust?") == [name]


@pytest.mark.parametrize("name", ["jwst", "ngc 1068", "m87*", "gw170817", "milky way", "hubble", "mars", "sgr a*"])
def test_the_known_names_are_found_in_lower_case(tagger, name):
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
def test_a_name_that_has_become_part_of_a_concept_is_none(tagger, concept):
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
def test_before_what_telescopes_yield_it_is_the_telescope(tagger, text, name):
    assert names(tagger, f"What is in the {text} of dust?") == [name]


def test_capitals_say_nothing_where_everything_is_in_capitals(tagger):
    assert names(tagger, "WHAT IS THE DUST OF JWST MADE OF?") == ["JWST"]


def test_a_name_is_cut_out_of_its_phrase_and_an_acronym_is_not(tagger):
    parts = tagged("JWST spectra and AGN feedback", tagger)
    assert [(name.start, name.end, name.is_apart) for name in names_in(parts)] == [(0, 1, True), (3, 4, False)]
