"""One form for each word: the singular of a plural, the American spelling of a British one.

Rules and lists only, no model: the same word gives the same form on every machine and in every
version of a library, so that a corpus built here matches a question asked there. The forms are made
for equality; they are English words wherever that comes for free.
"""

import re
from functools import lru_cache

from pathfinder.corpus.language.wordlists import pairs, words

PREFIXES = words(
    "anti hyper inter intra macro micro mini multi nano non post pre proto pseudo quasi semi sub super ultra"
)
"""Prefixes that are written together, with a hyphen or apart ("nonlinear", "non-linear", "non linear")."""


def base_form(word: str) -> str:
    """The form that `word`, in lower case, is compared in: "galaxies" -> "galaxy", "ionised" -> "ionized".

    A word with a digit in it is a name and stays as it is. The base form of a base form is itself.
    """
    return _base_form(word) if word.isalpha() and len(word) > 2 else word


@lru_cache(maxsize=1 << 16)
def _base_form(word: str) -> str:
    # Until nothing changes: what is equal once must stay equal when it is read again.
    while (form := _american(_singular(word))) != word:
        word = form
    return word


# Number ---------------------------------------------------------------------------------------------

_NO_PLURAL = words(
    # The same in both numbers, or in one number only.
    "alias always apparatus aries atlas axis bias bootes canvas ceres chaos corps cosmos ethos gas kudos lens mars "
    "molasses news overseas pancreas pathos perhaps pleiades hyades pons series species thermos "
    "besides clothes diabetes does jeans multimedia nowadays ourselves thanks themselves whereas "
    # People, places and machines; half of science is named after somebody.
    "achilles adams andes antares ares arkansas bayes brans carlos charles chronos collins dallas davis deimos douglas "
    "edwards eros evans forbes gibbs harps harris hawkins helios hercules hermes higgs hobbs holmes hughes huygens "
    "candels ceers cheops cmos crires davies didymos dimorphos elias erdos gmos hipparcos hopkins kmos lanczos mises "
    "mnras nirps parkes peebles phangs pisces ramses robbins sachs serpens sextans veritas "
    "iras james jenkins jones kansas keynes lucas marcos midas naples nicolas pallas phobos reynolds rhodes richards "
    "roberts rubens siemens socrates stokes texas thomas ulysses vegas wales williams yates"
)


def _endings(drop: int, add: str, plurals: str) -> dict[str, str]:
    return {plural: plural[:-drop] + add for plural in plurals.split()}


_IRREGULAR = {
    **_endings(1, "", "apis bhs cpus gcs gpus guis gws imus kois kpis llms lms mris npus pois rois rvs tois tpus wds"),
    **_endings(1, "", "calories cookies dies lies movies pies prairies rookies selfies ties zombies"),
    **_endings(1, "", "aches avalanches caches canoes foes headaches niches shoes toes sne"),
    **_endings(1, "", "abuses accuses diffuses excuses fuses hypotenuses infuses muses refuses reuses ruses uses"),
    **_endings(
        1, "", "characteristics clinics critics diagnostics fabrics harmonics heuristics metrics mosaics topics"
    ),
    **_endings(2, "", "aliases atlases biases canvases gases irises lenses"),
    **_endings(2, "is", "analyses antitheses axes biosyntheses catalyses crises diagnoses emphases hypotheses"),
    **_endings(2, "is", "metamorphoses nucleosyntheses oases parentheses photosyntheses prognoses syntheses theses"),
    **_endings(1, "us", "alumni annuli cacti calculi cumuli foci fungi loci moduli nuclei radii stimuli tori"),
    **_endings(1, "um", "addenda bacteria consortia continua curricula equilibria errata extrema maxima media minima"),
    **_endings(1, "um", "memoranda millennia momenta optima quanta spectra strata symposia vacua"),
    **_endings(1, "on", "automata criteria phenomena polyhedra tetrahedra"),
    **_endings(1, "", "algae antennae aurorae coronae faculae formulae kilonovae larvae maculae nebulae novae umbrae"),
    **_endings(1, "", "penumbrae vertebrae"),
    **_endings(4, "ex", "apices codices indices simplices vertices vortices"),
    **_endings(4, "ix", "appendices helices matrices"),
    **_endings(3, "f", "calves halves loaves selves shelves thieves wolves"),
    **pairs("children:child corpora:corpus datum:data ephemerides:ephemeris feet:foot genera:genus knives:knife"),
    **pairs("men:man mice:mouse quizzes:quiz teeth:tooth women:woman"),
}

