"""Tensions among papers: findings that disagree, and what later papers say about each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from pathfinder.addons.tensions.outcome import MAX_COMPARED, LaterSentence, Tension, TensionKind, Tensions, TensionSide
from pathfinder.answering.assessment.evidence.parsed_sentences import ParsedSentence, names
from pathfinder.answering.assessment.evidence.polarity import denial_conflict, direction_conflict
from pathfinder.answering.assessment.values.belonging import modifiers, owner_of
from pathfinder.answering.assessment.values.candidate import LEAST_SIGMA, MOST_SIGMA, sigma_between
from pathfinder.answering.assessment.values.kinds import QuantityKind, field_kinds
from pathfinder.answering.assessment.values.measured_sentence import NEAR, MeasuredSentence, aside, is_quoted
from pathfinder.errors import UsageError
from pathfinder.profile import Profile
from pathfinder.retrieval.weighting import weigh
from pathfinder.text.quantities.written_numbers import with_decimal_points
from pathfinder.text.sentences import sentence_spans, split_sentences
from pathfinder.types import Paper, SearchResult, StatedValue

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

MOST_LATER = 2
"""Maximum number of sentences from later papers that are quoted for a tension."""
LEAST_OF_SUBJECT = 0.5
"""Minimum share of a subject's words that a sentence from a later paper must contain to be about it."""
_WEIGHS = re.compile(
    r"\b(?:tensions?|discrepan\w+|disagree\w*|conflict\w*|inconsisten\w+|reconcil\w+|resolv\w+|contradict\w*|"
    r"controvers\w+|debate\w*|at odds|in contrast to|agree\w*|consistent with)\b",
    re.IGNORECASE,
)
"""Words that show that a sentence weighs findings against each other."""
_HOW = re.compile(
    r"\b(?:using|use|used|based on|by means of|with (?:the|a|an|new)|from (?:the|new)|analy[sz]\w+|observ\w+|data|"
    r"simulat\w+|model\w*|sample|method)\b",
    re.IGNORECASE,
)
"""Words that show that a sentence says how something was found."""


def tensions_of(pf: "Pathfinder", result: SearchResult, n_papers: int = 30) -> Tensions:
    """Find pairs of papers that disagree on a value or a statement, and what later papers say about the disagreement.
    The pairs are sought among the best `n_papers` matches of `result`, listed or not.

    Values disagree if they are 3 to 10 standard deviations apart in the same unit. No chat model is used.
    Raises `UsageError` unless `n_papers` is 2 to `MAX_COMPARED`.
    """
    if not 2 <= n_papers <= MAX_COMPARED:
        raise UsageError(f"{n_papers} papers cannot be compared with each other: choose 2 to {MAX_COMPARED}")
    papers = [hit.paper for hit in weigh(result.candidates, result.request.weighting, n_papers)]
    return find_tensions(result.question, papers, result.candidates.papers, pf.profile)


def find_tensions(
    question: str, papers: Sequence[Paper], further: Sequence[Paper] = (), profile: Profile | None = None
) -> Tensions:
    """Find the pairs of `papers` that disagree on a value or a statement, and quote what later papers say about it.

    Args:
        question: question that found the papers.
        papers: papers to compare, each with every other.
        further: other papers that may be quoted as later ones.
        profile: profile of the field, by default astronomy, which names its quantities.
    """
    values = [value for paper in papers for value in owned_values(paper, profile)]
    statements = [statement for paper in papers for statement in statements_of(paper)]
    apart, n_pairs, n_too_far = value_tensions(values)
    by_values = sorted(apart, key=lambda tension: -(tension.sigma or 0.0))
    pairs = {_pair(tension) for tension in by_values}
    by_statements = [tension for tension in statement_tensions(statements) if _pair(tension) not in pairs]
    papers_by_id = {paper.paper_id: paper for paper in (*papers, *further)}
    return Tensions(
        question,
        len(papers),
        len(values),
        tuple(_with_context(tension, list(papers_by_id.values())) for tension in (*by_values, *by_statements)),
        n_value_pairs=n_pairs,
        n_too_far=n_too_far,
    )


def _pair(tension: Tension) -> frozenset[str]:
    return frozenset(side.paper.paper_id for side in tension.sides)


def _with_context(tension: Tension, papers: Sequence[Paper]) -> Tension:
    earlier, later = tension.sides
    return replace(tension, sides=(_with_method(earlier), _with_method(later)), later=_later(tension, papers))


