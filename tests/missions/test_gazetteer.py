"""The names of a field: those of its catalogue and its profile, each once."""

import re
from collections import Counter

import pytest

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.missions import all_missions, gazetteer_of, other_things
from pathfinder.missions.catalogue import AMBIGUOUS, CLEAR, EVERYDAY
from pathfinder.profile import astronomy, parse_profile
from pathfinder.text.language.lexicon_tagger import LexiconTagger, read_lexicon
from pathfinder.types import Keyword
from tests.profile.test_profile import botany

EXTRACTOR = KeywordExtractor(LexiconTagger(read_lexicon()), read_lexicon())


def names_of_missions() -> set[str]:
    return {
        name.lower()
        for m in all_missions()
        for name in (*m.names, *m.words, *m.question_names, *m.shared_question_names)
    }


def test_a_name_stands_in_one_place_only():
    others = [name.lower() for thing in other_things() for name in thing.question_names]
    objects = astronomy().names.objects
    assert [name for name, n in Counter([*others, *objects]).items() if n > 1] == []
    assert names_of_missions() & {*others, *objects} == set()


def test_the_names_that_count_differently_are_those_of_the_catalogue():
    others = {name.lower() for thing in other_things() for name in thing.question_names}
    words = {word for name in names_of_missions() | others for word in re.findall(r"\w+", name)}
    assert words >= AMBIGUOUS | CLEAR | EVERYDAY


@pytest.mark.parametrize(
    "name", ["iue", "rxte", "2mass", "nirspec", "arepo", "square kilometre array", "south pole telescope"]
)
def test_every_facility_of_the_catalogue_is_recognised_in_small_letters(name):
    assert Keyword(name, is_entity=True) in EXTRACTOR.question_keywords(f"what do we learn from {name} about dust")


@pytest.mark.parametrize("question", ["why is it wise to wait", "which viking graves hold a fuse"])
def test_an_everyday_word_is_no_facility(question):
    assert not any(keyword.is_entity for keyword in EXTRACTOR.question_keywords(question))


def test_another_field_has_its_own_names_and_none_of_astronomy():
    profile = parse_profile(botany('[names]\nobjects = ["fibonacci spiral"]'), "plants.toml")
    names = gazetteer_of(profile)
    assert (names.phrases, names.facilities, names.catalogues) == ({("fibonacci", "spiral")}, frozenset(), frozenset())
    extractor = KeywordExtractor(LexiconTagger(read_lexicon()), read_lexicon(), profile)
    keywords = extractor.question_keywords("does mercury harm the fibonacci spiral of pine cones")
    assert [keyword.text for keyword in keywords if keyword.is_entity] == ["fibonacci spiral"]
