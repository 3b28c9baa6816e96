"""A sentence with its measurements, and the words next to each: label and symbol."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from pathfinder.answering.assessment.values.kinds import NO_UNIT, RELATIVE, FieldKinds, QuantityKind
from pathfinder.text.english import any_of
from pathfinder.text.quantities.measurements import measurements, plain_text_of
from pathfinder.text.quantities.unit_table import WORD_UNITS
from pathfinder.text.quantities.units import PERCENT, SHARE
from pathfinder.text.quantities.written_numbers import LOWER, UPPER, Quantity
from pathfinder.types import StatedValue

MOST_LISTED = 8
"""Maximum number of measurements in a list that share the name of their quantity."""
LONGEST_SENTENCE = 1_500
"""Maximum length, in characters, of a sentence that is read: a longer one is a table or broken LaTeX."""
LABEL_REACH = 90
"""Number of characters before a value that are searched for the name of its quantity."""
NEAR = 45
"""Maximum number of characters between a number without a unit and the name of its quantity."""

_SYMBOL = re.compile(
    r"(?P<symbol>[A-Za-zΑ-ωℓ∑\[][^\s,;:()=<>≈~≡]*(?:\s{0,24}_\s{0,24}[\w⊙,.*'{}•+-]+)?(?:\s*/\s*[A-Za-z⊙_]+)?)"
    r"(?:\s*\([^()]{0,30}\))?(?:\s*[≡=]\s*(?:(?!\band\b)[^=,;±]){0,40})?\s*(?:=|<|>|≈|~|≡|≤|≥|≲|≳)\s*[(~]?\s*$"
)
_ADDITION = re.compile(r"\d\s{0,2}\+\s{0,2}$|[Δδ]\s{1,8}$|σ\s{0,8}_\s{0,24}$")
_AFTER = re.compile(
    r"\s*(?:(?:for|of|in|as) (?:the |a )?(?:[\w-]+ )?|-?\s?)"
    r"(?:(?!and|or|with|while|which|at|from|by|to|in\b)[\w-]+[ -]){0,2}?$"
)
_INHERITED_UNIT = re.compile(r"[\s$(),]*+(?:[a-z]{0,3}\s?=|and|or|to|versus|vs\.?|,|;|[-–])?[\s$(,]*(?:about )?")
_BETWEEN_ITEMS = re.compile(r"[^.;]{0,40}?\b(?:and|or)\b\s*+(?:[^\s=]{1,24}+\s*+=)?\s*")
_INDEX = re.compile(r"(?:[JNnmlkvjqp]|ℓ|BF|Pm|Re|dof|Δ?[vJ])(?:_.*)?|Z")
"""Symbols for whole numbers that count or label things."""
_COUNT = re.compile(
    r"\s+(?!and|or|to|in|at|for|from|with|by|of|on|but|which|while|is|was|are|were|per|if|as|the|when|than|solar"
    rf"|{any_of(sorted(WORD_UNITS))}\b)[A-Za-z][a-z-]{{2,}}"
)
_CLAUSE = re.compile(r"[;:]|,\s+(?:while|whereas|and|but|with|which|for)\s|\b(?:while|whereas|although)\b")


@dataclass(frozen=True)
class MeasuredSentence:
    """A sentence with its measurements, and the names of quantities in it."""

    text: str
    start: int
    """Position of the sentence in its text."""
    kinds: FieldKinds
    """Kinds of quantities that it may name."""
    byline: str = ""
    """Authors and title of its paper; empty if they are not known, and then nobody it names counts as somebody else."""

    @cached_property
    def plain(self) -> str:
        return plain_text_of(self.text)

    @cached_property
    def measurements(self) -> tuple[Quantity, ...]:
        """Measurements in order; none in a text that is too long to be a sentence."""
        if len(self.text) > LONGEST_SENTENCE:
            return ()
        return measurements(self.text)

    @cached_property
    def labels(self) -> tuple[tuple[int, int, QuantityKind], ...]:
        """Names of quantities that are not part of a number or a unit, with their positions."""
        spans = [(m.start, m.end) for m in self.measurements]
        return tuple(
            (first, last, kind)
            for first, last, kind in self.kinds.named_in(self.plain)
            if not any(start < last and first < end for start, end in spans)
        )

    def before(self, place: int) -> str:
        """Return the characters before a measurement that may contain its label."""
        start = self.measurements[place].start
        return self.plain[max(0, start - LABEL_REACH) : start]

    def phrase(self, place: int) -> str:
        """Return the words before a measurement that belong to it: those after the previous measurement and in the same
        clause.
        """
        measurement = self.measurements[place]
        first = self.measurements[place - 1].end if place else 0
        before = self.plain[max(first, measurement.start - LABEL_REACH) : measurement.start]
        clauses = [match.end() for match in _CLAUSE.finditer(before)]
        return before[clauses[-1] :] if clauses else before

    def behind(self, place: int) -> str:
        """Return the words after a measurement, up to the next one or a comma."""
        end = self.measurements[place].end
        last = self.measurements[place + 1].start if place + 1 < len(self.measurements) else len(self.plain)
        return re.split(r"[,;]", self.plain[end : min(last, end + NEAR)])[0]

    def symbol(self, place: int) -> str | None:
        """Return the symbol to which a measurement is equated, without spaces or braces: "M_BH", "1+z"."""
        before = self.before(place)
        match = _SYMBOL.search(before)
        if match is None:
            return None
        addition = _ADDITION.search(before[: match.start("symbol")])
        return re.sub(r"[\s{}]", "", f"{addition[0] if addition else ''}{match['symbol']}")

    def as_value(self, place: int, paper_id: str, quantity: str, unit: str) -> StatedValue:
        """Return a measurement as the value of a `quantity`; its `start` and `end` are positions in the text."""
        measurement = self.measurements[place]
        return StatedValue(
            paper_id=paper_id,
            quantity=quantity,
            value=measurement.value,
            plus=measurement.plus,
            minus=measurement.minus,
            unit=unit,
            limit=measurement.limit,
            of=None,
            start=self.start + measurement.start,
            end=self.start + measurement.end,
            plus_systematic=measurement.plus_systematic,
            minus_systematic=measurement.minus_systematic,
            interval=measurement.interval,
        )

    def is_count(self, place: int) -> bool:
        """Return whether a measurement is a whole number that counts things ("56 elements", "N = 159", "J = 2"), or a
        share that describes, in brackets, what stands before them: "900 children (49.4% girls)".
        """
        measurement = self.measurements[place]
        if measurement.unit in (PERCENT, SHARE):
            is_of_sample = self.symbol(place) in ("N", "n")  # it shares the unit of the number behind it
            is_described = self._is_in_brackets(place) and _COUNT.match(self.plain, measurement.end) is not None
            return is_of_sample or is_described
        is_whole = measurement.unit is None and not measurement.errors and measurement.value == int(measurement.value)
        if not is_whole or measurement.relative_to:
            return False
        symbol = self.symbol(place)
        if symbol is not None:
            return _INDEX.fullmatch(symbol) is not None
        return _COUNT.match(self.plain, measurement.end) is not None

    def _is_in_brackets(self, place: int) -> bool:
        """Return whether brackets that contain a measurement open after the name of its quantity."""
        label = self._label(self._first_of_list(place))
        between = self.plain[label.end : self.measurements[place].end] if label else ""
        return between.count("(") > between.count(")")

    def has_label_behind(self, place: int) -> bool:
        """Return whether the words of the label come after the measurement: "3.35-day orbital period"."""
        measurement = self.measurements[place]
        return self.plain.startswith(self.label(place)[1], measurement.end) and self.label(place)[0] is not None

    def label(self, place: int) -> tuple[QuantityKind | None, str, int]:
        """Return the kind named by the words next to a measurement, those words, and their distance in characters.

        A measurement in a list has the label of the first one in the list.
        """
        label = self._label(self._first_of_list(place))
        return (label.kind, label.words, label.distance) if label else (None, self.phrase(place), LABEL_REACH)

    def label_span(self, place: int) -> tuple[int, int] | None:
        """Return the positions of the quantity's name next to a measurement; `None` if no name fits its unit."""
        label = self._label(self._first_of_list(place))
        return (label.start, label.end) if label and self._fits(label.kind, place) else None

    def _fits(self, kind: QuantityKind, place: int) -> bool:
        measurement = self.measurements[place]
        if measurement.relative_to:
            return kind.name in RELATIVE
        return (measurement.unit.dimensions if measurement.unit else NO_UNIT) in kind.dimensions

    def start_of_list(self, place: int) -> int:
        """Return the position of a measurement, or of the first one in its list."""
        return self.measurements[self._first_of_list(place)].start

    def first_of_list(self, place: int) -> int:
        """Return the place of the first number in the list to which a measurement belongs: "36 and 29 solar masses"."""
        return self.firsts[place]

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """`first_of_list` of each measurement, in ascending order."""
        firsts: list[int] = []
        for place, measurement in enumerate(self.measurements):
            is_listed = place > 0 and _is_list(self.plain[self.measurements[place - 1].end : measurement.start])
            firsts.append(firsts[-1] if is_listed else place)
        return tuple(firsts)

    def _first_of_list(self, place: int) -> int:
        """Return the place of the measurement that shares its label with the one at `place`."""
        own, first = place, max(0, place - MOST_LISTED)
        while place > first and not self._label(place):
            end, start = self.measurements[place - 1].end, self.measurements[place].start
            if start - end > NEAR or not _is_list(self.plain[end:start]):
                break
            place -= 1
        return place if self._label(place) else own

    def _label(self, place: int) -> "_Label | None":
        measurement = self.measurements[place]
        follower = next((label for label in self.labels if label[0] >= measurement.end), None)
        if follower:
            between = self.plain[measurement.end : follower[0]]
            is_glued = measurement.is_attributive and len(between) <= NEAR / 2 and "," not in between
            if is_glued or (len(between) <= NEAR and _AFTER.fullmatch(between)):
                words = self.plain[measurement.end : follower[1] + 1]
                return _Label(follower[2], words, len(between), follower[0], follower[1])
        first = self.measurements[place - 1].end if place else 0
        before = [
            label
            for label in self.labels
            if max(first, measurement.start - LABEL_REACH) <= label[0] and label[1] <= measurement.start
        ]
        if before:
            start, end, kind = next((label for label in reversed(before) if self._fits(label[2], place)), before[-1])
            words = self.plain[max(first, start - 40) : measurement.start]
            return _Label(kind, words, measurement.start - end, start, end)
        return None


