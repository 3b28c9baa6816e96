"""Numbers as a text writes them: in digits, in words, and as shares and multiples."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pathfinder.text.author_names import YEAR_IN_TEXT
from pathfinder.text.english import any_of, pairs
from pathfinder.text.languages import ENGLISH, LANGUAGES, LETTERS, Language, languages_of
from pathfinder.text.quantities.units import FACTOR, SHARE, TEN_TO_THE, Unit, is_unit

UPPER, LOWER, ABOUT, RANGE = "upper", "lower", "about", "range"
LARGEST_POWER = 300
"""Power of ten beyond the range of floating-point numbers; such powers are compared by exponent."""
MOST_DIGITS = 40
"""Maximum number of digits; a longer run of digits is not read as a number."""

_NO_BREAK = "\u00a0\u202f\u2009"


def _number(group: str, decimal: str) -> re.Pattern[str]:
    """Compile a pattern for numbers with any of `group` as thousands separator and any of `decimal` as decimal
    separator; "0,5" is 0.5, but "[0,5]" is a pair.
    """
    return re.compile(
        rf"(?<![{LETTERS}.])(?P<digits>[1-9]\d{{0,2}}(?P<mark>[{group}]{{1,2}})\d{{3}}(?:(?P=mark)\d{{3}})*(?![.,]?\d)"
        rf"|[1-9]\d{{0,2}}(?:(?P<gap>[{group}]{{1,2}})\d{{3}}(?:(?P=gap)\d{{3}})*)(?=[{decimal}]\d)(?!(?P=gap))[{decimal}]\d+"
        rf"|\d+[{decimal}]\d+|(?!(?<=[\[(])0,\d+[\])])0,\d+(?!\d|[.,]\d)|\d+)(?:[eE](?P<exponent>[-+]?\d{{1,3}})(?!\w))?"
    )


_ENGLISH = _number(rf",'’{_NO_BREAK}", ".")
_EITHER = _number(rf".,'’{_NO_BREAK}", ".,")
"""Numbers in which either a comma or a point may be the decimal separator."""
_EITHER_OR_SPACE = _number(rf".,'’{_NO_BREAK} ", ".,")
"""Numbers that may contain spaces: in English, "in 2016 100 stars" has two numbers; in languages with decimal commas,
"1 000" is one.
"""
_VERSION = re.compile(r"\.\d")
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
_EXPONENT = (
    rf"\s?(?:\^|\*\*)\s{{0,24}}(?P<power>[-+]?\s?\d{{1,4}}(?:\.\d{{1,4}})?)(?!\d)|(?P<raised>[{_SUPERSCRIPTS}]+)"
)
_LONE_POWER = re.compile(rf"10(?:{_EXPONENT})")
_TIMES_POWER = re.compile(
    rf"(?:\s{{0,24}}[×x·*∙⋅]\s{{0,24}}|\s(?=10\s?\^))10(?:{_EXPONENT}|\s?(?P<signed>[-+]\d{{1,3}})(?!\d)|\s(?P<apart>\d{{1,2}})(?![\d.]))"
)
_LOST_POWER = re.compile(r"\s?[×x·*∙⋅]\s?10([1-9]\d?)(?![\d.])")
"""An exponent that is no longer written as a superscript: "1.5 × 1014"; accepted only after a number below ten, because
1024 × 1024 is a product.
"""
_MILLIONS = re.compile(r"(?<=\d)([MB])\b(?![⊙⊕_]|\s?[IV]+\b)")
"""Letters for a million and a billion; before a luminosity class, they are spectral types: "3B V"."""
_LOOSE = re.compile(
    r"(?:about|around|approximately|roughly|nearly|almost|some|over|under|∼|~|≈|≳|≲|>|<)\s*$", re.IGNORECASE
)
_DATE = re.compile(rf"(?<!\d){YEAR_IN_TEXT}-(?:0\d|1[0-2])-[0-3]\d(?!\d)")
_APART = re.compile(r"(?:(?<=^)|(?<=[\s(=~∼≈<>]))-\s$")
_SCRIPT = re.compile(r"([A-Za-zμ°]*)\s{0,2}(?:(\^)|_)\s{0,24}([-+]?)\s?$")
_ERROR = re.compile(r"[\d)%]\s{0,24}[\^_]\s{0,24}[-+]\s?$")
_WORD_AND_DASH = re.compile(r"(?<![\w-])[a-z]{3,}-$")
_NO_NUMBER = 0
LONGEST_UNIT = 8
LOOKS_BACK = 40
"""Number of characters read before a number."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text, with everything that belongs to it."""

    text: str
    """The number as written in the text, with its unit if that follows directly."""
    values: tuple[float, ...]
    """Possible values: "1.234" has two if its point may mark either decimals or thousands."""
    step: float
    """Value of one unit in the last digit: 0.1 for 73.0, 1 for 42; for a round number after "about", one unit in the
    last non-zero digit; 0.1 for "half", and for "two and a half", which is 2.5.
    """
    start: int = field(compare=False)
    """Position of the first character in the text."""
    number_end: int = field(compare=False)
    """Position after the number."""
    end: int = field(compare=False)
    """Position after the number with its unit and uncertainties."""
    unit: Unit | None = None
    """Dimensions and size of the unit; `None` for a plain number."""
    written_unit: str = ""
    """Unit as written, without LaTeX."""
    relative_to: str | None = None
    """"Jupiter", "Earth" or "Sun" if the number is a multiple of a property of that body."""
    errors: tuple[tuple[float, float], ...] = ()
    """Upper and lower uncertainty; the statistical pair comes before the systematic one. They are positive."""
    interval: str | None = None
    """Name of the interval, as written, if the text states its ends instead of uncertainties: "95% CI"."""
    limit: str | None = None
    """"upper", "lower" or "about"; `None` for a number that is none of them."""
    power: float = 1.0
    """Factor contained in the value: a power of ten, whether in digits or as a word such as "million"."""
    is_error: bool | None = False
    """True if the number is the error of another: the 1.2 of "4.2 ± 1.2". `None` if that is unclear, as in "an error of
    1.2".
    """
    counts: tuple[str, ...] = ()
    """Words after a number without a unit, in the singular: "bit" for "4-bit"."""
    has_open_sign: bool = False
    """True if the opposite sign may be meant, as in "lower by 0.3" or after a dash that may not be a minus sign."""
    is_part: bool = False
    """True if the number is part of a larger expression: the -2 of r^-2, the 20 of 17/20, the day of a date, 2x."""
    is_loose: bool = False
    """True if the number is a word that may have another meaning, such as "one", or "two" in "the two"; not if a unit
    follows.
    """
    is_hint: bool = False
    """True if the number is only implied by one of `HINTS`."""
    is_attributive: bool = False
    """True if a hyphen joins the number to its unit: "3.35-day orbital period"."""

    @property
    def value(self) -> float:
        """The most likely of `values`."""
        return self.values[0]

    @property
    def bound(self) -> int:
        """1 for a lower bound ("> 3"), -1 for an upper bound, else 0."""
        return {LOWER: 1, UPPER: -1}.get(self.limit or "", 0)

    @property
    def is_in_words(self) -> bool:
        """True if the number is spelled out."""
        return not any(map(str.isdigit, self.text))

    @property
    def plus(self) -> float | None:
        """Upper uncertainty; the statistical one, if a systematic one is stated separately."""
        return self.errors[0][0] if self.errors else None

    @property
    def minus(self) -> float | None:
        """Lower uncertainty, as a positive number."""
        return self.errors[0][1] if self.errors else None

    @property
    def plus_systematic(self) -> float | None:
        """Upper systematic uncertainty, if it is stated separately."""
        return self.errors[1][0] if len(self.errors) > 1 else None

    @property
    def minus_systematic(self) -> float | None:
        """Lower systematic uncertainty, if it is stated separately."""
        return self.errors[1][1] if len(self.errors) > 1 else None


