"""Measurement: a number in a text, with its unit, uncertainty and limit; and how these are written."""

import math
import re
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

from pathfinder.text.languages import LANGUAGES, languages_of
from pathfinder.text.latex.search_text import plain_signs
from pathfinder.text.quantities.units import Unit

UPPER, LOWER, ABOUT = "upper", "lower", "about"


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number in a text, with everything that belongs to it."""

    value: float
    plus: float | None
    """Upper uncertainty; the statistical one, if a systematic one is stated separately."""
    minus: float | None
    """Lower uncertainty, as a positive number."""
    plus_systematic: float | None
    minus_systematic: float | None
    unit: Unit | None
    """Dimensions and size of the unit; `None` for a plain number."""
    written_unit: str
    """Unit as written, without LaTeX; empty for a plain number."""
    relative_to: str | None
    """"Jupiter", "Earth" or "Sun" if the number is a multiple of a property of that body."""
    limit: str | None
    """"upper", "lower" or "about"; `None` for a measurement."""
    start: int
    """Position of the measurement's first character in the text."""
    end: int
    """Position after the measurement's last character, with its unit and uncertainty included."""
    power: float = 1.0
    """Factor contained in the value: a power of ten, whether in digits or as a word such as "million"."""
    is_attributive: bool = False
    """True if a hyphen joins the number to its unit: "3.35-day orbital period"."""

    is_broken: bool = False
    """True if the value or one of its uncertainties is not a readable number: "1.068 ± 007", "70 ± 1e400"."""

    @property
    def has_uncertainty(self) -> bool:
        """True if an uncertainty is stated."""
        return self.plus is not None


def round_off(number: float) -> float:
    """Return a number without the noise of binary arithmetic in its last digits."""
    return float(f"{number:.12g}")


# Uncertainties of a number: after a sign, above and below it, in brackets, or in words.

MOST_ERRORS = 2
"""Maximum number of uncertainties per number: a statistical one and a systematic one."""

SPACE = r"\s{0,24}"
NUMBER = r"(?:[1-9]\d{0,2}(?:(?:,|[ ]{1,2}|[\u00a0\u2009\u202f])\d{3}(?!\d))+|\d{1,12})(?:\.\d{1,12})?"
_ERROR = rf"{NUMBER}(?:[eE][-+]?\d{{1,3}}(?!\w))?"
_MINUS = "[-–−]"
_WIDER = rf"(?:{SPACE}\({NUMBER}\))?"
"""Error at a higher confidence level: "+0.72(1.43)"."""
_ERRORS = (
    re.compile(
        rf"{SPACE}(?:±|\+{SPACE}/{SPACE}[-–]|\+{SPACE}\\?[-–]|, give or take){SPACE}(?P<plus>{_ERROR}|one(?=\W))"
    ),
    re.compile(rf"{SPACE}\({SPACE}(?:±|\+{SPACE}/{SPACE}[-–]){SPACE}(?P<plus>{_ERROR}){SPACE}\)"),
    re.compile(
        rf"{SPACE}\^{SPACE}\+{SPACE}(?P<plus>{_ERROR}){_WIDER}{SPACE}(?:\+{SPACE}(?P<plus2>{_ERROR}))?{SPACE}_{SPACE}{_MINUS}{SPACE}"
        rf"(?P<minus>{_ERROR}){_WIDER}(?:{SPACE}{_MINUS}{SPACE}(?P<minus2>{_ERROR}))?"
    ),
    re.compile(
        rf"{SPACE}_{SPACE}{_MINUS}{SPACE}(?P<minus>{_ERROR}){SPACE}(?:{_MINUS}{SPACE}(?P<minus2>{_ERROR}))?{SPACE}\^{SPACE}\+{SPACE}"
        rf"(?P<plus>{_ERROR})(?:{SPACE}\+{SPACE}(?P<plus2>{_ERROR}))?"
    ),
    re.compile(
        rf"{SPACE}\({SPACE}\+{SPACE}(?P<plus>{_ERROR}){SPACE}[,/]?{SPACE}{_MINUS}{SPACE}(?P<minus>{_ERROR}){SPACE}\)"
        rf"|{SPACE}\(\+(?P<plus_c>{_ERROR})\){SPACE}\({_MINUS}(?P<minus_c>{_ERROR})\)"
        rf"|{SPACE}\+{SPACE}(?P<plus_b>{_ERROR}){SPACE}[,/]?{SPACE}{_MINUS}{SPACE}(?P<minus_b>{_ERROR})"
    ),
)
_LAST_DIGITS = re.compile(r"\((?:(\d{1,3})|(\d{1,3}\.\d{1,6}))\)(?![\w.])")
_IN_BRACKETS = re.compile(r"\s\((\d{1,3}\.\d{1,6})\)(?![\w.])")
LARGEST_IN_BRACKETS = 0.1
"""Maximum ratio of an uncertainty in brackets, after a space, to the number before it; a larger number in brackets may
be the value of something else: "7.2 (5.1) kpc".
"""
_LEADING_ZERO = re.compile(r"0\d")
_KIND = re.compile(
    rf"{SPACE}\({SPACE}(?P<kind>stat|sys|stoch|ran)[a-z]*\.?{SPACE}\)|{SPACE}(?P<bare>stat|sys|stoch|ran)[a-z]*\.?(?=[\s,;)])",
    re.IGNORECASE,
)
_THEN = re.compile(
    rf",?\s+with\s+(?P<random>{NUMBER})\s+of\s+(?:random|statistical)\s+and\s+(?P<systematic>{NUMBER})\s+of\s+"
    rf"systematic\s+error|,?\s+with\s+errors\s+of\s+\+(?P<plus>{NUMBER})\s+and\s+-(?P<minus>{NUMBER})"
    rf"|\s+to\s+(?P<share>{NUMBER})\s?(?:per\s?cent|%)|,\s+give\s+or\s+take\s+(?P<both>{NUMBER}|one)\b"
    rf"|,?\s+with\s+errors\s+(?:near|of(?: about)?)\s+(?P<errors>{NUMBER})",
)
_SEPARATORS = re.compile(r"[,\s]")