_PLURAL = (
    (re.compile(r"(?:ss|us|is|ics|lens|series|cosmos)$"), 0, ""),
    (re.compile(r"(?<=..)ies$"), 3, "y"),
    (re.compile(r"(?<=s)ses$|(?<=[xh])es$|(?<=tz)es$"), 2, ""),
    (re.compile(r"(?<=[^ao]us)es$"), 2, ""),
    (re.compile(r"(?<=..)oes$"), 2, ""),
    (re.compile(r"s$"), 1, ""),
)
"""The first pattern that is found says how many letters go and what takes their place."""


def _singular(word: str) -> str:
    known = _known(word)
    if known is not None:
        return known
    if len(word) > 3:  # "mas", "gps", "rms": three letters are an acronym or a word as it stands
        for pattern, drop, add in _PLURAL:
            if pattern.search(word):
                return word[: len(word) - drop] + add
    return word


def _known(word: str) -> str | None:
    """What the lists say of `word`, or of what follows its prefix ("subspectra", "nongas")."""
    for start in range(len(word) - 2):
        if start and word[:start] not in PREFIXES:
            continue
        rest = word[start:]
        if rest in _NO_PLURAL:
            return word
        if rest in _IRREGULAR:
            return word[:start] + _IRREGULAR[rest]
    return None


# Spelling -------------------------------------------------------------------------------------------

_PAIRS = {
    **pairs("grey:gray disc:disk catalogue:catalog analogue:analog dialogue:dialog programme:program ageing:aging"),
    **pairs("aluminium:aluminum defence:defense licence:license offence:offense artefact:artifact sceptic:skeptic"),
    **pairs("centring:centering"),
}
_VERB = r"(?=(?:e|ed|er|ing|able)$)"
_BRITISH = (
    (re.compile(r"is(?=ations?$)"), "iz"),
    # After the endings of Greek and Latin stems only: "rise", "noise", "promise" and "expertise" stay.
    (re.compile(r"(?<=..(?:al|ar|an|en|on|er|or|ur|et|ul|ol|il|ll|im|as|es|it|nt|gn|rn|id|ic|rg|og))is" + _VERB), "iz"),
    (re.compile(r"(?<=ard|dom|tom|etr|ion)is" + _VERB), "iz"),
    (re.compile(r"(?<=anal|atal|aral|dial|drol|trol)ys" + _VERB), "yz"),
    (re.compile(r"(?<=col|lav|fav|hon|lab|vap|arm|rum|tum|arb|hum|vig|rig)our"), "or"),
    (re.compile(r"(?<=behavi|neighb|endeav)our"), "or"),
    (re.compile(r"(?<=met|lit|tit|fib)re$"), "er"),
    (re.compile(r"(?<=cent|heat|pect|lust|alib)re$"), "er"),
    (re.compile(r"(?<=cent)red$"), "ered"),
    (re.compile(r"(?<=model|label|ancel|ignal|level|annel|unnel|ravel|piral|total|equal)l(?=(?:ed|er|ing)$)"), ""),
    (re.compile(r"(?<=focus)s(?=(?:ed|ing)$)"), ""),
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"^palaeo"), "paleo"),
    (re.compile(r"(?<=judg|ledg)e(?=ments?$)"), ""),
)


def _american(word: str) -> str:
    if word in _PAIRS:
        return _PAIRS[word]
    for pattern, replacement in _BRITISH:
        word = pattern.sub(replacement, word)
    return word
