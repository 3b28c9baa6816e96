"""Reranks the best candidates with the local reranker or a vendor's, or leaves them as they are."""

from dataclasses import replace

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.errors import ModelError, ProviderError, UsageError
from pathfinder.index.ports import TokenSource, WordStatistics
from pathfinder.llm.chat import in_brief
from pathfinder.models.ports import TokenEmbedder
from pathfinder.retrieval.reranking.local.model import fitted_model, relevance
from pathfinder.retrieval.reranking.local.one_thread import ONE_THREAD
from pathfinder.retrieval.reranking.local.predictors import (
    Terms,
    TokenPool,
    content_words,
    places_to_read,
    predictors_of,
    raised_at,
    raised_by_passages,
    text_of_passage,
    token_weights,
)
from pathfinder.retrieval.stages import Models, StageLog, StageReport, failed_stage, substituted_stage
from pathfinder.types import (
    ALWAYS_LOCAL,
    LOCAL_RERANKER,
    NO_RERANKER,
    RERANK_POOL_SIZE,
    Candidates,
    Floats,
    Rows,
    SearchRequest,
    StageOutcome,
)

NO_GAIN = "no gain on this corpus"
LONG = "by neighbours alone: the question is long"


def rerank(
    request: SearchRequest, candidates: Candidates, corpus: Corpus, models: Models, log: StageLog
) -> tuple[Candidates, StageReport]:
    """Return the candidates with `rerank` set for the best 250 of them, and a description of the reranker.

    If a vendor does not answer, the local reranker is used instead, and the badge and a note say so. Raises
    `UsageError` for an unknown reranker.
    """
    if request.reranker == NO_RERANKER:
        return candidates, StageReport(NO_RERANKER, status=StageOutcome.SKIPPED)
    check = corpus.reranker_check
    if request.reranker == LOCAL_RERANKER and check is not None and not check.is_on:
        return candidates, StageReport(f"off, {NO_GAIN}", status=StageOutcome.SKIPPED, reason=NO_GAIN)
    if not len(candidates):
        return candidates, failed_stage("nothing was found")
    # The pool is chosen by match alone, so that moving a slider gives the same result as a new search.
    positions = np.arange(min(len(candidates), RERANK_POOL_SIZE))
    if request.reranker in (LOCAL_RERANKER, ALWAYS_LOCAL):
        return _locally(request, candidates, positions, corpus, models)
    try:
        scores = _ask(request, candidates, positions, corpus, models)
    except (ProviderError, ModelError) as error:
        log.note(f"{request.reranker} did not rerank, so the local reranker was used: {error}")
        candidates, local = _locally(request, candidates, positions, corpus, models)
        reason = f"{request.reranker} unavailable ({in_brief(error, 'it')})"
        return candidates, substituted_stage(f"{reason}: {local.words}", reason, local.model)
    return _with_relevances(candidates, positions, scores), StageReport(
        f"{request.reranker}, {_describe_papers(positions)}", request.reranker
    )


def _ask(request: SearchRequest, candidates: Candidates, positions: Rows, corpus: Corpus, models: Models) -> Floats:
    """Return a vendor's scores from 0 to 1: those of the abstracts, raised by those of the best passages. All texts
    are sent at once, so that their scores can be compared.
    """
    if models.load_reranker is None:
        raise UsageError(f"{request.reranker!r} cannot rerank here: choose local or off")
    texts = [candidates.papers[int(i)].text for i in positions]
    places = [] if corpus.full_texts is None else places_to_read(candidates, len(positions))
    texts += [text_of_passage(candidates, place) for place in places]
    scores = _stretch(models.load_reranker(request.reranker).rerank(request.query, texts))
    own, match = scores[: len(positions)], scores[len(positions) :]
    if corpus.full_texts is None or not places:
        return own
    raised_scores = raised_at(places, own, match, corpus.full_texts.passage_counts[candidates.rows[places]])
    return _stretch(raised_scores)


def _locally(
    request: SearchRequest, candidates: Candidates, positions: Rows, corpus: Corpus, models: Models
) -> tuple[Candidates, StageReport]:
    if corpus.tokens is None:
        reason = corpus.manifest.absent.get("tokens", "it was built without them: build it again to add them")
        return candidates, failed_stage(f"the corpus has no token vectors ({reason})")
    if not isinstance(models.embedder, TokenEmbedder):
        return candidates, failed_stage(f"{models.embedder.name} provides no token vectors")
    with ONE_THREAD:
        terms = question_terms(request.query, models.embedder, corpus.tokens, corpus.sparse)
        if not len(terms.weights):
            return candidates, failed_stage("the question contains no words")
        pool = TokenPool.of(corpus.tokens, candidates.rows[positions], terms)
        predictors = predictors_of(pool, terms, candidates.vectors[positions])
        raised_predictors = {}
        if corpus.full_texts is not None:
            n_passages = corpus.full_texts.passage_counts
            raised_predictors = raised_by_passages(
                predictors, candidates, n_passages, terms, models.embedder, corpus.tokens
            )
    model = fitted_model().for_question(len(content_words(request.query)))
    scores = model.scores(predictors) + model.gains(predictors, raised_predictors)
    words = (
        f"local, {_describe_papers(positions)}"
        if model is fitted_model()
        else f"local, {_describe_papers(positions)}, {LONG}"
    )
    return _with_relevances(candidates, positions, relevance(scores, candidates.fused[positions])), StageReport(
        words, LOCAL_RERANKER
    )


def question_terms(query: str, embedder: TokenEmbedder, store: TokenSource, index: WordStatistics) -> Terms:
    """Return the tokens of `query` with a weight above 0, projected like the papers' tokens."""
    tokens = embedder.embed_tokens([query])[0]
    weights = token_weights(query, tokens.spans, index)
    is_weighted = weights > 0
    return Terms(store.project(tokens.vectors[is_weighted]), weights[is_weighted])


def _describe_papers(positions: Rows) -> str:
    return "1 paper" if len(positions) == 1 else f"{len(positions)} papers"


def _with_relevances(candidates: Candidates, positions: Rows, relevances: Floats) -> Candidates:
    rerank_scores = np.full(len(candidates), np.nan)
    rerank_scores[positions] = relevances
    return replace(candidates, rerank=rerank_scores)


def _stretch(scores: Floats) -> Floats:
    """Scale scores so that the worst becomes 0 and the best 1; if all are equal, all become 1."""
    span = scores.max() - scores.min()
    return (scores - scores.min()) / span if span > 0 else np.ones_like(scores)
