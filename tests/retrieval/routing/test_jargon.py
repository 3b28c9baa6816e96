import pytest

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.profile import astronomy
from pathfinder.retrieval.routing.route import entities, jargon, overloaded_terms
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Keyword


def overloaded_names(question: str) -> list[str]:
    return [term.term for term in overloaded_terms(question, astronomy().overloaded_terms)]


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?!",
        "Where is the barycentre of the solar system?",
        "How do starbursts end?",
        "Is the galaxy dusty?",
        "Is accretion swift?",
        "What is subclustering?",
        "Do projects on jetlag matter?",
    ],
)
def test_a_word_that_only_contains_a_term_is_not_that_term(question: str) -> None:
    assert overloaded_names(question) == []


@pytest.mark.parametrize(
    "question",
    [
        "How hot is the gas of a galaxy cluster, and how old are clusters?",
        "What is the value of the Hubble constant?",
        "How do magnetic fields grow?",
        "Where do main-sequence stars lie?",
        "How thick are protoplanetary disks?",
        "What made the Fermi bubbles?",
    ],
)
def test_a_clarifying_phrase_settles_the_meaning(question: str) -> None:
    assert overloaded_names(question) == []


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("How does metallicity change along the main sequence?", ["metallicity", "main sequence"]),
        ("What did Hubble find?", ["Hubble"]),
        ("Are bars common?", ["bar"]),
        ("How wide are discs, and jets?", ["disk", "jet"]),
        ("How large is the spin of a halo?", ["halo", "spin"]),
    ],
)
def test_overloaded_terms_are_found_by_their_lemmas(question: str, terms: list[str]) -> None:
    assert sorted(overloaded_names(question)) == sorted(terms)


def test_every_overloaded_term_has_several_meanings() -> None:
    table = astronomy().overloaded_terms
    assert len(table) >= 25
    assert len({lemmas(term.term) for term in table}) == len(table)
    for term in table:
        assert 2 <= len(term.meanings) <= 4
        assert all(meaning.where and meaning.means for meaning in term.meanings)


def test_names_are_entities_and_special_words_are_jargon() -> None:
    keywords = (Keyword("JWST", is_entity=True), Keyword("magnetar"), Keyword("big house"), Keyword("UV slope"))
    assert entities(keywords) == ("JWST",)
    assert jargon(keywords) == ("magnetar", "UV slope")
    assert (entities(()), jargon(())) == ((), ())


def test_entities_jargon_and_everyday_words_are_distinguished() -> None:
    keywords = KeywordExtractor.load().question_keywords("JWST spectra of exoplanet atmospheres in a warm room")
    assert entities(keywords) == ("JWST",)
    assert jargon(keywords) == ("exoplanet atmospheres",)
