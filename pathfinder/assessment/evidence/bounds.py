"""What stands around a number: whether it is a least or a most, an error of another, or has a sign that is not told."""

import re

LOOKS_BACK = 70
LOOKS_AHEAD = 40
"""Characters around a number that are read."""

_THAN = r"(?:or equal to\s*)?(?:about|around|approximately|roughly|some|an?|[∼≈])?\s*$"
_LEAST = re.compile(
    r"(?:[>≥≳⩾]=?|\b(?:more|greater|larger|higher|older|longer|hotter|heavier) than|\bat least|\babove|"
    r"\bexceed(?:s|ed|ing)?|\blower limits? of|\bminimum of)\s*" + _THAN,
    re.IGNORECASE,
)
_MOST = re.compile(
    r"(?:[<≤≲⩽]=?|\b(?:less|fewer|smaller|lower|younger|shorter|cooler|lighter) than|\bat most|\bbelow|"
    r"\bupper limits? of|\bmaximum of)\s*" + _THAN,
    re.IGNORECASE,
)
_DENIED = re.compile(r"(?:\b(?:no|not|never|cannot)|n['’]t)(?:\s+be)?\s*$", re.IGNORECASE)
_LEAST_BEHIND = re.compile(r"\s*(?:or (?:more|higher|larger|greater|above)\b|[<≤≲]\s*[A-Za-zα-ω])")
_MOST_BEHIND = re.compile(r"\s*(?:or (?:less|fewer|lower|smaller|below)\b|[>≥≳]\s*[A-Za-zα-ω])")
_OPEN = re.compile(
    r"\b(?:decreas|declin|drop|f[ae]ll|reduc|los[ets]|lower|negativ|minus|deficit|below|cool|shr[iau]nk|weak|less|"
    r"blueshift|south|anti-?correl|invers|absolute|steep|magnitude|before|under|behind|shorter|smaller)|\|",
    re.IGNORECASE,
)
"""Words that say what a minus says, or that it is left out."""
_ERROR_BAR = re.compile(r"(?:±|\+/-)\s*$")
_SPEAKS_OF_ERRORS = re.compile(
    r"\b(?:uncertaint(?:y|ies)|errors?|precision|accuracy|scatter|deviation)\b(?:\s\w+){0,2}\s*$", re.IGNORECASE
)


def bound(plain: str, start: int, end: int) -> int:
    """1 where the number there is a least ("> 3", "at least 3"), -1 where it is a most, else 0."""
    before, behind = plain[max(0, start - LOOKS_BACK) : start], plain[end : end + LOOKS_AHEAD]
    for pattern, side in ((_LEAST, 1), (_MOST, -1)):
        if found := pattern.search(before):
            return -side if _DENIED.search(before[: found.start()]) else side
    return 1 if _LEAST_BEHIND.match(behind) else -1 if _MOST_BEHIND.match(behind) else 0


def has_open_sign(plain: str, start: int, end: int) -> bool:
    """Whether a number without a sign may have one in other words: "lower by 0.3 mag" is -0.3 mag to some."""
    return _OPEN.search(plain[max(0, start - LOOKS_BACK) : end + LOOKS_AHEAD]) is not None


def is_error(plain: str, start: int) -> bool | None:
    """Whether a number says how far another may be off; `None` where that is open ("an error of 1.2")."""
    before = plain[max(0, start - LOOKS_BACK) : start]
    if _ERROR_BAR.search(before):
        return True
    return None if _SPEAKS_OF_ERRORS.search(before) else False
