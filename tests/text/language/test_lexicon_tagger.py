"""Parts of speech and noun phrases found with the lexicon tagger."""

import pytest

from pathfinder.corpus.keywords import field_terms
from pathfinder.text.language.lexicon_tagger import LexiconTagger, read_lexicon
from pathfinder.text.language.tagged_text import noun_phrases, noun_runs, tag_text


@pytest.fixture(scope="module")
def tagger() -> LexiconTagger:
    return LexiconTagger(read_lexicon())


def phrases(tagger: LexiconTagger, text: str) -> list[str]:
    parts = tag_text(text, tagger, field_terms(None))
    return [parts.text_of(span) for span in parts.noun_phrases()]


def test_without_words_there_are_no_tags(tagger):
    assert tagger.tags([]) == []
    assert tagger.tags([[]]) == [[]]
    assert list(noun_runs([], [])) == list(noun_phrases(0, 0, [], [])) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We present phase curves and report a nightside temperature.", ["phase curves", "nightside temperature"]),
        ("Stellar feedback drives the outflows.", ["Stellar feedback", "outflows"]),
        ("These observations reveal cold gas.", ["cold gas"]),
        ("Quasars host black holes.", ["Quasars", "black holes"]),
        ("They model dust to trace star formation.", ["dust", "star formation"]),
        ("The fraction of quasars decreases with redshift.", ["quasars", "redshift"]),
        ("How does dust shape galaxies?", ["dust", "galaxies"]),
    ],
)
def test_verbs_are_in_no_phrase(tagger, text, expected):
    assert phrases(tagger, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the ionizing photon production efficiency", ["ionizing photon production efficiency"]),
        ("Tidally locked planets", ["Tidally locked planets"]),
        ("spatially resolved spectroscopy", ["spatially resolved spectroscopy"]),
        ("weak lensing of quasars", ["weak lensing", "quasars"]),
        ("carbon burning in stars", ["carbon burning", "stars"]),
    ],
)
def test_participles_that_modify_a_noun_stay_in_its_phrase(tagger, text, expected):
    assert phrases(tagger, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("By ionizing the gas", ["gas"]),
        ("classifying galaxies is hard", ["galaxies"]),
        ("quasars were observed nightly", ["quasars"]),
        ("light coming from stars", ["light", "stars"]),
        ("randomly chosen quasars", ["quasars"]),
    ],
)
def test_participles_that_are_verbs_are_left_out_of_phrases(tagger, text, expected):
    assert phrases(tagger, text) == expected


@pytest.mark.parametrize(
    "phrase",
    [
        "three-dimensional simulations",
        "star-forming galaxies",
        "mass–metallicity relation",
        "X-ray binaries",
        "21-cm line",
        "[O III] emission",
        "H II regions",
        "f(R) gravity",
        "M dwarfs",
        "T Tauri stars",
        "near-infrared spectroscopy",
        "near infrared spectroscopy",
        "de Sitter space",
        "main sequence",
        "weak lensing",
        "short gamma-ray bursts",
        "time series",
        "NGC 1068",
    ],
)
def test_a_scientific_term_is_one_phrase(tagger, phrase):
    assert phrases(tagger, f"We search for the {phrase} of quasars.") == [phrase, "quasars"]


@pytest.mark.parametrize(
    "text",
    [
        "a new paper",
        "the first results of this work",
        "a large sample of data",
        "10 km s^-1 at z = 0.5",
        "M* and Δt",
        "in March 2020 (e.g. Smith et al. 2020)",
        "https://example.org",
        "theoretical models",
        "you're",
    ],
)
def test_stop_words_alone_make_no_phrase(tagger, text):
    assert phrases(tagger, text) == []


def test_a_phrase_has_at_most_its_last_five_words(tagger):
    assert phrases(tagger, "cold dense dusty turbulent magnetized molecular gas") == [
        "dusty turbulent magnetized molecular gas"
    ]


def test_a_long_phrase_is_split_after_its_possessive(tagger):
    assert phrases(tagger, "the Milky Way's star formation history") == ["Milky Way", "star formation history"]
    assert phrases(tagger, "on Jupiter's atmosphere") == ["Jupiter's atmosphere"]


def test_a_symbol_after_the_name_of_its_quantity_is_left_out(tagger):
    assert phrases(tagger, "the Hubble constant H_0 and S_8") == ["Hubble constant", "S8"]


def test_capitals_in_a_title_do_not_change_its_phrases(tagger):
    assert phrases(tagger, "We Present The Dark Matter Halos Of Dwarf Galaxies") == [
        "Dark Matter Halos",
        "Dwarf Galaxies",
    ]
    assert phrases(tagger, "THE DARK MATTER OF DWARF GALAXIES") == ["DARK MATTER", "DWARF GALAXIES"]


def test_words_in_other_scripts_are_not_guessed_at(tagger):
    assert phrases(tagger, "Что такое тёмная материя? 暗物质 JWST") == ["JWST"]
