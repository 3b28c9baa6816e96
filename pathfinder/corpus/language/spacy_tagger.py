"""Parts of speech from a spaCy model, for those who have one installed."""

from collections.abc import Sequence
from typing import Self

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from pathfinder.corpus.language.context import in_context
from pathfinder.corpus.language.looks import tag_by_look


class SpacyTagger:
    """Tags by the tagger of a spaCy pipeline; which participles qualify a noun is decided as without a model."""

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp

    @classmethod
    def load(cls, model: str) -> Self:
        """From an installed package or a folder; only what tagging needs is loaded."""
        return cls(spacy.load(model, exclude=["parser", "ner", "senter", "lemmatizer", "attribute_ruler"]))

    @property
    def name(self) -> str:
        """Language, name and version, as in "en_core_web_sm 3.8.0"."""
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
            given = model_tags[start : start + len(sentence)]
            seen = [tag_by_look(word) or tag for word, tag in zip(sentence, given, strict=True)]
            tags.append(in_context(sentence, seen, _is_no_verb))
        return tags


def _is_no_verb(_: str) -> bool:
    """The model has told nouns from verbs."""
    return False
