"""How much of a sentence a source holds, word by word."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pathfinder.assessment.evidence.names import Name, names
from pathfinder.assessment.evidence.polarity import Polarity, polarity
from pathfinder.assessment.evidence.quantities import Quantity, quantities, readable
from pathfinder.assessment.evidence.spelt import counts_in_words, numbers_in_words
from pathfinder.corpus.language.inflection import base_form
from pathfinder.corpus.sentences import split_sentences
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.types import Source

LONGEST_WORD = 60
"""Letters of a word that has a plural or a past."""


@dataclass(frozen=True)
class Reading:
    """A sentence as the checker reads it."""

    text: str
    """Verbatim."""

    @cached_property
    def plain(self) -> str:
        """Without LaTeX."""
        return readable(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its words, the frequent ones of English left out."""
        return frozenset(stems([_base(word) for word in words(self.plain)], QUESTION_STOP_WORDS))

    @cached_property
    def topic(self) -> frozenset[str]:
        """Those of them that say what it is about: no numbers, and no words that say which way."""
        ways = stems([base_form(direction.written) for direction in self.polarity.directions], frozenset())
        return frozenset(stem for stem in self.stems.difference(ways) if not stem.isdigit())

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Names in it, in order."""
        return names(self.plain)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Numbers in it, less those that belong to names."""
        return quantities(self.plain, [(name.start, name.end) for name in self.names])

    @cached_property
    def spelt(self) -> tuple[Quantity, ...]:
        """Amounts in it that are said in words."""
        return counts_in_words(self.plain)

    @cached_property
    def polarity(self) -> Polarity:
        """What it denies, and which way it says that things go."""
        return polarity(self.plain)


@dataclass(frozen=True)
class ReadSource:
    """A source as the checker reads it."""

    source: Source
    byline: str = ""
    """Authors and year, where they are known."""

    @cached_property
    def sentences(self) -> tuple[Reading, ...]:
        """Its title, where it has one, then the sentences of its text."""
        title = [self.source.title.strip()] if self.source.title.strip() else []
        return tuple(Reading(text) for text in (*title, *split_sentences(self.source.text)))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of all its sentences."""
        return frozenset().union(*(sentence.stems for sentence in self.sentences))

    @cached_property
    def folded(self) -> str:
        """Everything in lower case, for finding names."""
        said = (f"{sentence.text} {sentence.plain}" for sentence in self.sentences)
        return " ".join([self.byline, *said]).lower()

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Every number in it, also those of names and those in words."""
        plain = [sentence.plain for sentence in (*self.sentences, Reading(self.byline))]
        return tuple(quantity for one in plain for quantity in (*quantities(one), *numbers_in_words(one)))


def _base(word: str) -> str:
    return base_form(word) if len(word) <= LONGEST_WORD else word


def share(claim: frozenset[str], held: frozenset[str]) -> float:
    """Share of the words of a claim that are among `held`; 0 for a claim without words."""
    return len(claim & held) / len(claim) if claim else 0.0


def support(claim: frozenset[str], sources: Sequence[ReadSource]) -> float:
    """How far `sources` together hold the stems of a claim, in [0, 1].

    The mean of two shares: of its words that occur anywhere in the sources, and of those that the best two
    neighbouring sentences of one source hold.
    """
    anywhere = share(claim, frozenset().union(*(source.stems for source in sources)))
    return (anywhere + max((_in_two_sentences(claim, source) for source in sources), default=0.0)) / 2


def _in_two_sentences(claim: frozenset[str], source: ReadSource) -> float:
    held = [sentence.stems for sentence in source.sentences]
    pairs = [one | other for one, other in zip(held, [*held[1:], frozenset()], strict=True)]
    return max((share(claim, pair) for pair in pairs), default=0.0)
