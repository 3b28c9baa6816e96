"""A text split into words, with their parts of speech, its sentences and its noun phrases."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from pathfinder.text.language.noun_phrases import NO_TERMS, FieldTerms, noun_phrases, noun_runs
from pathfinder.text.language.tokeniser import Token, tokenise
from pathfinder.text.latex.search_text import subscripts_written_on
from pathfinder.text.spelling import without_possessive

Span = tuple[int, int]
"""Index of the first word and end (exclusive) of a run of words."""


class Tagger(Protocol):
    """Assigns a part of speech to each word in a text."""

    @property
    def name(self) -> str:
        """Name of the tagger, for a manifest or a badge."""

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the Penn Treebank tag of each word in each sentence."""


@dataclass(frozen=True, slots=True)
class TaggedText:
    """Words, tags, sentences and noun phrases of the text `plain`."""

    plain: str
    words: tuple[str, ...]
    tokens: tuple[Token, ...]
    tags: tuple[str, ...]
    """Penn Treebank tags, one per token."""
    sentences: tuple[Span, ...]
    noun_runs: tuple[Span, ...]
    """Runs of nouns and their modifiers, in text order."""
    terms: FieldTerms = NO_TERMS
    """Terms of the field of the text."""

    def noun_phrases(self) -> tuple[Span, ...]:
        """Return the noun phrases inside the noun runs, in text order."""
        return tuple(phrase for run in self.noun_runs for phrase in self.phrases_between(*run))

    def phrases_between(self, start: int, end: int) -> Iterator[Span]:
        """Yield the noun phrases in a part of a noun run, from its first word `start` to its `end` (exclusive)."""
        return noun_phrases(start, end, self.words, self.tags, self.terms)

    def text_of(self, span: Span) -> str:
        """Return the words of `span` spelled as a keyword: "Jupiter's" as "Jupiter", "H_0" as "H0"."""
        start, end = span
        text = self.plain[self.tokens[start].start : self.tokens[end - 1].end]
        return without_possessive(subscripts_written_on(text))


def tag_text(plain: str, tagger: Tagger, terms: FieldTerms = NO_TERMS) -> TaggedText:
    """Tokenise and tag `plain`, which must not contain LaTeX. `terms` are those of its field."""
    sentences = list(tokenise(plain))
    tokens = tuple(token for sentence in sentences for token in sentence)
    word_lists = [[token.text for token in sentence] for sentence in sentences]
    tags: list[str] = []
    spans: list[Span] = []
    runs: list[Span] = []
    for words, sentence_tags in zip(word_lists, tagger.tags(word_lists), strict=True):
        first = len(tags)
        runs += ((first + start, first + end) for start, end in noun_runs(words, sentence_tags, terms))
        spans.append((first, first + len(words)))
        tags += sentence_tags
    words_of_text = tuple(token.text for token in tokens)
    return TaggedText(plain, words_of_text, tokens, tuple(tags), tuple(spans), tuple(runs), terms)
