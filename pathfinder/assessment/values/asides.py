"""Numbers that have the unit of a quantity but are not its value: differences, uncertainties, and the ends of the range
that was observed.
"""

import re
from functools import cache

from pathfinder.assessment.values.kinds import FieldKinds
from pathfinder.assessment.values.measured_sentence import MeasuredSentence
from pathfinder.text.quantities.measurement import LOWER, UPPER

LONGEST_JOINT = 12
"""Maximum number of characters between the ends of a range."""
DIFFERENCE, UNCERTAINTY, BOUND = "difference", "uncertainty", "bound"

_ABOUT = (
    r"(?:\s*(?:only|just|about|around|roughly|nearly|almost|some|up to|at least|at most|as much as|[~∼≈<>≲≳]))?\s*$"
)
_IS = r"(?:of|is|was|are|were|be|being|(?:reduces|drops|falls|rises|grows|increases|decreases|shrinks) to)"
_REACHES = r"(?:of|is|was|are|were|be|being|to|at|below|under|reach(?:es|ing)?)"
_OF_THE_LABEL = (
    r"(?:\s\([^()]{0,20}\))?(?:\s(?:of|on|in|for|between|from|with|around|about)\s"
    r"(?:(?!\b(?:by|give[sn]?|gave|yields?|impl\w+)\b)[^,;=±]){0,160}?)?"
)
_COMPARISON = re.compile(
    r"\s+(?:\w+ly\s+)?(?:smaller|larger|bigger|lower|higher|greater|less|more|older|younger|earlier|later|longer|shorter"
    r"|farther|further|closer|nearer|fainter|brighter|hotter|cooler|warmer|heavier|lighter|faster|slower)\b"
    r"|\s+(?:away from|short of|off|apart from)\s+(?:the|that|its|what)\s+(?:\w+\s+)?(?:value|estimate|result|mean)"
    r"|\s+(?:above|below)\s+(?:the|that|those|its)\s+(?:\S+\s+){0,3}?(?:values?|estimates?|results?|means?|measurements?"
    r"|predictions?|one)\b"
    r"|\s*(?:difference|shift|offset|discrepancy|gap|change|increase|decrease|drop)s?\b",
    re.IGNORECASE,
)
_CHANGED_BY = re.compile(rf"\bby{_ABOUT}", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"\b(?:differences?|offsets?|discrepanc(?:y|ies)|gaps?|shifts?|changes?|increases?|decreases?|drops?|excess"
    rf"|deviations?|residuals?|dips?|jumps?|enhancements?|depletions?|rises?|declines?){_OF_THE_LABEL}\s{_IS}{_ABOUT}",
    re.IGNORECASE,
)
_UNCERTAINTY = re.compile(
    r"\b(?:uncertaint(?:y|ies)|errors?|error bars?|precisions?|accurac(?:y|ies)|scatter|rms|(?:standard )?deviation"
    rf"|resolution|bin sizes?|step sizes?){_OF_THE_LABEL}\s{_REACHES}{_ABOUT}",
    re.IGNORECASE,
)
_UNCERTAINTY_BEHIND = re.compile(
    r"\s+(?:(?:statistical|systematic|total|random|measurement)\s+)?"
    r"(?:uncertainty|uncertainties|errors?|precision|accuracy|scatter|resolution|rms)\b",
    re.IGNORECASE,
)
_GIVEN_BY = frozenset({"separation", "duration", "inclination", "height"})
"""Kinds whose values follow "by": "separated by 5 kpc", "tilted by 23 degrees"."""
_RESULT = re.compile(
    r"\b(?:find|found|obtain\w*|deriv\w+|measur\w+|constrain\w*|limits?|bounds?|infer\w*|estimat\w+|yield\w*|gives?|gave"
    r"|set|report\w*|rul\w+ out|exclud\w+|implies|imply\w*|suggest\w*)\b",
    re.IGNORECASE,
)
_SELECTION_WORDS = (
    r"\b(?:for|at|over|within|across|where|when|if|beyond|out to|up to|down to|in the|range|regime|sample|bins?"
    r"|(?!(?:is|was|has|this|its|mass)\b)(?:[a-z]{3,}s|them|those) (?:with|at|of|having|in))"
    r"(?:\s+(?:a|an|the|of|in|THINGS|[a-z-]+ range|PLACE|mass(?:es)?|ages?))"
    r"{0,4}"
    r"\s*(?:[\d.,]+\s*\S{0,8}\s*[<≤≲]\s*)?\(?[^\s<>≤≥≲≳=]{1,24}(?:\s?_\s?\S{1,12})?\s*[<>≤≥≲≳][=~]?\s*$"
)
"""Words before an inequality that says which things were studied: "for z < 2", "galaxies with 0.5 < z < 2"."""
_EXTENT = (
    r"(?:\b(?:out|up|down|extend\w*|reach\w*|prob\w+|map\w*) (?:in )?(?:to|as far as|beyond)|\bwithin|\bbeyond|\bover"
    r"|\bacross|\bgreater than|\b(?:farther|closer|further)(?: away)? than|\bless than|\blarger than|\bsmaller than"
    r"|\b(?:in|over|across|covering|spanning) the (?:[\w-]+ )?range(?: of| from| between)?)"
    r"(?:\s+(?:a|an|the|(?:PLACE)(?: of)?|z|~|∼|≈|=|[$(]|about|around|at least)){0,5}\s*$"
)
"""Words before a distance to which something extends."""
_LISTED_BOUND = re.compile(r"[$\s]*(?:and|or|,)[$\s]*\S{1,10}\s*[<>≤≥≲≳]\s*")
_LISTED_ERROR = re.compile(r"(?:\s(?:in|on|for)\s[^,;=]{1,40})?,[\s$]+(?:and[\s$]+)?")
_BETWEEN_BOUNDS = re.compile(r"[\s$]*[<≤≲][^<>≲]{1,60}[<≤≲][\s$]*")
_IN_RANGE = re.compile(r"\b(?:range|interval|bins?|sample)\b[^,;=]{0,30}$", re.IGNORECASE)
_ARGUMENT = re.compile(r"\w\s{0,2}\([\s$]*[<>≲≳~]?[\s$]*$|\)\s*=\s*\([\s$]*$")
_SELECTION = re.compile(r"\b(?:select|consider|choos|restrict|focus)\w*\b[^,;.]{0,80}$", re.IGNORECASE)
_AT_THE_TIME = re.compile(r"\bwhen\b[^,;]*$", re.IGNORECASE)
_OVER_TIME = re.compile(
    r"(?<!\bof )(?<!\bbe )(?<!\bis )\b(?:over|within|for|during|after|every|in|throughout)\s+(?:the\s+)?"
    r"(?:(?:last|past|next|first)\s+)?(?:about\s+|around\s+|some\s+|[~∼])?[$\s]*$",
    re.IGNORECASE,
)


