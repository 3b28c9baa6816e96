"""Units of measurement as they stand in a text."""

import re
from dataclasses import dataclass
from functools import lru_cache

from pathfinder.assessment.evidence.unit_table import OTHER_NAMES, UNITS


def _electron_volts(match: re.Match[str]) -> str:
    prefix = match[1] or ""
    return f"{prefix if prefix == 'k' or prefix.isupper() else {'kilo': 'k'}.get(prefix, prefix[:1].upper())}eV"


_PHRASES = (
    (re.compile(r"\bparts per million\b"), "ppm"),
    (re.compile(r"\bparts per billion\b"), "ppb"),
    (re.compile(r"\b(kilo|mega|giga|tera|peta|[kMGTP])?-?electron[ -]?volts?\b"), _electron_volts),
    (re.compile(r"\bastronomical units?\b"), "au"),
    (re.compile(r"\barc[ -](sec|min)(?:ond|ute)?s?\b"), r"arc\1"),
    (re.compile(r"(?<![A-Za-z])([MR])_(?:J|Jup|jup)(?![A-Za-z])"), r"\1J"),
    (re.compile(r"(?<![A-Za-z])([MR])_?(?:E|Earth|earth)(?![A-Za-z])"), r"\1E"),
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
    r"(°C|[%°″′]|[A-Za-zμÅåΩσ°⊙⊕]+)(?:\^?([-−]?\d)(?!\d|\.\d))?"
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
SHARE = Unit((("share", 1),), 1.0)
"""Of "a third of them"."""
FACTOR = Unit((("factor", 1),), 1.0)
"""Of "doubled" and "by a factor of two"."""
TEN_TO_THE = Unit((("power of ten", 1),), 1.0)
"""Of a power too large for a number: its exponent."""
SMALLEST = 1e-150
"""In base units: what is smaller, or larger than one by it, is no unit, and "Da^9" is none."""


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
        if not SMALLEST < size * known[1] ** power < 1.0 / SMALLEST:
            break
        powers[known[0]] = powers.get(known[0], 0) + power
        size, end = size * known[1] ** power, token.end()
    if not powers:
        return None, start
    return Unit(tuple(sorted((name, power) for name, power in powers.items() if power)), size), end


@lru_cache(maxsize=4096)
def _known(name: str) -> tuple[str, float] | None:
    for form in (name, name.replace("μ", "u")):
        if form in UNITS:
            return UNITS[form]
        for word in (form, form.removesuffix("s")):
            other = OTHER_NAMES.get(word) or OTHER_NAMES.get(word.lower() if len(word) > 2 else word)
            if other in UNITS:
                return UNITS[other]
    return None
