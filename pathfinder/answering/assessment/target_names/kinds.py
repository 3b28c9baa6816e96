"""Kinds of things that have names: the nouns that occur next to the names, and the words that a question uses to ask
for them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.corpus.missions.catalogue import gazetteer_of
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.profile import Profile, astronomy
from pathfinder.profile.profile import FacilityCatalogue
from pathfinder.text.english import BE, DO, HAVE, MONTHS, OPENERS, lower
from pathfinder.text.inflection import base_form


@dataclass(frozen=True, slots=True)
class NounGroup:
    """Nouns for one kind of thing, in the singular."""

    name: str
    """Name of the kind, as in `NamedThing.kind`."""
    nouns: tuple[str, ...]
    has_missions: bool = False
    """True if the catalogue of missions names things of this kind."""


GROUPS = (
    NounGroup("code", tuple("code software package program library toolkit tool solver framework suite".split())),
    NounGroup("pipeline", ("pipeline",)),
    NounGroup("emulator", ("emulator",)),
    NounGroup("survey", tuple("survey catalogue catalog".split()), has_missions=True),
    NounGroup("instrument", tuple("instrument spectrograph camera detector spectrometer imager".split())),
    NounGroup("experiment", ("experiment", "collaboration")),
    NounGroup("method", tuple("method algorithm technique scheme".split())),
    NounGroup("model", ("model", "network", "architecture")),
    NounGroup("simulation", ("simulation",)),
    NounGroup("data set", ("dataset", "database", "benchmark", "corpus", "archive")),
)

MOLECULE = "molecule"
OBJECT = "object"
"""Kind of all the things that a field's profile lists."""

_QUESTION = re.compile(
    r"^\s*(?:(?:which|what)(?: (?:are|were) (?:the|some)(?: \w+ed)?)?|name|list|give|show)(?: me)?"
    r"(?: (?:the|all|some))*\s+(?P<phrase>[^?.,;]+)",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"(?<![\w-])[A-Z]{3,}(?![\w-])")
_ON_THE_GROUND = frozenset(("array", "interferometer"))
_RAYS = re.compile(r"(?<!\w)(x|gamma|γ|cosmic)[- ]rays?\b", re.IGNORECASE)
_VERBS = lower((*BE, *DO, *HAVE)) | frozenset(
    "can could will would use uses used exist exists observe observed detect "
    "find finds detected show shows include includes provide provides study studied measure measured found been "
    "host hosts contain contains make makes map maps cover covers "
    "model models for of in to that which with on from at by "
    "orbit orbits about work works operate operates cover covers covered simulate simulates simulated "
    "mapped fit fits treat treats handle handles solve solves compute computes calculate calculates describe describes "
    "support supports allow allows there".split()
)
_NO_MODIFIERS = frozenset(
    "future upcoming planned proposed modern "
    "used use corpus papers paper different main popular important new known common "
    "available current existing examples example kinds kind types type names name exist public recent most".split()
)

NO_NAMES = lower((*OPENERS, *MONTHS)) | frozenset(
    "1d 2d 3d ai all american among amr and ann anns another artificial bayesian because before between boltzmann "
    "british but c++ cambridge carlo cartesian chinese cnn cnns co cold convolutional cpu deep dutch each early "
    "einstein eos equilibrium eulerian european every existing far fast first five fortran four fourier free french "
    "fresnel fwhm gaussian general-relativistic german gnn gnns godunov gpu gpus group h h2 hamiltonian harvard her "
    "high his hot hpc hydrodynamic hydrodynamical ic ii iii indian ir iv japanese java julia kalman lagrangian lambda "
    "large later linux local low many markov matlab mcmc ml modern monte most n-body nbody near neural new newtonian "
    "next nn nns no numerical one open or other over pic pinn poisson psf public python radiative recurrent "
    "relativistic riemann rnn rnns second several simple simulated six small some standard then thermal thermodynamic "
    "third three through two type under uv very warm wide x-ray xray".split()
)
"""Words and acronyms, in lower case, that are often capitalised but do not name a code, survey or instrument. Those of
a field are in its profile.
"""


@dataclass(frozen=True, slots=True)
class NamedTarget:
    """The kind of thing whose names a question asks for."""

    kind: str
    nouns: tuple[str, ...]
    """Nouns, in the singular, that may occur next to a name."""
    modifiers: frozenset[str]
    """Stems of the question's words before the noun: "radiative transfer" before "codes"."""
    contexts: tuple[frozenset[str], ...]
    """Stems of the words after the noun, such as "protoplanetary discs"; one set for each of the alternatives that "or"
    separates.
    """
    has_missions: bool
    is_in_space: bool = False
    """True if the question asks for things in space: "space telescopes"."""
    names: tuple[str, ...] = ()
    """Acronyms after the noun, which the sentence or the title must contain: "JWST" in "instruments on JWST"."""
    designation: str | None = None
    """Pattern for the names that these things have in catalogues, if it is known."""
    no_names: frozenset[str] = NO_NAMES
    """Words and acronyms, in lower case, that do not name such a thing even where a text capitalises them."""
    facilities: tuple[str, ...] = ()
    """Nouns, in the singular, for the facilities of the field: "telescope"."""
    catalogues: frozenset[str] = frozenset()
    """Names of the field's catalogues, in lower case."""


