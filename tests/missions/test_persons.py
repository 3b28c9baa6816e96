"""A telescope and the person whose name it has: pairs of sentences that differ in little but in what is meant."""

import pytest

from pathfinder.missions import Matcher, missions

MATCHER = Matcher()

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


def slugs_in(text: str) -> set[str]:
    return {missions()[place].slug for place in MATCHER.places_in(text)}


@pytest.mark.parametrize("text", [person for person, _, _ in PAIRS])
def test_a_person_is_no_telescope(text):
    assert slugs_in(text) == set()


@pytest.mark.parametrize(("text", "slugs"), [(text, SETS.get(str(slugs), slugs)) for _, text, slugs in PAIRS])
def test_a_telescope_in_nearly_the_same_sentence_is_one(text, slugs):
    assert slugs_in(text) == slugs


@pytest.mark.parametrize(("text", "slugs"), AND_THE_OTHERS)
def test_what_happened_long_ago_may_be_seen_with_a_telescope_of_today(text, slugs):
    assert slugs_in(text) == slugs
