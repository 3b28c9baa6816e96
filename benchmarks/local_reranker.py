"""Fit the local reranker: python benchmarks/local_reranker.py DATA WORK [MODEL.json].

DATA contains retrieval/ and corpora/; the corpora are built once, in WORK. The model is fitted on scifact's train
questions and the three development sets, with equal weight for each set. The script prints nDCG@10 and MRR@10 for each
set, both when it was part of the fit and when it was left out, with 95% bootstrap intervals. scifact's test questions
are only measured. The weights are pulled towards an unfitted sum, so that a few questions cannot move them far.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from pathfinder.building import build
from pathfinder.evaluation.collections import Collection, read_collection
from pathfinder.index.tokens import TokenStore
from pathfinder.models.minilm import MiniLM
from pathfinder.retrieval.reranking.local.features import features_of
from pathfinder.retrieval.reranking.local.model import standardised
from pathfinder.retrieval.reranking.local.pool import TokenPool
from pathfinder.retrieval.reranking.rerank import question_terms
from pathfinder.session import Pathfinder
from pathfinder.types import RERANK_POOL_SIZE, Floats

NAMES = ("tokens^2", "tokens^4", "two sentences^1", "dense", "words", "neighbours", "length")
UNFITTED = np.array([0.5, 0.5, 0, 0, 0, 0, 0])
PULL, SHARPNESS = 0.5, 4.0
"""Strength of the pull of the weights towards `UNFITTED`, and scale of the softmax over final scores."""

SETS = {
    "scifact": "qrels_beir_train.tsv",
    "cisi": "qrels.tsv",
    "scholarqa_multi_closed": "qrels.tsv",
    "astro_single_paper": "qrels.tsv",
}
ASTRO = "corpora/astroph_2025_2026.jsonl.gz"


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """The candidate pool of one question."""

    features: NDArray[np.float64]
    """Standardised, shape (n, features)."""
    match: Floats
    """log(0.05 + fused)."""
    grades: Floats
    ideal: Floats
    """Grades of all relevant documents, best first, at most ten."""


def main() -> None:
    """Fit, print, and write the model if a file is named."""
    data, work = Path(sys.argv[1]), Path(sys.argv[2])
    train = {name: list(questions(data, work, name, judged)) for name, judged in SETS.items()}
    test = list(questions(data, work, "scifact", "qrels_beir_test.tsv"))
    shipped = fit(list(train.values()))
    without = {name: fit([one for other, one in train.items() if other != name]) for name in train}
    for name, held_out in train.items():
        report(name, {"fusion": None, "left out": without[name], "fitted": shipped}, held_out)
    report("scifact, test", {"fusion": None, "left out": without["scifact"], "fitted": shipped}, test)
    weights = {name: round(float(weight), 4) for name, weight in zip(NAMES, shipped, strict=True)}
    print(json.dumps({"weights": weights}, indent=2))
    if len(sys.argv) > 3:
        Path(sys.argv[3]).write_text(json.dumps({"weights": weights}, indent=2) + "\n", encoding="utf-8")


def questions(data: Path, work: Path, name: str, judged: str) -> Iterator[Question]:
    """Yield the judged questions of one set; its corpus is built if missing."""
    folder = data / "retrieval" / name
    source = data / ASTRO if name.startswith("astro") else folder / "corpus.jsonl"
    if not (work / name).is_dir():
        build([source], work / name, MiniLM())
    pf = Pathfinder.open(work / name)
    collection = read_collection(folder, source, folder / judged)
    for question in collection.questions:
        yield pool_of(pf, collection, question)


def pool_of(pf: Pathfinder, collection: Collection, question: str) -> Question:
    """Return the reranker's input for one question."""
    assert isinstance(pf.corpus.tokens, TokenStore)
    assert isinstance(pf.models.embedder, MiniLM)
    text, grades = collection.questions[question], collection.judgements[question]
    found = pf.search(text, reranker="off").candidates
    n = min(RERANK_POOL_SIZE, len(found))
    terms = question_terms(text, pf.models.embedder, pf.corpus.tokens, pf.corpus.sparse)
    pool = TokenPool.of(pf.corpus.tokens, found.rows[:n], terms)
    features = features_of(pool, terms, found.vectors[:n], dense=found.dense[:n], sparse=found.sparse[:n])
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:10]
    return Question(
        np.stack([standardised(features[name]) for name in NAMES], axis=1),
        np.log(0.05 + found.fused[:n]),
        np.array([max(grades.get(paper.paper_id, 0), 0) for paper in found.papers[:n]], dtype=np.float64),
        np.array(ideal, dtype=np.float64),
    )


