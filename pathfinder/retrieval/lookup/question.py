"""Question vector and keywords."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import MissingKey
from pathfinder.models.ports import Embedder
from pathfinder.profile import Profile
from pathfinder.retrieval.stages import StageLog, StageReport, failed_stage, skipped_stage
from pathfinder.retrieval.years.in_questions import topic, years_named
from pathfinder.types import Keyword, RetrievalMode, SearchRequest

Direction = NDArray[np.float32] | None
"""Unit vector of the question, shape (dimension,); `None` if only words are looked up."""


def embed_question(request: SearchRequest, embedder: Embedder, log: StageLog) -> tuple[Direction, StageReport]:
    """Return the question's vector, and a stage report that names the model.

    Without the model's key, only words are looked up, and the report and a note say so. Raises `MissingKey` if the
    request is for a search by meaning alone.
    """
    if request.sides is RetrievalMode.SPARSE:
        return None, skipped_stage("words only")
    if embedder.is_cut(request.query):
        log.note(
            f"the question is too long: only its first {embedder.max_tokens} tokens were embedded, "
            "but all of its words were searched"
        )
    try:
        (vector,) = embedder.embed([request.query], "query")
    except MissingKey as error:
        if request.sides is RetrievalMode.DENSE:
            raise
        log.note(f"papers were looked up by words alone, not by meaning: {error}")
        return None, failed_stage(f"words alone, no key for {embedder.name}")
    return vector, StageReport(describe_model(embedder.name), embedder.name)


def describe_model(model_name: str) -> str:
    """Describe `local:all-MiniLM-L6-v2` for a badge: "all-MiniLM-L6-v2, local"."""
    vendor, _, model = model_name.partition(":")
    return f"{model}, {vendor}"


def question_keywords(
    request: SearchRequest, extractor: KeywordExtractor, question: str, profile: Profile | None = None
) -> tuple[tuple[Keyword, ...], StageReport]:
    """Return the keywords found in `question`, except those that the reader dropped, followed by the reader's own.

    Years that filter the search are not keywords, and neither is JWST in "in the JWST era"; nor are the words of titles
    that the search substitutes for authors and identifiers.
    """
    dropped_keywords = {keyword.casefold() for keyword in request.dropped_keywords}
    own = dict.fromkeys(keyword.strip() for keyword in request.extra_keywords)
    own_keywords = tuple(Keyword(text, is_given=True) for text in own if text)
    excluded_keywords = dropped_keywords | {keyword.text.casefold() for keyword in own_keywords}
    years = years_named(request.query, request.today, profile) if request.reads_years else None
    extracted_keywords = extractor.question_keywords(request.query if years is None else topic(request.query, years))
    if request.query != question:
        extracted_keywords = tuple(
            keyword for keyword in extracted_keywords if keyword.text.casefold() in question.casefold()
        )
    return tuple(
        k for k in extracted_keywords if k.text.casefold() not in excluded_keywords
    ) + own_keywords, StageReport(extractor.name, extractor.name)