def digits(text: str, language: Language | None = ENGLISH) -> Iterator[Quantity]:
    """Yield the numbers written in digits in `text`, in order; the dash in a range is not a sign. LaTeX in `text` must
    already be resolved.

    Commas and points are read by the convention of the language, or both ways if it is unknown.
    """
    last_end = 0
    dates = [match.span() for match in _DATE.finditer(text)]
    for match in _pattern(language).finditer(text):
        if match.start() < last_end or len(match["digits"]) > MOST_DIGITS or _is_version(text, match):
            continue
        start, sign, is_part = _place(text, match, last_end)
        if sign == _NO_NUMBER:
            continue
        is_error = _ERROR.search(text, max(0, match.start() - LOOKS_BACK), match.start()) is not None
        is_part = is_part or any(first < match.start() < last for first, last in dates)
        number = _with_value(text, match, start, sign, language)
        yield replace(number, is_part=is_part, is_error=is_error)
        last_end = number.end


def _pattern(language: Language | None) -> re.Pattern[str]:
    if language is None:
        return _EITHER
    return _EITHER_OR_SPACE if language.has_decimal_comma else _ENGLISH


def _is_version(text: str, match: re.Match[str]) -> bool:
    """Return whether the digits begin a version number such as "1.2.3"."""
    return match["mark"] is None and "." in match["digits"] and _VERSION.match(text, match.end()) is not None


