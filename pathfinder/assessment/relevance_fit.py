"""Fits the relevance decision of a corpus during its build, using the corpus's own titles and off-topic questions.

A title used as a question, with its own paper held back, represents the questions that the corpus covers; the off-topic
questions of the corpus's profile represent the others. Every predictor is measured relative to its median over the
off-topic questions, in units of its spread over them, so that the weights mean the same in a corpus of thirty papers as
in one of a hundred thousand, and for an embedder with high cosines as for one with low ones. The medians hold up even
if the corpus does cover the subject of some of those questions (medicine, say).

The weights start from a prior, which `benchmarks/relevance_prior.py` wrote and which is shipped with its provenance in
`relevance_prior.json`, and are pulled back towards it. With fewer than 300 papers, the prior's weights are kept: the
paper most similar to a title may then be unrelated, and would teach the decision to say yes to anything.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.decision import LogisticRule
from pathfinder.assessment.predictors import N_BEST, SMALLEST_SCALES
from pathfinder.assessment.relevance import PREDICTORS, RelevanceModel, measure
from pathfinder.index.ports import VectorIndex, WordIndex
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.models.ports import Embedder
from pathfinder.profile import Profile, astronomy, off_topic_questions
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.lookup.indexes import Rankings, look_up_dense, look_up_sparse, unite
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.types import POOL_SIZE, Floats, Paper, SearchRequest

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
        for name, predictors in _by_decision(measure(question, pool, ground.sparse)):
            rows[name].append(predictors)
    return {name: np.array(values).reshape(-1, len(PREDICTORS[name])) for name, values in rows.items()}


def _by_decision(measurement: tuple[str, Floats] | None) -> list[tuple[str, Floats]]:
    """Split the predictors by decision: for both halves of the search, and for each half on its own."""
    if measurement is None or measurement[0] != "both":
        return [] if measurement is None else [measurement]
    predictors = measurement[1]
    n_meaning, n_words = len(PREDICTORS["meaning"]), len(PREDICTORS["words"])
    return [measurement, ("meaning", predictors[:n_meaning]), ("words", predictors[n_meaning:][:n_words])]


def shipped_prior() -> RelevanceModel:
    """Read the prior, which was learned once from the development corpus."""
    text = resources.files("pathfinder.assessment").joinpath("relevance_prior.json").read_text(encoding="utf-8")
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
