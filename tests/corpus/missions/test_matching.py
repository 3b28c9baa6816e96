import datetime
import json
import re
from collections import Counter
from importlib.resources import files

import pytest

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.missions.catalogue import (
    AMBIGUOUS,
    CLEAR,
    EVERYDAY,
    Mission,
    all_missions,
    gazetteer_of,
    mission_called,
    missions,
    other_things,
)
from pathfinder.corpus.missions.matching import Matcher
from pathfinder.errors import UsageError
from pathfinder.landscape.data.groups import papers_by_mission
from pathfinder.landscape.layers.missions import mission_layer
from pathfinder.profile import astronomy, parse_profile
from pathfinder.retrieval.years.in_questions import years_named
from pathfinder.text.language.lexicon_tagger import LexiconTagger, read_lexicon
from pathfinder.types import Keyword, Paper
from tests.landscape import planted
from tests.landscape.planted import table
from tests.profile.test_profile import botany

MATCHER = Matcher()


def slugs_in(text: str) -> set[str]:
    return {missions()[place].slug for place in MATCHER.places_in(text)}


# The catalogue --------------------------------------------------------------------------------------


def test_there_are_at_least_forty_missions_each_with_a_year_and_a_source():
    assert len(missions()) >= 40
    assert len({mission.slug for mission in missions()}) == len(missions())
    for mission in missions():
        assert 1900 < mission.era.first <= mission.first_data.year <= 2025, mission.slug
        assert mission.era.event, mission.slug
        assert mission.kind in {"space", "ground"}


def test_every_entry_has_every_field_and_no_other():
    entries = json.loads(files("pathfinder.corpus.missions").joinpath("catalogue.json").read_text("utf-8"))
    assert {frozenset(entry) for entry in entries["missions"]} == {frozenset(Mission.__dataclass_fields__)}


def test_who_has_given_a_name_lived_before_there_were_data():
    for mission in missions():
        if mission.namesake is not None:
            assert mission.namesake.born < mission.namesake.died < mission.era.first, mission.slug


def test_papers_come_before_regular_data_only_from_flybys_and_commissioning():
    early = {mission.slug for mission in missions() if mission.era.first != mission.first_data.year}
    assert early == {"voyager", "cassini", "rosetta", "new-horizons", "sdss", "lofar"}


@pytest.mark.parametrize("mission", missions(), ids=lambda mission: mission.slug)
def test_every_name_is_found_in_a_sentence(mission):
    for name in mission.names:
        assert mission.slug in slugs_in(f"We use {name} to look at stars.")
    for word in mission.words:
        assert mission.slug in slugs_in(f"We use {word} images of stars.")


@pytest.mark.parametrize("name", ["Enterprise", "", "the"])
def test_a_mission_that_is_not_in_the_catalogue_is_refused(name):
    with pytest.raises(UsageError, match="not in the catalogue"):
        mission_called(name)


def test_a_name_of_several_missions_is_refused():
    with pytest.raises(UsageError, match="means ligo, virgo, kagra"):
        mission_called("LVK")


def test_a_mission_is_called_by_slug_name_or_alias_in_any_case():
    assert {mission_called(name).slug for name in ("hubble", "HST", "hubble space telescope")} == {"hubble"}


