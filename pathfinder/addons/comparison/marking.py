"""Marks for the criteria that a paper meets or fails, each with the sentence that shows it, without a chat model."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from math import inf
from typing import Any

import numpy as np

from pathfinder.addons.comparison.criteria import Bounds, Criterion, kinds_of_work
from pathfinder.addons.comparison.outcome import ComparisonCell, Mark
from pathfinder.answering.assessment.values.measured_sentence import MeasuredSentence, aside
from pathfinder.answering.assessment.values.stated_values import Naming, fitting_unit, naming_of
from pathfinder.answering.assessment.values.target import QuantityTarget
from pathfinder.answering.digest.cues import BACKGROUND, METHOD, OUTLOOK, RESULT
from pathfinder.index.words import QUESTION_STOP_WORDS, content_stems, stems, words
from pathfinder.models.ports import TokenEmbedder, TokenVectors, Vectors
from pathfinder.text.author_names import YEARS_WITHOUT_UNIT
from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.quantities.quantities import quantities
from pathfinder.text.quantities.written_numbers import LOWER, UPPER, Quantity
from pathfinder.text.sentences import sentence_spans, split_sentences
from pathfinder.types import Floats, FullTextPassage, Paper, SectionKind

# A paper's title and the sentences of its abstract.

_OWN = re.compile(r"\b(?:we|our|this (?:paper|work|study|letter|article)|here)\b", re.IGNORECASE)
_WE_DO = re.compile(
    r"\bwe (?:\w+ly |also |further |then |first |next |have )?"
    r"(?:analy[sz]ed?|appl(?:y|ied)|carr(?:y|ied) out|combined?|conduct(?:ed)?|constrain|construct(?:ed)?|"
    r"detect(?:ed)?|develop(?:ed)?|employ(?:ed)?|explored?|identif(?:y|ied)|introduce|investigated?|measured?|model|"
    r"observed?|obtain(?:ed)?|perform(?:ed)?|present|report|r[ua]n|search|simulate|stud(?:y|ied)|train(?:ed)?|used?|"
    r"utili[sz]ed?)\b",
    re.IGNORECASE,
)
_WITH = re.compile(r"\b(?:based on|by means of|using|via)\b", re.IGNORECASE)
_WORDS_BEHIND = 12
"""Number of words behind these that tell what authors do, or with what."""
_COMPOUND_NAME = re.compile(r"\b(?:[A-Z][a-z]\w+ )?[A-Z][a-z]\w+(?:-[A-Z][a-z]\w+)+")
"""A name such as "Gaia-Enceladus", which is not about Gaia."""
_NOT_SAID = re.compile(
    r"\b(?:no|nor|not|never|without|instead of|rather than|unlike|rul(?:e[sd]?|ing) out|independent of|"
    r"compar(?:e[sd]?|ing|isons?) (?:\w+ )?(?:to|with)|in contrast (?:to|with)|beyond)\b[^,;:]*",
    re.IGNORECASE,
)
"""What authors deny, or set their work against: "without using simulations"."""
_OTHERS = re.compile(
    r"\bet al\b|\b(?:previous|earlier|prior|past|recent) (?:\w+ )?(?:work|stud|paper|analys|result)", re.IGNORECASE
)
"""What a sentence on others' work says."""
_NOT_OWN = (SectionKind.INTRODUCTION, SectionKind.DISCUSSION, SectionKind.APPENDIX)
"""Sections of a full text that are not read, for they tell what others do."""