def _place(text: str, match: re.Match[str], last_end: int) -> tuple[int, int | None, bool]:
    """Return the start of a number, its sign, and whether it is part of an expression; `last_end` is the end of the
    previous number.
    """
    before = text[max(0, match.start() - LOOKS_BACK) : match.start()]
    if _ERROR.search(before):
        return match.start(), 1, False
    if script := _SCRIPT.search(before):
        # A subscript belongs to its symbol, and an exponent to its unit.
        is_number = (script[2] or script[3]) and not is_unit(script[1])
        return match.start(), (-1 if script[3] == "-" else 1) if is_number else _NO_NUMBER, True
    is_part = len(before) > 1 and before[-1] == "/" and before[-2].isdigit()
    return (*_with_sign(text, match.start(), before, last_end), is_part)


def _with_sign(text: str, start: int, before: str, last_end: int) -> tuple[int, int | None]:
    """Return the start of a number, including its sign, and that sign."""
    if before.endswith("+") and not before.endswith("/+"):
        return start - (not before[-2:-1].isalnum()), 1
    if before.endswith(("+/-", "-/+")) or not before.endswith("-"):
        return start, None if _APART.search(before) else 1
    dash = start - 1
    prior = text[max(0, dash - 1) : dash]
    is_range = 0 < last_end <= dash and dash - last_end <= LONGEST_UNIT and _ends_a_number(text[last_end:dash].strip())
    if prior.isspace() or not prior or not (prior.isalnum() or prior in "%°″′)^_"):
        # "10 -30" may be a range or a difference.
        return dash, None if is_range else -1
    if _WORD_AND_DASH.search(before) and not is_unit(before[:-1].rpartition(" ")[2]):
        return start, 1  # "pre-2010", "top-5"
    return start, 1 if is_range else _NO_NUMBER


def _ends_a_number(between: str) -> bool:
    """Return whether the text between a number and a dash belongs to the number: "10-30", "10%-30%", not "NGC-1068"."""
    return not between or between in "%°″′" or is_unit(between)


def _with_value(text: str, match: re.Match[str], start: int, sign: int | None, language: Language | None) -> Quantity:
    values, step = _plain_values(match["digits"], text[max(0, start - LOOKS_BACK) : match.start()], language)
    end = match.end()
    if match["exponent"]:
        return replace(_with_power(text, start, end, sign, values, step, match["exponent"]), power=1.0)
    lone = _LONE_POWER.match(text, match.start()) if match["digits"] == "10" else None
    if power_match := lone or _TIMES_POWER.match(text, end):
        power = next(group for group in power_match.groups() if group)
        if lone:
            return replace(_with_power(text, start, power_match.end(), sign, (1.0,), 1.0, power), power=1.0)
        return _with_power(text, start, power_match.end(), sign, values, step, power)
    if values[0] < 10.0 and (lost_power := _LOST_POWER.match(text, end)):
        return _with_power(text, start, lost_power.end(), sign, values, step, lost_power[1])
    factor, end = _scale(text, end, language) if values[0] >= 1.0 else (language or ENGLISH).scale_at(text, end)
    return _number_at(text, start, end, sign, tuple(value * factor for value in values), step * factor, factor)


