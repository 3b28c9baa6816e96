"""What is made of a paper beside its vector: vectors of its tokens, of its passages and of its title."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.late_chunking import ReadPaper, content_tokens, read_on
from pathfinder.corpus.journal import journal_key
from pathfinder.corpus.passages import Span, cut
from pathfinder.corpus.sentences import sentence_spans
from pathfinder.errors import ModelError
from pathfinder.index import passages, tokens
from pathfinder.models.ports import Embedder, TokenEmbedder, TokenVectors, Vectors
from pathfinder.types import Paper

PIECES = ("tokens", "passages", "titles")
"""The parts of a corpus that are made of them."""


@dataclass(frozen=True, slots=True, eq=False)
class PieceMaker:
    """Cuts papers and embeds what it cut."""

    embedder: Embedder
    projection: tokens.Projection | None
    """Of token vectors to those that are stored; `None`: they are not stored."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Which of `PIECES` it makes."""
        return PIECES if self.projection is not None else PIECES[1:]

    def key(self, role: str, paper: Paper) -> bytes:
        """The key of a paper's record in the journal."""
        made_with = [self.embedder.name, str(self.embedder.dimension)]
        if role == "tokens" and self.projection is not None:
            made_with.append(str(zlib.crc32(self.projection.tobytes())))
        return journal_key(role, *made_with, paper.title, paper.abstract)

    def texts(self, paper: Paper) -> Iterator[str]:
        """What is embedded of a paper beside its text, where the embedder tells no tokens."""
        yield paper.title
        spans = cut(paper.abstract)
        if len(spans) > 1:
            yield from (_titled(paper, span) for span in spans)

    def records(
        self, papers: Sequence[Paper], vectors: Vectors, first: Sequence[TokenVectors] | None
    ) -> Iterator[tuple[bytes, bytes]]:
        """The journal's records of `papers`, whose vectors are `vectors` and whose first tokens are `first`."""
        spans = [cut(paper.abstract) for paper in papers]
        titles = embedded([paper.title for paper in papers], self.embedder)
        if first is not None and isinstance(self.embedder, TokenEmbedder):
            read = read_on(papers, first, self.embedder)
            of_passages = [_pooled(*one) for one in zip(read, spans, vectors, strict=True)]
            if self.projection is not None:
                yield from self._token_records(papers, read, self.projection)
        else:
            of_passages = self._embedded_passages(papers, spans, vectors)
        for paper, title, own_spans, own in zip(papers, titles, spans, of_passages, strict=True):
            yield self.key("passages", paper), passages.to_bytes(passages.stored_passages(own_spans, own))
            yield self.key("titles", paper), title.astype(np.float16).tobytes()

    def _token_records(
        self, papers: Sequence[Paper], read: Sequence[ReadPaper], projection: tokens.Projection
    ) -> Iterator[tuple[bytes, bytes]]:
        for paper, one in zip(papers, read, strict=True):
            title, abstract = content_tokens(paper.title, one.title), content_tokens(paper.abstract, one.abstract)
            starts = [start for start, _ in sentence_spans(paper.abstract)]
            numbers = np.searchsorted(starts, abstract.spans[:, 0], side="right")
            stored = tokens.encode(
                np.concatenate([title.vectors, abstract.vectors]),
                np.concatenate([title.ids, abstract.ids]),
                np.concatenate([np.zeros(len(title.ids), np.int32), numbers.astype(np.int32)]),
                projection,
            )
            yield self.key("tokens", paper), tokens.to_bytes(stored)

    def _embedded_passages(
        self, papers: Sequence[Paper], spans: Sequence[Sequence[Span]], vectors: Vectors
    ) -> list[Vectors]:
        """A lone passage is the paper; of several, each is embedded with the title in front."""
        several = [(paper, span) for paper, own in zip(papers, spans, strict=True) if len(own) > 1 for span in own]
        found = iter(embedded([_titled(paper, span) for paper, span in several], self.embedder))
        return [
            np.array([next(found) for _ in own]) if len(own) > 1 else vectors[row : row + len(own)]
            for row, own in enumerate(spans)
        ]


def embedded(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """`texts` as vectors. Raises `ModelError` where the embedder gives something else."""
    return checked(embedder.embed(texts, "document") if texts else np.empty((0, embedder.dimension)), texts, embedder)


def checked(vectors: NDArray[np.floating[Any]], texts: Sequence[str], embedder: Embedder) -> Vectors:
    """`vectors`, once they are found to be one vector of numbers for each of `texts`."""
    found = np.ascontiguousarray(vectors, dtype=np.float32)
    expected = (len(texts), embedder.dimension)
    if found.shape != expected or not np.isfinite(found).all():
        raise ModelError(
            f"{embedder.name} gave vectors of shape {found.shape} for {expected}, or not only numbers: "
            "build again, what was embedded before is kept; if it happens again, choose another embedder"
        )
    return found


def _titled(paper: Paper, span: Span) -> str:
    return f"{paper.title.rstrip('.')}. {paper.abstract[slice(*span)]}"


def _pooled(read: ReadPaper, spans: Sequence[Span], vector: NDArray[np.float32]) -> Vectors:
    """Each passage as the mean of its tokens and the title's, of length 1; a lone one, read at once, is the paper.

    With the title's tokens the mean is nearer to the vector of "title. passage" than without: their cosine is
    0.965 and 0.960, the mean over 347 passages of astrophysics.
    """
    if len(spans) == 1 and not read.was_cut:
        return vector[np.newaxis]
    return np.array([_mean(read, start, end, vector) for start, end in spans]).reshape(-1, len(vector))


def _mean(read: ReadPaper, start: int, end: int, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    places = read.abstract.spans[:, 0]
    own = read.abstract.vectors[(places >= start) & (places < end)]
    summed = np.concatenate([read.title.vectors, own]).sum(axis=0, dtype=np.float64)
    length = np.linalg.norm(summed)
    # Signs that the model does not know leave nothing to take the mean of.
    return (summed / length).astype(np.float32) if length > 0 else vector
