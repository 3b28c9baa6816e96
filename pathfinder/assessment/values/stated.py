"""Values of a quantity in the text of a paper, and all values that a text claims."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from itertools import pairwise
from typing import ClassVar

from pathfinder.assessment.values.kinds import (
    KINDS,
    NO_UNIT,
    RELATIVE,
    QuantityKind,
    names_of_kinds,
    symbols_of,
)
from pathfinder.assessment.values.target import Target
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.text.quantities.measurements import ABOUT, Measurement, measurements, plain_text_of
from pathfinder.text.quantities.units import Unit, unit_at
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import StatedValue

SHARE_OF_BEST = 0.5
SHARE_OF_BEST_IN_SENTENCE = 0.6
"""Minimum likeness of a value, as a share of the highest in its paper and of the highest in its sentence."""
MOST_LISTED = 8
"""Maximum number of measurements in a list that share the name of their quantity."""
LONGEST_SENTENCE = 3000
"""Number of characters above which a text without a full stop is not read: it is a table or broken LaTeX."""
LABEL_REACH = 90
"""Number of characters before a value that are searched for the name of its quantity."""
NEAR = 45
"""Maximum number of characters between the name of a quantity that is a plain number and the number."""
PLAUSIBLE = 5.0
PLAUSIBLE_WITH_OWN_UNIT = 10.0
"""Factors by which a value whose sentence does not name the quantity may differ from the median of those whose
sentences do; the larger factor applies if its unit alone identifies the quantity.
"""
REACH_OF_NAME = 2
"""Number of sentences after the name of an object in which values may still belong to that object."""
LOG_MASS = "log M⊙"

_SYMBOL = re.compile(
    r"(?P<symbol>[A-Za-zΑ-ωℓ∑\[][^\s,;:()=<>≈~≡]*(?:\s{0,24}_\s{0,24}[\w⊙,.*'{}•+-]+)?(?:\s*/\s*[A-Za-z⊙_]+)?)"
    r"(?:\s*\([^()]{0,30}\))?(?:\s*[≡=]\s*[^=,;±]{0,40})?\s*(?:=|<|>|≈|~|≡|≤|≥|≲|≳)\s*[(~]?\s*$"
)
_LOG = re.compile(
    r"\blog_?\s?(?:10)?\s*\(?\s*_?\s*M[^=]{0,60}=\s*$|\blog_?\s?(?:10)?\s*[({][^=)}]{0,40}M[^=]{0,40}=\s*$"
)
_AFTER = re.compile(
    r"\s*(?:(?:for|of|in|as) (?:the |a )?(?:[\w-]+ )?|-?\s?)"
    r"(?:(?!and|or|with|while|which|at|from|by|to|in\b)[\w-]+[ -]){0,2}?$"
)
_INHERITED = re.compile(
    r"[\s$(),]*(?:[a-z]{0,3}\s?=|and|or|to|versus|vs\.?|against|,|;|[-–]|at the \w+ against)?[\s$(,]*(?:about )?"
)
_LISTED = re.compile(r"[^.;]{0,40}?\b(?:and|or|versus|against)\b\s*(?:[^\s=]{1,24}\s*=)?\s*")
_OF = re.compile(
    r"\b(?:of|for|from|to|using|with|within|in|at) (?:the |a |an )?((?:[\w*+.'’/-]+ ){0,4}[\w*+.'’/-]+)", re.IGNORECASE
)
_NO_NOUN = re.compile(
    r"(?:^|\s)(?:(?:of|for|from|to|using|with|within|in|at|by|on|near|over|under|about|than|that|which|who|whose|where"
    r"|when|while|and|or|but|nor|if|is|are|was|were|be|been|has|have|had|sits?|gives?|gave|finds?|found|yields?|yielded"
    r"|implies|obtains?|gets?|lies?|comes?|came|it|its|they|them|their|this|these|those|we|our|us|he|his|she|her|all"
    r"|each|both|some|any|no|an?|the|as|not|only|just|more|most|such|one|two|three|[\w-]+ly)(?=[\s,.]|$)|[;:=<>≈~±])",
    re.IGNORECASE,
)
"""Words and signs at which a noun phrase ends."""
_PROPER = re.compile(r"(?<![\w-])(?:[A-Z]|\d+[A-Z])[\w*+.'’/-]*(?: [A-Z0-9a-h][\w*+.'’/-]*| [a-z]+(?=$))*")
_THING = re.compile(
    r"^(?:[a-z-]+ ){0,3}(?:black hole|hole|galax(?:y|ies)|star|dwarf|dwarfs|planet|pulsar|magnetar|quasar|blazar"
    r"|(?:super)?nova|supernovae|cluster|nebula|dis[ck]|halo|bulge|bar|binary|Cepheid|donor|primary|secondary|companion"
    r"|lens|comet|asteroid|moon|remnant|filament|cloud|core)s?$"
)
_NO_OBJECT_NAME = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Sun|Earth|Fig(?:ure)?|Eq"
    r"|[A-Z]|Gyr|Myr|Mpc|kpc|H0|H_0)\.?"
)
_INDEX = re.compile(r"(?:[JNnmlkvjqp]|ℓ|BF|Pm|Re|dof|Δ?[vJ])(?:_.*)?|Z")
"""Symbols of whole numbers that count or label."""
_COUNTED = re.compile(
    r"\s+(?!and|or|to|in|at|for|from|with|by|of|on|but|which|while|is|was|are|were|per|if|as|the|when|than|km|solar)"
    r"[A-Za-z][a-z-]{2,}"
)
_ASSUMED = re.compile(
    r"(?:\b(?:assum\w*|adopt\w*|fiducial|fixed (?:at|to)|input|prior (?:of|on)|simulation|hypothe\w+|mock)\b[^,;]{0,45}"
    r"|\bfor an? (?:[\w-]+ ){1,4}of )$",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\b(?:errors?|uncertaint(?:y|ies)|precision|accuracy|scatter|difference|offset|shift|bias|discrepancy|increase|"
    r"decrease|change|variations?|dipole|amplitude)"
    r"(?: [\w-]+){0,3} (?:of|by|to|on|is|amplitude)(?: [\w-]+){0,3}\s*[~≈<>=]?\s*$",
    re.IGNORECASE,
)
_FORECAST = re.compile(r"\b[Ff]orecast|\bprospects\b|\bwould (?:be able to )?(?:reach|measure|constrain|yield)|\bmock ")
_EXCEPTED = re.compile(
    r"(?:jupiter|earth|sun|milky[ -]way)(?:s\b|[- ](?:mass(?:es)?|radi(?:us|i)|like|sized?|type)\b)"
    r"|times (?:that of |the )?(?:jupiter|earth|sun)\w*|"
    r"\b(?:apart|aside|different|away) from [\w -]+|\b(?:except|unlike|other than|besides) [\w -]+"
)
_OF_BODY = re.compile(r"\s+of\s+(?:the\s+|our\s+)?(Sun|Jupiter|Earth)(?:['’]s\b)?(?!\w)")
"""The body behind a plain number that is a multiple of one of its properties: "0.91 of the Sun"."""
_SAME_UNIT = re.compile(
    r"\b(?:it|this|that|which|(?:the|this|that) (?:value|limit|figure|number|maximum|result)) "
    r"(?:is|was|becomes|became|comes to|came to|rises to|rose to|falls to|fell to|would be)(?: now| today)?"
    r"(?: about| around| roughly| nearly| close to| near| some)?\s*~?\s*$",
    re.IGNORECASE,
)
"""Words before a number without a unit that repeat the quantity of the sentence before."""
_CAPPED = re.compile(r"\bcap(?:s|ped)?\b[^.;,]{0,60}\bat(?: about)?\s*$", re.IGNORECASE)
SAME_ORDER = 10.0
"""Factor by which such a number may differ from the value whose unit it takes."""
_CLAUSE = re.compile(r"[;:]|,\s+(?:while|whereas|and|but|with|which|for)\s|\b(?:while|whereas|although)\b")
_GROUPS: dict[str, tuple[str, ...]] = {
    "period": (r"orbit|revol|circl|binary|eclips", r"rotat|spin|puls|turn|tick", r"superhump"),
    "mass": (
        r"black[- ]hole|\b(?:smbh|bh|imbh)s?\b|m_\s*(?:bh|•|adaf)",
        r"white[- ]dwarf|\bwd\b",
        r"\bdonor|companion|secondary",
        r"\bplanet|(?<=\d)[b-h]\b",
        r"\bstellar (?:mass|total)|\bin stars|mass in stars|\bm_\s*\*|\bm_\s*star",
        r"\bdust mass|dust\b",
        r"\bgas mass|\bh\s?i\b|molecular|\bgas\b",
        r"ejecta|envelope",
        r"neutron star",
        r"cluster mass|\bcluster\b",
        r"\bfunction\b",
    ),
    "speed": (r"escape", r"circular|rotation (?:speed|velocity)", r"wind|outflow", r"approach|coming|reced|recession"),
    "age": (r"stellar age|star's age", r"dynamical age"),
    "dark matter density": (r"dark", r"total|stellar"),
    "redshift": (r"gravitational|excess",),
    "radius": (r"half-light|effective",),
}
"""For each kind, patterns of things that must not be confused: a reader who asks for one does not want another."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value in a sentence that may answer the question."""

    stated: StatedValue
    sentence_start: int
    sentence_end: int
    """Positions of its sentence in the text."""
    size: float
    """Value in the base units of its dimensions, by which values are compared."""
    dimensions: tuple[tuple[str, int], ...]
    is_sure: bool
    """True if its sentence names the quantity."""
    likeness: float
    """Number of the question's nouns near it, counted twice in its own phrase."""
    has_own_unit: bool = False
    """True if its unit alone identifies the quantity: km/s/Mpc."""
    is_only: bool = False
    """True if its paper, whose title names the object, states no other value that could be meant."""


