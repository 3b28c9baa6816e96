"""Marks as models write them: [k3q7z], [source k3q7z, p. 5; m2x9a], [doc 3], [S3], 【1†source】; and what is none."""

import re
import unicodedata

from pathfinder.answering.shelf import KEY

OPENS, CLOSES = r"[\[【［〔]", r"[\]】］〕]"
_INNER = r"[^\[\]【】［］〔〕\n]"
BRACKETS = rf"{OPENS}{_INNER}+{CLOSES}"
"""What may be a mark: `names_in` tells whether it is one."""
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
_NEGATIVE = re.compile(r"(?:^|[,;])\s*[-−–]\s?\d")
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_HALF_A_WORD = re.compile(r"[\w.§†]{0,12}")
_CITED = re.compile(r"\{([^{}]*)\}$")


def names_in(inner: str) -> list[str] | None:
    """The names in what stands between brackets, each once, in order; `None` where it is no mark.

    An interval from 0 or below, and years, are none.
    """
    found, end = _read(inner)
    if end < len(inner) or not found:
        return None
    return None if _is_of_numbers(inner, found) else found


def may_become_a_mark(inner: str) -> bool:
    """Whether what stands behind an opening bracket may go on to be a mark."""
    _, end = _read(inner)
    return _HALF_A_WORD.fullmatch(inner, end) is not None


def is_like_a_mark(inner: str) -> bool:
    """Whether what stands between brackets could be taken for a mark, intervals and years too."""
    found, end = _read(inner)
    return end == len(inner) and bool(found)


def is_mark_shown(brackets: str) -> bool:
    """Whether brackets in a checked answer are a mark: [1, k3q7z?] is, and the interval [0, 1] is not."""
    return names_in(brackets[1:-1].replace("?", "")) is not None


def is_label(name: str) -> bool:
    """Whether `name` is one such as S3 or 1a, which stands right behind a word in code."""
    return not name.isdecimal() and KEY.fullmatch(name) is None


def names_cited(cite: str) -> list[str]:
    """The keys of a `CITE`, each once."""
    match = _CITED.search(cite)
    return list(dict.fromkeys(filter(None, (key.strip() for key in match[1].split(","))))) if match else []


def _read(inner: str) -> tuple[list[str], int]:
    """The names in `inner`, and up to where it can be read as a mark."""
    found: dict[str, None] = {}
    at = 0
    while match := _TOKEN.match(inner, at):
        if match["name"]:
            found[_as_shown(match["name"])] = None
        elif match["place"] and not found:
            break  # [p. 5] is a place in no paper
        at = match.end()
    return list(found), at


def _as_shown(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name)
    return plain.lower() if KEY.fullmatch(plain.lower()) else plain


def _is_of_numbers(inner: str, found: list[str]) -> bool:
    if not all(name.isdecimal() for name in found):
        return False
    if all(_YEAR.fullmatch(name) for name in found):
        return True
    has_zero = len(found) > 1 and any(int(name) == 0 for name in found)
    return has_zero or ("," in inner and _NEGATIVE.search(inner) is not None)
