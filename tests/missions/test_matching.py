import json
from importlib.resources import files

import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.data.groups import papers_by_mission
from pathfinder.missions import Matcher, Mission, mission_called, missions
from pathfinder.types import Paper
from tests.landscape.planted import table

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
    entries = json.loads(files("pathfinder.missions").joinpath("catalogue.json").read_text("utf-8"))
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
