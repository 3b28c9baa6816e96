"""A corpus to which a few papers are added for one question: they are embedded and indexed in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pathfinder.building.passage_maker import PassageMaker, embed_texts
from pathfinder.building.passages import passage_maker_of
from pathfinder.corpus.coordinates import Coordinates
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.index import passages, tokens
from pathfinder.index.dense import DenseIndex
from pathfinder.index.joined_indexes import JoinedPassages, JoinedTerms, JoinedTokens, JoinedVectors, JoinedWords
from pathfinder.index.passages import PassageIndex
from pathfinder.index.sparse import beside, mean_length
from pathfinder.index.terms import KeywordIndex, keyword_index_of
from pathfinder.index.token_codecs import codec_of
from pathfinder.index.tokens import TokenStore
from pathfinder.landscape.projection.placing import N_NEIGHBOURS, place_papers
from pathfinder.models.ports import Embedder, TokenEmbedder, Vectors
from pathfinder.types import Paper

N_MEASURED = 8
"""Maximum number of papers in the corpus that are tried, one after another, until the mean length of the corpus's texts
can be derived from one of them.
"""


def join(corpus: Corpus, papers: Sequence[Paper], labels: Sequence[str], embedder: Embedder) -> Corpus:
    """Return `corpus` with `papers` appended to its own; `labels` give the origin of each paper, for its badge. As in
    an update, each paper gets a place on the map among the most similar papers in the corpus.
    """
    joined_papers, n = corpus.papers.followed_by(papers), len(corpus.papers)
    columns = joined_papers.take(np.arange(n, n + len(papers)))
    texts = [paper.text for paper in papers]
    length = mean_length(corpus.sparse, corpus.papers[:N_MEASURED]) or _own_length(texts)
    cut_papers = _cut_papers(papers, passage_maker_of(embedder, corpus))
    parts = replace(
        corpus,
        papers=joined_papers,
        dense=JoinedVectors(corpus.dense, DenseIndex.of(cut_papers.vectors, columns)),
        sparse=JoinedWords(corpus.sparse, beside(corpus.sparse, length, texts, columns)),
        terms=KeywordIndex(JoinedTerms(corpus.terms.papers, keyword_index_of(papers).papers)),
        coordinates=_coordinates(corpus, cut_papers.vectors),
        network=corpus.network.followed_by(len(papers)) if corpus.network else None,
        live=dict(enumerate(labels, start=n)),
    )
    return _with_passages(parts, corpus, cut_papers, columns)


def _coordinates(corpus: Corpus, vectors: Vectors) -> Coordinates | None:
    """Return the places of the corpus's papers on its map, followed by those of new papers with these vectors."""
    if corpus.coordinates is None:
        return None
    near = np.unique(np.concatenate([corpus.dense.search(vector, N_NEIGHBOURS).rows for vector in vectors]))
    places = place_papers(corpus.dense.vectors(near), corpus.coordinates[near], vectors)
    return np.concatenate([corpus.coordinates, places])


@dataclass(frozen=True, slots=True, eq=False)
class _CutPapers:
    """Papers with their vectors, and with the records of their titles, passages and tokens."""

    papers: Sequence[Paper]
    vectors: Vectors
    maker: PassageMaker
    records: Mapping[bytes, bytes]

    def of(self, role: str) -> list[bytes]:
        """Return each paper's record for `role`, a part of the corpus such as "titles"."""
        return [self.records[self.maker.key(role, paper)] for paper in self.papers]


def _cut_papers(papers: Sequence[Paper], maker: PassageMaker) -> _CutPapers:
    """Embed papers as a build does."""
    texts, embedder = [paper.text for paper in papers], maker.embedder
    if isinstance(embedder, TokenEmbedder):
        vectors, first = embedder.embed_with_tokens(texts, "document")
    else:
        vectors, first = embed_texts(texts, embedder), None
    return _CutPapers(papers, vectors, maker, dict(maker.records(papers, vectors, first)))


def _with_passages(joined_corpus: Corpus, corpus: Corpus, cut_papers: _CutPapers, columns: PaperTable) -> Corpus:
    """Add the passages, titles and tokens of the new papers to those of the corpus."""
    if corpus.passages is not None:
        second = _passage_index(cut_papers, corpus.dense.dimension, columns)
        joined_corpus = replace(joined_corpus, passages=JoinedPassages(corpus.passages, second))
    if corpus.titles is not None:
        titles = np.stack([np.frombuffer(record, np.float16) for record in cut_papers.of("titles")]).astype(np.float32)
        joined_corpus = replace(joined_corpus, titles=JoinedVectors(corpus.titles, DenseIndex.of(titles, columns)))
    if corpus.tokens is not None and cut_papers.maker.projection is not None:
        store = _token_store(cut_papers, cut_papers.maker.projection)
        joined_corpus = replace(joined_corpus, tokens=JoinedTokens(corpus.tokens, store, len(corpus.papers)))
    return joined_corpus


def _passage_index(cut_papers: _CutPapers, dimension: int, columns: PaperTable) -> PassageIndex:
    records = [passages.from_bytes(record, dimension) for record in cut_papers.of("passages")]
    starts = np.concatenate([[0], np.cumsum([len(own.spans) for own in records])]).astype(np.int64)
    vectors = np.concatenate([own.vectors for own in records]).astype(np.float32)
    return PassageIndex(DenseIndex.of(vectors), starts, np.concatenate([own.spans for own in records]), columns)


def _token_store(cut_papers: _CutPapers, projection: tokens.Projection) -> TokenStore:
    codec = codec_of(cut_papers.maker.form, projection.shape[1], DenseIndex.of(cut_papers.vectors))
    records = [tokens.from_bytes(record, codec) for record in cut_papers.of("tokens")]
    starts = np.concatenate([[0], np.cumsum([len(own) for own in records])]).astype(np.int64)
    return TokenStore(projection, starts, np.concatenate(records), codec)


def _own_length(texts: Sequence[str]) -> float:
    """Return the mean number of words in `texts`, which is used if the corpus itself has no words."""
    return max(float(np.mean([len(text.split()) for text in texts])), 1.0)
