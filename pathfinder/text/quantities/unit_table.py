"""Symbols and names of units: the dimension of each, and its size in the base unit of that dimension.

Prefixed units are built from the prefixes and the units that take them, so that mmag, nHz and kiloparsec are
recognised.
"""

import math

from pathfinder.text.english import pairs, words

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
    # symbol, prefixes used with it, dimension, size
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
"""Units that are recognised only with a prefix; on their own they are letters, as in "figure 3 A"."""

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
    "Torr": ("pressure", 133.322), "mmHg": ("pressure", 133.322), "cmH2O": ("pressure", 98.0665),
    "pixel": ("pixels", 1.0),
}  # fmt: skip

_NAMES = {
    **pairs("meter:m metre:m parsec:pc second:s year:yr hertz:Hz electronvolt:eV joule:J calorie:cal watt:W volt:V"),
    **pairs("gram:g gramme:g dalton:Da jansky:Jy gauss:G tesla:T kelvin:K arcsecond:arcsec radian:rad magnitude:mag"),
    **pairs("mole:mol molar:M liter:L litre:L pascal:Pa newton:N ampere:A farad:F ohm:Ω bar:bar angstrom:Å"),
}
"""Unit names that combine with the names of prefixes."""

_OTHER_NAMES = {
    **pairs("micron:um sec:s minute:min hour:h hr:h day:d days:d wk:week yrs:yr y:yr degree:deg arcminute:arcmin"),
    **pairs("asec:as percent:% mo:month sigma:σ Msun:M⊙ Lsun:L⊙ Rsun:R⊙ MJup:MJ RJup:RJ MEarth:ME REarth:RE M⊕:ME"),
    **pairs("R⊕:RE Myrs:Myr Gyrs:Gyr kyrs:kyr MM_⊙:M⊙ kbp:kbp °:deg ″:as ′:arcmin centuries:century ergs:erg"),
    **pairs("Gigayear:Gyr dyne:dyn rydberg:Ry ångström:Å au:au lightyear:ly"),
}


def _units() -> dict[str, tuple[str, float]]:
    prefixed_units = {
        f"{prefix}{symbol}": (dimension, size * _PREFIXES[prefix])
        for symbol, prefixes, dimension, size in _TAKE_PREFIXES
        for prefix in prefixes
    }
    alone = {symbol: (dimension, size) for symbol, _, dimension, size in _TAKE_PREFIXES if symbol not in _ONLY_PREFIXED}
    return {**prefixed_units, **alone, **_PLAIN}


UNITS = _units()
"""Dimension and size of each unit, by symbol, with "u" for micro."""


def _names() -> dict[str, str]:
    prefixed_names = {
        f"{long}{name}": f"{short}{symbol}"
        for name, symbol in _NAMES.items()
        for long, short in _PREFIX_NAMES.items()
        if f"{short}{symbol}" in UNITS
    }
    # "One bar" is more often a galaxy's bar than a pressure.
    plain = {name: symbol for name, symbol in _NAMES.items() if symbol in UNITS and name != "bar"}
    return {**prefixed_names, **plain, **_OTHER_NAMES}


OTHER_NAMES = _names()
"""Symbol of each unit, by its name or an alternative symbol."""

WORD_UNITS = words(
    "Hz nHz μHz mHz kHz MHz GHz THz eV keV MeV GeV TeV PeV EeV erg ergs nm μm um mm cm km pc kpc Mpc Gpc au AU ly "
    "ms ks sec min hr hrs yr yrs kyr Myr Gyr kg μJy uJy mJy Jy MJy μK mK nG μG kG gauss mag mmag μas mas arcsec arcmin "
    "deg sr dex dB ppm ppb kb Mb"
)
"""Units of two letters or more that hardly ever mean anything else, so that a word can be recognised as a unit without
a number before it. GW, NS and MW are waves, stars and a galaxy more often than units; a single letter may be anything.
"""
LETTER_UNITS = words("K m A s G Å")
"""Single letters that, after a number, are more likely units than a spectral class or a band."""