Pair: TypeAlias = tuple[float | None, float | None]


class Errors(NamedTuple):
    """The uncertainties of a number, and the position after them."""

    pairs: tuple[tuple[float, float], ...]
    """Upper and lower uncertainty in each pair; the statistical pair comes before the systematic one."""
    end: int

    @property
    def is_broken(self) -> bool:
        """True if an uncertainty is not a number that can be read, such as 007 or 1e400."""
        return any(not math.isfinite(error) for pair in self.pairs for error in pair)

    def scale(self, factor: float) -> tuple[Pair, Pair]:
        """Return the statistical and the systematic uncertainty, multiplied by `factor`; `None` if not stated."""
        statistical, systematic, *_ = [
            *((round_off(plus * factor), round_off(minus * factor)) for plus, minus in self.pairs),
            (None, None),
            (None, None),
        ]
        return statistical, systematic


def errors_at(plain: str, end: int, step: float, value: float = math.inf) -> Errors:
    """Read the uncertainties of the number `value`, which begin at position `end`; `step` is the value of one
    unit in its last digit, or 0.
    """
    pairs: list[tuple[str, float, float]] = []
    if step and (last_digits := _LAST_DIGITS.match(plain, end)):
        error = float(last_digits[1]) * step if last_digits[1] else float(last_digits[2])
        return Errors(((error, error),), last_digits.end())
    bracket = _IN_BRACKETS.match(plain, end)
    if step and bracket and float(bracket[1]) <= LARGEST_IN_BRACKETS * abs(value) < math.inf:
        return Errors(((float(bracket[1]),) * 2,), bracket.end())
    while len(pairs) < MOST_ERRORS:
        match = next(filter(None, (pattern.match(plain, end) for pattern in _ERRORS)), None)
        if match is None:
            break
        end = match.end()
        kind = _KIND.match(plain, end)
        end = kind.end() if kind else end
        groups = match.groupdict()
        plus = number_of(groups["plus"] or groups.get("plus_b") or groups.get("plus_c") or "")
        minus = number_of(groups.get("minus") or groups.get("minus_b") or groups.get("minus_c") or groups["plus"] or "")
        pairs.append(((kind["kind"] or kind["bare"]).lower() if kind else "", plus, minus))
        if groups.get("plus2"):
            pairs.append(("", number_of(groups["plus2"]), number_of(groups.get("minus2") or groups["plus2"])))
    if pairs and pairs[0][0].startswith("sys") and len(pairs) > 1:
        pairs.reverse()
    return Errors(tuple((plus, minus) for _, plus, minus in pairs), end)


def number_of(digits: str) -> float:
    """Return the value of digits with separators, or of the word "one"; NaN for digits like "007"."""
    if _LEADING_ZERO.match(digits):
        return math.nan
    return 1.0 if digits == "one" else float(_SEPARATORS.sub("", digits))


def errors_in_words(plain: str, end: int, value: float, factor: float) -> Errors:
    """Read the uncertainties of the number `value`, stated in words at position `end`: "with errors of about 3"."""
    match = _THEN.match(plain, end)
    if match is None:
        return Errors((), end)
    if match["random"]:
        random, systematic = float(match["random"]), float(match["systematic"])
        return Errors(((random, random), (systematic, systematic)), match.end())
    if match["plus"]:
        return Errors(((float(match["plus"]), float(match["minus"])),), match.end())
    if match["share"]:
        # A percentage has two or three digits, and the error derived from it has no more.
        error = float(f"{abs(value) * float(match['share']) / 100.0:.3g}")
        return Errors(((error, error),), match.end())
    error = number_of(match["both"] or match["errors"]) / (factor if match["both"] == "one" else 1.0)
    return Errors(((error, error),), match.end())


