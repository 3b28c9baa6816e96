"""Units as they are written after numbers: symbols, and words in the languages that the checker knows.

A unit is a factor and powers of bases, so that "13.8 Gyr" is "13.8 billion years". Solar masses, magnitudes,
per cent and the like are bases of their own.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

_PREFIXES = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "m": 1e-3, "μ": 1e-6, "n": 1e-9, "P": 1e15, "E": 1e18, "c": 1e-2}
_PARSEC, _LIGHT_YEAR, _YEAR = 3.0857e16, 9.4607e15, 3.15576e7
_SYMBOLS: tuple[tuple[str, str, str, float], ...] = (
    # symbol, prefixes that it takes, base, factor
    ("pc", "kMGm", "m", _PARSEC),
    ("m", "kcmμn", "m", 1.0),
    ("ly", "kMG", "m", _LIGHT_YEAR),
    ("lyr", "kMG", "m", _LIGHT_YEAR),
    ("AU", "", "m", 1.495979e11),
    ("au", "", "m", 1.495979e11),
    ("Å", "", "m", 1e-10),
    ("yr", "kMG", "s", _YEAR),
    ("yrs", "", "s", _YEAR),
    ("Ga", "", "s", 1e9 * _YEAR),
    ("s", "mμnk", "s", 1.0),
    ("h", "", "s", 3600.0),
    ("hr", "", "s", 3600.0),
    ("hrs", "", "s", 3600.0),
    ("min", "", "s", 60.0),
    ("d", "", "s", 86400.0),
    ("eV", "kMGTPEm", "eV", 1.0),
    ("Hz", "kMGTmnμ", "Hz", 1.0),
    ("Jy", "kMmμn", "Jy", 1.0),
    ("K", "kmμ", "K", 1.0),
    ("g", "km", "g", 1.0),
    ("erg", "", "erg", 1.0),
    ("J", "k", "erg", 1e7),
    ("W", "kMmG", "W", 1.0),
    ("G", "kMmμn", "G", 1.0),
    ("T", "m", "T", 1.0),
    ("Pa", "kMG", "Pa", 1.0),
    ("arcsec", "m", "arcsec", 1.0),
    ("as", "mμ", "arcsec", 1.0),
    ("arcmin", "", "arcsec", 60.0),
    ("deg", "", "arcsec", 3600.0),
    ("rad", "mμ", "rad", 1.0),
    ("sr", "", "sr", 1.0),
    ("mag", "m", "mag", 1.0),
    ("dex", "", "dex", 1.0),
    ("dB", "", "dB", 1.0),
    ("ppm", "", "%", 1e-4),
    ("ppb", "", "%", 1e-7),
)
_SIGNS = {"%": ("%", 1.0), "°": ("arcsec", 3600.0), "′": ("arcsec", 60.0), "″": ("arcsec", 1.0), "σ": ("σ", 1.0)}
_WORDS: tuple[tuple[str, str, float], ...] = (
    # Pattern, base, factor; in English, Spanish, French, German, Italian, Portuguese, Dutch, Hindi and Chinese.
    (r"light[\s-]*years?|años?[\s-]luz|années?[\s-]lumière|Lichtjahren?|lichtja(?:ar|ren)", "m", _LIGHT_YEAR),
    (r"anni[\s-]luce|anos?[\s-]luz|प्रकाश[\s-]*वर्ष|光年", "m", _LIGHT_YEAR),
    (r"(?:mega|méga|megá)p[aá]rse[ck]s?|मेगापारसेक|(?:兆|百万)秒差距", "m", 1e6 * _PARSEC),
    (r"(?:kilo|kiló|chilo|quilo)p[aá]rse[ck]s?|किलोपारसेक|千秒差距", "m", 1e3 * _PARSEC),
    (r"giga?p[aá]rse[ck]s?", "m", 1e9 * _PARSEC),
    (r"p[aá]rse[ck]s?|पारसेक|秒差距", "m", _PARSEC),
    (r"kil[oó]m(?:et(?:er|re|ro)s?|ètres?|etern)|chilometr[oi]|quil[ôo]metros?|किलोमीटर|千米|公里", "m", 1e3),
    (r"met(?:er|re)s?|metros?|mètres?|metr[oi]|metern", "m", 1.0),
    (
        r"astronomical units?|unidades? astron[oó]micas?|unités? astronomiques?|Astronomischen? Einheit(?:en)?",
        "m",
        1.495979e11,
    ),
    (r"microns?|micrometers?|micrometres?", "m", 1e-6),
    (r"nanomet(?:er|re)s?", "m", 1e-9),
    (r"angstroms?|ångströms?", "m", 1e-10),
    (r"years?|años?|années?|ans?|Jahren?|Jahr|ann[oi]|anos?|ja(?:ar|ren)|वर्ष(?:ों)?|साल|年", "s", _YEAR),
    (r"days?|días?|jours?|Tagen?|Tage?|giorn[oi]|dias?|dag(?:en)?|दिन|天", "s", 86400.0),
    (r"hours?|horas?|heures?|Stunden?|or[ae]|uur|uren|घंटे|小时", "s", 3600.0),
    (r"minutes?|minutos?|Minuten?|minut[oi]|minuten", "s", 60.0),
    (r"seconds?|segundos?|secondes?|Sekunden?|second[oi]|seconden?|सेकंड|सेकेंड|秒", "s", 1.0),
    (r"per\s?cent|percentage points?|por ciento|pour cent|Prozent|per cento|por cento|procent|प्रतिशत", "%", 1.0),
    (r"M_?\s{0,5}☉|M_?\s?_?sun|Msun|solar mass(?:es)?|masas? solar(?:es)?|masses? solaires?", "M☉", 1.0),
    (r"times (?:the mass of|as massive as) (?:the|our) Sun|Sonnenmassen?|mass[ae] solar[ie]", "M☉", 1.0),
    (r"massas? solar(?:es)?|zonsmassa['’]?s?|सौर द्रव्यमान|(?:个)?太阳质量", "M☉", 1.0),
    (r"L_?\s{0,5}☉|Lsun|solar luminosit(?:y|ies)|luminosidad(?:es)? solar(?:es)?", "L☉", 1.0),
    (r"luminosités? solaires?|Sonnenleuchtkräften?", "L☉", 1.0),
    (
        r"R_?\s{0,5}☉|Rsun|solar radi(?:us|i)|radios? solar(?:es)?|rayons? solaires?|Sonnenradien|Sonnenradius",
        "R☉",
        1.0,
    ),
    (r"M_?\s{0,7}(?:⊕|earth)|Earth mass(?:es)?|masas? terrestres?|masses? terrestres?|Erdmassen?", "M⊕", 1.0),
    (r"R_?\s{0,7}(?:⊕|earth)|Earth radi(?:us|i)|radios? terrestres?|rayons? terrestres?|Erdradien", "R⊕", 1.0),
    (r"M_?\s?Jup|Jupiter mass(?:es)?|masas? de Júpiter|masses? de Jupiter|Jupitermassen?", "MJup", 1.0),
    (r"degrees?|grados?|degrés?|Grad|grad[io]|graus?|graden", "arcsec", 3600.0),
    (r"milli-?arc[\s-]?seconds?", "arcsec", 1e-3),
    (r"micro-?arc[\s-]?seconds?", "arcsec", 1e-6),
    (r"milli-?seconds?|milisegundos?|millisecondes?|Millisekunden?|millisecond[oi]|milissegundos?", "s", 1e-3),
    (r"micro-?seconds?|microsegundos?|microsecondes?|Mikrosekunden?|microsecond[oi]", "s", 1e-6),
    (r"nano-?seconds?|nanosegundos?|nanosecondes?|Nanosekunden?|nanosecond[oi]", "s", 1e-9),
    (r"kilohertz", "Hz", 1e3),
    (r"megahertz", "Hz", 1e6),
    (r"gigahertz", "Hz", 1e9),
    (r"(?:kilo|k)-?electron[\s-]?volts?", "eV", 1e3),
    (r"(?:mega|M)-?electron[\s-]?volts?", "eV", 1e6),
    (r"(?:giga|G)-?electron[\s-]?volts?", "eV", 1e9),
    (r"arc[\s-]?minutes?", "arcsec", 60.0),
    (r"arc[\s-]?seconds?", "arcsec", 1.0),
    (r"kelvins?", "K", 1.0),
    (r"magnitudes?|magnitudes|Magnituden|magnitud(?:es)?|magnitudin[ei]", "mag", 1.0),
    (r"sigmas?", "σ", 1.0),
    (r"electron[\s-]?volts?", "eV", 1.0),
    (r"gauss", "G", 1.0),
    (r"tesla", "T", 1.0),
    (r"ergs", "erg", 1.0),
    (r"watts?", "W", 1.0),
    (r"hertz", "Hz", 1.0),
    (r"decades?", "s", 10 * _YEAR),
    (r"centur(?:y|ies)", "s", 100 * _YEAR),
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by what it is made of."""

    factor: float
    powers: tuple[tuple[str, int], ...]
    """Base and power, in the order of the bases, powers of 0 left out."""