def _with_method(side: TensionSide) -> TensionSide:
    """Add the sentence that says how a finding was made: the finding's own, or else the nearest one before it that does
    so.
    """
    sentences = split_sentences(side.paper.abstract)
    if side.quotation not in sentences:
        return side
    place = sentences.index(side.quotation)
    method = next((sentence for sentence in sentences[place::-1] if _HOW.search(sentence)), None)
    return replace(side, method=method)


def _later(tension: Tension, papers: Sequence[Paper]) -> tuple[LaterSentence, ...]:
    """Quote sentences that weigh findings on the subject, from papers later than both sides; the newest come first."""
    years = [side.paper.known_year for side in tension.sides]
    if None in years:
        return ()
    newest = max(year for year in years if year is not None)
    subject = ParsedSentence(tension.subject).stems
    later = [paper for paper in papers if (paper.known_year or 0) > newest]
    sentences = (
        LaterSentence(paper, sentence)
        for paper in sorted(later, key=lambda paper: -(paper.known_year or 0))
        for sentence in split_sentences(paper.abstract)
        if _WEIGHS.search(sentence) and len(subject & ParsedSentence(sentence).stems) >= LEAST_OF_SUBJECT * len(subject)
    )
    return tuple(sentence for sentence, _ in zip(sentences, range(MOST_LATER), strict=False))


# Statements from two papers, one of which denies what the other says, or says the opposite.

FEWEST_WORDS = 4
"""Minimum number of content words that both statements must share."""
LEAST_SHARED = 0.5
"""Minimum share of each statement's content words that the other must also contain."""
MOST_NAMED = 5
LEAST_DENIED = 0.65
"""Minimum share of the words common to both statements that a denial must cover; a denial that covers less concerns
something else.
"""
ALMOST_SAME = 0.8
"""Share of each statement's words that the other contains, above which both concern the same thing, however far a
denial reaches.
"""
_NO_FINDING = re.compile(
    r"\b(?:unclear|unknown|(?:poorly|not (?:yet |well |fully )*) ?(?:understood|known|constrained)|(?:im|not )possible|"
    r"debated?|open question|whether|remains? to be|difficult|challenging|"
    r"we (?:study|explore|investigate|examine|consider|discuss|aim))\b",
    re.IGNORECASE,
)
"""Words that show that a sentence expresses a doubt, or says what is studied rather than what was found."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence in an abstract."""

    paper: Paper
    reading: ParsedSentence


def statements_of(paper: Paper) -> tuple[Statement, ...]:
    """Return the sentences in a paper that may state a finding and have enough content words to be compared."""
    sentences = (sentence for sentence in split_sentences(paper.abstract) if not _NO_FINDING.search(sentence))
    readings = map(ParsedSentence, sentences)
    return tuple(Statement(paper, reading) for reading in readings if len(reading.topic) >= FEWEST_WORDS)


def statement_tensions(statements: Sequence[Statement]) -> Iterator[Tension]:
    """Yield the pairs of statements from different papers that share a subject but say opposite things about it; for
    any two papers, only the pair that shares the most words.
    """
    best: dict[tuple[str, str], tuple[float, Tension]] = {}
    for first, second in combinations(sorted(statements, key=lambda each: each.paper.year or 0), 2):
        if first.paper.paper_id == second.paper.paper_id:
            continue
        shared_stems = first.reading.topic & second.reading.topic
        least = len(shared_stems) / max(len(first.reading.topic), len(second.reading.topic))
        if len(shared_stems) < FEWEST_WORDS or least < LEAST_SHARED:
            continue
        if reason := _conflict(first.reading, second.reading, shared_stems, least):
            lower_id, upper_id = sorted((first.paper.paper_id, second.paper.paper_id))
            if least > best.get((lower_id, upper_id), (0.0, None))[0]:
                best[lower_id, upper_id] = least, _tension(first, second, shared_stems, reason)
    yield from (tension for _, tension in sorted(best.values(), key=lambda entry: -entry[0]))


def _conflict(first: ParsedSentence, second: ParsedSentence, shared_stems: frozenset[str], share: float) -> str | None:
    """Describe how two statements conflict: two words in them have opposite directions, or one denies what the other
    asserts; `None` if they do not. `share` is the fraction of each statement's words that are `shared_stems`.
    """
    if conflict := direction_conflict(first.polarity, second.polarity):
        return conflict.replace("in the text", "in one").replace("in the source", "in the other")
    denied_stems = first.polarity.denied_stems | second.polarity.denied_stems
    is_denied = share >= ALMOST_SAME or len(denied_stems & shared_stems) >= LEAST_DENIED * len(shared_stems)
    if is_denied and denial_conflict(first.polarity, second.polarity):
        return "one denies what the other asserts"
    return None


