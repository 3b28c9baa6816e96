"""Fits a corpus's decision when it is built: from its own titles, and from questions on other matters.

A title asked as a question, with its own paper held back, stands for a question that the corpus bears on;
the shipped off-topic questions stand for the others. Every feature is measured from the off-topic
questions' median in steps of their spread, so that the same weights mean the same in a corpus of thirty
papers or a hundred thousand, and for an embedder whose cosines run high or low. Where a corpus covers what
some of those questions ask (medicine, say), medians forgive them.

The weights start from a prior, shipped in `relevance_prior.json` with its provenance, and are pulled back
towards it; `benchmarks/relevance_prior.py` wrote it. Below 300 papers the prior's weights stand: there, a
title's nearest relative may well be no relative, and would teach the decision to say yes to anything.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.decision import Decision
from pathfinder.assessment.features import N_BEST, SMALLEST_SCALES
from pathfinder.assessment.relevance import FEATURES, RelevanceModel, measure
from pathfinder.index.dense import DenseIndex
from pathfinder.index.sparse import SparseIndex
from pathfinder.models.ports import Embedder
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.lookup import look_up_dense, look_up_sparse, unite
from pathfinder.types import POOL_SIZE, Floats, Paper, SearchRequest

MAX_TITLES = 300
MIN_PAPERS = 300
"""Fewer papers are too few for a title to find its like without its own paper."""

Examples = dict[str, Floats]
"""Features of questions by the decision that they fall under, each of shape (n, n_features)."""


class Ground(Protocol):
    """What questions are tried on; row i is the same paper in all three. `Corpus` is one."""

    @property
    def papers(self) -> Sequence[Paper]: ...
    @property
    def dense(self) -> DenseIndex: ...
    @property
    def sparse(self) -> SparseIndex: ...


def fit(ground: Ground, embedder: Embedder, seed: int) -> RelevanceModel:
    """The decision of a corpus. At most 300 titles are drawn with `seed`; 360 questions are embedded and looked up."""
    n_papers = len(ground.papers)
    asked = off_topic_questions()
    off_topic = examples(asked, ground, embedder) if n_papers else _no_examples()
    on_topic, n_titles = _no_examples(), 0
    if n_papers >= MIN_PAPERS:
        rows = draw_rows(n_papers, MAX_TITLES, seed)
        on_topic, n_titles = examples([ground.papers[row].title for row in rows], ground, embedder, rows), len(rows)
    return fit_examples(shipped_prior(), on_topic, off_topic, (n_titles, len(asked)))


def fit_examples(
    prior: RelevanceModel, on_topic: Examples, off_topic: Examples, counts: tuple[int, int]
) -> RelevanceModel:
    """`prior` moved to where these examples lie; `counts` are the numbers of questions, on topic and off."""
    decisions: dict[str, Decision] = {}
    for name, features in FEATURES.items():
        smallest = np.array([SMALLEST_SCALES[feature] for feature in features])
        decision: Decision = getattr(prior, name)
        decisions[name] = decision.at(off_topic[name], smallest).fitted(on_topic[name], off_topic[name])
    return replace(prior, **decisions, n_titles=counts[0], n_off_topic=counts[1])  # type: ignore[arg-type]


def examples(
    questions: Sequence[str], ground: Ground, embedder: Embedder, held_back: Sequence[int] | None = None
) -> Examples:
    """Features of `questions` under each decision that they allow; paper `held_back[i]` is hidden from question i."""
    rows: dict[str, list[Floats]] = {name: [] for name in FEATURES}
    vectors = embedder.embed(questions, "query")
    for i, (question, vector) in enumerate(zip(questions, vectors, strict=True)):
        pool = _pool(question, vector, ground, None if held_back is None else held_back[i])
        for name, features in _by_decision(measure(question, pool, ground.sparse)):
            rows[name].append(features)
    return {name: np.array(found).reshape(-1, len(FEATURES[name])) for name, found in rows.items()}


def _by_decision(measured: tuple[str, Floats] | None) -> list[tuple[str, Floats]]:
    """What was measured of a question, and what would have been with either side silent."""
    if measured is None or measured[0] != "both":
        return [] if measured is None else [measured]
    features = measured[1]
    n_meaning, n_words = len(FEATURES["meaning"]), len(FEATURES["words"])
    return [measured, ("meaning", features[:n_meaning]), ("words", features[n_meaning:][:n_words])]


def off_topic_questions() -> list[str]:
    """The shipped questions that no corpus of papers is built for."""
    return _shipped("off_topic_questions.txt").splitlines()


def shipped_prior() -> RelevanceModel:
    """What was learned once, on the development corpus."""
    return RelevanceModel.from_json(json.dumps(json.loads(_shipped("relevance_prior.json"))["model"]))


def draw_rows(n_papers: int, at_most: int, seed: int) -> list[int]:
    """Rows of a random sample of papers, in the order of the corpus."""
    drawn = np.random.default_rng(seed).choice(n_papers, size=min(at_most, n_papers), replace=False)
    return [int(row) for row in np.sort(drawn)]


@dataclass(frozen=True, slots=True, eq=False)
class _Pool:
    papers: Sequence[Paper]
    vectors: NDArray[np.float32]
    dense: Floats
    sparse: Floats


def _pool(question: str, vector: NDArray[np.float32], ground: Ground, held_back: int | None) -> _Pool:
    """What a search without filters finds, less one paper."""
    allowed = None
    if held_back is not None:
        allowed = np.ones(len(ground.papers), dtype=np.bool_)
        allowed[held_back] = False
    dense, _ = look_up_dense(vector, allowed, ground.dense)
    sparse, _ = look_up_sparse(SearchRequest(question), allowed, ground.sparse)
    found = unite(dense, sparse, vector, allowed, ground.dense)
    order = np.lexsort((found.rows, -fuse(found.dense, found.sparse, found.lowest_cosine)))[:POOL_SIZE]
    bm25 = found.sparse[order]
    return _Pool(
        papers=[ground.papers[int(row)] for row in found.rows[order][:N_BEST]],
        vectors=found.vectors[order],
        dense=np.clip(found.dense[order], 0.0, 1.0),
        sparse=bm25 if np.isnan(found.sparse).all() else np.nan_to_num(bm25),
    )


def _no_examples() -> Examples:
    return {name: np.empty((0, len(features))) for name, features in FEATURES.items()}


def _shipped(name: str) -> str:
    return resources.files("pathfinder.assessment").joinpath(name).read_text(encoding="utf-8")
