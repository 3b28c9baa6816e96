"""TextRank (Mihalcea and Tarau 2004): rank the noun phrases of a text with pytextrank.

pytextrank builds the lemma graph, runs PageRank on it and scores the phrases. Words, tags, lemmas and candidate phrases
are passed to it in a spaCy `Doc`. A spaCy model could supply them as well, but would require a download, and would not
handle "[O III]", "f(R)" or participles that belong to a phrase.
"""

import contextlib
import io
import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.tokens import Span as DocSpan

from pathfinder.text.inflection import base_form
from pathfinder.text.language.lexicon_tagger import NOUNS
from pathfinder.text.language.tagged_text import STOP_MODIFIERS, STOP_NOUNS, Span, TaggedText


def rank_phrases(text: TaggedText) -> list[Span]:
    """Return the noun phrases in `text`, best first; if several have the same wording, only the first is returned."""
    phrases = text.noun_phrases()
    if not phrases:
        return []
    parts_of_speech = [_part_of_speech(word.lower(), tag) for word, tag in zip(text.words, text.tags, strict=True)]
    in_phrase = {i for phrase in phrases for i in range(*phrase)}
    # Other words are not nodes of the graph, and passing them on would take up most of the time.
    word_indices = [i for i, tag in enumerate(parts_of_speech) if tag != "X" or i in in_phrase]
    positions = {i: position for position, i in enumerate(word_indices)}
    nlp = _pipeline()
    sentence_of = [number for number, bounds in enumerate(text.sentences) for _ in range(*bounds)]
    numbers = [sentence_of[i] for i in word_indices]
    doc = Doc(
        nlp.vocab,
        words=[text.words[i] for i in word_indices],
        lemmas=[base_form(text.words[i].lower()) for i in word_indices],
        pos=[parts_of_speech[i] for i in word_indices],
        sent_starts=[before != number for before, number in zip([-1, *numbers], numbers, strict=False)],
    )
    doc.user_data["phrases"] = [(positions[start], positions[end - 1] + 1) for start, end in phrases]
    spans = [phrase.chunks[0] for phrase in nlp.get_pipe("textrank")(doc)._.phrases]
    return [(word_indices[span.start], word_indices[span.end - 1] + 1) for span in spans]


def _part_of_speech(word: str, tag: str) -> str:
    """Return the universal part of speech of a word: `NOUN` (also for names) and `ADJ` become nodes of the graph, `X`
    does not.
    """
    if word in STOP_MODIFIERS or word in STOP_NOUNS:
        return "X"
    return "NOUN" if tag in NOUNS else "ADJ" if tag in ("JJ", "VBN", "VBG") else "X"


@lru_cache(maxsize=1)
def _pipeline() -> Language:
    """Return a blank pipeline whose noun chunks are the phrases stored in the document's user data."""
    _import_pytextrank()
    nlp = spacy.blank("en")
    nlp.vocab.get_noun_chunks = _noun_chunks  # type: ignore[assignment]  # spaCy accepts triples, but declares spans
    nlp.add_pipe("textrank", config={"pos_kept": ["ADJ", "NOUN"]})
    return nlp


def _noun_chunks(document: Doc | DocSpan) -> Iterator[tuple[int, int, int]]:
    label = document.vocab.strings.add("NP")
    return ((start, end, label) for start, end in document.doc.user_data["phrases"])


def _import_pytextrank() -> Any:
    """Import pytextrank quietly: on import, it looks for its own git repository and prints the path, or fails without
    git.
    """
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
