"""The signs and names of units: the dimension of each, and how many of its dimension's base unit it is.

Prefixed units are made of the prefixes and the units that take them, so that mmag, nHz and kiloparsec are all known.
"""

import math

from pathfinder.corpus.language.wordlists import pairs

_JULIAN_YEAR = 365.25 * 86400.0
_AU = 1.495978707e11
_PARSEC = _AU * 648000.0 / math.pi
_EV = 1.602176634e-19
_LIGHT_YEAR = 9.4607304725808e15
_DALTON = 1.66053907e-24

_PREFIXES = {
    "f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1, "h": 1e2, "k": 1e3, "M": 1e6,
    "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
}  # fmt: skip
_PREFIX_NAMES = pairs(
    "femto:f pico:p nano:n micro:u milli:m centi:c deci:d hecto:h kilo:k mega:M giga:G tera:T peta:P exa:E"
)

_TAKE_PREFIXES = (
    # sign, prefixes that it takes and that are in use, dimension, size
    ("m", "fpnumcdkMG", "length", 1.0),
    ("pc", "umkMG", "length", _PARSEC),
    ("ly", "kMG", "length", _LIGHT_YEAR),
    ("lyr", "kMG", "length", _LIGHT_YEAR),
    ("Å", "mk", "length", 1e-10),
    ("s", "fpnumkM", "time", 1.0),
    ("yr", "kMG", "time", _JULIAN_YEAR),
    ("Hz", "numkMGTP", "frequency", 1.0),
    ("eV", "numkMGTPE", "energy", _EV),
    ("J", "pnumkGT", "energy", 1.0),
    ("erg", "", "energy", 1e-7),
    ("cal", "k", "energy", 4.184),
    ("W", "fpnumkMGTP", "power", 1.0),
    ("V", "numkMG", "voltage", 1.0),
    ("g", "fpnumkTP", "mass", 1.0),
    ("Da", "kM", "mass", _DALTON),
    ("Jy", "numkM", "flux", 1.0),
    ("G", "numkM", "field", 1.0),
    ("T", "pnumk", "field", 1e4),
    ("K", "numkMG", "temperature", 1.0),
    ("as", "num", "angle", 1.0),
    ("arcsec", "num", "angle", 1.0),
    ("rad", "num", "angle", 648000.0 / math.pi),
    ("mag", "um", "magnitude", 1.0),
    ("mol", "fpnumk", "amount", 1.0),
    ("M", "fpnum", "concentration", 1.0),
    ("L", "pnumd", "volume", 1.0),
    ("l", "num", "volume", 1.0),
    ("Pa", "umhkMGT", "pressure", 1.0),
    ("bar", "numk", "pressure", 1e5),
    ("N", "pnumkM", "force", 1.0),
    ("A", "fpnumk", "current", 1.0),
    ("F", "fpnum", "capacity", 1.0),
    ("Ω", "mkMG", "resistance", 1.0),
    ("Bq", "mkMGTP", "activity", 1.0),
    ("b", "kMG", "bases", 1.0),
    ("bp", "kMG", "bases", 1.0),
)
_ONLY_PREFIXED = frozenset({"A", "F", "N", "b", "l"})
"""Alone these are letters: "figure 3 A"."""

_PLAIN = {
    "au": ("length", _AU), "AU": ("length", _AU),
    "min": ("time", 60.0), "h": ("time", 3600.0), "d": ("time", 86400.0), "week": ("time", 604800.0),
    "month": ("time", _JULIAN_YEAR / 12), "decade": ("time", 10 * _JULIAN_YEAR),
    "century": ("time", 100 * _JULIAN_YEAR), "ka": ("time", 1e3 * _JULIAN_YEAR), "Ga": ("time", 1e9 * _JULIAN_YEAR),
    "M⊙": ("mass", 1.98841e33), "MJ": ("mass", 1.89813e30), "ME": ("mass", 5.9722e27),
    "L⊙": ("luminosity", 1.0), "R⊙": ("length", 6.957e8), "RJ": ("length", 7.1492e7), "RE": ("length", 6.3781e6),
    "°C": ("celsius", 1.0), "deg": ("angle", 3600.0), "arcmin": ("angle", 60.0), "sr": ("solid angle", 1.0),
    "%": ("share", 0.01), "ppm": ("share", 1e-6), "ppb": ("share", 1e-9), "ppt": ("share", 1e-12),
    "dex": ("dex", 1.0), "σ": ("sigma", 1.0), "dB": ("decibel", 1.0), "rpm": ("frequency", 1.0 / 60.0),
    "dyn": ("force", 1e-5), "Ry": ("energy", 13.605693 * _EV), "atm": ("pressure", 101325.0),
    "Torr": ("pressure", 133.322), "pixel": ("pixels", 1.0),
}  # fmt: skip

_NAMES = {
    **pairs("meter:m metre:m parsec:pc second:s year:yr hertz:Hz electronvolt:eV joule:J calorie:cal watt:W volt:V"),
    **pairs("gram:g gramme:g dalton:Da jansky:Jy gauss:G tesla:T kelvin:K arcsecond:arcsec radian:rad magnitude:mag"),
    **pairs("mole:mol molar:M liter:L litre:L pascal:Pa newton:N ampere:A farad:F ohm:Ω bar:bar angstrom:Å"),
}
"""Names that take the names of prefixes."""

_OTHER_NAMES = {
    **pairs("micron:um sec:s minute:min hour:h hr:h day:d days:d wk:week yrs:yr y:yr degree:deg arcminute:arcmin"),
    **pairs("asec:as percent:% mo:month sigma:σ Msun:M⊙ Lsun:L⊙ Rsun:R⊙ MJup:MJ RJup:RJ MEarth:ME REarth:RE M⊕:ME"),
    **pairs("R⊕:RE Myrs:Myr Gyrs:Gyr kyrs:kyr MM_⊙:M⊙ kbp:kbp °:deg ″:as ′:arcmin centuries:century ergs:erg"),
    **pairs("Gigayear:Gyr dyne:dyn rydberg:Ry ångström:Å au:au"),
}


def _units() -> dict[str, tuple[str, float]]:
    prefixed = {
        f"{prefix}{sign}": (dimension, size * _PREFIXES[prefix])
        for sign, prefixes, dimension, size in _TAKE_PREFIXES
        for prefix in prefixes
    }
    alone = {sign: (dimension, size) for sign, _, dimension, size in _TAKE_PREFIXES if sign not in _ONLY_PREFIXED}
    return {**prefixed, **alone, **_PLAIN}


UNITS = _units()
"""By its sign, with "u" for micro."""


def _names() -> dict[str, str]:
    prefixed = {
        f"{long}{name}": f"{short}{sign}"
        for name, sign in _NAMES.items()
        for long, short in _PREFIX_NAMES.items()
        if f"{short}{sign}" in UNITS
    }
    # A magnetic flux density of 2 kT is as rare as a bar of hydrogen is frequent: "one bar" says nothing of pressure.
    plain = {name: sign for name, sign in _NAMES.items() if sign in UNITS and name != "bar"}
    return {**prefixed, **plain, **_OTHER_NAMES}


OTHER_NAMES = _names()
"""The sign of a unit by its name or another sign of it."""