def named_target(question: str, profile: Profile | None = None) -> NamedTarget | None:
    """Return the kind of named thing that `question` asks for; `None` if it asks for none. `profile` holds the things
    and the designations of the field, by default astronomy.
    """
    match = _QUESTION.match(question)
    if match is None:
        return None
    profile, tokens = profile or astronomy(), match["phrase"].split()
    things, facilities = profile.names.things, tuple(noun for kind in profile.names.facilities for noun in kind)
    head = _head(tokens, (*things, *facilities))
    if head is None:
        return None
    noun = base_form(tokens[head].strip("\"'").lower())
    groups = (*GROUPS, *(NounGroup(kind[0], kind, has_missions=True) for kind in profile.names.facilities))
    group = next((group for group in groups if noun in group.nouns), None)
    before, behind = " ".join(tokens[:head]), " ".join(tokens[head + 1 :])
    nouns = group.nouns if group else (noun,)
    has_catalogue = profile.services.facilities is not FacilityCatalogue.NONE
    is_in_space = "space" in before.lower().split()
    return NamedTarget(
        kind=group.name if group else OBJECT if noun in things else noun,
        nouns=tuple(each for each in nouns if not (is_in_space and each in _ON_THE_GROUND)),
        modifiers=_stems(before, profile),
        contexts=tuple(filter(None, (_stems(part, profile) for part in re.split(r"\bor\b", behind)))),
        has_missions=group is not None and group.has_missions and has_catalogue,
        is_in_space=is_in_space,
        names=tuple(_ACRONYM.findall(behind)) if re.match(r"(?:on|of|aboard|onboard|at)\b", behind) else (),
        designation=_designation((*nouns, noun, *(word for word in before.lower().split() if word in things)), profile),
        no_names=NO_NAMES.union(profile.names.no_names),
        facilities=facilities,
        catalogues=gazetteer_of(profile).catalogues,
    )


def _designation(nouns: Sequence[str], profile: Profile) -> str | None:
    """Return the name pattern of the first of `nouns` that has one, such as "binary" in "binary stars"."""
    patterns = {noun: kind.pattern for kind in profile.designations for noun in kind.nouns} | {MOLECULE: MOLECULES}
    return next((patterns[noun] for noun in nouns if noun in patterns), None)


def _head(tokens: list[str], things: Sequence[str]) -> int | None:
    """Return the position of the plural noun that the question asks for: a noun for a known kind, or else the last word
    before a verb or preposition.
    """
    nouns = frozenset((*things, *(noun for group in GROUPS for noun in group.nouns)))
    plain = [token.strip("\"'").lower() for token in tokens]
    for place, word in enumerate(plain):
        if _is_plural(word) and base_form(word) in nouns:
            return place
        if place and word in _VERBS:
            break
    end = next((place for place, word in enumerate(plain) if place and word in _VERBS), len(plain))
    return end - 1 if end and _is_plural(plain[end - 1]) else None


def _is_plural(word: str) -> bool:
    return word.endswith(("s", "ae", "craft", "ware"))


def with_rays_joined(text: str) -> str:
    """Write "X-ray" and "gamma rays" as single words, so that different kinds of rays are not confused."""
    return _RAYS.sub(r"\1ray", text)


def _stems(text: str, profile: Profile) -> frozenset[str]:
    empty = _NO_MODIFIERS | _VERBS | {*profile.names.everywhere}
    return frozenset(stems([word for word in words(with_rays_joined(text)) if word not in empty], QUESTION_STOP_WORDS))


_SUBSCRIPT = r"(?:\d{1,2}|\$?_\{?\d{1,2}\}?\$?)"
"""A number of atoms, plain or in LaTeX: "2" or "$_2$"."""
MOLECULES = (
    rf"(?:c-|l-)?(?:(?:H|C|N|O|S|F|P|He|Si|Cl|Na|Mg|Al|Ti){_SUBSCRIPT}?){{0,6}}"
    rf"(?:(?:H|C|N|O|S|F|P|Cl){_SUBSCRIPT}|HeH|Si[OSCN]|[NM]aCl|TiO|AlO)(?:H|C|N|O|S|F|P|Cl){{0,4}}[+]?(?![\w-])"
    r"|(?:OH|CO|CN|CH|CS|HCN|HNC|HCO\+|HD|HF|HCl)(?![\w-]|\$?_)"
    r"|(?i:water|ammonia|hydroxyl|methane|formaldehyde|acetylene|fullerenes?|molecular hydrogen"
    r"|carbon (?:mon|di)oxide|helium hydride|\w+(?:nitrile|aldehyde|naphthalene|ethanol|methanol))(?!\w)"
)
"""Pattern for the formulas and names of molecules, which every field shares."""
SAME_NAMES = {
    "oh": "hydroxyl",
    "h2o": "water",
    "nh3": "ammonia",
    "co": "carbonmonoxide",
    "co2": "carbondioxide",
    "h2": "molecularhydrogen",
    "ch4": "methane",
    "h2co": "formaldehyde",
    "c2h2": "acetylene",
    "heh+": "heliumhydride",
    "cc6h5cn": "benzonitrile",
}
"""Formulas of molecules, each with the molecule's name, in the form in which `key_of` compares them."""
