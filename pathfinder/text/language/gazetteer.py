"""Gazetteer: names of telescopes, missions, surveys and celestial objects, which are recognised as names even in lower
case.
"""

from pathfinder.text.wordlists import phrases, words

FACILITIES = words(
    # Space missions.
    "jwst nirspec nircam miri niriss hst wfc3 chandra xmm xmm-newton nustar nicer erosita rosat suzaku xrism athena "
    "gaia hipparcos tess cheops plato corot spitzer galex neowise iras akari cobe wmap euclid wfirst lisa ixpe "
    "fermi-lat cassini juno voyager rosetta hayabusa hayabusa2 osiris-rex bepicolombo maven soho hinode rhessi "
    # Ground-based facilities.
    "alma vlt vlti muse nirps harps espresso x-shooter keck subaru gemini gmt tmt elt e-elt lbt vla jvla vlba evn "
    "lofar meerkat askap ska gmrt mwa hera arecibo noema iram jcmt scuba-2 nanograv epta ppta ipta chime eht bicep "
    "bicep2 desi boss eboss sdss lsst ztf pan-starrs asas-sn ogle kmtnet lamost apogee galah manga califa "
    # Gravitational waves, neutrinos, particles.
    "ligo kagra icecube antares km3net super-kamiokande hyper-kamiokande veritas hawc lhaaso cta cern lhc "
    # Simulations about which papers are written.
    "illustris illustristng tng50 tng100 tng300 horizon-agn cloudy mesa gadget arepo"
)
"""Facilities and codes whose names have no other meaning."""

AMBIGUOUS_FACILITIES = words("hubble kepler fermi planck herschel swift webb roman rubin")
"""Telescopes and missions that share their name with a concept: "Hubble images", but "Hubble constant"."""

OBJECTS = words(
    "mercury venus mars jupiter saturn uranus neptune pluto ceres vesta titan europa enceladus ganymede callisto "
    "triton charon phobos deimos andromeda betelgeuse vega sirius fomalhaut antares ryugu bennu oumuamua lmc smc"
)

MULTIWORD_NAMES = phrases(
    "milky way, large magellanic cloud, small magellanic cloud, magellanic clouds, crab nebula, crab pulsar, "
    "orion nebula, galactic center, galactic centre, sgr a*, sagittarius a*, m87*, proxima centauri, alpha "
    "centauri, eta carinae, omega centauri, cygnus x-1, cygnus a, centaurus a, virgo cluster, coma cluster, "
    "perseus cluster, bullet cluster, local group, kuiper belt, oort cloud, solar system, dark energy survey, "
    "event horizon telescope, sloan digital sky survey, james webb space telescope, hubble space telescope, very "
    "large telescope, very large array, square kilometre array, square kilometer array, extremely large "
    "telescope, rubin observatory, vera rubin observatory, vera c. rubin observatory, roman space telescope, "
    "nancy grace roman space telescope, zwicky transient facility, pierre auger observatory, parker solar probe, "
    "solar orbiter, new horizons, einstein telescope, einstein probe, cosmic explorer, fermi lat, fermi gbm, "
    "swift bat, solar dynamics observatory, hubble deep field, hubble ultra deep field"
)

CATALOGUE_PREFIXES = words(
    "abell aco arp bd corot epic eso gj gl gliese hats hcg hd hh hip hr ic k2 kelt kepler koi ldn lhs ltt macs "
    "mcg messier mkn mrk ngc oj pg pks psr qso sh sn spt tic toi ton trappist tres ugc ugca wasp wr xo 1e 2mass "
    "3c 4c gw grb frb igr rx xte maxi"
)
"""Catalogue names that precede a number, recognised even in lower case: "ngc 1068"."""