# What is meant --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "The Hubble constant is 70.",
        "Hubble's law and the Hubble flow",
        "A Hubble-type galaxy on the Hubble sequence",
        "Within a Hubble time, inside the Hubble radius",
        "The Hubble tension with Planck length and Planck mass",
        "As Edwin Hubble and Max Planck knew",
        "E. Hubble measured nebulae",
        "Nebulae were counted by Hubble in 1926",
        "The recession that was observed by Hubble in 1929",
        "Observed by Hubble (1929), resolved by Herschel, 1785, and taken from Kepler's 1609 data",
        "As was seen by Hubble in the 1920s, or by Hubble in 1920s plates",
        "The Fermi energy and the Fermi surface of a degenerate gas",
        "First-order Fermi acceleration, the Fermi paradox, Fermi bubbles",
        "Enrico Fermi asked where they are; a Thomas-Fermi model",
        "Kepler's laws, Kepler's third law, the Kepler problem and a Kepler orbit",
        "Johannes Kepler saw the Kepler supernova remnant",
        "Planck's constant, the Planck function and a Fokker-Planck equation",
        "S. Chandra and Chandra Wickramasinghe",
        "Spitzer conductivity and the Spitzer instability",
        "Einstein equations and an Einstein ring",
        "Swift changes of the spectrum",
        "A swift decline; swift observations; the kepler problem",
        "William Herschel and Caroline Herschel swept the sky",
        "Images from the William Herschel Telescope",
        "The Cassini state of a moon, the Cassini division",
        "The Rosetta stone of galaxy formation",
        "New horizons in cosmology; New Horizons in Cosmology",
        "The Gaia hypothesis; the Gaia-Sausage-Enceladus merger",
        "The Virgo cluster of galaxies in Virgo",
        "A dawn of galaxies; at cosmic dawn",
        "A fast radio burst; FAST RADIO BURSTS",
        "An ISO certified clean room, an ISO standard",
        "The integral field unit; the INTEGRAL equation",
        "Gemini is a constellation",
        "The Keck Institute for Space Studies",
        "Data of BICEP/Keck: no, of BICEP/Keck Array",
        "Euclid geometry and the Euclid algorithm",
        "Origin of the eROSITA and Fermi Bubbles, with Hubble Anisotropies",
        "With the Hubble-Lemaître flow, from Fermi/eROSITA bubbles, nested Fermi and eROSITA bubbles",
        "Observed with the INTEGRAL spectrograph",
        "The Planck-Millennium simulation; Herschel's 18th-century observations",
        "",
    ],
)
def test_the_constant_the_law_and_the_person_are_not_the_telescope(text):
    assert slugs_in(text) - {"bicep", "erosita"} == set()


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("Deep Hubble images of a field", {"hubble"}),
        ("It was observed by Hubble in 1994, and imaged by Spitzer (2006)", {"hubble", "spitzer"}),
        ("We observed it with Hubble and JWST.", {"hubble", "jwst"}),
        ("Images obtained by Hubble", {"hubble"}),
        ("Using HST/WFC3 data", {"hubble"}),
        ("HUBBLE SPACE TELESCOPE OBSERVATIONS OF M31", {"hubble"}),
        ("a hubble space telescope", set()),
        ("The Hubble constant from Hubble Space Telescope data", {"hubble"}),
        ("Light curves by Kepler? No: Kepler light curves, and Kepler's photometry", {"kepler"}),
        ("\\textit{Spitzer} and {\\it Herschel} sources", {"spitzer", "herschel"}),
        ("$\\textit{Planck}$ 2018", {"planck"}),
        ("the \\emph{Hubble} constant", set()),
        ("Fermi-LAT sources and Fermi/GBM triggers", {"fermi"}),
        ("Swift J1753: seen with Swift/XRT", {"swift"}),
        ("Chandra, XMM-Newton, and NuSTAR spectra", {"chandra", "xmm-newton", "nustar"}),
        ("Planck and ACT DR6 agree", {"planck", "act"}),
        ("The pulsar was timed at FAST.", {"fast"}),
        ("A source detected by H.E.S.S. and MAGIC telescopes", {"hess", "magic"}),
        ("The LIGO-Virgo-KAGRA network", {"ligo", "virgo", "kagra"}),
        ("Herschel-selected galaxies, pre-ALMA", {"herschel", "alma"}),
        ("Missions such as Juno", {"juno"}),
        ("SDSS-III/BOSS; unWISE; eROSITA; 2MASS", {"sdss", "wise", "erosita", "2mass"}),
        ("JWSTX and ALMAGAL and NOTESS", set()),
        ("Keck/HIRES spectra", {"keck"}),
        ("Juno and New Horizons", {"juno", "new-horizons"}),
        ("Euclid Quick Data Release", {"euclid"}),
    ],
)
def test_what_stands_beside_a_name_says_what_is_meant(text, slugs):
    assert slugs_in(text) == slugs


def test_title_abstract_and_given_subjects_are_read():
    papers = [
        Paper("a", "Seen with JWST", "Nothing."),
        Paper("b", "Stars", "From Gaia data."),
        Paper("c", "Stars", "Nothing.", subjects=("Hubble Space Telescope",)),
        Paper("d", "Stars", "Nothing.", keywords=("JWST",)),
    ]
    groups = papers_by_mission(table(papers))
    assert [groups.rows_of(slug).tolist() for slug in ("jwst", "gaia", "hubble", "alma")] == [[0], [1], [2], []]