PHRASES = (
    (r"(?<![A-Za-z])parts per million\b", "ppm"),
    (r"(?<![A-Za-z])parts per billion\b", "ppb"),
    *(
        (rf"(?<![A-Za-z])(?:{name}|{prefix})-?electron[ -]?volts?\b", f"{prefix}eV")
        for name, prefix in _PREFIX_NAMES.items()
        if prefix in "kMGTP"
    ),
    (r"(?<![A-Za-z])electron[ -]?volts?\b", "eV"),
    (r"(?<![A-Za-z])astronomical units?\b", "au"),
    (r"(?<![A-Za-z])mm[ -]{0,2}(?:Hg\b(?! lamp)|of mercury\b)|(?<![A-Za-z])torr\b", "mmHg"),
    (r"(?<![A-Za-z])cm[ -]{0,2}H_?2O\b", "cmH2O"),
    (r"(?<![A-Za-z])(?:milli|m)-?arc[ -]?seconds?\b", "mas"),
    (r"(?<![A-Za-z])(?:micro|μ)-?arc[ -]?seconds?\b", "μas"),
    (r"(?<![A-Za-z])(milli|micro|nano)-seconds?\b", r"\1second"),
    (r"(?<![A-Za-z])arc[ -](sec|min)(?:ond|ute)?s?\b", r"arc\1"),
    (r"(?<![A-Za-z])([MR])\s{0,2}_\s{0,8}(?:J|Jup|jup)(?![A-Za-z])", r"\1J"),
    (r"(?<![A-Za-z])([MR])(?:(?:\s{0,2}_\s{0,8})?(?:E|Earth|earth)|\s{0,2}_?\s{0,8}⊕)(?![A-Za-z])", r"\1E"),
    (r"(?<![A-Za-z])([MLR])\s{0,2}_?\s{0,8}⊙", r"\1⊙"),
    (r"(?<![A-Za-z])(?:per cent|percent(?:age points?)?)(?![a-z])", "%"),
    (r"(?<![A-Za-z])(?:solar mass(?:es)?|M_?\s?sun)\b", "M⊙"),
    (r"(?<![A-Za-z])times (?:the mass of|as massive as) (?:the|our) Sun\b", "M⊙"),
    (r"(?<![A-Za-z])(?:solar luminosit(?:y|ies)|L_?\s?sun)\b", "L⊙"),
    (r"(?<![A-Za-z])(?:solar radi(?:us|i)|R_?\s?sun)\b", "R⊙"),
    (r"(?<![A-Za-z])Jup(?:iter)? mass(?:es)?\b", "MJ"),
    (r"(?<![A-Za-z])Earth mass(?:es)?\b", "ME"),
    (r"(?<![A-Za-z])Jup(?:iter)? radi(?:us|i)\b", "RJ"),
    (r"(?<![A-Za-z])Earth radi(?:us|i)\b", "RE"),
    (r"(?<![A-Za-z])light[- ]years?\b", "ly"),
    (r"μ\s{1,8}([A-Za-z]{1,3})(?![A-Za-z])", r"μ\1"),
)
"""Patterns for English units that consist of several words or have a subscript, with the symbol of each."""

FOREIGN_WORDS = {
    "ly": r"años?[\s-]luz|années?[\s-]lumière|Lichtjahren?|lichtja(?:ar|ren)|anni[\s-]luce|anos?[\s-]luz"
    r"|प्रकाश[\s-]*वर्ष|光年",
    "Mpc": r"(?:mega|méga|megá)p[aá]rse[ck]s?|मेगापारसेक|(?:兆|百万)秒差距",
    "kpc": r"(?:kilo|kiló|chilo|quilo)p[aá]rse[ck]s?|किलोपारसेक|千秒差距",
    "Gpc": r"giga?p[aá]rse[ck]s?",
    "pc": r"p[aá]rse[ck]s?|पारसेक|秒差距",
    "km": r"kil[oó]m(?:et(?:er|re|ro)s?|ètres?|etern)|chilometr[oi]|quil[ôo]metros?|किलोमीटर|千米|公里",
    "m": r"metros?|mètres?|metr[oi]|metern",
    "au": r"unidades? astron[oó]micas?|unités? astronomiques?|Astronomischen? Einheit(?:en)?",
    "Å": r"ångströms?",
    "yr": r"años?|années?|ans?|Jahren?|Jahr|ann[oi]|anos?|ja(?:ar|ren)|वर्ष(?:ों)?|साल|年",
    "d": r"días?|jours?|Tagen?|Tage?|giorn[oi]|dias?|dag(?:en)?|दिन|天",
    "h": r"horas?|heures?|Stunden?|or[ae]|uur|uren|घंटे|小时",
    "min": r"minutos?|Minuten?|minut[oi]|minuten",
    "s": r"segundos?|secondes?|Sekunden?|second[oi]|seconden?|सेकंड|सेकेंड|秒",
    "ms": r"milisegundos?|millisecondes?|Millisekunden?|millisecond[oi]|milissegundos?",
    "us": r"microsegundos?|microsecondes?|Mikrosekunden?|microsecond[oi]",
    "ns": r"nanosegundos?|nanosecondes?|Nanosekunden?|nanosecond[oi]",
    "%": r"por ciento|pour cent|Prozent|per cento|por cento|procent|प्रतिशत",
    "M⊙": r"masas? solar(?:es)?|masses? solaires?|Sonnenmassen?|mass[ae] solar[ie]|massas? solar(?:es)?"
    r"|zonsmassa['’]?s?|सौर द्रव्यमान|(?:个)?太阳质量",
    "L⊙": r"luminosidad(?:es)? solar(?:es)?|luminosités? solaires?|Sonnenleuchtkräften?",
    "R⊙": r"radios? solar(?:es)?|rayons? solaires?|Sonnenradien|Sonnenradius",
    "ME": r"masas? terrestres?|masses? terrestres?|Erdmassen?",
    "RE": r"radios? terrestres?|rayons? terrestres?|Erdradien",
    "MJ": r"masas? de Júpiter|masses? de Jupiter|Jupitermassen?",
    "deg": r"grados?|degrés?|Grad|grad[io]|graus?|graden",
    "mag": r"Magnituden|magnitud(?:es)?|magnitudin[ei]",
}
"""Unit names in Spanish, French, German, Italian, Portuguese, Dutch, Hindi and Chinese, by symbol."""
FOREIGN_PER = r"\bpor\b(?!\s*cent|\s*ciento)|\bpar\b|\bpro\b|\bal\b|\bà la\b|प्रति|每"
"""The word "per" in these languages."""

WITH_PREFIX = {"yr": (("Gyr", 1e9), ("Myr", 1e6)), "pc": (("Gpc", 1e9), ("Mpc", 1e6), ("kpc", 1e3))}
"""Units that are written with a prefix for large numbers, and the number from which each is used."""