def fit(sets: list[list[Question]]) -> NDArray[np.float64]:
    """Return the weights that make it most likely that relevant documents come before others, with each set counting
    equally.
    """
    told = [[one for one in questions if one.grades.any()] for questions in sets]
    weighted = [(one, 1 / len(questions) / len(told)) for questions in told for one in questions]

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        away = weights - UNFITTED
        total, slope = PULL * float(away @ away) / 2, PULL * away
        for one, share in weighted:
            value, gradient = loss_of(one, weights)
            total, slope = total + share * value, slope + share * gradient
        return total, slope

    return np.asarray(minimize(loss, UNFITTED, jac=True, method="L-BFGS-B", options={"maxiter": 60}).x)


def loss_of(one: Question, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """Return the negative log-likelihood under a softmax of the final score, and its gradient."""
    scores = one.features @ weights
    best, worst = int(scores.argmax()), int(scores.argmin())
    span = max(float(scores[best] - scores[worst]), 1e-9)
    stretched = (scores - scores[worst]) / span
    final = SHARPNESS * (one.match + np.log(0.05 + stretched))
    likelihood = np.exp(final - final.max())
    likelihood /= likelihood.sum()
    wanted = (one.grades > 0) / (one.grades > 0).sum()
    slope = (likelihood - wanted) * SHARPNESS / (0.05 + stretched) / span
    gradient = one.features.T @ slope
    gradient += one.features[worst] * (slope @ stretched - slope.sum()) - one.features[best] * (slope @ stretched)
    return -float(wanted @ np.log(likelihood)), gradient


def report(name: str, ways: dict[str, NDArray[np.float64] | None], questions: list[Question]) -> None:
    """Print the means of each weighting, with 95% intervals from 2,000 resamples of the questions."""
    for way, weights in ways.items():
        scores = np.array([measured(one, weights) for one in questions])
        draws = np.random.default_rng(0).integers(0, len(scores), (2000, len(scores)))
        low, high = np.percentile(scores[draws].mean(axis=1), [2.5, 97.5], axis=0)
        told = [
            f"{measure} {scores[:, i].mean():.4f} [{low[i]:.3f}, {high[i]:.3f}]"
            for i, measure in enumerate(("nDCG@10", "MRR@10", "success@10"))
        ]
        print(f"{name}, {way}: {', '.join(told)}", flush=True)


def measured(one: Question, weights: NDArray[np.float64] | None) -> tuple[float, float, float]:
    """Return nDCG@10, MRR@10 and success@10 of the final order."""
    final = one.match
    if weights is not None:
        scores = one.features @ weights
        final = final + np.log(0.05 + (scores - scores.min()) / max(float(np.ptp(scores)), 1e-9))
    gains = one.grades[np.argsort(-final, kind="stable")[:10]]
    discounts = 1 / np.log2(np.arange(2, 12))
    places = np.flatnonzero(gains)
    ndcg = gains @ discounts[: len(gains)] / (one.ideal @ discounts[: len(one.ideal)])
    return float(ndcg), 1 / (int(places[0]) + 1) if len(places) else 0.0, float(len(places) > 0)


if __name__ == "__main__":
    main()
