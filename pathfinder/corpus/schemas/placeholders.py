"""Words that stand for a missing value: "NA", "n.d.", "[No abstract available]"."""

import re

NULLS = frozenset("na n/a n.a. n.a n/d nan <na> #n/a none null nil - -- --- – — − . .. ... … ? ?? ??? * /".split())
"""Signs that programs and people put into an empty cell, in lower case."""
_PLACEHOLDERS = NULLS | set(
    "tba;tbd;tbc;unknown;undefined;unavailable;unspecified;missing;anonymous;n.d.;n. d.;n.d;nd;s.d.;s. d.;undated;"
    "forthcoming;accepted;submitted;in press;to appear;to be published;in preparation;ahead of print".split(";")
)
_NOTHING = re.compile(
    r"\W*(?:(?:the )?(?:abstract|author|doi|date|keyword)s? (?:is |are )?)?(?:no|not|none|un)\b[\w ,/()-]{0,40}?"
    r"(?:available|provided|found|given|listed|specified|applicable|supplied|recorded|assigned)\W*"
    r"|\W*(?:(?:this )?(?:article|paper|record|item|entry) has )?no (?:abstract|doi|date|keyword|title)s?\W*"
    r"|\W*(?:(?:this )?(?:article|paper|record|item|entry) has )?(?:no|anonymous) author(?:s|\(s\))?\W*"
    r"|\[\s*(?:unknown|untitled)\s*\]|-+",
    re.IGNORECASE,
)
"""Sentences in place of a value: "[No abstract available]", "no authors listed"."""
_LONGEST = 80
_NAMES = frozenset({"Na", "Nan", "Nil", "Null", "Nd", "Missing"})
"""Placeholders that are family names when written like this."""


def is_placeholder(text: str) -> bool:
    """Return whether a cleaned text stands for a missing value."""
    return len(text) < _LONGEST and (
        text.strip("[](){}\"' ").casefold() in _PLACEHOLDERS or _NOTHING.fullmatch(text) is not None
    )


def is_missing_name(text: str) -> bool:
    """Return whether a cleaned text stands for a missing name of a person; "Null" is a name, "null" is none."""
    return text not in _NAMES and is_placeholder(text)