@dataclass(frozen=True)
class ReadSentence:
    """A title, or a sentence of an abstract or full text."""

    text: str
    is_title: bool
    is_early: bool
    """True in the first half of the abstract, where what others found is told."""
    place: str = ""
    """Section and page in the full text; empty for title and abstract."""
    is_closest: bool = False
    """True if it shows nothing, but is the closest to what is left out of those on what the authors do."""

    @cached_property
    def plain(self) -> str:
        """The sentence without LaTeX."""
        return plain_text(self.text)

    @cached_property
    def said(self) -> str:
        """The sentence without what it denies, and without names that hold others, as "Gaia-Enceladus" does."""
        return _NOT_SAID.sub("", _COMPOUND_NAME.sub("", self.plain))

    @cached_property
    def stems(self) -> frozenset[str]:
        return content_stems(self.plain)

    @cached_property
    def is_own(self) -> bool:
        """True if it tells what the authors did or found."""
        return self.is_title or any(cue.search(self.plain) for cue in (METHOD, RESULT, _OWN))

    @cached_property
    def done(self) -> tuple[str, ...]:
        """Words for what the authors say that they do or use: those behind "we ...", and all of a title."""
        return (self.said,) if self.is_title else self._behind(_WE_DO)

    @cached_property
    def used(self) -> tuple[str, ...]:
        """Words behind "using ...", and all of a sentence on what the authors did or found; empty for others' work, and
        for a full text, which tells what others use too.
        """
        if self.is_title or self.place or _OTHERS.search(self.plain):
            return ()
        return (self.said,) if self.is_own else self._behind(_WITH)

    def _behind(self, verbs: re.Pattern[str]) -> tuple[str, ...]:
        return tuple(
            " ".join((match[0], *self.said[match.end() :].split()[:_WORDS_BEHIND]))
            for match in verbs.finditer(self.said)
        )

    @cached_property
    def is_aside(self) -> bool:
        """True if it tells what was known before, or what may come."""
        cue = (self.is_early and BACKGROUND.search(self.plain)) or OUTLOOK.search(self.plain)
        return not self.is_own and bool(cue)


class PaperReader:
    """A paper as criteria see it: `sentences` are its title and those of its abstract."""

    def __init__(
        self, paper: Paper, passages: Sequence[FullTextPassage] = (), embedder: TokenEmbedder | None = None
    ) -> None:
        """Read a paper; `passages` are those of its full text, if there is one. Without the local embedder, words are
        not compared by meaning.
        """
        self._passages = passages
        self._embedder: Any = embedder  # the key of a cache, which not every embedder could be
        spans = sentence_spans(paper.abstract)
        own = [
            ReadSentence(paper.abstract[start:end], False, 2 * n < len(spans)) for n, (start, end) in enumerate(spans)
        ]
        self.sentences = (ReadSentence(paper.title, True, True), *own)

    @cached_property
    def in_order(self) -> tuple[ReadSentence, ...]:
        """The sentences of the abstract, the title, and those of the full text but for sections on what others do."""
        title, *own = self.sentences
        full_text = (
            ReadSentence(sentence, False, False, passage.address)
            for passage in self._passages
            if passage.kind not in _NOT_OWN
            for sentence in split_sentences(passage.text)
        )
        return (*own, title, *full_text)

    @cached_property
    def _vectors(self) -> list[Vectors]:
        """Unit vectors of the words of each of the sentences."""
        texts = tuple(sentence.said for sentence in self.sentences)
        return [_unit(tokens.vectors) for tokens in _embedded(self._embedder, texts)] if self._embedder else []

    def closeness(self, phrase: str) -> Floats:
        """Compare each word of a phrase with the word closest in meaning in each of the sentences: cosines, shape
        (sentences, words). There are none without an embedder.
        """
        if self._embedder is None:
            return np.empty((0, 1))
        (tokens,) = _embedded(self._embedder, (phrase,))
        is_word = [bool(content_stems(phrase[start:end])) for start, end in tokens.spans]
        asked = _unit(tokens.vectors[is_word] if any(is_word) else tokens.vectors)
        return np.array([(asked @ own.T).max(axis=1) for own in self._vectors], dtype=np.float64)


@lru_cache(maxsize=128)  # about 60 MB: a reader who edits one criterion does not wait for all papers again
def _embedded(embedder: TokenEmbedder, texts: tuple[str, ...]) -> tuple[TokenVectors, ...]:
    return tuple(embedder.embed_tokens(texts))


