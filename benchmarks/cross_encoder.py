"""Measures what a small cross-encoder adds: python -m benchmarks.cross_encoder DATA WORK MODEL.npz [--layers N]
[--tokens N].

MODEL comes from `benchmarks.cross_encoder_training`. WORK holds the corpora, named after their collections; missing
ones are built. The cross-encoder reads the 20 best papers for each question, and a multiple of its score, standardised
over these papers, is added to the score of the search, with and without the local reranker. Prints the change in the
measures for several multiples and, in full, for the one that is best on the other collections; also the CPU time needed
to read a paper. With `--cost`, prints only this time, but for networks of several sizes.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from benchmarks.local_reranker import ASTRO, Question, measure_question, trial_of
from benchmarks.retrieval import TRIALS
from pathfinder.corpus.readers import read_papers
from pathfinder.evaluation.collections import read_collection
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.models.minilm import Precision, build_graph, read_safetensors, start_session, weights_folder
from pathfinder.retrieval.reranking.local.model import fitted_model, standardise
from pathfinder.types import Floats, Paper, Rows

N_VOCABULARY = 30_522
MAX_QUESTION = 40
"""Number of tokens read from a question."""
N_READ = 20
ALONE = 1e6
"""Weight at which the cross-encoder alone decides the order of the papers that it reads."""
WEIGHTS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, ALONE)
BATCH, N_TURNS = 10, 3


class PairReader:
    """Splits pairs of a question and a paper into tokens; the paper's tokens are numbered from `N_VOCABULARY` on."""

    def __init__(self, n_tokens: int) -> None:
        """Truncate pairs after `n_tokens` tokens."""
        self._n_tokens = n_tokens
        self._tokenizer = Tokenizer.from_file(str(weights_folder() / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def ids(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.int64]:
        """Return token ids, shape (pairs, tokens); 0 is padding."""
        questions = self._tokenizer.encode_batch([question for question, _ in pairs])
        papers = self._tokenizer.encode_batch([paper[:2000] for _, paper in pairs])
        ids = np.zeros((len(pairs), self._n_tokens), dtype=np.int64)
        for row, question, paper in zip(ids, questions, papers, strict=True):
            query = [*question.ids[:-1][: MAX_QUESTION - 1], question.ids[-1]]
            paper_ids = [*paper.ids[1:-1][: self._n_tokens - len(query) - 1], paper.ids[-1]]
            row[: len(query)] = query
            row[len(query) : len(query) + len(paper_ids)] = np.array(paper_ids) + N_VOCABULARY
        return ids


class CrossEncoder:
    """A trained cross-encoder in onnxruntime."""

    def __init__(self, path: Path, n_layers: int, n_tokens: int, precision: Precision = "float32") -> None:
        weights = dict(read_safetensors(weights_folder() / "model.safetensors"))
        with np.load(path) as weights_file:
            weights |= {name: weights_file[name].astype(np.float32) for name in weights_file.files}
        words, segments = (weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "token_type"))
        weights["embeddings.word_embeddings.weight"] = np.concatenate([words, words + segments[1] - segments[0]])
        self._head = weights["head"]
        self._session = start_session(build_graph(weights, precision, n_layers))
        self._reader = PairReader(n_tokens)

    def scores(self, question: str, papers: Sequence[str]) -> Floats:
        """Return a score for each paper, shape (n,)."""
        ids = self._reader.ids([(question, paper) for paper in papers])
        scores = np.empty(len(ids))
        by_length = np.argsort((ids != 0).sum(axis=1))
        for rows in np.array_split(by_length, max(1, len(ids) // BATCH)):
            batch = ids[rows][:, : int((ids[rows] != 0).sum(axis=1).max())]
            inputs = {"input_ids": batch, "attention_mask": (batch != 0).astype(np.int64)}
            (vectors,) = self._session.run(["embedding"], inputs)
            scores[rows] = vectors @ self._head
        return scores


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The papers found for one question, best match first, as scored with and without the local reranker."""

    scores: Mapping[str, Floats]
    """Keyed by the name of the search: "hybrid" or "reranked"."""
    marks: Floats
    """Scores of the cross-encoder; NaN for papers that are not among the best in either search."""
    grades: Floats
    ideal: Floats


def main() -> None:
    """Score the questions of the five collections, and print what the cross-encoder changes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--tokens", type=int, default=160, help="that are read of a question and a paper")
    parser.add_argument("--cost", action="store_true", help="print only the time to read a paper")
    options = parser.parse_args()
    if options.cost:
        print_costs(options.data / ASTRO, options.model)
        return
    model = CrossEncoder(options.model, options.layers, options.tokens)
    sets = {
        trial.collection: judge_collection(options.data, options.work, trial.collection, trial.qrels, model)
        for trial in TRIALS
    }
    for search in ("hybrid", "reranked"):
        changes = {name: {w: change_of(some, search, w) for w in WEIGHTS} for name, some in sets.items()}
        means = {
            name: {w: float(change[:, _main_measure(name)].mean()) for w, change in by_weight.items()}
            for name, by_weight in changes.items()
        }
        print(f"\n{search}")
        for name, questions in sets.items():
            others = [means[other] for other in sets if other != name]
            weight = max(WEIGHTS, key=lambda weight: sum(other[weight] for other in others))
            print(f"{name} ({len(questions)}): " + ", ".join(f"{w:g}: {mean:+.3f}" for w, mean in means[name].items()))
            print(f"  chosen on the others, {weight:g}: {line(questions, search, changes[name][weight])}")


def print_costs(source: Path, path: Path) -> None:
    """Print the processor time per paper for networks of several sizes, the shortest of three runs for each."""
    papers = list(islice((paper for paper in read_papers(source) if isinstance(paper, Paper)), N_READ))
    question, texts = papers[0].title, [paper.text for paper in papers]
    for n_layers, n_tokens, precision in product((2, 4), (96, 160, 256), get_args(Precision)):
        model, seconds = CrossEncoder(path, n_layers, n_tokens, precision), []
        for _ in range(N_TURNS):
            start = time.process_time()
            model.scores(question, texts)
            seconds.append(time.process_time() - start)
        print(f"{n_layers} layers, {n_tokens} tokens, {precision}: {1000 * min(seconds) / N_READ:.1f} ms", flush=True)


def _main_measure(name: str) -> int:
    """Return the index of MRR@10 if each question is answered by a single paper, and of nDCG@10 otherwise."""
    return 1 if name.startswith("astro") else 0


def judge_collection(data: Path, work: Path, name: str, qrels: str | None, model: CrossEncoder) -> list[Judged]:
    """Return the judged questions of a collection, and print the processor time of the cross-encoder."""
    trial, source = trial_of(data, work, name, None)
    folder = data / "retrieval" / name
    collection = read_collection(folder, source, folder / (qrels or "qrels.tsv"))
    judgements, seconds, n_read = [], 0.0, 0
    for question, text in collection.questions.items():
        pool = trial.pool(text, predicate=EVERY_PAPER.without((question,)))
        papers = [trial.corpus.papers[int(row)] for row in pool.rows]
        reranked = pool.match + fitted_model().for_question(pool.n_words).scores(pool.predictors)
        scores = {"hybrid": pool.match, "reranked": reranked}
        best = np.unique(np.concatenate([_best(values) for values in scores.values()]))
        texts, marks = [papers[place].text for place in best], np.full(len(papers), np.nan)
        start = time.process_time()
        marks[best] = model.scores(text, texts)
        seconds, n_read = seconds + time.process_time() - start, n_read + len(best)
        own_grades = collection.judgements[question]
        grades = np.array([float(max(own_grades.get(paper.paper_id, 0), 0)) for paper in papers])
        ideal = sorted((float(grade) for grade in own_grades.values() if grade > 0), reverse=True)[:10]
        judgements.append(Judged(scores, marks, grades, np.array(ideal)))
    print(f"{name}: {1000 * seconds / n_read:.1f} ms of processor time to read a paper", flush=True)
    return judgements


def _best(scores: Floats) -> Rows:
    return np.argsort(-scores, kind="stable")[:N_READ]


def change_of(questions: Sequence[Judged], search: str, weight: float) -> NDArray[np.float64]:
    """Return the changes in nDCG@10, MRR@10 and success@10 due to the cross-encoder, shape (questions, 3)."""
    return np.array(
        [np.subtract(_measure(question, search, weight), _measure(question, search, 0.0)) for question in questions]
    )


def _measure(question: Judged, search: str, weight: float) -> tuple[float, float, float]:
    scores, best = question.scores[search], _best(question.scores[search])
    added = np.full(len(scores), -2 * ALONE * N_READ)  # papers that were not read stay below those that were
    added[best] = weight * standardise(question.marks[best])
    values = np.stack([added], axis=1)
    return measure_question(Question(values, scores, question.grades, question.ideal), np.ones(1))


def line(questions: Sequence[Judged], search: str, change: NDArray[np.float64]) -> str:
    """Return the means of the measures without the cross-encoder, and their mean changes with 95% intervals."""
    before = np.mean([_measure(question, search, 0.0) for question in questions], axis=0)
    draws = np.random.default_rng(0).integers(0, len(change), (10_000, len(change)))
    low, high = np.percentile(change[draws].mean(axis=1), [2.5, 97.5], axis=0)
    return ", ".join(
        f"{measure} {before[i]:.3f} {change[:, i].mean():+.3f} [{low[i]:+.3f}, {high[i]:+.3f}]"
        for i, measure in enumerate(("nDCG@10", "MRR@10", "success@10"))
    )


if __name__ == "__main__":
    main()
