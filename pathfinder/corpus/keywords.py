"""Keyword extraction: the keyphrases of a paper, and the keywords and named entities of a question."""

import importlib.util
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Self

from pathfinder.corpus.missions.catalogue import gazetteer_of
from pathfinder.profile import Profile, astronomy
from pathfinder.text.inflection import base_form
from pathfinder.text.language.entities import Entity, find_entities
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.language.lexicon_tagger import LexiconTagger, read_lexicon
from pathfinder.text.language.tagged_text import FieldTerms, Span, TaggedText, Tagger, tag_text
from pathfinder.text.languages import foreign_keywords
from pathfinder.text.latex.search_text import plain_text
from pathfinder.types import Keyword

SPACY_MODEL = "en_core_web_sm"
DEFAULT_LIMIT = 20


class KeywordExtractor:
    """Extracts keyphrases from papers, and keywords and named entities from questions."""

    def __init__(self, tagger: Tagger, everyday_words: Container[str], profile: Profile | None = None) -> None:
        """Use the names and nouns of the field that `profile` describes, by default astronomy."""
        self._tagger = tagger
        self._everyday_words = everyday_words
        self._profile = profile
        self._terms = field_terms(profile)

    @classmethod
    def load(cls, model: str = SPACY_MODEL, profile: Profile | None = None) -> Self:
        """Load the extractor with the given spaCy model (a package or folder) if it is installed, otherwise with
        TextBlob's lexicon. It knows the names in `profile`, by default in the profile of astronomy.

        Raises `ModelError` if the lexicon is missing or cannot be read.
        """
        lexicon = read_lexicon()
        if Path(model).is_dir() or importlib.util.find_spec(model) is not None:
            from pathfinder.text.language.spacy_tagger import SpacyTagger

            return cls(SpacyTagger.load(model), lexicon, profile)
        return cls(LexiconTagger(lexicon), lexicon, profile)

    @property
    def name(self) -> str:
        """Name of the ranking method and the tagger, for a manifest or a badge."""
        return f"TextRank, {self._tagger.name}"

    def phrases(self, text: str, limit: int = DEFAULT_LIMIT) -> tuple[str, ...]:
        """Return up to `limit` keyphrases from a paper's title and abstract, best first; each has one to five words.

        No two have the same lemmas. A single everyday word counts only if it is in the title (the first sentence) or
        occurs more than once.
        """
        # TextRank imports spaCy, which a search does not need.
        from pathfinder.text.language.textrank import rank_phrases

        tagged_text = tag_text(plain_text(text), self._tagger, self._terms)
        counts = Counter(base_form(word.lower()) for word in tagged_text.words)
        spans = [span for span in rank_phrases(tagged_text) if self._is_informative(span, tagged_text, counts)]
        return _distinct(map(tagged_text.text_of, spans), limit)

    def _is_informative(self, span: Span, text: TaggedText, counts: Counter[str]) -> bool:
        start, end = span
        word = text.words[start]
        if end - start > 1 or not word.isalpha() or word[1:] != word[1:].lower():
            return True
        if len(word) < 3:
            return False
        is_everyday = word.lower() in self._everyday_words
        return not is_everyday or start < text.sentences[0][1] or counts[base_form(word.lower())] > 1

    def question_keywords(self, question: str, limit: int = DEFAULT_LIMIT) -> tuple[Keyword, ...]:
        """Return the keywords and named entities of a question, in the order in which they occur.

        Entities are cut out of the phrases that contain them: "JWST spectra of brown dwarfs" gives the entity "JWST"
        and the keywords "spectra" and "brown dwarfs". If there are more than `limit`, the most frequent are returned.
        """
        plain = plain_text(question)
        foreign = foreign_keywords(plain)
        if foreign is not None:
            return tuple(map(Keyword, _distinct(foreign, limit)))
        text = tag_text(plain, self._tagger, self._terms)
        entities = find_entities(text, gazetteer_of(self._profile))
        phrases = _phrases_between([entity for entity in entities if entity.is_separable], text)
        spans = [((entity.start, entity.end), True) for entity in entities] + [(phrase, False) for phrase in phrases]
        keywords = [Keyword(text.text_of(span), is_entity) for span, is_entity in sorted(spans)]
        return tuple(_most_frequent(keywords, limit))


def field_terms(profile: Profile | None) -> FieldTerms:
    """Return the terms of the field in `profile`, by default astronomy's."""
    names = (profile or astronomy()).names
    return FieldTerms(frozenset(names.lettered), frozenset(names.bigrams))


def _phrases_between(entities: list[Entity], text: TaggedText) -> Iterator[Span]:
    """Yield the noun phrases of `text` with `entities`, in order and without overlap, cut out."""
    starts, ends = [entity.start for entity in entities], [entity.end for entity in entities]
    for run_start, run_end in text.noun_runs:
        start = run_start
        inside = entities[bisect_right(ends, run_start) : bisect_left(starts, run_end)]
        for cut_start, cut_end in [*((entity.start, entity.end) for entity in inside), (run_end, run_end)]:
            if start < cut_start:
                yield from text.phrases_between(start, cut_start)
            start = max(start, cut_end)


def _most_frequent(keywords: list[Keyword], limit: int) -> Iterator[Keyword]:
    """Yield the most frequent keywords, merging those with equal lemmas; a merged keyword is an entity if any of the
    keywords merged into it is.
    """
    counts = Counter(lemmas(keyword.text) for keyword in keywords)
    frequent = {key for key, _ in counts.most_common(limit)} - {()}
    entities = {lemmas(keyword.text) for keyword in keywords if keyword.is_entity}
    for keyword in keywords:
        key = lemmas(keyword.text)
        if key in frequent:
            frequent.discard(key)
            yield Keyword(keyword.text, key in entities)


def _distinct(phrases: Iterable[str], limit: int) -> tuple[str, ...]:
    by_lemmas: dict[tuple[str, ...], str] = {}
    for phrase in phrases:
        if len(by_lemmas) < limit and (key := lemmas(phrase)):
            by_lemmas.setdefault(key, phrase)
    return tuple(by_lemmas.values())
