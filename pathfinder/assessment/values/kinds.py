"""Kinds of quantities: their names in questions and in papers, their symbols, and the dimensions of their units."""

import re
from dataclasses import dataclass
from functools import cache

Dimensions = tuple[tuple[str, int], ...]

NO_UNIT: Dimensions = ()
"""Dimensions of a plain number."""
_MASS: Dimensions = (("mass", 1),)
_LENGTH: Dimensions = (("length", 1),)
_TIME: Dimensions = (("time", 1),)
_ANGLE: Dimensions = (("angle", 1),)
_SPEED: Dimensions = (("length", 1), ("time", -1))
_RATE: Dimensions = (("time", -1),)
_SHARE: Dimensions = (("share", 1),)
_MAGNITUDE: Dimensions = (("magnitude", 1),)


@dataclass(frozen=True, slots=True)
class QuantityKind:
    """A kind of quantity, such as a mass or the Hubble constant."""

    name: str
    words: str
    """Regular expression for its names in a paper."""
    dimensions: tuple[Dimensions, ...]
    """Dimensions that its unit may have; `NO_UNIT` if it may be a plain number."""
    symbols: str = r"(?!)"
    """Regular expression for its symbols before an equals sign, without spaces and braces."""
    questions: str = r"(?!)"
    """Regular expression for questions that ask for it without naming it."""
    unit: str = ""
    """Regular expression that a unit must contain; empty if the dimensions suffice."""
    is_universal: bool = False
    """True for a quantity that has one value, which is measured again and again: the newest is shown first."""
    is_named: bool = False
    """True for a quantity whose name or unit leaves no doubt, whatever object it belongs to."""


_I = re.IGNORECASE

