"""The best candidates, looked at again: by the local reranker, by a vendor's, or by none."""

from dataclasses import replace

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.errors import ModelError, ProviderError, UsageError
from pathfinder.index.sparse import SparseIndex
from pathfinder.index.tokens import TokenStore
from pathfinder.models.ports import TokenEmbedder
from pathfinder.retrieval.local_reranker.features import features_of
from pathfinder.retrieval.local_reranker.model import fitted_model
from pathfinder.retrieval.local_reranker.pool import TokenPool
from pathfinder.retrieval.local_reranker.terms import Terms, token_weights
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.replies import in_brief
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import LOCAL_RERANKER, NO_RERANKER, RERANK_POOL_SIZE, Candidates, Floats, Rows, SearchRequest


def rerank(
    request: SearchRequest, candidates: Candidates, corpus: Corpus, models: Models, log: StageLog
) -> tuple[Candidates, str]:
    """The candidates with `rerank` filled in for the best 250 of them, and what did it, in words.

    A vendor that does not answer is replaced by the local reranker, and the words and a note say so. Raises
    `UsageError` for a reranker that nobody answers to.
    """
    if request.reranker == NO_RERANKER:
        return candidates, NO_RERANKER
    if not len(candidates):
        return candidates, "not run: nothing was found"
    # The best by their match, whatever is weighed: then a slider that is moved gives what a new search gives.
    chosen = np.arange(min(len(candidates), RERANK_POOL_SIZE))
    if request.reranker == LOCAL_RERANKER:
        return _locally(request, candidates, chosen, corpus, models)
    try:
        scores = _ask(request, candidates, chosen, models)
    except (ProviderError, ModelError) as error:
        log.note(f"{request.reranker} did not rerank, the local reranker was used: {error}")
        candidates, ran = _locally(request, candidates, chosen, corpus, models)
        return candidates, f"{request.reranker} unavailable ({in_brief(error, 'it')}): {ran}"
    return _filled(candidates, chosen, scores), f"{request.reranker}, {_counted(chosen)}"


def _ask(request: SearchRequest, candidates: Candidates, chosen: Rows, models: Models) -> Floats:
    if models.load_reranker is None:
        raise UsageError(f"no reranker is at hand for {request.reranker!r}: choose local or off")
    texts = [candidates.papers[int(i)].text for i in chosen]
    return models.load_reranker(request.reranker).rerank(request.query, texts)


def _locally(
    request: SearchRequest, candidates: Candidates, chosen: Rows, corpus: Corpus, models: Models
) -> tuple[Candidates, str]:
    if corpus.tokens is None:
        reason = corpus.manifest.absent.get("tokens", "it was built without them")
        return candidates, f"not run: the corpus has no token vectors ({reason}); build it again to have them"
    if not isinstance(models.embedder, TokenEmbedder):
        return candidates, f"not run: {models.embedder.name} does not tell the vectors of single tokens"
    terms = question_terms(request.query, models.embedder, corpus.tokens, corpus.sparse)
    if not len(terms.weights):
        return candidates, "not run: the question has no words"
    features = features_of(
        TokenPool.of(corpus.tokens, candidates.rows[chosen], terms),
        terms,
        candidates.vectors[chosen],
        dense=candidates.dense[chosen],
        sparse=candidates.sparse[chosen],
    )
    return _filled(candidates, chosen, fitted_model().scores(features)), f"local, {_counted(chosen)}"


def question_terms(query: str, embedder: TokenEmbedder, store: TokenStore, index: SparseIndex) -> Terms:
    """The tokens of `query` that weigh something, projected as the papers' are."""
    read = embedder.embed_tokens([query])[0]
    weights = token_weights(query, read.spans, index)
    said = weights > 0
    return Terms(store.project(read.vectors[said]), weights[said])


def _counted(chosen: Rows) -> str:
    return "1 paper" if len(chosen) == 1 else f"{len(chosen)} papers"


def _filled(candidates: Candidates, chosen: Rows, scores: Floats) -> Candidates:
    reranked = np.full(len(candidates), np.nan)
    reranked[chosen] = _stretched(scores)
    return replace(candidates, rerank=reranked)


def _stretched(scores: Floats) -> Floats:
    """From 0, the worst, to 1, the best; a constant list becomes 1."""
    span = scores.max() - scores.min()
    return (scores - scores.min()) / span if span > 0 else np.ones_like(scores)
