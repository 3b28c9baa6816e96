"""Part-of-speech tagger that uses a spaCy model, if one is installed."""

from collections.abc import Sequence
from typing import Self

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from pathfinder.text.language.lexicon_tagger import apply_contextual_rules, tag_by_shape


class SpacyTagger:
    """Tags words with a spaCy pipeline, then applies the same word-shape and contextual rules as the lexicon tagger."""

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp

    @classmethod
    def load(cls, model: str) -> Self:
        """Load the components needed for tagging from `model`, an installed package or a folder."""
        return cls(spacy.load(model, exclude=["parser", "ner", "senter", "lemmatizer", "attribute_ruler"]))

    @property
    def name(self) -> str:
        """Language, name and version of the model, such as "en_core_web_sm 3.8.0"."""
        meta = self._nlp.meta
        return f"{meta['lang']}_{meta['name']} {meta['version']}"

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        words = [word for sentence in sentences for word in sentence]
        starts: list[bool | int | None] = [i == 0 for sentence in sentences for i in range(len(sentence))]
        doc = Doc(self._nlp.vocab, words=words, sent_starts=starts)
        for _, component in self._nlp.pipeline:
            doc = component(doc)
        model_tags = [token.tag_ for token in doc]
        tags: list[list[str]] = []
        for sentence in sentences:
            start = sum(map(len, tags))
            of_sentence = model_tags[start : start + len(sentence)]
            shape_tags = [tag_by_shape(word) or tag for word, tag in zip(sentence, of_sentence, strict=True)]
            tags.append(apply_contextual_rules(sentence, shape_tags, _never_a_verb))
        return tags


def _never_a_verb(_: str) -> bool:
    """Return False, because the model has read each noun in context and its tags are trusted."""
    return False