KINDS = (
    QuantityKind(
        "Hubble constant",
        r"Hubble(?:['’]s)? (?:constant|parameter|ratio|rate|expansion rate)|expansion rate|rate of (?:the )?expansion"
        r"|constante de Hubble|Hubble-Konstante|(?<![A-Za-z])H_?\s?0(?!\d)",
        (_RATE, NO_UNIT),
        symbols=r"H_?0",
        questions=r"\bhow (?:fast|quickly|rapidly)\b.*\b(?:universe|space|cosmos)\b.*\bexpand"
        r"|\brate of (?:the )?expansion|\bhow (?:fast|quickly|rapidly)\b.*\bexpansion of the universe",
        unit=r"pc",
        is_universal=True,
        is_named=True,
    ),
    QuantityKind("S8", r"(?<![A-Za-z])S_?\s?8(?!\d)", (NO_UNIT,), symbols=r"S_?8", is_universal=True, is_named=True),
    QuantityKind(
        "sigma8",
        r"(?<![A-Za-z])(?:σ_?\s?8|sigma[-_ ]?8)(?!\d)|amplitude of (?:matter )?fluctuations|clustering amplitude",
        (NO_UNIT,),
        symbols=r"(?:σ|sigma-?)_?8",
        is_universal=True,
        is_named=True,
    ),
    QuantityKind(
        "matter density",
        r"(?<!dark )matter density(?! of \$?ρ)|density of matter|(?<![A-Za-z])Ω_?\s*m(?:atter|0)?(?![a-z])"
        r"|\bOmega_?\s?m(?:atter)?\b|\bmatter makes up\b|\bin matter\b",
        (NO_UNIT,),
        symbols=r"(?:Ω|Omega)_?m(?:atter)?,?0?",
        is_universal=True,
        is_named=True,
    ),
    QuantityKind(
        "tensor-to-scalar ratio",
        r"tensor[- ]to[- ]scalar ratio",
        (NO_UNIT,),
        symbols=r"r(?:_?0\.0\d+)?",
        is_universal=True,
        is_named=True,
    ),
    QuantityKind(
        "equation of state",
        r"equation[- ]of[- ]state|(?<![A-Za-z])w_?\s?0(?!\d)",
        (NO_UNIT,),
        symbols=r"w(?:_?0|_?DE)?",
        is_universal=True,
        is_named=True,
    ),
    QuantityKind(
        "spectral index",
        r"(?:scalar )?spectral (?:index|tilt|slope)|(?<![A-Za-z])n_?\s?s(?![a-z])",
        (NO_UNIT,),
        symbols=r"n_?s|α.*|alpha.*|Γ.*|Gamma",
    ),
    QuantityKind("optical depth", r"optical depths?", (NO_UNIT,), symbols=r"τ.*|tau.*"),
    QuantityKind(
        "neutrino mass",
        r"(?:sum of (?:the )?|total |summed )?neutrino mass(?:es)?(?: sum)?|mass(?:es)? of (?:the )?neutrinos?",
        ((("energy", 1),),),
        symbols=r"(?:[∑ΣM]|sum)?_?m?_?(?:ν|nu).*|M_?ν.*",
        is_universal=True,
        is_named=True,
    ),
    QuantityKind(
        "dark matter density",
        r"(?:local )?dark[- ]matter density|density of (?:the )?dark matter|local density",
        ((("length", -3), ("mass", 1)), (("energy", 1), ("length", -3))),
        symbols=r"ρ_?(?:0,?)?(?:dm|DM|χ|⊙|0).*",
        is_named=True,
    ),
    QuantityKind(
        "velocity dispersion", r"velocity dispersions?|(?:velocity )?spread", (_SPEED,), symbols=r"σ.*|sigma.*"
    ),
    QuantityKind("pattern speed", r"pattern speeds?|bar speed", (_RATE,), symbols=r"Ω.*|Omega.*", unit=r"pc|yr"),
    QuantityKind("escape velocity", r"escape (?:velocit(?:y|ies)|speeds?)", (_SPEED,), symbols=r"[vV]_?esc.*"),
    QuantityKind("Einstein radius", r"Einstein radi(?:us|i)", (_LENGTH, _ANGLE), symbols=r"[θR]_?E.*"),
    QuantityKind(
        "height",
        r"scale[- ]?(?:heights?|lengths?)|\bheights?\b|above the (?:plane|surface|photosphere)|elevation",
        (_LENGTH,),
        symbols=r"[hz]_.*",
    ),
    QuantityKind(
        "star formation rate",
        r"star[- ]form(?:ation|ing) rates?|SFRs?|(?:mass )?(?:accretion|mass[- ]loss|outflow|inflow) rates?",
        ((("mass", 1), ("time", -1)),),
        symbols=r"SFR.*|(?:dot)?M.*",
        questions=r"\bhow (?:fast|quickly|rapidly) .*\bform(?:s|ing)? stars",
    ),
    QuantityKind(
        "magnetic field",
        r"(?:magnetic[- ])?fields?(?: strengths?)?",
        ((("field", 1),),),
        symbols=r"B.*",
        questions=r"\bhow (?:strong|magneti[sz]ed)\b",
    ),
    QuantityKind(
        "temperature",
        r"temperatures?|effective temperatures?|\b(?:hot(?:ter|test)?|cool(?:er|est)?|cold(?:er|est)?|warm(?:er)?)\b",
        ((("temperature", 1),), (("celsius", 1),)),
        symbols=r"T.*|kT.*",
        questions=r"\bhow (?:hot|cold|cool|warm)\b",
    ),
    QuantityKind(
        "luminosity",
        r"luminosit(?:y|ies)|power(?:s|ful)?\b(?! [-\d])|\boutput",
        ((("energy", 1), ("time", -1)), (("power", 1),), (("luminosity", 1),), (("energy", 1), ("time", -1))),
        symbols=r"L.*|(?:log)?_?(?:10)?L.*",
        questions=r"\bhow (?:luminous|powerful)\b",
    ),
    QuantityKind(
        "magnitude",
        r"magnitudes?|bright(?:ness|er|est)?|extinction|reddening",
        (_MAGNITUDE,),
        symbols=r"[mMVBGJHKI]_?.*|A_?V|E\(B-V\)",
        questions=r"\bhow bright\b",
    ),
    QuantityKind(
        "age",
        r"\bage[sd]?\b|\bold(?:er)?\b|\bago\b|lifetimes?",
        (_TIME,),
        symbols=r"t.*|τ.*|[aA]ge",
        questions=r"\bhow old\b|\bwhen did\b.*\bform",
    ),
    QuantityKind(
        "period",
        r"periods?\b|\brotation\b|\bspins?\b(?!-down|-up)|\bturns?\b|\bevery\b|\bpulses?\b|\borbit(?:s|ing)?\b|\bcircl(?:es|ing)\b"
        r"|periodicit(?:y|ies)",
        (_TIME,),
        symbols=r"P.*|T_?orb.*",
        questions=r"\bhow long (?:is|does) .*\b(?:orbit|rotat|day|year|turn)",
    ),
    QuantityKind(
        "duration",
        r"durations?|\blast(?:s|ed|ing)?\b|time[- ]?scales?|(?:time[- ])?\blags?\b|\bdelays?\b|\bexposures?\b",
        (_TIME,),
        symbols=r"t_?dur.*|T_?90|Δt.*|t_?d.*",
        questions=r"\bhow long\b",
    ),
    QuantityKind(
        "speed",
        r"velocit(?:y|ies)|speeds?|approach(?:es|ing)?|coming towards|recession|reced(?:es?|ing)|rotation curve"
        r"|moving|\bmotion\b",
        (_SPEED,),
        symbols=r"[vVuK].*",
        questions=r"\bhow (?:fast|quickly|rapidly)\b",
    ),
    QuantityKind(
        "mass",
        r"\bmass(?:es)?\b|\bmassive\b|\bweigh(?:s|ed|t)?\b|\bheav(?:y|ier|iest)\b|\bweights?\b",
        (_MASS,),
        symbols=r"(?:log)?_?(?:10)?\(?[Mm].*",
        questions=r"\bhow (?:massive|heavy|much (?:mass|matter|does .* weigh))\b",
    ),
    QuantityKind("redshift", r"redshifts?\b", (NO_UNIT,), symbols=r"z.*", questions=r"\bat (?:which|what) redshift\b"),
    QuantityKind(
        "inclination",
        r"inclinations?|inclined|tilt(?:ed)?|obliquit(?:y|ies)|\bangles?\b|pitch(?:ed)?(?: angles?)?",
        (_ANGLE,),
        symbols=r"i.*|ψ.*|θ.*|ι.*",
    ),
    QuantityKind("eccentricity", r"eccentricit(?:y|ies)", (NO_UNIT,), symbols=r"e(?:_.*)?"),
    QuantityKind("density", r"densit(?:y|ies)", ((("length", -3), ("mass", 1)), (("length", -3),)), symbols=r"ρ.*|n.*"),
    QuantityKind("surface density", r"surface densit(?:y|ies)", ((("length", -2), ("mass", 1)),), symbols=r"Σ.*"),
    QuantityKind(
        "energy",
        r"energ(?:y|ies)|energetic",
        ((("energy", 1),),),
        symbols=r"E.*",
        questions=r"\bhow (?:energetic|much energy)",
    ),
    QuantityKind("frequency", r"frequenc(?:y|ies)", ((("frequency", 1),),), symbols=r"ν.*|f.*"),
    QuantityKind("wavelength", r"wavelengths?", (_LENGTH,), symbols=r"λ.*"),
    QuantityKind(
        "distance",
        r"distances?|\baway\b|\bfar(?:ther|thest)?\b|\bdistant\b|\blies?\b|\boff\b|parallax(?:es)?"
        r"|\bto the cent(?:re|er)\b|\bput (?:it|them|both|the)\b|\bplaces?\b",
        (_LENGTH,),
        symbols=r"[dD].*|R_?0",
        questions=r"\bhow (?:far|distant)\b",
    ),
    QuantityKind(
        "separation",
        r"separations?|semi-?major axis|semi-?major axes|\borbital (?:distance|radius)",
        (_LENGTH, _ANGLE),
        symbols=r"a.*|s.*",
    ),
    QuantityKind(
        "radius",
        r"\bradi(?:us|i)\b|half-light radi(?:us|i)",
        (_LENGTH, _ANGLE),
        symbols=r"[Rr].*",
        questions=r"\bhow (?:large|big)\b",
    ),
    QuantityKind(
        "diameter",
        r"diameters?|\bacross\b|\bwide\b|\bwidth\b|\bsizes?\b|\bthick(?:ness)?\b",
        (_LENGTH, _ANGLE),
        symbols=r"[Dd].*",
        questions=r"\bhow (?:large|big|wide|thick)\b",
    ),
    QuantityKind(
        "slope",
        r"\bslopes?\b|\bpower(?= [-\d])|\bindex\b|\bindices\b|\bexponents?\b",
        (NO_UNIT,),
        symbols=r"[αβγΓ].*|slope",
    ),
    QuantityKind("ratio", r"\bratios?\b|\bD/H\b", (NO_UNIT,), symbols=r"q.*|D/H|.*/.*"),
    QuantityKind(
        "fraction",
        r"fractions?|\bshare\b|percentages?|\bproportion\b|efficienc(?:y|ies)",
        (_SHARE, NO_UNIT),
        symbols=r"f.*",
        questions=r"\b(?:what|which) (?:fraction|percentage|share|proportion)\b",
    ),
    QuantityKind(
        "metallicity", r"metallicit(?:y|ies)|\[Fe/H\]|abundances?", (NO_UNIT, (("dex", 1),)), symbols=r"\[.*/H\]|Z"
    ),
)
"""Kinds in order of precedence: narrower kinds come first."""

RELATIVE = {
    "mass": {"Jupiter": "MJ", "Earth": "ME", "Sun": "M⊙"},
    "radius": {"Jupiter": "RJ", "Earth": "RE", "Sun": "R⊙"},
    "diameter": {"Jupiter": "RJ", "Earth": "RE", "Sun": "R⊙"},
    "luminosity": {"Sun": "L⊙"},
}
"""Units of values stated as a multiple of a property of Jupiter, the Earth or the Sun."""


@cache
def names_of_kinds() -> re.Pattern[str]:
    """Compile a pattern for the names of all kinds; `KINDS[match.lastindex - 1]` is the kind."""
    return re.compile("|".join(f"({_without_groups(kind.words)})" for kind in KINDS), _I)


def _without_groups(pattern: str) -> str:
    return re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)


@cache
def symbols_of(kind: QuantityKind) -> re.Pattern[str]:
    """Compile the pattern for the symbols of a kind."""
    return re.compile(rf"(?:{kind.symbols})")


def kind_called(name: str) -> QuantityKind:
    """Return the kind with this name."""
    return next(kind for kind in KINDS if kind.name == name)