@dataclass(frozen=True)
class Sentence:
    """A sentence with its measurements, and the names of quantities in it."""

    text: str
    start: int
    """Position of the sentence in its text."""
    near: ClassVar[int] = NEAR
    """Maximum number of characters between the name of a quantity that is a plain number and the number."""

    @cached_property
    def plain(self) -> str:
        return plain_text_of(self.text)

    @cached_property
    def measured(self) -> tuple[Measurement, ...]:
        """Measurements in order; none in a text that is too long for a sentence."""
        if len(self.text) > LONGEST_SENTENCE:
            return ()
        return tuple(self._with_body(measured) for measured in measurements(self.text))

    def _with_body(self, measured: Measurement) -> Measurement:
        """Read a number with decimals and no unit before "of the Sun" as a multiple of a property of the Sun."""
        if measured.unit or measured.relative_to or measured.value == int(measured.value):
            return measured
        body = _OF_BODY.match(self.plain, measured.end)
        return replace(measured, relative_to=body[1], end=body.end()) if body else measured

    @cached_property
    def labels(self) -> tuple[tuple[int, int, QuantityKind], ...]:
        """Names of quantities outside numbers and units, with their places."""
        spans = [(m.start, m.end) for m in self.measured]
        return tuple(
            (match.start(), match.end(), KINDS[(match.lastindex or 1) - 1])
            for match in names_of_kinds().finditer(self.plain)
            if not any(start < match.end() and match.start() < end for start, end in spans)
        )

    def phrase(self, place: int) -> str:
        """Return the words that belong to a measurement: those after the previous measurement, or from the beginning of
        the clause.
        """
        measured = self.measured[place]
        first = self.measured[place - 1].end if place else 0
        before = self.plain[max(first, measured.start - LABEL_REACH) : measured.start]
        clauses = [match.end() for match in _CLAUSE.finditer(before)]
        return before[clauses[-1] :] if clauses else before

    def behind(self, place: int) -> str:
        """Return the words after a measurement, up to the next one or a comma."""
        end = self.measured[place].end
        last = self.measured[place + 1].start if place + 1 < len(self.measured) else len(self.plain)
        return re.split(r"[,;]", self.plain[end : min(last, end + NEAR)])[0]

    def symbol(self, place: int) -> str | None:
        """Return the symbol that is set equal to a measurement, without spaces and braces: "M_BH"."""
        match = _SYMBOL.search(
            self.plain[max(0, self.measured[place].start - LABEL_REACH) : self.measured[place].start]
        )
        return re.sub(r"[\s{}]", "", match["symbol"]) if match else None

    def object_of(self, place: int) -> str | None:
        """Return what a value refers to, in the words of its sentence: "Milky Way", "black hole", "RRLs"; `None` unless
        it is a name, or a noun phrase for an object.
        """
        objects = (_object_in(match) for match in reversed([*_OF.finditer(self.phrase(place))]))
        return next(filter(None, objects), None)

    def is_count(self, place: int) -> bool:
        """Return whether a measurement is a whole number that counts things: "56 elements", "N = 159", "J = 2"."""
        measured = self.measured[place]
        is_whole = measured.unit is None and not measured.has_uncertainty and measured.value == int(measured.value)
        if not is_whole or measured.relative_to:
            return False
        symbol = self.symbol(place)
        if symbol is not None:
            return _INDEX.fullmatch(symbol) is not None
        return _COUNTED.match(self.plain, measured.end) is not None

    def has_label_behind(self, place: int) -> bool:
        """Return whether the words of the label come after the measurement: "3.35-day orbital period"."""
        measured = self.measured[place]
        return self.plain.startswith(self.label(place)[1], measured.end) and self.label(place)[0] is not None

    def label(self, place: int) -> tuple[QuantityKind | None, str, int]:
        """Return the kind named by the words beside a measurement, those words, and their distance in characters.

        A measurement in a list has the label of the first one in the list.
        """
        first = max(0, place - MOST_LISTED)
        while place > first and not self._own_label(place):
            end, start = self.measured[place - 1].end, self.measured[place].start
            if start - end > NEAR or not _is_list(self.plain[end:start]):
                break
            place -= 1
        return self._own_label(place) or (None, self.phrase(place), LABEL_REACH)

    def _own_label(self, place: int) -> tuple[QuantityKind, str, int] | None:
        measured = self.measured[place]
        follower = next((label for label in self.labels if label[0] >= measured.end), None)
        if follower:
            between = self.plain[measured.end : follower[0]]
            glued = measured.is_attributive and len(between) <= NEAR / 2 and "," not in between
            if glued or (len(between) <= NEAR and _AFTER.fullmatch(between)):
                return follower[2], self.plain[measured.end : follower[1] + 1], len(between)
        first = self.measured[place - 1].end if place else 0
        before = [
            label
            for label in self.labels
            if max(first, measured.start - LABEL_REACH) <= label[0] and label[1] <= measured.start
        ]
        if before:
            start, end, kind = before[-1]
            return kind, self.plain[max(first, start - 40) : measured.start], measured.start - end
        return None


