"""Fit the local reranker: python -m benchmarks.local_reranker DATA WORK [--model FILE] [--astro N].

DATA contains retrieval/ and corpora/; the corpora are built once, in WORK. Whole collections are left out: the figures
for a collection come from a fit without it and without everything made from its papers (titles, sentences, citations).
scifact is never used in a fit. With `--astro`, N papers from the astro corpus are used: all that answer a question, and
others drawn at random.

The reranker's score, a weighted sum of standardised predictors, is added to `log(0.05 + s)`, where s is the fused
score. The weights maximise the likelihood that relevant papers come before others; a penalty keeps them close to 0, at
which the order is the fused one.
"""

import argparse
import gzip
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.made_questions import citations, grades_of, sentences, titles
from pathfinder.building import build
from pathfinder.building.fitted_parts import RerankerPool, Trial, n_indexed
from pathfinder.corpus.store import open_corpus
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.models.minilm import MiniLM
from pathfinder.operations.evaluation.collections import Collection, read_collection
from pathfinder.retrieval.reranking.local.model import LONG_QUESTION, OF_TOKENS, standardise
from pathfinder.types import Floats

NAMES = ("tokens^2", "tokens^4", "neighbours")
PULL = 0.3
FITTING_SETS = ("cacm", "cisi", "scholarqa_multi_closed", "astro_single_paper")
NEVER_FITTED = "scifact"
ASTRO = "corpora/astroph_2025_2026.jsonl.gz"
SEED = 14
DISCOUNTS = 1 / np.log2(np.arange(2, 12))


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """The candidate pool of one question."""

    predictors: NDArray[np.float64]
    """Standardised predictors, shape (n, predictors); 0 where the model does not use them."""
    match: Floats
    grades: Floats
    ideal: Floats
    """Grades of all relevant papers, best first, at most ten."""


Sets = Mapping[str, Sequence[Question]]
"""Questions by the name of their set: "cisi", or "cisi, titles" for one made from the papers of cisi."""