def _tension(first: Statement, second: Statement, shared_stems: frozenset[str], reason: str) -> Tension:
    words = (word.strip(".,;:()").lower() for word in first.reading.plain.split())
    shared = [word for word in words if ParsedSentence(word).topic & shared_stems and not _NO_SUBJECT.fullmatch(word)]
    subject = ", ".join(list(dict.fromkeys(shared))[:MOST_NAMED])  # words of two sentences make no sentence
    sides = TensionSide(first.paper, first.reading.text), TensionSide(second.paper, second.reading.text)
    return Tension(TensionKind.STATEMENTS, subject, sides, reason)


# Values of one quantity that are more than 3 standard deviations apart.

CHANGING = frozenset(("luminosity", "magnitude", "flux", "rate", "speed", "duration", "height", "optical depth"))
"""Kinds of quantities that differ with time, wavelength or part of an object, so that two values may both be right."""
_EXPRESSION = re.compile(r"[=≡]\s*(?:(?!\band\b|\b[a-z]{3,} [a-z]{2})[^=≡,;±])*$")
"""The beginning of an expression that contains the name of a quantity: "S_8 ≡ σ_8 (Ω_m / 0.3)^0.5"; two words in a row
end it.
"""
_OPINIONS = frozenset(
    "low lower high higher large larger small smaller new updated robust precise accurate improved best consistent "
    "estimated measured derived inferred determined".split()
)
"""Words before the name of a quantity that judge its value, or say that it was measured, but do not narrow it."""
_NO_SUBJECT = re.compile(rf".*/.*|values?|{'|'.join(sorted(_OPINIONS))}")
"""Units, and words that say nothing about the subject of a statement."""
_CONDITION = re.compile(
    r"\b(?:if|assuming|assumed|adopting|fixing|mock|simulat\w+|forecast\w*|for a (?:fiducial|flat)|"
    r"predict\w*|expected)\b",
    re.IGNORECASE,
)
"""Words before a value that show that it is not a measurement."""
_ERROR_OF_EXPONENT = re.compile(r"10\s*\^\s*\{[^{}]*\^\s*\{")
"""An error of an exponent, as in "$10^{5.8^{+0.2}_{-0.4}}$", which is mistaken for an error of the value."""
_SEPARATOR = re.compile(r"[\s_-]")
_DESIGNATION = re.compile(r"[A-Za-z]+[\s_-]?\d")
_NO_OBJECT = re.compile(r"\bE?DR[- ]?\d|\b(?:Release|Cycle|Run)[- ]?\d|^O\d|^\d+σ|^z\b|^[cdk]?m\d$", re.IGNORECASE)
"""Names that stand for data or a unit rather than for a thing that has a mass or a distance."""


@dataclass(frozen=True, slots=True)
class OwnedValue:
    """A measured value, with what it belongs to."""

    paper: Paper
    kind: QuantityKind
    stated_value: StatedValue
    sentence: str
    objects: frozenset[str]
    """Names of the objects to which it may belong, in lower case without spaces."""
    qualifiers: frozenset[str]
    """Words before the name of the quantity that narrow it: "stellar" in "stellar mass"."""


def owned_values(paper: Paper, profile: Profile | None = None) -> Iterator[OwnedValue]:
    """Yield the values with an uncertainty that a paper states as measurements of a known quantity."""
    kinds = field_kinds(profile)
    text = with_decimal_points(paper.abstract)
    for start, end in sentence_spans(paper.abstract):
        words = text[start:end]
        if not any(map(str.isdigit, words)) or _ERROR_OF_EXPONENT.search(words):
            continue
        sentence = MeasuredSentence(words, start, kinds)
        for place, measurement in enumerate(sentence.measurements):
            kind, _, distance = sentence.label(place)
            has_error = measurement.plus and measurement.minus and measurement.limit is None
            if kind is None or not has_error or distance > NEAR or kind.name in CHANGING:
                continue
            if (measurement.unit.dimensions if measurement.unit else ()) not in kind.dimensions:
                continue
            if (
                aside(kind.name, sentence, place) is not None
                or sentence.is_count(place)
                or _CONDITION.search(sentence.plain[: measurement.end])
                or not _is_own(sentence, place)
            ):
                continue
            stated_value = sentence.as_value(place, paper.paper_id, kind.name, measurement.written_unit)
            yield OwnedValue(
                paper,
                kind,
                stated_value,
                paper.abstract[start:end],
                _objects(sentence, place, paper.title),
                frozenset(re.findall(r"[a-z]{3,}", modifiers(sentence, place).lower())) - _OPINIONS,
            )


