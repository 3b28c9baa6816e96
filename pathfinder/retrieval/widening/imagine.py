"""What is looked for beside the question: abstracts that a chat model imagines, or the direction of the first hits.

Only the direction that is looked up changes. The question's words, its keywords and the question itself stay.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pathfinder.models.ports import Embedder, Vectors
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.question import Direction
from pathfinder.retrieval.replies import REFUSALS, in_brief
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.widening.feedback import N_HITS, towards, unit
from pathfinder.retrieval.widening.hyde import hypothetical_documents
from pathfinder.types import Imagine, SearchRequest

FirstHits = Callable[[], Vectors]
"""Gives the vectors of the question's first hits, shape (at most 5, dimension); called only where they are needed."""


def imagine(
    request: SearchRequest, vector: Direction, first_hits: FirstHits, models: Models, log: StageLog
) -> tuple[Direction, tuple[str, ...], str]:
    """The direction to look up, the abstracts that it was averaged with, and what was done, for a badge.

    Without a chat model, or where it fails, feedback from the first hits stands in, and the badge says why.
    """
    if vector is None:
        return None, (), "not used: words only"
    if request.imagine is Imagine.FEEDBACK:
        return towards(vector, first_hits()), (), f"feedback, first {N_HITS} hits"
    if models.chat is None:
        return towards(vector, first_hits()), (), "feedback (no chat model)"
    try:
        documents = hypothetical_documents(request.query, request.n_hypothetical, models.chat)
    except REFUSALS as error:
        log.note(f"no abstract was imagined: {error}")
        return towards(vector, first_hits()), (), f"feedback ({in_brief(error, models.chat.name)})"
    return _averaged(vector, documents, models.embedder, log), documents, f"{_counted(documents)} by {models.chat.name}"


def _averaged(
    vector: NDArray[np.float32], documents: tuple[str, ...], embedder: Embedder, log: StageLog
) -> NDArray[np.float32]:
    """Question and documents in equal parts (pathfinder, arXiv:2408.01556), each read to the embedder's length."""
    if any(map(embedder.is_cut, documents)):
        log.note(f"an imagined abstract is long: its meaning is taken from its first {embedder.max_tokens} tokens")
    vectors = np.vstack([vector, embedder.embed(documents, "document")])
    return unit(vectors.mean(axis=0, dtype=np.float64), vector)


def _counted(documents: tuple[str, ...]) -> str:
    return "1 abstract" if len(documents) == 1 else f"{len(documents)} abstracts"
