"""The indexes of what papers are cut into: tokens, passages and titles. A corpus can be searched without them."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from pathfinder.building.embedding import cut_stored, stored
from pathfinder.building.pieces import PIECES, PieceMaker
from pathfinder.building.tools import Tools
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import Part
from pathfinder.corpus.store import Corpus
from pathfinder.index import passages, tokens
from pathfinder.index.dense import write_dense
from pathfinder.models.ports import Embedder, TokenEmbedder, Vectors

LEFT_OUT = (
    "it was left out when this corpus was built: build again from its sources without --no-passages, which adds it"
)


def make_pieces(embedder: Embedder, before: Corpus | None) -> PieceMaker:
    """What cuts papers for a corpus; one that is there goes on with its own projection."""
    if not isinstance(embedder, TokenEmbedder):
        return PieceMaker(embedder, None)
    known = before.tokens if before else None
    return PieceMaker(embedder, known.projection if known else tokens.packaged_projection(embedder.dimension))


def has_pieces(corpus: Corpus, pieces: PieceMaker | None) -> bool:
    """Whether `corpus` has what `pieces` makes, and no more."""
    return set(corpus.manifest.parts) & set(PIECES) == set(pieces.roles if pieces else ())


def absent_pieces(embedder: Embedder, pieces: PieceMaker | None) -> dict[str, str]:
    """Which pieces a corpus will not have, each with the reason."""
    if pieces is None:
        return dict.fromkeys(PIECES, LEFT_OUT)
    if isinstance(embedder, TokenEmbedder):
        reason = f"there is no projection for tokens of {embedder.dimension} dimensions"
    else:
        reason = f"{embedder.name} does not tell the vectors of single tokens"
    return {role: reason for role in PIECES if role not in pieces.roles}


def index_pieces(
    tools: Tools, pieces: PieceMaker, before: Corpus | None, papers: PaperTable, journal: Journal
) -> dict[str, Part]:
    """The indexes of the pieces of `papers`, by role; `journal` holds those of the papers that `before` has not."""
    dimension = tools.embedder.dimension
    if before and not has_pieces(before, pieces):
        tools.progress.start("cutting papers that are there already", len(before.papers))
        cut_stored(before.papers, stored(before.dense), journal, tools.progress, pieces)
        tools.progress.finish()
        before = None
    new = papers[len(before.papers) if before else 0 :]

    def records(role: str) -> Iterator[bytes]:
        return (journal[pieces.key(role, paper)] for paper in new)

    def write_tokens(projection: tokens.Projection, path: Path) -> None:
        known = before.tokens.stored() if before and before.tokens else ()
        added = (tokens.from_bytes(content, projection.shape[1]) for content in records("tokens"))
        tokens.write_tokens(chain(known, added), projection, path)

    def write_passages(path: Path) -> None:
        known = before.passages.stored() if before and before.passages else ()
        added = (passages.from_bytes(content, dimension) for content in records("passages"))
        passages.write_passages(chain(known, added), dimension, path)

    def write_titles(path: Path) -> None:
        known = stored(before.titles) if before and before.titles else ()
        write_dense(chain(known, _titles(records("titles"), dimension)), dimension, path)

    parts = (
        {}
        if pieces.projection is None
        else {"tokens": tools.make_part("tokens", "tokens", partial(write_tokens, pieces.projection))}
    )
    parts["passages"] = tools.make_part("passages", "passages", write_passages)
    parts["titles"] = tools.make_part("titles", "titles.faiss", write_titles)
    return parts


def _titles(records: Iterator[bytes], dimension: int) -> Iterator[Vectors]:
    for content in records:
        yield np.frombuffer(content, dtype="<f2").astype(np.float32).reshape(1, dimension)