def aside(kind: str, sentence: MeasuredSentence, place: int) -> str | None:
    """Return the kind of aside that a measurement is: `DIFFERENCE`, `UNCERTAINTY` or `BOUND` (an end of the range that
    was observed); `None` if it may be a value of the quantity named `kind`.
    """
    before, behind = sentence.phrase(place), sentence.plain[sentence.measurements[place].end :]
    if place and _LISTED_ERROR.fullmatch(
        sentence.plain[sentence.measurements[place - 1].end : sentence.measurements[place].start]
    ):
        return aside(kind, sentence, place - 1)
    if kind != "duration" and (sentence.symbol(place) or "").startswith(("Δ", "δ")):
        return DIFFERENCE
    if _COMPARISON.match(behind) or _DIFFERENCE.search(before):
        return DIFFERENCE
    if kind not in _GIVEN_BY and _CHANGED_BY.search(before):
        return DIFFERENCE
    if _UNCERTAINTY.search(before) or _UNCERTAINTY_BEHIND.match(behind):
        return UNCERTAINTY
    return BOUND if _is_bound(kind, sentence, place) else None


def _is_bound(kind: str, sentence: MeasuredSentence, place: int) -> bool:
    before = sentence.before(place)
    if kind == "age" and _AT_THE_TIME.search(before):
        return True
    extent, selection = _of_field(sentence.kinds)
    if (_is_place(kind, sentence.kinds) and extent.search(before)) or (kind == "age" and _OVER_TIME.search(before)):
        return True
    if _ARGUMENT.search(before) or _SELECTION.search(before):
        return True
    between = sentence.plain[sentence.measurements[place - 1].end : sentence.measurements[place].start] if place else ""
    if _BETWEEN_BOUNDS.fullmatch(between):
        first = sentence.before(place - 1)
        return _IN_RANGE.search(first) is not None or not _RESULT.search(first)
    if place and (_LISTED_BOUND.fullmatch(between) or is_range(sentence, place)):
        return _is_bound(kind, sentence, place - 1)
    match = selection.search(before)
    return match is not None and not _RESULT.search(before[max(0, match.start() - 30) : match.start()])


def _is_place(name: str, kinds: FieldKinds) -> bool:
    return any(kind.is_place for kind in kinds.kinds if kind.name == name)


@cache
def _of_field(kinds: FieldKinds) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compile, with the nouns of the field, the patterns for the extent of what was observed and for how it was
    selected.
    """
    extent, selection = (
        re.compile(pattern.replace("THINGS", kinds.nouns.thing).replace("PLACE", kinds.place), re.IGNORECASE)
        for pattern in (_EXTENT, _SELECTION_WORDS)
    )
    return extent, selection


def is_range(sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a measurement is the upper end of a range."""
    first, second = sentence.measurements[place - 1], sentence.measurements[place]
    return (first.limit, second.limit) == (LOWER, UPPER) and second.start - first.end <= LONGEST_JOINT