def _object_in(match: re.Match[str]) -> str | None:
    """Return the name or the noun phrase after a preposition, up to the next word that belongs to neither."""
    phrase = _NO_NOUN.split(" ".join(match[1].split()), maxsplit=1)[0].strip(" ,.$(")
    name = _PROPER.search(phrase)
    written = name[0].strip(" ,.") if name else phrase
    if names_of_kinds().search(written) or re.search(r"['’]s\b", written) or _NO_OBJECT_NAME.fullmatch(written):
        return None
    is_proper = name is not None and len(written) > 1
    return written if is_proper or _THING.search(phrase) else None


def _is_list(between: str) -> bool:
    return _INHERITED.fullmatch(between) is not None or _LISTED.fullmatch(between) is not None


def values_in(target: Target, paper_id: str, title: str, text: str) -> tuple[Candidate, ...]:
    """Return the values of the target quantity in `text`, in order; none if the paper is about something else."""
    if not _is_about(target, f"{title}. {text}"):
        return ()
    spans = sentence_spans(text)
    candidates = [
        candidate
        for place, (start, end) in enumerate(spans)
        if any(map(str.isdigit, text[start:end])) or " million " in text[start:end]
        if _is_named(target, title, [text[slice(*span)] for span in spans[max(0, place - REACH_OF_NAME) : place + 1]])
        for candidate in _in_sentence(target, paper_id, Sentence(text[start:end], start))
    ]
    candidates = _with_repeated_units(candidates, [Sentence(text[start:end], start) for start, end in spans])
    if _states_all(target, title):
        candidates = [replace(candidate, is_sure=True) for candidate in candidates]
    if len(candidates) == 1 and target.names and all(re.search(name, title.lower()) for name in target.names):
        candidates = [replace(candidates[0], is_only=True)]
    return tuple(_unrepeated(_most_alike(candidates)))


