"""A text as its words with their parts of speech, its sentences and its noun phrases."""

from dataclasses import dataclass

from pathfinder.corpus.language.latex import subscripts_written_on
from pathfinder.corpus.language.phrases import noun_phrases, noun_runs
from pathfinder.corpus.language.tagging import Tagger
from pathfinder.corpus.language.tokens import Token, sentences

Span = tuple[int, int]
"""First word and end of a run of words."""


@dataclass(frozen=True, slots=True)
class TaggedText:
    """Words, tags, sentences and noun phrases of `plain`."""

    plain: str
    words: tuple[str, ...]
    tokens: tuple[Token, ...]
    tags: tuple[str, ...]
    """Penn Treebank tags, one a token."""
    sentences: tuple[Span, ...]
    runs: tuple[Span, ...]
    """Of nouns and what qualifies them, in the order in which they stand."""

    def phrases(self) -> tuple[Span, ...]:
        """The noun phrases in the runs."""
        return tuple(phrase for run in self.runs for phrase in noun_phrases(*run, self.words, self.tags))

    def text_of(self, span: Span) -> str:
        """The words of `span` as a keyword is written: "Jupiter's" as "Jupiter", "H_0" as "H0"."""
        start, end = span
        text = self.plain[self.tokens[start].start : self.tokens[end - 1].end]
        return subscripts_written_on(text).removesuffix("'s").removesuffix("’s")


def tagged(plain: str, tagger: Tagger) -> TaggedText:
    """`plain`, which holds no LaTeX, taken apart."""
    tokens: list[Token] = []
    tags: list[str] = []
    bounds: list[Span] = []
    runs: list[Span] = []
    of_text = list(sentences(plain))
    texts = [[token.text for token in sentence] for sentence in of_text]
    for sentence, words, of_sentence in zip(of_text, texts, tagger.tags(texts), strict=True):
        first = len(tokens)
        runs += ((first + start, first + end) for start, end in noun_runs(words, of_sentence))
        bounds.append((first, first + len(sentence)))
        tokens += sentence
        tags += of_sentence
    return TaggedText(plain, tuple(t.text for t in tokens), tuple(tokens), tuple(tags), tuple(bounds), tuple(runs))
