"""Sentences and sources as the checker parses them, and the share of words that they have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from pathfinder.assessment.evidence.names import ClaimName, names
from pathfinder.assessment.evidence.polarity import Polarity, polarity
from pathfinder.assessment.evidence.quantities import counts_in_words, numbers_in_digits, numbers_in_words, readable
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.text.inflection import base_form
from pathfinder.text.quantities.quantities import Quantity
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Source

LONGEST_WORD = 60
"""Number of letters above which a word is not reduced to its stem."""


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence as parsed by the checker."""

    text: str
    """The sentence, verbatim."""

    @cached_property
    def plain(self) -> str:
        """Text without LaTeX."""
        return readable(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words, without English stop words."""
        return frozenset(stems([_base(word) for word in words(self.plain)], QUESTION_STOP_WORDS))

    @cached_property
    def topic(self) -> frozenset[str]:
        """Stems that identify the topic, without numbers or direction words."""
        ways = stems([base_form(direction.text) for direction in self.polarity.directions], frozenset())
        return frozenset(stem for stem in self.stems.difference(ways) if not stem.isdigit())

    @cached_property
    def names(self) -> tuple[ClaimName, ...]:
        """Names in the sentence, in order."""
        return names(self.plain)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Numbers in the sentence, except those in names."""
        return numbers_in_digits(self.plain, [(name.start, name.end) for name in self.names])

    @cached_property
    def amounts_in_words(self) -> tuple[Quantity, ...]:
        """Amounts spelled out in words."""
        return counts_in_words(self.plain)

    @cached_property
    def polarity(self) -> Polarity:
        """Denials and directions in the sentence."""
        return polarity(self.plain)


@dataclass(frozen=True)
class ParsedSource:
    """A source as parsed by the checker."""

    source: Source
    byline: str = ""
    """Authors and year, if known."""

    @cached_property
    def sentences(self) -> tuple[ParsedSentence, ...]:
        """The title, if there is one, followed by the sentences of the text."""
        title = [self.source.title.strip()] if self.source.title.strip() else []
        return tuple(ParsedSentence(text) for text in (*title, *split_sentences(self.source.text)))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all sentences."""
        return frozenset().union(*(sentence.stems for sentence in self.sentences))

    @cached_property
    def pairs(self) -> tuple[frozenset[str], ...]:
        """Stems of each sentence together with the next one, each set once."""
        own = [sentence.stems for sentence in self.sentences]
        return tuple(dict.fromkeys(map(frozenset.union, own, [*own[1:], frozenset()])))

    @cached_property
    def lowercase_text(self) -> str:
        """The whole text in lower case, for finding names."""
        texts = (f"{sentence.text} {sentence.plain}" for sentence in self.sentences)
        return " ".join([self.byline, *texts]).lower()

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """All numbers, including those in names and those written in words."""
        plain = [sentence.plain for sentence in (*self.sentences, ParsedSentence(self.byline))]
        return tuple(quantity for text in plain for quantity in (*numbers_in_digits(text), *numbers_in_words(text)))


def _base(word: str) -> str:
    return base_form(word) if len(word) <= LONGEST_WORD else word


def share(claim: frozenset[str], others: frozenset[str]) -> float:
    """Return the share of a claim's words that are among `others`; 0 for a claim without words."""
    return len(claim & others) / len(claim) if claim else 0.0


def support(claim: frozenset[str], sources: Sequence[ParsedSource]) -> float:
    """Return how well `sources` together cover the stems of a claim, in [0, 1].

    This is the mean of two shares of the claim's words: those that occur anywhere in the sources, and those that occur
    in the best pair of neighbouring sentences in one source.
    """
    anywhere = share(claim, claim.intersection(chain.from_iterable(claim & source.stems for source in sources)))
    return (anywhere + max((share(claim, pair) for source in sources for pair in source.pairs), default=0.0)) / 2