def _with_repeated_units(candidates: Sequence[Candidate], sentences: Sequence[Sentence]) -> list[Candidate]:
    """Add the numbers without a unit that the sentence after a value gives for the same quantity: "It is about 1.4."

    They take the unit of the last value of the sentence before.
    """
    complete = list(candidates)
    last = {candidate.sentence_end: candidate for candidate in candidates if candidate.dimensions != NO_UNIT}
    for before, sentence in pairwise(sentences):
        value = last.get(before.start + len(before.text))
        if value is None or value.stated.unit == LOG_MASS or not value.stated.value:
            continue
        for place, measured in enumerate(sentence.measured):
            is_bare = measured.unit is None and measured.relative_to is None and not sentence.is_count(place)
            ratio = measured.value / value.stated.value
            is_same_order = 1.0 / SAME_ORDER <= ratio <= SAME_ORDER
            if is_bare and is_same_order and _SAME_UNIT.search(sentence.plain[: measured.start]):
                complete.append(_repeated(value, sentence, measured))
    return sorted(complete, key=lambda candidate: candidate.stated.start)


def _repeated(value: Candidate, sentence: Sentence, measured: Measurement) -> Candidate:
    """Return the value of a number that takes its unit and quantity from the `value` before it."""
    stated = replace(
        value.stated,
        value=measured.value,
        plus=measured.plus,
        minus=measured.minus,
        plus_systematic=measured.plus_systematic,
        minus_systematic=measured.minus_systematic,
        limit=measured.limit,
        of=None,
        start=sentence.start + measured.start,
        end=sentence.start + measured.end,
    )
    return replace(
        value,
        stated=stated,
        sentence_start=sentence.start,
        sentence_end=sentence.start + len(sentence.text),
        size=value.size * measured.value / value.stated.value,
    )


