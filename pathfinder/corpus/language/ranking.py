"""TextRank: which phrases of a text its other words lead to (Mihalcea and Tarau 2004), as pytextrank does it."""

import contextlib
import io
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.tokens import Span as DocSpan

from pathfinder.corpus.language.context import NOUNS
from pathfinder.corpus.language.empty_words import EMPTY_QUALIFIERS, EMPTY_THINGS
from pathfinder.corpus.language.inflection import base_form
from pathfinder.corpus.language.tagged import Span, TaggedText


def ranked(text: TaggedText) -> list[Span]:
    """The noun phrases of `text`, best first; of those that read the same, the first."""
    phrases = text.phrases()
    if not phrases:
        return []
    parts = [_part(word.lower(), tag) for word, tag in zip(text.words, text.tags, strict=True)]
    in_phrase = {i for phrase in phrases for i in range(*phrase)}
    # The words between count for nothing, and would cost most of the time.
    kept = [i for i, part in enumerate(parts) if part != "X" or i in in_phrase]
    places = {i: place for place, i in enumerate(kept)}
    nlp = _pipeline()
    doc = _document(text, parts, kept, nlp)
    doc.user_data["phrases"] = [(places[start], places[end - 1] + 1) for start, end in phrases]
    spans = [phrase.chunks[0] for phrase in nlp.get_pipe("textrank")(doc)._.phrases]
    return [(kept[span.start], kept[span.end - 1] + 1) for span in spans]


def _part(word: str, tag: str) -> str:
    """Universal part of speech; only adjectives and nouns are nodes of the graph, names being nouns."""
    if word in EMPTY_QUALIFIERS or word in EMPTY_THINGS:
        return "X"
    return "NOUN" if tag in NOUNS else "ADJ" if tag in ("JJ", "VBN", "VBG") else "X"


def _document(text: TaggedText, parts: Sequence[str], kept: Sequence[int], nlp: Language) -> Doc:
    sentence_of = [number for number, bounds in enumerate(text.sentences) for _ in range(*bounds)]
    numbers = [sentence_of[i] for i in kept]
    return Doc(
        nlp.vocab,
        words=[text.words[i] for i in kept],
        lemmas=[base_form(text.words[i].lower()) for i in kept],
        pos=[parts[i] for i in kept],
        sent_starts=[before != number for before, number in zip([-1, *numbers], numbers, strict=False)],
    )


@lru_cache(maxsize=1)
def _pipeline() -> Language:
    """A blank pipeline whose noun chunks are the phrases that were found before."""
    _import_pytextrank()
    nlp = spacy.blank("en")
    nlp.vocab.get_noun_chunks = _noun_chunks  # type: ignore[assignment]  # spaCy takes triples, and says spans
    nlp.add_pipe("textrank", config={"pos_kept": ["ADJ", "NOUN"]})
    return nlp


def _noun_chunks(document: Doc | DocSpan) -> Iterator[tuple[int, int, int]]:
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
