"""The catalogue of missions: launch, first data and era are different facts, each with a second source or marked."""

import datetime
import re
from collections import Counter

import pytest

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.landscape.layers.missions import mission_layer
from pathfinder.missions import all_missions, gazetteer_of, mission_called, other_things
from pathfinder.missions.catalogue import AMBIGUOUS, CLEAR, EVERYDAY, NO_SOURCE
from pathfinder.profile import astronomy, parse_profile
from pathfinder.retrieval.years.in_questions import years_named
from pathfinder.text.language.lexicon_tagger import LexiconTagger, read_lexicon
from pathfinder.types import Keyword
from tests.landscape import planted
from tests.profile.test_profile import botany

TODAY = datetime.date(2024, 6, 1)

DIFFERENT_FACTS = [
    # slug, launch, first data, first year of the era, its name in a question and in a paper
    ("sdss", None, 2000, 1998, "SDSS", "SDSS"),
    ("voyager", 1977, 1979, 1977, "Voyager", "Voyager 1"),
    ("cassini", 1997, 2004, 2000, "Cassini-Huygens", "Cassini-Huygens"),
    ("rosetta", 2004, 2014, 2005, "Rosetta", "Rosetta spacecraft"),
    ("new-horizons", 2006, 2015, 2007, "New Horizons", "New Horizons spacecraft"),
]


@pytest.mark.parametrize(("slug", "launch", "first_data", "era"), [case[:4] for case in DIFFERENT_FACTS])
def test_launch_first_data_and_era_are_kept_apart(slug, launch, first_data, era):
    mission = mission_called(slug)
    assert (mission.launch and mission.launch.year) == launch
    assert mission.first_data.year == first_data
    assert mission.era.first == era


@pytest.mark.parametrize(("first_data", "name"), [(case[2], case[4]) for case in DIFFERENT_FACTS])
def test_questions_count_from_the_first_data(first_data, name):
    named = years_named(f"What has been found since {name}?", TODAY)
    assert named is not None
    assert (named.first, named.last) == (first_data, None)


@pytest.mark.parametrize(
    ("launch", "name"), [(launch, name) for _, launch, _, _, name, _ in DIFFERENT_FACTS if launch is not None]
)
def test_questions_that_speak_of_the_launch_count_from_the_launch(launch, name):
    since = years_named(f"What has been found since the launch of {name}?", TODAY)
    before = years_named(f"What was known before the launch of {name}?", TODAY)
    assert since is not None
    assert before is not None
    assert (since.first, before.last) == (launch, launch - 1)


def test_a_survey_on_the_ground_is_launched_when_its_data_begin():
    named = years_named("What has been found since the launch of ZTF?", TODAY)
    assert named is not None
    assert named.first == 2018


@pytest.mark.parametrize(("slug", "era", "name"), [(case[0], case[3], case[5]) for case in DIFFERENT_FACTS])
def test_a_footprint_counts_the_papers_of_the_era(slug, era, name):
    papers = [
        *planted.plain(3, title=f"Seen by {name}", year=era),
        *planted.plain(4, title=f"Soon {name}", year=era - 1),
        *planted.plain(20, year=era),
    ]
    rows = {slug: list(range(7))}
    groups = planted.groups(rows)
    map_data = planted.map_data(papers, planted.scatter(len(papers)), missions=groups)
    assert mission_layer(map_data, slug).description.startswith(f"3 of 23 papers since {era}")


@pytest.mark.parametrize("mission", all_missions(), ids=lambda mission: mission.slug)
def test_every_year_has_a_second_source_or_is_marked(mission):
    facts = [fact for fact in (mission.launch, mission.first_data, mission.era) if fact is not None]
    for fact in facts:
        assert fact.source
        assert fact.second_source == NO_SOURCE or any(
            fact.second_source.startswith(kind) for kind in ("arXiv:", "title of ", "19", "20")
        )
    assert mission.era.first <= mission.first_data.year
    assert mission.era.last is None or mission.era.last >= mission.first_data.year
    if mission.kind == "space" and mission.launch:
        assert mission.launch.year <= mission.era.first


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