def _states_all(target: Target, title: str) -> bool:
    """Return whether a title names the quantity and all nouns of the question, at least two: "The Maximum Mass of White
    Dwarfs".
    """
    is_complete = len(target.nouns) > 1 and target.nouns <= _stems(title)
    return is_complete and re.search(target.kind.words, title, re.IGNORECASE) is not None


def _most_alike(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates that have nearly as many of the question's nouns as the best in their sentence and paper."""
    best_of_paper = max((candidate.likeness for candidate in candidates), default=0.0)
    best: dict[int, float] = {}
    for candidate in candidates:
        best[candidate.sentence_start] = max(candidate.likeness, best.get(candidate.sentence_start, 0.0))
    for candidate in candidates:
        is_of_best = candidate.likeness >= SHARE_OF_BEST_IN_SENTENCE * best[candidate.sentence_start]
        if is_of_best and candidate.likeness >= SHARE_OF_BEST * best_of_paper:
            yield candidate


def _is_named(target: Target, title: str, sentences: Sequence[str]) -> bool:
    """Return whether the last of `sentences` is about the object of the question, taking those before it into account.

    Each name must be in the title, in the sentence or in one of the two before it. A wide name, such as the Milky Way,
    must be in the sentence or the one before, or else in the title together with the quantity or another noun of the
    question. The part that it asks for, such as the black hole, must be in any of these. If the question has no names
    but at least two nouns, half of these must be in the sentence or the title.
    """
    head, *near = (_EXCEPTED.sub(" ", part.lower().replace("$", "")) for part in (title, *sentences))
    everything = " ".join([head, *near])
    if any(not re.search(own, everything) for own, _ in _sides(target.kind.name, target.qualifiers)):
        return False
    if not target.names and not target.wide_names:
        nouns = target.nouns & _stems(f"{near[-1]} {head}")
        return target.kind.is_universal or len(target.nouns) < 2 or 2 * len(nouns) >= len(target.nouns)
    is_subject = bool(target.nouns & _stems(head)) or re.search(target.kind.words, head, re.IGNORECASE) is not None
    close = " ".join([*near[-2:], head if is_subject else ""])
    return all(re.search(name, everything) for name in target.names) and all(
        re.search(name, close) for name in target.wide_names
    )


def states_kind(target: Target, text: str) -> bool:
    """Return whether a text has digits, every name of the question, and a name, symbol or unit of the kind: a quick
    check before `values_in`.
    """
    return any(map(str.isdigit, text)) and _is_about(target, text) and _words_of(target.kind).search(text) is not None


@cache
def _words_of(kind: QuantityKind) -> re.Pattern[str]:
    return re.compile(rf"{kind.words}|{kind.symbols}" if kind.is_named else kind.words, re.IGNORECASE)


def _unrepeated(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield each value once."""
    seen: set[tuple[float, str | None]] = set()
    for candidate in candidates:
        key = (float(f"{candidate.size:.6g}"), candidate.stated.limit)
        if key not in seen:
            seen.add(key)
            yield candidate


def _is_about(target: Target, text: str) -> bool:
    """Return whether a paper has every name of the question, and at least half of its other nouns."""
    folded = text.lower().replace("$", "")
    if not all(re.search(name, folded) for name in (*target.names, *target.wide_names)):
        return False
    if target.kind.is_universal or target.names or target.wide_names or not target.nouns:
        return True
    return 2 * len(target.nouns & _stems(folded)) >= len(target.nouns)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(words(text), QUESTION_STOP_WORDS))


def _in_sentence(target: Target, paper_id: str, sentence: Sentence) -> Iterator[Candidate]:
    for place, measured in enumerate(sentence.measured):
        fitting = None if sentence.is_count(place) else _fitting(target.kind, measured, sentence, place)
        if fitting is None or (target.limit and measured.limit not in (target.limit, None, ABOUT)):
            continue
        naming = _naming(target, sentence, place, is_log=fitting.is_log)
        if naming is _Naming.OTHER or _is_of_another(target, sentence, place):
            continue
        before = sentence.plain[max(0, measured.start - LABEL_REACH) : measured.start]
        if (
            _FORECAST.search(sentence.plain[: measured.start])
            or _ASSUMED.search(before)
            or (measured.is_attributive and not sentence.has_label_behind(place))
        ):
            continue
        own = target.nouns & _stems(f"{sentence.label(place)[1]} {sentence.phrase(place)} {sentence.behind(place)}")
        likeness = len(target.nouns & _stems(sentence.plain)) + len(own)
        if target.limit and measured.limit == target.limit:
            likeness += 2
        yield Candidate(
            stated=StatedValue(
                paper_id=paper_id,
                quantity=_quantity_name(target, sentence, place),
                value=measured.value,
                plus=measured.plus,
                minus=measured.minus,
                unit=fitting.written,
                limit="upper" if measured.limit is None and _CAPPED.search(before) else measured.limit,
                of=sentence.object_of(place),
                start=sentence.start + measured.start,
                end=sentence.start + measured.end,
                plus_systematic=measured.plus_systematic,
                minus_systematic=measured.minus_systematic,
            ),
            sentence_start=sentence.start,
            sentence_end=sentence.start + len(sentence.text),
            size=fitting.size(measured.value),
            dimensions=fitting.dimensions,
            is_sure=naming is _Naming.NAMED
            or (bool(target.nouns) and target.nouns <= own)
            or _is_of_own(target, sentence, place),
            likeness=float(likeness),
            has_own_unit=target.kind.is_named and bool(target.kind.unit),
        )


@dataclass(frozen=True, slots=True)
class _Fitting:
    """The unit in which a measurement fits the quantity that the question asks for."""

    written: str
    unit: Unit | None
    is_log: bool = False

    @property
    def dimensions(self) -> tuple[tuple[str, int], ...]:
        return self.unit.dimensions if self.unit else NO_UNIT

    def size(self, value: float) -> float:
        number = 10.0**value if self.is_log and value < 100.0 else value
        return number * (self.unit.size if self.unit else 1.0)


def _fitting(kind: QuantityKind, measured: Measurement, sentence: Sentence, place: int) -> _Fitting | None:
    if measured.relative_to:
        symbol = RELATIVE.get(kind.name, {}).get(measured.relative_to)
        return _Fitting(symbol, unit_at(symbol, 0)[0]) if symbol else None
    before = sentence.plain[max(0, measured.start - LABEL_REACH) : measured.start]
    if kind.name == "mass" and _LOG.search(before) and measured.value < 20.0:
        return _Fitting(LOG_MASS, unit_at("M⊙", 0)[0], is_log=True)
    if measured.unit is None:
        if NO_UNIT not in kind.dimensions:
            return None
        is_pure = kind.dimensions == (NO_UNIT,) or _matches(kind, sentence.symbol(place)) or kind.name == "fraction"
        return _Fitting("", None) if is_pure else None
    if measured.unit.dimensions not in kind.dimensions or not measured.unit.dimensions:
        return None
    return (
        _Fitting(measured.written_unit, measured.unit)
        if re.search(kind.unit, measured.written_unit + _long(measured))
        else None
    )


def _long(measured: Measurement) -> str:
    return "pc" if "parsec" in measured.written_unit.lower() else ""


def _matches(kind: QuantityKind, symbol: str | None) -> bool:
    return symbol is not None and symbols_of(kind).fullmatch(symbol) is not None


class _Naming(Enum):
    """The quantity that the words or the symbol beside a value name."""

    NAMED = "named"
    UNNAMED = "unnamed"
    OTHER = "other"
    """They name another quantity."""


def _naming(target: Target, sentence: Sentence, place: int, *, is_log: bool = False) -> _Naming:
    kind, measured = target.kind, sentence.measured[place]
    label, _, distance = sentence.label(place)
    symbol = sentence.symbol(place)
    is_symbol = _matches(kind, symbol)
    has_unit = measured.unit is not None or measured.relative_to is not None
    if kind.is_named and has_unit:
        return _naming_by_unit(kind, label, measured, is_symbol=is_symbol)
    if is_log:
        return _Naming.NAMED if label in (kind, None) else _Naming.OTHER
    if is_symbol and (label in (kind, None) or kind.is_named or distance > NEAR):
        return _Naming.NAMED
    if symbol and not is_symbol and (not has_unit or label is None or _has_rival(kind, symbol)):
        return _Naming.OTHER
    if not has_unit:
        return _Naming.NAMED if label is kind and distance <= NEAR else _Naming.OTHER
    return _naming_by_label(kind, label, measured)


def _naming_by_unit(
    kind: QuantityKind, label: QuantityKind | None, measured: Measurement, *, is_symbol: bool
) -> _Naming:
    if is_symbol or label is kind:
        return _Naming.NAMED
    is_other = label is not None and label.name != "energy" and _fits(label, measured)
    return _Naming.OTHER if is_other else _Naming.UNNAMED


def _naming_by_label(kind: QuantityKind, label: QuantityKind | None, measured: Measurement) -> _Naming:
    if label is kind:
        return _Naming.NAMED
    if label is None or _are_kin(kind, label) or not _fits(label, measured):
        return _Naming.UNNAMED
    return _Naming.OTHER


def _fits(kind: QuantityKind, measured: Measurement) -> bool:
    """Return whether a measurement has the dimensions of a kind."""
    if measured.relative_to:
        return kind.name in RELATIVE
    return (measured.unit.dimensions if measured.unit else NO_UNIT) in kind.dimensions


def _has_rival(kind: QuantityKind, symbol: str) -> bool:
    """Return whether a symbol stands for another kind of the same dimensions."""
    return any(
        _matches(other, symbol) and any(d in other.dimensions for d in kind.dimensions)
        for other in KINDS
        if other is not kind and not other.is_named
    )


def _are_kin(kind: QuantityKind, other: QuantityKind) -> bool:
    return {kind.name, other.name} <= {"radius", "diameter"} or {kind.name, other.name} <= {"speed", "escape velocity"}


def _is_of_another(target: Target, sentence: Sentence, place: int) -> bool:
    """Return whether a value belongs to something else of the same kind: the donor's mass, another planet's period."""
    _, beside, _ = sentence.label(place)
    near = f"{beside} {sentence.phrase(place)[-60:]} {sentence.behind(place)[:25]}".lower()
    for own, rivals in _sides(target.kind.name, target.qualifiers):
        if not re.search(own, near) and re.search(rivals, near):
            return True
    return _names_sibling(target, sentence, place) or _is_of_another_planet(target, sentence)


def _is_of_own(target: Target, sentence: Sentence, place: int) -> bool:
    """Return whether a value of the right unit follows the thing that the question names: "a black hole of four million
    solar masses".
    """
    measured = sentence.measured[place]
    before = sentence.plain[max(0, measured.start - LABEL_REACH) : measured.start].lower()
    return measured.unit is not None and any(
        re.search(rf"(?:{own})\w*\s+(?:of|with|at)(?: about| some| roughly| around| nearly)?\s*~?$", before)
        for own, _ in _sides(target.kind.name, target.qualifiers)
    )


@cache
def _sides(kind: str, qualifiers: str) -> tuple[tuple[str, str], ...]:
    """Return, for each thing that the question names, its pattern and that of its rivals."""
    groups = _GROUPS.get(kind, ())
    own = [group for group in groups if re.search(group, qualifiers)]
    rivals = [group for group in groups if group not in own]
    return (("|".join(own), "|".join(rivals)),) if own and rivals else ()


_DESIGNATION = re.compile(
    r"(?<![\w-])(?:[A-Z][A-Za-z]{0,9}[\s~-]?\d[\w.+-]*|[A-Z]{2,5}(?![\w.]))(?:\s?[b-h](?![\w.]))?"
)
_PLANET = re.compile(r"\b[Pp]lanets? ([b-h])(?![\w])|(?<=\d)[\s~]?([b-h])(?![\w])")
_NO_OBJECT = re.compile(
    r"(?:SMBH|IMBH|BH|WD|DM|NFW|MW|SED|CMB|BAO|HST|JWST|ALMA|VLT|HMC|MCMC|SFR|AGN|BLR|JAM|ADAF|DR\d|FGLR|TRGB|SNe|SN|GW"
    r"|LAMOST|BHB|RRL|KG|TTV|RV|UV|IR|IMF|FWHM|CL|LCDM|CDM|M|MCP|EDE|DESI|ACT|SPT|FRB|VLA|NH|IH|CC)s?\d*"
)


def _names_sibling(target: Target, sentence: Sentence, place: int) -> bool:
    """Return whether the last name before a value is not that of the question: the LMC, not the Milky Way."""
    names = (*target.names, *target.wide_names)
    if not names:
        return False
    near = f"{sentence.label(place)[1]} {sentence.phrase(place)}"[-90:]
    others = [match for match in _DESIGNATION.finditer(near) if not _NO_OBJECT.fullmatch(match[0])]
    if not others or _is_symbol(near, others[-1]):
        return False
    return not any(re.search(name, near.lower()) for name in names) and _is_like(target, others[-1][0])


def _is_of_another_planet(target: Target, sentence: Sentence) -> bool:
    """Return whether a sentence is about other planets of the star than that of the question: "planet b",
    "TOI-2015b".
    """
    if target.planet is None:
        return False
    letters = {match[1] or match[2] for match in _PLANET.finditer(sentence.plain)}
    return bool(letters) and target.planet not in letters


def _is_symbol(near: str, match: re.Match[str]) -> bool:
    return near[match.end() :].lstrip()[:1] in {"=", "<", ">"}


def _is_like(target: Target, name: str) -> bool:
    """Return whether a name in a paper is of the same sort as the names in the question, and not an instrument."""
    has_digit = any(map(str.isdigit, name))
    return has_digit == any(map(str.isdigit, "".join(target.names))) or name in {"LMC", "SMC"}


def _quantity_name(target: Target, sentence: Sentence, place: int) -> str:
    symbol = sentence.symbol(place)
    if _matches(target.kind, symbol) and symbol is not None and len(symbol) <= 12:
        return symbol
    return target.kind.name


FOREIGN = 300.0
"""Factor by which a value may differ from the median of all, if the question names its object."""
FEWEST_FOR_FOREIGN = 4


def plausible(candidates: Sequence[Candidate], *, is_one_object: bool = False) -> tuple[Candidate, ...]:
    """Leave out values whose sentences do not name the quantity and that lie far from those that do; and, if all of
    them should belong to one object, those of another order of magnitude.

    If no sentence names the quantity for values of the same dimensions, a value stays only if its paper, whose title
    names the object, states no other that could be meant.
    """
    sure = [candidate for candidate in candidates if candidate.is_sure]
    middles = {
        dimensions: _middle([c.size for c in sure if c.dimensions == dimensions])
        for dimensions in {candidate.dimensions for candidate in sure}
    }
    near = tuple(
        candidate
        for candidate in candidates
        if candidate.is_sure
        or _is_near(candidate, middles.get(candidate.dimensions))
        or ((candidate.is_only or candidate.has_own_unit) and candidate.dimensions not in middles)
    )
    middle = _middle([candidate.size for candidate in near])
    if not is_one_object or middle is None or len(near) < FEWEST_FOR_FOREIGN:
        return near
    return tuple(c for c in near if c.size <= 0.0 or 1.0 / FOREIGN <= c.size / middle <= FOREIGN)


def _middle(sizes: Sequence[float]) -> float | None:
    logs = sorted(math.log(size) for size in sizes if size > 0.0)
    return math.exp(logs[len(logs) // 2]) if logs else None


def _is_near(candidate: Candidate, middle: float | None) -> bool:
    if middle is None or candidate.size <= 0.0:
        return False
    factor = PLAUSIBLE_WITH_OWN_UNIT if candidate.has_own_unit else PLAUSIBLE
    return 1.0 / factor <= candidate.size / middle <= factor
