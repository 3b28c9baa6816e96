"""The keywords of papers and of questions."""

from collections.abc import Iterable, Sequence
from typing import Self

from pathfinder.corpus.latex import plain_text
from pathfinder.corpus.lemmas import lemmas
from pathfinder.corpus.phrases import noun_phrases
from pathfinder.corpus.tagging import LexiconTagger, Tagger, read_lexicon
from pathfinder.corpus.tokens import Token, sentences
from pathfinder.types import Keyword

DEFAULT_LIMIT = 20


class KeywordExtractor:
    """Finds the phrases that a text is about, and the names in it."""

    def __init__(self, tagger: Tagger) -> None:
        self._tagger = tagger

    @classmethod
    def load(cls) -> Self:
        """With the best tagger that is installed."""
        return cls(LexiconTagger(read_lexicon()))

    @property
    def name(self) -> str:
        """What finds the keywords, for a manifest or a badge."""
        return f"TextRank, {self._tagger.name}"

    def phrases(self, text: str, limit: int = DEFAULT_LIMIT) -> tuple[str, ...]:
        """Up to `limit` keywords of a paper's title and abstract, best first, each of one to five words.

        No two have the same lemmas.
        """
        # TextRank brings spaCy along, which a search has no use for.
        from pathfinder.corpus.ranking import TaggedText, ranked

        plain = plain_text(text)
        tokens: list[Token] = []
        tags: list[str] = []
        spans: list[tuple[int, int]] = []
        starts: set[int] = set()
        for sentence in sentences(plain):
            words = [token.text for token in sentence]
            of_sentence = self._tagger.tags(words)
            starts.add(len(tokens))
            spans += ((len(tokens) + a, len(tokens) + b) for a, b in noun_phrases(words, of_sentence))
            tokens += sentence
            tags += of_sentence
        tagged = TaggedText(tuple(t.text for t in tokens), tuple(tags), frozenset(starts), tuple(spans))
        return _distinct((plain[tokens[a].start : tokens[b - 1].end] for a, b in ranked(tagged)), limit)

    def question_keywords(self, question: str) -> tuple[Keyword, ...]:
        """The keywords and names of a question, in the order in which they stand."""
        plain = plain_text(question)
        found: list[str] = []
        for sentence in sentences(plain):
            words = [token.text for token in sentence]
            spans = noun_phrases(words, self._tagger.tags(words))
            found += (plain[sentence[a].start : sentence[b - 1].end] for a, b in spans)
        return tuple(map(Keyword, _distinct(found, DEFAULT_LIMIT)))


def _distinct(phrases: Iterable[str], limit: int) -> tuple[str, ...]:
    seen: dict[Sequence[str], str] = {}
    for phrase in phrases:
        if len(seen) < limit and (key := lemmas(phrase)):
            seen.setdefault(key, phrase)
    return tuple(seen.values())
