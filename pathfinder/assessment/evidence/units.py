"""Units of measurement: what dimension each has, and how many of its dimension's base unit it is."""

import math
import re
from dataclasses import dataclass

from pathfinder.corpus.language.wordlists import pairs

_JULIAN_YEAR = 365.25 * 86400.0
_AU = 1.495978707e11
_PARSEC = _AU * 648000.0 / math.pi
_EV = 1.602176634e-19

_PREFIXES = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6, "G": 1e9}
_LARGE = {"T": 1e12, "P": 1e15, "E": 1e18}

_PREFIXED = {
    **{f"{prefix}{unit}": (dimension, size * factor)
       for unit, dimension, size, prefixes in (
           ("m", "length", 1.0, "fpnumck"), ("pc", "length", _PARSEC, "mkMG"), ("s", "time", 1.0, "fpnum"),
           ("yr", "time", _JULIAN_YEAR, "kMG"), ("Hz", "frequency", 1.0, "mkMG"), ("eV", "energy", _EV, "mkMG"),
           ("g", "mass", 1.0, "pnumk"), ("Jy", "flux", 1.0, "num"), ("G", "field", 1.0, "numk"),
           ("T", "field", 1e4, "num"), ("as", "angle", 1.0, "um"), ("mol", "amount", 1.0, "pnum"),
           ("M", "concentration", 1.0, "fpnum"), ("Da", "mass", 1.66053907e-24, "kM"), ("W", "power", 1.0, "num kMG"),
           ("V", "voltage", 1.0, "umkM"), ("L", "volume", 1.0, "num"), ("Pa", "pressure", 1.0, "mkMG"),
           ("K", "temperature", 1.0, "mu"), ("J", "energy", 1.0, "numk"), ("b", "bases", 1.0, "kM"),
           ("bp", "bases", 1.0, "kMG"),
       )
       for prefix in prefixes.replace(" ", "") for factor in (_PREFIXES[prefix],)},
    **{f"{prefix}{unit}": (dimension, size * factor)
       for prefix, factor in _LARGE.items()
       for unit, dimension, size in (("eV", "energy", _EV), ("Hz", "frequency", 1.0), ("W", "power", 1.0))},
}  # fmt: skip

_PLAIN = {
    "m": ("length", 1.0), "Å": ("length", 1e-10), "au": ("length", _AU), "AU": ("length", _AU),
    "pc": ("length", _PARSEC), "ly": ("length", 9.4607304725808e15), "Mm": ("length", 1e6),
    "s": ("time", 1.0), "min": ("time", 60.0), "h": ("time", 3600.0), "d": ("time", 86400.0),
    "week": ("time", 604800.0), "month": ("time", _JULIAN_YEAR / 12), "yr": ("time", _JULIAN_YEAR),
    "Hz": ("frequency", 1.0), "eV": ("energy", _EV), "J": ("energy", 1.0), "erg": ("energy", 1e-7),
    "g": ("mass", 1.0), "M⊙": ("mass", 1.98841e33), "MJ": ("mass", 1.89813e30), "ME": ("mass", 5.9722e27),
    "L⊙": ("luminosity", 1.0), "R⊙": ("length", 6.957e8), "RJ": ("length", 7.1492e7), "RE": ("length", 6.3781e6),
    "Jy": ("flux", 1.0), "G": ("field", 1.0), "T": ("field", 1e4), "K": ("temperature", 1.0),
    "°C": ("celsius", 1.0), "deg": ("angle", 3600.0), "arcmin": ("angle", 60.0), "as": ("angle", 1.0),
    "%": ("share", 0.01), "dex": ("dex", 1.0), "mag": ("magnitude", 1.0), "σ": ("sigma", 1.0),
    "mol": ("amount", 1.0), "M": ("concentration", 1.0), "Da": ("mass", 1.66053907e-24), "W": ("power", 1.0),
    "V": ("voltage", 1.0), "L": ("volume", 1.0), "Pa": ("pressure", 1.0), "bar": ("pressure", 1e5),
    "bp": ("bases", 1.0), "dB": ("decibel", 1.0),
}  # fmt: skip