def main() -> None:
    """Fit the model, print the figures, and write the model if a file is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--astro", type=int)
    options = parser.parse_args()
    sets: dict[str, list[Question]] = {}
    for name in FITTING_SETS:
        sets |= sets_of(options.data, options.work, name, options.astro)
    trial, source = trial_of(options.data, options.work, NEVER_FITTED, None)
    test = judge_collection(trial, source, options.data / "retrieval" / NEVER_FITTED, "qrels_beir_test.tsv")
    for name in FITTING_SETS:
        without = fit({key: questions for key, questions in sets.items() if _origin(key) != name})
        for key in (key for key in sets if _origin(key) == name):
            report(f"{key}, left out", without, sets[key])
    own_weights = fit(sets)
    report(f"{NEVER_FITTED}, test, never fitted", own_weights, test)
    record = {"weights": {name: round(float(weight), 4) for name, weight in zip(NAMES, own_weights, strict=True)}}
    print(json.dumps(record, indent=2))
    if options.model:
        options.model.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def _origin(key: str) -> str:
    return key.split(",", maxsplit=1)[0]


def sets_of(data: Path, work: Path, name: str, n_astro: int | None) -> dict[str, list[Question]]:
    """Return the judged questions of a collection, and those made from its papers."""
    trial, source = trial_of(data, work, name, n_astro)
    folder = data / "retrieval" / name
    all_sets = {"titles": titles(trial), "sentences": sentences(trial)}
    if name == "cacm":
        all_sets["citations"] = citations(trial, source)
    return {name: judge_collection(trial, source, folder, "qrels.tsv")} | {
        f"{name}, {kind}": [
            question_of(pool, np.array(grades_of(question, pool.rows)), np.ones(min(10, len(question.relevant))))
            for question in questions
            for pool in [
                trial.pool(
                    question.text, question.hidden, EVERY_PAPER.without((question.without,) if question.without else ())
                )
            ]
        ]
        for kind, questions in all_sets.items()
    }


def trial_of(data: Path, work: Path, name: str, n_astro: int | None) -> tuple[Trial, Path]:
    """Open the corpus of a collection, building it first if it is missing; also return the file of its papers."""
    source = data / ASTRO if name.startswith("astro") else data / "retrieval" / name / "corpus.jsonl"
    if name.startswith("astro") and n_astro:
        source = astro_sample(data, work, n_astro)
    model = MiniLM()
    if not (work / name).is_dir():
        build([source], work / name, model)
    corpus = open_corpus(work / name)
    assert corpus.tokens is not None
    length = float(np.mean([n_indexed(paper.text) for paper in corpus.papers]))
    return Trial(corpus, corpus.tokens, model, length), source


def astro_sample(data: Path, work: Path, n_papers: int) -> Path:
    """Write the papers that answer a question, and others drawn at random."""
    path = work / f"astro_{n_papers}.jsonl"
    if not path.exists():
        rows = (data / "retrieval" / "astro_single_paper" / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]
        paper_ids = {row.split("\t")[1] for row in rows}
        with gzip.open(data / ASTRO, "rt", encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        others = [record for record in records if record["id"] not in paper_ids]
        random.Random(SEED).shuffle(others)  # noqa: S311  a sample, not a secret
        sample = [record for record in records if record["id"] in paper_ids] + others[: n_papers - len(paper_ids)]
        random.Random(SEED + 1).shuffle(sample)  # noqa: S311  a sample, not a secret
        work.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in sample), encoding="utf-8")
    return path


def judge_collection(trial: Trial, source: Path, folder: Path, judgements: str) -> list[Question]:
    """Return the judged questions of a collection; a paper with the id of the question is left out."""
    collection = read_collection(folder, source, folder / judgements)
    return [_judge_question(trial, collection, question) for question in collection.questions]


def _judge_question(trial: Trial, collection: Collection, question: str) -> Question:
    pool = trial.pool(collection.questions[question], predicate=EVERY_PAPER.without((question,)))
    judgements = collection.judgements[question]
    ids = trial.corpus.papers.paper_ids()
    grades = [float(max(judgements.get(ids[row], 0), 0)) for row in pool.rows]
    ideal = sorted((float(grade) for grade in judgements.values() if grade > 0), reverse=True)[:10]
    return question_of(pool, np.array(grades), np.array(ideal))


def question_of(pool: RerankerPool, grades: Floats, ideal: Floats) -> Question:
    """Standardise the predictors; token predictors are 0 for a long question."""
    is_long = pool.n_words > LONG_QUESTION
    columns = [standardise(pool.predictors[name]) * (not (is_long and name.startswith(OF_TOKENS))) for name in NAMES]
    return Question(np.stack(columns, axis=1), pool.match, grades, ideal)


def fit(sets: Sets) -> NDArray[np.float64]:
    """Return the weights, with each set counting equally; the weight of the match itself is fitted too, and the others
    are divided by it.
    """
    judged_sets = [[question for question in questions if question.grades.any()] for questions in sets.values()]
    sets_with_weight = [
        (question, 1 / len(questions) / len(judged_sets)) for questions in judged_sets for question in questions
    ]

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        penalty = np.concatenate([[0.0], weights[1:]])
        total, slope = PULL * float(penalty @ penalty) / 2, PULL * penalty
        for question, share in sets_with_weight:
            value, gradient = loss_of(question, weights)
            total, slope = total + share * value, slope + share * gradient
        return total, slope

    start = np.array([4.0, *(0.0 for _ in NAMES)])
    bounds = [(0.5, 50.0), *((None, None) for _ in NAMES)]
    best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return np.asarray(best[1:] / best[0])


def loss_of(question: Question, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """Return the negative log-likelihood under a softmax of the score, and its gradient."""
    scores = weights[0] * question.match + question.predictors @ weights[1:]
    likelihood = np.exp(scores - scores.max())
    log_sum = float(np.log(likelihood.sum()) + scores.max())
    target = (question.grades > 0) / (question.grades > 0).sum()
    slope = likelihood / likelihood.sum() - target
    return log_sum - float(target @ scores), np.concatenate([[slope @ question.match], question.predictors.T @ slope])


def report(name: str, weights: NDArray[np.float64], questions: Sequence[Question]) -> None:
    """Print the means with and without the reranker, and the paired difference with its 95% interval."""
    fusion = np.array([measure_question(question, np.zeros(len(NAMES))) for question in questions])
    change = np.array([measure_question(question, weights) for question in questions]) - fusion
    draws = np.random.default_rng(0).integers(0, len(change), (10_000, len(change)))
    low, high = np.percentile(change[draws].mean(axis=1), [2.5, 97.5], axis=0)
    words = [
        f"{measure} {fusion[:, i].mean():.3f} {change[:, i].mean():+.3f} [{low[i]:+.3f}, {high[i]:+.3f}]"
        for i, measure in enumerate(("nDCG@10", "MRR@10", "success@10"))
    ]
    print(f"{name} ({len(questions)}): {', '.join(words)}", flush=True)


def measure_question(question: Question, weights: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return nDCG@10, MRR@10 and success@10 of the order that results from `weights`."""
    gains = question.grades[np.argsort(-(question.match + question.predictors @ weights), kind="stable")[:10]]
    places = np.flatnonzero(gains)
    ndcg = gains @ DISCOUNTS[: len(gains)] / (question.ideal @ DISCOUNTS[: len(question.ideal)])
    return float(ndcg), 1 / (int(places[0]) + 1) if len(places) else 0.0, float(len(places) > 0)


if __name__ == "__main__":
    main()
