"""The ways to rank a corpus that are compared: the product's own search, its sides alone, and a bag of words."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.store import Corpus
from pathfinder.index.ports import NO_HITS, best
from pathfinder.models.ports import Embedder
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.search import search
from pathfinder.types import POOL_SIZE, Rows, SearchRequest, Sides

Ranker = Callable[[str], Rows]
"""From a question to the rows of at most 1,000 papers, best first."""

SEARCHES: Mapping[str, Callable[[str], SearchRequest]] = MappingProxyType(
    {
        "default": SearchRequest,
        "bm25": lambda question: SearchRequest(question, sides=Sides.SPARSE),
        "dense": lambda question: SearchRequest(question, sides=Sides.DENSE),
        "hybrid": lambda question: SearchRequest(question, sides=Sides.BOTH),
    }
)
"""What each method asks of the search. `default` leaves everything to it, whatever its defaults become."""

METHODS = ("default", "tfidf", "bm25", "dense", "hybrid")


def make_ranker(method: str, corpus: Corpus, embedder: Embedder, extractor: KeywordExtractor) -> Ranker:
    """The ranker of one of `METHODS` over `corpus`."""
    if method == "tfidf":
        return _tfidf(corpus)
    request = SEARCHES[method]
    models = Models(embedder, extractor)

    def rank(question: str) -> Rows:
        result = search(request(question), corpus, models)
        # Behind the hits, which a later stage may have put in another order, come the other candidates.
        hits = np.array([hit.row for hit in result.hits], dtype=np.int64)
        rest = result.candidates.rows
        return np.concatenate([hits, rest[~np.isin(rest, hits)]])

    return rank


def _tfidf(corpus: Corpus) -> Ranker:
    """Cosine of TF-IDF vectors: the bag of words that arXiv:2408.01556 compares itself with."""
    vectorizer = TfidfVectorizer(stop_words="english")
    texts = [paper.text for paper in corpus.papers]
    if not any(map(vectorizer.build_analyzer(), texts)):
        return lambda _: NO_HITS.rows
    documents = vectorizer.fit_transform(texts)

    def rank(question: str) -> Rows:
        cosines = (documents @ vectorizer.transform([question]).T).toarray().ravel()
        rows = np.flatnonzero(cosines > 0)
        return best(rows, cosines[rows], POOL_SIZE).rows

    return rank
