"""Numbers that are not values: years, dates, versions, page numbers and numbers in names."""

import re

from pathfinder.text.author_year import YEAR_IN_TEXT, YEARS_WITHOUT_UNIT
from pathfinder.text.english import MONTHS, any_of

LOOKS_BACK = 40
"""Number of characters read before a number."""
_NUMBERED_THING = re.compile(
    r"(?:\b(?:v|ver|versions?|release|dr|fig|figs|figure|figures|table|tables|sect|section|sections|eq|eqs|equation|p|pp|"
    r"pages?|vol|volume|no|nos|number|chapter|cycle|paper|part|class|type|types|sector|campaign|arxiv|doi|et al|year|"
    rf"ref|refs|{any_of(MONTHS)}|{any_of(month[:3] for month in MONTHS)}|sept)\.?[\s(~]*|[#§]\s?|\w:)$",
    re.IGNORECASE,
)
"""Words that precede a date or a number that labels something."""
_DESIGNATION = re.compile(r"(?:^|[\s(\[,;])(?=[^\s=<>~≈()]*[A-Za-z])[^\s=<>~≈()^]*[-–+]$")
"""Beginning of a name, up to a dash: "J2215-" before "3537"."""
_NO_VALUE_BEHIND = re.compile(
    r"\s{0,9}-?\s{0,9}[σ]|\s?\+\s?log|(?:\+|\s\+\s)[A-Za-zα-ω](?!\w)|\s?(?:th|st|nd|rd)\b|\s?-?sigma\b"
)
"""Text after a number that is a confidence level, an ordinal, the 12 of "12 + log(O/H)" or the 1 of "(1+z)"."""
_NAME = re.compile(r"(?:[A-Z][A-Za-z]*[A-Z][A-Za-z]*|[A-Z][a-z]{2,}|[A-Z]{1,3})[\s~]$")
_CATALOGUE_NUMBER = re.compile(r"[A-Z]{2,}[A-Za-z]*[\s~]\d{3,}[-–+]$")
"""Beginning of a name whose number has two parts: "IRAS 16475-" before "4609"."""
_DATE_BEHIND = re.compile(rf"\s+{any_of(MONTHS)}\b")
_SCRIPT = re.compile(r"[_^]\s{0,24}-?\s?$")
_ERROR_OR_POWER = re.compile(r"(?:±|\+/-)\s{0,8}$|\*\*\s?-?$|[×∙⋅]\s{0,8}$|[A-Za-zα-ω]\)$")
"""Text before an error or a power of ten whose own number was not read, as in "r^1.2±0.1"; also text before an
exponent, even one that is no longer written as a superscript: "(1+z)3".
"""
_DECADE = re.compile(rf"(?:1[5-9]|20)\d0s\b|{YEAR_IN_TEXT}(?:[A-Z]{{1,2}}|[a-z]{{2,4}})\b")
"""Decades, and the year in the name of a supernova: "1970s", "1969L"."""
_CATALOGUE = re.compile(r"[A-Z]{2,}[A-Za-z]*[\s~-]$")
_PLANET = re.compile(r"\d+\s?[b-h](?![\w/^])")


def belongs_to_name(plain: str, match: re.Match[str]) -> bool:
    """Return whether a number is part of a name, a label, a date or a formula."""
    before = plain[max(0, match.start() - LOOKS_BACK) : match.start()]
    if any(pattern.search(before) for pattern in (_DESIGNATION, _SCRIPT, _ERROR_OR_POWER)):
        return True
    if _NO_VALUE_BEHIND.match(plain, match.end()) or _DECADE.match(plain, match.start()):
        return True
    if _CATALOGUE.search(before) and _PLANET.match(plain, match.start()):
        return True
    if _NUMBERED_THING.search(before) is not None and not before.rstrip().endswith("="):
        return True
    return match.lastgroup != "scale" and _DATE_BEHIND.match(plain, match.end()) is not None


def is_no_value(plain: str, match: re.Match[str], has_errors: bool) -> bool:
    """Return whether a number without a unit is a year or part of a name."""
    if has_errors:
        return False
    before = plain[max(0, match.start() - LOOKS_BACK) : match.start()]
    is_whole = match.groupdict().get("digits", "").isdigit() if match.groupdict().get("digits") else False
    is_year = is_whole and len(match["digits"]) == 4 and int(match["digits"]) in YEARS_WITHOUT_UNIT
    is_name = any(pattern.search(before) for pattern in (_NAME, _CATALOGUE_NUMBER))
    return (is_year and not before.rstrip().endswith("=")) or (is_whole and is_name)