def _number_at(
    text: str, start: int, end: int, sign: int | None, values: tuple[float, ...], step: float, power: float
) -> Quantity:
    signed = tuple(-value for value in values) if sign == -1 else values
    return Quantity(text[start:end], signed, step, start, end, end, power=power, has_open_sign=sign is None)


def factor_at(text: str, end: int) -> tuple[float, int]:
    """Return the factor that a power of ten ("× 10^5") or an English word such as "million" at `end` applies to the
    number before it, and its end; (1.0, `end`) if there is none.
    """
    if match := _TIMES_POWER.match(text, end):
        exponent = float(_plain_power(next(group for group in match.groups() if group)) or 0)
        return (10.0**exponent, match.end()) if abs(exponent) <= LARGEST_POWER else (1.0, end)
    return ENGLISH.scale_at(text, end)


def _scale(text: str, end: int, language: Language | None) -> tuple[float, int]:
    """Return the factor of a word such as "million", or of "M" as in "10M", after a number, and its end."""
    if language is ENGLISH and (millions := _MILLIONS.match(text, end)):
        return (1e6 if millions[1] == "M" else 1e9), millions.end()
    return (language or ENGLISH).scale_at(text, end)


def _plain_power(power: str) -> str:
    """Return an exponent in plain digits; empty if it has none."""
    plain = power.translate(str.maketrans(_SUPERSCRIPTS, "0123456789-+", " "))
    return plain if plain.strip("+-") else ""


def _with_power(
    text: str, start: int, end: int, sign: int | None, values: tuple[float, ...], step: float, power: str
) -> Quantity:
    plain = _plain_power(power)
    exponent = float(plain or 0)
    totals = tuple(exponent + (math.log10(value) if value else 0.0) for value in values)
    if any(abs(total) > LARGEST_POWER for total in totals):
        return replace(_number_at(text, start, end, sign, totals, 0.01, 1.0), unit=TEN_TO_THE)
    factor = 10.0**exponent
    _, point, decimals = plain.partition(".")
    if point:
        # One unit in the last digit of the exponent: 10^13.9 ends where 10^13.95 begins. Zero keeps its own.
        step = values[0] * (10.0 ** (10.0 ** -len(decimals)) - 1.0) or step
    return _number_at(text, start, end, sign, tuple(value * factor for value in values), step * factor, factor)


def _plain_values(text: str, before: str, language: Language | None) -> tuple[tuple[float, ...], float]:
    """Return the possible values of digits without an exponent, and the value of one unit in the last digit."""
    values = _readings(re.sub(rf"[{_NO_BREAK} '’]", "", text), language)
    whole = re.sub(r"\D", "", text)
    decimals = re.search(r"[.,](\d+)$", text)
    if values[0] != float(whole) and decimals:
        return values, 10.0 ** -len(decimals[1])
    zeros = len(whole) - len(whole.rstrip("0"))
    is_loose = _LOOSE.search(before) is not None and zeros < len(whole)
    return values, 10.0**zeros if is_loose else 1.0


def _readings(text: str, language: Language | None) -> tuple[float, ...]:
    """Return the possible readings of "1,234" or "1.234", given the language of the text."""
    marks = re.sub(r"\d", "", text)
    if not marks:
        return (float(text),)
    last = marks[-1]
    as_whole = float(re.sub(r"\D", "", text))
    if len(marks) > 1 and len(set(marks)) == 1:
        return (as_whole,)
    as_decimal = float(text.replace("," if last == "." else ".", "").replace(last, "."))
    if len(marks) > 1 or re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", text) is None:
        return (as_decimal,)
    if language is not None and not language.has_decimal_comma:
        return (as_whole,) if last == "," else (as_decimal,)
    return (as_whole, as_decimal)


# Numbers spelled out in words: "seven", "twenty-five", "two hundred fifty thousand".

SMALL_NUMBERS = tuple(word for word, value in ENGLISH.numbers.items() if value <= 10.0)
"""The English words for 1 to 10, in order."""
ROUGH_NUMBERS = ("dozen", "hundred", "thousand", "million")
"""English words that, also in the plural, count things roughly: "hundreds of", "millions of"."""

HINTS = frozenset({"single", "both", "first", "third"})
"""English words that imply a number: a source with "both" refers to two things, but in a claim these words are not read
as numbers.
"""

