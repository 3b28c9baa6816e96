"""Abstention: a fitted decision on whether a corpus covers a question at all.

There are three decisions, one for each way of looking up a question: by meaning and words; by meaning alone (on
request, or for a question made only of stop words or in a language other than that of the corpus); and by words alone.
A half of the search that did not run is left out, rather than counted as a failure.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import islice
from typing import Annotated, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, TypeAdapter, with_config

from pathfinder.index.ports import VectorIndex, WordIndex, WordStatistics
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.index.sparse import rarity_of
from pathfinder.index.words import INDEX_STOP_WORDS, QUESTION_STOP_WORDS, stems, stems_of_paper, words
from pathfinder.models.ports import Embedder
from pathfinder.profile import Profile, astronomy, off_topic_questions
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.lookup.indexes import Rankings, look_up_dense, look_up_sparse, unite
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.text.stop_words import SPOKEN_ENGLISH
from pathfinder.text.strict_json import from_json, to_json
from pathfinder.types import POOL_SIZE, Expansion, Floats, Paper, SearchRequest, SearchResult


class PredictorPool(Protocol):
    """Candidate pool of a question, best first; `Candidates` is an example."""

    @property
    def papers(self) -> Sequence[Paper]: ...
    @property
    def vectors(self) -> NDArray[np.float32]: ...
    @property
    def dense(self) -> Floats: ...
    @property
    def sparse(self) -> Floats: ...


# A yes-or-no decision from a few predictors: logistic regression with a ridge penalty that pulls the weights towards
# given ones.

# SciPy is imported only where it is used, because importing it takes longer than opening a corpus.

PULL = 3.0
"""Strength of the ridge penalty that pulls the weights towards the prior, low enough that a few dozen examples can
overrule it.
"""

MAD_TO_SD = 1.4826
"""Ratio of the standard deviation of a normal distribution to its median absolute deviation."""

LOWEST, HIGHEST = -5.0, 15.0
"""Range to which a scaled predictor is clipped, so that no single predictor decides on its own."""

MIN_EXAMPLES = 20
"""Minimum number of examples for their median and spread to be meaningful."""


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, serialize_by_alias=True))
@dataclass(frozen=True, slots=True)
class LogisticRule:
    """`p = 1 / (1 + exp(-(intercept + sum of weight * (x - centre) / scale)))`, summed over the predictors x."""

    predictors: Annotated[tuple[str, ...], Field(alias="features")]
    """Names of the predictors, stored as `features`, as in 0.1.0."""
    centres: tuple[float, ...]
    """Medians over off-topic questions: a scaled predictor of 0 is typical of an off-topic question in this corpus."""
    scales: tuple[float, ...]
    """Robust standard deviations over off-topic questions, above 0."""
    weights: tuple[float, ...]
    intercept: float

    def __post_init__(self) -> None:
        for name in ("centres", "scales", "weights"):
            if len(getattr(self, name)) != len(self.predictors):
                raise ValueError(f"{name} must have one number for each of {len(self.predictors)} predictors")
        if min(self.scales, default=1.0) <= 0:
            raise ValueError(f"scales must be above 0, got {min(self.scales)}")

    def probability(self, predictors: Floats) -> float:
        """Return the probability that the corpus covers the question, for predictors of shape (n_predictors,)."""
        from scipy.special import expit

        return float(expit(self.scale(predictors[np.newaxis])[0] @ self.weights + self.intercept))

    def at(self, off_topic: Floats, smallest_scales: Floats) -> Self:
        """Return a decision with the same weights, but with centres and scales from `off_topic`, the predictors of
        off-topic questions, shape (n, n_predictors).
        """
        if len(off_topic) < MIN_EXAMPLES:
            return self
        centres = np.median(off_topic, axis=0)
        spread = MAD_TO_SD * np.median(np.abs(off_topic - centres), axis=0)
        scales = np.maximum(spread, smallest_scales)
        return type(self)(self.predictors, _numbers(centres), _numbers(scales), self.weights, self.intercept)

    def fit_to(self, on_topic: Floats, off_topic: Floats, pull: float = PULL) -> Self:
        """Fit weights that separate on-topic from off-topic questions and are pulled towards the current weights.

        Both arrays have the shape (n, n_predictors). Minimises the log-loss, in which each kind has a total weight
        equal to the number of off-topic questions, plus `pull / 2` times the squared distance to the current weights.
        """
        if min(len(on_topic), len(off_topic)) < MIN_EXAMPLES:
            return self
        from scipy.optimize import minimize
        from scipy.special import expit

        rows = np.vstack([self.scale(on_topic), self.scale(off_topic)])
        rows = np.column_stack([rows, np.ones(len(rows))])
        signs = np.repeat([1.0, -1.0], [len(on_topic), len(off_topic)])
        shares = np.repeat([len(off_topic) / len(on_topic), 1.0], [len(on_topic), len(off_topic)])
        prior = np.array([*self.weights, self.intercept])

        def loss(beta: Floats) -> tuple[float, Floats]:
            margins, away = signs * (rows @ beta), beta - prior
            value = shares @ np.logaddexp(0.0, -margins) + pull / 2 * away @ away
            return float(value), -(shares * signs * expit(-margins)) @ rows + pull * away

        best = _numbers(minimize(loss, prior, jac=True, method="L-BFGS-B").x)
        return type(self)(self.predictors, self.centres, self.scales, best[:-1], best[-1])

    def scale(self, rows: Floats) -> Floats:
        """Return `rows` minus the centres, in units of the scales, clipped to [-5, 15]; shape (n, n_predictors)."""
        return np.asarray(np.clip((rows - np.array(self.centres)) / np.array(self.scales), LOWEST, HIGHEST))


def _numbers(values: Floats) -> tuple[float, ...]:
    # Round, because the last bits of a sum differ between machines, but builds must be identical byte for byte.
    return tuple(round(float(value), 4) for value in values)


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, serialize_by_alias=True))
@dataclass(frozen=True, slots=True)
class RelevanceModel:
    """The relevance decisions of one corpus, and the data on which they were fitted."""

    both: LogisticRule
    meaning: LogisticRule
    words: LogisticRule
    threshold: float
    """Minimum probability, in [0, 1], at which a question is answered."""
    n_titles: int
    """Number of titles from the corpus used as good questions, each with its own paper held back; 0 if the shipped
    weights are used.
    """
    n_off_topic: int
    """Number of off-topic questions used as bad questions."""

    def __post_init__(self) -> None:
        for name, decision in (("both", self.both), ("meaning", self.meaning), ("words", self.words)):
            if decision.predictors != PREDICTORS[name]:
                raise ValueError(f"{name} must weigh {PREDICTORS[name]}, got {decision.predictors}")
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must lie in 0..1, got {self.threshold}")

    def assess(self, result: SearchResult, counts: WordStatistics) -> float:
        """Return the probability, in [0, 1], that the corpus covers the question of `result`; 0 if nothing was found.

        The judgement rests on the pool, best match first, rather than on the hits: weights and top_k change the hits
        but not what the corpus covers. `counts` are the word statistics of the corpus (its sparse index). A question is
        judged as written and without its words of speech, which no paper contains, and the better of the two holds.
        """
        forms = dict.fromkeys((result.words, without_speech(result.words)))
        return max(self.probability(form, result.candidates, counts, result.expansions) for form in forms)

    def probability(
        self, question: str, pool: PredictorPool, counts: WordStatistics, expansions: Sequence[Expansion] = ()
    ) -> float:
        """Return the probability, in [0, 1], that the corpus covers `question`, judged by its candidate `pool`; the
        other names in `expansions` stand for terms of the question.
        """
        measurement = measure(question, pool, counts, expansions)
        if measurement is None:
            return 0.0
        name, predictors = measurement
        decision: LogisticRule = getattr(self, name)
        return decision.probability(predictors)

    def to_json(self) -> str:
        return to_json(_ADAPTER, self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "RelevanceModel":
        """Read the output of `to_json`; raises `CorpusDamaged` for anything else."""
        return from_json(_ADAPTER, text, "the relevance decision")


MEANING_PREDICTORS = ("best cosine", "mean cosine of 10", "coherence of 10")
WORD_PREDICTORS_ALONE = ("best BM25 share", "best coverage", "mean coverage of 10", "coverage of all 10")
WORD_PREDICTORS = (*WORD_PREDICTORS_ALONE, "BM25 share of the 10 nearest")

PREDICTORS = {
    "both": (*MEANING_PREDICTORS, *WORD_PREDICTORS),
    "meaning": MEANING_PREDICTORS,
    "words": WORD_PREDICTORS_ALONE,
}
"""Predictors used in each of the three decisions."""


def without_speech(question: str) -> str:
    """Return `question` without words of speech ("what's the deal with"), or unchanged if it has no other content."""
    content = [word for word in words(question) if word not in SPOKEN_ENGLISH]
    return " ".join(content) if stems(content, QUESTION_STOP_WORDS) else question


def measure(
    question: str, pool: PredictorPool, counts: WordStatistics, expansions: Sequence[Expansion] = ()
) -> tuple[str, Floats] | None:
    """Choose the decision that applies to a question and compute its predictors; `None` if nothing was found."""
    if len(pool.dense) == 0:
        return None
    has_meaning, has_words = not np.isnan(pool.dense).all(), not np.isnan(pool.sparse).all()
    if has_meaning and has_words:
        return "both", np.concatenate([meaning_predictors(pool), word_predictors(question, pool, counts, expansions)])
    if has_meaning:
        return "meaning", meaning_predictors(pool)
    return "words", word_predictors(question, pool, counts, expansions)


N_BEST = 10
"""Number of hits considered."""


def meaning_predictors(pool: PredictorPool) -> Floats:
    """Compute `MEANING_PREDICTORS` for a pool with cosines, shape (3,)."""
    nearest = np.argsort(-pool.dense, kind="stable")[:N_BEST]
    vectors = pool.vectors[nearest].astype(np.float64)
    return np.array([pool.dense[nearest[0]], pool.dense[nearest].mean(), _coherence(vectors)])


def _coherence(vectors: Floats) -> float:
    """Return the mean cosine over all pairs of k unit vectors; 1 for a single vector.

    It follows from the squared length of the vectors' sum, which is k plus twice the sum of the cosines over all pairs.
    """
    k = len(vectors)
    return float((np.square(vectors.sum(axis=0)).sum() - k) / (k * (k - 1))) if k > 1 else 1.0


def word_predictors(
    question: str, pool: PredictorPool, counts: WordStatistics, expansions: Sequence[Expansion] = ()
) -> Floats:
    """Compute `WORD_PREDICTORS`, each in [0, 1], for a pool with BM25 scores; `WORD_PREDICTORS_ALONE` if it has no
    cosines.

    Each is a fraction of the highest score that the question's words could reach, weighted by rarity. A word that
    occurs in no paper gets the highest weight, so a question that contains it cannot reach 1, unless papers call the
    same thing by another name, in `expansions`: such a paper has the words of the term, which are as rare as the most
    frequent of its names.
    """
    question_words = counts.content_words(question)
    rarity = dict(zip(question_words, rarity_of(counts.document_frequencies(question_words), len(counts)), strict=True))
    names = [_Names.of(expansion, counts) for expansion in expansions]
    for name in names:
        rarity |= {word: min(rarity[word], name.rarity) for word in name.term & rarity.keys()}
    reachable = sum(rarity.values())
    stems_of_papers = (stems_of_paper(paper.text, INDEX_STOP_WORDS) for paper in islice(pool.papers, N_BEST))
    # A text that has another name for a term counts as having the term.
    texts = [
        own.union(*(name.term for name in names if any(other <= own for other in name.others))) & rarity.keys()
        for own in stems_of_papers
    ]
    coverages = [sum(rarity[word] for word in text) / reachable for text in texts]
    together = sum(rarity[word] for word in set().union(*texts)) / reachable
    bm25 = np.minimum(pool.sparse / reachable, 1.0)
    alone = [bm25.max(), max(coverages), np.mean(coverages), together]
    if np.isnan(pool.dense).all():
        return np.array(alone)
    nearest = np.argsort(-pool.dense, kind="stable")[:N_BEST]
    return np.array([*alone, bm25[nearest].mean()])


@dataclass(frozen=True, slots=True)
class _Names:
    """The stems of a term in the question, and those of each of its other names."""

    term: frozenset[str]
    others: tuple[frozenset[str], ...]
    rarity: float
    """Rarity of the most frequent of the other names, each of which is as rare as the rarest of its words."""

    @classmethod
    def of(cls, expansion: Expansion, counts: WordStatistics) -> "_Names":
        others = [name for name in map(counts.content_words, expansion.names) if name]
        rarity = [rarity_of(counts.document_frequencies(name), len(counts)).max() for name in others]
        return cls(
            frozenset(counts.content_words(expansion.term)), tuple(map(frozenset, others)), min(rarity, default=np.inf)
        )


_ADAPTER = TypeAdapter(RelevanceModel)

# Cheap predictors, computed from a candidate pool, that show whether the corpus covers the question.
#
# The cosine alone cannot show this, because an off-topic question may be closer to its best hit than a good question
# is. Taken together, the following can: how close the ten best papers are to the question and to each other, how many
# of its rare words they contain, and whether meaning and words point to the same papers.

SMALLEST_SCALES = {
    "best cosine": 0.03,
    "mean cosine of 10": 0.03,
    "coherence of 10": 0.05,
    "best BM25 share": 0.04,
    "best coverage": 0.05,
    "mean coverage of 10": 0.04,
    "coverage of all 10": 0.1,
    "BM25 share of the 10 nearest": 0.02,
}
"""Minimum scale of each predictor: smaller differences are meaningless, however similar the off-topic questions are."""

# Fits the relevance decision of a corpus during its build, using the corpus's own titles and off-topic questions.
#
# A title used as a question, with its own paper held back, represents the questions that the corpus covers; the
# off-topic questions of the corpus's profile represent the others. Every predictor is measured relative to its median
# over the off-topic questions, in units of its spread over them, so that the weights mean the same in a corpus of
# thirty papers as in one of a hundred thousand, and for an embedder with high cosines as for one with low ones. The
# medians hold up even if the corpus does cover the subject of some of those questions (medicine, say).
#
# The weights start from a prior, which `benchmarks/relevance_prior.py` wrote and which is shipped with its provenance
# in `relevance_prior.json`, and are pulled back towards it. With fewer than 300 papers, the prior's weights are kept:
# the paper most similar to a title may then be unrelated, and would teach the decision to say yes to anything.

MAX_TITLES = 300
MIN_PAPERS = 300
"""Minimum size of a corpus for a title to find related papers when its own paper is held back."""

Examples = dict[str, Floats]
"""Predictors of questions, grouped by the decision that applies to them, each of shape (n, n_predictors)."""


class TrialCorpus(Protocol):
    """Papers and indexes in which questions are looked up; row i is the same paper in all of them. `Corpus` is an
    example.
    """

    @property
    def papers(self) -> Sequence[Paper]: ...
    @property
    def dense(self) -> VectorIndex: ...
    @property
    def sparse(self) -> WordIndex: ...


def fit(ground: TrialCorpus, embedder: Embedder | None, seed: int, profile: Profile | None = None) -> RelevanceModel:
    """Fit the decision of a corpus.

    At most 300 titles are drawn with `seed`; they and the off-topic questions of `profile`, by default those of the
    astronomy profile, are embedded and looked up. Without an `embedder`, they are looked up by words alone: only the
    decision for such searches is fitted, and the others keep the prior's weights.
    """
    n_papers = len(ground.papers)
    questions = off_topic_questions(profile or astronomy())
    off_topic = examples(questions, ground, embedder) if n_papers else _no_examples()
    on_topic, n_titles = _no_examples(), 0
    if n_papers >= MIN_PAPERS:
        rows = draw_rows(n_papers, MAX_TITLES, seed)
        on_topic, n_titles = examples([ground.papers[row].title for row in rows], ground, embedder, rows), len(rows)
    return fit_examples(shipped_prior(), on_topic, off_topic, (n_titles, len(questions)))


def fit_examples(
    prior: RelevanceModel, on_topic: Examples, off_topic: Examples, counts: tuple[int, int]
) -> RelevanceModel:
    """Adjust `prior` to these examples; `counts` gives the numbers of questions, on and off topic."""
    decisions: dict[str, LogisticRule] = {}
    for name, predictors in PREDICTORS.items():
        smallest = np.array([SMALLEST_SCALES[predictor] for predictor in predictors])
        decision: LogisticRule = getattr(prior, name)
        decisions[name] = decision.at(off_topic[name], smallest).fit_to(on_topic[name], off_topic[name])
    return replace(prior, **decisions, n_titles=counts[0], n_off_topic=counts[1])  # type: ignore[arg-type]


def examples(
    questions: Sequence[str], ground: TrialCorpus, embedder: Embedder | None, held_back: Sequence[int] | None = None
) -> Examples:
    """Compute the predictors of `questions` for each decision that applies to them; paper `held_back[i]` is hidden from
    question i.
    """
    rows: dict[str, list[Floats]] = {name: [] for name in PREDICTORS}
    vectors: Iterable[Direction] = embedder.embed(questions, "query") if embedder else [None] * len(questions)
    for i, (question, vector) in enumerate(zip(questions, vectors, strict=True)):
        pool = _pool(question, vector, ground, None if held_back is None else held_back[i])
        if measurement := measure(question, pool, ground.sparse):
            name, predictors = measurement
            rows[name].append(predictors)
            if name == "both":  # and each half of the search on its own
                n_meaning, n_words = len(PREDICTORS["meaning"]), len(PREDICTORS["words"])
                rows["meaning"].append(predictors[:n_meaning])
                rows["words"].append(predictors[n_meaning:][:n_words])
    return {name: np.array(values).reshape(-1, len(PREDICTORS[name])) for name, values in rows.items()}


def shipped_prior() -> RelevanceModel:
    """Read the prior, which was learned once from the development corpus."""
    text = (
        resources.files("pathfinder.answering.assessment").joinpath("relevance_prior.json").read_text(encoding="utf-8")
    )
    return RelevanceModel.from_json(json.dumps(json.loads(text)["model"]))


def draw_rows(n_papers: int, at_most: int, seed: int) -> list[int]:
    """Draw the rows of a random sample of papers, in the order of the corpus."""
    rows = np.random.default_rng(seed).choice(n_papers, size=min(at_most, n_papers), replace=False)
    return [int(row) for row in np.sort(rows)]


@dataclass(frozen=True, slots=True, eq=False)
class _Pool:
    papers: Sequence[Paper]
    vectors: NDArray[np.float32]
    dense: Floats
    sparse: Floats


def _pool(question: str, vector: Direction, ground: TrialCorpus, held_back: int | None) -> _Pool:
    """Search without filters, leaving out one paper."""
    predicate = EVERY_PAPER if held_back is None else EVERY_PAPER.without((ground.papers[held_back].paper_id,))
    dense, _ = look_up_dense(vector, predicate, ground.dense)
    sparse, _ = look_up_sparse(SearchRequest(question), predicate, ground.sparse)
    hits = unite(Rankings(dense, sparse, vector, predicate), ground.dense)
    order = np.lexsort((hits.rows, -fuse(hits.dense, hits.sparse, hits.lowest_cosine)))[:POOL_SIZE]
    bm25 = hits.sparse[order]
    return _Pool(
        papers=[ground.papers[int(row)] for row in hits.rows[order][:N_BEST]],
        vectors=hits.vectors[order],
        dense=np.clip(hits.dense[order], 0.0, 1.0),
        sparse=bm25 if np.isnan(hits.sparse).all() else np.nan_to_num(bm25),
    )


def _no_examples() -> Examples:
    return {name: np.empty((0, len(predictors))) for name, predictors in PREDICTORS.items()}
