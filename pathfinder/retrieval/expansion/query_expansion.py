"""Expands the query vector with hypothetical abstracts (HyDE), or moves it towards the first hits (relevance feedback,
Rocchio 1971).

Only the vector used in the dense lookup changes; the question, its keywords and the words used in the sparse lookup
stay the same.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pathfinder.llm.chat import REFUSALS, complete, in_brief, unreadable
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import StoppablePool
from pathfinder.models.ports import ChatModel, Vectors
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.retrieval.stages import Models, StageLog, StageReport, skipped_stage, substituted_stage
from pathfinder.types import QueryExpansion, SearchRequest

FirstHits = Callable[[], Vectors]
"""Function that returns the vectors of the question's first hits, shape (at most 5, dimension); called only when
needed.
"""

TEMPERATURE = 0.5
"""Temperature above 0, so that several abstracts for one question differ."""

MAX_TOKENS = 250
"""Maximum length of an abstract, in tokens; like the temperature, taken from pathfinder (arXiv:2408.01556)."""


def expand_vector(
    request: SearchRequest, vector: Direction, first_hits: FirstHits, models: Models, log: StageLog
) -> tuple[Direction, tuple[str, ...], StageReport]:
    """Return the vector to look up, the hypothetical abstracts that were averaged into it, and the report of the stage.

    Without a chat model, or when it fails, relevance feedback from the first hits replaces the abstracts, and the badge
    says why.
    """
    if vector is None:
        return None, (), skipped_stage("words only")
    if request.imagine is QueryExpansion.FEEDBACK:
        return shift_towards(vector, first_hits()), (), StageReport(f"feedback, first {N_HITS} hits")
    if models.chat is None:
        return (
            shift_towards(vector, first_hits()),
            (),
            substituted_stage("feedback (no chat model)", "no chat model is set"),
        )
    try:
        documents = write_hypothetical_abstracts(request.query, request.n_hypothetical, models.chat)
    except REFUSALS as error:
        log.note(f"no hypothetical abstracts were written: {error}")
        reason = in_brief(error, models.chat.name)
        return shift_towards(vector, first_hits()), (), substituted_stage(f"feedback ({reason})", reason)
    report = StageReport(f"{_count(documents)} by {models.chat.name}", models.chat.name)
    # Question and documents weigh the same (arXiv:2408.01556).
    if any(map(models.embedder.is_cut, documents)):
        log.note(
            f"a hypothetical abstract is too long: only its first {models.embedder.max_tokens} tokens were embedded"
        )
    vectors = np.vstack([vector, models.embedder.embed(documents, "document")])
    return normalise(vectors.mean(axis=0, dtype=np.float64), vector), documents, report


def _count(documents: tuple[str, ...]) -> str:
    return "1 abstract" if len(documents) == 1 else f"{len(documents)} abstracts"


def write_hypothetical_abstracts(question: str, n: int, chat: ChatModel) -> tuple[str, ...]:
    """Return `n` abstracts that might answer `question`, written in parallel.

    If any of the calls fails, raises the model's error instead of returning fewer than `n`.
    """
    system, prompt = render("hyde_system"), render("hyde", question=question)

    def write(_: int) -> str:
        document = complete(chat, system, prompt, temperature=TEMPERATURE, max_tokens=MAX_TOKENS)
        if not document:
            raise unreadable(document, "no abstract", chat)
        return document

    with StoppablePool(n) as pool:
        return tuple(pool.map(write, range(n)))


N_HITS = 5
"""Number of top hits that are assumed to be relevant."""

QUESTION_SHARE = 0.6


def shift_towards(vector: NDArray[np.float32], first_hits: Vectors) -> NDArray[np.float32]:
    """Return `normalise(0.6 q + 0.4 mean of the first hits)`, a unit vector; `q` itself if there are no hits.

    `vector` is the unit vector q of the question, shape (dimension,); `first_hits` are the unit vectors of its first
    hits, shape (n, dimension).
    """
    if not len(first_hits):
        return vector
    mean = first_hits.mean(axis=0, dtype=np.float64)
    return normalise(QUESTION_SHARE * vector + (1 - QUESTION_SHARE) * mean, vector)


def normalise(direction: NDArray[np.float64], otherwise: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `direction` scaled to length 1, or `otherwise` if it is the zero vector."""
    length = float(np.linalg.norm(direction))
    return np.asarray(direction / length, dtype=np.float32) if length > 0 else otherwise