_MULTIPLES = {"twice": 2.0, "thrice": 3.0, "double": 2.0, "doubled": 2.0, "doubles": 2.0, "triple": 3.0, "half": 0.5}
_HINTS = {"single": 1.0, "both": 2.0, "first": 1.0, "third": 3.0}
_DIGIT = any_of(SMALL_NUMBERS[:-1])
_BELOW_HUNDRED = (
    rf"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -]{_DIGIT})?|(?:{_DIGIT}[ -])?dozen"
    f"|{'|'.join(sorted((word for word, value in ENGLISH.numbers.items() if value < 20.0), key=len, reverse=True))})"
)
_BELOW_THOUSAND = (
    rf"(?:(?:{_BELOW_HUNDRED}[ -])?hundred(?:(?: and |[ -]){_BELOW_HUNDRED}(?![ -]hundred))?|{_BELOW_HUNDRED})"
)
_SCALE = any_of(word for word in ENGLISH.scales if word != "hundred")
_AND_A_HALF = rf"{_BELOW_HUNDRED} and a half(?:[ -]{_SCALE})*"
_A_MILLION = rf"(?:(?:half[ -])?an?[ -]|half[ -]){_SCALE}(?:[ -]{_SCALE})*|half a (?:dozen|hundred)"
_IN_ENGLISH = re.compile(
    rf"(?<![\w-])(?:{_AND_A_HALF}|{_A_MILLION}"
    rf"|{_BELOW_THOUSAND}(?:[ -]{_SCALE})*(?:(?<=thousand)(?: and | ){_BELOW_THOUSAND}(?![ -]{_SCALE}))?"
    rf"|{'|'.join(sorted(_MULTIPLES | _HINTS, key=len, reverse=True))})(?!\w)",
    re.IGNORECASE,
)
MOST_OF_PRONOUN = 5.0
"""Smallest number that is a count even after "the", as in "the five"; "the two" may refer to things named before."""
_TENTH = 0.1
_PRONOUN = re.compile(r"\b(?:the|these|those|all|other|last)\s+$", re.IGNORECASE)


def number_words(text: str, language: Language = ENGLISH) -> Iterator[Quantity]:
    """Yield the numbers spelled out in `text` in the given language, in order."""
    for match in (_IN_ENGLISH if language is ENGLISH else _pattern_of(tuple(_foreign(language)))).finditer(text):
        words, power = match[0].casefold(), 1.0
        if language is ENGLISH:
            parts = re.findall(r"[a-z]+", words)
            value, end = _value(parts), match.end()
            scale = _value([part for part in parts if part in ENGLISH.scales]) or 1.0
            step = _TENTH * scale if "half" in parts else 1.0
            # The last word counts: 1000 for "six hundred thousand".
            power = ENGLISH.scales.get(parts[-1], 1.0)
        else:
            step = 1.0
            factor, end = language.scale_at(text, match.end())
            value = factor * _foreign(language)[words]
        is_pronoun = value < MOST_OF_PRONOUN and _PRONOUN.search(text[: match.start()][-20:]) is not None
        is_loose = words in ("one", "double", "triple") or is_pronoun
        yield replace(
            _number_at(text, match.start(), end, 1, (value,), step, power),
            is_hint=words in HINTS,
            is_loose=is_loose or words in HINTS,
        )


def _value(words: list[str]) -> float:
    """Return the value of "two hundred fifty thousand": "hundred" multiplies the word before it, larger words
    everything before them, and "and a half" adds to what it follows: "two and a half million".
    """
    total = current = 0.0
    for word in words:
        if word in ("dozen", "hundred"):
            current = (current or 1.0) * ENGLISH.numbers[word]
        elif word in ENGLISH.scales:
            total, current = (total + (current or 0.0) or 1.0) * ENGLISH.scales[word], 0.0
        elif word not in ("and", "a", "an"):
            current += {**ENGLISH.numbers, **_MULTIPLES, **_HINTS}[word]
    return total + current


