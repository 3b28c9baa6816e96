"""Shares and multiples expressed in English words: "a third of", "doubled", "by a factor of two"."""

import re
from collections.abc import Iterator

from pathfinder.text.languages import ENGLISH
from pathfinder.text.quantities.number_words import SMALL_NUMBERS
from pathfinder.text.quantities.units import FACTOR, SHARE, Unit
from pathfinder.text.wordlists import pairs

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
