"""Numbers of a text in words: "seven planets", "three years", "a third of them", "doubled"."""

import re
from collections.abc import Iterator

from pathfinder.assessment.evidence.quantities import Quantity, quantity
from pathfinder.assessment.evidence.units import FACTOR, SHARE, Unit, unit_at
from pathfinder.corpus.language.wordlists import pairs

_IN_WORDS = pairs(
    "one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 dozen:12 thirteen:13 "
    "fourteen:14 fifteen:15 sixteen:16 seventeen:17 eighteen:18 nineteen:19 twenty:20 thirty:30 forty:40 fifty:50 "
    "sixty:60 seventy:70 eighty:80 ninety:90 hundred:100"
)
_OTHER_WORDS = pairs("single:1 both:2 twice:2 half:0.5 first:1 third:3")
"""That say a number in a source, but are no count in a claim."""
_SCALES = pairs("hundred:1e2 thousand:1e3 million:1e6 billion:1e9 trillion:1e12")
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_DIGITS = "one|two|three|four|five|six|seven|eight|nine"
_SPELT = re.compile(
    rf"(?<![\w-])(?:({_TENS})[ -]({_DIGITS})|({'|'.join((*_IN_WORDS, *_OTHER_WORDS))}))"
    rf"(?:[ -]({'|'.join(_SCALES)}))?(?:[ -](thousand|million|billion|trillion))?(?!\w)",
    re.IGNORECASE,
)
_SHARES = re.compile(
    r"(?<![\w-])(?:(half)(?= (?:of|the|all|an?)\b)|(?:(an?|one|two|three|four)[ -])"
    r"(third|quarter|fourth|fifth|tenth)s?(?= of\b))",
    re.IGNORECASE,
)
_PARTS = pairs("third:3 quarter:4 fourth:4 fifth:5 tenth:10")
_OF_A_SHARE = 0.1
"""A share in words is right to half of this: "half" is 45% to 55%."""
_TIMES = re.compile(
    rf"(?<![\w.-])(?:(?P<verb>doubl|halv|tripl|quadrupl)(?:e[sd]?|ing)\b(?!-)|"
    r"(?P<twice>(?:twice|thrice)(?= (?:as|the|that)\b)|half(?= as\b))|"
    rf"(?:a )?factor of (?:about |around |[~∼≈]\s?)?(?P<of>\d+(?:\.\d+)?|{'|'.join(_IN_WORDS)})(?![\w.^-]|\.\d| [×x])|"
    rf"(?P<times>\d+(?:\.\d+)?|{'|'.join(_IN_WORDS)}) times (?=(?:as|more|larger|higher|greater|faster|longer|smaller|"
    r"lower|less|brighter|the|that)\b)|"
    r"(?P<sign>\d+(?:\.\d+)?)\s?[x×](?=[,;)]| [a-z])|"
    rf"(?P<fold>\d+(?:\.\d+)?|{'|'.join(_IN_WORDS)})-?fold\b)",
    re.IGNORECASE,
)
_VERBS = pairs("doubl:2 halv:0.5 tripl:3 quadrupl:4 twice:2 thrice:3 half:0.5")
_MEANS_THOSE_NAMED = re.compile(r"\b(?:the|these|those|all|both|other|last|first|its|their|our|any)\s+$", re.IGNORECASE)
"""Before "two", which then may be no count but stand for things that were named."""
MOST_OF_THOSE_NAMED = 5.0
"""From this number on it is a count all the same."""


def numbers_in_words(plain: str) -> tuple[Quantity, ...]:
    """The numbers that a `readable` text has in words, all that a source may mean by them: 3 hours of "three hours"."""
    return tuple(found for _, _, found in _spelt(plain)) + _relations(plain)


def counts_in_words(plain: str) -> tuple[Quantity, ...]:
    """Of these, those that say how many or how much, and do not stand for a thing.

    "One of them", "the two", "first", "two-point" and "one day" say no amount; "seven planets" and "two years" do.
    """
    counts = tuple(found for start, end, found in _spelt(plain) if _is_count(plain, start, end, found))
    return counts + _relations(plain)


def _is_count(plain: str, start: int, end: int, found: Quantity) -> bool:
    word = plain[start:end].split(maxsplit=1)[0].split("-", maxsplit=1)[0].lower()
    if word in _OTHER_WORDS or (found.unit is None and not found.counts):
        return False
    if found.unit is None and found.value == 1.0:
        return False
    if word == "one" and found.written.lower() == "one day":
        return False
    before = plain[max(0, start - 12) : start]
    return found.value >= MOST_OF_THOSE_NAMED or _MEANS_THOSE_NAMED.search(before) is None


def _spelt(plain: str) -> Iterator[tuple[int, int, Quantity]]:
    """Each with where its words begin and end."""
    for match in _SPELT.finditer(plain):
        tens, ones, word, hundred, scale = (part.lower() if part else "" for part in match.groups())
        words = {**_IN_WORDS, **_OTHER_WORDS}
        value = float(words[tens]) + float(words[ones]) if tens else float(words[word])
        for factor in (hundred, scale):
            value *= float(_SCALES[factor]) if factor else 1.0
        unit, end = unit_at(plain, match.end())
        yield match.start(), match.end(), quantity(plain, (match.start(), end), value, unit, 1.0)


def _relations(plain: str) -> tuple[Quantity, ...]:
    """Shares and multiples: "a third of", "doubled", "by a factor of two"."""
    shares = [
        quantity(plain, match.span(), 0.5 if match[1] else _share(match[2], match[3]), SHARE, _OF_A_SHARE)
        for match in _SHARES.finditer(plain)
    ]
    times = [quantity(plain, match.span(), *_times(match)) for match in _TIMES.finditer(plain)]
    return (*shares, *times)


def _share(number: str, part: str) -> float:
    return float(_IN_WORDS.get(number.lower(), "1")) / float(_PARTS[part.lower()])


def _times(match: re.Match[str]) -> tuple[float, Unit, float]:
    """Value, unit and step: "doubled" may be 2.3 in figures."""
    number = match["of"] or match["times"] or match["sign"] or match["fold"]
    value = float(
        _VERBS[(match["verb"] or match["twice"]).lower()] if not number else _IN_WORDS.get(number.lower(), number)
    )
    _, point, decimals = (number or "").partition(".")
    return value, FACTOR, 10.0 ** -len(decimals) if point else min(1.0, value / 2.0)