_PER = r"\s*(?:/|\bper\b(?!\s*cent)|\bpor\b(?!\s*cent|\s*ciento)|\bpar\b|\bpro\b|\bal\b|\bà la\b|प्रति|每)\s*"
_POWER = r"(?:\s{0,2}\^\s*|\s?\*\*)?\s?(?P<power>-\s?[1-9]|(?<=\^)[1-9]|[⁻]?[¹²³⁴]|(?<=\w)[23](?!\d))"


@lru_cache(maxsize=1)
def _atoms() -> tuple[tuple[re.Pattern[str], str, float], ...]:
    """Every single unit, the longer before the shorter."""
    words = [
        (re.compile(rf"(?:{pattern})(?![A-Za-zÀ-ÿ])", re.IGNORECASE), base, factor) for pattern, base, factor in _WORDS
    ]
    symbols = [
        (prefix + symbol, base, factor * _PREFIXES.get(prefix, 1.0))
        for symbol, prefixes, base, factor in _SYMBOLS
        for prefix in ("", *prefixes)
    ]
    exact = [
        (re.compile(rf"{re.escape(symbol)}(?![A-Za-zÀ-ÿ☉⊕_])"), base, factor)
        for symbol, base, factor in sorted(symbols, key=lambda one: -len(one[0]))
    ]
    signs = [(re.compile(re.escape(sign)), base, factor) for sign, (base, factor) in _SIGNS.items()]
    return (*words, *exact, *signs)


