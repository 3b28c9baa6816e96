"""Makes the parts that are fitted once to a whole corpus, or taken from the inputs, so that no question has to wait for
them.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathfinder.answering.assessment import relevance
from pathfinder.answering.assessment.assess import calibrate
from pathfinder.answering.assessment.relevance import RelevanceModel, draw_rows
from pathfinder.building.work import Work
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.reranker_check import RerankerCheck
from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import write_thesaurus
from pathfinder.index.ports import Tokens, TokenSource, WordIndex
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.index.sparse import K1, B, rarity_of
from pathfinder.index.words import INDEX_STOP_WORDS, QUESTION_STOP_WORDS, stems, words
from pathfinder.models.ports import Embedder, KeylessEmbedder, TokenEmbedder
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.lookup.indexes import Rankings, look_up_dense, look_up_sparse, unite
from pathfinder.retrieval.reranking.local.model import fitted_model
from pathfinder.retrieval.reranking.local.one_thread import ONE_THREAD
from pathfinder.retrieval.reranking.local.predictors import TokenPool, content_words, predictors_of
from pathfinder.retrieval.reranking.rerank import question_terms
from pathfinder.types import RERANK_POOL_SIZE, Floats, Rows, SearchRequest
from pathfinder.types.weighting import EPSILON

SEED = 20240801
"""Seed of all random draws, so that repeated builds produce the same bytes."""


def outliers_part(work: Work) -> CorpusFile:
    """Compute the thresholds beyond which a hit is an outlier."""
    with work.stage("calibrating outliers"):
        return work.make_part("outliers", "outliers.json", calibrate(work.vectors, SEED).to_json())


def relevance_part(work: Work) -> CorpusFile:
    """Fit the model that decides whether the corpus is relevant to a question; without the embedder's key, only the
    decision for searches by words is fitted, and all searches use it.
    """
    with work.stage("fitting relevance"):
        embedder, corpus = None if isinstance(work.embedder, KeylessEmbedder) else work.embedder, work.corpus
        return work.make_part(
            "relevance", "relevance.json", relevance.fit(corpus, embedder, SEED, corpus.profile).to_json()
        )


def awaits_key(work: Work) -> bool:
    """Return whether the relevance decision of the previous corpus was fitted to words alone, and the embedder's key is
    now available.
    """
    previous = work.previous
    if previous is None or previous.path("relevance") is None or isinstance(work.embedder, KeylessEmbedder):
        return False
    stored = RelevanceModel.from_json(previous.read("relevance"))
    return stored.n_off_topic > 0 and stored.meaning == relevance.shipped_prior().meaning


def reranker_part(work: Work) -> CorpusFile | str:
    """Measure whether the local reranker helps in this corpus; return the reason if that cannot be measured."""
    if not isinstance(work.embedder, TokenEmbedder):
        return f"{work.embedder.name} provides no token vectors"
    with work.stage("checking the reranker"):
        check = check_reranker(work.corpus, work.embedder, work.paper_embedder, SEED)
    return check if isinstance(check, str) else work.make_part("reranker", "reranker.json", check.to_json())


def thesaurus_part(work: Work) -> CorpusFile | str:
    """Put the new thesaurus in place or, without one, keep the previous one; if there is neither, say so."""
    new = work.plan.inputs.thesaurus
    if new is None:
        previous_part = work.previous.manifest.parts.get("thesaurus") if work.previous else None
        return previous_part or "this corpus has no thesaurus: build with --thesaurus FILE"
    return work.make_part("thesaurus", "thesaurus", lambda folder: write_thesaurus(new.name, new.concepts, folder))


def profile_parts(work: Work) -> dict[str, CorpusFile]:
    """Put the new profile in place or, without one, keep the previous one; return nothing if there is neither."""
    content = work.plan.inputs.profile
    if content is None:
        previous_parts = work.previous.manifest.parts if work.previous else {}
        return {role: part for role, part in previous_parts.items() if role == "profile"}
    return {"profile": work.make_part("profile", "profile.toml", content.decode())}


# Checks the local reranker on a corpus, with questions made from the corpus's own titles.
#
# A title serves as the question, and its own paper, read without the title, is the paper to find: the vector is that
# of the abstract alone, BM25 counts the words in the abstract, and the tokens of the title are left out.

MAX_QUESTIONS = 60
SAMPLES = 4
"""Number of papers drawn for each question: more than one, because some have no abstract."""

MIN_PAPERS = 300
"""Minimum number of papers in a corpus: in a smaller one, nearly every paper is found whatever the order."""

DEPTH = 10
"""Last rank at which a paper still counts as found."""


@dataclass(frozen=True, slots=True, eq=False)
class TitleQuestion:
    """A paper without its title, which serves as the question."""

    row: int
    text: str
    vector: NDArray[np.float32]
    """Unit vector of `text`."""
    sentences: frozenset[int] = frozenset({0})
    """Numbers of the sentences removed; 0 is the title."""


@dataclass(frozen=True, slots=True, eq=False)
class RerankerPool:
    """The papers that the reranker would read for a question, best match first."""

    rows: Rows
    match: Floats
    """`log(0.05 + s)`, where s is the fused score."""
    predictors: dict[str, Floats]
    n_words: int
    """Number of content words in the question."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A corpus in which the questions are looked up."""

    corpus: Corpus
    tokens: TokenSource
    embedder: TokenEmbedder
    mean_length: float
    """Mean number of indexed words in a paper."""

    def pool(
        self, question: str, title_question: TitleQuestion | None = None, predicate: Predicate = EVERY_PAPER
    ) -> RerankerPool:
        """Look up a question in the corpus, with the paper of `title_question` reduced to its remaining text."""
        (vector,) = self.embedder.embed([question], "query")
        dense, _ = look_up_dense(vector, predicate, self.corpus.dense)
        sparse, _ = look_up_sparse(SearchRequest(question), predicate, self.corpus.sparse)
        hits = unite(Rankings(dense, sparse, vector, predicate), self.corpus.dense)
        if title_question is not None:
            own = hits.rows == title_question.row
            score = bm25(question, title_question.text, self.corpus.sparse, self.mean_length)
            hits = replace(
                hits,
                vectors=np.where(own[:, np.newaxis], title_question.vector, hits.vectors),
                dense=np.where(own, float(title_question.vector @ vector), hits.dense),
                sparse=np.where(own, score if score > 0 else np.nan, hits.sparse),
            )
        fused_scores = fuse(hits.dense, hits.sparse, hits.lowest_cosine)
        best = np.lexsort((hits.rows, -fused_scores))[:RERANK_POOL_SIZE]
        terms = question_terms(question, self.embedder, self.tokens, self.corpus.sparse)
        source = self.tokens if title_question is None else _Remaining(self.tokens, title_question)
        predictors = predictors_of(TokenPool.of(source, hits.rows[best], terms), terms, hits.vectors[best])
        return RerankerPool(
            hits.rows[best], np.log(EPSILON + fused_scores[best]), predictors, len(content_words(question))
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Remaining:
    """Tokens of a corpus, except those in the hidden sentences of a paper."""

    source: TokenSource
    title_question: TitleQuestion

    def gather(self, rows: Rows) -> Tokens:
        tokens = self.source.gather(rows)
        owners = np.repeat(rows, np.diff(tokens.offsets))
        is_left = (owners != self.title_question.row) | ~np.isin(tokens.sentences, list(self.title_question.sentences))
        offsets = np.concatenate([[0], np.cumsum(is_left)])[tokens.offsets]
        return Tokens(tokens.vectors[is_left], tokens.ids[is_left], tokens.sentences[is_left], offsets)

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.source.project(vectors)


def check_reranker(corpus: Corpus, embedder: TokenEmbedder, paper_embedder: Embedder, seed: int) -> RerankerCheck | str:
    """Measure what the reranker changes, or return the reason why this cannot be measured; at most 60 titles are
    drawn with `seed`. Titles are embedded as questions are, abstracts as the papers in the corpus are.
    """
    if corpus.tokens is None:
        return "the corpus has no token vectors"
    sample = [(row, corpus.papers[row]) for row in draw_rows(len(corpus.papers), SAMPLES * MAX_QUESTIONS, seed)]
    usable = [(row, paper) for row, paper in sample if paper.has_abstract and content_words(paper.title)]
    titles = [usable[place] for place in draw_rows(len(usable), MAX_QUESTIONS, seed)]
    if len(corpus.papers) < MIN_PAPERS or len(titles) < 2:
        return f"this needs at least {MIN_PAPERS} papers, some with abstracts"
    mean_length = float(np.mean([n_indexed(paper.text) for _, paper in titles]))
    trial = Trial(corpus, corpus.tokens, embedder, mean_length)
    vectors = paper_embedder.embed([paper.abstract for _, paper in titles], "document")
    both = []
    with ONE_THREAD:
        for (row, paper), vector in zip(titles, vectors, strict=True):
            pool = trial.pool(paper.title, TitleQuestion(row, paper.abstract, vector))
            reranked_scores = pool.match + fitted_model().for_question(pool.n_words).scores(pool.predictors)
            both.append((_ndcg(pool.rows == row, pool.match), _ndcg(pool.rows == row, reranked_scores)))
    scores = np.array(both)
    fusion, with_reranker = (round(float(mean), 6) for mean in scores.mean(axis=0))
    error = float(np.std(scores[:, 1] - scores[:, 0], ddof=1) / np.sqrt(len(scores)))
    return RerankerCheck(len(scores), fusion, with_reranker, round(error, 6))


def _ndcg(is_sought: NDArray[np.bool_], scores: Floats) -> float:
    """Return nDCG@10 with one relevant paper, `1 / log2(1 + rank)`; 0 if it is not among the ten best."""
    place = np.flatnonzero(is_sought[np.argsort(-scores, kind="stable")[:DEPTH]])
    return float(1 / np.log2(2 + place[0])) if len(place) else 0.0


def bm25(question: str, text: str, index: WordIndex, mean_length: float) -> float:
    """Return the BM25 score of a text that is not in the index; `mean_length` is the mean number of indexed words in a
    paper. The formula is the one in `index/sparse.py`.
    """
    own, question_stems = stems(words(text), INDEX_STOP_WORDS), stems(words(question), QUESTION_STOP_WORDS)
    frequencies = np.array([own.count(stem) for stem in question_stems], dtype=np.float64)
    idf = rarity_of(index.document_frequencies(question_stems), len(index))
    return float(np.sum(idf * frequencies / (frequencies + K1 * (1 - B + B * len(own) / mean_length))))


def n_indexed(text: str) -> int:
    """Return the number of words in a text that BM25 counts."""
    return len(stems(words(text), INDEX_STOP_WORDS))
