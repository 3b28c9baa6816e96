"""TextRank: which phrases of a text its other words lead to (Mihalcea and Tarau 2004), as pytextrank does it."""

import contextlib
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span

from pathfinder.corpus.context import NOUNS
from pathfinder.corpus.empty_words import EMPTY_QUALIFIERS, EMPTY_THINGS
from pathfinder.corpus.inflection import base_form


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A text as words with their tags, and where its sentences and noun phrases are."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    """Penn Treebank tags."""
    sentence_starts: frozenset[int]
    phrases: tuple[tuple[int, int], ...]
    """First word and end of each noun phrase, in order."""


def ranked(text: TaggedText) -> list[tuple[int, int]]:
    """The noun phrases of `text`, best first; of those that read the same, the first."""
    if not text.phrases:
        return []
    nlp = _pipeline()
    doc = nlp.get_pipe("textrank")(_document(text, nlp))
    return [(phrase.chunks[0].start, phrase.chunks[0].end) for phrase in doc._.phrases]


def _document(text: TaggedText, nlp: Language) -> Doc:
    doc = Doc(
        nlp.vocab,
        words=list(text.words),
        lemmas=[base_form(word.lower()) for word in text.words],
        pos=[_part(word.lower(), tag) for word, tag in zip(text.words, text.tags, strict=True)],
        sent_starts=[i in text.sentence_starts for i in range(len(text.words))],
    )
    doc.user_data["phrases"] = text.phrases
    return doc


def _part(word: str, tag: str) -> str:
    """Universal part of speech; only adjectives and nouns are nodes of the graph, names being nouns."""
    if word in EMPTY_QUALIFIERS or word in EMPTY_THINGS:
        return "X"
    return "NOUN" if tag in NOUNS else "ADJ" if tag in ("JJ", "VBN", "VBG") else "X"


@lru_cache(maxsize=1)
def _pipeline() -> Language:
    """A blank pipeline whose noun chunks are the phrases that were found before."""
    _import_pytextrank()
    nlp = spacy.blank("en")
    nlp.vocab.get_noun_chunks = _noun_chunks  # type: ignore[assignment]  # spaCy takes triples, and says spans
    nlp.add_pipe("textrank", config={"pos_kept": ["ADJ", "NOUN"]})
    return nlp


def _noun_chunks(document: Doc | Span) -> Iterator[tuple[int, int, int]]:
    label = document.vocab.strings.add("NP")
    return ((start, end, label) for start, end in document.doc.user_data["phrases"])


def _import_pytextrank() -> Any:
    """pytextrank looks for its own git repository, fails where git is not installed, and prints where it looked."""
    mode = os.environ.get("GIT_PYTHON_REFRESH")
    os.environ["GIT_PYTHON_REFRESH"] = "quiet"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            import pytextrank
    finally:
        if mode is None:
            del os.environ["GIT_PYTHON_REFRESH"]
        else:
            os.environ["GIT_PYTHON_REFRESH"] = mode
    return pytextrank
