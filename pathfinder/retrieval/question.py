"""What a question is looked up by: its direction and its keywords."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.models.ports import Embedder
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.years.named import topic, years_named
from pathfinder.types import Keyword, SearchRequest, Sides

Direction = NDArray[np.float32] | None
"""Unit vector of the question, shape (dimension,); `None` when only words are looked up."""


def embed_question(request: SearchRequest, embedder: Embedder, log: StageLog) -> tuple[Direction, str]:
    """The question's vector, and which model made it."""
    if request.sides is Sides.SPARSE:
        return None, "not used: words only"
    if embedder.is_cut(request.query):
        log.note(
            f"the question is long: its meaning is taken from its first {embedder.max_tokens} tokens, "
            "its words from all of it"
        )
    (vector,) = embedder.embed([request.query], "query")
    return vector, in_words(embedder.name)


def in_words(model_name: str) -> str:
    """`local:all-MiniLM-L6-v2` as a badge says it: "all-MiniLM-L6-v2, local"."""
    vendor, _, model = model_name.partition(":")
    return f"{model}, {vendor}"


def question_keywords(request: SearchRequest, extractor: KeywordExtractor) -> tuple[tuple[Keyword, ...], str]:
    """The keywords found in the question less those that were dropped, then the reader's own.

    Years that the question is filtered by are no keywords, nor is JWST in "in the JWST era".
    """
    dropped = {keyword.casefold() for keyword in request.dropped_keywords}
    own = dict.fromkeys(keyword.strip() for keyword in request.extra_keywords)
    given = tuple(Keyword(text, is_given=True) for text in own if text)
    taken = dropped | {keyword.text.casefold() for keyword in given}
    years = years_named(request.query, request.today) if request.reads_years else None
    found = extractor.question_keywords(request.query if years is None else topic(request.query, years))
    return tuple(k for k in found if k.text.casefold() not in taken) + given, extractor.name