_OTHER_NAMES = {
    **pairs("meter:m metre:m kilometer:km kilometre:km centimeter:cm centimetre:cm millimeter:mm millimetre:mm"),
    **pairs("micron:um micrometer:um micrometre:um nanometer:nm nanometre:nm angstrom:Å parsec:pc kiloparsec:kpc"),
    **pairs("megaparsec:Mpc second:s sec:s millisecond:ms microsecond:us minute:min hour:h hr:h day:d days:d wk:week"),
    **pairs("year:yr yrs:yr y:yr hertz:Hz kelvin:K degree:deg arcminute:arcmin arcsecond:as arcsec:as asec:as mas:mas"),
    **pairs("percent:% gauss:G tesla:T watt:W volt:V joule:J gram:g kilogram:kg mo:month kilohertz:kHz megahertz:MHz"),
    **pairs(
        "gigahertz:GHz sigma:σ Msun:M⊙ Lsun:L⊙ Rsun:R⊙ MJup:MJ MEarth:ME M⊕:ME Myrs:Myr Gyrs:Gyr MM_⊙:M⊙ dalton:Da"
    ),
    **pairs(
        "kilodalton:kDa kbp:kbp molar:M millimolar:mM micromolar:uM nanomolar:nM kelvins:K °:deg ″:as Gigayear:Gyr"
    ),
}

_UNITS = {**_PREFIXED, **_PLAIN, "min": ("time", 60.0), "mag": ("magnitude", 1.0), "kpc": ("length", 1e3 * _PARSEC)}

_PHRASES = (
    (re.compile(r"\b(?:per cent|percent(?:age points?)?)(?![a-z])"), "%"),
    (re.compile(r"\b(?:solar mass(?:es)?|M_?sun)\b"), "M⊙"),
    (re.compile(r"\b(?:solar luminosit(?:y|ies)|L_?sun)\b"), "L⊙"),
    (re.compile(r"\b(?:solar radi(?:us|i)|R_?sun)\b"), "R⊙"),
    (re.compile(r"\bJup(?:iter)? mass(?:es)?\b"), "MJ"),
    (re.compile(r"\bEarth mass(?:es)?\b"), "ME"),
    (re.compile(r"\bJup(?:iter)? radi(?:us|i)\b"), "RJ"),
    (re.compile(r"\bEarth radi(?:us|i)\b"), "RE"),
    (re.compile(r"\blight[- ]years?\b"), "ly"),
)
"""Units of several words, and the sign that stands for each."""

_TOKEN = re.compile(
    # the word "as", not the second of arc
    r"(?!as (?:an?|the|well|compared|opposed|part|of|shown|expected|measured|seen|many|much|it|we)\b)"
    r"(°C|[%°″]|[A-Za-zμÅσ°⊙⊕]+)(?:\^?([-−]?\d)(?!\d|\.\d))?"
)
_BETWEEN = re.compile(r"\s*(/|\bper\b|·)\s*|[ -]?")


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of units, such as km/s."""

    dimensions: tuple[tuple[str, int], ...]
    """Each with its power, in alphabetical order: (("length", 1), ("time", -1))."""
    size: float
    """In base units of its dimensions: 1000 for km/s."""


PERCENT = Unit((("share", 1),), 0.01)


def with_signs(text: str) -> str:
    """`text` with units of several words as signs: "solar masses" as "M⊙"."""
    text = text.replace("µ", "μ").replace("☉", "⊙")
    for pattern, sign in _PHRASES:
        text = pattern.sub(sign, text)
    return text


def is_unit(word: str) -> bool:
    """Whether `word` is the sign or the name of a unit: "GeV", "kelvin"."""
    return _known(word) is not None


def unit_at(text: str, start: int) -> tuple[Unit | None, int]:
    """The unit that `text` holds at `start`, white space before it left out, and where it ends; `None` without one."""
    powers: dict[str, int] = {}
    size, end, sign = 1.0, start, 1
    while True:
        between = _BETWEEN.match(text, end)
        token = _TOKEN.match(text, between.end()) if between else None
        known = _known(token[1]) if token else None
        if between is None or token is None or known is None:
            break
        if between[1] in ("/", "per"):
            sign = -1
        elif powers and token[2] is None and between[1] is None:
            break  # a word of the sentence: "3 km s" has a power, "3 km as" has none
        power = sign * int((token[2] or "1").replace("−", "-"))
        powers[known[0]] = powers.get(known[0], 0) + power
        size *= known[1] ** power
        end = token.end()
    if not powers:
        return None, start
    return Unit(tuple(sorted((name, power) for name, power in powers.items() if power)), size), end


def _known(name: str) -> tuple[str, float] | None:
    for form in (name, name.replace("μ", "u")):
        if form in _UNITS:
            return _UNITS[form]
        for word in (form, form.removesuffix("s")):
            other = _OTHER_NAMES.get(word) or _OTHER_NAMES.get(word.lower() if len(word) > 2 else word)
            if other in _UNITS:
                return _UNITS[other]
    return None
