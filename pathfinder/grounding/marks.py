"""Recognises citation marks as models write them: [k3q7z], [source k3q7z, p. 5; m2x9a], [doc 3], [S3], 【1†source】."""

import re
import unicodedata
from collections.abc import Iterator

from pathfinder.grounding.registry import KEY

OPENS, CLOSES = r"[\[【［〔]", r"[\]】］〕]"
_INNER = r"[^\[\]【】［］〔〕\n]"
BRACKETS = rf"{OPENS}{_INNER}+{CLOSES}"
"""Brackets that may be a citation mark; `names_in` decides."""
CITE = r"\\[Cc]ite[a-zA-Z]{0,12}\*?(?:\[[^\[\]\n]{0,60}\]){0,2}\{[^{}\n]{1,300}\}"
"""A citation in LaTeX."""

_UNSEEN = "\u00ad\u200b-\u200d\u2060\ufeff"
_TOKEN = re.compile(
    rf"""
    (?P<between>[\s{_UNSEEN},;:&^@"'`*=–—#/-]+
        |(?:and|see|cf|from|sources?|papers?|refs?|references?|keys?|docs?|documents?|articles?|stud(?:y|ies)
        |passages?|excerpts?|citations?|cit|no|nos)(?!\w)\.?)
    |(?P<lead>abstracts?(?!\w)\.?)
    |(?P<name>(?:{KEY.pattern}|\d{{1,9}}|\d{{1,3}}[a-z]|[srpd]\d{{1,3}}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}}|[①-⑳])(?!\w))
    |(?P<place>(?:pp?|pages?|secs?|sections?|§+|chap|ch|chapters?|figs?|figures?|tables?|tabs?|eqs?|equations?|paras?
        |paragraphs?|lines?|title|sentences?)(?![^\W\d])\.?\s{{0,2}}[\d.]{{0,8}}(?:\s?[-–]\s?\d{{1,6}})?(?!\w))
    |(?P<dagger>†.*)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER_OR_KEY = rf"(?:\d{{1,3}}|{KEY.pattern})\??"
_NUMBERED = re.compile(rf"\[{_NUMBER_OR_KEY}(?:\s*[,;]\s*{_NUMBER_OR_KEY})*\]")
_NEGATIVE = re.compile(r"(?:^|[,;])\s*[-−–]\s?\d")
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_HALF_A_WORD = re.compile(r"[\w.§†]{0,12}")
_CITED = re.compile(r"\{([^{}]*)\}$")


def names_in(inner: str) -> list[str] | None:
    """Return the names between brackets, each once, in order; `None` if they do not form a mark.

    Intervals that start at 0 or below are not marks, and neither are years.
    """
    names, end = _read(inner)
    if end < len(inner) or not names:
        return None
    return None if _is_of_numbers(inner, names) else names


def may_become_a_mark(inner: str) -> bool:
    """Return whether the text after an opening bracket may turn out to be a mark."""
    _, end = _read(inner)
    return _HALF_A_WORD.fullmatch(inner, end) is not None


def is_like_a_mark(inner: str) -> bool:
    """Return whether the text between brackets could be taken for a mark, including intervals and years."""
    names, end = _read(inner)
    return end == len(inner) and bool(names)


def is_mark_shown(brackets: str) -> bool:
    """Return whether brackets in a checked answer are a mark: [1, k3q7z?] is one, the interval [0, 1] is not."""
    return names_in(brackets[1:-1].replace("?", "")) is not None


def is_label(name: str) -> bool:
    """Return whether `name` is a label such as S3 or 1a, which may also be an index in code."""
    return not name.isdecimal() and KEY.fullmatch(name) is None


def numbered_marks(text: str) -> Iterator[re.Match[str]]:
    """Find the citation marks in an answer, whether numbers or keys, in order: [1], [1, 4], [k3q7z?]."""
    return _NUMBERED.finditer(text)


def numbers_cited(mark: str) -> tuple[str, ...]:
    """Return the numbers that a mark names, in the digits of any script, except those with a question mark."""
    return tuple(str(int(number)) for number in re.findall(r"(?<![\w])\d+(?![\w?])", mark))


def names_cited(cite: str) -> list[str]:
    """Return the keys in a `CITE`, each once."""
    match = _CITED.search(cite)
    return list(dict.fromkeys(filter(None, (key.strip() for key in match[1].split(","))))) if match else []


def _read(inner: str) -> tuple[list[str], int]:
    """Return the names in `inner`, and the end of the part that can be read as a mark."""
    names: dict[str, None] = {}
    at = 0
    while match := _TOKEN.match(inner, at):
        if match["name"]:
            names[_as_shown(match["name"])] = None
        elif match["place"] and not names:
            break  # [p. 5] does not name a paper
        at = match.end()
    return list(names), at


def _as_shown(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name)
    return plain.lower() if KEY.fullmatch(plain.lower()) else plain


def _is_of_numbers(inner: str, names: list[str]) -> bool:
    if not all(name.isdecimal() for name in names):
        return False
    if all(_YEAR.fullmatch(name) for name in names):
        return True
    has_zero = len(names) > 1 and any(int(name) == 0 for name in names)
    return has_zero or ("," in inner and _NEGATIVE.search(inner) is not None)