@lru_cache(maxsize=16)
def _pattern_of(words: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w'’]|-l)" if words else r"(?!)", re.IGNORECASE)


def _foreign(language: Language) -> dict[str, float]:
    """Return the value of each number word, with alternative spellings as separate entries.

    The word for thousand is a number by itself ("mil"), but larger words are numbers only after an article ("un
    millón").
    """
    numbers = {word.casefold(): value for words, value in language.numbers.items() for word in words.split("|")}
    thousand = {word: value for word, value in language.scales.items() if value == ENGLISH.scales["thousand"]}
    with_article = {
        f"{article} {word}": value
        for article in language.articles
        for word, value in language.scales.items()
        if word not in thousand
    }
    return {**numbers, **thousand, **with_article} if numbers else numbers


# Shares and multiples expressed in English words: "a third of", "doubled", "by a factor of two".

_NUMBERS = "|".join(ENGLISH.numbers)
_SHARES = re.compile(
    rf"(?<![\w-])(?:(half)(?= (?:of|the|all|an?)\b)|(?:(an?|{'|'.join(SMALL_NUMBERS[:4])})[ -])"
    r"(third|quarter|fourth|fifth|tenth)s?(?= of\b))",
    re.IGNORECASE,
)
_PARTS = pairs("third:3 quarter:4 fourth:4 fifth:5 tenth:10")
_OF_A_SHARE = 0.1
"""Precision of a share expressed in words: "half" covers 45% to 55%."""
_TIMES = re.compile(
    rf"(?<![\w.-])(?:(?P<verb>doubl|halv|tripl|quadrupl)(?:e[sd]?|ing)\b(?!-)|"
    r"(?P<twice>(?:twice|thrice)(?= (?:as|the|that)\b)|half(?= as\b))|"
    rf"(?:a )?factor of (?:about |around |[~∼≈]\s?)?(?P<of>\d+(?:\.\d+)?|{_NUMBERS})(?![\w.^-]|\.\d| [×x])|"
    rf"(?P<times>\d+(?:\.\d+)?|{_NUMBERS}) times (?=(?:as|more|larger|higher|greater|faster|longer|smaller|"
    r"lower|less|brighter|the|that)\b)|"
    r"(?P<sign>\d+(?:\.\d+)?)\s?[x×](?=[,;)]| [a-z])|"
    rf"(?P<fold>\d+(?:\.\d+)?|{_NUMBERS})-?fold\b)",
    re.IGNORECASE,
)
_VERBS = pairs("doubl:2 halv:0.5 tripl:3 quadrupl:4 twice:2 thrice:3 half:0.5")


def relations(text: str) -> Iterator[tuple[tuple[int, int], float, Unit, float]]:
    """Yield the position of each share or multiple in `text`, its value, its unit and its precision."""
    for match in _SHARES.finditer(text):
        yield match.span(), 0.5 if match[1] else _share(match[2], match[3]), SHARE, _OF_A_SHARE
    for match in _TIMES.finditer(text):
        value, step = _times(match)
        yield match.span(), value, FACTOR, step


def _share(number: str, part: str) -> float:
    return ENGLISH.numbers.get(number.lower(), 1.0) / float(_PARTS[part.lower()])


def _times(match: re.Match[str]) -> tuple[float, float]:
    """Return the value and its precision, which is coarse for a single word: "doubled" may stand for 2.3."""
    number = match["of"] or match["times"] or match["sign"] or match["fold"]
    if not number:
        value = float(_VERBS[(match["verb"] or match["twice"]).lower()])
    else:
        value = ENGLISH.numbers.get(number.lower()) or float(number)
    _, point, decimals = (number or "").partition(".")
    return value, 10.0 ** -len(decimals) if point else min(1.0, value / 2.0)


# Decimal commas, as in French and German, replaced by English decimal points without changing the length of a text.

_HAS_MARKS = re.compile(r"\d(?:,|\{,\})\d|\d[ .\u00a0\u202f\u2009]\d{3}(?!\d)")
"""A number that would have a different value in a language with decimal commas."""
_DECIMAL_POINT = re.compile(r"(?<![\d.])\d+\.(?:\d{1,2}|\d{4,})(?![\d.])")
_DECIMAL_COMMA = re.compile(r"(?<![\d,])\d+(?:,|\{,\})(?:\d{1,2}|\d{4,})(?![\d,])")
"""A number in which the point or the comma cannot separate thousands."""
_LOCAL_NUMBER = re.compile(
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
    return _LOCAL_NUMBER.sub(_in_english, text)


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