def _unit(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


Shown = tuple[bool | None, ReadSentence | None]
"""Whether something holds, and the sentence that shows it; (`None`, `None`) if no sentence does."""
_NOT_SHOWN: Shown = (None, None)


def criterion_cell(criterion: Criterion, reader: PaperReader) -> ComparisonCell:
    """Mark whether a paper meets a criterion; "unknown" unless a sentence of its title, abstract or full text shows."""
    if criterion.bounds is not None:
        holds, shown = by_number(criterion.bounds, reader)
        holds = holds and not criterion.is_exclusion
    else:
        holds, shown = (by_exclusion if criterion.is_exclusion else by_words)(criterion, reader)
    mark = Mark.UNKNOWN if holds is None else Mark.YES if holds else Mark.NO
    if shown is None:
        return ComparisonCell(mark, "", mark=mark)
    return ComparisonCell(mark, shown.text, place=shown.place, mark=mark, is_inferred=shown.is_closest)


# Numbers: values of a quantity, and counts of things, that a paper states as its own.


def by_number(bounds: Bounds, reader: PaperReader) -> Shown:
    """Return whether all values that the paper states are within the bounds; for things that are counted, whether the
    largest number of them is. Values beyond them do not show that it fails: they may be those of something else.
    """
    stated = list(_counts(bounds, reader) if bounds.target is None else _values(bounds, bounds.target, reader))
    if bounds.target is None:
        stated = sorted(stated, key=lambda each: -each[2])[:1]
    return stated[0][:2] if {mark for mark, _, _ in stated} == {True} else _NOT_SHOWN


_Stated = tuple[bool | None, ReadSentence, float]


def _values(bounds: Bounds, target: QuantityTarget, reader: PaperReader) -> Iterator[_Stated]:
    kind, title = target.kind, reader.sentences[0]
    for sentence in reader.sentences:
        if sentence.is_aside or not target.nouns <= title.stems | sentence.stems:
            continue
        measured = MeasuredSentence(sentence.text, 0, target.kinds)
        for place, number in enumerate(measured.measurements):
            fitting = None if measured.is_count(place) else fitting_unit(kind, number, measured, place)
            if fitting is None or naming_of(target, measured, place) is not Naming.NAMED:
                continue
            if not aside(kind.name, measured, place):
                size = fitting.size(number.value)
                low, high = -inf if number.limit == UPPER else size, inf if number.limit == LOWER else size
                yield bounds.holds(low, high), sentence, size


_BEHIND = re.compile(
    r"(?:[\s~-]+(?!(?:of|and|or|in|with|to|from|at|for|by|on|that|which|are|were|is)\b)[^\W\d][\w'’-]*){1,6}"
)
_PLURAL = re.compile(r"(?:[^su]s|ei|ae)$", re.IGNORECASE)
_NAMED = re.compile(r"(?<=\s)[A-Z][\w/]*\s$|\d[-–]$")
"""Beginning of a name or a range before a number: "Abell 3408", "4-10"."""


def _counts(bounds: Bounds, reader: PaperReader) -> Iterator[_Stated]:
    for sentence in reader.sentences:
        for number in () if sentence.is_aside else quantities(sentence.plain):
            behind = _BEHIND.match(sentence.plain, number.number_end)
            if behind is None or not _is_count(number, sentence.plain):
                continue
            nouns = " ".join(filter(_PLURAL.search, re.findall(r"[^\W\d][\w'’]*", behind[0])))
            if content_stems(nouns) & bounds.counted:
                low = number.value if number.bound >= 0 else 0.0
                yield bounds.holds(low, inf if number.bound > 0 else number.value), sentence, number.value


def _is_count(number: Quantity, plain: str) -> bool:
    is_other = number.is_part or number.is_hint or number.is_loose or number.is_error
    is_name = number.value in YEARS_WITHOUT_UNIT or _NAMED.search(plain[: number.start]) is not None
    return number.unit is None and not is_other and not is_name


# Words: whether a paper is about a thing, uses a method, or is work of a kind.

OTHER = 0.42
"""Mean cosine, by MiniLM, of the words of what is left out with the closest ones of a sentence: if it is lower in every
sentence, none is about it. Chosen on 111 questions (benchmarks/CRITERIA.md).
"""
_MENTIONS = 2
"""Number of sentences that must name what was to be left out before it fails a paper, or a thing before it is met, if
none of them tells what the authors do or use.
"""
_ROOM = 6
"""Number of other words that may stand among those of a criterion: "the pattern speed of the bar"."""


def _names(criterion: Criterion, text: str, room: int = 0) -> bool:
    """Return whether a text tells the kind of work, or has the words of a form of the criterion, in any order, with at
    most `room` others among them. What is an acronym in the criterion must be one in the text ("FAST", not "fast").
    """
    if criterion.kind is not None:
        return criterion.kind.told.search(text) is not None
    ordered = stems(words(text), QUESTION_STOP_WORDS)
    return any(
        form <= {*ordered[start : start + len(form) + room]}
        for form, acronyms in criterion.forms
        if all(acronym in text for acronym in acronyms)
        for start in range(len(ordered) - len(form) + 1)
    )


def by_words(criterion: Criterion, reader: PaperReader) -> Shown:
    """Return whether the paper is about what the words of a criterion name, or uses it: whether its title names it, a
    sentence of its abstract on what its authors did or found, two others of it, or, in the full text, one in which they
    say what they do. That a paper says nothing of it does not show that it is not.
    """
    said = ((each, text) for each in reader.in_order for text in (*each.done, *each.used))
    if shown := next((each for each, text in said if _names(criterion, text, _ROOM)), None):
        return True, shown
    named = [each for each in reader.sentences if criterion.kind is None and _names(criterion, each.said, _ROOM)]
    return (True, named[-1]) if len(named) >= _MENTIONS else _NOT_SHOWN


def by_exclusion(criterion: Criterion, reader: PaperReader) -> Shown:
    """Return whether the paper is free of what a criterion leaves out: not if it names that more than once, in its
    title or where the authors say what they do. It is if they say that they do work of another kind, and no word hints
    at the one left out; or if they say what they do, and no sentence comes close to it in meaning.
    """
    if criterion.phrase.lower().startswith(("other ", "only ")):  # than what is searched for, which has the same name
        return _NOT_SHOWN
    n_mentions = len(list(islice((each for each in reader.in_order if _names(criterion, each.plain)), _MENTIONS)))
    if used := next((each for each in reader.in_order if any(_names(criterion, done) for done in each.done)), None):
        return (False, used) if n_mentions == _MENTIONS else _NOT_SHOWN
    kinds = kinds_of_work()
    kind = next((each for each in kinds.values() if each.named.fullmatch(criterion.phrase.split()[-1])), criterion.kind)
    if n_mentions or (kind and any(kind.hinted.search(each.plain) for each in reader.sentences)):
        return _NOT_SHOWN
    others = [kinds[name].hinted for name in kind.opposites] if kind else []
    said = [(each, done) for each in reader.sentences[1:] for done in each.done]
    other = next(((True, each) for each, done in said if any(words.search(done) for words in others)), _NOT_SHOWN)
    is_seldom_named = any(not each.is_named and each.named.search(criterion.phrase) for each in kinds.values())
    return other if other[0] or is_seldom_named else _by_distance(criterion, reader)


def _by_distance(criterion: Criterion, reader: PaperReader) -> Shown:
    """Return, if no sentence comes close to what is left out, the one of those on what the authors do that is closest:
    it states the alternative.
    """
    closest = np.max([reader.closeness(each).mean(axis=1) for each in criterion.wordings], axis=0)
    done = [(closest[place], place) for place in range(1, len(closest)) if reader.sentences[place].done]
    if not done or closest.max() >= OTHER:
        return _NOT_SHOWN
    return True, replace(reader.sentences[max(done)[1]], is_closest=True)
