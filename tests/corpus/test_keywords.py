"""Keyphrases of papers and keywords of questions, without a model."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Keyword
from tests.faults.watch import in_time


@pytest.fixture(scope="module")
def extractor() -> KeywordExtractor:
    return KeywordExtractor.load(model="no_such_model")


def keywords_of(extractor: KeywordExtractor, question: str) -> list[str]:
    """Return the keywords of a question, with a star in front of named entities."""
    return ["*" * keyword.is_entity + keyword.text for keyword in extractor.question_keywords(question)]


# Papers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " ", ".", "🙂🙂", "$$", "of the", "12 34.5 10^-3", "\\", "暗物质是什么"])
def test_a_text_without_words_has_no_phrases(extractor, text):
    assert extractor.phrases(text) == ()


PAPER = (
    "Bursty star formation in galaxies of the epoch of reionization. We present deep JWST NIRSpec spectroscopy of 51 "
    "galaxies at $z\\sim7$ and report their star formation histories. The ionizing photon production efficiency "
    "$\\xi_{\\rm ion}$ is higher than in low-mass galaxies, and stellar feedback drives powerful outflows at rates of "
    "10 M$_\\odot$ yr$^{-1}$. Three-dimensional simulations of tidally locked planets are not discussed. Our results "
    "suggest that bursty star formation histories shape the mass--metallicity relation in $\\Lambda$CDM."
)


def test_the_keyphrases_of_a_paper_are_its_topics_and_no_verbs_numbers_units_and_stop_words(extractor):
    phrases = extractor.phrases(PAPER)
    assert {
        *("Bursty star formation", "ionizing photon production efficiency", "tidally locked planets"),
        *("Three-dimensional simulations", "mass–metallicity relation", "low-mass galaxies", "stellar feedback"),
        *("ΛCDM", "deep JWST NIRSpec spectroscopy"),
    } <= set(phrases)
    words = {word for phrase in phrases for word in lemmas(phrase)}
    assert words.isdisjoint(["present", "report", "drive", "suggest", "shape", "result", "51", "yr", "m", "z", "we"])
    assert extractor.phrases(PAPER, limit=3) == phrases[:3]
    assert extractor.phrases(PAPER, limit=0) == ()


def test_phrases_with_equal_lemmas_appear_once(extractor):
    phrases = extractor.phrases("Dwarf galaxies. A dwarf galaxy is a galaxy. Dwarf-galaxies and galaxies differ.")
    assert len({lemmas(phrase) for phrase in phrases}) == len(phrases)
    assert phrases[0] == "Dwarf galaxies"


def test_an_everyday_word_counts_in_the_title_or_when_repeated(extractor):
    rest = "Magnetars emit an avenue of gamma rays. The surface of magnetars cools, and the surface cracks."
    assert "avenue" not in extractor.phrases("Magnetars in outburst. " + rest)
    assert "surface" in extractor.phrases("Magnetars in outburst. " + rest)
    assert "avenue" in extractor.phrases("The avenue of magnetars. " + rest)


_WORDS = (
    "the of we present stars Galaxy JWST z=7 ionizing photons, which is. Dwarf-galaxies 3.5 km s$^{-1}$ $M_\\odot$ new "
    "results M87* Jupiter's NGC 1068 and (AGN) very highly $\\alpha$ rotating H II [O III] f(R) 30km results paper"
)


@given(st.lists(st.sampled_from(_WORDS.split()), max_size=60).map(" ".join))
def test_phrases_of_any_text_are_short_distinct_and_informative(extractor, text):
    phrases = extractor.phrases(text)
    assert len(phrases) <= 20
    assert len({lemmas(phrase) for phrase in phrases}) == len(phrases)
    for phrase in phrases:
        assert 1 <= len(phrase.split()) <= 6  # "[O III]" and "H II" each count as one word of five
        assert any(character.isalpha() for character in phrase)
        assert not set("$\\{}^=").intersection(phrase)
        assert {"the", "of", "we", "which", "and"}.isdisjoint(lemmas(phrase))


@given(st.text(max_size=200))
def test_any_text_at_all_can_be_read(extractor, text):
    assert len(extractor.phrases(text)) <= 20
    assert len(extractor.question_keywords(text)) <= 20


def test_it_prints_nothing_and_needs_no_git():
    program = (
        "from pathfinder.corpus.keywords import KeywordExtractor as K\n"
        "assert K.load('no_such_model').phrases('Dwarf galaxies near Andromeda. Dwarf galaxies are faint.')"
    )
    command = [sys.executable, "-W", "error", "-c", program]
    env = {**os.environ, "PATH": "", "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


# Questions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question", ["", "?", "What is it?", "how many", "why", "value of", "🙂", "12?", "暗物质是什么"]
)
def test_a_question_of_stop_words_has_no_keywords(extractor, question):
    assert extractor.question_keywords(question) == ()


@pytest.mark.parametrize(
    ("question", "keywords"),
    [
        ("What is the value of the Hubble constant?", ["Hubble constant"]),
        (
            "Are there open source radiative transfer codes for planetary atmospheres?",
            ["open source radiative transfer codes", "planetary atmospheres"],
        ),
        ("Can I use citizen science to find rare galaxies?", ["citizen science", "rare galaxies"]),
        (
            "How do the properties of dwarf galaxies in the field differ from those in galaxy clusters?",
            ["dwarf galaxies", "galaxy clusters"],
        ),
        ("Can I predict the spectrum of a galaxy from an image?", ["spectrum", "galaxy"]),
        (
            "Has Lasso or Ridge regression been used to model the torus of an AGN?",
            ["*Lasso", "Ridge regression", "torus", "*AGN"],
        ),
        ("Que es un exoplaneta?", ["exoplaneta"]),
        ("Is Kriging the same as Gaussian process regression?", ["*Kriging", "Gaussian process regression"]),
        ("What would a universe without dark matter look like?", ["universe", "dark matter"]),
        ("How does AGN feedback shape galaxies?", ["*AGN", "AGN feedback", "galaxies"]),
        # Telegrams, lower case, capitals and LaTeX.
        ("dark matter halo shapes JWST", ["dark matter halo shapes", "*JWST"]),
        ("what do hubble images of ngc 1068 show", ["*hubble", "*ngc 1068"]),
        ("gaia dr3 parallax zero point", ["*gaia dr3", "parallax zero point"]),
        ("WHAT IS THE MASS OF SGR A*?", ["MASS", "*SGR A*"]),
        ("effects of $\\Lambda$CDM on $H_0$", ["*ΛCDM", "H0"]),
    ],
)
def test_keywords_and_entities_of_questions(extractor, question, keywords):
    assert keywords_of(extractor, question) == keywords


def test_keywords_with_equal_lemmas_appear_once_as_an_entity_if_one_of_them_is(extractor):
    keywords = extractor.question_keywords("Are galaxies like a galaxy? Is the ALMA of ALMA?")
    assert keywords == (Keyword("galaxies"), Keyword("ALMA", is_entity=True))


def test_a_pasted_abstract_keeps_its_twenty_most_frequent_keywords_in_order(extractor):
    words = [f"object{chr(97 + i)} stars" for i in range(26)]
    text = ". ".join([*words, words[25], words[24]])
    keywords = [keyword.text for keyword in extractor.question_keywords(text)]
    assert len(keywords) == 20
    assert keywords[-2:] == words[24:]


@pytest.mark.parametrize(
    "unit", ["How do jets of M87* shape stars? ", "M31, ", ".", "a.", "1-", "_", "'", "A/", "\\", "^", "[O", "a"]
)
def test_twenty_thousand_characters_are_read_to_their_end_also_without_a_space(extractor, unit):
    with in_time():
        assert len(extractor.question_keywords((unit * 20_000)[:20_000])) <= 20
