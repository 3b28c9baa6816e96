"""Base form of a word: singular number and American spelling.

It relies on rules and lists rather than a model, so a word has the same base form on every machine and with every
version of a library, and a corpus built on one machine matches questions asked on another. Base forms serve only for
comparison; most are English words, but not all.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from pathfinder.text.english import pairs, words

PREFIXES = words(
    "anti hyper inter intra macro micro mini multi nano non post pre proto pseudo quasi semi sub super ultra"
)
"""Prefixes that may be written as part of the word, with a hyphen or as a separate word ("nonlinear", "non-linear",
"non linear").
"""


def base_form(word: str) -> str:
    """Return the base form of the lower-case `word`, used for comparison: "galaxies" -> "galaxy", "ionised" ->
    "ionized".

    A word that contains a digit is treated as a name and returned unchanged. The function is idempotent.
    """
    return _base_form(word) if word.isalpha() and len(word) > 2 else word


def plurals_of(nouns: Iterable[str]) -> str:
    """Return a regular expression, as text, that matches any of the nouns, singular or plural."""
    return "|".join(
        rf"{noun[:-1]}(?:y|ies)" if re.search("[^aeiou]y$", noun) else rf"{noun}(?:s|e|es)?" for noun in nouns
    )


@lru_cache(maxsize=1 << 16)
def _base_form(word: str) -> str:
    # Repeat until nothing changes, so that the base form of a base form is itself.
    while (form := _american(_singular(word))) != word:
        word = form
    return word


# Number ---------------------------------------------------------------------------------------------

_UNCHANGED_WORDS = words(
    # Words with the same form in both numbers, or with only one number.
    "alias always apparatus aries atlas axis bias bootes canvas ceres chaos corps cosmos ethos gas kudos lens mars "
    "molasses news overseas pancreas pathos perhaps pleiades hyades pons series species thermos "
    "besides clothes diabetes does jeans multimedia nowadays ourselves thanks themselves whereas "
    # Names of people, places and instruments; many concepts in science are named after somebody.
    "achilles adams andes antares ares arkansas bayes brans carlos charles chronos collins dallas davis deimos douglas "
    "edwards eros evans forbes gibbs harps harris hawkins helios hercules hermes higgs hobbs holmes hughes huygens "
    "candels ceers cheops cmos crires davies didymos dimorphos elias erdos gmos hipparcos hopkins kmos lanczos mises "
    "mnras nirps parkes peebles phangs pisces ramses robbins sachs serpens sextans veritas "
    "iras james jenkins jones kansas keynes lucas marcos midas naples nicolas pallas phobos reynolds rhodes richards "
    "roberts rubens siemens socrates stokes texas thomas ulysses vegas wales williams yates"
)


def _endings(drop: int, add: str, plurals: str) -> dict[str, str]:
    return {plural: plural[:-drop] + add for plural in plurals.split()}


_IRREGULAR_PLURALS = {
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

_PLURAL_RULES = (
    (re.compile(r"(?:ss|us|is|ics|lens|series|cosmos)$"), 0, ""),
    (re.compile(r"(?<=..)ies$"), 3, "y"),
    (re.compile(r"(?<=s)ses$|(?<=[xh])es$|(?<=tz)es$"), 2, ""),
    (re.compile(r"(?<=[^ao]us)es$"), 2, ""),
    (re.compile(r"(?<=..)oes$"), 2, ""),
    (re.compile(r"s$"), 1, ""),
)
"""Each rule consists of a pattern, the number of letters to drop, and their replacement; the first match applies."""


def _singular(word: str) -> str:
    exception = _look_up(word)
    if exception is not None:
        return exception
    if len(word) > 3:  # "mas", "gps", "rms": a word of three letters is an acronym or already singular
        for pattern, drop, add in _PLURAL_RULES:
            if pattern.search(word):
                return word[: len(word) - drop] + add
    return word


def _look_up(word: str) -> str | None:
    """Look `word` up in the lists, with or without a prefix ("subspectra", "nongas"); `None` if it is not listed."""
    for start in range(len(word) - 2):
        if start and word[:start] not in PREFIXES:
            continue
        rest = word[start:]
        if rest in _UNCHANGED_WORDS:
            return word
        if rest in _IRREGULAR_PLURALS:
            return word[:start] + _IRREGULAR_PLURALS[rest]
    return None


# Spelling -------------------------------------------------------------------------------------------

_SPELLINGS = {
    **pairs("grey:gray disc:disk catalogue:catalog analogue:analog dialogue:dialog programme:program ageing:aging"),
    **pairs("aluminium:aluminum defence:defense licence:license offence:offense artefact:artifact sceptic:skeptic"),
    **pairs("centring:centering"),
}
_VERB_ENDING = r"(?=(?:e|ed|er|ing|able)$)"
_BRITISH_PATTERNS = (
    (re.compile(r"is(?=ations?$)"), "iz"),
    # Applies only after the endings of Greek and Latin stems, so that "rise", "noise" and "expertise" are left alone.
    (
        re.compile(
            r"(?<=..(?:al|ar|an|en|on|er|or|ur|et|ul|ol|il|ll|im|as|es|it|nt|gn|rn|id|ic|rg|og))is" + _VERB_ENDING
        ),
        "iz",
    ),
    (re.compile(r"(?<=ard|dom|tom|etr|ion)is" + _VERB_ENDING), "iz"),
    (re.compile(r"(?<=anal|atal|aral|dial|drol|trol)ys" + _VERB_ENDING), "yz"),
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
    if word in _SPELLINGS:
        return _SPELLINGS[word]
    for pattern, replacement in _BRITISH_PATTERNS:
        word = pattern.sub(replacement, word)
    return word
