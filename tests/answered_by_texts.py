"""Four made papers, and eight questions that their full texts answer and no abstract does."""

from typing import NamedTuple

from pathfinder.types import DigestForm

PAPERS = [
    {
        "id": "pelmo",
        "title": "Star formation in the dwarf irregular galaxy Pelmo 7",
        "abstract": "We present narrow-band images of the dwarf irregular galaxy Pelmo 7. Its star-forming regions are "
        "mapped and compared with the neutral gas. We discuss how so small a galaxy keeps forming stars.",
        "year": 2012,
    },
    {
        "id": "larch",
        "title": "The fibre-fed spectrograph LARCH in its first years",
        "abstract": "LARCH is a fibre-fed spectrograph at a telescope of modest size. We describe its optics and "
        "report on its throughput and its stability. The instrument is suited to bright stars.",
        "year": 2017,
    },
    {
        "id": "pulsar",
        "title": "Twelve years of timing the binary millisecond pulsar J1127-3345",
        "abstract": "We report on the timing of a binary millisecond pulsar. The orbit is nearly circular, and its "
        "period changes slowly. We discuss what the system may have looked like before the pulsar was spun up.",
        "year": 2019,
    },
    {
        "id": "dust",
        "title": "Warm dust in quiet elliptical galaxies",
        "abstract": "Some elliptical galaxies without young stars shine in the far infrared. We examine whether old "
        "stars can heat their dust. The observed colours agree with models in which the grains are replenished.",
        "year": 2015,
    },
]

TEXTS = {
    "pelmo": """# Star formation in the dwarf irregular galaxy Pelmo 7

## 1. Introduction

Dwarf irregular galaxies have little mass and much gas. Why they go on forming stars is an old question, and no single
answer fits them all. Winds of massive stars can drive the gas out, and tides can stir it up. Isolated dwarfs are the
cleanest cases, because nothing but their own stars disturbs them. Earlier images of the galaxy were too shallow to show
faint regions of ionised hydrogen. Radio maps were made long before, and they show a ring of neutral gas around a hole.

## 2. Observations

We observed the galaxy on four nights with a narrow-band filter that is centred on the line of hydrogen. Each field was
exposed nine times, with small steps between the exposures. The seeing was between 0.8 and 1.3 arcseconds. Flat fields
were taken at dusk, and the sky was subtracted in large boxes. Standard stars were observed twice a night. The zero
points of the four nights agree within two per cent, and we use their mean. The tip of the red giant branch places
Pelmo 7 at a distance of 6.4 ± 0.3 Mpc. At that distance, one arcsecond spans some thirty parsecs.

## 3. Analysis

Regions were found with a threshold of three times the noise, and each was assigned the pixels nearest to its peak. We
fitted the profile of every region with two components. The eastern spur was excluded from the fit because a bright
foreground star scatters light into it. The other regions were fitted together, so that they share one background.
Counts were corrected for the line of nitrogen, which lies in the same filter. The corrections are small, since the
galaxy has few metals. Errors come from fits to a thousand images with artificial noise.

## 4. Discussion

The regions lie on the inner edge of the ring of neutral gas. Such a pattern is expected if the hole was blown by an
earlier generation of stars, and if the gas at its rim was compressed. The number of ionising photons fits a steady rate
of star formation over some ten million years. Nothing suggests that a neighbour has stirred the gas. Deeper maps of the
molecular gas would show how much fuel is left.
""",
    "larch": """# The fibre-fed spectrograph LARCH in its first years

## 1. Introduction

Stable spectrographs need not stand at large telescopes. Bright stars can be observed for many nights in a row where
time is cheap, and planets of long period are found by patience. The instrument was planned with this in mind. Ingrid
Solheim and her students built the spectrograph in Tromsø between 2011 and 2014, from parts that had been left over from
another project. Its first light came in a cold week of early spring.
Since then it has been used on two nights of three.

## 2. Optics

Light enters an octagonal fibre behind the focus of the telescope. A second fibre brings light of the lamp. The beam is
sliced and collimated, and falls on a grating of the kind called echelle. A prism separates the orders. The camera has
six lenses, all of them spherical. The echelle grating was replaced in March 2016, after moisture had attacked its
coating. The new one reflects a little more of the blue light. The detector has four thousand columns, and is cooled by
liquid nitrogen.

## 3. Calibration

The room is kept at the same temperature all year. Wavelengths are calibrated with a lamp of thorium and argon, which is
exposed before and after each star. A drift between the two exposures is interpolated in time. Lines that are saturated
are left out of the fit, and those that blend are fitted in pairs. The solution has a polynomial of the fifth degree in
each order. Its residuals show no trend across the detector. Flat fields come from a lamp of tungsten.

## 4. Performance

The throughput was measured with standard stars on clear nights. It has its peak in the green, and falls steeply in the
blue, where the fibre absorbs. Scattered light is below one per cent. The velocities of stars that are known to be quiet
scatter by three metres per second over a year. On a single night, they scatter by half of that. The remaining scatter
follows the pressure of the air, and a vacuum tank would remove it.
""",
    "pulsar": """# Twelve years of timing the binary millisecond pulsar J1127-3345

## 1. Introduction

Millisecond pulsars are spun up by matter from a companion. What is left of the companion tells how the transfer ended.
Most of these systems have a light companion and an orbit without any visible eccentricity. The pulsar was found in a
survey of the southern sky, and was soon seen to be in a binary. Its pulses are narrow, which makes it a good clock.

## 2. Observations

The pulsar was observed every two or three weeks. Observations were made with the Parkes, Effelsberg and Nançay
telescopes, at frequencies between one and three gigahertz. An observation lasted about half an hour. Interference was
removed by hand in the early years, and by a program later on. The clocks of the observatories were tied to the same
standard. We folded the data with a preliminary ephemeris and summed them to a template.

## 3. Timing

Times of arrival were fitted with a model of the orbit, the position and the proper motion. The noise of the residuals
is white on short intervals, and red on intervals of years. The dispersion was fitted at each epoch. The delay of the
pulses behind the companion was detected with high significance. From this delay, the mass of the companion is
0.24 ± 0.02 solar masses, and the orbit is seen at a high inclination. The position agrees with that of a faint blue
star.

## 4. Discussion

The companion is most likely a white dwarf with a core of helium. Theory relates its mass to the period of the orbit,
and the system lies close to that relation. The slow change of the period is explained by the motion of the system
across the sky. The pulsar must have accreted for a long time. Timing of a few more years would show whether the orbit
shrinks by the emission of gravitational waves.
""",
    "dust": """# Warm dust in quiet elliptical galaxies

## 1. Introduction

Elliptical galaxies were long held to be free of dust. Images in the infrared have shown that many are not. The dust
may come from old stars that shed their envelopes, or from a small galaxy that was swallowed. Hot gas destroys grains
within some tens of millions of years. If the grains survive nevertheless, something must replace them.

## 2. Sample

We chose galaxies without any sign of young stars in the ultraviolet. Galaxies with a bright nucleus were left out. The
sample has thirty-one members, most of them in groups. All were imaged in five bands of the infrared. Fluxes were
measured in ellipses that follow the light of the stars. Confusion with sources in the background was estimated from
fields nearby.

## 3. Models

We assume that stars are spread like the light, and dust in a thin disc. The transfer of radiation through the dust was
computed with the codes SKIRT and HYPERION, which agree within four per cent. Grains of graphite and of silicate have
the sizes known from our own Galaxy. Small grains are heated by single photons, and we follow their temperature in time.
The only free parameters are the mass of the dust and the size of the disc. Each galaxy was fitted on a grid.

## 4. Results

The fits are good for all galaxies but two. In these, the emission at the longest wavelength is too strong, perhaps
because of a radio jet. The mass of dust does not follow the mass of the stars. This speaks for swallowed galaxies as
the source of most of the dust. Old stars suffice to heat it in every galaxy of the sample.
""",
}