PAIRS = [
    # What was seen, and when.
    ("Its recession was observed by Hubble in 1929.", "Its companion was observed by Hubble in 1999.", {"hubble"}),
    ("The nova was seen by Kepler in October 1604.", "The nova was seen by Kepler in October 2010.", {"kepler"}),
    ("Rings resolved by Cassini in 1675 are wide.", "Rings resolved by Cassini in 2005 are wide.", {"cassini"}),
    ("The nebula was imaged by Herschel in the 1780s.", "The nebula was imaged by Herschel in 2011.", {"herschel"}),
    ("Its comet was detected by Swift in 1862.", "Its comet was observed by Swift in 2016.", {"swift"}),
    ("In 1924, Hubble observed Cepheids in M31.", "In 2011, Hubble observed Cepheids in M31.", {"hubble"}),
    ("In 1609 Kepler identified the ellipse.", "In 2009 Kepler identified five planets.", {"kepler"}),
    ("Since 1781, when Herschel discovered Uranus.", "Since 2013, when Herschel observed Uranus.", {"herschel"}),
    ("Moons observed by Cassini from 1671 to 1684.", "Moons observed by Cassini from 2004 to 2017.", {"cassini"}),
    # A paper of that author.
    ("We follow Hubble (1929) and observe nearby galaxies.", "We follow Hubble images of galaxies.", {"hubble"}),
    ("Distances taken from Hubble & Humason (1931).", "Distances taken from Hubble & Spitzer images.", "two"),
    ("As observed by Hubble and Sandage, 1953.", "As observed by Hubble and Spitzer, 2009.", "two"),
    ("With Hubble et al. we say that it expands.", "With Hubble et al we say nothing: Hubble images.", {"hubble"}),
    ("White dwarfs from Kepler et al. (2016).", "White dwarfs from Kepler data (2016).", {"kepler"}),
    ("Lines from Webb et al. (2001).", "Lines from Webb spectra (2023).", {"jwst"}),
    ("Spectra provided by Chandra et al. 2012.", "Spectra provided by Chandra in 2012.", {"chandra"}),
    ("Using Hubble's 1936 luminosity classes.", "Using Hubble's 2004 images.", {"hubble"}),
    ("The data of Fermi (1949) agree.", "The data of Fermi agree with those from Fermi in 2012.", {"fermi"}),
    # What belongs to a person.
    ("From Kepler's laws we get the mass.", "From Kepler's light curves we get the mass.", {"kepler"}),
    ("Using Planck's constant and Planck's quanta.", "Using Planck's maps and likelihoods.", {"planck"}),
    ("With Fermi's paradox in mind.", "With Fermi's detections in mind.", {"fermi"}),
    ("Via Fermi's golden rule.", "Via Fermi's spectra.", {"fermi"}),
    ("With Hubble's discovery of Cepheids, it began.", "With Hubble's spectra of Cepheids, it began.", {"hubble"}),
    ("From Kepler's ellipses and epicycles.", "From Kepler's long-cadence photometry.", {"kepler"}),
    ("Using Herschel's own sketches.", "Using Herschel's far-infrared maps.", {"herschel"}),
    ("With Planck's quantum hypothesis.", "With Planck's polarization data.", {"planck"}),
    ("Hubble's images on plates that he took himself.", "Hubble's images in two bands.", {"hubble"}),
    ("Herschel's telescope, of 1789, was 40 feet long.", "Herschel's spectra, of 2010, are deep.", {"herschel"}),
    ("Hubble's observations of 1923 to 1925.", "Hubble's observations of Pluto.", {"hubble"}),
    # In whose company.
    ("Nebulae from Herschel and Hubble, the astronomers.", "Nebulae from Herschel and Spitzer images.", "ir"),
    ("Herschel and Hubble", "Herschel and Spitzer", "ir"),
    ("The sweeps of Herschel and Hubble.", "The burst triggered Swift and Fermi.", {"swift", "fermi"}),
    ("Progress owed to Einstein and Hubble.", "Progress owed to Hubble and JWST.", {"hubble", "jwst"}),
    ("It was observed by Hubble and Slipher.", "It was observed by Hubble and ALMA.", {"hubble", "alma"}),
    ("From Kepler and Newton to us.", "From Kepler and TESS to us.", {"kepler", "tess"}),
    ("From Brahe, Kepler and Newton we learned.", "From CoRoT, Kepler and TESS we learned.", "transits"),
    ("Using Planck and Einstein on quanta.", "Using Planck and WMAP on the power spectrum.", {"planck", "wmap"}),
    ("Work with Fermi and Dirac.", "Work with Fermi and Swift.", {"fermi", "swift"}),
    ("By Hubble, Humason and Mayall.", "By Hubble, Gemini/GMOS and Keck/HIRES.", "big"),
    ("The Herschels saw it.", "The Herschel observations saw it.", {"herschel"}),
    # What a person does, and is.
    ("Using Hubble, who classified galaxies.", "Using Hubble, which observed galaxies.", {"hubble"}),
    ("Kepler observed it, and his data remain.", "Kepler observed it, and its data remain.", {"kepler"}),
    ("Agreement with Planck himself.", "Agreement with Planck results.", {"planck"}),
    ("From Kepler and his contemporaries.", "From Kepler and its successor TESS.", {"kepler", "tess"}),
    ("As was seen by the astronomer Hubble.", "As was seen by the telescope Hubble.", {"hubble"}),
    ("Used by physicists such as Planck and Fermi.", "From missions such as Planck and Fermi.", {"planck", "fermi"}),
    ("With Sir William Herschel and his sister.", "With Herschel and its spectrometer.", {"herschel"}),
    ("With Lyman Spitzer in the chair.", "With Spitzer in the warm phase.", {"spitzer"}),
    ("Together with Giovanni Domenico Cassini.", "Together with Cassini UVIS.", {"cassini"}),
    ("Harmonies from Kepler, born in 1571.", "Light curves from Kepler, launched in 2009.", {"kepler"}),
    ("Kepler discovered that orbits are ellipses.", "Kepler discovered planets on close orbits.", {"kepler"}),
    ("In the seventeenth century Kepler observed a nova.", "In its second year Kepler observed a nova.", {"kepler"}),
]
SETS = {
    "two": {"hubble", "spitzer"},
    "ir": {"herschel", "spitzer"},
    "transits": {"corot", "kepler", "tess"},
    "big": {"hubble", "gemini", "keck"},
}
AND_THE_OTHERS = [
    ("Fermi-LAT and Swift light curves", {"fermi", "swift"}),
    ("Fermi-LAT and Swift", {"fermi", "swift"}),
    ("Hubble and JWST imaging", {"hubble", "jwst"}),
    ("Planck and WMAP", {"planck", "wmap"}),
    ("Planck and Herschel have shown that dust is cold", {"planck", "herschel"}),
    ("Cold dust, seen by Planck, Herschel and IRAS", {"planck", "herschel", "iras"}),
    ("The infrared satellites Spitzer and Herschel", {"spitzer", "herschel"}),
    ("Kepler, its K2 mission, and Gaia", {"kepler", "gaia"}),
    ("Supernova 1987A was imaged with Hubble for thirty years", {"hubble"}),
    ("Since its discovery in 1930, Pluto has been mapped with Hubble", {"hubble"}),
    ("The outburst of 1901, of which Hubble images show the shell", {"hubble"}),
    ("Seen by Einstein, ROSAT and Chandra", {"rosat", "chandra"}),
    ("Lenses from Hubble and Einstein rings", {"hubble"}),
    ("Using Swift and Einstein Probe triggers", {"swift", "einstein-probe"}),
    ("Images from Hubble and the Isaac Newton Telescope", {"hubble"}),
    ("Spectra with X-ray telescopes (Xmm-Newton, Chandra)", {"chandra"}),
    ("The James Webb and Euclid space telescopes", {"jwst", "euclid"}),
    ("In agreement with Planck's 2018 outcomes", {"planck"}),
]


@pytest.mark.parametrize("text", [person for person, _, _ in PAIRS])
def test_a_person_is_no_telescope(text):
    assert slugs_in(text) == set()


@pytest.mark.parametrize(("text", "slugs"), [(text, SETS.get(str(slugs), slugs)) for _, text, slugs in PAIRS])
def test_a_telescope_in_nearly_the_same_sentence_is_one(text, slugs):
    assert slugs_in(text) == slugs


@pytest.mark.parametrize(("text", "slugs"), AND_THE_OTHERS)
def test_what_happened_long_ago_may_be_seen_with_a_telescope_of_today(text, slugs):
    assert slugs_in(text) == slugs


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
        assert fact.second_source == "unconfirmed" or any(
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