def value_tensions(values: Sequence[OwnedValue]) -> tuple[tuple[Tension, ...], int, int]:
    """Return, for any two papers that state the same quantity of the same object, the two closest values, one from each
    paper, if even these are more than `LEAST_SIGMA` apart: papers that also state values in agreement do not disagree.
    Also return the number of such pairs of papers, and of those that are left out because they are more than
    `MOST_SIGMA` apart.
    """
    closest: dict[tuple[str, str, str], tuple[float, OwnedValue, OwnedValue]] = {}
    for first, second in combinations(values, 2):
        if first.paper.paper_id == second.paper.paper_id or not _are_of_one_thing(first, second):
            continue
        sigma = sigma_between(first.stated_value, second.stated_value)
        lower_id, upper_id = sorted((first.paper.paper_id, second.paper.paper_id))
        key = first.kind.name, lower_id, upper_id
        if sigma is not None and (key not in closest or sigma < closest[key][0]):
            closest[key] = sigma, first, second
    near = [pair for pair in closest.values() if pair[0] <= MOST_SIGMA]
    tensions = (_tension_of_values(first, second, sigma) for sigma, first, second in near if sigma > LEAST_SIGMA)
    return tuple(tensions), len(closest), len(closest) - len(near)


def _are_of_one_thing(first: OwnedValue, second: OwnedValue) -> bool:
    if first.kind.name != second.kind.name:
        return False
    if first.kind.is_universal:
        return True
    return bool(first.objects & second.objects) and first.qualifiers == second.qualifiers


def _objects(sentence: MeasuredSentence, place: int, title: str) -> frozenset[str]:
    """Return the names of the things that a value may belong to: those of its owner, or else the designations in its
    sentence and in the title. The "SBF" of "the SBF distance" narrows the quantity, and is not a thing.
    """
    owner, narrowing = owner_of(sentence, place), modifiers(sentence, place)
    owner_names = [name.text for name in names(f", {owner.words}")] if owner else []
    designations = [name.text for name in names(f"{sentence.plain} {title}") if name.is_designation]
    objects = [name for name in owner_names if not _NO_OBJECT.search(name) and name not in narrowing] or designations
    return frozenset(key for name in objects if not _NO_OBJECT.search(name) for key in _keys(name))


def _keys(name: str) -> Iterator[str]:
    """Yield a name in the form in which names are compared, and any ending of it that is a designation in itself:
    "galaxy M81" is also M81, and "SPT-CL J0356" is also J0356.
    """
    yield _SEPARATOR.sub("", name.lower())
    for separator in _SEPARATOR.finditer(name):
        end = name[separator.end() :]
        if _DESIGNATION.match(end):
            yield _SEPARATOR.sub("", end.lower())


def _tension_of_values(first: OwnedValue, second: OwnedValue, sigma: float) -> Tension:
    sides = sorted((first, second), key=lambda each: each.paper.year or 0)
    objects = first.objects & second.objects
    subject = first.kind.name if first.kind.is_universal else f"{first.kind.name} of {_as_written(first, objects)}"
    return Tension(
        TensionKind.VALUES,
        subject,
        (_side(sides[0]), _side(sides[1])),
        f"{sigma:.1f} sigma apart",
        sigma,
    )


def _as_written(value: OwnedValue, objects: frozenset[str]) -> str:
    """Return the first of the shared names as the paper writes it."""
    for name in names(f", {value.sentence} {value.paper.title}"):
        if not objects.isdisjoint(_keys(name.text)):
            return name.text
    return min(objects)


def _side(value: OwnedValue) -> TensionSide:
    return TensionSide(value.paper, value.sentence, value.stated_value)


def _is_own(sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a measurement is one of the paper's own, and a value of the quantity that is named next to it."""
    measurement, span = sentence.measurements[place], sentence.label_span(place)
    if span is None or span[0] > measurement.end:
        return not is_quoted(sentence, place)
    between = sentence.plain[span[1] : measurement.start]
    if "=" in between and _EXPRESSION.search(sentence.before(place)[: span[0] - measurement.start]):
        return False
    symbol, (kind, _, _) = sentence.symbol(place), sentence.label(place)
    if "," in between and symbol is not None and kind is not None and symbol[0].lower() != kind.name[0].lower():
        return False  # "the matter density, S_8 = 0.8", but not "the period, P = 2 d"
    return not is_quoted(sentence, place)