# Spellings of numbers and units in LaTeX, replaced by plain text of the same length.

_TIE = re.compile(r"(?<=[\w$}).])~(?=[\\{$(])")
"""Tildes that stand for a space before LaTeX."""

_SAME_LENGTH = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\bthousand million\b", "billion"),
        (r"\bmillion million\b", "trillion"),
        (r"\bfor each\b", "per"),
        (r"(?<![A-Za-z])([MLRZ])\s{0,16}_?\s{0,24}(?:⊙|solar\b|sun\b|Sun\b|odot\b)", r"\1⊙"),
        (r"(?<![A-Za-z])([MR])\s{0,16}_\s{0,24}(?:J(?:up)?|jup)(?![A-Za-z])", r"\1J"),
        (r"(?<![A-Za-z])([MR])\s{0,16}_?\s{0,24}⊕|(?<![A-Za-z])([MR])\s{0,16}_\s{0,24}[Ee](?:arth)?(?![A-Za-z])", "E"),
        (r"(?<=\d)([MR])e\b", "E"),
        (r"\bkms\s{0,8}\^\s{0,8}-\s?1", "km/s"),
        (r"\^\s{0,8}°", "°"),
        (r"\bkm\s{0,2}/\s{0,2}sec\b", "km/s"),
        (r"(?<=\d)\s{0,9}h(?:_?\d\d)?\s{0,8}\^\s{0,8}-\s?1(?=\s{0,24}(?:[GMk]?pc|M⊙))", " "),
        (r"\(1-?σ\)", " "),
        (r"(?<=\d)~(?=\d{3}(?!\d))", " "),
    )
)
"""Spellings of numbers and units, and the shorter ones that replace them, padded with spaces."""


def plain_text_of(text: str) -> str:
    """Return `text` in the form in which measurements are read: without LaTeX, but of the same length."""
    plain = plain_signs(_TIE.sub(" ", text))
    for pattern, replacement in _SAME_LENGTH:
        plain = pattern.sub(partial(_fill, replacement=replacement), plain)
    return plain


def _fill(match: re.Match[str], replacement: str) -> str:
    short = next(filter(None, match.groups()), "") + "E" if replacement == "E" else match.expand(replacement)
    return short.ljust(len(match[0]))


# Decimal commas, as in French and German, replaced by English decimal points without changing the length of a text.

_HAS_MARKS = re.compile(r"\d(?:,|\{,\})\d|\d[ .\u00a0\u202f\u2009]\d{3}(?!\d)")
"""A number that would have a different value in a language with decimal commas."""
_DECIMAL_POINT = re.compile(r"(?<![\d.])\d+\.(?:\d{1,2}|\d{4,})(?![\d.])")
_DECIMAL_COMMA = re.compile(r"(?<![\d,])\d+(?:,|\{,\})(?:\d{1,2}|\d{4,})(?![\d,])")
"""A number in which the point or the comma cannot separate thousands."""
_NUMBER = re.compile(
    r"(?<![\w.,])(?:(?P<thousands>\d{1,3}(?:(?P<gap>[ .\u00a0\u202f\u2009])\d{3}(?:(?P=gap)\d{3})*))"
    r"(?:(?P<late>,|\{,\})(?P<late_decimals>\d+))?(?![\d.])"
    r"|(?P<whole>\d+)(?P<comma>,|\{,\})(?P<decimals>\d+)(?!\d|,\d))"
)
_GAPS = re.compile(r"[ .\u00a0\u202f\u2009]")


def with_decimal_points(text: str) -> str:
    """Return `text` with its numbers written as in English, if its language has a decimal comma: "67,4" becomes "67.4",
    and "16 659" and "16.659" become "16,659". The length stays the same: "67{,}4" becomes "67.400".

    The language is judged by the stop words of `text`. A text is left unchanged if its language might not use
    decimal commas, or if its decimals already have points.
    """
    if not _HAS_MARKS.search(text) or not _has_decimal_comma(text):
        return text
    if _DECIMAL_POINT.search(text) and not _DECIMAL_COMMA.search(text):
        return text
    return _NUMBER.sub(_in_english, text)


def _has_decimal_comma(text: str) -> bool:
    """Return whether all languages that `text` may be in have a decimal comma."""
    languages = languages_of([text])
    commas = {language.name for language in LANGUAGES if language.has_decimal_comma}
    return bool(languages) and all(name in commas for name in languages)


def _in_english(match: re.Match[str]) -> str:
    thousands = match["thousands"]
    whole = _GAPS.sub(",", thousands) if thousands else match["whole"]
    decimals = match["late_decimals"] if thousands else match["decimals"]
    # The braces of "67{,}4" leave room for two zeros.
    return f"{whole}.{decimals}".ljust(len(match[0]), "0") if decimals else whole
