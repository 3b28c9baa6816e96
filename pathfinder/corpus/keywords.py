"""The keywords of papers and of questions."""

import importlib.util
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Self

from pathfinder.corpus.language.foreign import foreign_content
from pathfinder.corpus.language.inflection import base_form
from pathfinder.corpus.language.latex import plain_text
from pathfinder.corpus.language.names import Name, names_in
from pathfinder.corpus.language.phrases import noun_phrases
from pathfinder.corpus.language.tagged import Span, TaggedText, tagged
from pathfinder.corpus.language.tagging import LexiconTagger, Tagger, read_lexicon
from pathfinder.corpus.lemmas import lemmas
from pathfinder.types import Keyword

SPACY_MODEL = "en_core_web_sm"
DEFAULT_LIMIT = 20


class KeywordExtractor:
    """Finds the phrases that a text is about, and the names in a question."""

    def __init__(self, tagger: Tagger, everyday_words: Container[str]) -> None:
        self._tagger = tagger
        self._everyday_words = everyday_words

    @classmethod
    def load(cls, model: str = SPACY_MODEL) -> Self:
        """With the spaCy model of that package or folder if it is installed, else with TextBlob's lexicon.

        Raises `ModelError` when the lexicon cannot be read.
        """
        lexicon = read_lexicon()
        if Path(model).is_dir() or importlib.util.find_spec(model) is not None:
            from pathfinder.corpus.language.spacy_tagger import SpacyTagger

            return cls(SpacyTagger.load(model), lexicon)
        return cls(LexiconTagger(lexicon), lexicon)

    @property
    def name(self) -> str:
        """What finds the keywords, for a manifest or a badge."""
        return f"TextRank, {self._tagger.name}"

    def phrases(self, text: str, limit: int = DEFAULT_LIMIT) -> tuple[str, ...]:
        """Up to `limit` keywords of a paper's title and abstract, best first, each of one to five words.

        No two have the same lemmas. An everyday word by itself counts when it stands in the title (the
        first sentence) or more than once.
        """
        # TextRank brings spaCy along, which a search has no use for.
        from pathfinder.corpus.language.ranking import ranked

        parts = tagged(plain_text(text), self._tagger)
        seen = Counter(base_form(word.lower()) for word in parts.words)
        spans = [span for span in ranked(parts) if self._says_something(span, parts, seen)]
        return _distinct(map(parts.text_of, spans), limit)

    def _says_something(self, span: Span, text: TaggedText, seen: Counter[str]) -> bool:
        start, end = span
        word = text.words[start]
        if end - start > 1 or not word.isalpha() or word[1:] != word[1:].lower():
            return True
        if len(word) < 3:
            return False
        is_everyday = word.lower() in self._everyday_words
        return not is_everyday or start < text.sentences[0][1] or seen[base_form(word.lower())] > 1

    def question_keywords(self, question: str, limit: int = DEFAULT_LIMIT) -> tuple[Keyword, ...]:
        """The keywords and names of a question, in the order in which they stand.

        Names are cut out of the phrases that hold them: "JWST spectra of brown dwarfs" has the name
        "JWST" and the keywords "spectra" and "brown dwarfs". Of more than `limit`, those that come
        most often are kept.
        """
        plain = plain_text(question)
        foreign = foreign_content(plain)
        if foreign is not None:
            return tuple(map(Keyword, _distinct(foreign, limit)))
        text = tagged(plain, self._tagger)
        names = names_in(text)
        phrases = [(*phrase, False) for phrase in _without([name for name in names if name.is_apart], text)]
        found = sorted([*((name.start, name.end, True) for name in names), *phrases])
        return tuple(_most_frequent([Keyword(text.text_of((a, b)), is_name) for a, b, is_name in found], limit))


def _without(names: list[Name], text: TaggedText) -> Iterator[Span]:
    """The noun phrases that are left once the names are out."""
    for run_start, run_end in text.runs:
        start = run_start
        inside = [name for name in names if name.start < run_end and name.end > run_start]
        for name_start, name_end in [*((name.start, name.end) for name in inside), (run_end, run_end)]:
            if start < name_start:
                yield from noun_phrases(start, name_start, text.words, text.tags)
            start = max(start, name_end)


def _most_frequent(found: list[Keyword], limit: int) -> Iterator[Keyword]:
    """One keyword for equal lemmas, a name if any of them is."""
    counts = Counter(lemmas(keyword.text) for keyword in found)
    kept = {key for key, _ in counts.most_common(limit)} - {()}
    named = {lemmas(keyword.text) for keyword in found if keyword.is_entity}
    for keyword in found:
        key = lemmas(keyword.text)
        if key in kept:
            kept.discard(key)
            yield Keyword(keyword.text, key in named)


def _distinct(phrases: Iterable[str], limit: int) -> tuple[str, ...]:
    kept: dict[tuple[str, ...], str] = {}
    for phrase in phrases:
        if len(kept) < limit and (key := lemmas(phrase)):
            kept.setdefault(key, phrase)
    return tuple(kept.values())
