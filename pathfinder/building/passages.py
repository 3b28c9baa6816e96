"""The indexes of what papers are cut into: tokens, passages and titles. A corpus can be searched without them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from pathfinder.models.ports import Embedder, TokenEmbedder
from pathfinder.types import Paper

LEFT_OUT = (
    "it was left out when this corpus was built: build again from its sources without --no-passages, which adds it"
)

PIECE_FILES = {"tokens": "tokens", "passages": "passages", "titles": "titles.faiss"}
"""What each is called while it is written."""


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


@dataclass(frozen=True, slots=True, eq=False)
class CutPapers:
    """Papers that were cut, and where their pieces lie."""

    pieces: PieceMaker
    papers: Sequence[Paper]
    """Their pieces are in the journal."""
    journal: Journal
    known: Corpus | None = None
    """A corpus whose papers come before them; it has its own pieces."""

    def records(self, role: str) -> Iterator[bytes]:
        """What the journal holds of each paper."""
        return (self.journal[self.pieces.key(role, paper)] for paper in self.papers)


def write_pieces(cut: CutPapers, role: str, path: Path) -> None:
    """Write the index of one of `PIECES`: a folder or, for titles, a file."""
    {"tokens": _write_tokens, "passages": _write_passages, "titles": _write_titles}[role](cut, path)


def index_pieces(
    tools: Tools, pieces: PieceMaker, before: Corpus | None, papers: PaperTable, journal: Journal
) -> dict[str, Part]:
    """The indexes of the pieces of `papers`, by role; `journal` holds those of the papers that `before` has not."""
    if before and not has_pieces(before, pieces):
        tools.progress.start("cutting papers that are there already", len(before.papers))
        cut_stored(before.papers, stored(before.dense), journal, tools.progress, pieces)
        tools.progress.finish()
        before = None
    cut = CutPapers(pieces, papers[len(before.papers) if before else 0 :], journal, before)
    tools.progress.start("indexing passages", None)
    parts = {role: tools.make_part(role, PIECE_FILES[role], partial(write_pieces, cut, role)) for role in pieces.roles}
    tools.progress.finish()
    return parts


def _write_tokens(cut: CutPapers, path: Path) -> None:
    if (projection := cut.pieces.projection) is None:
        return
    known = cut.known.tokens.stored() if cut.known and cut.known.tokens else ()
    added = (tokens.from_bytes(content, projection.shape[1]) for content in cut.records("tokens"))
    tokens.write_tokens(chain(known, added), projection, path)


def _write_passages(cut: CutPapers, path: Path) -> None:
    dimension = cut.pieces.embedder.dimension
    known = cut.known.passages.stored() if cut.known and cut.known.passages else ()
    added = (passages.from_bytes(content, dimension) for content in cut.records("passages"))
    passages.write_passages(chain(known, added), dimension, path)


def _write_titles(cut: CutPapers, path: Path) -> None:
    dimension = cut.pieces.embedder.dimension
    known = stored(cut.known.titles) if cut.known and cut.known.titles else ()
    added = (np.frombuffer(content, "<f2").astype(np.float32)[np.newaxis] for content in cut.records("titles"))
    write_dense(chain(known, added), dimension, path)