def read_unit(text: str, at: int) -> tuple[Unit, int] | None:
    """The unit that begins right at `at` and where it ends; `None` where none does."""
    found = _atom(text, at)
    if found is None:
        return None
    powers: dict[str, int] = {}
    factor, sign = 1.0, 1
    end = at
    while found is not None:
        base, one, power, end = found
        powers[base] = powers.get(base, 0) + sign * power
        factor *= one ** (sign * power)
        found, sign = _following(text, end)
    bases = tuple(sorted((base, power) for base, power in powers.items() if power))
    return Unit(factor, bases), end


def _atom(text: str, at: int) -> tuple[str, float, int, int] | None:
    """Base, factor, power and end of the single unit at `at`."""
    for pattern, base, factor in _atoms():
        if match := pattern.match(text, at):
            power = re.compile(_POWER).match(text, match.end())
            if power is None:
                return base, factor, 1, match.end()
            return base, factor, _power(power["power"]), power.end()
    return None


def _following(text: str, at: int) -> tuple[tuple[str, float, int, int] | None, int]:
    """The next single unit of a product, and 1, or -1 behind "per"."""
    if match := re.compile(_PER).match(text, at):
        return _atom(text, match.end()), -1
    match = re.compile(r"\s{0,3}[·.]?\s{0,2}").match(text, at)
    found = _atom(text, match.end()) if match and match.end() > at else None
    # Side by side only symbols with a power, as in km s^-1 Mpc^-1: "5 km a day" has no such, "13 Gyr d" neither.
    return (found, 1) if found is not None and found[2] < 0 else (None, 1)


def _power(text: str) -> int:
    plain = text.translate(str.maketrans("⁻¹²³⁴", "-1234")).replace(" ", "")
    return int(plain)
