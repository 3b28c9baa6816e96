"""Values that a sentence states as a finding of its own paper, as opposed to values that it cites or defines."""

import re

from pathfinder.assessment.values.measured_sentence import MeasuredSentence

_CITED = re.compile(
    r"\bet al\b|\b(?:anchor\w*|relative to|compared (?:to|with)|consistent with|agree\w* with|in (?:\w+ )?tension with|"
    r"(?:higher|lower|larger|smaller|greater|less|more) than|previous\w*|earlier|literature|adopt\w*)\b",
    re.IGNORECASE,
)
"""Words before another paper's value, with which a paper compares its own or on which it builds."""
_OWN = re.compile(r"\b(?:we|our|finds?|yield(?:s|ed|ing)?|gives?|giving)\b|;", re.IGNORECASE)
"""Words that introduce a finding; nothing before them concerns the value after them."""
_EXPRESSION = re.compile(r"[=≡]\s*(?:(?!\band\b)[^=≡,;±])*$")
"""The beginning of an expression that contains the name of a quantity: "S_8 ≡ σ_8 (Ω_m / 0.3)^0.5"."""


def is_own(sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a measurement is one of the paper's own, and a value of the quantity that is named next to it."""
    measured, span = sentence.measured[place], sentence.label_span(place)
    if span is None or span[0] > measured.end:
        return not _is_cited(sentence, place)
    between = sentence.plain[span[1] : measured.start]
    if "=" in between and _EXPRESSION.search(sentence.before(place)[: span[0] - measured.start]):
        return False
    if "," in between and sentence.symbol(place) is not None:
        return False
    return not _is_cited(sentence, place)


def _is_cited(sentence: MeasuredSentence, place: int) -> bool:
    """Return whether the words between the last finding and a measurement say that it is another paper's value."""
    before = sentence.plain[: sentence.measured[place].start]
    findings = [match.end() for match in _OWN.finditer(before)]
    return _CITED.search(before[findings[-1] :] if findings else before) is not None