class QuestionOfText(NamedTuple):
    """A question with the form of its answer, and words of the sentence that answers it."""

    question: str
    form: DigestForm
    paper_id: str
    words: str
    heading: str


QUESTIONS = (
    QuestionOfText("What is the distance of Pelmo 7?", DigestForm.VALUES, "pelmo", "6.4 ± 0.3 Mpc", "2. Observations"),
    QuestionOfText(
        "What is the mass of the companion of the pulsar J1127-3345?",
        DigestForm.VALUES,
        "pulsar",
        "0.24 ± 0.02 solar masses",
        "3. Timing",
    ),
    QuestionOfText(
        "Which telescopes were used to observe the pulsar J1127-3345?",
        DigestForm.LIST,
        "pulsar",
        "Parkes, Effelsberg and Nançay",
        "2. Observations",
    ),
    QuestionOfText(
        "Which codes were used to model the warm dust of quiet elliptical galaxies?",
        DigestForm.LIST,
        "dust",
        "SKIRT and HYPERION",
        "3. Models",
    ),
    QuestionOfText("Who built the spectrograph LARCH?", DigestForm.FACT, "larch", "Ingrid Solheim", "1. Introduction"),
    QuestionOfText(
        "When was the echelle grating of the LARCH spectrograph replaced?",
        DigestForm.FACT,
        "larch",
        "March 2016",
        "2. Optics",
    ),
    QuestionOfText(
        "Why was the eastern spur of Pelmo 7 excluded from the fit?",
        DigestForm.FINDINGS,
        "pelmo",
        "a bright foreground star scatters light",
        "3. Analysis",
    ),
    QuestionOfText(
        "How are the wavelengths of the LARCH spectrograph calibrated?",
        DigestForm.FINDINGS,
        "larch",
        "a lamp of thorium and argon",
        "3. Calibration",
    ),
)

FOUND_BY_BODY = (
    ("Moisture attacked the coating of an echelle grating", "larch"),
    ("Does the scatter of velocities follow the pressure of the air?", "larch"),
    ("a ring of neutral gas around a hole blown by an earlier generation of stars", "pelmo"),
)
"""Questions with the paper that only its full text makes the best match."""
