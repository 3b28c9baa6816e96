"""Context of a number: whether it is a lower or an upper bound or the error of another number, and whether it may have
the opposite sign.
"""

import re

LOOKS_BACK = 70
LOOKS_AHEAD = 40
"""Number of characters read on either side of a number."""

_THAN = r"(?:or equal to\s*)?(?:about|around|approximately|roughly|some|an?|[∼≈~])?\s*$"
_LEAST = re.compile(
    r"(?:[>≥≳⩾]=?|\b(?:more|greater|larger|higher|older|longer|hotter|heavier) than|\bat least|\babove|"
    r"\bover|\bexceed(?:s|ed|ing)?|\blower limits? of|\bminimum of)\s*" + _THAN,
    re.IGNORECASE,
)
_MOST = re.compile(
    r"(?:[<≤≲⩽]=?|\b(?:less|fewer|smaller|lower|younger|shorter|cooler|lighter) than|\bat most|\bbelow|\bunder|\bup to|"
    r"\bupper limits? of|\bmaximum of)\s*" + _THAN,
    re.IGNORECASE,
)
_DENIAL = re.compile(r"(?:\b(?:no|not|never|cannot)|n['’]t)(?:\s+be)?\s*$", re.IGNORECASE)
_LEAST_BEHIND = re.compile(r"\s*(?:or (?:more|higher|larger|greater|above)\b|[<≤≲]\s*[A-Za-zα-ω])")
_MOST_BEHIND = re.compile(r"\s*(?:or (?:less|fewer|lower|smaller|below)\b|[>≥≳]\s*[A-Za-zα-ω])")
_OPEN = re.compile(
    r"\b(?:decreas|declin|drop|f[ae]ll|reduc|los[ets]|lower|negativ|minus|deficit|below|cool|shr[iau]nk|weak|less|"
    r"blueshift|south|anti-?correl|invers|absolute|steep|magnitude|before|under|behind|shorter|smaller)|\|",
    re.IGNORECASE,
)
"""Words that stand for a minus sign, or imply that it is omitted."""
_ERROR_BAR = re.compile(r"(?:±|\+/-)\s*$")
_SPEAKS_OF_ERRORS = re.compile(
    r"\b(?:uncertaint(?:y|ies)|errors?|precision|accuracy|scatter|deviation)\b(?:\s\w+){0,2}\s*$", re.IGNORECASE
)


def bound(plain: str, start: int, end: int) -> int:
    """Return 1 if the number from `start` to `end` is a lower bound ("> 3", "at least 3"), -1 if it is an upper bound,
    else 0.
    """
    before, behind = plain[max(0, start - LOOKS_BACK) : start], plain[end : end + LOOKS_AHEAD]
    for pattern, side in ((_LEAST, 1), (_MOST, -1)):
        if match := pattern.search(before):
            return -side if _DENIAL.search(before[: match.start()]) else side
    return 1 if _LEAST_BEHIND.match(behind) else -1 if _MOST_BEHIND.match(behind) else 0


def has_open_sign(plain: str, start: int, end: int) -> bool:
    """Return whether the words around a number may imply a minus sign: "lower by 0.3 mag" may be -0.3 mag."""
    return _OPEN.search(plain[max(0, start - LOOKS_BACK) : end + LOOKS_AHEAD]) is not None


def is_error(plain: str, start: int) -> bool | None:
    """Return whether a number is the error of another; `None` if that is unclear ("an error of 1.2")."""
    before = plain[max(0, start - LOOKS_BACK) : start]
    if _ERROR_BAR.search(before):
        return True
    return None if _SPEAKS_OF_ERRORS.search(before) else False