class _Label(NamedTuple):
    """The name of a quantity next to a measurement."""

    kind: QuantityKind
    words: str
    """The name, with the words around it."""
    distance: int
    """Number of characters between the name and the measurement."""
    start: int
    end: int


def _is_list(between: str) -> bool:
    return _INHERITED_UNIT.fullmatch(between) is not None or _BETWEEN_ITEMS.fullmatch(between) is not None


# Numbers that have the unit of a quantity but are not its value: differences, uncertainties, and the ends of the
# range that was observed.

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
    r"|\s*(?:difference|shift|offset|discrepancy|gap|change|increase|decrease|drop)s?\b",
    re.IGNORECASE,
)
_CHANGED_BY = re.compile(rf"\bby{_ABOUT}", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"\b(?:differences?|offsets?|discrepanc(?:y|ies)|shifts?|changes?|increases?|decreases?|excess|deviations?)"
    rf"{_OF_THE_LABEL}\s{_IS}{_ABOUT}",
    re.IGNORECASE,
)
_UNCERTAINTY = re.compile(
    r"\b(?:uncertaint(?:y|ies)|errors?|error bars?|precisions?|accurac(?:y|ies)|scatter|rms|(?:standard )?deviation"
    rf"|resolution|bin sizes?|step sizes?){_OF_THE_LABEL}\s{_REACHES}{_ABOUT}",
    re.IGNORECASE,
)
_UNCERTAINTY_BEHIND = re.compile(
    r"\s+(?:(?:statistical|systematic)\s)?(?:uncertainty|uncertainties|errors?|precision|accuracy|scatter|resolution|rms)\b",
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
_ARGUMENT = re.compile(r"\b[A-Za-zΑ-ω](?:_\w{1,8})?\([\s$]*+[<>≲≳~]?[\s$]*$")
"""A symbol of which a value is the argument: "M(< 80 kpc) = ..."."""
_COMPONENT = re.compile(r"(?:\(\s*[UVuv][^(),]{0,12},[^()]{1,30}\)[^()=]{0,20}=|\bvector)\s*\([\s$]*$")
"""Words before the first component of a velocity: "(U, V, W) = (11.1, 12.2, 7.3) km/s"."""
_LISTED_ERROR = re.compile(r"(?:\s(?:in|on|for)\s[^,;=]{1,40})?,[\s$]+(?:and[\s$]+)?")
_AT_THE_TIME = re.compile(r"\bwhen\b[^,;]*$", re.IGNORECASE)


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
    if (kind == "age" and _AT_THE_TIME.search(before)) or (kind == "speed" and _COMPONENT.search(before)):
        return True
    extent, selection = _of_field(sentence.kinds)
    is_place = any(each.is_place for each in sentence.kinds.kinds if each.name == kind)
    if _ARGUMENT.search(before) or (is_place and extent.search(before)):
        return True
    between = sentence.plain[sentence.measurements[place - 1].end : sentence.measurements[place].start] if place else ""
    if place and (_LISTED_BOUND.fullmatch(between) or is_range(sentence, place)):
        return _is_bound(kind, sentence, place - 1)
    match = selection.search(before)
    return match is not None and not _RESULT.search(before[max(0, match.start() - 30) : match.start()])


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
    is_pair = place > 0 and first.unit == second.unit and first.value < second.value
    return is_pair and second.start - first.end <= LONGEST_JOINT and (first.limit, second.limit) == (LOWER, UPPER)


# Values that a paper quotes: those of others, or of an earlier time.

_NAME = r"[A-Z][\w.'’-]+"
_NAMES = rf"{_NAME}(?:\s{_NAME})*"
_OBTAINED = (
    r"\s(?:(?:\(\d{4}\)|which|that|have|has|had)\s){0,2}"
    r"(?:obtained|derived|measured|found|reported|estimated|determined|inferred|claimed|shown)\b"
)
_QUOTING = re.compile(
    r"(?-i:(?:^|[;:]\s|\b(?:but|while|whereas|that|as|than)\s)(?:[Tt]he\s)?"
    rf"(?P<names>{_NAMES}(?=\s(?:[Pp]roject|[Tt]eam|[Cc]ollaboration))"
    rf"|{_NAMES}(?:,\s{_NAMES})*,?\s(?:and|&)\s(?:{_NAMES}|colleagues))"
    rf"(?:\s\w+)?{_OBTAINED})"
    rf"|\b(?:previous|earlier|others?|later)(?:\s(?!we\b|I\b)[\w-]+){{0,3}}?{_OBTAINED}|"
    r"\bet al\b(?:\.?,? \(?\d{4}\)?,?)?|\b(?:consistent|agree\w*|tension) with (?:the\b|(?-i:[A-Z]))"
    r"|\b(?:(?:[a-z]+er|less|more) than the(?!.*\()|adopt\w*|controvers\w+)\b"
    r"|\b(?:previous(?:ly)?|earlier|literature|their|against)\s+(?:[\w-]+\s+){0,2}(?:value|result|estimate|measurement|determination)s?\b"
    r"|(?-i:\bthe\s+(?:[A-Z\d][\w-]*\s+){1,3})(?:value|baseline|normali[sz]ation|measurement)s?\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"[,;:]|\b(?:we|our|finds?|yield(?:s|ed|ing)?|gives?|giving|with|to"
    r"|and (?:provid|obtain|deriv|infer|measur|determin|estimat|demonstrat)\w*)\b",
    re.IGNORECASE,
)
"""Signs and words behind which a paper's own finding may follow."""
_QUOTED = re.compile(
    r"[\s$)]*(?:then |previously )?(?:reported|predicted|preferred|expected|favou?red|published)\s"
    r"(?:earlier|(?:by|in|from)(?! (?:our|this|us)\b))\b"
)
"""Words that say, behind a value, whose it is."""


def is_quoted(sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a measurement, or the list of which it is part, is quoted for comparison: it is that of another
    paper, or an earlier one.
    """
    first = sentence.first_of_list(place)
    last = bisect_right(sentence.firsts, first) - 1
    before = sentence.plain[sentence.measurements[first - 1].end if first else 0 : sentence.measurements[first].start]
    is_before = any(
        not (_OWN.search(before[match.end() :]) or _names_authors(match["names"], sentence.byline))
        for match in _QUOTING.finditer(before)
    )
    return is_before or _QUOTED.match(sentence.plain, sentence.measurements[last].end) is not None


def _names_authors(names: str | None, byline: str) -> bool:
    """Return whether those who obtained a value may be the paper's authors, or the project in its title."""
    return names is not None and (not byline or any(name in byline for name in re.findall(_NAME, names)))


_KNOWN = (
    r"(?:\w+ly\s)?(?:put|known|thought|believed|estimated|measured|found|placed|taken|given|gave|identified|determined|revised"
    r"|raised|lowered|refined|corrected|reduced|increased|established|accepted|set|shown|showed|indicated)\b"
)
_LATER = re.compile(
    r"\b(?:(?:has|have) since (?:been )?|(?:is|are|was|were) (?:since|today) |(?<!we )(?:now|later|subsequently) )"
    rf"{_KNOWN}"
    r"|\b(?:modern|later|today['’]s) (?:values?|estimates?|determinations?|measurements?|results?|work)\b",
    re.IGNORECASE,
)
"""Words that say that something became known after the paper was published."""


def is_later(sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a sentence says of a measurement that it became known after its paper was published."""
    return _LATER.search(re.split(r"[;:]", sentence.plain[: sentence.measurements[place].start])[-1]) is not None


def stated_numbers(sentence: MeasuredSentence) -> tuple[tuple[Quantity, ...], bool]:
    """Return the measurements with a unit or an uncertainty that are not quoted, and whether any others are quoted."""
    places = [place for place, number in enumerate(sentence.measurements) if number.unit or number.errors]
    stated = tuple(sentence.measurements[place] for place in places if not is_quoted(sentence, place))
    return stated, len(stated) < len(places)
